//! Results of jobs and of file access, which arrive from other threads.

use std::path::PathBuf;
use std::sync::Arc;

use super::pose_library::LibraryDone;
use super::{
    AfterLoad, FolderListing, Notice, PathKind, PoseListing, Simulation, TestedJoint, Thumbnail, WeightsEdited, Writing,
};
use crate::analysis::sides::{MeasureError, Measured};
use crate::analysis::twist::Ranked;
use crate::export::PoseFile;
use crate::import::FileState;
use crate::rig::Rig;
use crate::stage::{Document, Done, MeasurePlan, Session};
use crate::weights::WeightChoice;

/// A result that a job beside the frame loop brings. Results for a character that is no longer open are dropped.
#[derive(Debug)]
pub enum Arrived {
    /// A file has been read.
    Document(Box<Document>, AfterLoad),
    /// Something that was derived beside the frame loop.
    Derived(Done),
    /// A file was written with weights that were made for a character.
    WeightsWritten {
        /// The character as its file has it.
        rig: Arc<Rig>,
        /// Choice by which the weights were made.
        choice: WeightChoice,
        notice: Notice,
    },
    /// The measurement of both sides, or why there is none.
    Measured(Box<MeasurePlan>, Box<Result<Measured, MeasureError>>),
    /// The twist and bend test of a joint.
    Tested(Box<TestedJoint>),
    /// All joints of a character, the one that loses most first.
    Ranked(Arc<Rig>, Vec<Ranked>),
    /// The weights of selected vertices, edited.
    WeightsEdited(Box<WeightsEdited>),
    /// The simulation of engines.
    Simulated(Box<Simulation>),
    /// The poses kept with a character.
    PosesListed(Arc<Rig>, PoseListing),
    /// The thumbnail of a pose file.
    PoseDrawn(FileState, Arc<Thumbnail>),
    /// The picture of a recent file as it is now; `None` where there is none.
    RecentPicture(PathBuf, Option<Arc<Thumbnail>>),
    /// Pose files to apply, or for each the reason why it could not be read.
    PosesRead(Vec<Result<PoseFile, String>>),
    /// A session to restore, or why there is none.
    SessionRead(Result<Box<Session>, String>),
    /// A file that the user saves was written, or why not; either in words.
    Written(Box<Writing>, Result<String, String>),
    /// Listing of a folder.
    FolderListed(FolderListing),
    /// The kind of thing at a path that is about to be used.
    PathSeen {
        path: PathBuf,
        /// True to overwrite an existing file.
        replaces: bool,
        /// Kind of thing at the path, or why it cannot be read.
        kind: Result<PathKind, String>,
    },
    /// The program that writes videos was looked for.
    FfmpegSought { is_found: bool },
    /// The pose library was changed, or why not.
    LibraryDone(LibraryDone),
    /// A notice for the user.
    Notice(Notice),
}
