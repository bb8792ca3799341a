use std::sync::Arc;

use crate::rig::Rig;

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

pub(crate) trait HasRig {
    fn rig(&self) -> &Arc<Rig>;
}

/// Results (characters or error messages) by the user's choice, newest last.
#[derive(Clone, Debug)]
pub(crate) struct RigCache<C, T>(Vec<(C, Result<Arc<T>, String>)>);

impl<C, T> Default for RigCache<C, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Maximum number of cached results that are not shown.
pub(crate) const MAX_KEPT: usize = 4;

/// Maximum total number of vertices in cached results that are not shown; they take about 300 MB.
const MAX_KEPT_VERTICES: usize = 2_000_000;

impl<C: PartialEq, T: HasRig> RigCache<C, T> {
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
            vertices += outcome.as_ref().map_or(0, |made| made.rig().vertex_count());
            count <= MAX_KEPT && vertices <= MAX_KEPT_VERTICES
        });
        self.0.reverse();
    }

    pub(super) fn forget(&mut self, choice: &C) {
        self.0.retain(|(known, _)| known != choice);
    }
}
