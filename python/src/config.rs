//! `Config`: a project's requirements for its rigs.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::detached::detached;
use crate::errors::refused;
use rigscope::analysis::lint::{FileBaseline, FilteredFindings, Finding, Severity};
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::project::{self, nearest_config};
use rigscope::rig::Rig;
use rigscope::stage::{Document, Source};

/// A project's requirements for its rigs (limits, profiles, clips, skeleton, severities), read from a ``rigscope.toml``
/// as by ``rigscope check --config``.
#[pyclass(frozen, module = "rigscope")]
pub(crate) struct Config {
    config: Arc<project::Config>,
}

#[pymethods]
impl Config {
    /// Reads the config at `path`, and the file with its required skeleton.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = detached(py, |progress: &Arc<Progress>| {
            project::Config::read(&path, &Job::default().with_progress(Arc::clone(progress)))
        })?;
        read.map(|config| Self { config: Arc::new(config) }).map_err(refused)
    }

    /// Reads the config that ``rigscope check`` applies to a file by default: the nearest ``rigscope.toml`` in the
    /// file's folder or above it, otherwise the nearest in the working folder or above it. Returns `None` if there is
    /// none.
    #[staticmethod]
    fn nearest(py: Python<'_>, source: PathBuf) -> PyResult<Option<Self>> {
        Self::find(source)?.map(|path| Self::new(py, path)).transpose()
    }

    /// Returns the path of the ``rigscope.toml`` that :meth:`nearest` reads; `None` if there is none. ``"-"`` and built-in characters have no folder, so for
    /// these the search starts in the working folder.
    #[staticmethod]
    fn find(source: PathBuf) -> PyResult<Option<PathBuf>> {
        Ok(nearest_config(Source::parse(source).map_err(refused)?.path()))
    }

    /// Files that make up the config: the file at `path`, its required skeleton, and its profiles. As long as these
    /// files don't change, findings don't change.
    #[getter]
    fn files(&self) -> Vec<PathBuf> {
        self.config.files.clone()
    }

    /// True if warnings count as errors (``strict = true``).
    #[getter]
    fn strict(&self) -> bool {
        self.config.is_strict
    }
}

impl Config {
    /// Returns the config for a document, including overrides for the document's path.
    pub(crate) fn settings(&self, document: &Document) -> Arc<project::Config> {
        self.config.for_file(document.source.path())
    }
}

/// Filters findings by the config, if there is one, and by minimum severity.
pub(crate) fn judged(
    settings: Option<&project::Config>,
    rig: &Rig,
    found: Vec<Finding>,
    min_severity: Severity,
) -> FilteredFindings {
    let mut rules = settings.map_or_else(Default::default, |settings| settings.project_rules.clone());
    rules.min_severity = rules.min_severity.max(min_severity);
    rules.filter_findings(rig, found, FileBaseline::default())
}
