//! Undo and redo: each step keeps only what it changed; the oldest steps are dropped when all together take too much memory.

use std::collections::{BTreeSet, VecDeque};
use std::mem;

use glam::{Quat, Vec3};

use crate::posing::{JointLimits, Limits};
use crate::rig::{DisabledBehaviours, ExpressionIndex, Face, MorphIndex, NodeIndex, Pose, Trs};
use crate::skinning::Skinning;
use crate::stage::{ClipCorrections, Document};
use crate::view::{Hidden, PerSide, SavedView, ShownFile, Side, SideSetting, SideView, View};
use crate::weights::WeightChoice;

/// Everything that steps of undo change, at one moment.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::state) struct Choices {
    pub pose: Pose,
    pub limits: Limits,
    pub pinned: Vec<NodeIndex>,
    pub switched_off: DisabledBehaviours,
    pub clip_corrections: ClipCorrections,
    pub hidden: Hidden,
    pub sides: PerSide<SideView>,
    pub views: Vec<SavedView>,
}

impl Choices {
    pub(crate) fn now(document: &Document, view: &View) -> Self {
        Self {
            // Which behaviours run is a choice of its own; the camera and how springs are turned are none.
            pose: document.pose.clone().bare(),
            limits: document.limits.clone(),
            pinned: document.pinned.clone(),
            switched_off: document.switched_off,
            clip_corrections: document.clip_corrections.clone(),
            hidden: view.hidden.clone(),
            sides: view.sides.clone(),
            views: view.saved.clone(),
        }
    }
}

/// Changes of a step, each holding the values of the *other* side of the step: undoing or redoing swaps them with the character's.
#[derive(Clone, Debug, Default, PartialEq)]
struct HistoryStep {
    label: String,
    rotations: Box<[(NodeIndex, [f32; 4])]>,
    translations: Box<[(NodeIndex, Vec3)]>,
    scales: Box<[(NodeIndex, Vec3)]>,
    morphs: Box<[(MorphIndex, f32)]>,
    face: Option<Box<Face>>,
    limits: Box<[(NodeIndex, JointLimits)]>,
    pinned: Option<Box<[NodeIndex]>>,
    switched_off: Option<DisabledBehaviours>,
    clip_corrections: Option<Box<ClipCorrections>>,
    hidden: Option<Box<Hidden>>,
    sides: Option<Box<PerSide<SideStep>>>,
    views: Option<Box<[SavedView]>>,
}

/// Changes of a side by a step; `None` for what it left alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::state) struct SideStep {
    pub file: Option<ShownFile>,
    pub weights: Option<WeightChoice>,
    skinning: Option<Skinning>,
    settings: Vec<SideSetting>,
}

/// Changes of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Joints that were moved.
    pub joints: Vec<JointChange>,
    /// Morph targets that were moved.
    pub morphs: Vec<MorphChange>,
    /// Expressions and gaze before and after, where they changed.
    pub face: Option<[Face; 2]>,
    /// Joints whose limits changed.
    pub limited: Vec<LimitChange>,
    /// Pinned joints before and after, where they changed.
    pub pinned: Option<[Vec<NodeIndex>; 2]>,
    /// Behaviours that do not run, before and after, where they changed.
    pub switched_off: Option<[DisabledBehaviours; 2]>,
    /// Corrections of clips before and after, where they changed.
    pub clip_corrections: Option<[ClipCorrections; 2]>,
    /// The sides before and after, where one of them changed.
    pub sides: Option<[PerSide<SideView>; 2]>,
    /// Hidden parts before, where they changed.
    hidden: Option<Hidden>,
    /// Saved views before, where they changed.
    views: Option<Vec<SavedView>>,
}

/// `Ul_j` of one joint before and after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointChange {
    pub node: NodeIndex,
    pub before: Trs,
    pub after: Trs,
}

/// Weight added to one morph target before and after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MorphChange {
    pub morph: MorphIndex,
    /// Weight added before the step.
    pub before: f32,
    /// Weight added after the step.
    pub after: f32,
}

/// Limits of one joint before and after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitChange {
    pub node: NodeIndex,
    pub before: JointLimits,
    pub after: JointLimits,
}

