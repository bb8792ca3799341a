mod baseline;
mod cache;
mod deform;
mod filter;
mod format;
mod one_file;
mod report;

use std::iter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;

use super::files::Input;
use super::many_files::InputArgs;
use super::many_files::ordered_parallel::{self, Threads};
use super::project_args::{ConfigArgs, ProfileArgs};
use super::{Console, MemoryArgs};
use crate::analysis::lint::FileBaseline;
use crate::analysis::lint::report::{CodeJson, FindingsJson};
use crate::analysis::lint::rules::Profile;
use crate::jobs::lock;
use crate::project::{ProjectConfigs, check_rank, profiles};
use crate::rows::{Described as _, JsonDocument};
use crate::text::counted;
use baseline::KnownFindings;
use cache::Cache;
use filter::{FindingFilter, ListedRule};
use format::{CheckFormat, Printer, StatisticsJson};
use one_file::{CheckContext, CheckedFile};
use report::Tally;

#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
#[command(mut_arg("files", |arg| arg.required_unless_present_any(["files_from", "list_rules"])))]
pub struct CheckArgs {
    #[command(flatten)]
    inputs: InputArgs,

    #[command(flatten)]
    config: ConfigArgs,

    #[command(flatten)]
    profile: ProfileArgs,

    /// Also run the bend test, which poses every joint (as rigscope flex does)
    #[arg(long)]
    deform: bool,

    /// Fail where joints bend worse than in an older version: a file, a folder, or numbers of flex --json
    #[arg(long, value_name = "OTHER")]
    against: Option<PathBuf>,

    #[command(flatten)]
    judging: JudgingArgs,

    /// Check nothing; list the codes, and the rules of --profile, with their default severities
    #[arg(long, conflicts_with_all = CONFLICTS_WITH_LIST_RULES)]
    list_rules: bool,

    /// Output format of the findings
    #[arg(long, value_enum, default_value_t)]
    format: CheckFormat,

    /// Count findings by code instead of listing them, as text or JSON
    #[arg(long)]
    statistics: bool,

    /// Short for --format json
    #[arg(long, conflicts_with_all = ["format", "sarif"])]
    json: bool,

    /// Short for --format sarif
    #[arg(long, conflicts_with = "format")]
    sarif: bool,

    /// Reuse results of unchanged files, stored in FOLDER [default: rigscope in the user's cache folder]
    #[arg(long, value_name = "FOLDER", require_equals = true)]
    #[expect(clippy::option_option, reason = "the option may have a folder or not")]
    cache: Option<Option<PathBuf>>,

    #[command(flatten)]
    memory: MemoryArgs,
}

/// Options that decide which findings are reported and which of them fail. They are part of the cache key.
#[derive(Args, Debug)]
struct JudgingArgs {
    /// Rank that files must reach in profiles with ranks [default: the lowest]
    #[arg(long, value_name = "RANK", requires = "profile")]
    at_least: Option<String>,

    #[command(flatten)]
    filter: FindingFilter,

    /// Ignore the findings listed in a baseline
    #[arg(long, value_name = "JSON")]
    baseline: Option<PathBuf>,

    /// Write all findings to a baseline, and ignore them in this run
    #[arg(long, value_name = "JSON", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,

    /// Remove entries from the --baseline that match nothing any more; add none
    #[arg(long, requires = "baseline", conflicts_with = "write_baseline")]
    update_baseline: bool,

    /// Exit with code 1 on warnings too
    #[arg(long)]
    strict: bool,
}

/// Options that conflict with `--list-rules`.
const CONFLICTS_WITH_LIST_RULES: [&str; 16] = [
    "statistics",
    "files",
    "exclude",
    "files_from",
    "null",
    "config",
    "no_config",
    "at_least",
    "deform",
    "against",
    "baseline",
    "write_baseline",
    "update_baseline",
    "strict",
    "cache",
    "jobs",
];

