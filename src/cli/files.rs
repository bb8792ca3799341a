//! Input files given as paths, folders, lists and names of built-in characters.

use std::ffi::OsStr;
use std::io::{BufRead, Read as _};
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use clap::builder::{OsStringValueParser, TypedValueParser};

use super::Console;
use crate::files::{Exclusion, Glob, WalkEntry, is_pipe, is_standard, os_string};
use crate::import::format::{endings_in_words, has_known_ending};
use crate::project::ProjectConfigs;
use crate::stage::Source;

/// Returns a parser for a path (not necessarily UTF-8) or the name of a built-in character.
pub(super) fn source() -> impl TypedValueParser<Value = Source> {
    OsStringValueParser::new().try_map(Source::parse)
}

/// A file to open, or its name and why it can't be opened.
pub(super) type Input = Result<Source, (String, String)>;

/// Iterator over input files, in the order of the arguments and sorted by name within folders. A folder is read only
/// when its turn comes.
pub(super) struct InputFiles<'a> {
    /// Remaining inputs; the next input is last.
    pending: Vec<Pending>,
    /// Skipped pipes that have not been reported yet.
    left_out: Vec<PathBuf>,
    exclusions: Option<Exclusions<'a>>,
    /// Excluded paths that have not been reported yet.
    excluded: Vec<PathBuf>,
    excluded_count: usize,
}

struct Exclusions<'a> {
    /// Patterns from the command line. They apply to all files, even to files named on the command line.
    asked: Exclusion,
    /// Configs. Their patterns apply to files from folders and lists.
    projects: &'a ProjectConfigs,
}

enum Pending {
    /// A file or folder, and whether the command line names it.
    Named(Source, bool),
    InFolder(PathBuf, Arc<Root>),
    Listed(NameList),
}

struct Root {
    named: PathBuf,
    /// The folder with symbolic links resolved.
    path: PathBuf,
    /// True if the command line names the folder.
    is_wanted: bool,
}

impl Root {
    fn new(folder: &Path, is_wanted: bool) -> Self {
        let named = if folder == Path::new("") { Path::new(".") } else { folder };
        let path = named.canonicalize().unwrap_or_else(|_| named.to_owned());
        Self { named: folder.to_owned(), path, is_wanted }
    }
}

/// A list of file names, each terminated by `end` (a line feed or NUL).
pub(super) struct NameList {
    from: Box<dyn BufRead + Send>,
    end: u8,
}

impl NameList {
    /// Maximum length of a name, bytes; longer than any path that a system allows.
    const MAX_BYTES: u64 = 1 << 16;
    /// Maximum number of consecutive empty names. A device may return zeros forever.
    const MAX_EMPTY: usize = 1 << 16;

    pub(super) fn new(from: Box<dyn BufRead + Send>, end: u8) -> Self {
        Self { from, end }
    }

    /// Returns the next name, skipping empty names. Reports a read error of the list once.
    fn next_name(&mut self) -> Option<Input> {
        let mut name = Vec::new();
        let mut empty = 0;
        while name.is_empty() {
            let read = self.read_name(&mut name)?;
            empty += 1;
            if let Err(problem) = read.and_then(|()| Self::refuse_empty(empty)) {
                self.from = Box::new(std::io::empty());
                return Some(Err(("the list of files".to_owned(), problem)));
            }
        }
        let text = os_string(name);
        Some(Source::parse(&text).map_err(|problem| (text.to_string_lossy().into_owned(), problem)))
    }

    fn refuse_empty(in_a_row: usize) -> Result<(), String> {
        let problem =
            || format!("It has {} empty names in a row; give a list of paths, or the folder itself.", Self::MAX_EMPTY);
        if in_a_row > Self::MAX_EMPTY { Err(problem()) } else { Ok(()) }
    }

    /// Reads a name without its end byte. Returns `None` after the last name.
    fn read_name(&mut self, name: &mut Vec<u8>) -> Option<Result<(), String>> {
        match self.from.by_ref().take(Self::MAX_BYTES).read_until(self.end, name) {
            Ok(0) => return None,
            Ok(read) if read as u64 == Self::MAX_BYTES => {
                let problem =
                    "A name in it is longer than 64 KiB; end names with line feeds, or with -0 with NUL bytes.";
                return Some(Err(problem.to_owned()));
            }
            Ok(_) => {}
            Err(problem) => return Some(Err(format!("It cannot be read: {problem}."))),
        }
        name.pop_if(|last| *last == self.end);
        // Windows also puts a carriage return at line ends.
        name.pop_if(|last| self.end == b'\n' && *last == b'\r');
        Some(Ok(()))
    }
}

