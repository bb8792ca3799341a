//! Values derived of the character beside the frame loop, or at once where there is no window.
//!
//! A derived value is one file of this folder: its input, which is cheap to clone and compare, implements [`Derived`]. A line in `derived_kinds.rs` registers it.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::Stage;
use crate::import::Job;
use crate::jobs::Kind;

/// Input of a value that is derived of the character.
pub trait Derived: Clone + fmt::Debug + Send + Sync + 'static {
    /// The value.
    type Value: Send + 'static;

    /// The job as users read of it.
    const JOB: Kind;

    /// Time to wait before the job starts, during which the input may change again.
    const PAUSE: Duration = Duration::ZERO;

    /// [`Self::JOB`] for this input.
    fn job(&self) -> Kind {
        Self::JOB
    }

    /// Input of the next value to derive, if one is missing.
    fn wanted(stage: &Stage) -> Option<Self>;

    /// True if both inputs give the same value.
    fn is(&self, other: &Self) -> bool;

    /// Derives the value; `None` where that was stopped. Files that it reads may ask for what the job allows.
    fn run(&self, job: &Job) -> Option<Self::Value>;

    /// The value where deriving it ended in a panic.
    fn died(&self) -> Option<Self::Value> {
        None
    }

    /// Stores the value, unless its character is no longer open. `None` where deriving it was stopped or died.
    fn take(self, value: Option<Self::Value>, stage: &mut Stage);

    /// Sentences to print where no window shows them.
    fn notes(_value: &Self::Value) -> &[String] {
        &[]
    }
}

/// Text of the error in place of a value that could not be derived because of a panic.
pub(super) fn fault() -> String {
    "Not made because of a fault in Rigscope".to_owned()
}

/// A kind of derived values.
#[derive(Clone, Copy)]
pub struct DerivedKind {
    id: TypeId,
    job: fn() -> Kind,
    pub(super) wanted: fn(&Stage) -> Option<DerivedRequest>,
}

impl DerivedKind {
    /// The kind of a type of input.
    pub const fn new<D: Derived>() -> Self {
        Self { id: TypeId::of::<D>(), job: || D::JOB, wanted: |stage| D::wanted(stage).map(DerivedRequest::new) }
    }
}

impl PartialEq for DerivedKind {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for DerivedKind {}

impl fmt::Debug for DerivedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str((self.job)().thread)
    }
}

/// [`Derived`] for any type.
trait AnyDerived: fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn kind(&self) -> DerivedKind;
    fn job(&self) -> Kind;
    fn pause(&self) -> Duration;
    fn is(&self, other: &dyn AnyDerived) -> bool;
    fn run(&self, job: &Job) -> Done;
    fn died(&self) -> Done;
    fn take(&self, value: Option<Box<dyn Any + Send>>, stage: &mut Stage);
    fn notes<'a>(&self, value: &'a (dyn Any + Send)) -> &'a [String];
}

impl<D: Derived> AnyDerived for D {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn kind(&self) -> DerivedKind {
        DerivedKind::new::<D>()
    }

    fn job(&self) -> Kind {
        D::job(self)
    }

    fn pause(&self) -> Duration {
        D::PAUSE
    }

    fn is(&self, other: &dyn AnyDerived) -> bool {
        other.as_any().downcast_ref::<D>().is_some_and(|other| D::is(self, other))
    }

    fn run(&self, job: &Job) -> Done {
        Done::new(self.clone(), D::run(self, job))
    }

    fn died(&self) -> Done {
        Done::new(self.clone(), D::died(self))
    }

    fn take(&self, value: Option<Box<dyn Any + Send>>, stage: &mut Stage) {
        // `Done::new` pairs each input with a value of its type.
        let value = value.and_then(|value| value.downcast::<D::Value>().ok());
        D::take(self.clone(), value.map(|value| *value), stage);
    }

    fn notes<'a>(&self, value: &'a (dyn Any + Send)) -> &'a [String] {
        value.downcast_ref::<D::Value>().map_or(&[], D::notes)
    }
}

/// A value that is to be derived; cheap to clone.
#[derive(Clone, Debug)]
pub struct DerivedRequest(Arc<dyn AnyDerived>);

impl DerivedRequest {
    fn new(input: impl Derived) -> Self {
        Self(Arc::new(input))
    }

    /// Kind of the value.
    pub fn kind(&self) -> DerivedKind {
        self.0.kind()
    }

    /// The input, if it is of this type.
    pub fn input<D: Derived>(&self) -> Option<&D> {
        self.0.as_any().downcast_ref()
    }

    /// The job as users read of it.
    pub fn job(&self) -> Kind {
        self.0.job()
    }

    /// Time to wait before the job starts.
    pub fn pause(&self) -> Duration {
        self.0.pause()
    }

    /// True if both give the same value.
    pub fn is(&self, other: &Self) -> bool {
        self.0.is(&*other.0)
    }

    /// Derives the value.
    pub fn run(&self, job: &Job) -> Done {
        self.0.run(job)
    }

    /// Result in place of one whose derivation ended in a panic.
    pub fn died(&self) -> Done {
        self.0.died()
    }
}

/// A derived value with its input.
pub struct Done {
    input: Arc<dyn AnyDerived>,
    /// `None` where deriving it was stopped or died.
    value: Option<Box<dyn Any + Send>>,
}

impl Done {
    /// The value of an input; `None` where deriving it was stopped or died.
    pub fn new<D: Derived>(input: D, value: Option<D::Value>) -> Self {
        Self { input: Arc::new(input), value: value.map(|value| Box::new(value) as _) }
    }

    /// Input and value, if they are of this type.
    pub fn of<D: Derived>(&self) -> Option<(&D, Option<&D::Value>)> {
        let input = self.input.as_any().downcast_ref()?;
        Some((input, self.value.as_ref().and_then(|value| value.downcast_ref())))
    }

    pub(super) fn take_into(self, stage: &mut Stage) {
        self.input.take(self.value, stage);
    }

    /// Sentences to print where no window shows them.
    pub(super) fn notes(&self) -> &[String] {
        self.value.as_ref().map_or(&[], |value| self.input.notes(&**value))
    }
}

impl fmt::Debug for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Done").field("input", &self.input).field("has_value", &self.value.is_some()).finish()
    }
}

/// Notes of a value, or the reason why there is none.
pub(super) fn notes_of<T>(value: &Result<T, String>, notes: impl Fn(&T) -> &[String]) -> &[String] {
    match value {
        Ok(value) => notes(value),
        Err(problem) => std::slice::from_ref(problem),
    }
}
