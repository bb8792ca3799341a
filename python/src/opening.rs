//! `load` and `convert`: open a character, or convert it to another file.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arguments::NameOrNumber;
use crate::detached::detached;
use crate::errors::not_opened;
use crate::rig::Rig;
use crate::saving::{OutputPath, save};
use rigscope::files::read_bounded;
use rigscope::import::{Job, SceneChoice, import_bytes};
use rigscope::jobs::Progress;
use rigscope::stage::{ClipRefusal, Document, Source};

/// Arguments of `load` for a path.
#[derive(Clone)]
pub(crate) struct LoadArgs {
    pub source: PathBuf,
    scene: Option<NameOrNumber>,
    clips_from: Vec<PathBuf>,
    partial: bool,
    memory_limit: Option<u64>,
}

impl LoadArgs {
    /// Returns the keyword arguments.
    pub(crate) fn keywords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let keywords = PyDict::new(py);
        match &self.scene {
            Some(NameOrNumber::Name(name)) => keywords.set_item("scene", name)?,
            Some(NameOrNumber::Number(number)) => keywords.set_item("scene", number)?,
            None => {}
        }
        keywords.set_item("clips_from", &self.clips_from)?;
        keywords.set_item("partial", self.partial)?;
        keywords.set_item("memory_limit", self.memory_limit)?;
        Ok(keywords)
    }
}

/// Opens a rigged character from a glTF, GLB, VRM or FBX file.
///
/// `source` is a path, ``"builtin:figure"`` or ``"builtin:tube"``. It can also be the content of a self-contained file: `bytes`, `bytearray`, `memoryview`, or
/// a binary file object, which is read to its end. `scene` is the name or number of a scene; by default, the file's default scene is opened. `clips_from` are
/// other files whose clips are added, matched joint by joint by name or humanoid bone. A file is rejected if fewer than half of its joints match, unless
/// `partial` is true. `memory_limit` is the maximum number of bytes of decoded data per file, by default 2 GiB.
///
/// Raises `OpenError`, whose message explains what failed and what to do. If the file opens, `Rig.check` lists its
/// problems.
#[pyfunction]
#[pyo3(signature = (source, *, scene=None, clips_from=None, partial=false, memory_limit=None))]
pub(crate) fn load(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    scene: Option<NameOrNumber>,
    clips_from: Option<Vec<PathBuf>>,
    partial: bool,
    memory_limit: Option<u64>,
) -> PyResult<Rig> {
    let is_path = source.extract::<PathBuf>().is_ok();
    let loaded = is_path.then(|| -> PyResult<LoadArgs> {
        Ok(LoadArgs {
            source: absolute(&source.extract()?),
            scene: scene.clone(),
            clips_from: clips_from.iter().flatten().map(absolute).collect(),
            partial,
            memory_limit,
        })
    });
    let loaded = loaded.transpose()?;
    let scene = scene.map(|scene| match scene {
        NameOrNumber::Name(name) => SceneChoice::Named(name),
        NameOrNumber::Number(number) => SceneChoice::Number(number),
    });
    let limit = memory_limit.unwrap_or(Job::DEFAULT_MEMORY_LIMIT);
    let clips_from = clips_from.iter().flatten().map(parsed).collect::<PyResult<Vec<Source>>>()?;
    let job =
        |progress: &Arc<Progress>| Job::with_memory_limit(limit).with_scene(scene).with_progress(Arc::clone(progress));
    let opened = if let Some(bytes) = content(source, limit)? {
        let bytes = bytes.as_bytes();
        detached(py, |progress| of_bytes(bytes, (&clips_from, partial), &job(progress)))?
    } else {
        let source = parsed(&source.extract::<PathBuf>()?)?;
        let name = source.full_name();
        detached(py, |progress| {
            let document = Document::open_with_clips(&source, &clips_from, &job(progress));
            document.map_err(|e| format!("{e} ({name})")).and_then(|document| with_all_clips(document, partial))
        })?
    };
    opened.map(|document| Rig::new(document, loaded)).map_err(not_opened)
}

/// Returns the path from the root, so that a process with another working folder finds the file.
fn absolute(path: &PathBuf) -> PathBuf {
    match Source::parse(path) {
        Ok(Source::File(_)) => std::path::absolute(path).unwrap_or_else(|_| path.clone()),
        _ => path.clone(),
    }
}

