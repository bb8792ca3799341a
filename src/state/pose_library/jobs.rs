//! Changes of a pose library's files, and what follows from them.

use std::path::{Path, PathBuf};

use super::files::{self, Written};
use super::{LibraryCommand, OpenDocument, PoseListing, Removed};
use crate::export::PoseFile;
use crate::rig::{Pose, Rig};
use crate::state::save::disk::Saved;
use crate::state::{AppState, DiskJob, Notice, NoticeKind, Request, name_problem};
use std::sync::Arc;

/// A change of a file in a pose library.
#[derive(Clone, Debug, PartialEq)]
pub enum LibraryJob {
    /// Writes a pose into the first folder that takes it; one of that name goes to the trash.
    Save {
        /// The best place first.
        folders: Vec<PathBuf>,
        /// Without its ending.
        name: String,
        /// The pose.
        file: PoseFile,
        /// What will be safe then.
        saved: Saved,
    },
    /// Writes a pose in place of another, which goes to the trash.
    SaveOver {
        /// The file of the other.
        path: PathBuf,
        /// The pose.
        file: PoseFile,
        /// What will be safe then.
        saved: Saved,
    },
    /// Gives a pose another name.
    Rename(PathBuf, String),
    /// Moves a pose to the trash.
    Delete(PathBuf),
    /// Moves a pose out of the trash to where it was.
    Restore(Removed),
}

/// What came of a change of a pose library.
#[derive(Debug)]
pub enum LibraryDone {
    /// A pose is in the library.
    Saved {
        /// Its file.
        path: PathBuf,
        /// Where in the trash the one is that was there before.
        replaced: Option<PathBuf>,
        /// What is safe now.
        saved: Box<Saved>,
    },
    /// A pose has another name: its file now.
    Renamed(PathBuf),
    /// A pose is in the trash.
    Deleted {
        /// Where it was.
        path: PathBuf,
        /// Where it is.
        trashed: PathBuf,
    },
    /// A pose is back, or not: why, in words for the user.
    Restored(Result<(), String>),
    /// Nothing was changed: why, in words for the user.
    Failed(String),
}

impl LibraryJob {
    /// Changes the files of the library, on this thread.
    pub fn run(self) -> LibraryDone {
        self.tried().unwrap_or_else(LibraryDone::Failed)
    }

    fn tried(self) -> Result<LibraryDone, String> {
        let saved = |name: &str, written: std::io::Result<Written>, saved| match written {
            Ok(Written { path, replaced }) => Ok(LibraryDone::Saved { path, replaced, saved: Box::new(saved) }),
            Err(problem) => Err(format!("The pose {name} was not saved in the library: {problem}.")),
        };
        match self {
            Self::Save { folders, name, file, saved: work } => saved(&name, files::save(&folders, &name, &file), work),
            Self::SaveOver { path, file, saved: work } => {
                saved(&files::stem(&path), files::save_as(&path, &file), work)
            }
            Self::Rename(path, name) => files::rename(&path, &name)
                .map(LibraryDone::Renamed)
                .map_err(|e| format!("{} was not renamed: {e}.", files::stem(&path))),
            Self::Delete(path) => match files::move_to_trash(&path) {
                Ok(trashed) => Ok(LibraryDone::Deleted { path, trashed }),
                Err(e) => Err(format!("{} was not deleted: {e} ({})", files::stem(&path), path.display())),
            },
            Self::Restore(removed) => Ok(LibraryDone::Restored(restore(&removed))),
        }
    }
}

fn restore(Removed { name, is_replaced, path, trashed }: &Removed) -> Result<(), String> {
    // What took its place goes to the trash in turn: it may be in no other file.
    let cleared = if *is_replaced && path.exists() { files::move_to_trash(path).map(drop) } else { Ok(()) };
    cleared
        .and_then(|()| files::move_to_free(trashed, path))
        .map_err(|problem| format!("{name} was not put back: {problem}. It is still there as {}.", trashed.display()))
}

