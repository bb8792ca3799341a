//! Table of what a path can be used for: one row for each way to open, save or use a file.

use std::fmt::{self, Debug, Display, Formatter};
use std::path::{Path, PathBuf};

use crate::export::{ImageKind, PoseFile, VideoTarget};
use crate::import;
use crate::stage::{Session, Source, VideoFormat};
use crate::state::compare::weights::transfer_weights;
use crate::state::document::borrowed_clips::use_clips;
use crate::state::inspect::twist::number_table;
use crate::state::pose_library::pose_file;
use crate::state::skeleton::with_outfit;
use crate::state::{AppState, Command, DiskJob, ExportKind, FileContent, NumberTable, Request, WindowRequest};
use crate::view::{PointsFile, ShownFile, Side};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathUse {
    OpenRig,
    /// A file whose clips are added to the open character.
    UseClips,
    /// A comparison file for side B.
    CompareWith,
    /// Points of another program for side B.
    CompareWithPoints,
    /// A file whose skinned meshes are put on side B's skeleton.
    AttachOutfit,
    TransferWeights(Side),
    OpenPose,
    OpenEnvironment,
    OpenSession,
    SavePose,
    SaveSession,
    SaveImage,
    /// The format determines the suggested extension.
    SaveVideo(VideoFormat),
    SaveReport {
        has_bend_test: bool,
    },
    /// A table, as JSON if the extension is .json, otherwise as CSV.
    SaveNumbers(NumberTable),
    /// An export of the open character. The extension selects the format.
    Export(ExportKind),
}

/// Name of a group of file formats, and their extensions in lower case without the dot.
pub(super) type Formats = (String, Vec<&'static str>);

/// Checks a file name. *Errors*: a message for the user if no format with this extension can store the content.
type CheckName = Box<dyn Fn(&Path) -> Result<(), String>>;

pub(super) struct PathUseSpec {
    pub title: &'static str,
    pub kind: PathUseKind,
    effect: PathEffect,
}

pub(super) enum PathUseKind {
    Open(fn() -> Formats),
    Save {
        /// Extension of the suggested name.
        ending: &'static str,
        check_name: CheckName,
        /// True if saving creates a missing folder.
        makes_folder: bool,
    },
}

type ApplyPath = dyn FnOnce(&mut AppState, PathBuf) -> Option<Request>;

enum PathEffect {
    /// Uses the path immediately.
    Apply(Box<ApplyPath>),
    /// Reads the file in the background, then applies the change. *Errors*: a message for the user, without the path.
    Read(fn(&Path) -> Result<StateChange, String>),
}

type ApplyChange = dyn FnOnce(&mut AppState) -> Option<Request> + Send;

/// Change that a file makes to the state.
pub struct StateChange(Box<ApplyChange>);

impl StateChange {
    pub fn new(change: impl FnOnce(&mut AppState) -> Option<Request> + Send + 'static) -> Self {
        Self(Box::new(change))
    }

    /// Returns the change that opens a session's file and restores the session.
    pub fn open_session(session: Session) -> Self {
        Self::new(|state| state.apply(Command::OpenSession(Box::new(session))))
    }

    pub(super) fn apply(self, state: &mut AppState) -> Option<Request> {
        (self.0)(state)
    }
}

impl Debug for StateChange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("StateChange")
    }
}

impl PathUseSpec {
    fn open(
        title: &'static str,
        formats: fn() -> Formats,
        apply: impl FnOnce(&mut AppState, PathBuf) -> Option<Request> + 'static,
    ) -> Self {
        Self { title, kind: PathUseKind::Open(formats), effect: PathEffect::Apply(Box::new(apply)) }
    }

    fn read(title: &'static str, formats: fn() -> Formats, read: fn(&Path) -> Result<StateChange, String>) -> Self {
        Self { title, kind: PathUseKind::Open(formats), effect: PathEffect::Read(read) }
    }

    fn save(
        title: &'static str,
        ending: &'static str,
        save: impl FnOnce(&mut AppState, PathBuf) -> Option<Request> + 'static,
    ) -> Self {
        let kind = PathUseKind::Save { ending, check_name: Box::new(|_| Ok(())), makes_folder: false };
        Self { title, kind, effect: PathEffect::Apply(Box::new(save)) }
    }

    fn checked<E: Display>(mut self, check: impl Fn(&Path) -> Result<(), E> + 'static) -> Self {
        if let PathUseKind::Save { check_name, .. } = &mut self.kind {
            *check_name = Box::new(move |path| check(path).map_err(|problem| problem.to_string()));
        }
        self
    }

    fn making_its_folder(mut self) -> Self {
        if let PathUseKind::Save { makes_folder, .. } = &mut self.kind {
            *makes_folder = true;
        }
        self
    }
}

fn rigs() -> Formats {
    (import::format::names(), import::format::endings())
}

fn points() -> Formats {
    let endings = import::POINT_ENDINGS.into_iter().chain(PointsFile::RAW_ENDINGS);
    ("Points".to_owned(), endings.collect())
}

fn poses() -> Formats {
    ("Pose".to_owned(), vec!["json"])
}

fn sessions() -> Formats {
    ("Session".to_owned(), vec!["json"])
}

