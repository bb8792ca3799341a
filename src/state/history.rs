//! Undo and redo: each step keeps only what it changed, and the oldest steps go when all of them take too much memory.

use std::collections::{BTreeSet, VecDeque};

use glam::{Quat, Vec3};

use super::document::Work;
use crate::posing::{JointLimits, Limits};
use crate::rig::{MorphIndex, NodeIndex, Pose, Trs};
use crate::view::{Hidden, PerSide, SavedView, Side, View};
use crate::weights::WeightChoice;

/// The parts of `Ul_j`, the weights of morph targets, the limits and the choices of the view that a step changed, each as it is on the *other* side of the step: doing or undoing it swaps them
/// with those of the character.
#[derive(Clone, Debug, PartialEq)]
struct HistoryStep {
    label: String,
    rotations: Box<[(NodeIndex, [f32; 4])]>,
    translations: Box<[(NodeIndex, Vec3)]>,
    scales: Box<[(NodeIndex, Vec3)]>,
    morphs: Box<[(MorphIndex, f32)]>,
    limits: Box<[(NodeIndex, JointLimits)]>,
    /// Where it changed.
    hidden: Option<Box<Hidden>>,
    /// Where they changed.
    weights: Option<Box<PerSide<WeightChoice>>>,
    /// Where they changed.
    views: Option<Box<[SavedView]>>,
}

/// What a step changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Joints that were moved.
    pub joints: Vec<JointChange>,
    /// Morph targets that were moved.
    pub morphs: Vec<MorphChange>,
    /// Joints whose limits are others now.
    pub limited: Vec<NodeIndex>,
}

/// `Ul_j` of one joint before and after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointChange {
    /// Which joint.
    pub node: NodeIndex,
    /// `Ul_j` before.
    pub before: Trs,
    /// `Ul_j` after.
    pub after: Trs,
}

/// What is added to the weight of one morph target before and after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MorphChange {
    /// Which target.
    pub morph: MorphIndex,
    /// The weight added before.
    pub before: f32,
    /// The weight added after.
    pub after: f32,
}

/// The steps done, and those undone and not yet replaced.
#[derive(Clone, Debug, Default)]
pub struct History {
    steps: VecDeque<HistoryStep>,
    done: usize,
    bytes: usize,
    forgotten: usize,
    /// What was before an edit that is still going on.
    open: Option<Work>,
}

impl Changes {
    fn of_pose(before: &Pose, after: &Pose) -> Self {
        let moved = |node| JointChange { node, before: *before.user_local(node), after: *after.user_local(node) };
        let weighted = before.morph_weights().chain(after.morph_weights()).map(|(morph, _)| morph);
        let morphed =
            |morph| MorphChange { morph, before: before.morph_weight(morph), after: after.morph_weight(morph) };
        let morphs: BTreeSet<MorphIndex> = weighted.collect();
        Self {
            joints: (0..after.len() as u32).map(NodeIndex).map(moved).filter(|c| c.before != c.after).collect(),
            morphs: morphs.into_iter().map(morphed).filter(|c| c.before != c.after).collect(),
            limited: Vec::new(),
        }
    }
}

impl HistoryStep {
    fn new(label: String, changes: &Changes, limits: Box<[(NodeIndex, JointLimits)]>) -> Self {
        fn parts<T>(
            changes: &[JointChange],
            part: impl Fn(&Trs) -> T,
            differs: impl Fn(&JointChange) -> bool,
        ) -> Box<[(NodeIndex, T)]> {
            changes.iter().filter(|c| differs(c)).map(|c| (c.node, part(&c.before))).collect()
        }
        let joints = &changes.joints;
        Self {
            label,
            rotations: parts(joints, |t| t.rotation.to_array(), |c| c.before.rotation != c.after.rotation),
            translations: parts(joints, |t| t.translation, |c| c.before.translation != c.after.translation),
            scales: parts(joints, |t| t.scale, |c| c.before.scale != c.after.scale),
            morphs: changes.morphs.iter().map(|c| (c.morph, c.before)).collect(),
            limits,
            hidden: None,
            weights: None,
            views: None,
        }
    }

