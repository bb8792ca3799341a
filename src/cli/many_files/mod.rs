//! One subcommand over many files.
//!
//! A subcommand that takes many files is written for one file: it implements [`PerFile`], and its `run` is
//! [`run_each`]. Its arguments contain [`InputArgs`], which declares `FILE...`, `--files-from`, `--exclude` and `--jobs`
//! for all subcommands. With one file, the subcommand runs as it is. With several files, folders, patterns or a list,
//! each file is a run of the same subcommand with a copy of its arguments, in which the file and the output paths are
//! replaced:
//!
//! ```text
//! InputArgs ──> all files ──> copies of the arguments ──prepare──> results ──finish──> exit code, the worst of all
//!                             (output_pattern)       (threads)    (in order, on the calling thread)
//! ```
//!
//! [`PerFile::prepare`] runs in parallel, on [`ordered_parallel`]. [`PerFile::finish`] runs on the calling thread, in the
//! order of the files, with what all files share: the OpenGL context of `render`. Each file prints to a [`Console`] of its
//! own, whose text is passed on in the order of the files. A file that fails doesn't stop the others.
//!
//! `check` uses [`InputArgs`] and [`ordered_parallel`] too, but reads endless lists and has a cache, so that it has a run
//! of its own.

mod in_place;
mod input_args;
pub(super) mod ordered_parallel;
mod output_pattern;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use super::Console;
use super::files::Input;
use super::merged_csv::MergedCsv;
use super::results::ResultArgs;
use crate::import::Job;
use crate::project::ProjectConfigs;
use crate::stage::Source;
use crate::text::counted;
pub(super) use in_place::InPlaceArgs;
pub(super) use input_args::InputArgs;
use ordered_parallel::Threads;
use output_pattern::Outputs;
pub(super) use output_pattern::{HELP as MANY_FILES_HELP, has_placeholder};

/// An output path of a subcommand, with the option that names it.
pub(super) type OutputOption<'a> = (&'static str, &'a mut PathBuf);

/// A subcommand that runs once for each file.
pub(super) trait PerFile: Clone + Send + Sync {
    /// Result of [`Self::prepare`].
    type Prepared: Send;
    /// What the runs of all files share, such as an OpenGL context. It stays on the calling thread.
    type Shared: Default;
    /// What the subcommand does, such as "Rendering".
    const DOING: &'static str;

    /// Returns the input files.
    fn inputs(&mut self) -> &mut InputArgs;

    /// Sets the file of a run; `None` if the command line names none.
    fn set_file(&mut self, file: Option<Source>);

    /// Returns the files that a run writes; without those of [`Self::results`].
    fn outputs(&mut self) -> Vec<OutputOption<'_>> {
        Vec::new()
    }

    /// Returns the options for numbers, if the subcommand prints some.
    fn results(&mut self) -> Option<&mut ResultArgs> {
        None
    }

    /// Returns a job with the memory limit for reading config files.
    fn job(&self) -> Job;

    /// Checks combinations of options, before any file is read.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Does the part of the work that other threads may do. Writes and prints no results.
    fn prepare(&self, console: &Console) -> Result<Self::Prepared, String>;

    /// Does the rest of the work, on the calling thread: writes and prints the results.
    fn finish(
        &self,
        prepared: Self::Prepared,
        shared: &mut Self::Shared,
        console: &Console,
    ) -> Result<ExitCode, String>;

    /// Runs the subcommand for one file.
    fn run_single(&self, console: &Console) -> Result<ExitCode, String> {
        self.finish(self.prepare(console)?, &mut Self::Shared::default(), console)
    }
}

