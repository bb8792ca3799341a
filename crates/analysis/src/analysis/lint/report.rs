//! Findings as text and JSON, for the command line and the panel.

use serde::Deserialize;

use super::baseline::UnusedEntry;
use super::rules::{ProfileReport, RuleOutcome};
use super::{Code, Explanation, Finding, NodeList, Severity, SuppressedFinding, Target};
use rigscope_core::rows::rows;

/// Version of the JSON format. It increases when a key is removed or changes meaning.
pub const JSON_VERSION: u32 = 1;

/// Maximum number of vertices or nodes listed per finding; the finding's count includes all.
pub const MAX_LISTED: usize = 100;

rows! {
    /// Number of findings by severity.
    #[derive(Copy, Default, Eq, Deserialize)]
    pub struct SeverityCounts {
        /// Number of errors.
        pub error: usize,
        /// Number of warnings.
        pub warning: usize,
        /// Number of notes.
        pub note: usize,
    }
}

impl SeverityCounts {
    /// Counts findings by severity.
    pub fn new<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Self {
        let mut counts = Self::default();
        for finding in findings {
            *match finding.severity {
                Severity::Error => &mut counts.error,
                Severity::Warning => &mut counts.warning,
                Severity::Note => &mut counts.note,
            } += 1;
        }
        counts
    }
}

rows! {
    /// Findings in a file, or the reason why it cannot be read.
    pub struct FindingsJson<'a> {
        /// Version of the JSON, 1.
        pub version: u32,
        /// Path of the file.
        pub file: &'a str,
        /// Result for the file: ok, errors or unreadable.
        pub status: &'static str,
        /// Reason why the file is unreadable.
        pub reason: Option<&'a str>,
        /// Number of findings by severity.
        pub counts: SeverityCounts,
        /// Number of findings hidden by options and settings.
        pub hidden: usize,
        /// Number of findings accepted by the baseline.
        pub accepted: usize,
        /// Unused entries of the baseline: they accept more than was found.
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        pub unused: &'a [UnusedEntry],
        /// Results of the requested profiles.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub profiles: Vec<ProfileReportJson<'a>>,
        /// All shown findings.
        pub findings: Vec<FindingJson<'a>>,
        /// Findings suppressed by the file itself.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub suppressed: Vec<SuppressedJson<'a>>,
    }

    /// Result of a profile for a rig.
    pub struct ProfileReportJson<'a> {
        /// Name of the profile.
        pub profile: &'a str,
        /// Rank of the rig, or undecided.
        pub rank: &'a str,
        /// Ranks of the profile, best first.
        pub ranks: &'a [String],
        /// True if the rig passes the profile.
        pub passed: bool,
        /// Explanation of the rank.
        pub reason: String,
        /// One entry per rule.
        pub rows: Vec<RuleRowJson<'a>>,
    }

    /// Rule of a profile, and the rig's value.
    pub struct RuleRowJson<'a> {
        /// Name of the rule.
        pub rule: &'a str,
        /// Measured quantity.
        pub measure: &'static str,
        /// Severity of a violation.
        pub severity: Severity,
        /// Rank of the value.
        pub rank: Option<&'a str>,
        /// Measured value.
        pub value: Option<f64>,
        /// Maximum for each rank.
        pub max: &'a [f64],
        /// Minimum for each rank.
        pub min: &'a [f64],
        /// Details of the measurement, such as names.
        pub detail: &'a str,
        /// Reason why the rule could not be checked.
        pub unknown: Option<&'a str>,
        /// Advice on a violation.
        pub advice: &'a str,
    }

    /// Finding: a problem in a rig, why it matters, and what to do.
    pub struct FindingJson<'a> {
        /// Code, such as RIG010, or name of a rule.
        pub code: String,
        /// Severity of the finding.
        pub severity: Severity,
        /// Description of the problem.
        pub message: &'a str,
        /// Why it matters.
        pub why: &'a str,
        /// What to do.
        pub advice: &'a str,
        /// Location of the problem.
        pub target: TargetJson<'a>,
    }

    /// Finding that the file suppresses.
    pub struct SuppressedJson<'a> {
        /// Suppressed finding.
        #[serde(flatten)]
        pub finding: FindingJson<'a>,
        /// Reason given by the file.
        pub reason: &'a str,
    }

    /// Location of a finding: its kind and indices in the file. Lists have at most 100 nodes or vertices.
    #[derive(Default)]
    pub struct TargetJson<'a> {
        /// Kind of location: file, nodes, skin, primitive, clip or material.
        pub kind: &'static str,
        /// Index of the skin.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub skin: Option<usize>,
        /// Index of the primitive's mesh.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mesh: Option<usize>,
        /// Index of the primitive in the mesh.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub primitive: Option<usize>,
        /// Node of the joint that moves the vertices.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub joint: Option<Option<usize>>,
        /// Index of the clip.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub clip: Option<usize>,
        /// Indices of the nodes.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub nodes: Option<&'a [usize]>,
        /// Indices of the vertices in the primitive.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub vertices: Option<&'a [u32]>,
        /// Number of all nodes or vertices.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub count: Option<usize>,
        /// Index of the material.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub material: Option<usize>,
    }

    /// Code of findings, or a rule.
    pub struct CodeJson<'a> {
        /// Version of the JSON, 1.
        pub version: u32,
        /// Code, or name of the rule.
        pub code: &'a str,
        /// Severity of its findings, unless rigscope.toml changes it.
        pub severity: Severity,
        /// Title of the code or rule.
        pub title: &'a str,
        /// Explanation of the code.
        #[serde(flatten)]
        pub texts: Option<Explanation>,
    }
}

