//! `Policy`: what a project demands of its rigs.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::detached::detached;
use crate::errors::refused;
use rigscope::analysis::lint::{FileBaseline, FilteredFindings, Finding, Severity};
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::project::{Config, nearest_config};
use rigscope::rig::Rig;
use rigscope::stage::{Document, Source};

/// What a project demands of its rigs: limits, profiles, clips, a skeleton, which findings count and how much. A ``rigscope.toml``, as ``rigscope check --config`` reads it.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Policy {
    config: Arc<Config>,
}

#[pymethods]
impl Policy {
    /// Reads the policy at `path`, and the file whose skeleton it asks for.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = detached(py, |progress: &Arc<Progress>| {
            Config::read(&path, &Job::default().with_progress(Arc::clone(progress)))
        })?;
        read.map(|config| Self { config: Arc::new(config) }).map_err(refused)
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
        Ok(nearest_config(Source::parse(source).map_err(refused)?.path()))
    }

    /// The files that it was read from: that at `path`, the one whose skeleton it asks for, and those that its profiles are in. Where they are the same, so are the findings.
    #[getter]
    fn files(&self) -> Vec<PathBuf> {
        self.config.files.clone()
    }

    /// Whether warnings count as errors do (``strict = true``).
    #[getter]
    fn strict(&self) -> bool {
        self.config.is_strict
    }
}

impl Policy {
    /// The config for a document, with the overrides for its path.
    pub(crate) fn settings(&self, document: &Document) -> Arc<Config> {
        self.config.for_file(document.source.path())
    }
}

/// The findings of a rig that are at least so grave: under the settings of a policy, or all.
pub(crate) fn judged(settings: Option<&Config>, rig: &Rig, found: Vec<Finding>, least: Severity) -> FilteredFindings {
    let mut policy = settings.map_or_else(Default::default, |settings| settings.policy.clone());
    policy.min_severity = policy.min_severity.max(least);
    policy.filter_findings(rig, found, FileBaseline::default())
}