/// Checks that clips could be taken from all requested files. *Errors*: a file that cannot be read, has no suitable
/// clip, or matches too few joints.
fn with_all_clips(document: Document, partial: bool) -> Result<Document, String> {
    match document.clips_from.iter().find_map(|clips| clips.refusal(partial)) {
        Some(ClipRefusal::Unusable(problem)) => Err(problem),
        Some(ClipRefusal::FewMatch(problem)) => Err(format!("{problem}; partial=True takes the clips nevertheless")),
        None => Ok(document),
    }
}

fn parsed(path: &PathBuf) -> PyResult<Source> {
    Source::parse(path).map_err(not_opened)
}

/// Returns the content of a source that is bytes or a file object; `None` if it is a path. *Errors*: another type; more bytes than the limit; the exception of
/// reading.
fn content<'py>(source: &Bound<'py, PyAny>, limit: u64) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let py = source.py();
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return Ok(Some(bytes.clone()));
    }
    if source.extract::<PathBuf>().is_ok() {
        return Ok(None);
    }
    // Copies a buffer with `memoryview`, because the stable interface of old Python versions has no buffers.
    if let Ok(view) = py.import("builtins")?.call_method1("memoryview", (source,)) {
        return Ok(Some(view.call_method0("tobytes")?.cast_into()?));
    }
    if !source.hasattr("read")? {
        return Err(PyTypeError::new_err(format!(
            "A path, bytes or a binary file is wanted, not {}",
            source.get_type()
        )));
    }
    let mut file = BinaryFile { file: source, raised: None };
    let read = read_bounded(&mut file, limit);
    if let Some(raised) = file.raised {
        return Err(raised);
    }
    let bytes = read.map_err(|problem| not_opened(format!("The file object cannot be read: {problem}.")))?;
    Ok(Some(PyBytes::new(py, &bytes)))
}

/// A Python file object, read on the calling thread.
struct BinaryFile<'a, 'py> {
    file: &'a Bound<'py, PyAny>,
    /// Exception raised while reading.
    raised: Option<PyErr>,
}

impl BinaryFile<'_, '_> {
    fn part(&self, length: usize) -> PyResult<Vec<u8>> {
        let part = self.file.call_method1("read", (length,))?;
        let Ok(part) = part.cast_into::<PyBytes>() else {
            let told = "The file object gives text, and bytes are wanted: open it in binary mode, \"rb\"";
            return Err(PyTypeError::new_err(told));
        };
        Ok(part.as_bytes().to_owned())
    }
}

impl Read for BinaryFile<'_, '_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let part = self.part(to.len()).map_err(|raised| {
            self.raised = Some(raised);
            io::Error::other("reading raised an exception")
        })?;
        // Rejects an object that returns more bytes than requested, because it is not a proper file.
        let to =
            to.get_mut(..part.len()).ok_or_else(|| io::Error::other("it gives more bytes than it is asked for"))?;
        to.copy_from_slice(&part);
        Ok(part.len())
    }
}

fn of_bytes(bytes: &[u8], (clips_from, partial): (&[Source], bool), job: &Job) -> Result<Document, String> {
    let imported = import_bytes(bytes, job).map_err(|e| e.to_string())?;
    let document = Document::new(Source::File(PathBuf::from("bytes")), imported.rig, imported.warnings);
    let document = Document { scenes: imported.scenes, scene: imported.scene, ..document };
    let document = document.with_clips_from(clips_from, job).map_err(|e| e.to_string())?;
    with_all_clips(document, partial)
}

/// Converts a rigged character to .glb, or a VRM to .vrm, with the same bytes as ``rigscope convert``. Short for ``load(source, ...).save(output)``.
///
/// `source`, `scene`, `clips_from`, `partial` and `memory_limit` (bytes) are the same as for `load`. `output` is a path;
/// `over_input` allows the output to replace a file that was read. Returns one sentence for each thing that the format
/// cannot store.
#[pyfunction]
#[pyo3(signature = (source, output, *, scene=None, clips_from=None, partial=false, memory_limit=None, over_input=false))]
pub(crate) fn convert(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    output: PathBuf,
    scene: Option<NameOrNumber>,
    clips_from: Option<Vec<PathBuf>>,
    partial: bool,
    memory_limit: Option<u64>,
    over_input: bool,
) -> PyResult<Vec<String>> {
    let rig = load(py, source, scene, clips_from, partial, memory_limit)?;
    save(py, &rig.shared, &OutputPath { path: output, over_input })
}
