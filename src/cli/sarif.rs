//! SARIF 2.1.0, a format for findings that code hosts and editors read. *Source*: OASIS Standard "Static Analysis
//! Results Interchange Format (SARIF) Version 2.1.0".

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Value, json};

use crate::files::portable;
use crate::stage::Source;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Maximum number of affected objects to list per result.
const MAX_SPOTS: usize = 100;

/// Returns the SARIF text before the list of results.
pub(super) fn beginning(rules: &[Value]) -> String {
    let driver = json!({"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION"), "rules": rules});
    let (schema, tool) = (json!(SCHEMA), json!({"driver": driver}));
    format!(r#"{{"$schema":{schema},"version":"2.1.0","runs":[{{"tool":{tool},"results":["#)
}

pub(super) fn end(is_all_read: bool) -> String {
    format!(r#"],"invocations":[{{"executionSuccessful":{is_all_read}}}]}}]}}"#)
}

/// Returns a result for a file. `rule` is the rule's ID, `index` is its position in the rule list, `level` is `error`,
/// `warning` or `note`, and `names` are the affected objects.
pub(super) fn result(
    file: &str,
    (rule, index): (&str, Option<usize>),
    level: &str,
    message: &str,
    names: &[&str],
) -> Value {
    let logical: Vec<Value> = names.iter().take(MAX_SPOTS).map(|name| json!({"fullyQualifiedName": name})).collect();
    // Code hosts require a line number, although a model has no lines.
    let physical = json!({"artifactLocation": artifact(file), "region": {"startLine": 1}});
    let mut result = json!({
        "ruleId": rule, "level": level, "message": {"text": message},
        "locations": [{"physicalLocation": physical, "logicalLocations": logical}],
        // SARIF requires this list in either all results of a run or none.
        "suppressions": [],
        "partialFingerprints": {"spots/v1": fingerprint(&[&[rule], names].concat())},
    });
    // The rule list lacks the rules of a project's own profiles.
    if let Some(index) = index {
        result["ruleIndex"] = json!(index);
    }
    result
}

/// Converts a path to a URI. Paths in the working folder become relative, so that code hosts find the file.
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
    let text = path.to_str().map(portable);
    let bytes = text.as_deref().map_or(path.as_os_str().as_encoded_bytes(), str::as_bytes);
    let uri = percent_encode(bytes, PATH).to_string();
    if path.is_absolute() { json!({"uri": absolute_uri(&uri)}) } else { json!({"uri": uri, "uriBaseId": "%SRCROOT%"}) }
}

/// Returns the URI of an absolute path whose characters are escaped already. On Windows, such paths begin with a drive,
/// as in `C%3A/models/a.glb`, or with a server, as in `//server/share/a.glb`.
///
/// *Source*: RFC 8089, sections 2 and E.3.
fn absolute_uri(path: &str) -> String {
    if !cfg!(windows) {
        return format!("file:///{}", path.trim_start_matches('/'));
    }
    if path.starts_with("//") { format!("file:{path}") } else { format!("file:///{}", path.replacen("%3A", ":", 1)) }
}

/// Returns a 64-bit FNV-1a hash of `names` that identifies a result across versions of the file.
fn fingerprint(names: &[&str]) -> String {
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_uris_of_files() {
        let (path, uri) = if cfg!(windows) {
            ("C%3A/a%20b.glb", "file:///C:/a%20b.glb")
        } else {
            ("/a%3Ab.glb", "file:///a%3Ab.glb")
        };
        assert_eq!(absolute_uri(path), uri);
        let share = if cfg!(windows) { "file://server/share/a.glb" } else { "file:///server/share/a.glb" };
        assert_eq!(absolute_uri("//server/share/a.glb"), share);
    }
}
