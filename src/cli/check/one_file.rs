use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::super::Console;
use super::super::files::Input;
use super::CheckArgs;
use super::baseline::KnownFindings;
use super::cache::Cache;
use super::deform::{DeformCheck, DeformFindings};
use super::format::Printer;
use super::report::{FileReport, Summary};
use crate::analysis::lint::rules::{Inventory, Profile, ProfileReport};
use crate::analysis::lint::{FileBaseline, FilteredFindings, finding_locations};
use crate::import::FileState;
use crate::jobs::lock;
use crate::project::{Config, ProjectConfigs, findings};
use crate::rig::Rig;
use crate::stage::{Document, Source};

pub(super) struct CheckContext<'a> {
    pub args: &'a CheckArgs,
    pub projects: &'a ProjectConfigs,
    /// Profiles named on the command line.
    pub profiles: &'a [Profile],
    /// Config files that were already reported; contains `None` if files without a config were reported.
    pub reported: Mutex<BTreeSet<Option<PathBuf>>>,
    pub known: &'a KnownFindings,
    pub printer: &'a Printer<'a>,
    pub cache: Option<&'a Cache>,
    pub console: &'a Console,
}

/// Result for a file, either computed or from the cache.
pub(super) struct CheckedFile {
    pub name: String,
    pub name_in_baseline: String,
    pub summary: Summary,
    /// Time taken to open the file and to check it; `None` for a cached result.
    pub took: Option<[Duration; 2]>,
}

