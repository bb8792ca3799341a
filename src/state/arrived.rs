//! Results of jobs and of file access, from other threads.

use std::path::PathBuf;
use std::sync::Arc;

use super::pose_library::LibraryDone;
use super::{
    AfterLoad, FolderListing, Notice, PathKind, PoseListing, Simulation, TestedJoint, Thumbnail, WeightsEdited, Writing,
};
use crate::analysis::sides::{MeasureError, SideComparison};
use crate::analysis::twist::JointRank;
use crate::export::PoseFile;
use crate::import::FileState;
use crate::rig::Rig;
use crate::stage::{Document, Done, MeasurePlan, Session};
use crate::weights::WeightChoice;

/// Result of a background job. Results for a character that is no longer open are dropped.
#[derive(Debug)]
pub enum Arrived {
    /// A file has been read.
    Document(Box<Document>, AfterLoad),
    /// A derived value was computed.
    Derived(Done),
    /// A file with edited or computed weights was written.
    WeightsWritten {
        /// The character as in its file.
        rig: Arc<Rig>,
        /// Choice of the written weights.
        choice: WeightChoice,
        notice: Notice,
    },
    /// The measurement of both sides, or why it failed.
    Measured(Box<MeasurePlan>, Box<Result<SideComparison, MeasureError>>),
    /// The twist and bend test of a joint.
    Tested(Box<TestedJoint>),
    /// All joints of a character, largest volume loss first.
    Ranked(Arc<Rig>, Vec<JointRank>),
    /// The result of a weight edit.
    WeightsEdited(Box<WeightsEdited>),
    /// The result of an engine simulation.
    Simulated(Box<Simulation>),
    /// The poses in the character's pose library.
    PosesListed(Arc<Rig>, PoseListing),
    /// The thumbnail of a pose file.
    PoseDrawn(FileState, Arc<Thumbnail>),
    /// The image of a recent file; `None` if it has none.
    RecentPicture(PathBuf, Option<Arc<Thumbnail>>),
    /// Pose files to apply, or why each could not be read.
    PosesRead(Vec<Result<PoseFile, String>>),
    /// A session to restore, or why it could not be read.
    SessionRead(Result<Box<Session>, String>),
    /// A saved file was written, or why not; both as text for the user.
    Written(Box<Writing>, Result<String, String>),
    /// Listing of a folder.
    FolderListed(FolderListing),
    /// The kind of entry at a path that is about to be used.
    PathSeen {
        path: PathBuf,
        /// True to overwrite an existing file.
        replaces: bool,
        /// Kind of entry at the path, or why it cannot be read.
        kind: Result<PathKind, String>,
    },
    /// The search for ffmpeg ended.
    FfmpegSought { is_found: bool },
    /// The pose library was changed, or why not.
    LibraryDone(LibraryDone),
    /// A notice for the user.
    Notice(Notice),
}
