//! The user's work and choices on joints and morph targets that a reloaded file lacks, kept until they return.

use std::collections::HashSet;
use std::sync::Arc;

use crate::actor::Counterparts;
use crate::analysis::measure::VertexPlace;
use crate::rig::{MorphIndex, NodeIndex, Rig};
use crate::skinning::JointMethod;
use crate::stage::Playback;
use crate::state::UserWork;
use crate::state::document::places;
use crate::state::edit::history::History;
use crate::view::{Camera, PerSide};

/// Most reloads whose lost work is kept.
const MOST: usize = 8;

/// Joints of a side that have a method of their own.
type OwnMethods = Vec<(NodeIndex, JointMethod)>;

/// Work on parts that reloads removed.
#[derive(Default)]
pub(in crate::state) struct SetAsideWork {
    /// Lost work, the oldest first.
    works: Vec<LostWork>,
    selected: Option<LostChoice<Vec<NodeIndex>>>,
    isolated: Option<LostChoice<Vec<NodeIndex>>>,
    tie: Option<LostChoice<Vec<Tie>>>,
    probes: Option<LostChoice<Vec<VertexPlace>>>,
    /// Camera after the last reload: a lost camera of the file is not restored once the user has moved the view.
    camera: Option<Camera>,
    morph: Option<LostChoice<Vec<MorphIndex>>>,
    by_joint: PerSide<Option<LostChoice<OwnMethods>>>,
    playback: Option<LostChoice<Playback>>,
}

/// Work as it was before a reload that had no place for all of it.
struct LostWork {
    rig: Arc<Rig>,
    work: UserWork,
    /// Work as last opened or saved.
    saved: UserWork,
    history: History,
}

/// A choice that a reload had no place for, and what was left of it: restored later unless the user has chosen anew.
struct LostChoice<T> {
    rig: Arc<Rig>,
    chosen: T,
    left: T,
}

/// A rig before and after a reload.
pub(in crate::state) struct Reloaded<'a> {
    /// Rig before the file was read again.
    pub old: &'a Arc<Rig>,
    /// Rig of the file now.
    pub new: &'a Rig,
    /// Counterparts in `new` of the joints and morph targets of `old`.
    pub same: &'a Counterparts,
}

/// The user's work before a reload.
pub(in crate::state) struct PreviousWork {
    pub work: UserWork,
    /// Work as last opened or saved.
    pub saved: UserWork,
    /// The history, where one of its steps has no place in the reloaded file.
    pub lost_history: Option<History>,
}

/// The user's work after a reload.
pub(in crate::state) struct CarriedWork {
    pub work: UserWork,
    /// Work as last opened or saved.
    pub saved: UserWork,
    pub history: History,
}

/// Joint or camera of the file that the view's camera is tied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::state) enum Tie {
    /// A joint that the camera follows.
    Joint(NodeIndex),
    /// A camera of the file that the view looks through, by its position in `Rig::cameras`.
    File(usize),
}

/// What is selected and shown of one file.
pub(in crate::state) struct Choices {
    pub selected: Vec<NodeIndex>,
    /// The node to whose subtree the visible bones are limited.
    pub isolated: Option<NodeIndex>,
    /// Joint or camera of the file that the view's camera is tied to.
    pub tie: Option<Tie>,
    pub camera: Camera,
    pub probes: Vec<VertexPlace>,
    pub morph: Option<MorphIndex>,
    /// Joints of each side that have a method of their own.
    pub by_joint: PerSide<OwnMethods>,
    pub playback: Playback,
}

impl SetAsideWork {
    /// True where no work waits for joints or morph targets to return.
    pub(crate) fn is_empty(&self) -> bool {
        self.works.is_empty()
    }

    /// Gives back work that has a place in the file again, and sets aside work that has lost its place.
    pub(crate) fn reload_work(
        &mut self,
        Reloaded { old, new, same }: &Reloaded<'_>,
        before: PreviousWork,
        now: &mut CarriedWork,
    ) {
        let has_lost_steps = before.lost_history.is_some();
        for lost in &self.works {
            lost.give_back(new, same, now);
            if now.history.is_empty() && !has_lost_steps {
                now.history = lost.history_of(new, &now.work).unwrap_or_default();
            }
        }
        self.works.retain(|lost| lost.is_missed(&Counterparts::between(&lost.rig, new)));
        let PreviousWork { work, saved, lost_history } = before;
        let lost = LostWork { rig: Arc::clone(old), work, saved, history: lost_history.unwrap_or_default() };
        if has_lost_steps || lost.is_missed(same) {
            self.works.push(lost);
        }
        if self.works.len() > MOST {
            self.works.remove(0);
        }
    }

    /// Notes the camera after a reload.
    pub(crate) fn note_camera(&mut self, camera: Camera) {
        self.camera = Some(camera);
    }

