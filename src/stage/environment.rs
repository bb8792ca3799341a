use std::path::PathBuf;
use std::sync::Arc;

use super::derived::{Derived, fault, notes_of};
use super::{Notice, NoticeTopic, Stage};
use crate::environment::{EnvironmentError, EnvironmentMap};
use crate::import::Job;
use crate::jobs::JobKind;

/// Input for reading an environment map.
#[derive(Clone, Debug)]
pub struct EnvironmentPlan(pub PathBuf);

impl Derived for EnvironmentPlan {
    type Value = Result<Arc<EnvironmentMap>, String>;

    const JOB: JobKind =
        JobKind::new("environment", "Reading the environment map", "The light stays as it is; everything else works.");

    const TOPIC: Option<NoticeTopic> = Some(NoticeTopic::Light);

    fn wanted(stage: &Stage) -> Option<Self> {
        stage.view.environment_file.unread().map(|path| Self(path.to_owned()))
    }

    fn is(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn run(&self, job: &Job) -> Option<Self::Value> {
        match EnvironmentMap::read(&self.0, &job.progress) {
            Ok(map) => Some(Ok(Arc::new(map))),
            Err(EnvironmentError::Cancelled) => None,
            Err(problem) => Some(Err(format!("The light was not changed: {problem} ({})", self.0.display()))),
        }
    }

    fn died(&self) -> Option<Self::Value> {
        Some(Err(fault()))
    }

    fn notice(&self, value: &Self::Value, _: &Stage) -> Option<Notice> {
        value.as_ref().err().map(Notice::error)
    }

    fn take(self, value: Option<Self::Value>, stage: &mut Stage) {
        stage.view.environment_file.take(&self.0, value.and_then(Result::ok));
    }

    fn notes(value: &Self::Value) -> &[String] {
        notes_of(value, |_| &[])
    }
}
