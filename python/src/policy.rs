//! `Policy`: what a project demands of its rigs.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::detached::detached;
use crate::errors::refused;
use rigscope::analysis::lint::{Forgiven, Judged, Severity};
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::project::{Config, nearest_settings};
use rigscope::rig::Rig;
use rigscope::stage::Source;

/// What a project demands of its rigs: limits, a skeleton, which findings count and how much. A ``rigscope.toml``, as ``rigscope check --config`` reads it.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Policy {
    policy: rigscope::analysis::lint::Policy,
    files: Vec<PathBuf>,
}

#[pymethods]
impl Policy {
    /// Reads the policy at `path`, and the file whose skeleton it asks for.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = detached(py, |progress: &Arc<Progress>| {
            Config::read(&path, &Job::default().with_progress(Arc::clone(progress)))
        })?;
        read.map(|Config { policy, files, .. }| Self { policy, files }).map_err(refused)
    }

    /// The policy that ``rigscope check`` holds a file to where none is named: that of the ``rigscope.toml`` in the file's folder or the nearest above it, else in
    /// the working folder or the nearest above that; `None` where there is none.
    #[staticmethod]
    fn nearest(py: Python<'_>, source: PathBuf) -> PyResult<Option<Self>> {
        Self::find(source)?.map(|path| Self::new(py, path)).transpose()
    }

    /// The path of the ``rigscope.toml`` that :meth:`nearest` reads, `None` where there is none. For ``"-"`` and built-in characters, which lie in no folder, that
    /// of the working folder or the nearest above it.
    #[staticmethod]
    fn find(source: PathBuf) -> PyResult<Option<PathBuf>> {
        Ok(nearest_settings(Source::parse(source).map_err(refused)?.path()))
    }

    /// The files that the policy was read from: that at `path`, and the one whose skeleton it asks for. While they stay the same, so do the findings.
    #[getter]
    fn files(&self) -> Vec<PathBuf> {
        self.files.clone()
    }
}

/// The findings of a rig with at least a given severity: under a policy, or all.
pub(crate) fn judged(
    policy: Option<&Policy>,
    rig: &Rig,
    found: Vec<rigscope::analysis::lint::Finding>,
    least: Severity,
) -> Judged {
    let mut policy = policy.map_or_else(Default::default, |policy| policy.policy.clone());
    policy.least = policy.least.max(least);
    policy.judge(rig, found, Forgiven::default())
}
