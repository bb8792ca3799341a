//! What arrives from beside the frame loop: results of jobs, and files that were read or written.

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

/// A result that a job beside the frame loop brings. Those of a character that is open no longer are dropped.
#[derive(Debug)]
pub enum Arrived {
    /// A file has been read.
    Document(Box<Document>, AfterLoad),
    /// Something that was derived beside the frame loop.
    Derived(Done),
    /// A file was written with weights that were made for a character.
    WeightsWritten {
        /// The character, as its file has it.
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
    /// Pose files to apply, each with what is wrong with it.
    PosesRead(Vec<Result<PoseFile, String>>),
    /// A session to go on with, or why there is none.
    SessionRead(Result<Box<Session>, String>),
    /// A file that the user saves was written, or why not.
    Written(Box<Writing>, Result<(), String>),
    /// Listing of a folder.
    FolderListed(FolderListing),
    /// What a path leads to, which is to be used.
    PathSeen {
        path: PathBuf,
        /// A file that is there is written over.
        replaces: bool,
        /// Kind of thing that the path leads to, or why that cannot be told.
        kind: Result<PathKind, String>,
    },
    /// The pose library was changed, or why not.
    LibraryDone(LibraryDone),
    /// A notice for the user.
    Notice(Notice),
}