impl<'a> InputFiles<'a> {
    pub(super) fn new(named: Vec<Source>) -> Self {
        Self {
            pending: named.into_iter().rev().map(|source| Pending::Named(source, true)).collect(),
            left_out: Vec::new(),
            exclusions: None,
            excluded: Vec::new(),
            excluded_count: 0,
        }
    }

    /// Excludes files that match the patterns from the command line. Files in folders and lists are also excluded if
    /// they match the patterns of configs.
    #[must_use]
    pub(super) fn without(self, asked: Exclusion, projects: &'a ProjectConfigs) -> Self {
        Self { exclusions: Some(Exclusions { asked, projects }), ..self }
    }

    #[must_use]
    pub(super) fn and(mut self, list: Option<NameList>) -> Self {
        self.pending.splice(0..0, list.map(Pending::Listed));
        self
    }

    /// Returns the next file, or `None` once the time limit has passed.
    pub(super) fn next_in_time(&mut self, console: &Console) -> Option<Input> {
        while !console.is_time_over() {
            let step = self.step();
            for path in self.excluded.drain(..).filter(|_| console.is_verbose()) {
                console.note(&format!("{} is excluded", full_name(&path)));
            }
            for path in self.left_out.drain(..) {
                console.note(&format!(
                    "{} is a named pipe and was left out; name it itself to have it read",
                    full_name(&path)
                ));
            }
            if let ControlFlow::Break(file) = step {
                return file;
            }
        }
        None
    }

    /// Fails if files are left unchecked because of the time limit. The error names the first such file.
    pub(super) fn check_all_begun(&mut self, console: &Console) -> Result<(), String> {
        let next = if console.is_time_over() { self.next() } else { None };
        next.map_or(Ok(()), |input| {
            let name = input.map_or_else(|(name, _)| name, |source| source.full_name());
            Err(console.timeout_message(&format!("{name} and all files after it")))
        })
    }

    /// Returns the number of excluded files and folders. An excluded folder counts as one.
    pub(super) fn excluded(&self) -> usize {
        self.excluded_count
    }

    /// Returns true if a path is excluded, and records the path.
    fn excludes(&mut self, path: &Path, root: &Root, is_folder: bool, is_named: bool) -> bool {
        let Some(Exclusions { asked, projects }) = &self.exclusions else { return false };
        let below = path.strip_prefix(&root.named).unwrap_or(path);
        let step = WalkEntry { root: &root.path, below, is_folder, is_root_wanted: root.is_wanted };
        let is_excluded = asked.excludes(WalkEntry { is_root_wanted: false, ..step })
            || !(is_named && root.is_wanted) && projects.excludes(step);
        if is_excluded {
            self.excluded.push(path.to_owned());
            self.excluded_count += 1;
        }
        is_excluded
    }

    fn named(&mut self, path: PathBuf, is_wanted: bool) -> Option<Input> {
        let is_folder = path.is_dir();
        if is_folder || self.exclusions.is_some() && !is_standard(&path) {
            let folder = if is_folder { &path } else { path.parent().unwrap_or(Path::new("")) };
            let root = Arc::new(Root::new(folder, is_wanted));
            if self.excludes(&path, &root, is_folder, true) {
                return None;
            }
            if is_folder {
                return self.enter(&path, &root, true);
            }
        }
        Some(Ok(Source::File(path)))
    }

