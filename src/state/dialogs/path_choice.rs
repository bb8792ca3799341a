//! Asks the user for a path: with the desktop's dialog or, if there is none, with a field in the window.

use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use crate::files::{FolderEntry, list};
use crate::state::document::open::suggested_name;
use crate::state::path_use::PathUseKind;
use crate::state::{Command, DiskJob, JobResult, OpenDocument, PathUse, Request, WindowRequest};

impl PathUse {
    fn ending(self) -> Option<&'static str> {
        if let PathUseKind::Save { ending, .. } = self.spec().kind { Some(ending) } else { None }
    }

    /// Returns why a path cannot be used; `None` if it can. `kind` is the kind of entry at the path.
    fn refusal(self, path: &Path, replaces: bool, kind: Result<PathKind, String>) -> Option<PathRefusal> {
        let problem = |text: String| Some(PathRefusal::Problem(text));
        let shown = path.display();
        let is_a_place = !matches!(kind, Ok(PathKind::Folder) | Err(_));
        let (named, makes_its_folder) = match self.spec().kind {
            PathUseKind::Save { check_name, makes_folder, .. } if is_a_place => (check_name(path), makes_folder),
            _ => (Ok(()), false),
        };
        let kind = kind.map_err(|text| format!("{shown} cannot be read: {text}."));
        match (named.and(kind), self.is_saving()) {
            (Ok(PathKind::File), false) | (Ok(PathKind::Nothing), true) => None,
            (Ok(PathKind::NoFolder), true) if makes_its_folder => None,
            (Ok(PathKind::File), true) => (!replaces).then_some(PathRefusal::Exists),
            (Ok(PathKind::Folder), _) => problem(format!("{shown} is a folder; add the name of a file.")),
            (Ok(PathKind::Nothing), false) => problem(format!("{shown} does not exist.")),
            (Ok(PathKind::NoFolder), _) => {
                let folder = path.parent().unwrap_or(path);
                problem(format!("There is no folder {}.", folder.display()))
            }
            (Err(text), _) => problem(text),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct PathQuestion {
    pub purpose: PathUse,
    /// Initial folder: the last one used.
    pub folder: PathBuf,
    /// Suggested file name; empty when opening a file.
    pub name: String,
}

#[derive(Clone, Debug)]
pub enum PathCommand {
    /// Asks for a path with a field in the window.
    Ask(PathQuestion),
    List(PathBuf),
    /// Checks a path and uses it if it is valid.
    Choose {
        /// Absolute path.
        path: PathBuf,
        /// True to overwrite an existing file.
        replaces: bool,
    },
    /// Uses the path from the desktop's dialog.
    Answered(PathUse, PathBuf),
    /// Closes the question without a path.
    Cancel,
}

#[derive(Clone, Debug)]
pub struct PathPrompt {
    pub question: PathQuestion,
    pub listing: Option<FolderListing>,
    /// The last path that could not be used, and why.
    pub refused: Option<(PathBuf, PathRefusal)>,
}

/// Entries of a folder, or why it cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct FolderListing {
    pub folder: PathBuf,
    pub entries: Result<Vec<FolderEntry>, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathRefusal {
    /// A file exists at the path and would be overwritten.
    Exists,
    /// A message for the user.
    Problem(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A file, a pipe or a device.
    File,
    Folder,
    /// No entry, in an existing folder.
    Nothing,
    /// No entry, in a folder that does not exist.
    NoFolder,
}

impl PathKind {
    /// Looks up the kind of entry at a path. Blocks on file access. *Errors*: the path cannot be accessed.
    pub(in crate::state) fn from_path(path: &Path) -> io::Result<Self> {
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => Ok(Self::Folder),
            Ok(_) => Ok(Self::File),
            Err(problem) if matches!(problem.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(if path.parent().is_some_and(Path::is_dir) { Self::Nothing } else { Self::NoFolder })
            }
            Err(problem) => Err(problem),
        }
    }
}

impl PathQuestion {
    pub fn text(&self) -> String {
        let folder = self.folder.display().to_string();
        let end = if folder.ends_with(MAIN_SEPARATOR) { "" } else { std::path::MAIN_SEPARATOR_STR };
        format!("{folder}{end}{}", self.name)
    }

    /// Resolves a typed path. `~` stands for the user's home folder; relative paths are relative to the question's
    /// folder.
    pub fn path(&self, text: &str) -> PathBuf {
        let text = text.trim();
        let home = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(std::path::is_separator));
        match home.zip(std::env::home_dir()) {
            Some((rest, home)) => home.join(rest.trim_start_matches(std::path::is_separator)),
            None => self.folder.join(text),
        }
    }
}

impl FolderListing {
    pub(in crate::state) fn new(folder: PathBuf) -> Self {
        let entries = list(&folder).map_err(|problem| format!("{} cannot be listed: {problem}.", folder.display()));
        Self { folder, entries }
    }
}

#[derive(Debug, Default)]
pub struct Paths {
    pub prompt: Option<PathPrompt>,
    last_folder: Option<PathBuf>,
}

impl Paths {
    pub(in crate::state) fn ask(&self, purpose: PathUse, open: &OpenDocument, recent_files: &[PathBuf]) -> Request {
        let folder = self.last_folder.clone().or_else(|| default_folder(open, recent_files));
        let folder = folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        let name = purpose.ending().map(|ending| suggested_name(&open.stage, purpose, ending)).unwrap_or_default();
        WindowRequest::PickPath(PathQuestion { purpose, folder, name }).into()
    }

    pub(in crate::state) fn ask_in_window(&mut self, question: PathQuestion) {
        self.prompt = Some(PathPrompt { question, listing: None, refused: None });
    }

    /// Closes the question and returns the command that uses the path.
    pub(in crate::state) fn used(&mut self, purpose: PathUse, path: PathBuf) -> Command {
        self.prompt = None;
        self.last_folder = path.parent().map(Path::to_owned).or(self.last_folder.take());
        Command::UsePath(purpose, path)
    }

    pub(in crate::state) fn listed(&mut self, listing: FolderListing) {
        if let Some(prompt) = &mut self.prompt {
            prompt.listing = Some(listing);
        }
    }

    /// Handles the result of checking a path. Returns the command that uses the path, or shows why the path cannot be
    /// used.
    pub(in crate::state) fn seen(
        &mut self,
        path: PathBuf,
        replaces: bool,
        kind: Result<PathKind, String>,
    ) -> Option<Command> {
        let prompt = self.prompt.as_mut()?;
        let purpose = prompt.question.purpose;
        if let Some(refusal) = purpose.refusal(&path, replaces, kind) {
            prompt.refused = Some((path, refusal));
            return None;
        }
        Some(self.used(purpose, path))
    }
}

fn default_folder(open: &OpenDocument, recent_files: &[PathBuf]) -> Option<PathBuf> {
    let parent = |path: &Path| std::path::absolute(path).ok()?.parent().map(Path::to_owned);
    let open = open.stage.document.source.path().and_then(parent);
    open.or_else(|| recent_files.first().and_then(|path| parent(path)))
}

impl DiskJob {
    /// Runs [`DiskJob::CheckPath`]. Blocks on file access.
    pub(in crate::state) fn look_at(path: PathBuf, replaces: bool) -> JobResult {
        let kind = PathKind::from_path(&path).map_err(|problem| problem.to_string());
        JobResult::PathChecked { path, replaces, kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_means_a_path_from_a_root_from_home_or_from_the_folder() {
        let folder = std::env::temp_dir();
        let question =
            PathQuestion { purpose: PathUse::SavePose, folder: folder.clone(), name: "figure.pose.json".to_owned() };
        assert_eq!(question.path(&question.text()), folder.join("figure.pose.json"));
        assert_eq!(question.path(" a/b.json "), folder.join("a/b.json"));
        assert_eq!(question.path("~x"), folder.join("~x"));
        let home = std::env::home_dir().unwrap();
        assert_eq!(question.path("~/a.json"), home.join("a.json"));
        assert_eq!(question.path("~"), home);
        let absolute = folder.join("deep").join("c.json");
        assert_eq!(question.path(&absolute.display().to_string()), absolute);
    }

    #[test]
    fn kind_of_a_path_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.json");
        std::fs::write(&file, "").unwrap();
        let kind = |path: &Path| PathKind::from_path(path).unwrap();
        assert_eq!(kind(&file), PathKind::File);
        assert_eq!(kind(folder.path()), PathKind::Folder);
        assert_eq!(kind(&folder.path().join("b.json")), PathKind::Nothing);
        assert_eq!(kind(&folder.path().join("no/b.json")), PathKind::NoFolder);
        assert_eq!(kind(&file.join("b.json")), PathKind::NoFolder);
    }
}
