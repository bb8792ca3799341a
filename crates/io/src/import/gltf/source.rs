//! Shared input of a glTF import: the parsed document, its buffers and the memory budgets.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::meshopt::{self, Compression};
use super::schema::{GltfDocument, GltfMesh, View, extension, size, valid};
use crate::import::budget::MemoryBudget;
use crate::import::bytes::Bytes;
use crate::import::decoding::{DecodedImageCache, DecodingLimits, USUAL_FORMATS};
use crate::import::report::ImportReport;
use crate::import::uri::{self, UriData};
use crate::import::warning::PrimitiveLocation;
use crate::import::warning::{MALFORMED, NO_DATA, Reason, exceeds_memory, short, unread};
use crate::import::{ImportError, ImportWarning, Job, Stage};
use rigscope_core::findings::{Code, Target};

/// Bytes of implicit zeros, as in sparse morph targets, that every file may use. Without a limit, a tiny file could
/// take seconds and gigabytes before it is rejected.
const ZEROS_FOR_ANY_FILE: u64 = 1 << 26;

/// Returns how many bytes of implicit zeros a file of this size may use in addition to [`ZEROS_FOR_ANY_FILE`].
fn zeros_for(file_size: usize) -> u64 {
    (file_size as u64).saturating_mul(64)
}

/// Number of bytes that can be copied in the time that one file read takes.
const BYTES_PER_READ: usize = 16 << 10;

struct LoadedBuffer<'a> {
    data: Data<'a>,
    fault: Option<Reason>,
}

enum Data<'a> {
    Own(Bytes<'a>),
    Memory(Vec<u8>),
    File(File, usize),
}

impl LoadedBuffer<'_> {
    fn bytes(&self) -> Bytes<'_> {
        match &self.data {
            Data::Own(bytes) => *bytes,
            Data::Memory(bytes) => Bytes::Memory(bytes),
            Data::File(file, length) => Bytes::File { file, start: 0, length: *length },
        }
    }
}

/// Bytes of a view, decompressed on first use; `None` if the view is not compressed.
type DecompressedView = OnceCell<Option<Result<Vec<u8>, Reason>>>;

pub(super) struct GltfSource<'a> {
    pub document: &'a GltfDocument,
    pub job: &'a Job,
    folder: Option<&'a Path>,
    buffers: Vec<LoadedBuffer<'a>>,
    decompressed: Vec<DecompressedView>,
    target_counts: Vec<usize>,
    budget: MemoryBudget,
    pictures: DecodedImageCache,
    zeros: MemoryBudget,
}

impl<'a> GltfSource<'a> {
    pub(super) fn new(document: &'a GltfDocument, file_size: usize, folder: Option<&'a Path>, job: &'a Job) -> Self {
        Self {
            document,
            job,
            folder,
            buffers: Vec::new(),
            decompressed: vec![OnceCell::new(); document.buffer_views.len()],
            target_counts: document.meshes.iter().map(|m| m.valid().map_or(0, target_count)).collect(),
            budget: MemoryBudget::new(job.memory_limit()),
            pictures: DecodedImageCache::default(),
            zeros: MemoryBudget::new(ZEROS_FOR_ANY_FILE.saturating_add(zeros_for(file_size))),
        }
    }

    /// Loads all buffers. Warns about each unreadable buffer.
    pub(super) fn load_buffers(&mut self, blob: Option<Bytes<'a>>, report: &ImportReport) -> Result<(), ImportError> {
        let count = self.document.buffers.len();
        for index in 0..count {
            self.job.advance(Stage::Reading, index, count)?;
            let buffer = self.load_buffer(index, blob, report);
            if let Some(fault) = &buffer.fault {
                let message = format!("Buffer {index} cannot be used in full: {fault}. Its data is missing.");
                report.warn(ImportWarning::new(Code::DataMissing, Target::File, message));
            }
            self.buffers.push(buffer);
        }
        Ok(())
    }

