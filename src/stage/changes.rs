//! Differences between the open character and a comparison character, computed in the background on request.

use std::sync::Arc;

use glam::Vec3;

use super::camera::cube;
use super::{ComparisonRig, Derived, DerivedKind, Stage};
use crate::diff::{Change, ChangeLocation, ChangedObject, RigDiff, RigVersion, Tolerances, diff};
use crate::import::Job;
use crate::jobs::JobKind;
use crate::rig::{MorphIndex, PrimitiveIndex, Rig, bounds_of};
use crate::view::{ShownFile, Side};

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
        let is_wanted = stage.requests.has::<Self>() && stage.found_changes().is_none();
        stage.plan_of_changes().filter(|_| is_wanted)
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
        stage.plan_of_changes().is_some_and(|wanted| wanted.is(self))
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
    /// The list of changes.
    Found(&'a RigDiff),
}

impl Stage {
    fn compared(&self) -> Option<(Side, &Arc<ComparisonRig>)> {
        [Side::B, Side::A].into_iter().find_map(|side| Some((side, self.other_on(side)?)))
    }

    /// True if a comparison character is chosen for a side.
    pub fn shows_other(&self) -> bool {
        Side::ALL.into_iter().any(|side| !self.shown_file(side).is_open())
    }

    fn found_changes(&self) -> Option<&FoundChanges> {
        let plan = self.plan_of_changes()?;
        self.changes.as_ref().filter(|found| plan.is(&found.plan))
    }

    fn plan_of_changes(&self) -> Option<ChangePlan> {
        let (side, other) = self.compared()?;
        let is_before = *self.shown_file(side) == ShownFile::Previous;
        Some(ChangePlan { rig: Arc::clone(self.rig()), other: Arc::clone(&other.own), is_before })
    }

    /// Returns the state of the changes between the open character and the comparison character.
    pub fn changes(&self) -> ChangeState<'_> {
        match self.found_changes() {
            Some(found) => ChangeState::Found(&found.diff),
            None if !self.shows_other() => ChangeState::Nothing,
            None if self.requests.has::<ChangePlan>() => ChangeState::Awaited,
            None => ChangeState::Stopped,
        }
    }

    /// Returns the index of the selected change.
    pub fn selected_change(&self) -> Option<usize> {
        self.found_changes()?.selected
    }

    /// Returns the names of the older and the newer character.
    pub fn names_of_changes(&self) -> Option<[String; 2]> {
        let (side, _) = self.compared()?;
        let [open, other] = [self.document.source.name(), self.shown_file(side).title()];
        Some(if *self.shown_file(side) == ShownFile::Previous { [other, open] } else { [open, other] })
    }

    /// Shows a change: selects its joint, clip or morph target, and frames the changed object.
    pub fn show_change(&mut self, index: usize) {
        let Some((side, place)) = self.place_of_change(index) else { return };
        if let Some(found) = &mut self.changes {
            found.selected = Some(index);
        }
        let open = self.open_part(side, place);
        let own = Some(place.part).filter(|_| place.version == self.other_version(side));
        match (open, own) {
            (Some(ChangedObject::Node(node)), _) => {
                self.select(Some(node));
                self.look_at(self.open_side(side), ChangedObject::Node(node));
            }
            (Some(ChangedObject::Clip(clip)), _) => self.set_clip(Some(clip)),
            (Some(ChangedObject::Morph(morph)), _) => self.choose_morph(MorphIndex(morph as u32)),
            (Some(part), _) => self.look_at(self.open_side(side), part),
            (None, Some(part)) => self.look_at(side, part),
            (None, None) => {}
        }
    }

    fn place_of_change(&self, index: usize) -> Option<(Side, ChangeLocation)> {
        let change: &Change = self.found_changes()?.diff.changes.get(index)?;
        Some((self.compared()?.0, change.place?))
    }

    fn other_version(&self, side: Side) -> RigVersion {
        if *self.shown_file(side) == ShownFile::Previous { RigVersion::Old } else { RigVersion::New }
    }

    fn open_part(&self, side: Side, ChangeLocation { version, part }: ChangeLocation) -> Option<ChangedObject> {
        if version != self.other_version(side) {
            return Some(part);
        }
        match part {
            ChangedObject::Node(node) => self.actor(side).open_node(node).map(ChangedObject::Node),
            ChangedObject::Mesh(_) | ChangedObject::Clip(_) | ChangedObject::Morph(_) | ChangedObject::Material(_) => {
                None
            }
        }
    }

    fn open_side(&self, side: Side) -> Side {
        if self.actor(side.other()).is_open() { side.other() } else { side }
    }

    fn look_at(&mut self, side: Side, part: ChangedObject) {
        let actor = self.actor(side);
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
            self.view.camera.frame(around, self.aspect);
        }
    }
}
