//! Messages for the user.

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

/// Action that a notice offers as a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeOffer {
    /// Follow the clip's root with the camera.
    FollowRoot,
}

/// A message about what happened, shown until it is dismissed or replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How long the message is shown.
    pub kind: NoticeKind,
    /// What happened, where, and what to do.
    pub text: String,
    /// Topic of a failure.
    pub topic: Option<NoticeTopic>,
    /// Action to offer as a button.
    pub offer: Option<NoticeOffer>,
}

impl Notice {
    /// Creates a notice without a topic.
    pub fn new(kind: NoticeKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), topic: None, offer: None }
    }

    /// Sets the topic.
    #[must_use]
    pub fn about(self, topic: NoticeTopic) -> Self {
        Self { topic: Some(topic), ..self }
    }

    /// Offers an action.
    #[must_use]
    pub fn offering(self, offer: NoticeOffer) -> Self {
        Self { offer: Some(offer), ..self }
    }

    /// Reports a success.
    pub fn done(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Done, text)
    }

    /// Gives information.
    pub fn info(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Info, text)
    }

    /// Warns of something that could not be done as requested.
    pub fn warning(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Warning, text)
    }

    /// Reports a failure.
    pub fn error(text: impl Into<String>) -> Self {
        Self::new(NoticeKind::Error, text)
    }

    /// Creates a warning with one problem per line; `None` without problems.
    pub fn of_problems(problems: &[String]) -> Option<Self> {
        (!problems.is_empty()).then(|| Self::warning(problems.join("\n")))
    }
}
