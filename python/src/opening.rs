//! `load`: opens a character.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::NameOrNumber;
use crate::detached::detached;
use crate::errors::OpenError;
use crate::rig::Rig;
use rigscope::import::{ImportError, Job, SceneChoice, import_bytes};
use rigscope::jobs::Progress;
use rigscope::stage::{Document, Source};

/// Opens a rigged character: glTF, GLB, VRM or FBX.
///
/// `source` is a path, the bytes of a file that refers to no others, ``"builtin:figure"`` or ``"builtin:tube"``. `scene` is the name or number of a scene in
/// place of the file's default one. `clips_of` names further files, whose clips are put onto this one joint by joint, by name. `memory_limit` is the number of
/// bytes of decoded data that a file may ask for, 2 GiB where it is not given.
///
/// Raises `OpenError`, which says why and what to do. What is odd in a file that opens is told by `Rig.check`.
#[pyfunction]
#[pyo3(signature = (source, *, scene=None, clips_of=None, memory_limit=None))]
pub(crate) fn load(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    scene: Option<NameOrNumber>,
    clips_of: Option<Vec<PathBuf>>,
    memory_limit: Option<u64>,
) -> PyResult<Rig> {
    let scene = scene.map(|scene| match scene {
        NameOrNumber::Name(name) => SceneChoice::Named(name),
        NameOrNumber::Number(number) => SceneChoice::Number(number),
    });
    let limit = memory_limit.unwrap_or(Job::DEFAULT_MEMORY_LIMIT);
    let clips_of = clips_of.iter().flatten().map(parsed).collect::<PyResult<Vec<Source>>>()?;
    let job =
        |progress: &Arc<Progress>| Job::with_memory_limit(limit).with_scene(scene).with_progress(Arc::clone(progress));
    let opened = if let Ok(bytes) = source.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        detached(py, |progress| of_bytes(bytes, &job(progress)).map_err(|e| e.to_string()))?
    } else {
        let source = parsed(&source.extract::<PathBuf>()?)?;
        let name = source.full_name();
        detached(py, |progress| {
            let document = Document::open_with_clips(&source, &clips_of, &job(progress));
            document.map_err(|e| format!("{e} ({name})")).and_then(with_all_clips)
        })?
    };
    opened.map(Rig::new).map_err(OpenError::new_err)
}

/// Checks that the clips of all requested files were found.
///
/// *Errors*: a file whose clips are missing.
fn with_all_clips(document: Document) -> Result<Document, String> {
    match document.clips_from.iter().find_map(|clips| Some((clips.source.full_name(), clips.found.as_ref().err()?))) {
        Some((name, problem)) => Err(format!("{problem} ({name})")),
        None => Ok(document),
    }
}

fn parsed(path: &PathBuf) -> PyResult<Source> {
    Source::parse(path).map_err(OpenError::new_err)
}

fn of_bytes(bytes: &[u8], job: &Job) -> Result<Document, ImportError> {
    let imported = import_bytes(bytes, job)?;
    let document = Document::new(Source::File(PathBuf::from("bytes")), imported.rig, imported.warnings);
    Ok(Document { scenes: imported.scenes, scene: imported.scene, ..document })
}
