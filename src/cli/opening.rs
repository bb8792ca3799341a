//! Opens a character, with messages for a terminal and for `--verbose`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::Console;
use super::files::source as source_parser;
use super::output::{self, refuse_to_replace};
use crate::analysis::lint::{Code, Severity};
use crate::import::{ImportWarning, Job, SceneChoice, WarningScope};
use crate::stage::{ClipsFrom, Document, FoundClips, RefusedClips, Source, TransferErrors};

/// Other files whose clips a character takes.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct ClipsOf {
    /// Take the clips of another file too, matching joints by name or humanoid bone (repeatable)
    #[arg(long = "clips-of", value_name = "FILE", value_parser = source_parser())]
    pub(super) clips_from: Vec<Source>,

    /// Take clips of --clips-of even where fewer than half of their joints match
    #[arg(long, requires = "clips_from")]
    pub(super) partial: bool,

    /// Write how far the bones, soles and hands of the clips of --clips-of are from their source, as a table or, in a file named *.json, as JSON
    #[arg(long, value_name = "FILE.{txt,json}", requires = "clips_from")]
    pub(super) clip_errors: Option<PathBuf>,
}

/// Errors of the clips of one file, as JSON.
#[derive(Serialize)]
struct ErrorsOfFile<'a> {
    file: String,
    /// Number of nodes moved by the clips that the character has.
    matched: usize,
    /// Names of the moved nodes that the character lacks.
    unmatched: &'a [String],
    #[serde(flatten)]
    errors: &'a TransferErrors,
}

/// Opens a character at rest, in its default scene or another, and adds the clips of other files. Joints that those move and the character lacks are reported.
///
/// *Errors*: in words for the user, with the path.
pub(super) fn open_document(
    (source, scene): (&Source, Option<SceneChoice>),
    ClipsOf { clips_from, partial, clip_errors }: &ClipsOf,
    job: Job,
    console: &Console,
) -> Result<Document, String> {
    let job = job.with_scene(scene);
    let document = opening(source, job, console, |job| {
        Document::open_with_clips(source, clips_from, job).map_err(|e| format!("{e} ({})", source.full_name()))
    })?;
    for clips in &document.clips_from {
        match clips.refusal(*partial) {
            Some(RefusedClips::Unusable(problem)) => return Err(problem),
            Some(RefusedClips::FewMatch(problem)) => {
                return Err(format!("{problem}; --partial takes the clips nevertheless"));
            }
            None => {}
        }
        let Ok(found) = &clips.found else { continue };
        let name = clips.source.full_name();
        if !found.unmatched.is_empty() {
            let lacking = found.unmatched.join(", ");
            console.warn(&format!("{} match; this file does not have {lacking}", found.share(&name)));
        }
        if console.is_verbose() {
            console.note(&format!("{name}: {}", found.errors.summary()));
        }
    }
    if let Some(path) = clip_errors {
        refuse_to_replace(path, document.inputs())?;
        write_errors(path, &document.clips_from)?;
    }
    Ok(document)
}

fn write_errors(path: &Path, clips_from: &[ClipsFrom]) -> Result<(), String> {
    let found = || clips_from.iter().filter_map(|clips| Some((clips.source.full_name(), clips.found.as_ref().ok()?)));
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let text = if is_json {
        let of_file = |(file, found): (String, &'_ FoundClips)| {
            serde_json::to_value(ErrorsOfFile {
                file,
                matched: found.matched,
                unmatched: &found.unmatched,
                errors: &found.errors,
            })
        };
        let files = found().map(of_file).collect::<Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
        format!("{:#}\n", serde_json::Value::Array(files))
    } else {
        let tables: Vec<String> =
            found().map(|(file, found)| format!("{}\n{}", found.share(&file), found.errors.table())).collect();
        tables.concat()
    };
    output::write(path, text.as_bytes()).map_err(|e| format!("Cannot write {}: {e}", path.display()))
}

/// Runs `work`, which opens a character, on this thread with a job.
///
/// *Errors*: those of `work`; the time is over.
pub(super) fn opening<T>(
    source: &Source,
    job: Job,
    console: &Console,
    work: impl FnOnce(&Job) -> Result<T, String>,
) -> Result<T, String> {
    console.stage(&format!("Opening {}", source.name()), |progress| work(&job.with_progress(Arc::clone(progress))))
}

/// Most warnings of a kind that are printed one by one.
const FIRST: usize = 3;

/// Counts the errors of a file that are repaired in what is written, so that nobody finds them there any more. Missing textures don't count: the written
/// file reports them.
pub(super) fn repaired_errors(warnings: &[ImportWarning], used: WarningScope) -> usize {
    let is_texture = |code| matches!(code, Code::ImageMissing | Code::TextureReplaced);
    let used = warnings.iter().filter(|w| w.scope <= used).map(|w| &w.finding);
    used.filter(|finding| finding.severity == Severity::Error && !is_texture(finding.code)).count()
}

/// Prints the warnings that concern the work: a few of each kind and the number of the others, or all where asked for.
///
/// `used` is the most that the work uses: where nothing is drawn, nothing is said about looks. Every line begins with `of`, which names the file
/// where there may be several.
pub(super) fn warn_of_import(console: &Console, of: &str, warnings: &[ImportWarning], used: WarningScope) {
    let mut findings: Vec<_> = warnings.iter().filter(|w| w.scope <= used).map(|w| &w.finding).collect();
    findings.sort_by_key(|f| f.code);
    for kind in findings.chunk_by(|a, b| a.code == b.code) {
        let shown = if console.is_verbose() { kind.len() } else { kind.len().min(FIRST) };
        kind.iter().take(shown).for_each(|finding| console.warn(&format!("{of}{}", finding.message)));
        if let (more @ 1.., Some(first)) = (kind.len() - shown, kind.first()) {
            console.warn(&format!("{of}{more} more as the last ({}); --verbose says all.", first.code));
        }
    }
}