    /// Carries the choices over to a reloaded file: lost ones are restored unless the user has chosen anew since.
    pub(crate) fn reload_choices(&mut self, reloaded: &Reloaded<'_>, now: Choices) -> Choices {
        let node = |node: &NodeIndex, _: &Rig, same: &Counterparts| same.node(*node);
        let morph = |morph: &MorphIndex, _: &Rig, same: &Counterparts| same.morph(*morph);
        let method = |(node, method): &(NodeIndex, JointMethod), _: &Rig, same: &Counterparts| {
            Some((same.node(*node)?, *method))
        };
        let tie = |tie: &Tie, old: &Rig, same: &Counterparts| match tie {
            Tie::Joint(node) => same.node(*node).map(Tie::Joint),
            Tie::File(camera) => places::camera(*camera, old, reloaded.new, same).map(Tie::File),
        };
        let probe =
            |place: &VertexPlace, old: &Rig, same: &Counterparts| places::vertex(*place, old, reloaded.new, same);
        let is_file = |lost: &LostChoice<Vec<Tie>>| lost.chosen.iter().any(|tie| matches!(tie, Tie::File(_)));
        if self.camera != Some(now.camera) && self.tie.as_ref().is_some_and(is_file) {
            self.tie = None;
        }
        let PerSide { a, b } = now.by_joint;
        Choices {
            selected: reloaded.list(&mut self.selected, now.selected, node),
            isolated: reloaded.one(&mut self.isolated, now.isolated, node),
            tie: reloaded.one(&mut self.tie, now.tie, tie),
            camera: now.camera,
            probes: reloaded.list(&mut self.probes, now.probes, probe),
            morph: reloaded.one(&mut self.morph, now.morph, morph),
            by_joint: PerSide {
                a: reloaded.list(&mut self.by_joint.a, a, method),
                b: reloaded.list(&mut self.by_joint.b, b, method),
            },
            playback: reloaded.playback(&mut self.playback, now.playback),
        }
    }
}

impl Reloaded<'_> {
    fn one<T: Clone + PartialEq>(
        &self,
        lost: &mut Option<LostChoice<Vec<T>>>,
        now: Option<T>,
        counterpart: impl Fn(&T, &Rig, &Counterparts) -> Option<T>,
    ) -> Option<T> {
        self.list(lost, now.into_iter().collect(), counterpart).pop()
    }

    fn list<T: Clone + PartialEq>(
        &self,
        lost: &mut Option<LostChoice<Vec<T>>>,
        now: Vec<T>,
        counterpart: impl Fn(&T, &Rig, &Counterparts) -> Option<T>,
    ) -> Vec<T> {
        let carried = |chosen: &[T], old: &Rig, same: &Counterparts| -> Vec<T> {
            chosen.iter().filter_map(|one| counterpart(one, old, same)).collect()
        };
        let (rig, chosen, left) = match lost.take() {
            Some(LostChoice { rig, chosen, left }) if left == now => {
                let left = carried(&chosen, &rig, &Counterparts::between(&rig, self.new));
                (rig, chosen, left)
            }
            _ => {
                let left = carried(&now, self.old, self.same);
                (Arc::clone(self.old), now, left)
            }
        };
        if left.len() < chosen.len() {
            *lost = Some(LostChoice { rig, chosen, left: left.clone() });
        }
        left
    }

    fn playback(&self, lost: &mut Option<LostChoice<Playback>>, now: Playback) -> Playback {
        let (rig, chosen) = match lost.take() {
            Some(LostChoice { rig, chosen, left }) if now.is_left_alone(&left) => (rig, chosen.gone_on(&now)),
            _ => (Arc::clone(self.old), now),
        };
        let left = chosen.carried(&rig, self.new);
        if !chosen.is_whole_in(&left) {
            *lost = Some(LostChoice { rig, chosen, left: left.clone() });
        }
        left
    }
}

impl LostWork {
    /// Gives back poses, limits and weights of parts of the file without a counterpart (`same`) in the previous one, in the current and the saved work.
    fn give_back(&self, new: &Rig, same: &Counterparts, now: &mut CarriedWork) {
        let own = Counterparts::between(&self.rig, new);
        let nodes: HashSet<_> = same.nodes().iter().flatten().collect();
        let morphs: HashSet<_> = same.morphs().iter().flatten().collect();
        let expressions: HashSet<_> = same.expressions().iter().flatten().collect();
        for (lost, work) in [(&self.work, &mut now.work), (&self.saved, &mut now.saved)] {
            for node in self.rig.hierarchy.nodes() {
                let Some(back) = own.node(node).filter(|node| !nodes.contains(node)) else { continue };
                work.pose.set_user_local(back, *lost.pose.user_local(node));
                if let Some(limits) = lost.limits.of(node) {
                    work.limits.set(back, *limits);
                }
                if lost.pinned.contains(&node) {
                    work.pinned.push(back);
                }
            }
            for (expression, weight) in lost.pose.face().expressions() {
                if let Some(back) = own.expression(expression).filter(|back| !expressions.contains(back)) {
                    work.pose.face_mut().set_expression(back, weight);
                }
            }
            for (morph, weight) in lost.pose.morph_weights() {
                if let Some(back) = own.morph(morph).filter(|morph| !morphs.contains(morph)) {
                    work.pose.set_morph_weight(back, weight);
                }
            }
        }
    }

    fn is_missed(&self, same: &Counterparts) -> bool {
        has_lost(&self.work, same) || has_lost(&self.saved, same)
    }

    /// The undo history, where the work is still as its steps left it.
    fn history_of(&self, new: &Rig, work: &UserWork) -> Option<History> {
        let own = Counterparts::between(&self.rig, new);
        if own.pose(&self.work.pose, new) != work.pose {
            return None;
        }
        let mut history = self.history.clone();
        history
            .carry(own.nodes(), own.morphs(), |at| own.expression(at), |hidden| hidden.carried(&self.rig, new))
            .then_some(history)
    }
}

/// True where a pose, a limit or a weight has no counterpart.
fn has_lost(work: &UserWork, counterparts: &Counterparts) -> bool {
    let mut gone = (0..).map(NodeIndex).zip(counterparts.nodes()).filter(|(_, counterpart)| counterpart.is_none());
    gone.any(|(node, _)| work.pose.is_posed(node) || work.limits.of(node).is_some() || work.pinned.contains(&node))
        || work.pose.morph_weights().any(|(morph, _)| counterparts.morph(morph).is_none())
        || work.pose.face().expressions().any(|(at, _)| counterparts.expression(at).is_none())
}
