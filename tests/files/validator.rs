//! Lint compared with the Khronos validator, on the validator's own test data.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rigscope::analysis::lint::Severity;
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::project::findings;
use rigscope::stage::{Document, Source};
use serde::Deserialize;

#[derive(Deserialize)]
struct Report {
    issues: Issues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Issues {
    num_errors: usize,
    messages: Vec<Message>,
}

#[derive(Deserialize)]
struct Message {
    code: String,
    severity: u32,
}

/// Our verdict on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Opens without errors.
    Opens,
    /// Opens with errors.
    Errors,
    /// Contains nothing that a viewer could show. Most of the validator's files are mere fragments.
    NothingToShow,
    /// Can't be opened.
    Refused,
}

struct Row {
    name: String,
    verdict: Verdict,
    /// IDs of our finding codes.
    ours: BTreeSet<String>,
    /// IDs of our finding codes with severity error.
    our_errors: BTreeSet<String>,
    /// Number of errors in the validator's report.
    errors: usize,
    /// The validator's codes with severity error.
    theirs: BTreeSet<String>,
}

fn row(folder: &Path, file: &Path) -> Option<Row> {
    let report = std::fs::read(format!("{}.report.json", file.display())).ok()?;
    let issues = serde_json::from_slice::<Report>(&report).ok()?.issues;
    let theirs = issues.messages.into_iter().filter(|m| m.severity == 0).map(|m| m.code).collect();
    let (mut ours, mut our_errors) = (BTreeSet::new(), BTreeSet::new());
    let verdict = match Document::open(&Source::File(file.to_owned()), &Job::default()) {
        Err(problem) if problem.to_string().starts_with("Nothing can be shown") => Verdict::NothingToShow,
        Err(_) => Verdict::Refused,
        Ok(document) => {
            let found = findings(&document.rig, &document.warnings, &Progress::default()).expect("not cancelled");
            ours.extend(found.iter().map(|f| f.code.id()));
            our_errors.extend(found.iter().filter(|f| f.severity == Severity::Error).map(|f| f.code.id()));
            if our_errors.is_empty() { Verdict::Opens } else { Verdict::Errors }
        }
    };
    let name = file.strip_prefix(folder).unwrap_or(file).display().to_string().replace('\\', "/");
    Some(Row { name, verdict, ours, our_errors, errors: issues.num_errors, theirs })
}

/// Validator codes for faults that must prevent a file from opening.
const REFUSED: [&str; 12] = [
    "INVALID_JSON",
    "GLB_CHUNK_TOO_BIG",
    "GLB_INVALID_MAGIC",
    "GLB_INVALID_VERSION",
    "GLB_LENGTH_MISMATCH",
    "GLB_LENGTH_TOO_SMALL",
    "GLB_UNEXPECTED_END_OF_CHUNK_DATA",
    "GLB_UNEXPECTED_END_OF_CHUNK_HEADER",
    "GLB_UNEXPECTED_END_OF_HEADER",
    "GLB_UNEXPECTED_FIRST_CHUNK",
    "NODE_LOOP",
    "NODE_PARENT_OVERRIDE",
];

/// Validator codes, and our codes for the same faults.
const SAME: [(&str, &str); 19] = [
    ("ROTATION_NON_UNIT", "RIG042"),
    ("NODE_SKIN_NO_SCENE", "RIG023"),
    ("SKIN_NO_COMMON_ROOT", "RIG024"),
    ("INVALID_IBM_ACCESSOR_COUNT", "RIG030"),
    ("SKIN_IBM_INVALID_FORMAT", "RIG032"),
    ("ACCESSOR_INVALID_IBM", "RIG034"),
    ("NODE_SKIN_WITH_NON_SKINNED_MESH", "RIG019"),
    ("NODE_WEIGHTS_INVALID", "RIG056"),
    ("ACCESSOR_ANIMATION_INPUT_NON_INCREASING", "RIG065"),
    ("ACCESSOR_ANIMATION_INPUT_NEGATIVE", "RIG162"),
    ("ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION", "RIG064"),
    ("ACCESSOR_JOINTS_INDEX_OOB", "RIG013"),
    ("ANIMATION_CHANNEL_TARGET_NODE_MATRIX", "RIG068"),
    ("ANIMATION_DUPLICATE_TARGETS", "RIG066"),
    ("NODE_MATRIX_NON_TRS", "RIG047"),
    ("NODE_MATRIX_TRS", "RIG046"),
    ("SCENE_NON_ROOT_NODE", "RIG102"),
    ("SKIN_SKELETON_INVALID", "RIG120"),
    ("ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS", "RIG101"),
];

