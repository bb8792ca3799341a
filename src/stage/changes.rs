//! Differences between the open character and a comparison character, computed in the background on request.

use std::sync::Arc;

use glam::Vec3;

use super::camera::cube;
use super::{Derived, DerivedKind, Preview, Stage};
#[cfg(feature = "cli")]
use crate::diff::Change;
use crate::diff::{ChangeKind, ChangeLocation, ChangedObject, RigDiff, RigVersion, Tolerances, diff};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::rig::{MorphIndex, PrimitiveIndex, Rig, bounds_of};
use crate::view::{Overlay, ShownFile, Side};

#[derive(Clone, Debug)]
pub(super) struct FoundChanges {
    plan: ChangePlan,
    diff: Arc<RigDiff>,
    selected: Option<usize>,
}

/// Input for comparing two characters.
#[derive(Clone, Debug)]
pub struct ChangePlan {
    /// The open character as read from its file.
    pub rig: Arc<Rig>,
    /// The other character as read from its file.
    pub other: Arc<Rig>,
    /// True if `other` is the previous version of the open character.
    pub is_before: bool,
    /// The side that shows the other character.
    side: Side,
}

impl Derived for ChangePlan {
    type Value = RigDiff;

    const JOB: JobKind = JobKind::new(
        "changes",
        "Comparing the files",
        "All else works; compare again in the panel What changed, or by rigscope diff on the command line.",
    );

    const IS_ON_REQUEST: bool = true;

    fn wanted(stage: &Stage) -> Option<Self> {
        let is_wanted = stage.requests.has::<Self>() && FoundChanges::shown(stage).is_none();
        Self::shown(stage).filter(|_| is_wanted)
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rig, &other.rig) && Arc::ptr_eq(&self.other, &other.other)
    }

    fn run(&self, job: &Job) -> Option<RigDiff> {
        let [old, new] = if self.is_before { [&self.other, &self.rig] } else { [&self.rig, &self.other] };
        diff(old, new, &Tolerances::for_rig(old), &job.progress)
    }

    fn take(self, value: Option<RigDiff>, stage: &mut Stage) {
        match value.map(Arc::new) {
            Some(diff) => stage.changes = Some(FoundChanges { plan: self, diff, selected: None }),
            None => stage.requests.set(DerivedKind::new::<Self>(), false),
        }
    }

    fn is_open(&self, stage: &Stage) -> bool {
        Self::shown(stage).is_some_and(|shown| shown.is(self))
    }
}

/// State of the list of changes.
#[derive(Clone, Copy, Debug)]
pub enum ChangeState<'a> {
    /// No side shows another character.
    Nothing,
    /// The other character is loading, or the comparison is running.
    Awaited,
    /// The comparison was stopped.
    Stopped,
    /// The list of changes, with the index of the selected one.
    Found(&'a RigDiff, Option<usize>),
}

impl<'a> ChangeState<'a> {
    /// Returns the state of the changes between the open character and the comparison character.
    pub fn new(stage: &'a Stage) -> Self {
        match FoundChanges::shown(stage) {
            Some(found) => Self::Found(&found.diff, found.selected),
            None if !stage.view.sides.iter().any(|side| side.file.is_other_rig()) => Self::Nothing,
            None if stage.requests.has::<ChangePlan>() => Self::Awaited,
            None => Self::Stopped,
        }
    }
}

impl FoundChanges {
    fn shown(stage: &Stage) -> Option<&Self> {
        let plan = ChangePlan::shown(stage)?;
        stage.changes.as_ref().filter(|found| plan.is(&found.plan))
    }

    /// Returns the index of the selected change.
    pub(super) fn selected(stage: &Stage) -> Option<usize> {
        Self::shown(stage)?.selected
    }

    /// Returns the overlay that shows the selected change, if there is one.
    pub(super) fn overlay(stage: &Stage) -> Option<Overlay> {
        let found = Self::shown(stage)?;
        overlay_of(found.diff.changes.get(found.selected?)?.kind)
    }
}

impl ChangePlan {
    /// Plans to compare the characters that the stage shows.
    fn shown(stage: &Stage) -> Option<Self> {
        let other = |side| Some((side, stage.other_on(side).filter(|other| other.points.is_none())?));
        let (side, other) = [Side::B, Side::A].into_iter().find_map(other)?;
        let is_before = stage.view.sides[side].file == ShownFile::Previous;
        Some(Self { rig: Arc::clone(stage.rig()), other: Arc::clone(&other.own), is_before, side })
    }

    /// Returns the names of the older and the newer character.
    pub fn names(stage: &Stage) -> Option<[String; 2]> {
        let Self { side, is_before, .. } = Self::shown(stage)?;
        let [open, other] = [stage.document.source.name(), stage.view.sides[side].file.title()];
        Some(if is_before { [other, open] } else { [open, other] })
    }

    fn other_version(&self) -> RigVersion {
        if self.is_before { RigVersion::Old } else { RigVersion::New }
    }

