//! `rigscope check`: lint of many files.

mod baseline;
mod cache;
mod filter;
mod format;
mod in_order;
mod one_file;
mod report;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::iter;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Args;

use super::files::{Files, Input, NameList, source};
use super::offering::offering;
use super::{Console, MemoryArgs};
use crate::analysis::lint::Forgiven;
use crate::analysis::lint::report::{CodeJson, FindingsJson};
use crate::analysis::lint::rules::Profile;
use crate::files::{Exclusion, Glob, is_standard};
use crate::project::{Config, Projects, check_rank, outdated, profile, profile_names, profile_of, profiles};
use crate::rows::{Described as _, Document};
use crate::stage::Source;
use crate::text::counted;
use baseline::KnownFindings;
use cache::Cache;
use filter::{FindingFilter, ListedRule};
use format::{Format, Layout, Printer};
use one_file::{Check, Checked};
use report::Tally;

/// Which files to check, what to demand of them, and how to say what is found.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct CheckArgs {
    /// glTF, GLB, VRM or FBX files, folders of them, or builtin:NAME
    #[arg(required_unless_present_any = ["files_from", "list_rules"], value_parser = source(), value_name = "FILE")]
    files: Vec<Source>,

    /// Also check the files listed in LIST, one per line; - is standard input. Reading stops after 10000 unreadable files in a row
    #[arg(long, value_name = "LIST")]
    files_from: Option<PathBuf>,

    /// Names in LIST are separated by NUL bytes, as written by git ls-files -z
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,

    /// Leave out files and folders by a pattern, below the working folder, or for other folders below these: 'old/**', '*.wip.glb', wip/ (repeatable)
    #[arg(long, value_name = "GLOB", value_parser = Glob::new)]
    exclude: Vec<Glob>,

    /// Project file with the rules to check [default: the nearest rigscope.toml in the file's folder or above it, else in the working folder or above it]
    #[arg(long, value_name = "TOML")]
    config: Option<PathBuf>,

    /// Ignore any rigscope.toml
    #[arg(long, conflicts_with = "config")]
    no_config: bool,

    /// Judge the files by the rules of a platform too, or by those of a settings file; several by commas, or by the option again. With all: which could a file be for?
    #[arg(long, value_name = "PROFILE", value_delimiter = ',', value_parser = offering(profile_names().chain(["all"]), profile_name), hide_possible_values = true)]
    profile: Vec<String>,

    /// The rank that files must have in profiles with ranks; without it any rank will do
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

    /// Take out of the --baseline what is stale: what it forgives of the files and is no longer found, and files that are gone. New findings are not forgiven
    #[arg(long, requires = "baseline", conflicts_with = "write_baseline")]
    update_baseline: bool,

    /// Exit with code 1 on warnings too
    #[arg(long)]
    strict: bool,

    /// List all codes, and with --profile its rules, with their default severities, and check nothing; --only, --ignore and --severity leave some out
    #[arg(long, conflicts_with_all = NOT_FOR_LISTS)]
    list_rules: bool,

    /// Output format of the findings
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Short for --format json
    #[arg(long, conflicts_with_all = ["format", "sarif"])]
    json: bool,

    /// Short for --format sarif
    #[arg(long, conflicts_with = "format")]
    sarif: bool,

    /// Take results of files that have not changed from FOLDER, and keep those of the others there [default: rigscope in the user's folder for caches]
    #[arg(long, value_name = "FOLDER", require_equals = true)]
    #[expect(clippy::option_option, reason = "the option may have a folder or not")]
    cache: Option<Option<PathBuf>>,

    /// Files to check in parallel [default: number of cores, at most 8]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    memory: MemoryArgs,
}

/// Options that are about files.
const NOT_FOR_LISTS: [&str; 13] = [
    "files",
    "exclude",
    "files_from",
    "null",
    "config",
    "no_config",
    "at_least",
    "baseline",
    "write_baseline",
    "update_baseline",
    "strict",
    "cache",
    "jobs",
];

