//! What arrives from beside the frame loop: results of jobs, and files that were read or written.

use std::path::PathBuf;
use std::sync::Arc;

use super::pose_library::LibraryDone;
use super::{
    AfterLoad, AppState, Command, FolderListing, Notice, PathKind, PoseListing, Request, Simulation, TestedJoint,
    Thumbnail, Writing,
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
        /// How the weights were made.
        choice: WeightChoice,
        /// What is to be told.
        notice: Notice,
    },
    /// The measurement of both sides, or why there is none.
    Measured(Box<MeasurePlan>, Box<Result<Measured, MeasureError>>),
    /// The twist and bend test of a joint.
    Tested(Box<TestedJoint>),
    /// All joints of a character, the one that loses most first.
    Ranked(Arc<Rig>, Vec<Ranked>),
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
    /// What a folder holds.
    FolderListed(FolderListing),
    /// What a path leads to that is to be used.
    PathSeen {
        /// Which.
        path: PathBuf,
        /// A file that is there is written over.
        replaces: bool,
        /// What it leads to, or why that cannot be told.
        kind: Result<PathKind, String>,
    },
    /// The pose library was changed, or why not.
    LibraryDone(LibraryDone),
    /// Something to tell.
    Notice(Notice),
}

impl AppState {
    /// Takes a result in, or first asks where that would lose an edited pose; what the state cannot do itself comes back as a request.
    pub fn receive(&mut self, arrived: Arrived) -> Option<Request> {
        match arrived {
            Arrived::Document(document, then) => return self.document_read(document, then),
            Arrived::Derived(done) => self.derived(done),
            Arrived::WeightsWritten { rig, choice, notice } => self.weights_written(&rig, choice, notice),
            Arrived::Measured(plan, result) => self.open.take_measured(*plan, *result),
            Arrived::Tested(tested) => self.open.take_tested(*tested),
            Arrived::Ranked(rig, ranked) => self.open.take_ranked(&rig, ranked),
            Arrived::Simulated(simulation) => self.open.take_simulated(*simulation),
            Arrived::PosesListed(rig, listing) => self.poses_listed(&rig, listing),
            Arrived::PoseDrawn(file, thumbnail) => self.open.library.drawn(&file, thumbnail),
            Arrived::PosesRead(files) => self.poses_read(files),
            Arrived::SessionRead(Ok(session)) => return self.apply(Command::OpenSession(session)),
            Arrived::SessionRead(Err(problem)) => self.fail(problem),
            Arrived::Written(writing, result) => return self.written(*writing, result),
            Arrived::FolderListed(listing) => self.take_listing(listing),
            Arrived::PathSeen { path, replaces, kind } => return self.path_seen(path, replaces, kind),
            Arrived::LibraryDone(done) => return self.library_done(done),
            Arrived::Notice(notice) => self.notice = Some(notice),
        }
        None
    }

    /// A tour gives way to what the user asked for; a pose may have been edited while the file was read.
    fn document_read(&mut self, document: Box<Document>, then: AfterLoad) -> Option<Request> {
        if !matches!(then, AfterLoad::Tour(_)) {
            self.leave_tour();
        }
        if then == AfterLoad::Dropped && self.open.is_akin(&document) {
            self.ask_what_for(document);
            return None;
        }
        let replaces = !matches!(then, AfterLoad::Reload { .. } | AfterLoad::UseClips | AfterLoad::Tour(_));
        if replaces && self.open.is_edited() && self.open.discarded.as_ref() != Some(&self.open.work()) {
            self.ask_before_showing(document, then);
            return None;
        }
        self.loaded(*document, then)
    }
}
