//! The user's work on joints and morph targets that a reloaded file lacks: kept until they are back.

use std::collections::HashSet;
use std::sync::Arc;

use super::document::Work;
use super::history::History;
use crate::actor::Counterparts;
use crate::rig::{NodeIndex, Rig};

/// No exporter needs more tries than that.
const MOST: usize = 8;

/// What reloads took away, the oldest first.
#[derive(Default)]
pub(super) struct SetAside(Vec<LostWork>);

/// Work as it was before a reload that had no place for all of it.
struct LostWork {
    rig: Arc<Rig>,
    work: Work,
    history: History,
}

/// A reload, and what was there before it.
pub(super) struct Reloaded<'a> {
    /// The file before.
    pub old: &'a Arc<Rig>,
    /// The file now.
    pub new: &'a Rig,
    /// The work before.
    pub before: Work,
    /// The history before, where a step of it has no place in the file now.
    pub lost_history: Option<History>,
}

impl SetAside {
    /// True where nothing waits for joints or morph targets to come back.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Gives back what has a place again, and keeps what has lost it: `work` and `history` are those after the reload.
    pub fn reload(&mut self, reloaded: Reloaded<'_>, work: &mut Work, history: &mut History) {
        let Reloaded { old, new, before, lost_history } = reloaded;
        for lost in &self.0 {
            lost.give_back(old, new, work);
            if history.is_empty() && lost_history.is_none() {
                *history = lost.history_of(new, work).unwrap_or_default();
            }
        }
        self.0.retain(|lost| has_lost(&lost.work, &Counterparts::between(&lost.rig, new)));
        if lost_history.is_some() || has_lost(&before, &Counterparts::between(old, new)) {
            let history = lost_history.unwrap_or_default();
            self.0.push(LostWork { rig: Arc::clone(old), work: before, history });
        }
        if self.0.len() > MOST {
            self.0.remove(0);
        }
    }
}

impl LostWork {
    /// Poses, limits and weights of what is in the file now and was not before.
    fn give_back(&self, old: &Rig, new: &Rig, work: &mut Work) {
        let (own, known) = (Counterparts::between(&self.rig, new), Counterparts::between(old, new));
        let nodes: HashSet<_> = known.nodes().iter().flatten().collect();
        let morphs: HashSet<_> = known.morphs().iter().flatten().collect();
        for node in self.rig.hierarchy.nodes() {
            let Some(back) = own.node(node).filter(|node| !nodes.contains(node)) else { continue };
            work.pose.set_user_local(back, *self.work.pose.user_local(node));
            if let Some(limits) = self.work.limits.of(node) {
                work.limits.set(back, *limits);
            }
            if self.work.pinned.contains(&node) {
                work.pinned.push(back);
            }
        }
        for (morph, weight) in self.work.pose.morph_weights() {
            if let Some(back) = own.morph(morph).filter(|morph| !morphs.contains(morph)) {
                work.pose.set_morph_weight(back, weight);
            }
        }
    }

    /// The steps of undo, where all is as they left it.
    fn history_of(&self, new: &Rig, work: &Work) -> Option<History> {
        let own = Counterparts::between(&self.rig, new);
        if own.pose(&self.work.pose, new) != work.pose {
            return None;
        }
        let mut history = self.history.clone();
        history.carry(own.nodes(), own.morphs(), |hidden| hidden.carried(&self.rig, new)).then_some(history)
    }
}

/// True where a pose, a limit or a weight has no counterpart.
fn has_lost(work: &Work, counterparts: &Counterparts) -> bool {
    let mut gone = (0..).map(NodeIndex).zip(counterparts.nodes()).filter(|(_, counterpart)| counterpart.is_none());
    gone.any(|(node, _)| work.pose.is_posed(node) || work.limits.of(node).is_some() || work.pinned.contains(&node))
        || work.pose.morph_weights().any(|(morph, _)| counterparts.morph(morph).is_none())
}
