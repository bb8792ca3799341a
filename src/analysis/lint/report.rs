//! Findings as text and as JSON, the same on the command line and in the panel.

use serde::{Deserialize, Serialize};

use super::baseline::Stale;
use super::rules::{Outcome, Sheet};
use super::{Code, Explanation, Finding, Severity, Suppressed, Target};

/// Version of the JSON, raised when a key changes its meaning or is removed.
pub const JSON_VERSION: u32 = 1;

/// Most vertices and nodes of a finding that are listed in JSON; the count beside them is of all.
pub const MAX_LISTED: usize = 100;

/// Number of findings of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeverityCounts {
    /// Number of errors.
    pub error: usize,
    /// Number of warnings.
    pub warning: usize,
    /// Number of notes.
    pub note: usize,
}

impl SeverityCounts {
    /// Counts findings by severity.
    pub fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Self {
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

#[derive(Serialize)]
struct FindingsJson<'a> {
    version: u32,
    file: &'a str,
    status: &'static str,
    reason: Option<&'a str>,
    counts: SeverityCounts,
    hidden: usize,
    forgiven: usize,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stale: &'a [Stale],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    profiles: Vec<SheetJson<'a>>,
    findings: Vec<FindingJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressed: Vec<SuppressedJson<'a>>,
}

/// A profile's sheet of a file as JSON.
#[derive(Serialize)]
pub struct SheetJson<'a> {
    profile: &'a str,
    rank: &'a str,
    ranks: &'a [String],
    passed: bool,
    reason: String,
    rows: Vec<RowJson<'a>>,
}

/// A rule of a sheet as JSON, with the file's value.
#[derive(Serialize)]
struct RowJson<'a> {
    rule: &'a str,
    measure: &'static str,
    severity: &'static str,
    rank: Option<&'a str>,
    value: Option<f64>,
    most: &'a [f64],
    least: &'a [f64],
    detail: &'a str,
    unknown: Option<&'a str>,
    advice: &'a str,
}

impl<'a> SheetJson<'a> {
    /// Converts a sheet to JSON.
    pub fn new(sheet: &'a Sheet) -> Self {
        let rows = sheet.rows.iter().map(|row| RowJson {
            rule: &row.rule.name,
            measure: row.rule.measure.key(),
            severity: row.rule.severity.name(),
            rank: row.rank().and_then(|rank| sheet.ranks.get(rank)).map(String::as_str),
            value: row.reading.as_ref().map(|reading| reading.value),
            most: &row.rule.limits.most,
            least: &row.rule.limits.least,
            detail: row.reading.as_ref().map_or("", |reading| &reading.detail),
            unknown: match &row.outcome {
                Outcome::Unknown(why) => Some(why),
                Outcome::Rank(_) => None,
            },
            advice: row.rule.advice(),
        });
        let rows = rows.collect();
        let (passed, reason) = (sheet.passes(), sheet.reason());
        Self { profile: &sheet.profile, rank: sheet.rank_name(), ranks: &sheet.ranks, passed, reason, rows }
    }
}

/// One file as one line of JSON: its findings, or why it cannot be read, with the numbers hidden by the user and forgiven by a baseline, the baseline's entries that
/// forgive more than was found, what the file itself suppresses, and its profile sheets.
pub fn file_json(
    file: &str,
    result: Result<&[&Finding], &str>,
    [hidden, forgiven]: [usize; 2],
    stale: &[Stale],
    suppressed: &[Suppressed],
    sheets: &[Sheet],
) -> String {
    let findings = result.unwrap_or_default();
    let counts = SeverityCounts::of(findings.iter().copied());
    let status = match result {
        Err(_) => "unreadable",
        Ok(_) if counts.error > 0 => "errors",
        Ok(_) => "ok",
    };
    let findings = findings.iter().map(|f| FindingJson::new(f)).collect();
    let (version, reason) = (JSON_VERSION, result.err());
    let profiles = sheets.iter().map(SheetJson::new).collect();
    let suppressed = suppressed
        .iter()
        .map(|s| SuppressedJson { finding: FindingJson::new(&s.finding), reason: &s.reason })
        .collect();
    let line =
        FindingsJson { version, file, status, reason, counts, hidden, forgiven, stale, profiles, findings, suppressed };
    // Only text, numbers and lists, which always serialize.
    serde_json::to_string(&line).unwrap_or_default()
}

/// A code as JSON, for lists of codes and for explanations.
#[derive(Serialize)]
struct CodeJson<'a> {
    version: u32,
    code: &'a str,
    severity: &'static str,
    title: &'a str,
    #[serde(flatten)]
    texts: Option<TextsJson>,
}

