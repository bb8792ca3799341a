//! Checks one file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::super::files::Input;
use super::super::{Console, MemoryArgs};
use super::baseline::KnownFindings;
use super::cache::Cache;
use super::filter::FindingFilter;
use super::format::Layout;
use super::report::{FileReport, ReportedFindings, Summary};
use crate::analysis::lint::rules::{Inventory, Profile, Sheet};
use crate::analysis::lint::{Forgiven, Judged, spots};
use crate::import::FileState;
use crate::project::{Config, Projects, findings};
use crate::rig::Rig;
use crate::stage::{Document, Source};

/// The rules for all files, and what to report about each.
pub(super) struct Check<'a> {
    pub projects: &'a Projects,
    /// Hides findings on top of each project's policy.
    pub filter: &'a FindingFilter,
    /// Profiles given on the command line.
    pub profiles: &'a [Profile],
    /// Rank that files must have in profiles with such a rank.
    pub at_least: Option<&'a str>,
    /// True where the question is what a file could be for: then nothing else is reported, and nothing fails.
    pub is_question: bool,
    /// True where warnings count as errors, whatever a project says.
    pub is_strict: bool,
    /// The settings files that were named to the user; `None` stands for no settings file.
    pub told: Mutex<BTreeSet<Option<PathBuf>>>,
    pub known: &'a KnownFindings,
    /// True where all findings are to be forgiven from now on.
    pub writes_baseline: bool,
    /// True where the baseline is to forgive no more than was found.
    pub updates_baseline: bool,
    /// True where places are needed by name too.
    pub needs_spots: bool,
    pub memory: MemoryArgs,
    pub layout: &'a Layout,
    /// Results of earlier runs, where these count.
    pub cache: Option<&'a Cache>,
    pub console: &'a Console,
}

/// A file that was checked, now or in an earlier run.
pub(super) struct Checked {
    pub name: String,
    /// Name of the file in the baseline.
    pub name_in_baseline: String,
    pub summary: Summary,
    /// Time taken by opening and by checking; none for a result of an earlier run.
    pub took: Option<[Duration; 2]>,
}

