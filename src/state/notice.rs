use super::Action;

/// Kind of a notice; determines how long the notice is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Success; disappears by itself.
    Done,
    /// Information that requires no action.
    Info,
    /// Something could not be done as requested.
    Warning,
    /// A failure that changed nothing.
    Error,
}

/// Topic of a failure notice. A later success on the same topic removes the notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeTopic {
    /// Opening or reloading a file.
    File,
    /// The comparison file.
    OtherFile,
    /// The weights of a side.
    Weights,
    /// The environment map. Opening another file does not remove this notice.
    Light,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoticeKind,
    /// What happened, where, and what to do.
    pub text: String,
    pub topic: Option<NoticeTopic>,
    /// Action to offer as a button.
    pub action: Option<Action>,
}

impl Notice {
    pub fn new(kind: NoticeKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), topic: None, action: None }
    }

    #[must_use]
    pub fn about(self, topic: NoticeTopic) -> Self {
        Self { topic: Some(topic), ..self }
    }

    #[must_use]
    pub fn offering(self, action: Action) -> Self {
        Self { action: Some(action), ..self }
    }

    pub fn done(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Done, text)
    }

    pub fn info(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Info, text)
    }

    pub fn warning(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Warning, text)
    }

    pub fn error(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Error, text)
    }

    /// Creates a warning with one problem per line; `None` without problems.
    pub fn of_problems(problems: &[String]) -> Option<Self> {
        (!problems.is_empty()).then(|| Self::warning(problems.join("\n")))
    }
}

/// Holds the newest notice until it is dismissed.
#[derive(Debug, Default)]
pub struct Notices {
    newest: Option<Notice>,
}

impl Notices {
    pub fn newest(&self) -> Option<&Notice> {
        self.newest.as_ref()
    }

    /// Shows a notice; `None` keeps the current one.
    pub fn show_notice(&mut self, notice: impl Into<Option<Notice>>) {
        self.newest = notice.into().or(self.newest.take());
    }

    /// Replaces the current notice; `None` removes it.
    pub(super) fn replace_notice(&mut self, notice: Option<Notice>) {
        self.newest = notice;
    }

    pub(super) fn show_notice_if_none(&mut self, notice: Option<Notice>) {
        self.newest = self.newest.take().or(notice);
    }

    /// Removes the current notice if it is about this topic. Called after a success.
    pub(super) fn settle(&mut self, topic: NoticeTopic) {
        self.newest = self.newest.take().filter(|notice| notice.topic != Some(topic));
    }

    /// Returns the value of `Ok`, or shows the notice of `Err`.
    pub(super) fn ok_or_notify<T>(&mut self, outcome: Result<T, Notice>) -> Option<T> {
        outcome.map_err(|notice| self.show_notice(notice)).ok()
    }

    pub fn dismiss(&mut self) -> Option<Notice> {
        self.newest.take()
    }
}