const HELP: &str = "\
Findings of one code are listed together, the first few of a file, or with --verbose all. What --ignore, --only and --severity hide does not
change the exit code (see rigscope --help); the last line says how much it is. With --quiet, files without findings and the last line are left out.

A GLOB without / is of names in any folder, one with / at its end of folders alone, one with another / of paths: * is any letters but /, ? one, [a-z] one of some, [!a-z]
one of others, ** any folders, \\ takes the meaning of what follows. What is in a folder is left out with it; -v names it.

A rigscope.toml may have these keys, all of which may be left out; any other is an error:
  strict = true                         as --strict
  only = [CODE, ...], ignore = [...]    as --only and --ignore; what the command line says narrows it further
  exclude = [GLOB, ...]                 as --exclude, below the folder of the file; not for files that the command line names, and not in [[override]]
  [severity]                            CODE = \"error\"|\"warning\"|\"note\"|\"off\"
  [limits]                              joints (of a skin), influences (of a vertex), vertices (of the file), morph-vertices (that a target moves) = N
  [target.NAME]                         the same limits for an engine or a device; all targets must be met
  profile = [NAME, ...]                 profiles that files must meet, as --profile; at-least = RANK
  [[rule]]                              a rule of the project's own: measure = ..., most = N or least = N; rigscope profiles --help says more
  extends = NAME                        a profile whose rules are the project's too; a [[rule]] of the same name replaces its, severity = \"off\" takes it away
  [[override]]                          files = PATTERN with *, below the folder: other values for any of these keys
  [[clips]]                             match = PATTERN with *, for clips by their whole names, and what they promise, one or more of: loop = true, max_seam_deg = A (1), max_gap_mm = D
                                        (1.75 % of the height), root = \"in-place\"|\"moving\", max_foot_slide_mm = D in one contact, fps = F, min_seconds, max_seconds = T,
                                        must_exist = true; severity = LEVEL. What cannot be judged is RIG165, with the reason
  [skeleton]                            like = FILE: every file has its joints, parents and rest poses; others = false: and no other joints
  [skeleton.joints.NAME]                parent = NAME, translation = [x, y, z], rotation = [x, y, z, w], scale = [x, y, z]: all as the file has them
  [skeleton.tolerance]                  translation (metres, 0.001), rotation (degrees, 0.5), scale (0.001)

It holds for the files beside it and below, unless one is nearer; for all others the one of the working folder does, or the nearest above. Files of one call may
have different ones; one that --config names holds for all of them. The window and rigscope report heed the same.

A baseline forgives by file, code and place: names of nodes, meshes and clips, and how many vertices are concerned there. What is not read is never forgiven.
An entry is stale where a file has less than it forgives, whatever is hidden; rules of profiles that are not asked about and files that are not checked are left alone.

A glTF file may suppress findings itself, each with a reason: \"extras\":{\"rigscope\":{\"allow\":{\"RIG022\":\"Props hang on it.\"}}} in its asset holds for the whole file, in a
node for what is found about that node alone or about a joint's vertices, in a mesh for what is found about the mesh. They are counted and, with -v, listed; a suppression
without a reason is RIG180 and has no effect, one of what is not found is RIG181.

JSON is one object a line for each file, in the order of the arguments. All numbers are the file's own; rigscope explain json lists the keys.";

/// What is printed as JSON.
pub(super) const JSON: [Document; 2] = [
    Document { command: "check", key: "", python: Some(("Rig.check", "findings")), shape: FindingsJson::shape },
    Document { command: "check --list-rules", key: "", python: None, shape: CodeJson::shape },
];

/// Unreadable files in a row after which a list of names is given up, as it may have no end. The help of [`CheckArgs::files_from`] states this number.
const MAX_UNREADABLE_IN_A_ROW: usize = 10_000;

/// Most files checked in parallel: more only compete for memory.
const MAX_THREADS: usize = 8;