/// The steps done, and the undone ones that can be redone.
#[derive(Clone, Debug, Default)]
pub struct History {
    steps: VecDeque<HistoryStep>,
    done: usize,
    bytes: usize,
    forgotten: usize,
    /// Choices from before the edit that is still open.
    open: Option<Box<Choices>>,
}

impl Changes {
    fn between(before: Choices, document: &Document, view: &View) -> Self {
        let differs = |is_other: bool| is_other.then_some(());
        Self {
            limited: changed_limits(&before.limits, &document.limits),
            pinned: differs(before.pinned != document.pinned).map(|()| [before.pinned, document.pinned.clone()]),
            switched_off: differs(before.switched_off != document.switched_off)
                .map(|()| [before.switched_off, document.switched_off]),
            clip_corrections: differs(before.clip_corrections != document.clip_corrections)
                .map(|()| [before.clip_corrections, document.clip_corrections.clone()]),
            sides: differs(before.sides != view.sides).map(|()| [before.sides, view.sides.clone()]),
            hidden: Some(before.hidden).filter(|hidden| *hidden != view.hidden),
            views: Some(before.views).filter(|views| *views != view.saved),
            ..Self::of_pose(&before.pose, &document.pose)
        }
    }

    fn of_pose(before: &Pose, after: &Pose) -> Self {
        let moved = |node| JointChange { node, before: *before.user_local(node), after: *after.user_local(node) };
        let weighted = before.morph_weights().chain(after.morph_weights()).map(|(morph, _)| morph);
        let morphed =
            |morph| MorphChange { morph, before: before.morph_weight(morph), after: after.morph_weight(morph) };
        let morphs: BTreeSet<MorphIndex> = weighted.collect();
        Self {
            joints: (0..after.len() as u32).map(NodeIndex).map(moved).filter(|c| c.before != c.after).collect(),
            morphs: morphs.into_iter().map(morphed).filter(|c| c.before != c.after).collect(),
            face: (before.face() != after.face()).then(|| [before.face().clone(), after.face().clone()]),
            ..Self::default()
        }
    }
}

impl SideStep {
    fn between(before: SideView, after: &SideView) -> Self {
        let settings = before.settings().into_iter().filter(|setting| !after.settings().contains(setting));
        Self {
            settings: settings.collect(),
            file: Some(before.file).filter(|file| *file != after.file),
            weights: Some(before.weights).filter(|weights| *weights != after.weights),
            skinning: Some(before.skinning).filter(|skinning| *skinning != after.skinning),
        }
    }

    fn bytes(&self) -> usize {
        self.file.as_ref().map_or(0, ShownFile::bytes)
            + self.weights.as_ref().map_or(0, WeightChoice::bytes)
            + self.skinning.as_ref().map_or(0, |skinning| size_of_val(&*skinning.by_joint))
            + size_of_val(&*self.settings)
    }

    fn swap(&mut self, side: &mut SideView) {
        fn each<T>(other: &mut Option<T>, now: &mut T) {
            if let Some(other) = other {
                mem::swap(other, now);
            }
        }
        each(&mut self.file, &mut side.file);
        each(&mut self.weights, &mut side.weights);
        each(&mut self.skinning, &mut side.skinning);
        self.settings.iter_mut().for_each(|setting| *setting = side.set(*setting));
    }
}

impl HistoryStep {
    fn new(label: String, changes: Changes) -> Self {
        fn parts<T>(
            changes: &[JointChange],
            part: impl Fn(&Trs) -> T,
            differs: impl Fn(&JointChange) -> bool,
        ) -> Box<[(NodeIndex, T)]> {
            changes.iter().filter(|c| differs(c)).map(|c| (c.node, part(&c.before))).collect()
        }
        let joints = &changes.joints;
        let side = |[before, after]: [PerSide<SideView>; 2]| {
            Box::new(PerSide { a: SideStep::between(before.a, &after.a), b: SideStep::between(before.b, &after.b) })
        };
        Self {
            label,
            rotations: parts(joints, |t| t.rotation.to_array(), |c| c.before.rotation != c.after.rotation),
            translations: parts(joints, |t| t.translation, |c| c.before.translation != c.after.translation),
            scales: parts(joints, |t| t.scale, |c| c.before.scale != c.after.scale),
            morphs: changes.morphs.iter().map(|c| (c.morph, c.before)).collect(),
            face: changes.face.map(|[before, _]| Box::new(before)),
            limits: changes.limited.iter().map(|c| (c.node, c.before)).collect(),
            pinned: changes.pinned.map(|[before, _]| before.into()),
            switched_off: changes.switched_off.map(|[before, _]| before),
            clip_corrections: changes.clip_corrections.map(|[before, _]| Box::new(before)),
            hidden: changes.hidden.map(Box::new),
            sides: changes.sides.map(side),
            views: changes.views.map(Into::into),
        }
    }

