//! Something to tell, shown until dismissed.

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

/// Something to tell, shown until dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub kind: NoticeKind,
    /// Sentences that say what happened, where, and what to do.
    pub text: String,
}

impl Notice {
    fn new(kind: NoticeKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    /// Tells of something that went well.
    pub fn done(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Done, text)
    }

    /// Tells of something to know.
    pub fn info(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Info, text)
    }

    /// Tells of something that was not done as asked.
    pub fn warning(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Warning, text)
    }

    /// Tells of something that failed.
    pub fn error(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Error, text)
    }

    /// Tells what is wrong, line by line; `None` where nothing is.
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

    /// Makes a notice the newest; `None` leaves the present one.
    pub fn tell(&mut self, notice: impl Into<Option<Notice>>) {
        self.newest = notice.into().or(self.newest.take());
    }

    /// Replaces the newest notice; `None` takes it away.
    pub(super) fn tell_only(&mut self, notice: Option<Notice>) {
        self.newest = notice;
    }

    /// Makes a notice the newest, unless there is one already.
    pub(super) fn tell_beside(&mut self, notice: Option<Notice>) {
        self.newest = self.newest.take().or(notice);
    }

    /// Tells why something is not done.
    pub(super) fn done_or_told<T>(&mut self, outcome: Result<T, Notice>) -> Option<T> {
        outcome.map_err(|notice| self.tell(notice)).ok()
    }

    /// Takes the newest notice away and returns it.
    pub fn dismiss(&mut self) -> Option<Notice> {
        self.newest.take()
    }
}
