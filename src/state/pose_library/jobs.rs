use std::path::{Path, PathBuf};

use super::files::{self, SavedPoseFile};
use super::{LibraryCommand, OpenDocument, PoseLibrary, PoseListing, RemovedPose};
use crate::export::PoseFile;
use crate::posing::MirrorPlane;
use crate::rig::{Pose, Rig};
use crate::stage::Stage;
use crate::state::pose_library::pose_file;
use crate::state::save::disk::SavedFile;
use crate::state::{DiskJob, Notice, Request, name_problem};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum LibraryJob {
    /// Writes a pose into the first writable folder. Moves an existing pose with the same name to the trash.
    Save {
        /// Folders by descending preference.
        folders: Vec<PathBuf>,
        /// File name without extension.
        name: String,
        file: PoseFile,
        saved: SavedFile,
    },
    /// Replaces a pose. Moves the old file to the trash.
    SaveOver {
        path: PathBuf,
        file: PoseFile,
        saved: SavedFile,
    },
    Rename(PathBuf, String),
    /// Moves a pose to the trash.
    Delete(PathBuf),
    /// Moves a pose from the trash back to its folder.
    Restore(RemovedPose),
}

#[derive(Debug)]
pub enum LibraryDone {
    Saved {
        path: PathBuf,
        /// Path of the replaced pose in the trash.
        replaced: Option<PathBuf>,
        saved: Box<SavedFile>,
    },
    /// New path of the pose.
    Renamed(PathBuf),
    Deleted {
        /// Former path.
        path: PathBuf,
        trashed: PathBuf,
    },
    /// A pose was restored, or an error message if restoring it failed.
    Restored(Result<(), String>),
    /// The job failed and changed nothing; contains the error message.
    Failed(String),
}

impl LibraryJob {
    /// Runs the job. Blocks on file access.
    pub fn run(self) -> LibraryDone {
        self.tried().unwrap_or_else(LibraryDone::Failed)
    }

    fn tried(self) -> Result<LibraryDone, String> {
        let saved = |name: &str, written: std::io::Result<SavedPoseFile>, saved| match written {
            Ok(SavedPoseFile { path, replaced }) => Ok(LibraryDone::Saved { path, replaced, saved: Box::new(saved) }),
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

fn restore(RemovedPose { name, is_replaced, path, trashed }: &RemovedPose) -> Result<(), String> {
    // If another pose was saved at the path in the meantime, moves that pose to the trash.
    let cleared = if *is_replaced && path.exists() { files::move_to_trash(path).map(drop) } else { Ok(()) };
    cleared.and_then(|()| files::move_to_free(trashed, path)).map_err(|problem| {
        format!("{name} was not restored: {problem}. It is still in the trash as {}.", trashed.display())
    })
}

impl OpenDocument {
    /// Performs a library command and returns its file job, if any. *Errors*: a notice that explains why the command
    /// failed.
    pub(in crate::state) fn library_command(
        &mut self,
        command: LibraryCommand,
        plane: MirrorPlane,
    ) -> Result<Option<Request>, Notice> {
        let job = match command {
            LibraryCommand::Select(path) => {
                self.library.selected = path;
                return Ok(None);
            }
            LibraryCommand::Name(naming) => {
                self.library.naming = naming;
                return Ok(None);
            }
            LibraryCommand::DismissRemoved => {
                self.library.removed = None;
                return Ok(None);
            }
            LibraryCommand::Blend { path, share, options } => {
                return self.blend_to_library(&path, share, options, plane).map(|()| None);
            }
            LibraryCommand::Restore => {
                let Some(removed) = self.library.removed.take() else { return Ok(None) };
                if removed.is_replaced {
                    self.saved.pose = Pose::rest(&self.stage.document.rig.hierarchy);
                }
                LibraryJob::Restore(removed)
            }
            LibraryCommand::Save(name) => {
                if let Some(problem) = name_problem(&name) {
                    return Err(Notice::error(format!("The pose was not saved. {problem}")));
                }
                let folders = self.library.folders.clone();
                LibraryJob::Save { folders, name, file: pose_file(&self.stage), saved: SavedFile::now(self) }
            }
            LibraryCommand::SaveOver(path) => {
                LibraryJob::SaveOver { path, file: pose_file(&self.stage), saved: SavedFile::now(self) }
            }
            LibraryCommand::Rename(path, name) => {
                if let Some(problem) = name_problem(&name) {
                    return Err(Notice::error(format!("{} was not renamed: {problem}", files::stem(&path))));
                }
                LibraryJob::Rename(path, name)
            }
            LibraryCommand::Delete(path) => LibraryJob::Delete(path),
        };
        Ok(Some(Request::Disk(DiskJob::Library(Box::new(job)))))
    }
}

impl PoseLibrary {
    fn trashed(&mut self, path: &Path, trashed: PathBuf, is_replaced: bool) {
        let (name, path) = (files::stem(path), path.to_owned());
        self.removed = Some(RemovedPose { name, is_replaced, path, trashed });
    }

    /// Stores a listing, unless it belongs to another character.
    pub(in crate::state) fn take_poses(&mut self, stage: &Stage, rig: &Arc<Rig>, listing: PoseListing) {
        if stage.belongs_to_open(rig) {
            self.listing = Some(listing);
        }
    }

    pub(in crate::state) fn take_library_done(&mut self, done: LibraryDone) -> Option<Notice> {
        match done {
            LibraryDone::Saved { path, replaced, .. } => return self.was_saved(&path, replaced),
            LibraryDone::Renamed(path) => {
                self.naming = None;
                self.selected = Some(path);
            }
            LibraryDone::Deleted { path, trashed } => {
                self.selected = None;
                self.trashed(&path, trashed, false);
            }
            LibraryDone::Restored(result) => {
                self.blend = None;
                return result.err().map(Notice::error);
            }
            LibraryDone::Failed(problem) => return Some(Notice::error(problem)),
        }
        None
    }

    fn was_saved(&mut self, path: &Path, replaced: Option<PathBuf>) -> Option<Notice> {
        // The card's file may now contain another pose.
        self.blend = None;
        self.naming = None;
        self.selected = Some(path.to_owned());
        let Some(trashed) = replaced else {
            return Some(Notice::done(format!("The pose was saved as {}.", path.display())));
        };
        self.trashed(path, trashed, true);
        None
    }
}