    /// Returns the subfolders and rigs in a folder, sorted by name. Skips links to folders, which may form cycles, and
    /// pipes, which may block forever.
    fn entries(&mut self, folder: &Path) -> std::io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() || (has_known_ending(&path) && path.is_file()) {
                found.push(path);
            } else if has_known_ending(&path) && is_pipe(&path) {
                self.left_out.push(path);
            }
        }
        found.sort();
        Ok(found)
    }

    /// Queues the contents of a folder. Returns an error if the folder is unreadable, or if it has no rigs and the
    /// command line names it.
    fn enter(&mut self, folder: &Path, root: &Arc<Root>, is_named: bool) -> Option<Input> {
        match self.entries(folder) {
            Ok(found) if found.is_empty() && is_named => {
                let problem = format!("There is no {} file in this folder.", endings_in_words());
                Some(Err((full_name(folder), problem)))
            }
            Ok(found) => {
                let found = found.into_iter().rev().map(|path| Pending::InFolder(path, Arc::clone(root)));
                self.pending.extend(found);
                None
            }
            Err(problem) => Some(Err((full_name(folder), format!("The folder cannot be read: {problem}.")))),
        }
    }

    /// Queues the files and folders that match a pattern such as `models/**/*.glb`, for shells that don't expand
    /// patterns. Returns an error if there are none.
    fn matching(&mut self, pattern: &Path) -> Option<Input> {
        let failed = |problem: String| Some(Err((full_name(pattern), problem)));
        let is_plain = |part: &Component<'_>| !has_wildcard(part.as_os_str());
        let folder: PathBuf = pattern.components().take_while(is_plain).collect();
        let below = pattern.components().skip_while(is_plain).map(|part| part.as_os_str().to_string_lossy());
        // A leading slash makes a pattern of one name match only in this folder.
        let glob = match Glob::new(&format!("/{}", below.collect::<Vec<_>>().join("/"))) {
            Ok(glob) => glob,
            Err(problem) => return failed(format!("There is no such file, and as a pattern, {problem}.")),
        };
        let (mut found, mut folders) = (Vec::new(), vec![(folder, Vec::new())]);
        while let Some((folder, names)) = folders.pop() {
            let readable = if folder == Path::new("") { Path::new(".") } else { &folder };
            let Ok(entries) = self.entries(readable) else { continue };
            for path in entries {
                let path = folder.join(path.file_name().unwrap_or_default());
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let names = [names.as_slice(), &[name]].concat();
                let is_folder = path.is_dir();
                if glob.fits(&names, is_folder) {
                    found.push(path);
                } else if is_folder {
                    folders.push((path, names));
                }
            }
        }
        if found.is_empty() {
            return failed(format!("No {} file matches this pattern.", endings_in_words()));
        }
        found.sort();
        self.pending.extend(found.into_iter().rev().map(|path| Pending::Named(Source::File(path), false)));
        None
    }

    fn in_folder(&mut self, path: PathBuf, root: &Arc<Root>) -> Option<Input> {
        let is_folder = path.is_dir();
        if self.excludes(&path, root, is_folder, false) {
            None
        } else if is_folder {
            self.enter(&path, root, false)
        } else {
            Some(Ok(Source::File(path)))
        }
    }

    /// Processes the next input. Breaks with a file to return, or with `None` after the last input.
    fn step(&mut self) -> ControlFlow<Option<Input>> {
        let Some(next) = self.pending.pop() else { return ControlFlow::Break(None) };
        let file = match next {
            Pending::Listed(mut list) => {
                let next = list.next_name();
                if next.is_some() {
                    self.pending.push(Pending::Listed(list));
                }
                match next {
                    Some(Ok(Source::File(path))) if path.as_os_str().is_empty() => None,
                    Some(Ok(source)) => {
                        self.pending.push(Pending::Named(source, false));
                        None
                    }
                    unreadable_or_end => unreadable_or_end,
                }
            }
            Pending::Named(Source::File(path), _) if is_pattern(&path) => self.matching(&path),
            Pending::Named(Source::File(path), is_wanted) => self.named(path, is_wanted),
            Pending::Named(source, _) => Some(Ok(source)),
            Pending::InFolder(path, root) => self.in_folder(path, &root),
        };
        file.map_or(ControlFlow::Continue(()), |file| ControlFlow::Break(Some(file)))
    }
}

impl Iterator for InputFiles<'_> {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        loop {
            if let ControlFlow::Break(file) = self.step() {
                return file;
            }
        }
    }
}

fn has_wildcard(name: &OsStr) -> bool {
    name.to_string_lossy().contains(['*', '?', '[', '{'])
}

/// Returns whether a path is a pattern: it has wildcards, and no such file exists.
pub(super) fn is_pattern(path: &Path) -> bool {
    has_wildcard(path.as_os_str()) && path.symlink_metadata().is_err()
}

fn full_name(folder: &Path) -> String {
    Source::File(folder.to_owned()).full_name()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_empty_names_is_reported_once() {
        let list = |bytes: Box<dyn std::io::Read + Send>| NameList::new(Box::new(std::io::BufReader::new(bytes)), 0);
        let files: Vec<Input> = InputFiles::new(Vec::new()).and(Some(list(Box::new(std::io::repeat(0))))).collect();
        let [Err((of, problem))] = &files[..] else { panic!("{} files", files.len()) };
        assert_eq!((of.as_str(), problem.contains("65536 empty names")), ("the list of files", true), "{problem}");
        let few = [&[0; 9], &b"builtin:figure"[..], &[0; 3]].concat();
        assert_eq!(InputFiles::new(Vec::new()).and(Some(list(Box::new(std::io::Cursor::new(few))))).count(), 1);
    }
}