const HELP: &str = "\
Findings with one code are grouped; the first few of a file are listed, or all with --verbose. What
--ignore, --only and --severity hide does not change the exit code; the last line counts it. With
--quiet, files without findings and the last line are left out.

A GLOB without / matches names in any folder, one that ends in / only folders, any other paths: *
stands for any letters but /, ? for one, [a-z] for one of a set, [!a-z] for one outside it, {a,b}
for either, ** for any folders; \\ escapes. Everything in a matching folder is left out.

rigscope.toml applies to its folder and those below. The page Pipeline of the guide lists its keys.

A baseline matches by file, code and place. A glTF file may suppress a finding itself, with the
reason, in extras of its asset, a node or a mesh:
  {\"rigscope\":{\"allow\":{\"RIG022\":\"Props hang on it.\"}}}.

JSON is one object a line for each file; rigscope explain json lists its keys.

Examples:
  rigscope check models --exclude '*.wip.glb' --strict
  rigscope check hero.glb --profile vrchat-pc --at-least good
  rigscope check models --format sarif > rigs.sarif
  rigscope check models --statistics
  git diff --name-only -z | rigscope check --files-from - -0";

pub(super) const JSON: [JsonDocument; 3] = [
    JsonDocument { command: "check", key: "", python: Some(("Rig.check", "findings")), shape: FindingsJson::shape },
    JsonDocument { command: "check --list-rules", key: "", python: None, shape: CodeJson::shape },
    JsonDocument { command: "check --statistics", key: "", python: None, shape: StatisticsJson::shape },
];

/// Maximum number of consecutive unreadable files in a list, which may be endless. The help of
/// [`InputArgs`] states this number.
const MAX_UNREADABLE_IN_A_ROW: usize = 10_000;

impl CheckArgs {
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        if self.list_rules {
            return self.list_all(console);
        }
        if self.statistics && !matches!(self.format(), CheckFormat::Text | CheckFormat::Json) {
            return Err("--statistics prints only text or JSON. Leave out --format.".to_owned());
        }
        let projects = self.projects(console)?;
        let named = self.profiles(console)?;
        let mut known = self.known()?;
        let mut files = self.inputs.input_files(&projects)?;
        let all: Vec<&Profile> = named.iter().chain(self.listed_profiles()).collect();
        let printer = Printer::new((self.format(), self.statistics), console, &all);
        let cache = self.opened_cache(&named, &printer, console);
        let mut has_items = false;
        let mut tally = Tally::default();
        let mut found = Vec::new();
        let unreadable_in_a_row = AtomicUsize::new(0);
        let all_printed = printer.begin().and_then(|()| {
            let (args, projects, profiles) = (&self, &projects, named.as_slice());
            let (reported, known, printer, cache) = (Mutex::default(), &known, &printer, cache.as_ref());
            let check = CheckContext { args, projects, profiles, reported, known, printer, cache, console };
            let is_wrong = || self.inputs.files_from.is_some() && exceeds_unreadable_limit(&unreadable_in_a_row);
            // When writing a new baseline, continues with all files even if the reader closed the output.
            let is_unread = || console.is_closed() && self.judging.write_baseline.is_none();
            let in_time = iter::from_fn(|| if is_wrong() || is_unread() { None } else { files.next_in_time(console) });
            self.check_all(in_time, &check, console, |CheckedFile { name_in_baseline, summary, .. }| {
                tally.add(summary);
                count_in_a_row(&unreadable_in_a_row, summary.is_unreadable);
                found.extend(summary.known.take().map(|known| (std::mem::take(name_in_baseline), known)));
                printer.file(&summary.lines, &mut has_items)
            })
        });
        let all_begun = self.check_list(&unreadable_in_a_row).and_then(|()| files.check_all_begun(console));
        tally.is_incomplete = all_begun.is_err();
        tally.excluded = files.excluded();
        all_printed.and_then(|()| printer.end(&tally))?;
        if let Some(cache) = cache {
            close(cache, tally.files, console);
        }
        all_begun?;
        if console.is_time_over() && tally.unreadable > 0 && self.judging.write_baseline.is_some() {
            return Err(console.timeout_message("the baseline, which would lack files"));
        }
        if let Some(path) = &self.judging.write_baseline {
            for (name, accepted) in found {
                known.insert(name, accepted);
            }
            known.write(path)?;
            console.saved(path, "baseline");
        } else if let Some(path) = &self.judging.baseline {
            self.report_unused_entries((path, &mut known), (found, tally.unused), console)?;
        }
        Ok(ExitCode::from(tally.exit_code()))
    }

    fn list_all(&self, console: &Console) -> Result<ExitCode, String> {
        let named = self.profiles(console)?;
        let rules = self.judging.filter.rules(&named);
        match self.format() {
            CheckFormat::Text => console.print(rules.iter().map(ListedRule::line)),
            CheckFormat::Json => rules.iter().try_for_each(|rule| console.print_json(&rule.json())),
            CheckFormat::Sarif | CheckFormat::Junit | CheckFormat::Github => {
                return Err(
                    "--list-rules prints only text or JSON. Leave out --format; SARIF output lists the rules anyway."
                        .to_owned(),
                );
            }
        }?;
        Ok(ExitCode::SUCCESS)
    }

    /// Reports unused entries of a baseline, or removes them with `--update-baseline`.
    fn report_unused_entries(
        &self,
        (path, known): (&Path, &mut KnownFindings),
        (changed, unused): (Vec<(String, FileBaseline)>, usize),
        console: &Console,
    ) -> Result<(), String> {
        let missing = known.missing();
        let entries = counted(unused, "entry", "entries");
        let files = counted(missing.len(), "file that is gone", "files that are gone");
        if !self.judging.update_baseline {
            for name in missing.iter().filter(|_| console.is_verbose()) {
                console.note(&format!("{}: {name} is gone", path.display()));
            }
            if unused + missing.len() > 0 {
                console.note(&format!(
                    "{} has unused entries: --update-baseline removes {entries} and {files}",
                    path.display()
                ));
            }
            return Ok(());
        }
        if unused + missing.len() == 0 {
            console.note(&format!("{} has no unused entries", path.display()));
            return Ok(());
        }
        for (name, accepted) in changed {
            known.insert(name, accepted);
        }
        for name in missing {
            known.insert(name, FileBaseline::default());
        }
        known.write(path)?;
        console.saved(path, &format!("without {entries} and {files}"));
        Ok(())
    }

    fn check_all(
        &self,
        inputs: impl Iterator<Item = Input> + Send,
        check: &CheckContext<'_>,
        console: &Console,
        mut pass_on: impl FnMut(&mut CheckedFile) -> Result<(), String> + Send,
    ) -> Result<(), String> {
        let last = Mutex::new((0, String::new()));
        let so_far = || match &*lock(&last) {
            (0, _) => "Checking".to_owned(),
            (done, name) => format!("Checking: {done} done, the last {name}"),
        };
        let print = |mut file: CheckedFile| {
            pass_on(&mut file)?;
            if let Some([opening, lint]) = file.took {
                console.took(&format!("{}: opening", file.name), opening);
                console.took(&format!("{}: lint", file.name), lint);
            }
            let mut last = lock(&last);
            *last = (last.0 + 1, file.name);
            Ok(())
        };
        console.watched("Checking", so_far, || {
            let threads = Threads { count: self.inputs.threads(), waiting: 4 };
            ordered_parallel::for_each(inputs, threads, &|input| check.file(input), print)
        })
    }

    /// Opens the cache, if requested. Reports problems with the cache as warnings.
    fn opened_cache(&self, named: &[Profile], printer: &Printer<'_>, console: &Console) -> Option<Cache> {
        // The results depend on the older version, which the cache doesn't watch.
        if self.against.is_some() {
            return None;
        }
        let layout = printer.layout();
        // The path of a baseline doesn't matter: its entries are part of each file's key.
        let JudgingArgs { at_least, filter, baseline: _, write_baseline, update_baseline, strict } = &self.judging;
        let judging = (at_least, filter, write_baseline.is_some(), update_baseline, strict);
        let question =
            format!("{:?}", (self.asks_for_all_profiles(), self.deform, named, judging, &self.memory, layout));
        match cache::folder(self.cache.as_ref()?.as_deref()) {
            Ok(folder) => Some(Cache::read(&folder, &question, |problem| console.warn(problem))),
            Err(problem) => {
                console.warn(&problem);
                None
            }
        }
    }

    /// Fails if too many consecutive files of the list were unreadable.
    fn check_list(&self, unreadable_in_a_row: &AtomicUsize) -> Result<(), String> {
        match &self.inputs.files_from {
            Some(path) if exceeds_unreadable_limit(unreadable_in_a_row) => Err(format!(
                "The list {1} was not read further: {0} files in a row could not be read. Give a list of paths, one per line, \
                 or with -0 ended by NUL bytes.",
                MAX_UNREADABLE_IN_A_ROW,
                path.display()
            )),
            _ => Ok(()),
        }
    }

    fn format(&self) -> CheckFormat {
        match (self.json, self.sarif) {
            (true, _) => CheckFormat::Json,
            (_, true) => CheckFormat::Sarif,
            _ => self.format,
        }
    }

    /// Reads the configs. The configs of files named on the command line are read now, so that their errors are
    /// reported first.
    fn projects(&self, console: &Console) -> Result<ProjectConfigs, String> {
        let projects = self.config.projects(self.memory.job().with_progress(console.progress()))?;
        self.inputs.files.iter().try_for_each(|source| projects.config(source.path()).map(drop))?;
        Ok(projects)
    }

    /// Returns the profiles named on the command line.
    fn profiles(&self, console: &Console) -> Result<Vec<Profile>, String> {
        let named = self.profile.profiles(console)?;
        self.judging.at_least.as_ref().map_or(Ok(()), |rank| check_rank(rank, named.iter()))?;
        Ok(named)
    }

    /// True if `--profile all` was given.
    fn asks_for_all_profiles(&self) -> bool {
        self.profile.wants_all()
    }

    /// Returns the built-in profiles that the command line doesn't name. SARIF's rule list includes their rules,
    /// because configs may name them.
    fn listed_profiles(&self) -> impl Iterator<Item = &Profile> {
        profiles().iter().filter(|known| !self.profile.names(&known.name))
    }

    fn known(&self) -> Result<KnownFindings, String> {
        match (&self.judging.baseline, &self.judging.write_baseline) {
            (Some(path), _) if self.judging.update_baseline => KnownFindings::to_update(path),
            (Some(path), _) => KnownFindings::read(path),
            (None, Some(path)) => KnownFindings::new(path),
            (None, None) => Ok(KnownFindings::default()),
        }
    }

    #[cfg(test)]
    pub(super) fn memory_bytes(&self) -> u64 {
        self.memory.bytes()
    }
}

fn close(cache: Cache, files: usize, console: &Console) {
    console.note(&format!("{} of {} unchanged since the last check", cache.hits(), counted(files, "file", "files")));
    if let Err(problem) = cache.write() {
        console.warn(&problem);
    }
}

fn exceeds_unreadable_limit(unreadable_in_a_row: &AtomicUsize) -> bool {
    unreadable_in_a_row.load(Ordering::Relaxed) >= MAX_UNREADABLE_IN_A_ROW
}

fn count_in_a_row(unreadable: &AtomicUsize, is_unreadable: bool) {
    let so_far = unreadable.load(Ordering::Relaxed);
    unreadable.store(if is_unreadable { so_far + 1 } else { 0 }, Ordering::Relaxed);
}