impl CheckArgs {
    /// Checks all files and prints the findings.
    ///
    /// *Errors*: the output cannot be written. A reader that goes away, as `head` does, ends the check quietly.
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        if self.list_rules {
            return self.list_all(console);
        }
        let projects = self.projects(console)?;
        let named = self.profiles(console)?;
        let mut known = self.known()?;
        let asked = Exclusion::new(Path::new("."), self.exclude.clone());
        let mut files = Files::new(self.files.clone()).and(self.list()?).without(asked, &projects);
        let mut all: Vec<&Profile> = named.iter().collect();
        for profile in self.listed_rules() {
            all.push(profile);
        }
        let layout = Layout::new(self.format(), console, &all);
        let cache = self.opened_cache(&named, &layout, console);
        let mut printer = Printer { format: self.format(), console, profiles: &all, has_items: false };
        let mut tally = Tally::default();
        let mut found = Vec::new();
        let unreadable_in_a_row = AtomicUsize::new(0);
        let begun = printer.begin();
        let all_printed = begun.and_then(|()| {
            let check = Check {
                projects: &projects,
                filter: &self.filter,
                profiles: &named,
                at_least: self.at_least.as_deref(),
                is_question: self.is_question(),
                is_strict: self.strict,
                told: Mutex::default(),
                known: &known,
                writes_baseline: self.write_baseline.is_some(),
                updates_baseline: self.update_baseline,
                needs_spots: self.format() == Format::Sarif,
                memory: self.memory,
                layout: &layout,
                cache: cache.as_ref(),
                console,
            };
            let is_wrong = || self.files_from.is_some() && is_too_much(&unreadable_in_a_row);
            // A baseline covers all files, whoever reads the output.
            let is_unread = || console.is_closed() && self.write_baseline.is_none();
            let in_time = iter::from_fn(|| if is_wrong() || is_unread() { None } else { files.next_in_time(console) });
            self.check_all(in_time, &check, console, |Checked { name_in_baseline, summary, .. }| {
                tally.add(summary);
                count_in_a_row(&unreadable_in_a_row, summary.is_unreadable);
                found.extend(summary.known.take().map(|known| (std::mem::take(name_in_baseline), known)));
                printer.file(&summary.lines)
            })
        });
        let all_begun = self.check_list(&unreadable_in_a_row).and_then(|()| files.check_all_begun(console));
        tally.is_whole = all_begun.is_ok();
        tally.excluded = files.excluded();
        all_printed.and_then(|()| printer.end(&tally))?;
        if let Some(cache) = cache {
            close(cache, tally.files(), console);
        }
        all_begun?;
        if console.is_time_over() && tally.has_unreadable() && self.write_baseline.is_some() {
            return Err(console.not_done("the baseline, which would lack files"));
        }
        if let Some(path) = &self.write_baseline {
            for (name, forgiven) in found {
                known.insert(name, forgiven);
            }
            known.write(path)?;
            console.saved(path, "what is forgiven from now on");
        } else if let Some(path) = &self.baseline {
            self.tell_stale((path, &mut known), (found, tally.stale()), console)?;
        }
        Ok(ExitCode::from(tally.exit_code()))
    }

    /// Prints the codes that the filter leaves, and the rules of named profiles.
    ///
    /// *Errors*: the output cannot be written, or has another form than a list can have.
    fn list_all(&self, console: &Console) -> Result<ExitCode, String> {
        let named = self.profiles(console)?;
        let rules = self.filter.rules(&named);
        match self.format() {
            Format::Text => console.print(rules.iter().map(ListedRule::line)),
            Format::Json => rules.iter().try_for_each(|rule| console.print_json(&rule.json())),
            Format::Sarif | Format::Junit | Format::Github => {
                return Err("--list-rules prints text or JSON; SARIF has the rules with each check".to_owned());
            }
        }?;
        Ok(ExitCode::SUCCESS)
    }

    /// Tells what is stale in a baseline, or writes it without that.
    ///
    /// *Errors*: it cannot be written.
    fn tell_stale(
        &self,
        (path, known): (&Path, &mut KnownFindings),
        (changed, stale): (Vec<(String, Forgiven)>, usize),
        console: &Console,
    ) -> Result<(), String> {
        let missing = known.missing();
        let entries = counted(stale, "entry", "entries");
        let files = counted(missing.len(), "file that is gone", "files that are gone");
        if !self.update_baseline {
            for name in missing.iter().filter(|_| console.is_verbose()) {
                console.note(&format!("{}: {name} is gone", path.display()));
            }
            if stale + missing.len() > 0 {
                let said = "is stale: --update-baseline takes out";
                console.note(&format!("{} {said} {entries} and {files}", path.display()));
            }
            return Ok(());
        }
        if stale + missing.len() == 0 {
            console.note(&format!("{} has nothing that is stale", path.display()));
            return Ok(());
        }
        for (name, forgiven) in changed {
            known.insert(name, forgiven);
        }
        for name in missing {
            known.insert(name, Forgiven::default());
        }
        known.write(path)?;
        console.saved(path, &format!("without {entries} and {files}"));
        Ok(())
    }

    /// Checks files in parallel and passes the reports on in order.
    fn check_all(
        &self,
        inputs: impl Iterator<Item = Input> + Send,
        check: &Check<'_>,
        console: &Console,
        mut pass_on: impl FnMut(&mut Checked) -> Result<(), String> + Send,
    ) -> Result<(), String> {
        let last = Mutex::new((0, String::new()));
        let so_far = || match &*last.lock().unwrap_or_else(PoisonError::into_inner) {
            (0, _) => "Checking".to_owned(),
            (done, name) => format!("Checking: {done} done, the last {name}"),
        };
        let print = |mut file: Checked| {
            pass_on(&mut file)?;
            if let Some([opening, lint]) = file.took {
                console.took(&format!("{}: opening", file.name), opening);
                console.took(&format!("{}: lint", file.name), lint);
            }
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            *last = (last.0 + 1, file.name);
            Ok(())
        };
        console.watched("Checking", so_far, || {
            in_order::for_each(inputs, self.threads(), &|input| check.file(input), print)
        })
    }

    /// The cache, where the user wants one. What is amiss with it is told, and keeps no file from being checked.
    fn opened_cache(&self, named: &[Profile], layout: &Layout, console: &Console) -> Option<Cache> {
        // What is left out here says which files are checked, or is a part of each file's settings.
        let Self {
            files: _,
            files_from: _,
            null: _,
            exclude: _,
            config: _,
            no_config: _,
            profile: _,
            at_least,
            filter,
            baseline: _,
            write_baseline,
            update_baseline,
            strict,
            list_rules: _,
            format: _,
            json: _,
            sarif: _,
            cache,
            jobs: _,
            memory,
        } = self;
        let baseline = (write_baseline.is_some(), update_baseline);
        let question = format!("{:?}", (self.is_question(), named, at_least, filter, baseline, strict, memory, layout));
        match cache::folder(cache.as_ref()?.as_deref()) {
            Ok(folder) => Some(Cache::read(&folder, &question, |problem| console.warn(problem))),
            Err(problem) => {
                console.warn(&problem);
                None
            }
        }
    }

    /// Checks that the list of names could be read.
    ///
    /// *Errors*: it was not read to its end, in words for the user.
    fn check_list(&self, unreadable_in_a_row: &AtomicUsize) -> Result<(), String> {
        match &self.files_from {
            Some(path) if is_too_much(unreadable_in_a_row) => Err(format!(
                "{MAX_UNREADABLE_IN_A_ROW} files in a row of the list {} could not be read, and it was read no further; give a list of paths, one a line, or \
                 with -0 with a zero behind each",
                path.display()
            )),
            _ => Ok(()),
        }
    }

    fn format(&self) -> Format {
        match (self.json, self.sarif) {
            (true, _) => Format::Json,
            (_, true) => Format::Sarif,
            _ => self.format,
        }
    }

    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        self.jobs.map_or_else(cores, usize::from)
    }

    /// The settings for all files. Those named on the command line are read now, so that nothing is done if they are wrong.
    fn projects(&self, console: &Console) -> Result<Projects, String> {
        let job = || self.memory.job().with_progress(console.progress());
        match &self.config {
            Some(path) => Config::read(path, &job()).map(Projects::all_by),
            None if self.no_config => Ok(Projects::all_by(Config::default())),
            None => {
                let projects = Projects::nearest(job());
                self.files.iter().try_for_each(|source| projects.of(source.path()).map(drop))?;
                Ok(projects)
            }
        }
    }

    /// The profiles of the command line.
    fn profiles(&self, console: &Console) -> Result<Vec<Profile>, String> {
        let named: Vec<Profile> = if self.is_question() {
            profiles().to_vec()
        } else {
            self.profile.iter().map(|name| profile_of(name, Path::new(""))).collect::<Result<_, _>>()?
        };
        for profile in named.iter().filter(|_| !self.is_question()) {
            if let Some(old) = outdated(profile) {
                console.warn(&format!("profile {}: {old}", profile.name));
            }
        }
        self.at_least.as_ref().map_or(Ok(()), |rank| check_rank(rank, named.iter()))?;
        Ok(named)
    }

    /// True where the user asks what the files could be for.
    fn is_question(&self) -> bool {
        self.profile.iter().any(|name| name == "all")
    }

    /// Built-in profiles that projects may name, for the list of rules in SARIF.
    fn listed_rules(&self) -> impl Iterator<Item = &'static Profile> {
        profiles().iter().filter(|known| !self.is_question() && !self.profile.contains(&known.name))
    }

    fn known(&self) -> Result<KnownFindings, String> {
        match (&self.baseline, &self.write_baseline) {
            (Some(path), _) if self.update_baseline => KnownFindings::to_update(path),
            (Some(path), _) => KnownFindings::read(path),
            (None, Some(path)) => KnownFindings::new(path),
            (None, None) => Ok(KnownFindings::default()),
        }
    }

    /// The file with a list of names, which may be a pipe.
    fn list(&self) -> Result<Option<NameList>, String> {
        let Some(path) = &self.files_from else { return Ok(None) };
        let from: Box<dyn BufRead + Send> = if is_standard(path) {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let opened = File::open(path).map_err(|problem| format!("{} cannot be read: {problem}", path.display()))?;
            Box::new(BufReader::new(opened))
        };
        Ok(Some(NameList::new(from, if self.null { 0 } else { b'\n' })))
    }

    /// Memory limit, bytes; for tests of the options.
    #[cfg(test)]
    pub(super) fn memory_bytes(&self) -> u64 {
        self.memory.bytes()
    }
}

/// Checks the name of a profile, or the path of a file with one.
fn profile_name(name: &str) -> Result<String, String> {
    let is_path = Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"));
    if !is_path && name != "all" {
        profile(name)?;
    }
    Ok(name.to_owned())
}

/// Keeps what was found for the next run.
fn close(cache: Cache, files: usize, console: &Console) {
    console.note(&format!("{} of {} unchanged since the last check", cache.hits(), counted(files, "file", "files")));
    if let Err(problem) = cache.write() {
        console.warn(&problem);
    }
}

fn is_too_much(unreadable_in_a_row: &AtomicUsize) -> bool {
    unreadable_in_a_row.load(Ordering::Relaxed) >= MAX_UNREADABLE_IN_A_ROW
}

fn count_in_a_row(unreadable: &AtomicUsize, is_unreadable: bool) {
    let so_far = unreadable.load(Ordering::Relaxed);
    unreadable.store(if is_unreadable { so_far + 1 } else { 0 }, Ordering::Relaxed);
}
