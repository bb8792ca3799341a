//! Values derived from the character. They are computed in the background or, without a window, on the current thread.
//! To add one, implement [`Derived`] for its input type and register that type in `derived_kinds.rs`. Inputs must be
//! cheap to clone and compare.

use std::any::{Any, TypeId};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Notice, NoticeKind, NoticeTopic, Stage};
use crate::import::Job;
use crate::jobs::JobKind;

/// Input of a derived value.
pub trait Derived: Clone + fmt::Debug + Send + Sync + 'static {
    /// Type of the derived value.
    type Value: Send + 'static;

    /// Description of the job for the user.
    const JOB: JobKind;

    /// True if the value is computed only when the user requests it.
    const IS_ON_REQUEST: bool = false;

    /// Topic of notices about failures. A success removes such a notice.
    const TOPIC: Option<NoticeTopic> = None;

    /// Delay before the job starts; nonzero for inputs that may change every frame.
    const PAUSE: Duration = Duration::ZERO;

    /// Returns the description of the job for this input.
    fn job(&self) -> JobKind {
        Self::JOB
    }

    /// Returns where the stage keeps the value, if it is computed on request.
    fn requests(_stage: &Stage) -> Option<&OnRequest<Self>> {
        None
    }

    /// Returns the input of the next value that must be computed, if any.
    fn wanted(stage: &Stage) -> Option<Self> {
        Self::requests(stage)?.wanted(stage)
    }

    /// False if the character of the input was closed, so that its value is dropped.
    fn is_open(&self, _stage: &Stage) -> bool {
        true
    }

    /// True if both inputs give the same value.
    fn is(&self, other: &Self) -> bool;

    /// Computes the value; `None` if the job was stopped. May read files within the job's limits.
    fn run(&self, job: &Job) -> Option<Self::Value>;

    /// Returns the value to store if [`Self::run`] panicked.
    fn died(&self) -> Option<Self::Value> {
        None
    }

    /// Returns a notice about the new value, before it is stored.
    fn notice(&self, _value: &Self::Value, _stage: &Stage) -> Option<Notice> {
        None
    }

    /// Stores the value; `None` if the job was stopped or panicked.
    fn take(self, value: Option<Self::Value>, stage: &mut Stage);

    /// Returns messages for the user. If there is no window, they are printed.
    fn notes(_value: &Self::Value) -> &[String] {
        &[]
    }
}

/// A value that is computed on request, and kept until the value of the next request is ready.
#[derive(Clone, Debug)]
pub struct OnRequest<D: Derived> {
    requested: Option<D>,
    known: Option<(D, D::Value)>,
}

impl<D: Derived> Default for OnRequest<D> {
    fn default() -> Self {
        Self { requested: None, known: None }
    }
}

impl<D: Derived> OnRequest<D> {
    /// Requests the value for an input; `None` withdraws the request.
    pub fn request(&mut self, input: Option<D>) {
        self.requested = input;
    }

    fn open_request(&self, stage: &Stage) -> Option<&D> {
        self.requested.as_ref().filter(|input| input.is_open(stage))
    }

    /// Returns the requested input, if its character is still open.
    pub fn wanted(&self, stage: &Stage) -> Option<D> {
        self.open_request(stage).cloned()
    }

    /// Returns true if a value was requested for the open character and is not known yet.
    pub fn is_awaited(&self, stage: &Stage) -> bool {
        self.open_request(stage).is_some()
    }

    /// Returns the last value, with its input.
    pub fn known(&self) -> Option<(&D, &D::Value)> {
        self.known.as_ref().map(|(input, value)| (input, value))
    }

    /// Stores a value and ends the request for it. A later request for another input stays open. `None` keeps the last
    /// value.
    pub(super) fn take(&mut self, input: D, value: Option<D::Value>) {
        self.requested.take_if(|requested| requested.is(&input));
        self.known = value.map(|value| (input, value)).or(self.known.take());
    }
}

impl<T: 'static, E: 'static, D: Derived<Value = Result<T, E>>> OnRequest<D> {
    /// Returns the last value with its input, if it could be computed.
    pub fn ok(&self) -> Option<(&D, &T)> {
        self.known().and_then(|(input, value)| Some((input, value.as_ref().ok()?)))
    }
}