impl Check<'_> {
    /// Checks one file. Whatever happens with it, the others are still checked.
    pub(super) fn file(&self, input: Input) -> Checked {
        match input {
            Ok(source) => self.found(&source).unwrap_or_else(|| self.checked(&source)),
            Err((name, problem)) => {
                let report = FileReport { name, result: Err(problem) };
                let summary = report.summary(self.layout.lines(&report));
                Checked { name: report.name, name_in_baseline: String::new(), summary, took: None }
            }
        }
    }

    /// The result of an earlier run, where it still holds.
    fn found(&self, source: &Source) -> Option<Checked> {
        let (cache, key, config) = self.place_in_cache(source)?;
        let summary = cache.find(&key)?;
        self.tell(source, &config);
        let name_in_baseline = self.known.name(source);
        Some(Checked { name: source.full_name(), name_in_baseline, summary, took: None })
    }

    /// The cache, and the key of a file's result in it; none for what is no file, and where settings cannot be read.
    fn place_in_cache(&self, source: &Source) -> Option<(&Cache, String, Arc<Config>)> {
        let cache = self.cache?;
        let config = self.projects.of(Some(source.path()?)).ok()?;
        let key = cache.key(&source.full_name(), &config, &self.known.of(source));
        Some((cache, key, config))
    }

    fn checked(&self, source: &Source) -> Checked {
        let fault = "It could not be checked because of a fault in Rigscope; please report it with the file.";
        let result = catch_unwind(AssertUnwindSafe(|| self.open(source))).unwrap_or_else(|_| Err(fault.to_owned()));
        let report = FileReport { name: source.full_name(), result };
        let summary = report.summary(self.layout.lines(&report));
        let findings = report.result.as_ref().ok();
        if let (Some(findings), Some((cache, key, _))) = (findings, self.place_in_cache(source)) {
            cache.keep(&key, &findings.files, &summary);
        }
        let took = findings.map(|findings| findings.took);
        Checked { name: report.name, name_in_baseline: self.known.name(source), summary, took }
    }

    fn open(&self, source: &Source) -> Result<ReportedFindings, String> {
        let progress = self.console.progress();
        let job = self.memory.job().with_progress(Arc::clone(&progress));
        let begin = Instant::now();
        let not_done = || self.console.not_done("checking it");
        let opened = Document::open(source, &job);
        let opened = opened.map_err(|e| if progress.is_cancelled() { not_done() } else { e.to_string() });
        let document = opened?;
        let Document { rig, warnings, .. } = &document;
        let opening = begin.elapsed();
        let config = self.projects.of(source.path())?;
        self.tell(source, &config);
        let mut policy = config.policy.clone();
        self.filter.narrow(&mut policy);
        let mut all =
            if self.is_question { Vec::new() } else { findings(rig, warnings, &progress).ok_or_else(not_done)? };
        let mut sheets = self.sheets(&config, rig, document.file_bytes());
        if !self.is_question {
            sheets.extend(config.clip_sheet(rig, &progress).ok_or_else(not_done)?);
        }
        if !self.is_question {
            all.extend(sheets.iter().flat_map(|sheet| sheet.findings.iter().cloned()));
        }
        let mut judged =
            if self.is_question { Judged::default() } else { policy.judge(rig, all, self.known.of(source)) };
        // A rule whose profile was not asked about may still be broken.
        let is_judged = |id: &str| id.split_once('/').is_none_or(|(of, _)| sheets.iter().any(|s| s.profile == of));
        judged.stale.retain(|entry| is_judged(&entry.code));
        let known = self.writes_baseline.then(|| {
            let found = std::mem::take(&mut judged.shown);
            judged.forgiven += found.len();
            Forgiven::all(rig, &found)
        });
        let tightened = (self.updates_baseline && !judged.stale.is_empty()).then(|| {
            let mut known = self.known.of(source);
            known.tighten(&judged.stale);
            known
        });
        let all = judged.shown.iter().chain(judged.suppressed.iter().map(|suppressed| &suppressed.finding));
        let spots = all.filter(|_| self.needs_spots).map(|finding| spots(rig, finding)).collect();
        let is_strict = self.is_strict || config.is_strict;
        Ok(ReportedFindings {
            judged,
            spots,
            known: known.or(tightened),
            sheets,
            is_strict,
            files: self.cache.map(|_| files_of(&document)).unwrap_or_default(),
            took: [opening, begin.elapsed().saturating_sub(opening)],
        })
    }

    /// A sheet of the file for each profile of its project and of the command line.
    fn sheets(&self, config: &Config, rig: &Rig, file_bytes: Option<u64>) -> Vec<Sheet> {
        let own = config.profiles.iter().filter(|_| !self.is_question);
        let profiles: Vec<&Profile> = own.chain(self.profiles).collect();
        if profiles.is_empty() {
            return Vec::new();
        }
        let inventory = Inventory::new(rig, file_bytes);
        let rank = self.at_least.or(config.at_least.as_deref());
        let demanded = |profile: &Profile| rank.and_then(|rank| profile.rank_named(rank));
        let mut sheets: Vec<Sheet> =
            profiles.into_iter().map(|profile| profile.judge(&inventory, demanded(profile))).collect();
        if self.is_question {
            sheets.sort_by_cached_key(Sheet::order);
        }
        sheets
    }

    /// Tells which settings apply: once per settings file, and not if the user named it.
    fn tell(&self, source: &Source, config: &Config) {
        let path = config.files.first().cloned();
        let is_new = self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone());
        match path {
            _ if !is_new || self.projects.is_named() => {}
            Some(path) => self.console.note(&format!("settings of {}", path.display())),
            None if self.console.is_verbose() => self.console.note(&format!(
                "no rigscope.toml holds for {}: there is none in its folder, the working folder or above them",
                source.full_name()
            )),
            None => {}
        }
    }
}

/// The files that a character was read from, and those that its file names; none for what came from no file.
fn files_of(document: &Document) -> Vec<FileState> {
    if document.files.is_empty() {
        return Vec::new();
    }
    document.files.iter().cloned().chain(document.named_files.iter().map(|path| FileState::now(path))).collect()
}