#[derive(Serialize)]
struct TextsJson {
    meaning: &'static str,
    why: &'static str,
    advice: &'static str,
    blender: &'static str,
    maya: &'static str,
    rigscope: Option<&'static str>,
}

/// A code, or a rule by its name, as one line of JSON: `code`, `severity` and `title`.
pub fn listed_json(code: &str, severity: Severity, title: &str) -> String {
    let line = CodeJson { version: JSON_VERSION, code, severity: severity.name(), title, texts: None };
    serde_json::to_string(&line).unwrap_or_default()
}

/// A code as one line of JSON with what [`listed_json`] has, and all texts of its explanation.
pub fn explained_json(code: Code) -> String {
    let Explanation { meaning, blender, maya, rigscope } = code.explanation();
    let texts = Some(TextsJson { meaning, why: code.why(), advice: code.advice(), blender, maya, rigscope });
    let (id, severity) = (code.id(), code.severity().name());
    let line = CodeJson { version: JSON_VERSION, code: &id, severity, title: code.title(), texts };
    serde_json::to_string(&line).unwrap_or_default()
}

/// A finding as JSON: `code`, `severity`, `message`, `why`, `advice` and `target` with its `kind`.
#[derive(Serialize)]
struct FindingJson<'a> {
    code: String,
    severity: &'static str,
    message: &'a str,
    why: &'a str,
    advice: &'a str,
    target: TargetJson<'a>,
}

/// A finding that the file suppresses, as JSON with the `reason`.
#[derive(Serialize)]
struct SuppressedJson<'a> {
    #[serde(flatten)]
    finding: FindingJson<'a>,
    reason: &'a str,
}

/// A place as JSON: its `kind` and the file's numbers.
#[derive(Serialize)]
pub struct TargetJson<'a> {
    kind: &'static str,
    #[serde(flatten)]
    place: PlaceJson<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum PlaceJson<'a> {
    File {},
    Nodes { nodes: &'a [usize], count: usize },
    Skin { skin: usize },
    Primitive { mesh: usize, primitive: usize, joint: Option<usize>, vertices: &'a [u32], count: usize },
    Clip { clip: usize, nodes: &'a [usize], count: usize },
    Material { material: usize },
}

impl<'a> FindingJson<'a> {
    fn new(finding: &'a Finding) -> Self {
        Self {
            code: finding.id(),
            severity: finding.severity.name(),
            message: &finding.message,
            why: finding.why(),
            advice: finding.advice(),
            target: TargetJson::new(&finding.target),
        }
    }
}

impl<'a> TargetJson<'a> {
    /// Converts the place of a finding to JSON.
    pub fn new(target: &'a Target) -> Self {
        Self { kind: target.kind(), place: place(target) }
    }
}

fn place(target: &Target) -> PlaceJson<'_> {
    match target {
        Target::File => PlaceJson::File {},
        Target::Nodes(nodes) => PlaceJson::Nodes { nodes: listed(nodes.first()), count: nodes.count() },
        &Target::Skin(skin) => PlaceJson::Skin { skin },
        Target::Primitive { mesh, primitive, vertices, joint } => PlaceJson::Primitive {
            mesh: *mesh,
            primitive: *primitive,
            joint: *joint,
            vertices: listed(vertices.first()),
            count: vertices.count(),
        },
        Target::Clip { clip, nodes } => {
            PlaceJson::Clip { clip: *clip, nodes: listed(nodes.first()), count: nodes.count() }
        }
        &Target::Material(material) => PlaceJson::Material { material },
    }
}

fn listed<T>(list: &[T]) -> &[T] {
    &list[..list.len().min(MAX_LISTED)]
}

/// A finding in two lines: severity, code and message; then the advice.
pub fn text(finding: &Finding) -> String {
    let (code, severity) = (finding.id(), finding.severity);
    format!("{severity:<8}{code}  {}\n{:16}{}", finding.message, "", finding.advice())
}

#[cfg(test)]
mod tests {
    use super::super::{Code, NodeList};
    use super::*;
    use crate::rig::VertexList;

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
        assert_eq!(json(Target::of_nodes([5, 6])), r#"{"kind":"nodes","nodes":[5,6],"count":2}"#);
        let clip = Target::Clip { clip: 0, nodes: NodeList::default() };
        assert_eq!(json(clip), r#"{"kind":"clip","clip":0,"nodes":[],"count":0}"#);
    }

    #[test]
    fn text_has_severity_code_message_and_advice() {
        let finding = Finding::new(Code::ZeroArea, "Here.".to_owned(), Target::File);
        let expected = format!("note    RIG050  Here.\n                {}", Code::ZeroArea.advice());
        assert_eq!(text(&finding), expected);
    }
}
