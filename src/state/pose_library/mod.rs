//! The pose library of the open character: folders of pose files, shown as cards.

mod cards;
mod files;
mod jobs;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use cards::{CardPose, PoseCard, PoseListing, Thumbnail};
pub use files::{list_poses, name_problem};
pub use jobs::{LibraryDone, LibraryJob};

use super::edit::mirroring::NO_SIDES;
use super::{Notice, OpenDocument, RigSymmetry, UserPose};
use crate::export::PoseFile;
use crate::import::FileState;
use crate::posing::{MirrorPlane, blend};
use crate::rig::{NodeIndex, Pose};
use crate::stage::{Source, Stage};

#[derive(Debug, Default)]
pub struct PoseLibrary {
    /// Folder for poses in the user's data folder, used for built-in characters and for files in read-only folders.
    home: Option<PathBuf>,
    folders: Vec<PathBuf>,
    /// `None` until read.
    pub listing: Option<PoseListing>,
    pub selected: Option<PathBuf>,
    /// Purpose of the open name field, if any.
    pub naming: Option<PoseNaming>,
    /// The pose last moved to the trash, if it can be restored.
    pub removed: Option<RemovedPose>,
    blend: Option<Blend>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoseNaming {
    New,
    Rename(PathBuf),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedPose {
    pub name: String,
    /// True if this pose was replaced by a pose that was saved under the same name.
    pub is_replaced: bool,
    path: PathBuf,
    trashed: PathBuf,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LibraryPoseOptions {
    /// True to pose only the selected joints.
    pub selected_only: bool,
    /// True to swap left and right.
    pub is_mirrored: bool,
}

#[derive(Clone, Debug)]
struct Blend {
    wanted: WantedBlend,
    before: Pose,
    target: Pose,
    shown: Pose,
    share: f32,
}

#[derive(Clone, Debug, PartialEq)]
struct WantedBlend {
    path: PathBuf,
    is_mirrored: bool,
    /// `None` for all joints.
    joints: Option<Vec<NodeIndex>>,
}

#[derive(Clone, Debug)]
pub enum LibraryCommand {
    Select(Option<PathBuf>),
    Name(Option<PoseNaming>),
    /// Saves the current pose. Moves an existing pose with this name to the trash.
    Save(String),
    /// Replaces a library pose with the current pose. Moves the old file to the trash.
    SaveOver(PathBuf),
    Rename(PathBuf, String),
    /// Moves a pose to the trash.
    Delete(PathBuf),
    /// Restores the pose last moved to the trash.
    Restore,
    DismissRemoved,
    /// Blends from the current pose (0) to a library pose (1).
    Blend {
        path: PathBuf,
        share: f32,
        options: LibraryPoseOptions,
    },
}

impl PoseLibrary {
    /// Returns the library of another character, without a listing yet.
    #[must_use]
    pub(super) fn for_source(&self, source: &Source) -> Self {
        let home = self.home.clone();
        Self { folders: files::folders(source, home.as_deref()), home, ..Self::default() }
    }

    /// Drops the blend, because its poses belong to the old rig.
    pub(super) fn forget_blend(&mut self) {
        self.blend = None;
    }

    /// Returns the character's pose folders. New poses are saved in the first writable folder.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    pub fn cards(&self) -> &[PoseCard] {
        self.listing.as_ref().map_or(&[], |listing| &listing.cards)
    }

    pub fn card(&self, path: &Path) -> Option<&PoseCard> {
        self.cards().iter().find(|card| card.file.path == path)
    }

    /// Returns the existing pose with this name, which a new pose would replace.
    pub fn of_name(&self, name: &str) -> Option<&PoseCard> {
        let file = format!("{name}.json");
        self.folders.iter().find_map(|folder| self.card(&folder.join(&file)))
    }

    pub(super) fn drawn(&mut self, file: &FileState, thumbnail: Arc<Thumbnail>) {
        let cards = self.listing.iter_mut().flat_map(|listing| &mut listing.cards);
        if let Some(card) = cards.into_iter().find(|card| card.file == *file) {
            card.thumbnail = Some(thumbnail);
        }
    }
}

impl OpenDocument {
    fn blend_to_library(
        &mut self,
        path: &Path,
        share: f32,
        options: LibraryPoseOptions,
        plane: MirrorPlane,
    ) -> Result<(), Notice> {
        let wanted = PoseLibrary::wanted(&self.stage, path, options);
        let (before, target) = if let Some(running) = self.library.running_blend(&self.stage, &wanted) {
            (running.before.clone(), running.target.clone())
        } else {
            let problem = |text| Notice::error(format!("The pose was not applied. {text} ({})", path.display()));
            (
                self.stage.document.pose.clone(),
                self.library.target(&self.stage, &mut self.symmetry, &wanted, plane).map_err(problem)?,
            )
        };
        let shown = blend(&self.stage.document.rig.hierarchy, &before, &target, share);
        let (name, share) = (files::stem(path), share.clamp(0.0, 1.0));
        let label = if share < 1.0 { format!("Blend {name} {:.0} %", share * 100.0) } else { format!("Apply {name}") };
        self.history.show_pose(&mut self.stage, shown.clone(), Some(label));
        self.user_pose = UserPose::default();
        self.library.blend = Some(Blend { wanted, before, target, shown, share });
        Ok(())
    }
}

pub(super) fn pose_file(stage: &Stage) -> PoseFile {
    PoseFile::from_pose(&stage.document.rig, &stage.posed().without_pins(stage.pose()))
}

impl PoseLibrary {
    /// Sets the folder for built-in characters and for files in read-only folders.
    pub fn set_user_folder(&mut self, home: Option<PathBuf>, source: &Source) {
        self.home = home;
        *self = self.for_source(source);
    }

    /// Returns the pose at the end of a blend to a library pose. Joints and morph targets that the library pose does
    /// not contain are at rest. If the blend is limited to selected joints, everything else keeps its current pose.
    fn target(
        &self,
        stage: &Stage,
        symmetry: &mut RigSymmetry,
        wanted: &WantedBlend,
        plane: MirrorPlane,
    ) -> Result<Pose, String> {
        let card = self.card(&wanted.path).ok_or("It is not in the library.")?;
        let mut pose = Pose::clone(&card.content.as_ref().map_err(Clone::clone)?.pose);
        if wanted.is_mirrored {
            pose = symmetry.mirrored_pose(stage, &pose, plane).ok_or(NO_SIDES)?;
        }
        let Some(joints) = &wanted.joints else { return Ok(pose) };
        let mut target = stage.document.pose.clone();
        for &joint in joints {
            target.set_user_local(joint, *pose.user_local(joint));
        }
        Ok(target)
    }

    /// Returns the shown fraction of a blend to a library pose, 0 to 1.
    pub fn share(&self, stage: &Stage, path: &Path, options: LibraryPoseOptions) -> f32 {
        self.running_blend(stage, &Self::wanted(stage, path, options)).map_or(0.0, |b| b.share)
    }

    fn wanted(stage: &Stage, path: &Path, options: LibraryPoseOptions) -> WantedBlend {
        let joints = options.selected_only.then(|| stage.view.selected.clone());
        WantedBlend { path: path.to_owned(), is_mirrored: options.is_mirrored, joints }
    }

    fn running_blend(&self, stage: &Stage, wanted: &WantedBlend) -> Option<&Blend> {
        self.blend.as_ref().filter(|b| b.wanted == *wanted && b.shown.has_edits_of(&stage.document.pose))
    }
}