    /// Memory that the step takes, bytes.
    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.label.len()
            + size_of_val(&*self.rotations)
            + size_of_val(&*self.translations)
            + size_of_val(&*self.scales)
            + size_of_val(&*self.morphs)
            + self.face.as_ref().map_or(0, |face| size_of_val(&**face) + face.bytes())
            + size_of_val(&*self.limits)
            + self.pinned.as_ref().map_or(0, |pinned| size_of_val(&**pinned))
            + self.clip_corrections.as_ref().map_or(0, |corrections| corrections.bytes())
            + self.hidden.as_ref().map_or(0, |hidden| hidden.bytes())
            + self
                .sides
                .as_ref()
                .map_or(0, |sides| size_of_val(&**sides) + sides.iter().map(SideStep::bytes).sum::<usize>())
            + self.views.as_ref().map_or(0, |views| views.iter().map(SavedView::bytes).sum())
    }

    fn nodes_mut(&mut self) -> impl Iterator<Item = &mut NodeIndex> {
        let rotated = self.rotations.iter_mut().map(|(node, _)| node);
        let moved = self.translations.iter_mut().chain(&mut self.scales).map(|(node, _)| node);
        rotated.chain(moved).chain(self.limits.iter_mut().map(|(node, _)| node))
    }

    fn swap(&mut self, document: &mut Document, view: &mut View) {
        fn each<T: Copy>(parts: &mut [(NodeIndex, T)], pose: &mut Pose, swap: impl Fn(&mut Trs, T) -> T) {
            for (node, part) in parts {
                let mut user_local = *pose.user_local(*node);
                *part = swap(&mut user_local, *part);
                pose.set_user_local(*node, user_local);
            }
        }
        let Document { pose, limits, pinned, switched_off, clip_corrections, .. } = document;
        each(&mut self.rotations, pose, |t, r| mem::replace(&mut t.rotation, Quat::from_array(r)).to_array());
        each(&mut self.translations, pose, |t, v| mem::replace(&mut t.translation, v));
        each(&mut self.scales, pose, |t, v| mem::replace(&mut t.scale, v));
        for (morph, other) in &mut self.morphs {
            let now = pose.morph_weight(*morph);
            pose.set_morph_weight(*morph, mem::replace(other, now));
        }
        if let Some(other) = &mut self.face {
            mem::swap(&mut **other, pose.face_mut());
        }
        for (node, other) in &mut self.limits {
            let now = limits.of(*node).copied().unwrap_or_default();
            limits.set(*node, mem::replace(other, now));
        }
        if let Some(other) = &mut self.pinned {
            let before = mem::take(other).into_vec();
            *other = mem::replace(pinned, before).into();
        }
        if let Some(other) = &mut self.switched_off {
            mem::swap(other, switched_off);
        }
        if let Some(other) = &mut self.clip_corrections {
            mem::swap(&mut **other, clip_corrections);
        }
        if let Some(other) = &mut self.hidden {
            mem::swap(&mut **other, &mut view.hidden);
        }
        if let Some(other) = &mut self.views {
            let before = mem::take(other).into_vec();
            *other = mem::replace(&mut view.saved, before).into();
        }
        if let Some(other) = &mut self.sides {
            for side in Side::ALL {
                other[side].swap(&mut view.sides[side]);
            }
        }
    }

    /// Moves everything not covered by [`Self::nodes_mut`] to the nodes of another rig; nodes without a counterpart are left out.
    fn carry_lists(&mut self, node_of: impl Fn(NodeIndex) -> Option<NodeIndex>) {
        if let Some(pinned) = &mut self.pinned {
            *pinned = pinned.iter().filter_map(|node| node_of(*node)).collect();
        }
        if let Some(corrections) = &mut self.clip_corrections {
            **corrections = corrections.carried(&node_of);
        }
        for skinning in self.sides.iter_mut().flat_map(|sides| sides.iter_mut()).filter_map(|s| s.skinning.as_mut()) {
            skinning.by_joint.retain_mut(|(node, _)| node_of(*node).map(|counterpart| *node = counterpart).is_some());
            skinning.by_joint.sort_unstable_by_key(|(node, _)| *node);
        }
    }
}

