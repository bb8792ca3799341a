//! JSON helpers: indices, extension names.

use std::collections::BTreeSet;

use serde_json::{Value, json};

pub(super) fn add_names(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(extensions) = members.get("extensions").and_then(Value::as_object) {
                names.extend(extensions.keys().cloned());
            }
            members.values().for_each(|value| add_names(value, names));
        }
        Value::Array(items) => items.iter().for_each(|value| add_names(value, names)),
        _ => {}
    }
}

pub(super) fn index(value: Option<&Value>) -> Option<usize> {
    value?.as_u64().and_then(|number| usize::try_from(number).ok())
}

pub(super) fn set(object: &mut Value, key: &str, number: usize) {
    if let Some(object) = object.as_object_mut() {
        object.insert(key.to_owned(), json!(number));
    }
}