fn environments() -> Formats {
    ("Radiance environment map".to_owned(), vec!["hdr"])
}

impl PathUse {
    pub(super) fn spec(self) -> PathUseSpec {
        use PathUseSpec as Row;
        match self {
            Self::OpenRig => {
                Row::open("Open a rig", rigs, |state, path| state.apply(Command::Open(Source::File(path))))
            }
            Self::UseClips => Row::open("Use the clips of a file", rigs, |state, path| {
                Some(use_clips(&state.open.stage, &Source::File(path)))
            }),
            Self::CompareWith => Row::open("Compare with a file", rigs, |state, path| {
                state.compare_with(ShownFile::file_at(&path));
                None
            }),
            Self::CompareWithPoints => Row::open("Compare with points of another program", points, |state, path| {
                state.compare_with(ShownFile::Points(PointsFile::new(&path)));
                None
            }),
            Self::AttachOutfit => Row::open("Attach the meshes of another file", rigs, |state, path| {
                state.compare_with(with_outfit(&state.open.stage, &path));
                None
            }),
            Self::TransferWeights(side) => Row::open("Transfer weights from file", rigs, move |state, path| {
                transfer_weights(&mut state.open.history, &mut state.open.stage, side, &path);
                None
            }),
            Self::OpenPose => Row::read("Open a pose", poses, |path| {
                let file = PoseFile::read(path).map_err(|e| format!("The pose was not opened. {e}"))?;
                Ok(StateChange::new(move |state| {
                    state.notices.replace_notice(state.open.open_pose(&file));
                    None
                }))
            }),
            Self::OpenEnvironment => Row::open("Choose an environment map, .hdr", environments, |state, path| {
                state.open.stage.view.environment_file.wanted = Some(path);
                None
            }),
            Self::OpenSession => Row::read("Open a session", sessions, |path| {
                let session = Session::read(path).map_err(|e| format!("The session was not opened. {e}"))?;
                Ok(StateChange::open_session(session))
            }),
            Self::SavePose => Row::save("Save the pose", "pose.json", |state, path| {
                Some(state.write(path, FileContent::Pose(pose_file(&state.open.stage))))
            }),
            Self::SaveSession => Row::save("Save the session", "session.json", |state, path| {
                let session = state.open.snapshot().session().saved();
                Some(state.write(path, FileContent::Session(Box::new(session))))
            }),
            Self::SaveImage => Row::save("Save the image, .png, .jpg or .webp", "png", |_, path| {
                Some(WindowRequest::SaveImage(path).into())
            })
            .checked(|path| ImageKind::from_path(path).map(drop)),
            Self::SaveVideo(format) => Row::save(format.title(), format.ending(), |state, path| {
                state.video.plan.take().map(|plan| Request::SaveVideo(plan, path))
            })
            .checked(|path| VideoTarget::from_path(path).map(drop))
            .making_its_folder(),
            Self::SaveReport { has_bend_test } => Row::save("Save the report, .html", "report.html", move |_, path| {
                Some(Request::SaveReport { path, has_bend_test })
            }),
            Self::SaveNumbers(numbers) => {
                let ending = match numbers {
                    NumberTable::Test => "twist.csv",
                    NumberTable::Ranking => "joints.csv",
                };
                Row::save("Save the table, .csv or .json", ending, move |state, path| {
                    let table = number_table(&state.open.stage, numbers, &path)?;
                    Some(state.write(path, table))
                })
            }
            Self::Export(exported) => {
                let spec = exported.spec();
                Row::save(spec.title, spec.ending, move |state, path| state.export(exported, path))
                    .checked(spec.check_name)
            }
        }
    }

    pub fn title(self) -> &'static str {
        self.spec().title
    }

    /// True if the path is for writing and need not exist.
    pub fn is_saving(self) -> bool {
        matches!(self.spec().kind, PathUseKind::Save { .. })
    }

    /// Returns the file filter of an open dialog; `None` for saving.
    pub fn offered(self) -> Option<Formats> {
        if let PathUseKind::Open(formats) = self.spec().kind { Some(formats()) } else { None }
    }

    /// Uses a path. Returns a request if a file must be read first.
    pub(super) fn apply(self, state: &mut AppState, path: PathBuf) -> Option<Request> {
        match self.spec().effect {
            PathEffect::Apply(apply) => apply(state, path),
            PathEffect::Read(_) => Some(Request::Disk(DiskJob::Read(self, vec![path]))),
        }
    }

    /// Reads a file. Blocks on file access. *Errors*: a message for the user.
    pub(super) fn read(self, path: &Path) -> Result<StateChange, String> {
        match self.spec().effect {
            PathEffect::Read(read) => read(path).map_err(|problem| format!("{problem} ({})", path.display())),
            PathEffect::Apply(_) => {
                let path = path.to_owned();
                Ok(StateChange::new(move |state| self.apply(state, path)))
            }
        }
    }

    /// Returns how to use a file that was dropped on the window, judging by its extension; `None` for rigs and unknown
    /// files.
    pub fn for_dropped(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let has_ending = |purpose: &Self| purpose.offered().is_some_and(|(_, known)| known.contains(&ending.as_str()));
        [Self::OpenPose, Self::OpenEnvironment].into_iter().find(has_ending)
    }
}