impl History {
    /// Memory that all steps may take together: 500 steps that change all of 10,000 joints in every part are 260 million bytes.
    pub const MAX_BYTES: usize = 256 << 20;

    /// Starts a step that may go through many poses; a step already open continues.
    pub(in crate::state) fn begin(&mut self, document: &Document, view: &View) {
        if self.open.is_none() {
            self.open = Some(Box::new(Choices::now(document, view)));
        }
    }

    /// True between [`Self::begin`] and its end.
    pub(in crate::state) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The pose from before the open step.
    pub(in crate::state) fn before(&self) -> Option<&Pose> {
        self.open.as_ref().map(|before| &before.pose)
    }

    /// Closes the step with the current values; without changes there is no step. The label is made from the changes.
    pub(in crate::state) fn end(&mut self, document: &Document, view: &View, label: impl FnOnce(&Changes) -> String) {
        let Some(before) = self.open.take() else { return };
        let changes = Changes::between(*before, document, view);
        if changes != Changes::default() {
            self.push(HistoryStep::new(label(&changes), changes));
        }
    }

    /// Withdraws the last step, without redo, where it changed only one side in the way that is asked for.
    pub(in crate::state) fn withdraw(
        &mut self,
        side: Side,
        is_it: impl Fn(&SideStep) -> bool,
        document: &mut Document,
        view: &mut View,
    ) -> bool {
        let is_of_side = |sides: &PerSide<SideStep>| is_it(&sides[side]) && sides[side.other()] == SideStep::default();
        let is_alone = |step: &HistoryStep| {
            let sides = step.sides.clone().filter(|sides| is_of_side(sides));
            sides.is_some() && *step == HistoryStep { label: step.label.clone(), sides, ..HistoryStep::default() }
        };
        let is_last = self.done.checked_sub(1).is_some_and(|last| is_alone(&self.steps[last]));
        if is_last {
            self.undo(document, view);
            self.drop_undone();
        }
        is_last
    }

