//! Types, keys and meanings of JSON values.

use std::collections::BTreeMap;

use serde::Serialize;

/// Type of a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Count,
    /// A number.
    Number,
    /// Text.
    Text,
    /// One of a fixed set of words.
    Word(Vec<&'static str>),
    /// A value, or `null`.
    OrNull(Box<Self>),
    /// A list.
    List(Box<Self>),
    /// A list of numbers; in Python, a numpy array of this type.
    Array(&'static str),
    /// An object whose keys are arbitrary names.
    Map(Box<Self>),
    /// An object with fixed keys.
    Object(JsonObject),
}

/// A JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonObject {
    /// Name of the struct.
    pub name: &'static str,
    /// What it means, in one or two sentences.
    pub doc: &'static str,
    /// Keys, in order.
    pub keys: Vec<JsonKey>,
}

/// A key of a JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonKey {
    /// Name of the key.
    pub name: &'static str,
    /// What it means, with the unit.
    pub meaning: &'static str,
    /// True if the object may lack the key.
    pub is_left_out: bool,
    /// Type of the value.
    pub shape: Shape,
}

impl JsonKey {
    /// Returns a field's key, or its object's keys if serde flattens the field. `attribute` is the field's serde
    /// attribute.
    pub fn of_field<T: Described>(name: &'static str, meaning: &'static str, attribute: &'static str) -> Vec<Self> {
        let is_left_out = !attribute.is_empty();
        match T::shape() {
            _ if attribute == "skip" => Vec::new(),
            Shape::Object(object) if attribute == "flatten" => object.keys,
            Shape::OrNull(inner) if is_left_out => match *inner {
                Shape::Object(object) if attribute == "flatten" => {
                    object.keys.into_iter().map(|key| Self { is_left_out, ..key }).collect()
                }
                shape => vec![Self { name, meaning, is_left_out, shape }],
            },
            shape => vec![Self { name, meaning, is_left_out, shape }],
        }
    }
}

impl JsonObject {
    /// Returns the name without the suffix `Json`, for display and for Python.
    pub fn title(&self) -> &'static str {
        self.name.strip_suffix("Json").unwrap_or(self.name)
    }
}

impl Shape {
    /// Returns the object, looking inside lists, maps and nullable values.
    pub fn object(&self) -> Option<&JsonObject> {
        match self {
            Self::Object(object) => Some(object),
            Self::OrNull(inner) | Self::List(inner) | Self::Map(inner) => inner.object(),
            _ => None,
        }
    }

    /// Describes the type, such as "number or null". A list is written as its entry type in brackets.
    pub fn words(&self) -> String {
        match self {
            Self::Flag => "true or false".to_owned(),
            Self::Count => "whole number".to_owned(),
            Self::Number => "number".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Object(_) => "object".to_owned(),
            Self::Word(words) => words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" or "),
            Self::OrNull(inner) => format!("{} or null", inner.words()),
            Self::List(inner) => format!("[{}]", inner.words()),
            Self::Array(_) => "[number]".to_owned(),
            Self::Map(inner) => format!("{{name: {}}}", inner.words()),
        }
    }
}

/// A type whose JSON is documented.
pub trait Described {
    /// Returns the type of the JSON value.
    fn shape() -> Shape;
}

macro_rules! described {
    ($($shape:ident: $($of:ty),*;)*) => {$($(
        impl Described for $of {
            fn shape() -> Shape {
                Shape::$shape
            }
        }
    )*)*};
}

described! {
    Flag: bool;
    Count: u8, u32, u64, i64, usize;
    Number: f32, f64;
    Text: String, str;
}

impl<T: Described> Described for Option<T> {
    fn shape() -> Shape {
        Shape::OrNull(Box::new(T::shape()))
    }
}

impl<T: Described> Described for Vec<T> {
    fn shape() -> Shape {
        Shape::List(Box::new(T::shape()))
    }
}

impl<T: Described> Described for [T] {
    fn shape() -> Shape {
        <Vec<T>>::shape()
    }
}

impl<T: Described + ?Sized> Described for &T {
    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: Described, const N: usize> Described for [T; N] {
    fn shape() -> Shape {
        <Vec<T>>::shape()
    }
}

impl<T: Described> Described for BTreeMap<String, T> {
    fn shape() -> Shape {
        Shape::Map(Box::new(T::shape()))
    }
}

/// A list of numbers; in Python, an array. Numbers that are not finite become `null`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Series<T>(pub Vec<T>);

macro_rules! series {
    ($($of:ty: $name:literal,)*) => {$(
        impl Described for Series<$of> {
            fn shape() -> Shape {
                Shape::Array($name)
            }
        }
    )*};
}

series! {
    f32: "float32",
    f64: "float64",
    u32: "uint32",
}