    /// What it takes, in all.
    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.label.len()
            + size_of_val(&*self.rotations)
            + size_of_val(&*self.translations)
            + size_of_val(&*self.scales)
            + size_of_val(&*self.morphs)
            + size_of_val(&*self.limits)
            + self.hidden.as_ref().map_or(0, |hidden| hidden.bytes())
            + self.weights.as_ref().map_or(0, |weights| weights.iter().map(WeightChoice::bytes).sum())
            + self.views.as_ref().map_or(0, |views| views.iter().map(SavedView::bytes).sum())
    }

    fn nodes_mut(&mut self) -> impl Iterator<Item = &mut NodeIndex> {
        let rotated = self.rotations.iter_mut().map(|(node, _)| node);
        let moved = self.translations.iter_mut().chain(&mut self.scales).map(|(node, _)| node);
        rotated.chain(moved).chain(self.limits.iter_mut().map(|(node, _)| node))
    }

    fn swap(&mut self, pose: &mut Pose, limits: &mut Limits, view: &mut View) {
        fn each<T: Copy>(parts: &mut [(NodeIndex, T)], pose: &mut Pose, swap: impl Fn(&mut Trs, T) -> T) {
            for (node, part) in parts {
                let mut user_local = *pose.user_local(*node);
                *part = swap(&mut user_local, *part);
                pose.set_user_local(*node, user_local);
            }
        }
        each(&mut self.rotations, pose, |t, r| std::mem::replace(&mut t.rotation, Quat::from_array(r)).to_array());
        each(&mut self.translations, pose, |t, v| std::mem::replace(&mut t.translation, v));
        each(&mut self.scales, pose, |t, v| std::mem::replace(&mut t.scale, v));
        for (morph, other) in &mut self.morphs {
            let now = pose.morph_weight(*morph);
            pose.set_morph_weight(*morph, std::mem::replace(other, now));
        }
        for (node, other) in &mut self.limits {
            let now = limits.of(*node).copied().unwrap_or_default();
            limits.set(*node, std::mem::replace(other, now));
        }
        if let Some(other) = &mut self.hidden {
            std::mem::swap(&mut **other, &mut view.hidden);
        }
        if let Some(other) = &mut self.views {
            let before = std::mem::take(other).into_vec();
            *other = std::mem::replace(&mut view.saved, before).into();
        }
        if let Some(other) = &mut self.weights {
            for side in Side::ALL {
                std::mem::swap(&mut other[side], &mut view.sides[side].weights);
            }
        }
    }
}

impl History {
    /// What all steps may take together: 500 steps that change all of 10,000 joints in every part are 260 million bytes.
    pub const MAX_BYTES: usize = 256 << 20;

    /// Starts a step that may go through many poses; one that is open already goes on.
    pub fn begin(&mut self, pose: &Pose, limits: &Limits) {
        if self.open.is_none() {
            self.open = Some(Work { pose: pose.clone(), limits: limits.clone() });
        }
    }

    /// True between [`Self::begin`] and its end.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The pose from before the open step.
    pub fn before(&self) -> Option<&Pose> {
        self.open.as_ref().map(|before| &before.pose)
    }

    /// Closes the step with pose and limits as they are now; nothing changed is no step. The label is made from what changed.
    pub fn end(&mut self, pose: &Pose, limits: &Limits, label: impl FnOnce(&Changes) -> String) {
        let Some(before) = self.open.take() else { return };
        let limits = changed_limits(&before.limits, limits);
        let limited = limits.iter().map(|(node, _)| *node).collect();
        let changes = Changes { limited, ..Changes::of_pose(&before.pose, pose) };
        if changes == Changes::default() {
            return;
        }
        self.push(HistoryStep::new(label(&changes), &changes, limits));
    }

    /// A step that changed what is shown, from this.
    pub fn hide(&mut self, before: Hidden, label: String) {
        self.push(HistoryStep {
            hidden: Some(Box::new(before)),
            ..HistoryStep::new(label, &Changes::default(), Box::default())
        });
    }

    /// A step that changed where the weights of a side come from, from this.
    pub fn reweight(&mut self, before: PerSide<WeightChoice>, label: String) {
        self.push(HistoryStep {
            weights: Some(Box::new(before)),
            ..HistoryStep::new(label, &Changes::default(), Box::default())
        });
    }

    /// A step that changed the views that are kept under names, from these.
    pub fn change_views(&mut self, before: Vec<SavedView>, label: String) {
        self.push(HistoryStep {
            views: Some(before.into()),
            ..HistoryStep::new(label, &Changes::default(), Box::default())
        });
    }

