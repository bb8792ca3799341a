use std::sync::Arc;

use super::Stage;
use crate::rig::Rig;
use crate::view::Side;

/// State of the character or weights chosen for a side.
#[derive(Clone, Copy, Debug)]
pub enum ChoiceState<'a, T> {
    /// Nothing is chosen: the side shows the open character, or the weights of its file.
    Own,
    /// The choice is loading or being computed; until then, the side shows its own data.
    Awaited,
    /// The choice is shown.
    Shown(&'a T),
    /// The choice failed; contains the error message. The side shows its own data.
    Missing(&'a str),
}

/// A character that is read or computed in the background.
pub trait RigSource {
    /// Returns the rig of the character.
    fn rig(&self) -> &Arc<Rig>;
}

/// What is chosen for a side, if its character is read or computed in the background: a comparison file, or weights.
/// The default is the open character as read from its file.
pub trait RigChoice: Clone + Default + PartialEq + 'static {
    /// Type of the character.
    type Character: RigSource;

    /// Returns the choice of a side.
    fn on(stage: &Stage, side: Side) -> &Self;

    /// Shows the choice on a side.
    fn show(self, stage: &mut Stage, side: Side);

    /// True if the side shows its own data, whatever the character.
    fn is_own(stage: &Stage, side: Side) -> bool;

    /// Returns the characters that were read or computed.
    fn cache(stage: &Stage) -> &RigCache<Self, Self::Character>;

    /// Removes a result from the cache, so that the character is read or computed again.
    fn remove(&self, stage: &mut Stage);

    /// Returns the state of a side's choice.
    fn state(stage: &Stage, side: Side) -> ChoiceState<'_, Self::Character> {
        if Self::is_own(stage, side) { ChoiceState::Own } else { Self::cache(stage).state(Self::on(stage, side)) }
    }

    /// True if the side waits for its character.
    fn is_awaited(stage: &Stage, side: Side) -> bool {
        matches!(Self::state(stage, side), ChoiceState::Awaited)
    }

    /// Returns the next choice whose character is missing, side A's first.
    fn awaited(stage: &Stage) -> Option<&Self> {
        Side::ALL.into_iter().find(|side| Self::is_awaited(stage, *side)).map(|side| Self::on(stage, side))
    }

    /// Reads or computes a side's character again.
    fn renew(stage: &mut Stage, side: Side) {
        Self::on(stage, side).clone().remove(stage);
    }

    /// Shows the open character's own data on the sides that wait for this character.
    fn give_up(&self, stage: &mut Stage) {
        for side in Side::ALL {
            if Self::on(stage, side) == self && Self::is_awaited(stage, side) {
                Self::default().show(stage, side);
            }
        }
    }
}

/// Characters or error texts by user choice, newest last.
#[derive(Clone, Debug)]
pub struct RigCache<C, T>(Vec<(C, Result<Arc<T>, String>)>);

impl<C, T> Default for RigCache<C, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Maximum number of cached results that are not shown.
pub(crate) const MAX_KEPT: usize = 4;

/// Maximum total number of vertices in cached results that are not shown; they take about 300 MB.
const MAX_KEPT_VERTICES: usize = 2_000_000;

/// Returns the number of vertices, counted again in each morph target.
fn stored_vertices(rig: &Rig) -> usize {
    let primitives = rig.meshes.iter().flat_map(|mesh| &mesh.primitives);
    primitives.map(|primitive| primitive.positions.len() * (1 + primitive.morph_targets.len())).sum()
}

impl<C: PartialEq, T: RigSource> RigCache<C, T> {
    pub(crate) fn get(&self, choice: &C) -> Option<Result<&T, &str>> {
        let (_, outcome) = self.0.iter().find(|(known, _)| known == choice)?;
        Some(outcome.as_ref().map(|made| &**made).map_err(String::as_str))
    }

    pub(super) fn state(&self, choice: &C) -> ChoiceState<'_, T> {
        match self.get(choice) {
            None => ChoiceState::Awaited,
            Some(Ok(made)) => ChoiceState::Shown(made),
            Some(Err(problem)) => ChoiceState::Missing(problem),
        }
    }

    pub(super) fn shared(&self, choice: &C) -> Option<&Arc<T>> {
        self.0.iter().find(|(known, _)| known == choice)?.1.as_ref().ok()
    }

    pub(super) fn has(&self, rig: &Arc<Rig>) -> bool {
        self.0.iter().any(|(_, outcome)| outcome.as_ref().is_ok_and(|made| Arc::ptr_eq(made.rig(), rig)))
    }

    pub(super) fn insert(&mut self, choice: C, outcome: Result<T, String>, is_shown: impl Fn(&C) -> bool) {
        self.forget(&choice);
        self.0.push((choice, outcome.map(Arc::new)));
        let (mut count, mut vertices) = (0, 0);
        self.0.reverse();
        self.0.retain(|(choice, outcome)| {
            if is_shown(choice) {
                return true;
            }
            count += 1;
            vertices += outcome.as_ref().map_or(0, |made| stored_vertices(made.rig()));
            count <= MAX_KEPT && vertices <= MAX_KEPT_VERTICES
        });
        self.0.reverse();
    }

    pub(super) fn forget(&mut self, choice: &C) {
        self.0.retain(|(known, _)| known != choice);
    }
}
