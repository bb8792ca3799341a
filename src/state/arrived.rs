use std::path::PathBuf;
use std::sync::Arc;

use super::pose_library::LibraryDone;
use super::{AfterLoad, FolderListing, Notice, PathKind, PoseListing, SaveJob, StateChange, Thumbnail};
use crate::analysis::sides::{MeasureError, SideComparison};
use crate::import::FileState;
use crate::rig::Rig;
use crate::stage::{BendTest, DerivedResult, Document, MeasurePlan};
use crate::weights::WeightChoice;

/// Result of a background job. Results for a character that was closed are ignored.
#[derive(Debug)]
pub enum JobResult {
    Document(Box<Document>, AfterLoad),
    Derived(DerivedResult),
    WeightsWritten {
        /// The character with the weights of its file.
        rig: Arc<Rig>,
        /// The weights that the file now contains.
        choice: WeightChoice,
        notice: Notice,
    },
    Measured(Box<MeasurePlan>, Box<Result<SideComparison, MeasureError>>),
    PosesListed(Arc<Rig>, PoseListing),
    PoseDrawn(FileState, Arc<Thumbnail>),
    /// Image of a listed pose of a bend test, with its index.
    BendPoseDrawn(Arc<BendTest>, usize, Arc<Thumbnail>),
    /// Preview of a recent file; `None` if the file has no image.
    RecentPicture(PathBuf, Option<Arc<Thumbnail>>),
    /// For each file, in order: the change that it makes, or an error message.
    FilesRead(Vec<Result<StateChange, String>>),
    /// A save job with its success or error message.
    Written(Box<SaveJob>, Result<String, String>),
    FolderListed(FolderListing),
    /// Kind of file system entry at a path that the user chose.
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