impl<'a> ProfileReportJson<'a> {
    /// Converts a profile report to JSON.
    pub fn new(sheet: &'a ProfileReport) -> Self {
        let rows = sheet.rows.iter().map(|row| RuleRowJson {
            rule: &row.rule.name,
            measure: row.rule.measure.key(),
            severity: row.rule.severity,
            rank: row.rank().and_then(|rank| sheet.ranks.get(rank)).map(String::as_str),
            value: row.reading.as_ref().map(|reading| reading.value),
            max: &row.rule.limits.max,
            min: &row.rule.limits.min,
            detail: row.reading.as_ref().map_or("", |reading| &reading.detail),
            unknown: match &row.outcome {
                RuleOutcome::Unknown(why) => Some(why),
                RuleOutcome::Rank(_) => None,
            },
            advice: row.rule.advice(),
        });
        let rows = rows.collect();
        let (passed, reason) = (sheet.passes(), sheet.reason());
        Self { profile: &sheet.profile, rank: sheet.rank_name(), ranks: &sheet.ranks, passed, reason, rows }
    }
}

/// Formats the results of one file as a line of JSON. `result` holds the findings, or explains why the file is
/// unreadable.
pub fn file_json(
    file: &str,
    result: Result<&[&Finding], &str>,
    [hidden, accepted]: [usize; 2],
    unused: &[UnusedEntry],
    suppressed: &[SuppressedFinding],
    sheets: &[ProfileReport],
) -> String {
    let findings = result.unwrap_or_default();
    let counts = SeverityCounts::new(findings.iter().copied());
    let status = match result {
        Err(_) => "unreadable",
        Ok(_) if counts.error > 0 => "errors",
        Ok(_) => "ok",
    };
    let findings = findings.iter().map(|f| FindingJson::new(f)).collect();
    let (version, reason) = (JSON_VERSION, result.err());
    let profiles = sheets.iter().map(ProfileReportJson::new).collect();
    let suppressed = suppressed
        .iter()
        .map(|s| SuppressedJson { finding: FindingJson::new(&s.finding), reason: &s.reason })
        .collect();
    let line = FindingsJson {
        version,
        file,
        status,
        reason,
        counts,
        hidden,
        accepted,
        unused,
        profiles,
        findings,
        suppressed,
    };
    // Text, numbers and lists always serialize.
    serde_json::to_string(&line).unwrap_or_default()
}