    fn load_buffer(&self, index: usize, blob: Option<Bytes<'a>>, report: &ImportReport) -> LoadedBuffer<'a> {
        let faulty = |fault| LoadedBuffer { data: Data::Memory(Vec::new()), fault };
        let Some(buffer) = valid(&self.document.buffers, index) else {
            return faulty(Some(MALFORMED.to_owned()));
        };
        let expected = buffer.byte_length.0;
        let data = match (&buffer.uri, blob) {
            (Some(_), _) if expected == 0 => return faulty(Some(MALFORMED.to_owned())),
            (Some(uri), _) => match self.open_uri(uri, report) {
                Ok(UriData::Memory(bytes)) => Data::Memory(bytes),
                Ok(UriData::File(file, length)) => Data::File(file, length.min(size(buffer.byte_length))),
                Err(fault) => return faulty(Some(fault)),
            },
            (None, Some(blob)) if index == 0 => Data::Own(blob),
            // Compressed views refer to a fallback buffer, which exists only for readers without decompression.
            _ if extension(buffer.extensions.as_ref().map(|e| &e.others), meshopt::NAME).is_some() => {
                return faulty(None);
            }
            _ => return faulty(Some(NO_DATA.to_owned())),
        };
        let mut buffer = LoadedBuffer { data, fault: None };
        let length = buffer.bytes().len();
        let actual = length as u64;
        if matches!(buffer.data, Data::Memory(_)) && !self.charge(actual) {
            return faulty(Some(exceeds_memory(actual)));
        }
        if !matches!(buffer.data, Data::Own(_)) {
            self.job.progress.expect_bytes(length);
            self.zeros.add(zeros_for(length));
        }
        buffer.fault = (actual < expected)
            .then(|| format!("it has {actual} of {expected} bytes: it was cut short, fetch or export it again"));
        self.hold_small_parts(&mut buffer);
        buffer
    }

    /// Loads a buffer with many small accessors into memory if it fits in a sixteenth of the remaining budget.
    fn hold_small_parts(&self, buffer: &mut LoadedBuffer<'_>) {
        let (bytes, accessors) = (buffer.bytes(), self.document.accessors.len());
        let is_small = bytes.len() <= accessors.saturating_mul(BYTES_PER_READ);
        let is_spare = (bytes.len() as u64).saturating_mul(16) <= self.budget();
        // Read errors are reported where the data is needed.
        if is_small
            && is_spare
            && let Ok(Cow::Owned(bytes)) = bytes.read()
        {
            self.charge(bytes.len() as u64);
            buffer.data = Data::Memory(bytes);
        }
    }

    pub(super) fn open_uri(&self, uri: &str, report: &ImportReport) -> Result<UriData, Reason> {
        if let Some(path) = self.folder.and_then(|folder| uri::path(uri, folder)) {
            report.record_file(&path);
        }
        uri::open(uri, self.folder, self.budget.left())
    }

    pub(super) fn named_files(&self) -> Vec<PathBuf> {
        let Some(folder) = self.folder else { return Vec::new() };
        let buffers = self.document.buffers.iter().filter_map(|b| b.valid()?.uri.as_deref());
        let images = self.document.images.iter().filter_map(|i| i.valid()?.uri.as_deref());
        buffers.chain(images).flat_map(|uri| uri::places(uri, folder)).collect()
    }

    pub(super) fn budget(&self) -> u64 {
        self.budget.left()
    }

    pub(super) fn charge(&self, bytes: u64) -> bool {
        self.budget.charge(bytes)
    }

    pub(super) fn decoding_limits(&self) -> DecodingLimits<'_> {
        DecodingLimits { budget: &self.budget, job: self.job, formats: &USUAL_FORMATS, known: &self.pictures }
    }

    /// Takes bytes from the budget of implicit zeros. *Errors*: if too few bytes are left, takes nothing and returns
    /// the number of bytes left.
    pub(super) fn charge_zeros(&self, bytes: u64) -> Result<(), u64> {
        if self.zeros.charge(bytes) { Ok(()) } else { Err(self.zeros.left()) }
    }

    pub(super) fn is_compressed(&self, view: usize) -> bool {
        valid(&self.document.buffer_views, view)
            .is_some_and(|view| extension(view.extensions.as_ref().map(|e| &e.others), meshopt::NAME).is_some())
    }

    pub(super) fn target_count(&self, mesh: usize) -> usize {
        self.target_counts.get(mesh).copied().unwrap_or(0)
    }

    pub(super) fn location(&self, mesh: usize, primitive: usize) -> PrimitiveLocation {
        let name = valid(&self.document.meshes, mesh).and_then(|m| m.name.as_deref()).unwrap_or_default();
        PrimitiveLocation { mesh, name: short(name), primitive }
    }

    pub(super) fn faulty_buffer(&self) -> Option<(usize, Reason)> {
        self.buffers.iter().enumerate().find_map(|(index, buffer)| Some((index, buffer.fault.clone()?)))
    }

    /// Returns the bytes of a buffer view, range-checked and decompressed, and the view's stride (0 if it has none).
    pub(super) fn view(&self, index: usize) -> Result<(Bytes<'_>, usize), Reason> {
        let view = valid(&self.document.buffer_views, index)
            .ok_or_else(|| format!("buffer view {index} does not exist or is malformed"))?;
        let stride = view.byte_stride.map_or(0, |s| s.0);
        let stored = || {
            let start = view.byte_offset.map_or(0, size);
            Ok((self.range(index, view.buffer.value(), start, size(view.byte_length))?, stride))
        };
        match self.decompressed.get(index).and_then(|cell| cell.get_or_init(|| self.decompress(index, view)).as_ref()) {
            Some(Ok(bytes)) => Ok((Bytes::Memory(bytes), stride)),
            // The view itself may contain the same data uncompressed.
            Some(Err(fault)) => stored().map_err(|_none| fault.clone()),
            None => stored(),
        }
    }

    fn range(&self, view: usize, buffer: usize, start: usize, length: usize) -> Result<Bytes<'_>, Reason> {
        let data = self.buffers.get(buffer).map(LoadedBuffer::bytes).filter(|b| !b.is_empty());
        let data = data.ok_or_else(|| format!("buffer {buffer} has no data"))?;
        let end = start.saturating_add(length);
        let reason = || format!("buffer view {view} ends at byte {end} of buffer {buffer}, which has {}", data.len());
        data.get(start..end).ok_or_else(reason)
    }

    fn decompress(&self, index: usize, view: &View) -> Option<Result<Vec<u8>, Reason>> {
        let compression = Compression::from_extensions(view.extensions.as_ref().map(|e| &e.others))?;
        let broken = || format!("the compressed data of buffer view {index} is broken: fetch or export the file again");
        Some(compression.map_err(|_form| broken()).and_then(|compression| {
            let bytes = self.range(index, compression.buffer, compression.byte_offset, compression.byte_length)?;
            let size = compression.decoded_size();
            if self.job.progress.is_cancelled() || !self.charge(size) {
                let more = "more than is left of the limit for one file";
                return Err(format!("buffer view {index} would take {size} bytes when decompressed, {more}"));
            }
            let bytes = bytes.read().map_err(unread)?;
            compression.decode(&bytes).ok_or_else(broken)
        }))
    }
}

fn target_count(mesh: &GltfMesh) -> usize {
    mesh.primitives.iter().filter_map(|p| Some(p.valid()?.targets.len())).max().unwrap_or(0)
}
