//! Notices: short messages shown until dismissed.

/// Kind of a notice, which decides how long it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something that went well; goes away by itself.
    Done,
    /// Information that asks for nothing.
    Info,
    /// Something that was not done as asked.
    Warning,
    /// Something that failed; what was there before is still there.
    Error,
}

/// What a notice on a failure is about: once that succeeds, the notice goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The file to open, or to read again.
    File,
    /// The file of side B.
    OtherFile,
    /// The weights of a side.
    Weights,
    /// The environment map that lights the character; opening another file says nothing about it.
    Light,
}

/// A message shown until dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoticeKind,
    /// Sentences that say what happened, where, and what to do.
    pub text: String,
    /// What the notice is about, if a later success makes it untrue.
    pub topic: Option<Topic>,
}

impl Notice {
    /// A notice of any kind.
    pub fn new(kind: NoticeKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), topic: None }
    }

    /// The notice, which goes once what it is about succeeds.
    #[must_use]
    pub fn about(self, topic: Topic) -> Self {
        Self { topic: Some(topic), ..self }
    }

    /// A notice that something went well.
    pub fn done(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Done, text)
    }

    /// A notice that only informs.
    pub fn info(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Info, text)
    }

    /// A notice that something was not done as asked.
    pub fn warning(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Warning, text)
    }

    /// A notice that something failed.
    pub fn error(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Error, text)
    }

    /// A warning with one problem per line; `None` without problems.
    pub fn of_problems(problems: &[String]) -> Option<Self> {
        (!problems.is_empty()).then(|| Self::warning(problems.join("\n")))
    }
}

/// Notices of the window: the newest one, until it is dismissed.
#[derive(Debug, Default)]
pub struct Notices {
    newest: Option<Notice>,
}

impl Notices {
    /// The newest notice, until dismissed.
    pub fn newest(&self) -> Option<&Notice> {
        self.newest.as_ref()
    }

    /// Makes a notice the newest; `None` keeps the present one.
    pub fn tell(&mut self, notice: impl Into<Option<Notice>>) {
        self.newest = notice.into().or(self.newest.take());
    }

    /// Replaces the newest notice; `None` removes it.
    pub(super) fn tell_only(&mut self, notice: Option<Notice>) {
        self.newest = notice;
    }

    /// Makes a notice the newest, unless there is one already.
    pub(super) fn tell_beside(&mut self, notice: Option<Notice>) {
        self.newest = self.newest.take().or(notice);
    }

    /// Removes the newest notice if it is about something that has succeeded now.
    pub(super) fn settle(&mut self, topic: Topic) {
        self.newest = self.newest.take().filter(|notice| notice.topic != Some(topic));
    }

    /// Returns the value, or shows the notice of a failure.
    pub(super) fn done_or_told<T>(&mut self, outcome: Result<T, Notice>) -> Option<T> {
        outcome.map_err(|notice| self.tell(notice)).ok()
    }

    /// Removes the newest notice and returns it.
    pub fn dismiss(&mut self) -> Option<Notice> {
        self.newest.take()
    }
}