/// Runs a subcommand for each of its files. The exit code is the worst of all files.
pub(super) fn run_each<C: PerFile>(mut command: C, console: &Console) -> Result<ExitCode, String> {
    command.check()?;
    let has_pattern = command.outputs().iter().any(|(_, path)| has_placeholder(path))
        || command.results().and_then(|results| results.csv()).is_some_and(has_placeholder);
    let single = command.inputs().single().map(Option::<&Source>::cloned);
    if let Some(file) = single.filter(|file| file.is_none() || !has_pattern) {
        command.set_file(file);
        return command.run_single(console);
    }
    let inputs = all_inputs(&mut command, console)?;
    let csv = merge_csv(&mut command, &inputs)?;
    let runs = FileRun::all(&command, inputs)?;
    let done = run_files(&runs, command.inputs().threads(), console)?;
    if let Some(csv) = csv {
        csv.save(console)?;
    }
    Ok(ExitCode::from(done.code))
}

/// Returns the runs for all files, for a subcommand that combines their results.
#[cfg(feature = "gl")]
pub(super) fn runs_of_all<C: PerFile>(mut command: C, console: &Console) -> Result<Vec<FileRun<C>>, String> {
    let inputs = all_inputs(&mut command, console)?;
    FileRun::all(&command, inputs)
}

fn all_inputs(command: &mut impl PerFile, console: &Console) -> Result<Vec<Input>, String> {
    let projects = ProjectConfigs::nearest(command.job().with_progress(console.progress()));
    command.inputs().collected(&projects, console)
}

/// Replaces `--csv` by a table of all files, unless each file has a table of its own.
fn merge_csv(command: &mut impl PerFile, inputs: &[Input]) -> Result<Option<MergedCsv>, String> {
    let Some(results) = command.results() else { return Ok(None) };
    let Some(path) = results.csv().filter(|path| !has_placeholder(path)).map(Path::to_owned) else { return Ok(None) };
    let sources = inputs.iter().flatten().filter_map(Source::path);
    super::output::refuse_to_replace(&path, sources)?;
    let csv = MergedCsv::new(&path);
    results.merge_into(csv.clone());
    Ok(Some(csv))
}

/// The run of a subcommand for one file.
pub(super) struct FileRun<C> {
    pub name: String,
    /// The subcommand for this file, or why the file can't be read.
    pub command: Result<C, String>,
}

impl<C: PerFile> FileRun<C> {
    /// Returns the runs of all files. *Errors*: two runs write one file, or a run overwrites an input.
    fn all(command: &C, inputs: Vec<Input>) -> Result<Vec<Self>, String> {
        let mut command = command.clone();
        let named = command.inputs().clone();
        command.inputs().forget_others();
        let mut outputs = Outputs::default();
        let mut runs = Vec::new();
        let sources: Vec<Source> = inputs.iter().flatten().cloned().collect();
        for input in inputs {
            runs.push(match input {
                Ok(source) => Self::new(&command, source, &named, &mut outputs)?,
                Err((name, problem)) => Self { name, command: Err(problem) },
            });
        }
        outputs.check(&sources.iter().filter_map(Source::path).collect::<Vec<_>>())?;
        Ok(runs)
    }

    fn new(command: &C, source: Source, named: &InputArgs, outputs: &mut Outputs) -> Result<Self, String> {
        let mut command = command.clone();
        for (_, path) in command.outputs() {
            *path = output_pattern::expanded(path, &source, named)?;
            outputs.add(path, &source)?;
        }
        if let Some(path) = command.results().and_then(|results| results.csv_pattern()) {
            *path = output_pattern::expanded(path, &source, named)?;
            outputs.add(path, &source)?;
        }
        let name = source.full_name();
        command.set_file(Some(source));
        Ok(Self { name, command: Ok(command) })
    }

    /// Runs the parallel part. Turns a panic into an error so that the other files are still processed.
    fn prepare(&self, console: &Console) -> Result<C::Prepared, String> {
        let command = self.command.as_ref().map_err(Clone::clone)?;
        if console.is_time_over() {
            return Err(console.timeout_message("this file and all after it"));
        }
        caught(|| command.prepare(console))
    }

