use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::Console;
use super::super::files::{Input, InputFiles, NameList, is_pattern, source};
use crate::files::{Exclusion, Glob, is_standard};
use crate::project::ProjectConfigs;
use crate::stage::Source;

/// The files of a subcommand that takes many files, and how many of them are processed in parallel.
#[derive(Args, Clone, Debug, Default)]
pub(in super::super) struct InputArgs {
    /// glTF, GLB, VRM or FBX files, folders of them, patterns such as 'models/**/*.glb', or builtin:NAME
    #[arg(required_unless_present = "files_from", value_parser = source(), value_name = "FILE")]
    pub files: Vec<Source>,

    /// Also take the files listed in LIST, one per line; - is standard input
    ///
    /// Reading stops after 10000 unreadable files in a row.
    #[arg(long, value_name = "LIST", help_heading = HEADING)]
    pub files_from: Option<PathBuf>,

    /// Names in LIST are separated by NUL bytes, as written by git ls-files -z
    #[arg(short = '0', long, requires = "files_from", help_heading = HEADING)]
    pub(super) null: bool,

    /// Leave out files and folders by a pattern, such as '*.wip.glb' or old/ (repeatable)
    #[arg(long, value_name = "GLOB", value_parser = Glob::new, help_heading = HEADING)]
    pub(super) exclude: Vec<Glob>,

    /// Files to process in parallel [default: number of cores, at most 8]
    #[arg(short, long, value_name = "N", help_heading = HEADING)]
    pub(super) jobs: Option<NonZeroUsize>,

    /// True in the run of one file of many.
    #[arg(skip)]
    pub(super) is_one_of_many: bool,
}

const HEADING: &str = "Many files";

/// Maximum number of files to process in parallel by default; more would exhaust memory rather than save time.
const MAX_THREADS: usize = 8;

impl InputArgs {
    /// Returns the number of threads that process files.
    pub(in super::super) fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        self.jobs.map_or_else(cores, usize::from)
    }

    /// Returns an iterator over the input files, without those that `--exclude` or a config excludes. *Errors*: the
    /// list of files can't be read.
    pub(in super::super) fn input_files<'a>(&self, projects: &'a ProjectConfigs) -> Result<InputFiles<'a>, String> {
        let asked = Exclusion::new(Path::new("."), self.exclude.clone());
        Ok(InputFiles::new(self.files.clone()).and(self.list()?).without(asked, projects))
    }

    /// Returns the only file if the command line names one file rather than several files, a folder, a pattern or a
    /// list; the inner `None` means that it names none.
    #[expect(clippy::option_option, reason = "no file is another case than several files")]
    pub(in super::super) fn single(&self) -> Option<Option<&Source>> {
        let is_single = |source: &Source| source.path().is_none_or(|path| !path.is_dir() && !is_pattern(path));
        match &self.files[..] {
            _ if self.files_from.is_some() || self.is_one_of_many => None,
            [] => Some(None),
            [source] if is_single(source) => Some(Some(source)),
            _ => None,
        }
    }

    /// Removes the files of other runs from the arguments of a run, which would otherwise be copied for each file.
    pub(in super::super) fn forget_others(&mut self) {
        self.files.clear();
        self.is_one_of_many = true;
    }

    /// Returns all input files. *Errors*: the list of files can't be read, or the time limit has passed.
    pub(in super::super) fn collected(
        &self,
        projects: &ProjectConfigs,
        console: &Console,
    ) -> Result<Vec<Input>, String> {
        let mut files = self.input_files(projects)?;
        let mut found = Vec::new();
        while let Some(input) = files.next_in_time(console) {
            found.push(input);
            if found.len() > MAX_FILES {
                return Err(format!("There are more than {MAX_FILES} files. Give fewer at once."));
            }
        }
        files.check_all_begun(console)?;
        Ok(found)
    }

    /// Returns the folder of a file relative to the folder that the command line names, or relative to the working
    /// folder. Empty for files elsewhere.
    pub(in super::super) fn folder_of(&self, path: &Path) -> PathBuf {
        let folder = path.parent().unwrap_or(Path::new(""));
        let named = self.files.iter().filter_map(Source::path).find_map(|named| folder.strip_prefix(named).ok());
        let names = named.unwrap_or(folder).components();
        let is_below = |part: &std::path::Component<'_>| {
            matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir)
        };
        if names.clone().all(|part| is_below(&part)) { names.collect() } else { PathBuf::new() }
    }

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
}

/// Maximum number of files whose names fit in memory.
const MAX_FILES: usize = 1_000_000;
