//! Notices: short messages shown until dismissed.

/// Kind of a notice, which decides how long it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Success; disappears by itself.
    Done,
    /// Information without a need to act.
    Info,
    /// Something that was not done as requested.
    Warning,
    /// A failure; the previous state is kept.
    Error,
}

/// Topic of a failure notice. A later success on the topic removes the notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Opening or reloading a file.
    File,
    /// The comparison file.
    OtherFile,
    /// The weights of a side.
    Weights,
    /// The environment map; opening another file does not remove its notice.
    Light,
}

/// A message shown until dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoticeKind,
    /// Sentences on what happened, where, and what to do.
    pub text: String,
    /// Topic whose later success removes the notice.
    pub topic: Option<Topic>,
}

impl Notice {
    /// Creates a notice of any kind.
    pub fn new(kind: NoticeKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), topic: None }
    }

    /// Sets the topic.
    #[must_use]
    pub fn about(self, topic: Topic) -> Self {
        Self { topic: Some(topic), ..self }
    }

    /// Creates a notice that something went well.
    pub fn done(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Done, text)
    }

    /// Creates a notice that only informs.
    pub fn info(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Info, text)
    }

    /// Creates a notice that something was not done as asked.
    pub fn warning(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Warning, text)
    }

    /// Creates a notice that something failed.
    pub fn error(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Error, text)
    }

    /// Creates a warning with one problem per line; `None` without problems.
    pub fn of_problems(problems: &[String]) -> Option<Self> {
        (!problems.is_empty()).then(|| Self::warning(problems.join("\n")))
    }
}

/// Notices of the window: the newest one until dismissed.
#[derive(Debug, Default)]
pub struct Notices {
    newest: Option<Notice>,
}

impl Notices {
    /// Returns the newest notice, until dismissed.
    pub fn newest(&self) -> Option<&Notice> {
        self.newest.as_ref()
    }

    /// Shows a notice; `None` keeps the current one.
    pub fn tell(&mut self, notice: impl Into<Option<Notice>>) {
        self.newest = notice.into().or(self.newest.take());
    }

    /// Replaces the current notice; `None` removes it.
    pub(super) fn tell_only(&mut self, notice: Option<Notice>) {
        self.newest = notice;
    }

    pub(super) fn tell_beside(&mut self, notice: Option<Notice>) {
        self.newest = self.newest.take().or(notice);
    }

    /// Removes the current notice if its topic has succeeded.
    pub(super) fn settle(&mut self, topic: Topic) {
        self.newest = self.newest.take().filter(|notice| notice.topic != Some(topic));
    }

    /// Returns the value, or shows the failure's notice.
    pub(super) fn done_or_told<T>(&mut self, outcome: Result<T, Notice>) -> Option<T> {
        outcome.map_err(|notice| self.tell(notice)).ok()
    }

    /// Removes the newest notice and returns it.
    pub fn dismiss(&mut self) -> Option<Notice> {
        self.newest.take()
    }
}