/// Features in which the validator reports errors and we don't: lights, and animation of extension properties.
const NOT_OF_RIGS: [&str; 2] = ["KHR_lights_punctual", "KHR_animation_pointer"];

/// Valid files that we can't open anyway: one requires a future version, and one has a float where `serde_json` expects
/// an integer.
const REFUSED_THOUGH_VALID: [&str; 2] =
    ["base/data/asset/min_version_valid.gltf", "base/data/json/integer_written_as_float.gltf"];

/// Accessors without data contain zeros: no weights, singular matrices, equal key times. The validator doesn't check
/// them.
const ZEROS: [&str; 4] = ["RIG011", "RIG033", "RIG034", "RIG065"];

#[test]
#[expect(clippy::print_stdout, reason = "the table is worth reading")]
fn we_agree_with_the_validator_where_it_matters() {
    let Some(samples) = common::samples() else { return };
    let folder = samples.join("bad-gltf-validator");
    let files = common::files_below(&folder, &["gltf", "glb"]);
    let rows: Vec<Row> = files.iter().filter_map(|file| row(&folder, file)).collect();
    let mut table: BTreeMap<(Verdict, bool), usize> = BTreeMap::new();
    for row in &rows {
        *table.entry((row.verdict, row.errors > 0)).or_default() += 1;
        if row.verdict != Verdict::NothingToShow {
            println!("{:95} {:13?} {:?} report: {:?}", row.name, row.verdict, row.ours, row.theirs);
        }
    }
    println!("\n{:15} {:>14} {:>10}", "we say", "report: errors", "no errors");
    for verdict in [Verdict::Refused, Verdict::Errors, Verdict::Opens, Verdict::NothingToShow] {
        let count = |has_errors| table.get(&(verdict, has_errors)).copied().unwrap_or(0);
        println!("{:15} {:>14} {:>10}", format!("{verdict:?}"), count(true), count(false));
    }
    assert_eq!(rows.len(), 372);
    rows.iter().for_each(assert_agreement);
}

fn assert_agreement(row: &Row) {
    let Row { name, verdict, ours, our_errors, errors, theirs } = row;
    if *errors == 0 {
        let is_known = REFUSED_THOUGH_VALID.contains(&name.as_str());
        assert_eq!(*verdict == Verdict::Refused, is_known, "{name} is valid");
        assert!(our_errors.iter().all(|c| ZEROS.contains(&c.as_str())), "{name} is valid, we say {our_errors:?}");
    }
    if theirs.iter().any(|c| REFUSED.contains(&c.as_str())) {
        // We accept a byte order mark, because it does no harm.
        let is_refused = *verdict == Verdict::Refused || name.ends_with("json/bom.gltf");
        assert!(is_refused, "{name} has {theirs:?}, we say {verdict:?}");
    }
    if *errors > 0 && !NOT_OF_RIGS.iter().any(|extension| name.contains(extension)) {
        assert_ne!(*verdict, Verdict::Opens, "{name} has {theirs:?}, we say {ours:?}");
    }
    for (_, our) in SAME.iter().filter(|(their, _)| theirs.contains(*their)) {
        let says_nothing = matches!(*verdict, Verdict::NothingToShow | Verdict::Refused);
        assert!(says_nothing || ours.contains(*our), "{name} has {theirs:?}, we say {ours:?}");
    }
}
