//! JSON documents that commands print, and the documentation of their keys.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::{JsonObject, Shape};

/// JSON document that a command prints.
#[derive(Debug)]
pub struct JsonDocument {
    /// Command, such as `motion --seams`.
    pub command: &'static str,
    /// Key under which the document holds the value, next to `version` and `file`; empty if the document is the value.
    pub key: &'static str,
    /// Python method, such as `Rig.seams`, if any, and the key whose value it returns; an empty key stands for the
    /// whole value.
    pub python: Option<(&'static str, &'static str)>,
    /// Type of the value.
    pub shape: fn() -> Shape,
}

/// Documentation of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyLine {
    /// Path of the key, such as `spikes[].time_secs`. `[]` stands for each list entry, `*` for each key of a map.
    pub path: String,
    /// Type of the value, as text.
    pub value: String,
    /// Meaning of the key.
    pub meaning: &'static str,
}

impl JsonDocument {
    /// Returns the type that the Python method returns, if any.
    pub fn python_shape(&self) -> Option<Shape> {
        let (shape, (_, part)) = ((self.shape)(), self.python?);
        let of_key = |object: &JsonObject| Some(object.keys.iter().find(|key| key.name == part)?.shape.clone());
        if part.is_empty() { Some(shape) } else { shape.object().and_then(of_key) }
    }

    /// Returns a line for each key, in print order.
    pub fn lines(&self) -> Vec<KeyLine> {
        let mut lines = Vec::new();
        let shape = (self.shape)();
        let meaning = shape.object().map_or("", |object| object.doc.trim());
        if !self.key.is_empty() {
            lines.push(KeyLine { path: self.key.to_owned(), value: shape.words(), meaning });
        }
        add(&shape, self.key, &mut lines);
        lines
    }
}

fn add(shape: &Shape, path: &str, lines: &mut Vec<KeyLine>) {
    match shape {
        Shape::OrNull(inner) => add(inner, path, lines),
        Shape::List(inner) => add(inner, &format!("{path}[]"), lines),
        Shape::Map(inner) => add(inner, &format!("{path}.*"), lines),
        Shape::Object(object) => {
            for key in &object.keys {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{}", key.name);
                let value = key.shape.words() + if key.is_left_out { ", may be left out" } else { "" };
                lines.push(KeyLine { path: path.clone(), value, meaning: key.meaning.trim() });
                add(&key.shape, &path, lines);
            }
        }
        _ => {}
    }
}

/// Serializes as an object with a single key.
pub struct UnderKey<T>(pub &'static str, pub T);

impl<T: Serialize> Serialize for UnderKey<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.0, &self.1)?;
        map.end()
    }
}
