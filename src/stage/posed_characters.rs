//! The open character and the characters on both sides, in the current pose.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use super::other_rig::{OpenAppearance, PosedOther};
use super::{ComparisonRig, Document, Stage};
use crate::actor::{Actor, PoseEvaluator, SharedPose, make_unique};
use crate::matching::{VertexMatchError, VertexPairs};
use crate::rig::{Bone, ClipMoment, Pose, Posed, Rig, drawn_bones_into};
use crate::view::{HiddenItems, Layout, PerSide, ShownPose, Side, View};

/// Characters in the current pose; updated by [`Stage::refresh`].
#[derive(Clone, Default)]
pub struct PosedCharacters {
    current: SharedPose,
    rest: SharedPose,
    bones: Arc<Vec<Bone>>,
    rest_bones: Arc<Vec<Bone>>,
    /// Empty list, shared by all actors without unmatched bones.
    no_bones: Arc<Vec<Bone>>,
    hidden: Arc<HiddenItems>,
    actors: PerSide<Option<Actor>>,
    posed_others: PerSide<PosedOther>,
    poser: PoseEvaluator,
    inputs: Option<PosingInputs>,
    version: u64,
    /// True if something changed that [`PosingInputs`] don't contain, such as the user's pose.
    pub(super) is_stale: bool,
}

/// Inputs of the posed characters, except the user's pose and hidden items.
#[derive(Clone, PartialEq)]
pub(super) struct PosingInputs {
    chosen: PerSide<ChosenCharacter>,
    poses: PerSide<ShownPose>,
    pub moment: Option<ClipMoment>,
    isolated: Option<Range<usize>>,
}

/// Character on a side.
#[derive(Clone)]
enum ChosenCharacter {
    /// The open character with the side's weights.
    Open(Arc<Rig>),
    Other(Arc<ComparisonRig>),
}

impl PartialEq for ChosenCharacter {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Open(one), Self::Open(other)) => Arc::ptr_eq(one, other),
            (Self::Other(one), Self::Other(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl PosingInputs {
    pub(super) fn new(stage: &Stage) -> Self {
        let chosen = |side| match stage.other_on(side) {
            Some(other) => ChosenCharacter::Other(Arc::clone(other)),
            None => ChosenCharacter::Open(Arc::clone(stage.open_on(side))),
        };
        Self {
            chosen: PerSide::from_fn(chosen),
            poses: stage.view.sides.each_ref().map(|side| side.options.pose),
            moment: stage.playback.sample(),
            isolated: stage.view.isolated.clone(),
        }
    }
}

/// Version counter shared by all stages, so that no two stages have the same version.
static VERSIONS: AtomicU64 = AtomicU64::new(0);

impl PosedCharacters {
    /// Returns the current pose of the open character, for sharing with other threads.
    pub fn pose(&self) -> &SharedPose {
        &self.current
    }

    /// Returns the world matrices of all nodes of the open character.
    pub fn posed(&self) -> &Posed {
        &self.current.posed
    }

    /// Returns the bones of the open character.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Returns the character on a side in its last computed pose.
    pub fn actor(&self, side: Side) -> &Actor {
        static NOBODY: LazyLock<Actor> = LazyLock::new(Actor::default);
        self.actors[side].as_ref().unwrap_or(&NOBODY)
    }

    /// Returns a version that changes whenever the character, its pose or the time changes.
    pub fn version(&self) -> u64 {
        self.version
    }

    fn other(&self, side: Side) -> Option<&Arc<ComparisonRig>> {
        match &self.inputs.as_ref()?.chosen[side] {
            ChosenCharacter::Other(other) => Some(other),
            ChosenCharacter::Open(_) => None,
        }
    }

    /// True if no side shows another character yet.
    pub(super) fn are_open(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.other(side).is_none())
    }

    /// Returns the matched vertices of A and B, if a side shows another file.
    pub fn matched_versions(&self) -> Option<Result<Arc<VertexPairs>, VertexMatchError>> {
        match (self.other(Side::A), self.other(Side::B)) {
            (None, None) => None,
            (None, Some(b)) => Some(b.matching.clone()),
            (Some(a), None) => Some(a.matching.clone().map(|matching| Arc::new(matching.turned()))),
            (Some(a), Some(b)) if Arc::ptr_eq(&a.rig, &b.rig) => None,
            (Some(_), Some(_)) => Some(Err(VertexMatchError::TwoOthers)),
        }
    }

    /// Returns the visible comparison characters, and whether the open character is visible.
    pub(super) fn visible(&self, layout: Layout) -> (Vec<&Actor>, bool) {
        let sides = if layout == Layout::Single { &Side::ALL[..1] } else { &Side::ALL[..] };
        let others: Vec<&Actor> = sides.iter().map(|side| self.actor(*side)).filter(|actor| !actor.is_open()).collect();
        let is_open_visible = others.len() < sides.len();
        (others, is_open_visible)
    }

    pub(super) fn is_outdated(&self, inputs: &PosingInputs, hidden: &HiddenItems) -> bool {
        self.is_stale || self.inputs.as_ref() != Some(inputs) || *self.hidden != *hidden
    }

    pub(super) fn update(&mut self, document: &Document, view: &View, inputs: PosingInputs) {
        // Drops the old actors first, so that their memory can be reused.
        self.actors = PerSide::default();
        let Self { current, rest, bones, rest_bones, hidden, poser, .. } = self;
        let rig = &document.rig;
        let find_bones = |pose: &SharedPose, bones: &mut Vec<Bone>| {
            drawn_bones_into(rig, &pose.posed, bones);
            bones.retain(|bone| view.shows_bone(bone.joint));
        };
        poser.pose_into(rig, inputs.moment, &document.pose, current);
        find_bones(current, make_unique(bones));
        if inputs.poses.iter().any(|pose| *pose == ShownPose::Rest) {
            let unposed = Pose::rest(&rig.hierarchy).without(document.switched_off);
            poser.pose_into(rig, None, &unposed, rest);
            find_bones(rest, make_unique(rest_bones));
        }
        if **hidden != view.hidden {
            *hidden = Arc::new(view.hidden.clone());
        }
        self.version = VERSIONS.fetch_add(1, Ordering::Relaxed) + 1;
        for side in Side::ALL {
            let is_at_rest = inputs.poses[side] == ShownPose::Rest;
            self.actors[side] = Some(match &inputs.chosen[side] {
                ChosenCharacter::Open(rig) => self.open_actor(rig, is_at_rest),
                ChosenCharacter::Other(other) => {
                    let pose = (!is_at_rest).then_some((&document.pose, inputs.moment));
                    let open = OpenAppearance { rig, pose, switched_off: document.switched_off, view };
                    self.posed_others[side].actor(other, &open, &mut self.poser)
                }
            });
        }
        (self.inputs, self.is_stale) = (Some(inputs), false);
    }

    fn open_actor(&self, rig: &Arc<Rig>, is_at_rest: bool) -> Actor {
        let Self { current, rest, bones, rest_bones, hidden, no_bones, .. } = self;
        let (pose, bones) = if is_at_rest { (rest, rest_bones) } else { (current, bones) };
        Actor {
            rig: Arc::clone(rig),
            pose: pose.clone(),
            hidden: Arc::clone(hidden),
            bones: Arc::clone(bones),
            unmatched_bones: Arc::clone(no_bones),
            counterparts: None,
        }
    }
}