/// A value that users request for the current state, such as a test of the current pose.
pub trait CurrentRequest: Derived {
    /// Returns the input for the current state; `None` if there is nothing to compute.
    fn current(stage: &Stage) -> Option<Self>;

    /// Returns the state of the value for the open character.
    fn state<T: 'static>(stage: &Stage) -> RequestState<'_, Self, T>
    where
        Self: Derived<Value = Result<T, String>>,
    {
        let Some(requests) = Self::requests(stage) else { return RequestState::Missing };
        match requests.known().filter(|(input, _)| input.is_open(stage)) {
            _ if requests.is_awaited(stage) => RequestState::Awaited,
            None => RequestState::Missing,
            Some((input, Ok(value))) => {
                let is_current = Self::current(stage).is_some_and(|current| current.is(input));
                RequestState::Known { input, value, is_current }
            }
            Some((_, Err(problem))) => RequestState::Failed(problem),
        }
    }
}

/// State of a requested value.
#[derive(Clone, Copy, Debug)]
pub enum RequestState<'a, D, T> {
    /// Not requested.
    Missing,
    /// Being computed.
    Awaited,
    /// Computed.
    Known {
        /// The input.
        input: &'a D,
        /// The value.
        value: &'a T,
        /// False if the current state would give another input.
        is_current: bool,
    },
    /// Cannot be computed; contains the error message.
    Failed(&'a str),
}

pub(super) fn fault() -> String {
    "Failed because of a fault in Rigscope".to_owned()
}

/// A kind of derived value.
#[derive(Clone, Copy)]
pub struct DerivedKind {
    id: TypeId,
    is_on_request: bool,
    job: fn() -> JobKind,
    wanted: fn(&Stage) -> Option<DerivedRequest>,
}

impl DerivedKind {
    /// Creates the kind for an input type.
    pub const fn new<D: Derived>() -> Self {
        Self {
            id: TypeId::of::<D>(),
            is_on_request: D::IS_ON_REQUEST,
            job: || D::JOB,
            wanted: |stage| D::wanted(stage).map(DerivedRequest::new),
        }
    }

    /// True if values of the kind are computed only when the user requests them.
    pub fn is_on_request(self) -> bool {
        self.is_on_request
    }

    /// Returns the description of the kind's jobs for the user.
    pub fn job(self) -> JobKind {
        (self.job)()
    }

    /// Returns the input of the next value of the kind that must be computed.
    pub fn wanted(self, stage: &Stage) -> Option<DerivedRequest> {
        (self.wanted)(stage)
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
        f.write_str(self.job().thread)
    }
}

trait AnyDerived: Any + fmt::Debug + Send + Sync {
    fn kind(&self) -> DerivedKind;
    fn job(&self) -> JobKind;
    fn pause(&self) -> Duration;
    fn is(&self, other: &dyn AnyDerived) -> bool;
    fn run(&self, job: &Job) -> DerivedResult;
    fn died(&self) -> DerivedResult;
    fn is_open(&self, stage: &Stage) -> bool;
    fn topic(&self) -> Option<NoticeTopic>;
    fn notice(&self, value: &(dyn Any + Send), stage: &Stage) -> Option<Notice>;
    fn take(&self, value: Option<Box<dyn Any + Send>>, stage: &mut Stage);
    fn notes<'a>(&self, value: &'a (dyn Any + Send)) -> &'a [String];
}

impl<D: Derived> AnyDerived for D {
    fn kind(&self) -> DerivedKind {
        DerivedKind::new::<D>()
    }

    fn job(&self) -> JobKind {
        D::job(self)
    }

    fn pause(&self) -> Duration {
        D::PAUSE
    }

    fn is(&self, other: &dyn AnyDerived) -> bool {
        (other as &dyn Any).downcast_ref::<D>().is_some_and(|other| D::is(self, other))
    }

    fn run(&self, job: &Job) -> DerivedResult {
        DerivedResult::new(self.clone(), D::run(self, job))
    }

    fn died(&self) -> DerivedResult {
        DerivedResult::new(self.clone(), D::died(self))
    }

