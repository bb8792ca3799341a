//! SARIF 2.1.0, the format in which code hosts and editors accept findings.
//!
//! *Source*: OASIS Standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Value, json};

use super::super::report::FileReport;
use crate::analysis::lint::report::TargetJson;
use crate::analysis::lint::rules::{Profile, Rule};
use crate::analysis::lint::{Code, Finding, Severity, Spot};
use crate::stage::Source;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Id of the rule for files that cannot be read.
const UNREADABLE: &str = "unreadable";
/// Most spots of a finding that are listed.
const MOST_SPOTS: usize = 100;

/// Text before the list of results.
pub(super) fn beginning(profiles: &[&Profile]) -> String {
    let unreadable = json!({
        "id": UNREADABLE, "name": "Unreadable", "shortDescription": {"text": "File cannot be read"},
        "help": {"text": "See the reason; export the file again."}, "defaultConfiguration": {"level": "error"},
    });
    let rules: Vec<Value> = Code::ALL.iter().map(|code| rule(*code)).chain([unreadable]).collect();
    let of_profiles = profiles.iter().flat_map(|profile| profile.rules.iter().map(|rule| profile_rule(profile, rule)));
    let rules: Vec<Value> = rules.into_iter().chain(of_profiles).collect();
    let driver = json!({"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION"), "rules": rules});
    let (schema, tool) = (json!(SCHEMA), json!({"driver": driver}));
    format!(r#"{{"$schema":{schema},"version":"2.1.0","runs":[{{"tool":{tool},"results":["#)
}

/// Text after the list of results.
pub(super) fn end(is_all_read: bool) -> String {
    format!(r#"],"invocations":[{{"executionSuccessful":{is_all_read}}}]}}]}}"#)
}

/// Ids of the rules in the order of [`beginning`].
pub(super) fn rule_ids(profiles: &[&Profile]) -> Vec<String> {
    let codes = Code::ALL.iter().map(|code| code.id()).chain([UNREADABLE.to_owned()]);
    codes.chain(profiles.iter().flat_map(|p| p.rules.iter().map(|r| format!("{}/{}", p.name, r.name)))).collect()
}

fn profile_rule(profile: &Profile, rule: &Rule) -> Value {
    json!({
        "id": format!("{}/{}", profile.name, rule.name), "name": rule.name,
        "shortDescription": {"text": format!("{}: {}", profile.title, rule.name)},
        "fullDescription": {"text": rule.measure.about()}, "help": {"text": rule.advice()},
        "helpUri": profile.sources.first(), "defaultConfiguration": {"level": rule.severity.name()},
    })
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.id(), "name": format!("{code:?}"), "shortDescription": {"text": code.title()},
        "fullDescription": {"text": code.why()}, "help": {"text": code.plain_text(), "markdown": code.markdown()},
        "defaultConfiguration": {"level": code.severity().name()},
    })
}

/// A result for each finding of a file, or one that says why it cannot be read.
pub(super) fn results(report: &FileReport, rule_ids: &[String]) -> Vec<Value> {
    match &report.result {
        Err(reason) => vec![result(
            &report.name,
            (UNREADABLE, rule_ids.iter().position(|id| id == UNREADABLE)),
            Severity::Error,
            reason,
            &[],
        )],
        Ok(findings) => {
            let shown = report.shown().iter().map(|finding| (finding, None));
            let suppressed = report.suppressed().iter().map(|s| (&s.finding, Some(s.reason.as_str())));
            let all = shown.chain(suppressed).zip(&findings.spots);
            all.map(|((finding, reason), spots)| {
                let mut result = finding_result(&report.name, rule_ids, finding, spots);
                result["suppressions"] =
                    reason.map(|reason| json!({"kind": "inSource", "justification": reason})).into_iter().collect();
                result
            })
            .collect()
        }
    }
}

fn finding_result(file: &str, rule_ids: &[String], finding: &Finding, spots: &[Spot]) -> Value {
    let number = rule_ids.iter().position(|known| *known == finding.id());
    let mut result = result(file, (&finding.id(), number), finding.severity, &finding.message, spots);
    result["properties"] = json!({"target": TargetJson::new(&finding.target)});
    result
}

fn result(
    file: &str,
    (rule, index): (&str, Option<usize>),
    severity: Severity,
    message: &str,
    spots: &[Spot],
) -> Value {
    let names: Vec<&str> = spots.iter().map(|spot| spot.name.as_str()).collect();
    let logical: Vec<Value> = names.iter().take(MOST_SPOTS).map(|name| json!({"fullyQualifiedName": name})).collect();
    // A model has no lines, but code hosts want one.
    let physical = json!({"artifactLocation": artifact(file), "region": {"startLine": 1}});
    let mut result = json!({
        "ruleId": rule, "level": severity.name(), "message": {"text": message},
        "locations": [{"physicalLocation": physical, "logicalLocations": logical}],
        // All results of a run have this list, or none has.
        "suppressions": [],
        "partialFingerprints": {"spots/v1": fingerprint(&[&[rule], names.as_slice()].concat())},
    });
    // Rules of a project's own, which only its files name, are not in the list of rules.
    if let Some(index) = index {
        result["ruleIndex"] = json!(index);
    }
    result
}

/// A path as a URI, relative to the working folder where it lies below that, so that a code host finds the file in its repository.
fn artifact(file: &str) -> Value {
    /// Characters of a path that are not escaped.
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

/// SARIF fingerprint of a finding: a 64-bit FNV-1a hash of its names alone, so that it stays the same while the rest of the file changes.
fn fingerprint(names: &[&str]) -> String {
    let bytes = names.iter().flat_map(|name| name.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
