use std::path::PathBuf;
use std::sync::Arc;

use super::pose_library::LibraryDone;
use super::{
    AfterLoad, FolderListing, Notice, PathKind, PoseListing, SaveJob, Simulation, TestedJoint, Thumbnail, WeightsEdited,
};
use crate::analysis::sides::{MeasureError, SideComparison};
use crate::analysis::twist::JointRank;
use crate::export::PoseFile;
use crate::import::FileState;
use crate::rig::Rig;
use crate::stage::{DerivedResult, Document, MeasurePlan, Session};
use crate::weights::WeightChoice;

/// Result of a background job. Results for a closed character are dropped.
#[derive(Debug)]
pub enum JobResult {
    Document(Box<Document>, AfterLoad),
    Derived(DerivedResult),
    WeightsWritten {
        /// The character as in its file.
        rig: Arc<Rig>,
        /// Choice that produced the written weights.
        choice: WeightChoice,
        notice: Notice,
    },
    Measured(Box<MeasurePlan>, Box<Result<SideComparison, MeasureError>>),
    /// The twist and bend test of a joint.
    Tested(Box<TestedJoint>),
    /// Largest volume loss first.
    Ranked(Arc<Rig>, Vec<JointRank>),
    WeightsEdited(Box<WeightsEdited>),
    Simulated(Box<Simulation>),
    PosesListed(Arc<Rig>, PoseListing),
    PoseDrawn(FileState, Arc<Thumbnail>),
    /// `None` if the file has no image.
    RecentPicture(PathBuf, Option<Arc<Thumbnail>>),
    /// Pose files to apply; errors as text for the user.
    PosesRead(Vec<Result<PoseFile, String>>),
    SessionRead(Result<Box<Session>, String>),
    /// A file was saved, or not; both as text for the user.
    Written(Box<SaveJob>, Result<String, String>),
    FolderListed(FolderListing),
    /// Kind of entry at a path that is about to be used.
    PathChecked {
        path: PathBuf,
        /// True to overwrite an existing file.
        replaces: bool,
        kind: Result<PathKind, String>,
    },
    FfmpegSought {
        is_found: bool,
    },
    LibraryDone(LibraryDone),
    Notice(Notice),
}
