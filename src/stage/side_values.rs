//! Values that are computed for each side on request, such as lists in panels. Also stores which derived values are
//! requested.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use super::{Derived, DerivedKind, Stage};
use crate::import::Job;
use crate::jobs::{JobKind, Progress};
use crate::rig::Rig;
use crate::view::Side;

/// Input of a value that is computed for each side on request.
pub trait SideValue: Clone + Debug + Send + Sync + 'static {
    /// Type of the computed value.
    type Value: Send + Sync + 'static;

    /// Description of the job for the user.
    const JOB: JobKind;

    /// Returns the current input of a side.
    fn for_side(stage: &Stage, side: Side) -> Self;

    /// Returns the character with the side's weights.
    fn rig(&self) -> &Arc<Rig>;

    /// True if both inputs give the same value.
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(self.rig(), other.rig())
    }

    /// Computes the value; `None` if the job was stopped.
    fn run(&self, progress: &Progress) -> Option<Self::Value>;

    /// Updates the stage after a value was stored.
    fn stored(_stage: &mut Stage) {}
}

impl<D: SideValue> Derived for D {
    type Value = D::Value;

    const JOB: JobKind = D::JOB;
    const IS_ON_REQUEST: bool = true;

    fn wanted(stage: &Stage) -> Option<Self> {
        let missing = || Side::ALL.into_iter().find(|side| stage.side_value::<Self>(*side).is_none());
        stage.requests.has::<Self>().then(missing).flatten().map(|side| Self::for_side(stage, side))
    }

    fn is(&self, other: &Self) -> bool {
        SideValue::is(self, other)
    }

    fn run(&self, job: &Job) -> Option<D::Value> {
        SideValue::run(self, &job.progress)
    }

    fn is_open(&self, stage: &Stage) -> bool {
        stage.belongs_to_open(self.rig())
    }

    fn take(self, value: Option<D::Value>, stage: &mut Stage) {
        let Some(value) = value else { return stage.requests.set(DerivedKind::new::<Self>(), false) };
        let shown = Side::ALL.map(|side| Self::for_side(stage, side));
        let is_shown = |input: &Self| shown.iter().any(|shown| SideValue::is(input, shown));
        stage.side_values.retain(|(input, _)| input.downcast_ref().is_none_or(is_shown));
        stage.side_values.push((Arc::new(self), Arc::new(value)));
        Self::stored(stage);
    }
}

/// Computed values of the sides, with their inputs.
pub(super) type SideValues = Vec<(Arc<dyn Any + Send + Sync>, Arc<dyn Any + Send + Sync>)>;

/// Stores which derived values are computed.
#[derive(Clone, Debug, Default)]
pub struct DerivedRequests {
    /// Kinds whose state differs from their default, [`Derived::IS_ON_REQUEST`]: on-request kinds that were requested,
    /// and other kinds that were stopped.
    switched: Vec<DerivedKind>,
}

impl DerivedRequests {
    /// True if the value should be computed: it was requested or needs no request, and was not stopped.
    pub fn has<D: Derived>(&self) -> bool {
        self.switched.contains(&DerivedKind::new::<D>()) == D::IS_ON_REQUEST
    }

    /// Requests a derived value, or stops computing it.
    pub fn set(&mut self, kind: DerivedKind, is_requested: bool) {
        self.switched.retain(|switched| *switched != kind);
        self.switched.extend((is_requested == kind.is_on_request()).then_some(kind));
    }
}

impl Stage {
    /// Returns the value of a side if it has been computed.
    pub fn side_value<D: SideValue>(&self, side: Side) -> Option<&D::Value> {
        let mut known = self.side_values.iter().filter_map(|(input, value)| Some((input.downcast_ref::<D>()?, value)));
        let first = known.next()?;
        let wanted = D::for_side(self, side);
        let (_, value) = std::iter::once(first).chain(known).find(|(input, _)| SideValue::is(*input, &wanted))?;
        value.downcast_ref()
    }
}
