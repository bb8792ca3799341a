use serde_json::{Value, json};

use super::super::super::sarif::{self, result};
use super::super::report::FileReport;
use crate::analysis::lint::report::TargetJson;
use crate::analysis::lint::rules::{Profile, Rule};
use crate::analysis::lint::{Code, Finding, FindingLocation, Severity};

/// ID of the SARIF rule for files that cannot be read.
const UNREADABLE: &str = "unreadable";

/// Returns the SARIF text before the list of results.
pub(super) fn beginning(profiles: &[&Profile]) -> String {
    let unreadable = json!({
        "id": UNREADABLE, "name": "Unreadable", "shortDescription": {"text": "File cannot be read"},
        "help": {"text": "See the reason; export the file again."}, "defaultConfiguration": {"level": "error"},
    });
    let rules: Vec<Value> = Code::ALL.iter().map(|code| rule(*code)).chain([unreadable]).collect();
    let of_profiles = profiles.iter().flat_map(|profile| profile.rules.iter().map(|rule| profile_rule(profile, rule)));
    let rules: Vec<Value> = rules.into_iter().chain(of_profiles).collect();
    sarif::beginning(&rules)
}

/// Returns the rule IDs in the order used by [`beginning`].
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

/// Returns one result per finding, or a single result that explains why the file can't be read.
pub(super) fn results(report: &FileReport, rule_ids: &[String]) -> Vec<Value> {
    if let Some(reason) = &report.problem {
        let number = rule_ids.iter().position(|id| id == UNREADABLE);
        return vec![result(&report.name, (UNREADABLE, number), Severity::Error.name(), reason, &[])];
    }
    let shown = report.judged.shown.iter().map(|finding| (finding, None));
    let suppressed = report.judged.suppressed.iter().map(|s| (&s.finding, Some(s.reason.as_str())));
    let results = shown.chain(suppressed).zip(&report.finding_locations).map(|((finding, reason), spots)| {
        let mut result = finding_result(&report.name, rule_ids, finding, spots);
        result["suppressions"] =
            reason.map(|reason| json!({"kind": "inSource", "justification": reason})).into_iter().collect();
        result
    });
    results.collect()
}

fn finding_result(file: &str, rule_ids: &[String], finding: &Finding, spots: &[FindingLocation]) -> Value {
    let number = rule_ids.iter().position(|known| *known == finding.id());
    let names: Vec<&str> = spots.iter().map(|spot| spot.name.as_str()).collect();
    let mut result = result(file, (&finding.id(), number), finding.severity.name(), &finding.message, &names);
    result["properties"] = json!({"target": TargetJson::new(&finding.target)});
    result
}
