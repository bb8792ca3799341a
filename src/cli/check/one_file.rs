//! Checks one file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::super::files::Input;
use super::super::{Console, MemoryArgs};
use super::baseline::KnownFindings;
use super::filter::FindingFilter;
use super::report::{FileReport, ReportedFindings};
use crate::analysis::lint::rules::{Inventory, Profile, Sheet};
use crate::analysis::lint::{Forgiven, spots};
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
    pub console: &'a Console,
}

impl Check<'_> {
    /// Checks one file. Whatever happens with it, the others are still checked.
    pub(super) fn file(&self, input: Input) -> FileReport {
        let source = match input {
            Ok(source) => source,
            Err((name, problem)) => return FileReport { name, result: Err(problem) },
        };
        let fault = "It could not be checked because of a fault in Rigscope; please report it with the file.";
        let result = catch_unwind(AssertUnwindSafe(|| self.open(&source))).unwrap_or_else(|_| Err(fault.to_owned()));
        FileReport { name: source.full_name(), result }
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
        if self.is_question {
            (policy.limits, policy.contract) = (Vec::new(), None);
        }
        let mut all =
            if self.is_question { Vec::new() } else { findings(rig, warnings, &progress).ok_or_else(not_done)? };
        let mut sheets = self.sheets(&config, rig, document.file_bytes());
        if !self.is_question {
            sheets.extend(config.clip_sheet(rig, &progress).ok_or_else(not_done)?);
        }
        if !self.is_question {
            all.extend(sheets.iter().flat_map(|sheet| sheet.findings.iter().cloned()));
        }
        let mut judged = policy.judge(rig, all, self.known.of(source));
        // A rule whose profile was not asked about may still be broken.
        let is_judged = |id: &str| id.split_once('/').is_none_or(|(of, _)| sheets.iter().any(|s| s.profile == of));
        judged.stale.retain(|entry| !self.is_question && is_judged(&entry.code));
        let known = self.writes_baseline.then(|| {
            let found = std::mem::take(&mut judged.shown);
            judged.forgiven += found.len();
            (self.known.name(source), Forgiven::all(rig, &found))
        });
        let tightened = (self.updates_baseline && !judged.stale.is_empty()).then(|| {
            let mut known = self.known.of(source);
            known.tighten(&judged.stale);
            (self.known.name(source), known)
        });
        let spots = judged.shown.iter().filter(|_| self.needs_spots).map(|finding| spots(rig, finding)).collect();
        let is_strict = self.is_strict || config.is_strict;
        Ok(ReportedFindings {
            judged,
            spots,
            known: known.or(tightened),
            sheets,
            is_strict,
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
        let inventory = Inventory::of(rig, file_bytes);
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
