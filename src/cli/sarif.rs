//! SARIF 2.1.0, the format in which code hosts and editors accept findings. *Source*: OASIS Standard "Static
//! Analysis Results Interchange Format (SARIF) Version 2.1.0".

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Value, json};

use crate::stage::Source;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Maximum number of affected objects to list per result.
const MAX_SPOTS: usize = 100;

/// Returns the text before the list of results.
pub(super) fn beginning(rules: &[Value]) -> String {
    let driver = json!({"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION"), "rules": rules});
    let (schema, tool) = (json!(SCHEMA), json!({"driver": driver}));
    format!(r#"{{"$schema":{schema},"version":"2.1.0","runs":[{{"tool":{tool},"results":["#)
}

pub(super) fn end(is_all_read: bool) -> String {
    format!(r#"],"invocations":[{{"executionSuccessful":{is_all_read}}}]}}]}}"#)
}

/// Returns a result for a file. `rule`: ID and index in the list of rules. `level`: `error`, `warning` or `note`.
/// `names`: the affected objects.
pub(super) fn result(
    file: &str,
    (rule, index): (&str, Option<usize>),
    level: &str,
    message: &str,
    names: &[&str],
) -> Value {
    let logical: Vec<Value> = names.iter().take(MAX_SPOTS).map(|name| json!({"fullyQualifiedName": name})).collect();
    // A model has no lines, but code hosts need one.
    let physical = json!({"artifactLocation": artifact(file), "region": {"startLine": 1}});
    let mut result = json!({
        "ruleId": rule, "level": level, "message": {"text": message},
        "locations": [{"physicalLocation": physical, "logicalLocations": logical}],
        // Either all results of a run have this list, or none.
        "suppressions": [],
        "partialFingerprints": {"spots/v1": fingerprint(&[&[rule], names].concat())},
    });
    // Rules of a project's own profiles are not in the list of rules.
    if let Some(index) = index {
        result["ruleIndex"] = json!(index);
    }
    result
}

/// Converts a path to a URI, relative to the working folder if below it, so that code hosts find the file.
fn artifact(file: &str) -> Value {
    const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    if file.starts_with("builtin:") {
        return json!({"uri": file});
    }
    let folder = std::env::current_dir().unwrap_or_default();
    let named = Source::parse(file).ok();
    let path = named.as_ref().and_then(Source::path).unwrap_or(Path::new(file));
    let path = path.strip_prefix(&folder).unwrap_or(path);
    let path = path.strip_prefix(".").unwrap_or(path);
    // A backslash is part of a name except on Windows.
    let separated: Cow<'_, OsStr> = if cfg!(windows) {
        OsString::from(path.to_string_lossy().replace('\\', "/")).into()
    } else {
        path.as_os_str().into()
    };
    let uri = percent_encode(separated.as_encoded_bytes(), PATH).to_string();
    if path.is_absolute() {
        json!({"uri": format!("file:///{}", uri.trim_start_matches('/'))})
    } else {
        json!({"uri": uri, "uriBaseId": "%SRCROOT%"})
    }
}

/// Returns a 64-bit FNV-1a hash of names, which doesn't depend on the rest of the file.
fn fingerprint(names: &[&str]) -> String {
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