/// Formats a code or rule as a line of JSON: `code`, `severity` and `title`.
pub fn listed_json(code: &str, severity: Severity, title: &str) -> String {
    let line = CodeJson { version: JSON_VERSION, code, severity, title, texts: None };
    serde_json::to_string(&line).unwrap_or_default()
}

/// Formats a code as a line of JSON: the keys of [`listed_json`] and its explanation.
pub fn explained_json(code: Code) -> String {
    let (id, severity, texts) = (code.id(), code.severity(), Some(code.explanation()));
    let line = CodeJson { version: JSON_VERSION, code: &id, severity, title: code.title(), texts };
    serde_json::to_string(&line).unwrap_or_default()
}

impl<'a> FindingJson<'a> {
    fn new(finding: &'a Finding) -> Self {
        Self {
            code: finding.id(),
            severity: finding.severity,
            message: &finding.message,
            why: finding.why(),
            advice: finding.advice(),
            target: TargetJson::new(&finding.target),
        }
    }
}

impl<'a> TargetJson<'a> {
    /// Converts the location of a finding to JSON.
    pub fn new(target: &'a Target) -> Self {
        let own = Self { kind: target.kind(), ..Self::default() };
        let of_nodes = |nodes: &'a NodeList| Self {
            nodes: Some(listed(nodes.first())),
            count: Some(nodes.count()),
            ..own.clone()
        };
        match target {
            Target::File => own,
            Target::Nodes(nodes) => of_nodes(nodes),
            Target::Skin(skin) => Self { skin: Some(*skin), ..own },
            Target::Primitive { mesh, primitive, vertices, joint } => Self {
                mesh: Some(*mesh),
                primitive: Some(*primitive),
                joint: Some(*joint),
                vertices: Some(listed(vertices.first())),
                count: Some(vertices.count()),
                ..own
            },
            Target::Clip { clip, nodes } => Self { clip: Some(*clip), ..of_nodes(nodes) },
            Target::Material(material) => Self { material: Some(*material), ..own },
        }
    }
}

fn listed<T>(list: &[T]) -> &[T] {
    &list[..list.len().min(MAX_LISTED)]
}

/// Formats a finding as two lines: severity, code and message, then advice.
pub fn text(finding: &Finding) -> String {
    let (code, severity) = (finding.id(), finding.severity);
    format!("{severity:<8}{code}  {}\n{:16}{}", finding.message, "", finding.advice())
}

#[cfg(test)]
mod tests {
    use super::super::Code;
    use super::*;
    use rigscope_core::rig::VertexList;

    fn json(target: Target) -> String {
        let finding = Finding::new(Code::WeightZero, "Here.".to_owned(), target);
        let text = serde_json::to_string(&FindingJson::new(&finding)).unwrap();
        let start = text.find("\"target\":").unwrap();
        text[start + 9..text.len() - 1].to_owned()
    }

    #[test]
    fn every_target_has_its_kind_and_numbers() {
        let vertices: VertexList = (7..307).collect();
        let target = Target::Primitive { mesh: 1, primitive: 2, vertices, joint: Some(9) };
        let text = json(target);
        assert!(text.starts_with(r#"{"kind":"primitive","mesh":1,"primitive":2,"joint":9,"vertices":[7,8,"#), "{text}");
        assert!(text.ends_with(r#",106],"count":300}"#), "{text}");
        assert_eq!(json(Target::File), r#"{"kind":"file"}"#);
        assert_eq!(json(Target::Skin(3)), r#"{"kind":"skin","skin":3}"#);
        assert_eq!(json(Target::Material(4)), r#"{"kind":"material","material":4}"#);
        assert_eq!(json(Target::for_nodes([5, 6])), r#"{"kind":"nodes","nodes":[5,6],"count":2}"#);
        let clip = Target::clip(0);
        assert_eq!(json(clip), r#"{"kind":"clip","clip":0,"nodes":[],"count":0}"#);
    }

    #[test]
    fn text_has_severity_code_message_and_advice() {
        let finding = Finding::new(Code::ZeroArea, "Here.".to_owned(), Target::File);
        let expected = format!("note    RIG050  Here.\n                {}", Code::ZeroArea.advice());
        assert_eq!(text(&finding), expected);
    }
}