    fn finish(
        &self,
        prepared: Result<C::Prepared, String>,
        shared: &mut C::Shared,
        console: &Console,
    ) -> Result<ExitCode, String> {
        let (prepared, command) = (prepared?, self.command.as_ref().map_err(Clone::clone)?);
        caught(|| {
            let mut command = command.clone();
            create_folders(&mut command)?;
            command.finish(prepared, shared, console)
        })
    }
}

fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let fault = "It could not be processed because of a fault in Rigscope; please report it with the file.";
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(fault.to_owned()))
}

/// Creates the folders of a run's outputs.
fn create_folders(command: &mut impl PerFile) -> Result<(), String> {
    let csv = command.results().and_then(|results| results.csv_pattern()).map(|path| path.clone());
    let outputs: Vec<PathBuf> = command.outputs().into_iter().map(|(_, path)| path.clone()).chain(csv).collect();
    for folder in outputs.iter().filter_map(|path| path.parent()).filter(|folder| *folder != Path::new("")) {
        std::fs::create_dir_all(folder)
            .map_err(|problem| format!("The folder {} cannot be created: {problem}", folder.display()))?;
    }
    Ok(())
}

/// What is left after all runs.
pub(super) struct FinishedRuns<S> {
    pub shared: S,
    /// Why a run failed, in the order of the runs; `None` for the others.
    pub problems: Vec<Option<String>>,
    /// The worst exit code.
    pub code: u8,
}

/// Runs a subcommand for each file, and reports the errors.
pub(super) fn run_files<C: PerFile>(
    runs: &[FileRun<C>],
    threads: usize,
    console: &Console,
) -> Result<FinishedRuns<C::Shared>, String> {
    let finished = AtomicUsize::new(0);
    let so_far = || match finished.load(Ordering::Relaxed) {
        done if done < runs.len() => format!("{}: {done} of {} files, now {}", C::DOING, runs.len(), runs[done].name),
        done => format!("{}: {done} files", C::DOING),
    };
    let mut done = FinishedRuns { shared: C::Shared::default(), problems: Vec::new(), code: 0 };
    console.watched(C::DOING, so_far, || {
        prepared_in_order(runs, threads, console, |run, prepared, of_file| {
            let result = run.finish(prepared, &mut done.shared, &of_file);
            finished.fetch_add(1, Ordering::Relaxed);
            done.code = done.code.max(result.as_ref().map_or(2, |code| rank(*code)));
            done.problems.push(result.err().inspect(|problem| of_file.error(problem)));
            console.pass_on(of_file)
        })
    })?;
    let failed = done.problems.iter().flatten().count();
    if failed > 0 {
        console.note(&format!("{failed} of {} failed", counted(runs.len(), "file", "files")));
    }
    Ok(done)
}

/// Calls `finish` on this thread for each run, in order, while other threads prepare the next runs. Stops after an error
/// of `finish`, and once the reader has closed the output.
fn prepared_in_order<C: PerFile>(
    runs: &[FileRun<C>],
    threads: usize,
    console: &Console,
    mut finish: impl FnMut(&FileRun<C>, Result<C::Prepared, String>, Console) -> Result<(), String>,
) -> Result<(), String> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        let prepare = |run: &FileRun<C>| {
            let of_file = console.for_file(&run.name);
            let prepared = run.prepare(&of_file);
            (prepared, of_file)
        };
        scope.spawn(move || {
            let threads = Threads { count: threads, waiting: 2 };
            let stopped = |_| "the run has ended".to_owned();
            // Fails only if the receiver has ended, which reports its own error.
            let _ =
                ordered_parallel::for_each(runs.iter(), threads, &prepare, |done| sender.send(done).map_err(stopped));
        });
        for (run, (prepared, of_file)) in runs.iter().zip(receiver) {
            finish(run, prepared, of_file)?;
            if console.is_closed() {
                break;
            }
        }
        Ok(())
    })
}

/// Returns the number of an exit code: 0, 1, or 2 for any other.
fn rank(code: ExitCode) -> u8 {
    [0, 1].into_iter().find(|known| code == ExitCode::from(*known)).unwrap_or(2)
}
