//! Members of a session file that this version ignores.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

/// Members that contain joint names. They are skipped, because restoring the session reports missing joints.
const BY_JOINT: [&str; 2] = ["pose", "limits"];

/// Returns a message for each member of a session file that the parsed session lacks.
pub(super) fn left_out(json: &[u8], session: &impl serde::Serialize) -> Vec<String> {
    let file: BTreeMap<String, &RawValue> = serde_json::from_slice(json).unwrap_or_default();
    let taken = serde_json::to_value(session).unwrap_or_default();
    let mut told = Vec::new();
    for (key, value) in file.iter().filter(|(key, _)| !BY_JOINT.contains(&key.as_str())) {
        let value = serde_json::from_str(value.get()).unwrap_or_default();
        compare(key, &value, taken.get(key), &mut told);
    }
    told
}

fn compare(place: &str, file: &Value, taken: Option<&Value>, told: &mut Vec<String>) {
    match (file, taken) {
        (Value::Null, _) => {}
        // The session omits empty lists and objects when written.
        (Value::Object(nothing), None) if nothing.is_empty() => {}
        (Value::Array(nothing), None) if nothing.is_empty() => {}
        (_, None) => told.push(format!("Ignored unknown session entry \"{place}\"")),
        (_, Some(Value::Null)) => {
            told.push(format!("Ignored unknown session entry {file} as \"{place}\""));
        }
        (Value::Object(file), Some(Value::Object(taken))) => {
            for (key, value) in file {
                compare(&format!("{place}.{key}"), value, taken.get(key), told);
            }
        }
        (Value::Array(file), Some(Value::Array(taken))) => {
            for (index, (value, taken)) in file.iter().zip(taken).enumerate() {
                compare(&format!("{place}[{index}]"), value, Some(taken), told);
            }
        }
        _ => {}
    }
}