    /// Returns the object of the open character at a location, if it has one.
    fn open_part(&self, stage: &Stage, ChangeLocation { version, part }: ChangeLocation) -> Option<ChangedObject> {
        if version != self.other_version() {
            return Some(part);
        }
        match part {
            ChangedObject::Node(node) => stage.actor(self.side).open_node(node).map(ChangedObject::Node),
            ChangedObject::Mesh(_) | ChangedObject::Clip(_) | ChangedObject::Morph(_) | ChangedObject::Material(_) => {
                None
            }
        }
    }

    /// Selects and frames the object of a change.
    fn frame(&self, place: ChangeLocation, stage: &mut Stage) {
        let own = Some(place.part).filter(|_| place.version == self.other_version());
        match (self.open_part(stage, place), own) {
            (Some(ChangedObject::Node(node)), _) => {
                stage.view.select(Some(node), &stage.document.rig.hierarchy);
                look_at(stage, self.open_side(stage), ChangedObject::Node(node));
            }
            (Some(ChangedObject::Clip(clip)), _) => stage.set_clip(Some(clip)),
            (Some(ChangedObject::Morph(morph)), _) => {
                stage.view.choose_morph(MorphIndex(morph as u32), &stage.document.rig);
            }
            (Some(part), _) => look_at(stage, self.open_side(stage), part),
            (None, Some(part)) => look_at(stage, self.side, part),
            (None, None) => {}
        }
    }

    /// Returns a side that shows the open character, if there is one.
    fn open_side(&self, stage: &Stage) -> Side {
        if stage.actor(self.side.other()).is_open() { self.side.other() } else { self.side }
    }
}

impl Stage {
    /// Selects a change: selects its joint, clip or morph target, frames the changed object and previews the difference.
    /// `None` deselects the change.
    pub fn show_change(&mut self, index: Option<usize>) {
        let place = FoundChanges::shown(self).and_then(|found| found.diff.changes.get(index?)?.place);
        if let Some(found) = &mut self.changes {
            found.selected = index.filter(|_| place.is_some());
        }
        let (Some(place), Some(plan)) = (place, ChangePlan::shown(self)) else { return };
        self.previews.start(Preview::SelectedChange);
        plan.frame(place, self);
    }

    /// Frames the object of a change between the open character and the comparison character, and shows the overlay of
    /// the change on both sides.
    #[cfg(feature = "cli")]
    pub fn frame_change(&mut self, change: &Change) {
        let (Some(place), Some(plan)) = (change.place, ChangePlan::shown(self)) else { return };
        plan.frame(place, self);
        for side in Side::ALL {
            self.view.sides[side].paint(overlay_of(change.kind).filter(|overlay| *overlay != Overlay::Morph));
        }
    }
}

/// Frames a part of the character on a side.
fn look_at(stage: &mut Stage, side: Side, part: ChangedObject) {
    let actor = stage.actor(side);
    let posed = &actor.pose.posed;
    let meshes = |is_it: &dyn Fn(PrimitiveIndex) -> bool| bounds_of(&actor.rig, posed, is_it);
    let mut around = match part {
        // The box is large enough to show the limb around the node.
        ChangedObject::Node(node) => cube(posed.world_from_node[node.index()].translation, actor.rig.size() * 0.1),
        ChangedObject::Mesh(instance) => meshes(&|part| part.instance == instance),
        ChangedObject::Material(material) => meshes(&|part| {
            let mesh = actor.rig.instances[part.instance].mesh;
            actor.rig.meshes[mesh].primitives[part.primitive].material.is_some_and(|of| of.0 == material)
        }),
        ChangedObject::Clip(_) | ChangedObject::Morph(_) => return,
    };
    if !around.is_empty() {
        let margin = Vec3::splat(actor.rig.size() * 0.02);
        (around.min, around.max) = (around.min - margin, around.max + margin);
        stage.view.camera.frame(around, stage.aspect);
    }
}

fn overlay_of(kind: ChangeKind) -> Option<Overlay> {
    match kind {
        ChangeKind::Weights | ChangeKind::JointListed | ChangeKind::Skinned => Some(Overlay::WeightDifference),
        ChangeKind::DqWeights => Some(Overlay::DqBlendWeight),
        ChangeKind::MorphShape => Some(Overlay::Morph),
        ChangeKind::JointReparented
        | ChangeKind::NodeReparented
        | ChangeKind::RestMoved
        | ChangeKind::BindMoved
        | ChangeKind::Method
        | ChangeKind::MeshReparented
        | ChangeKind::Topology
        | ChangeKind::Vertices
        | ChangeKind::ClipLength
        | ChangeKind::ClipMotion
        | ChangeKind::ClipMorphs
        | ChangeKind::MorphWeight
        | ChangeKind::ConstraintAdded
        | ChangeKind::ConstraintRemoved
        | ChangeKind::Constraint => Some(Overlay::Distance),
        _ => None,
    }
}