impl OpenDocument {
    fn saved_now(&self) -> Saved {
        Saved::now(self)
    }

    fn trashed(&mut self, path: &Path, trashed: PathBuf, is_replaced: bool) {
        let (name, path) = (files::stem(path), path.to_owned());
        self.library.removed = Some(Removed { name, is_replaced, path, trashed });
    }
}

impl AppState {
    pub(in crate::state) fn library_command(&mut self, command: LibraryCommand) -> Option<Request> {
        match command {
            LibraryCommand::Select(path) => self.open.library.selected = path,
            LibraryCommand::Name(naming) => self.open.library.naming = naming,
            LibraryCommand::Save(name) => return self.save_to_library(name),
            LibraryCommand::SaveOver(path) => {
                return Some(library(LibraryJob::SaveOver {
                    path,
                    file: self.open.pose_file(),
                    saved: self.open.saved_now(),
                }));
            }
            LibraryCommand::Rename(path, name) => match name_problem(&name) {
                Some(problem) => self.fail(format!("{} was not renamed: {problem}", files::stem(&path))),
                None => return Some(library(LibraryJob::Rename(path, name))),
            },
            LibraryCommand::Delete(path) => return Some(library(LibraryJob::Delete(path))),
            LibraryCommand::Restore => {
                let removed = self.open.library.removed.take()?;
                if removed.is_replaced {
                    self.open.saved.pose = Pose::rest(&self.open.document.rig.hierarchy);
                }
                return Some(library(LibraryJob::Restore(removed)));
            }
            LibraryCommand::DismissRemoved => self.open.library.removed = None,
            LibraryCommand::Blend { path, share, part } => self.blend_to_library(&path, share, part),
        }
        None
    }

    fn save_to_library(&mut self, name: String) -> Option<Request> {
        if let Some(problem) = name_problem(&name) {
            self.fail(format!("The pose was not saved. {problem}"));
            return None;
        }
        let folders = self.open.library.folders.clone();
        Some(library(LibraryJob::Save { folders, name, file: self.open.pose_file(), saved: self.open.saved_now() }))
    }

    /// Takes the poses of the open character; those of another are dropped.
    pub(in crate::state) fn poses_listed(&mut self, rig: &Arc<Rig>, listing: PoseListing) {
        if self.open.is_of_open(rig) {
            self.open.library.listing = Some(listing);
        }
    }

    /// A change of the library is done: what is listed is old then.
    pub(in crate::state) fn library_done(&mut self, done: LibraryDone) -> Option<Request> {
        match done {
            LibraryDone::Saved { path, replaced, saved } => self.was_saved(&path, replaced, *saved),
            LibraryDone::Renamed(path) => {
                self.open.library.naming = None;
                self.open.library.selected = Some(path);
            }
            LibraryDone::Deleted { path, trashed } => {
                self.open.library.selected = None;
                self.open.trashed(&path, trashed, false);
            }
            LibraryDone::Restored(result) => {
                self.open.library.blend = None;
                if let Err(problem) = result {
                    self.fail(problem);
                }
            }
            LibraryDone::Failed(problem) => {
                self.fail(problem);
                return None;
            }
        }
        Some(Request::ListPoses)
    }

    fn was_saved(&mut self, path: &Path, replaced: Option<PathBuf>, saved: Saved) {
        self.pose_is_kept(saved);
        // A card of before may hold another pose now.
        self.open.library.blend = None;
        self.open.library.naming = None;
        self.open.library.selected = Some(path.to_owned());
        if let Some(trashed) = replaced {
            self.open.trashed(path, trashed, true);
        } else {
            let text = format!("The pose was saved as {}.", path.display());
            self.notice = Some(Notice { kind: NoticeKind::Done, text });
        }
    }
}

fn library(job: LibraryJob) -> Request {
    Request::Disk(DiskJob::Library(Box::new(job)))
}