    /// The value that a part of a side had before it was last chosen.
    pub(in crate::state) fn side_before<'a, T>(
        &'a self,
        side: Side,
        of: impl Fn(&'a SideStep) -> Option<&'a T>,
    ) -> Option<&'a T> {
        self.steps.range(..self.done).rev().find_map(|step| of(&step.sides.as_ref()?[side]))
    }

    fn drop_undone(&mut self) {
        for undone in self.steps.drain(self.done..) {
            self.bytes -= undone.bytes();
        }
    }

    fn push(&mut self, step: HistoryStep) {
        self.drop_undone();
        self.bytes += step.bytes();
        self.steps.push_back(step);
        self.forget(Self::MAX_BYTES);
        self.done = self.steps.len();
    }

    /// Drops the oldest steps until the rest fits; the newest stays whatever its size.
    fn forget(&mut self, max_bytes: usize) {
        while self.bytes > max_bytes && self.steps.len() > 1 {
            if let Some(oldest) = self.steps.pop_front() {
                self.bytes -= oldest.bytes();
                self.forgotten += 1;
            }
        }
    }

    /// Drops the open step; returns the choices from before it.
    pub(in crate::state) fn cancel(&mut self) -> Option<Choices> {
        self.open.take().map(|before| *before)
    }

    /// Undoes the last step; returns its label, or `None` where there is nothing to undo.
    pub(in crate::state) fn undo(&mut self, document: &mut Document, view: &mut View) -> Option<&str> {
        self.done = self.done.checked_sub(1)?;
        self.swap(self.done, document, view);
        self.redo_label()
    }

    /// Redoes the next step; returns its label, or `None` where there is nothing to redo.
    pub(in crate::state) fn redo(&mut self, document: &mut Document, view: &mut View) -> Option<&str> {
        if self.done == self.steps.len() {
            return None;
        }
        self.swap(self.done, document, view);
        self.done += 1;
        self.undo_label()
    }

    /// Undoes or redoes a step; its memory may change by that.
    fn swap(&mut self, step: usize, document: &mut Document, view: &mut View) {
        let step = &mut self.steps[step];
        self.bytes -= step.bytes();
        step.swap(document, view);
        self.bytes += step.bytes();
    }

    /// Undoes or redoes until `done` steps are done, or as many as there are.
    pub(in crate::state) fn go_to(&mut self, done: usize, document: &mut Document, view: &mut View) {
        while self.done > done && self.undo(document, view).is_some() {}
        while self.done < done && self.redo(document, view).is_some() {}
    }

    /// Moves the steps to another rig: `nodes[node]` in place of `node`, and likewise morph targets, expressions and hidden parts. False where a step changed something
    /// without a counterpart; the history is then unchanged.
    pub(in crate::state) fn carry(
        &mut self,
        nodes: &[Option<NodeIndex>],
        morphs: &[Option<MorphIndex>],
        expression_of: impl Fn(ExpressionIndex) -> Option<ExpressionIndex>,
        hidden: impl Fn(&Hidden) -> Hidden,
    ) -> bool {
        let node_of = |node: NodeIndex| nodes.get(node.index()).copied().flatten();
        let morph_of = |morph: MorphIndex| morphs.get(morph.index()).copied().flatten();
        let mut has_counterparts = |step: &mut HistoryStep| {
            step.nodes_mut().all(|node| node_of(*node).is_some())
                && step.morphs.iter().all(|(morph, _)| morph_of(*morph).is_some())
                && step.face.iter().flat_map(|face| face.expressions()).all(|(at, _)| expression_of(at).is_some())
        };
        if !self.steps.iter_mut().all(&mut has_counterparts) {
            return false;
        }
        for step in &mut self.steps {
            if let Some(other) = &mut step.hidden {
                **other = hidden(other);
            }
            step.morphs.iter_mut().for_each(|(morph, _)| *morph = morph_of(*morph).unwrap_or(*morph));
            if let Some(face) = &mut step.face {
                **face = face.carried(&expression_of);
            }
            step.nodes_mut().for_each(|node| *node = node_of(*node).unwrap_or(*node));
            step.carry_lists(node_of);
        }
        self.bytes = self.steps.iter().map(HistoryStep::bytes).sum();
        self.open = None;
        true
    }

    /// Name of the step that undo would take back.
    pub fn undo_label(&self) -> Option<&str> {
        self.label(self.done.checked_sub(1)?)
    }

    /// Name of the step that redo would do.
    pub fn redo_label(&self) -> Option<&str> {
        self.label(self.done)
    }

    /// Name of a step, counted from the oldest.
    pub fn label(&self, step: usize) -> Option<&str> {
        self.steps.get(step).map(|s| s.label.as_str())
    }

    /// Number of steps, done and undone.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True where there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Number of steps done; later ones are undone.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Number of old steps dropped to save memory.
    pub fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// Memory that the steps take, bytes; at most [`Self::MAX_BYTES`] unless a single step is larger.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Joints whose limits have changed.
fn changed_limits(before: &Limits, after: &Limits) -> Vec<LimitChange> {
    let limited: BTreeSet<NodeIndex> = before.iter().chain(after.iter()).map(|(node, _)| node).collect();
    let of = |limits: &Limits, node| limits.of(node).copied().unwrap_or_default();
    let change = |node| LimitChange { node, before: of(before, node), after: of(after, node) };
    limited.into_iter().map(change).filter(|c| c.before != c.after).collect()
}

#[cfg(test)]
mod tests;
