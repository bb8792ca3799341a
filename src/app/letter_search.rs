use std::collections::BTreeSet;

use crate::fonts::Fonts;
use crate::jobs::{JobKind, Jobs, Outcome, Task};
use crate::state::{Notice, NoticeKind};

const LETTERS: JobKind = JobKind::unlisted(
    "fonts",
    "Looking for fonts",
    "Letters that are shown as boxes stay boxes; everything else works.",
);

/// Background search of the installed fonts for characters that the window's fonts lack.
pub(super) struct LetterSearch {
    pub fonts: Fonts,
    running: Option<Task<bool>>,
    told: BTreeSet<&'static str>,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Letters {
    pub has_new: bool,
    /// Notice about characters that no installed font contains.
    pub notice: Option<Notice>,
}

impl LetterSearch {
    pub(super) fn new(fonts: Fonts) -> Self {
        Self { fonts, running: None, told: BTreeSet::new() }
    }

    pub(super) fn follow(&mut self, jobs: &Jobs) {
        if self.running.is_none() && self.fonts.is_asked() {
            let fonts = self.fonts.clone();
            self.running = Some(Task::start(jobs, LETTERS, move |_| fonts.search()));
        }
    }

    pub(super) fn poll(&mut self) -> Letters {
        let has_new = match self.running.as_ref().map(Task::poll) {
            Some(Outcome::Pending) | None => return Letters::default(),
            Some(Outcome::Done(has_new)) => has_new,
            Some(Outcome::Died) => false,
        };
        self.running = None;
        let packages = self.fonts.packages();
        let is_told = packages.is_subset(&self.told);
        self.told.extend(packages);
        let advice = self.fonts.advice().filter(|_| !is_told);
        let notice = |advice| Notice::new(NoticeKind::Warning, format!("{advice} Then restart Rigscope."));
        Letters { has_new, notice: advice.map(notice) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::testing::jobs;

    fn brought(search: &mut LetterSearch, letters: &str) -> Letters {
        let (jobs, news) = jobs();
        letters.chars().for_each(|letter| search.fonts.ask(letter));
        search.follow(&jobs);
        while search.running.is_some() {
            let letters = search.poll();
            if search.running.is_none() {
                return letters;
            }
            _ = news.recv_timeout(std::time::Duration::from_millis(20));
        }
        Letters::default()
    }

    #[test]
    fn nothing_is_looked_for_until_a_letter_is_lacking() {
        let mut search = LetterSearch::new(Fonts::none());
        assert_eq!(brought(&mut search, ""), Letters::default());
        assert!(!search.fonts.is_listed());
    }

    #[test]
    #[cfg_attr(windows, ignore = "packages of fonts are for Linux")]
    fn each_missing_package_is_reported_once() {
        let mut search = LetterSearch::new(Fonts::none());
        let told = |letters: &Letters| letters.notice.as_ref().map(|notice| notice.text.clone());
        let first = brought(&mut search, "左腕");
        let text = told(&first).unwrap();
        assert!(!first.has_new && text.contains("fonts-noto-cjk") && !text.contains("fonts-noto-core"), "{text}");
        assert_eq!(brought(&mut search, "頭"), Letters::default());
        assert!(told(&brought(&mut search, "ع")).unwrap().contains("fonts-noto-cjk and fonts-noto-core"));
        assert_eq!(brought(&mut search, "\u{e000}"), Letters::default(), "nothing is to be had for what is private");
    }
}