    fn is_open(&self, stage: &Stage) -> bool {
        D::is_open(self, stage)
    }

    fn topic(&self) -> Option<NoticeTopic> {
        D::TOPIC
    }

    fn notice(&self, value: &(dyn Any + Send), stage: &Stage) -> Option<Notice> {
        D::notice(self, value.downcast_ref()?, stage)
    }

    fn take(&self, value: Option<Box<dyn Any + Send>>, stage: &mut Stage) {
        // `DerivedResult::new` pairs each input with a value of its type.
        let value = value.and_then(|value| value.downcast::<D::Value>().ok());
        D::take(self.clone(), value.map(|value| *value), stage);
    }

    fn notes<'a>(&self, value: &'a (dyn Any + Send)) -> &'a [String] {
        value.downcast_ref::<D::Value>().map_or(&[], D::notes)
    }
}

/// Input of a value that must be computed; cheap to clone.
#[derive(Clone, Debug)]
pub struct DerivedRequest(Arc<dyn AnyDerived>);

impl DerivedRequest {
    fn new(input: impl Derived) -> Self {
        Self(Arc::new(input))
    }

    /// Returns the kind of the value.
    pub fn kind(&self) -> DerivedKind {
        self.0.kind()
    }

    /// Returns the input if its type is `D`.
    pub fn input<D: Derived>(&self) -> Option<&D> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// Returns the description of the job for the user.
    pub fn job(&self) -> JobKind {
        self.0.job()
    }

    /// Returns the delay before the job starts.
    pub fn pause(&self) -> Duration {
        self.0.pause()
    }

    /// True if both requests give the same value.
    pub fn is(&self, other: &Self) -> bool {
        self.0.is(&*other.0)
    }

    /// Computes the value.
    pub fn run(&self, job: &Job) -> DerivedResult {
        self.0.run(job)
    }

    /// Returns the result to store if the job panicked.
    pub fn died(&self) -> DerivedResult {
        self.0.died()
    }
}

/// A derived value with its input.
pub struct DerivedResult {
    input: Arc<dyn AnyDerived>,
    value: Option<Box<dyn Any + Send>>,
}

impl DerivedResult {
    /// Pairs an input with its value. `None` means that the job was stopped or panicked.
    pub fn new<D: Derived>(input: D, value: Option<D::Value>) -> Self {
        Self { input: Arc::new(input), value: value.map(|value| Box::new(value) as _) }
    }

    /// Returns the input and value if the input's type is `D`.
    pub fn get<D: Derived>(&self) -> Option<(&D, Option<&D::Value>)> {
        let input = (&*self.input as &dyn Any).downcast_ref()?;
        Some((input, self.value.as_ref().and_then(|value| value.downcast_ref())))
    }

    /// True if the character of the input is still open.
    pub fn is_open(&self, stage: &Stage) -> bool {
        self.input.is_open(stage)
    }

    /// Returns a notice about the value, before it is stored.
    pub fn notice(&self, stage: &Stage) -> Option<Notice> {
        let notice = self.input.notice(self.value.as_deref()?, stage)?;
        Some(Notice { topic: self.input.topic().filter(|_| notice.kind == NoticeKind::Error), ..notice })
    }

    /// Returns the topic of failures that end with this value; `None` if the job was stopped or panicked.
    pub fn topic(&self) -> Option<NoticeTopic> {
        self.value.as_ref().and_then(|_| self.input.topic())
    }

    /// Stores the value, unless its character was closed. If the job was stopped, sides that waited for the value show
    /// the file's data again.
    pub fn store_in(self, stage: &mut Stage) {
        if self.is_open(stage) {
            self.input.take(self.value, stage);
        }
    }

    pub(super) fn notes(&self) -> &[String] {
        self.value.as_ref().map_or(&[], |value| self.input.notes(&**value))
    }
}

impl fmt::Debug for DerivedResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Done").field("input", &self.input).field("has_value", &self.value.is_some()).finish()
    }
}

pub(super) fn notes_of<T>(value: &Result<T, String>, notes: impl Fn(&T) -> &[String]) -> &[String] {
    match value {
        Ok(value) => notes(value),
        Err(problem) => std::slice::from_ref(problem),
    }
}
