use super::Action;
use crate::stage::{Notice, NoticeOffer, NoticeTopic};

impl NoticeOffer {
    pub fn action(self) -> Action {
        match self {
            Self::FollowRoot => Action::ToggleFollowRoot,
        }
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
