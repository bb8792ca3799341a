use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::console::cancelled;
use super::files::source as source_parser;
use super::output::{self, refuse_to_replace};
use super::{Console, MemoryArgs};
use crate::analysis::lint::{Code, Severity};
use crate::import::{ImportWarning, Job, SceneChoice, WarningScope};
use crate::stage::{ClipRefusal, ClipSource, Document, Source, Stage, TransferErrors, TransferredClipRange};

#[derive(Args, Clone, Debug, Default)]
pub(super) struct ExtraClipArgs {
    /// Also use the clips of another file, matched by joint name or humanoid bone (repeatable)
    #[arg(long = "clips-of", value_name = "FILE", value_parser = source_parser())]
    pub(super) clips_from: Vec<Source>,

    /// Use clips of --clips-of even if fewer than half of their joints match
    #[arg(long, requires = "clips_from")]
    pub(super) partial: bool,

    /// Write how far bones, soles and hands of the transferred clips are from their source
    #[arg(long, value_name = "FILE.{txt,json}", requires = "clips_from")]
    pub(super) clip_errors: Option<PathBuf>,
}

#[derive(Serialize)]
struct ErrorsOfFile<'a> {
    file: String,
    /// Number of the character's nodes that the clips animate.
    matched: usize,
    /// Names of nodes that the clips animate but the character lacks.
    unmatched: &'a [String],
    #[serde(flatten)]
    errors: &'a TransferErrors,
}

/// Opens a character at rest and adds the clips of other files. Warns about joints that the character lacks.
pub(super) fn open_document(
    (source, scene): (&Source, Option<SceneChoice>),
    ExtraClipArgs { clips_from, partial, clip_errors }: &ExtraClipArgs,
    job: Job,
    console: &Console,
) -> Result<Document, String> {
    let job = job.with_scene(scene);
    let document = opening(source, job, console, |job| {
        Document::open_with_clips(source, clips_from, job).map_err(|e| format!("{e} ({})", source.full_name()))
    })?;
    for clips in document.clips_from.iter() {
        match clips.refusal(*partial) {
            Some(ClipRefusal::Unusable(problem)) => return Err(problem),
            Some(ClipRefusal::FewMatch(problem)) => {
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

fn write_errors(path: &Path, clips_from: &[ClipSource]) -> Result<(), String> {
    let found = || clips_from.iter().filter_map(|clips| Some((clips.source.full_name(), clips.found.as_ref().ok()?)));
    let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let text = if is_json {
        let of_file = |(file, found): (String, &'_ TransferredClipRange)| {
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

pub(super) fn opening<T>(
    source: &Source,
    job: Job,
    console: &Console,
    work: impl FnOnce(&Job) -> Result<T, String>,
) -> Result<T, String> {
    console.stage(&format!("Opening {}", source.name()), |progress| work(&job.with_progress(Arc::clone(progress))))
}

/// Maximum number of warnings of each kind to print without `--verbose`.
const FIRST: usize = 3;

/// Counts the errors that the import repaired and that the output therefore no longer shows. Missing textures don't
/// count.
pub(super) fn repaired_errors(warnings: &[ImportWarning], used: WarningScope) -> usize {
    let is_texture = |code| matches!(code, Code::ImageMissing | Code::TextureReplaced);
    let used = warnings.iter().filter(|w| w.scope <= used).map(|w| &w.finding);
    used.filter(|finding| finding.severity == Severity::Error && !is_texture(finding.code)).count()
}

/// Prints the warnings within a scope: the first few of each kind, or all with `--verbose`. `prefix` is the file name;
/// it is empty if there is only one file.
pub(super) fn warn_of_import(console: &Console, prefix: &str, warnings: &[ImportWarning], used: WarningScope) {
    let mut findings: Vec<_> = warnings.iter().filter(|w| w.scope <= used).map(|w| &w.finding).collect();
    findings.sort_by_key(|f| f.code);
    for kind in findings.chunk_by(|a, b| a.code == b.code) {
        let shown = if console.is_verbose() { kind.len() } else { kind.len().min(FIRST) };
        kind.iter().take(shown).for_each(|finding| console.warn(&format!("{prefix}{}", finding.message)));
        if let (more @ 1.., Some(first)) = (kind.len() - shown, kind.first()) {
            console.warn(&format!("{prefix}{more} more like the last ({}); --verbose lists all.", first.code));
        }
    }
}

/// Loads and computes data that the sides still need, such as comparison files and overlays. Returns warnings.
pub(super) fn load_sides(
    stage: &mut Stage,
    name: &str,
    memory: MemoryArgs,
    console: &Console,
) -> Result<Vec<String>, String> {
    let warnings = console.stage(name, |progress| {
        let warnings = stage.compute_pending(&memory.job().with_progress(Arc::clone(progress)));
        progress.check_cancelled().map(|()| warnings).ok_or_else(cancelled)
    })?;
    stage.refresh();
    Ok(warnings)
}
