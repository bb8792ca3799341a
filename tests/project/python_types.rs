//! The types that Python declares for dictionaries match the rows that the program prints as JSON.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::fmt::Write as _;
use std::path::Path;

use rigscope::cli::documents;
use rigscope::rows::{JsonDocument, JsonObject, Shape};

const HEAD: &str = r#""""Dictionaries that are returned: the same keys as the command line prints as JSON.

Written by the test `python_has_the_types_of_the_rows` with UPDATE_GOLDEN=1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Optional, TypedDict

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import NotRequired
"#;

/// Keys that are missing or `null` only if there is a comparison file. Python doesn't compare with files.
const BESIDE_A_FILE: [&str; 5] =
    ["distances_off", "max_distance_m", "max_distance_fraction", "mean_distance_m", "mean_distance_fraction"];

/// Returns the objects of all documents that Python returns. Objects nested in others come first.
fn objects() -> Vec<JsonObject> {
    fn add(shape: &Shape, objects: &mut Vec<JsonObject>) {
        let Some(object) = shape.object() else { return };
        object.keys.iter().for_each(|key| add(&key.shape, objects));
        if !objects.contains(object) {
            objects.push(object.clone());
        }
    }
    let mut objects = Vec::new();
    documents().filter_map(JsonDocument::python_shape).for_each(|shape| add(&shape, &mut objects));
    objects
}

fn python_type(shape: &Shape) -> String {
    match shape {
        Shape::Flag => "bool".to_owned(),
        Shape::Count => "int".to_owned(),
        Shape::Number => "float".to_owned(),
        Shape::Text => "str".to_owned(),
        Shape::Word(words) => {
            format!("Literal[{}]", words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(", "))
        }
        Shape::OrNull(inner) => format!("Optional[{}]", python_type(inner)),
        Shape::List(inner) if matches!(**inner, Shape::Array(_)) => python_type(inner),
        Shape::List(inner) => format!("list[{}]", python_type(inner)),
        Shape::Array(kind) => format!("npt.NDArray[np.{kind}]"),
        Shape::Map(inner) => format!("dict[str, {}]", python_type(inner)),
        Shape::Object(object) => object.title().to_owned(),
    }
}

fn types() -> String {
    let mut text = HEAD.to_owned();
    for object in objects() {
        write!(text, "\n\nclass {}(TypedDict):\n    \"\"\"{}\"\"\"\n", object.title(), object.doc.trim()).unwrap();
        for key in &object.keys {
            let is_beside_a_file = BESIDE_A_FILE.contains(&key.name);
            if is_beside_a_file && key.is_left_out {
                continue;
            }
            let found = match &key.shape {
                Shape::OrNull(inner) if is_beside_a_file => python_type(inner),
                shape => python_type(shape),
            };
            let found = if key.is_left_out { format!("NotRequired[{found}]") } else { found };
            let meaning = key.meaning.trim().replace("null", "None");
            write!(text, "\n    {}: {found}\n    \"\"\"{meaning}\"\"\"\n", key.name).unwrap();
        }
    }
    text
}

#[test]
fn python_has_the_types_of_the_rows() {
    let path = Path::new(rigscope_tests::ROOT).join("python/package/rigscope/types.py");
    let types = types();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, types).unwrap();
    } else {
        assert!(
            std::fs::read_to_string(&path).unwrap() == types,
            "types.py has other types; UPDATE_GOLDEN=1 writes it again"
        );
    }
}

#[test]
fn every_key_has_a_meaning_and_every_object_one_name() {
    let objects = objects();
    for object in &objects {
        assert!(object.doc.trim().ends_with('.'), "{}", object.name);
        for key in &object.keys {
            let meaning = key.meaning.trim();
            assert!(
                meaning.ends_with('.') && !meaning.contains(['|', '[', '"']),
                "{}.{}: {meaning}",
                object.name,
                key.name
            );
        }
        let named = objects.iter().filter(|other| other.title() == object.title());
        assert_eq!(named.count(), 1, "{}", object.title());
    }
}