impl CheckContext<'_> {
    /// Checks one file. Turns a panic into an error so that the other files are still checked.
    pub(super) fn file(&self, input: Input) -> CheckedFile {
        match input {
            Ok(source) => self.cached(&source).unwrap_or_else(|| self.checked(&source)),
            Err((name, problem)) => {
                let report = FileReport::unreadable(name, problem);
                let summary = report.summary(self.printer.lines(&report));
                CheckedFile { name: report.name, name_in_baseline: String::new(), summary, took: None }
            }
        }
    }

    fn cached(&self, source: &Source) -> Option<CheckedFile> {
        let (cache, key, config) = self.cache_entry(source)?;
        let summary = cache.find(&key)?;
        self.report_config(source, &config);
        let name_in_baseline = self.known.name(source);
        Some(CheckedFile { name: source.full_name(), name_in_baseline, summary, took: None })
    }

    /// Returns the cache, key and config for a source; `None` if there is no cache, the source isn't a file, or its
    /// config is unreadable.
    fn cache_entry(&self, source: &Source) -> Option<(&Cache, String, Arc<Config>)> {
        let cache = self.cache?;
        let config = self.projects.config(Some(source.path()?)).ok()?;
        let key = cache.key(&source.full_name(), &config, &self.known.entries(source));
        Some((cache, key, config))
    }

    fn checked(&self, source: &Source) -> CheckedFile {
        let fault = "It could not be checked because of a fault in Rigscope; please report it with the file.";
        let result = catch_unwind(AssertUnwindSafe(|| self.open(source))).unwrap_or_else(|_| Err(fault.to_owned()));
        let report = result.unwrap_or_else(|problem| FileReport::unreadable(source.full_name(), problem));
        let summary = report.summary(self.printer.lines(&report));
        if let (None, Some((cache, key, _))) = (&report.problem, self.cache_entry(source)) {
            cache.store(&key, &report.files, &summary);
        }
        CheckedFile { name: report.name, name_in_baseline: self.known.name(source), summary, took: report.took }
    }

    fn open(&self, source: &Source) -> Result<FileReport, String> {
        let progress = self.console.progress();
        let job = self.args.memory.job().with_progress(Arc::clone(&progress));
        let begin = Instant::now();
        let not_done = || self.console.timeout_message("checking it");
        let opened = Document::open(source, &job);
        let opened = opened.map_err(|e| if progress.is_cancelled() { not_done() } else { e.to_string() });
        let document = opened?;
        let Document { rig, warnings, .. } = &document;
        let opening = begin.elapsed();
        let config = self.projects.config(source.path())?;
        self.report_config(source, &config);
        let mut project_rules = config.project_rules.clone();
        self.args.judging.filter.narrow(&mut project_rules);
        let mut sheets = self.sheets(&config, rig, document.file_bytes());
        let mut judged = FilteredFindings::default();
        let mut bends = DeformFindings::default();
        if !self.args.asks_for_all_profiles() {
            let mut all = findings(rig, warnings, &progress).ok_or_else(not_done)?;
            let deform = DeformCheck {
                is_asked: self.args.deform,
                against: self.args.against.as_deref(),
                job: &job,
                console: self.console,
            };
            bends = deform.findings(source, rig, &config, &progress)?.ok_or_else(not_done)?;
            all.append(&mut bends.list);
            sheets.extend(config.clip_report(rig, &progress).ok_or_else(not_done)?);
            all.extend(sheets.iter().flat_map(|sheet| sheet.findings.iter().cloned()));
            judged = project_rules.filter_findings(rig, all, self.known.entries(source));
        }
        // Ignores unused baseline entries whose profile or bend test wasn't checked.
        let is_judged = |id: &str| match id.split_once('/') {
            Some((of, _)) => sheets.iter().any(|sheet| sheet.profile == of),
            None => bends.judges(id),
        };
        judged.unused_entries.retain(|entry| is_judged(&entry.code));
        let known = self.args.judging.write_baseline.is_some().then(|| {
            let found = std::mem::take(&mut judged.shown);
            judged.baselined += found.len();
            FileBaseline::all(rig, &found)
        });
        let tightened = (self.args.judging.update_baseline && !judged.unused_entries.is_empty()).then(|| {
            let mut known = self.known.entries(source);
            known.reduce_to_found(&judged.unused_entries);
            known
        });
        let all = judged.shown.iter().chain(judged.suppressed.iter().map(|suppressed| &suppressed.finding));
        let spots =
            all.filter(|_| self.args.format().has_locations()).map(|finding| finding_locations(rig, finding)).collect();
        let is_strict = self.args.judging.strict || config.is_strict;
        Ok(FileReport {
            name: source.full_name(),
            problem: None,
            judged,
            finding_locations: spots,
            known: known.or(tightened),
            sheets,
            is_strict,
            files: self.cache.map(|_| files_of(&document)).unwrap_or_default(),
            took: Some([opening, begin.elapsed().saturating_sub(opening)]),
        })
    }

    fn sheets(&self, config: &Config, rig: &Rig, file_bytes: Option<u64>) -> Vec<ProfileReport> {
        let own = config.profiles.iter().filter(|_| !self.args.asks_for_all_profiles());
        let profiles: Vec<&Profile> = own.chain(self.profiles).collect();
        if profiles.is_empty() {
            return Vec::new();
        }
        let inventory = Inventory::new(rig, file_bytes);
        let rank = self.args.judging.at_least.as_deref().or(config.at_least.as_deref());
        let demanded = |profile: &Profile| rank.and_then(|rank| profile.rank_named(rank));
        let mut sheets: Vec<ProfileReport> =
            profiles.into_iter().map(|profile| profile.check_rig(&inventory, demanded(profile))).collect();
        if self.args.asks_for_all_profiles() {
            sheets.sort_by_cached_key(ProfileReport::order);
        }
        sheets
    }

    /// Reports which config file applies, once per config file. Doesn't report a config that was named on the command
    /// line.
    fn report_config(&self, source: &Source, config: &Config) {
        let path = config.files.first().cloned();
        let is_new = lock(&self.reported).insert(path.clone());
        match path {
            _ if !is_new || self.projects.is_named() => {}
            Some(path) => {
                self.console.note(&format!("config: {}", path.display()));
                let is_waiting = config.deform.as_ref().is_some_and(|deform| deform.is_against_previous);
                if is_waiting && self.args.against.is_none() {
                    self.console.note("the bend test compares with an older version; name it with --against");
                }
            }
            None if self.console.is_verbose() => self.console.note(&format!(
                "no rigscope.toml applies to {}: there is none in its folder, the working folder or above them",
                source.full_name()
            )),
            None => {}
        }
    }
}

/// Returns the state of a character's file and of each file that it references.
fn files_of(document: &Document) -> Vec<FileState> {
    if document.files.is_empty() {
        return Vec::new();
    }
    document.files.iter().cloned().chain(document.named_files.iter().map(|path| FileState::now(path))).collect()
}
