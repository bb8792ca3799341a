use std::sync::Arc;

use crate::jobs::Jobs;
use crate::rig::Rig;
use crate::state::{Notice, NoticeKind};

/// Job faults that were already reported for the open character.
#[derive(Default)]
pub(super) struct FaultNotices {
    of: Option<Arc<Rig>>,
    told: Vec<String>,
}

impl FaultNotices {
    pub(super) fn news(&mut self, jobs: &Jobs, rig: &Arc<Rig>) -> Vec<Notice> {
        if self.of.as_ref().is_none_or(|of| !Arc::ptr_eq(of, rig)) {
            *self = Self { of: Some(Arc::clone(rig)), told: Vec::new() };
        }
        let mut news = Vec::new();
        for text in jobs.take_faults().iter().map(ToString::to_string) {
            if !self.told.contains(&text) {
                self.told.push(text.clone());
                news.push(Notice::new(NoticeKind::Error, text));
            }
        }
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::testing::{jobs, outcome};
    use crate::jobs::{Outcome, Task};
    use crate::rig::RigData;
    use crate::stage::{Derived, LintPlan};

    #[test]
    fn what_dies_again_and_again_is_one_notice_for_each_character() {
        let (jobs, news) = jobs();
        let die = || {
            let task = Task::<()>::start(&jobs, LintPlan::JOB, |_| panic!("index 7"));
            assert_eq!(outcome(&news, || task.poll()), Outcome::Died);
        };
        let rigs = [(); 2].map(|()| Arc::new(Rig::new(RigData::default())));
        let mut faults = FaultNotices::default();
        die();
        let told = faults.news(&jobs, &rigs[0]);
        assert!(told.len() == 1 && told[0].kind == NoticeKind::Error, "{told:?}");
        assert!(told[0].text.starts_with("Looking for findings stopped because of a fault in Rigscope (index 7)."));
        die();
        assert_eq!(faults.news(&jobs, &rigs[0]), []);
        die();
        assert_eq!(faults.news(&jobs, &rigs[1]), told, "another character, another chance");
    }
}
