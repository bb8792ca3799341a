//! The bend test of `check`, and its comparison with an older version.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::console::Console;
use crate::analysis::flex::{FlexOptions, FlexRecord, FlexReport, flex, flex_findings, flex_skinner, worse_than};
use crate::analysis::lint::{Code, Finding};
use crate::files::read;
use crate::import::Job;
use crate::jobs::Progress;
use crate::project::{Config, DeformConfig, parse_code};
use crate::rig::Rig;
use crate::stage::{Document, Source};

/// What `--deform` and `--against` ask for.
pub(super) struct DeformCheck<'a> {
    pub is_asked: bool,
    /// File, folder, or recorded numbers of the older version.
    pub against: Option<&'a Path>,
    pub job: &'a Job,
    pub console: &'a Console,
}

/// Findings of a bend test, and what it tested.
#[derive(Default)]
pub(super) struct DeformFindings {
    pub list: Vec<Finding>,
    has_limits: bool,
    is_compared: bool,
}

impl DeformFindings {
    /// Returns whether findings with this code would have been found. True for the codes of other checks.
    pub(super) fn judges(&self, code: &str) -> bool {
        match parse_code(code) {
            Ok(Code::FlexWorse) => self.is_compared,
            Ok(code) if code.is_bend_test() => self.has_limits,
            _ => true,
        }
    }
}

impl DeformCheck<'_> {
    /// Runs the bend test if the options or the config ask for it, and returns its findings. `None` if cancelled.
    /// *Errors*: the rig is too large, or its older version can't be read.
    pub(super) fn findings(
        &self,
        source: &Source,
        rig: &Arc<Rig>,
        config: &Config,
        progress: &Progress,
    ) -> Result<Option<DeformFindings>, String> {
        let settings = config.deform.clone().unwrap_or_default();
        // Without an older version, a config that compares with it has nothing to test.
        let has_limits = self.is_asked || config.deform.is_some() && !settings.is_against_previous;
        if !has_limits && self.against.is_none() {
            return Ok(Some(DeformFindings::default()));
        }
        let older = self.against.and_then(|against| older_version(against, source));
        if let (Some(against), None) = (self.against, &older) {
            let name = source.full_name();
            self.console.warn(&format!("{name}: no older version in {}; it was not compared", against.display()));
            if !has_limits {
                return Ok(Some(DeformFindings::default()));
            }
        }
        let Some(report) = tested(rig, &settings.options, progress)? else { return Ok(None) };
        let is_compared = older.is_some();
        let mut list = if has_limits { flex_findings(&report, rig, &settings.options.limits) } else { Vec::new() };
        if let Some(older) = older {
            let Some(older) = self.record(&older, source, &settings.options, progress)? else { return Ok(None) };
            let margin = settings.margin.unwrap_or(DeformConfig::MARGIN);
            list.extend(worse_than(&report, rig, &older, margin));
        }
        Ok(Some(DeformFindings { list, has_limits, is_compared }))
    }

    /// Returns the results of the older version. `None` if cancelled.
    fn record(
        &self,
        older: &Path,
        source: &Source,
        options: &FlexOptions,
        progress: &Progress,
    ) -> Result<Option<FlexRecord>, String> {
        let fault = |problem: String| format!("{problem} ({})", older.display());
        if is_numbers(older) {
            let bytes = read(older).map_err(|problem| fault(problem.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|_bytes| fault("It is not UTF-8".to_owned()))?;
            let read = FlexRecord::from_json(&text, &source.full_name());
            return read.map(Some).map_err(|problem| fault(format!("No numbers of rigscope flex --json: {problem}")));
        }
        let document = Document::open(&Source::File(older.to_owned()), self.job).map_err(|e| fault(e.to_string()))?;
        let report = tested(&document.rig, options, progress)?;
        Ok(report.map(|report| FlexRecord::new(&report, &document.rig)))
    }
}

fn tested(rig: &Arc<Rig>, options: &FlexOptions, progress: &Progress) -> Result<Option<FlexReport>, String> {
    Ok(flex(&flex_skinner(rig, None)?, options, progress))
}

fn is_numbers(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
}

/// Returns the older version of a file: `against` itself, or in the folder `against` the file with the longest matching
/// end of the path.
fn older_version(against: &Path, source: &Source) -> Option<PathBuf> {
    if !against.is_dir() {
        return Some(against.to_owned());
    }
    let names: Vec<_> =
        source.path()?.components().filter(|part| matches!(part, std::path::Component::Normal(_))).collect();
    (0..names.len()).map(|from| against.join(names[from..].iter().collect::<PathBuf>())).find(|path| path.is_file())
}