    fn push(&mut self, step: HistoryStep) {
        for undone in self.steps.drain(self.done..) {
            self.bytes -= undone.bytes();
        }
        self.bytes += step.bytes();
        self.steps.push_back(step);
        self.forget(Self::MAX_BYTES);
        self.done = self.steps.len();
    }

    /// Drops the oldest steps until the rest fits; the newest stays whatever it takes.
    fn forget(&mut self, max_bytes: usize) {
        while self.bytes > max_bytes && self.steps.len() > 1 {
            if let Some(oldest) = self.steps.pop_front() {
                self.bytes -= oldest.bytes();
                self.forgotten += 1;
            }
        }
    }

    /// Drops the open step; what was before it.
    pub fn cancel(&mut self) -> Option<Work> {
        self.open.take()
    }

    /// Takes the last step back; its label, or `None` where there is nothing to take back.
    pub fn undo(&mut self, pose: &mut Pose, limits: &mut Limits, view: &mut View) -> Option<&str> {
        self.done = self.done.checked_sub(1)?;
        let step = &mut self.steps[self.done];
        step.swap(pose, limits, view);
        Some(&step.label)
    }

    /// Does the next step again.
    pub fn redo(&mut self, pose: &mut Pose, limits: &mut Limits, view: &mut View) -> Option<&str> {
        let step = self.steps.get_mut(self.done)?;
        step.swap(pose, limits, view);
        self.done += 1;
        Some(&step.label)
    }

    /// Takes back or does again until `done` steps are done, as far as there are so many.
    pub fn go_to(&mut self, done: usize, pose: &mut Pose, limits: &mut Limits, view: &mut View) {
        while self.done > done && self.undo(pose, limits, view).is_some() {}
        while self.done < done && self.redo(pose, limits, view).is_some() {}
    }

    /// Turns the steps into steps of another rig: `nodes[node]` is changed in place of `node`, and so for morph targets and what is hidden. False
    /// where a step changed something that has no counterpart; the history stays as it was then.
    pub fn carry(
        &mut self,
        nodes: &[Option<NodeIndex>],
        morphs: &[Option<MorphIndex>],
        hidden: impl Fn(&Hidden) -> Hidden,
    ) -> bool {
        let node_of = |node: NodeIndex| nodes.get(node.index()).copied().flatten();
        let morph_of = |morph: MorphIndex| morphs.get(morph.index()).copied().flatten();
        let mut has_counterparts = |step: &mut HistoryStep| {
            step.nodes_mut().all(|node| node_of(*node).is_some())
                && step.morphs.iter().all(|(morph, _)| morph_of(*morph).is_some())
        };
        if !self.steps.iter_mut().all(&mut has_counterparts) {
            return false;
        }
        for step in &mut self.steps {
            if let Some(other) = &mut step.hidden {
                **other = hidden(other);
            }
            step.morphs.iter_mut().for_each(|(morph, _)| *morph = morph_of(*morph).unwrap_or(*morph));
            step.nodes_mut().for_each(|node| *node = node_of(*node).unwrap_or(*node));
        }
        self.open = None;
        true
    }

    /// What undo would take back.
    pub fn undo_label(&self) -> Option<&str> {
        self.label(self.done.checked_sub(1)?)
    }

    /// What redo would do.
    pub fn redo_label(&self) -> Option<&str> {
        self.label(self.done)
    }

    /// What a step is called, the oldest first.
    pub fn label(&self, step: usize) -> Option<&str> {
        self.steps.get(step).map(|s| s.label.as_str())
    }

    /// Number of steps, done and undone.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True before the first step.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Number of steps that are done; those after them are undone.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Number of steps that were dropped for those after them.
    pub fn forgotten(&self) -> usize {
        self.forgotten
    }

    /// What the steps take in memory, at most [`Self::MAX_BYTES`] but for a single larger one.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Those before of every joint whose limits are others now.
fn changed_limits(before: &Limits, after: &Limits) -> Box<[(NodeIndex, JointLimits)]> {
    let limited: BTreeSet<NodeIndex> = before.iter().chain(after.iter()).map(|(node, _)| node).collect();
    let changed = limited.into_iter().filter(|&node| before.of(node) != after.of(node));
    changed.map(|node| (node, before.of(node).copied().unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests;
