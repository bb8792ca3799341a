use std::collections::BTreeMap;
use std::path::Path;

use super::container::{Container, not_utf8, parse, split};
use super::schema::GltfDocument;
use crate::import::bytes::Bytes;
use crate::import::error::ReadError;
use crate::import::report::ImportReport;
use crate::import::texture_files::open_in_folders;
use crate::import::warning::exceeds_memory;
use crate::import::{ImportError, Job, uri};

/// The unmodified document of a glTF file and the bytes that it references, for rewriting the file with changes.
#[derive(Debug)]
pub struct RawGltf {
    /// JSON of the document.
    pub json: String,
    /// Binary chunk of a `.glb`.
    pub binary: Option<Vec<u8>>,
    /// Content of each buffer and image file by `uri`, or why the file is not available.
    pub linked: BTreeMap<String, Result<Vec<u8>, String>>,
    /// Number of chunks in a `.glb` other than the JSON and the first binary chunk.
    pub further_chunks: usize,
}

impl RawGltf {
    pub(in crate::import) fn read(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<Self, ReadError> {
        let Container { json, json_offset, blob, further_chunks, .. } = split(bytes, job.memory_limit())?;
        let document = parse(&json, json_offset)?;
        let json = String::from_utf8(json.into_owned()).map_err(|e| not_utf8(json_offset, e.utf8_error()))?;
        let size = blob.map_or(0, |blob| blob.len() as u64);
        let left = job.memory_limit().checked_sub(size.saturating_add(json.len() as u64));
        let left = left.ok_or(ImportError::NoMemoryLeft { bytes: size, limit: job.memory_limit() })?;
        let binary = blob.map(|blob| blob.read().map(std::borrow::Cow::into_owned)).transpose()?;
        Ok(Self { json, binary, linked: linked(&document, folder, left, job)?, further_chunks })
    }
}

fn linked(
    document: &GltfDocument,
    folder: Option<&Path>,
    mut left: u64,
    job: &Job,
) -> Result<BTreeMap<String, Result<Vec<u8>, String>>, ImportError> {
    let buffers = document.buffers.iter().filter_map(|buffer| buffer.valid()?.uri.as_deref());
    let images =
        document.images.iter().filter_map(|image| image.valid()?.uri.as_deref()).filter(|uri| !uri::is_data(uri));
    let is_image = |uri: &str| images.clone().any(|image| image == uri);
    let mut linked = BTreeMap::new();
    for uri in buffers.chain(images.clone()) {
        job.progress.check_cancelled().ok_or(ImportError::Cancelled)?;
        if linked.contains_key(uri) {
            continue;
        }
        let found = |fault| {
            let name = uri::file_name(uri).filter(|_| is_image(uri));
            name.and_then(|name| open_in_folders(&[&name], job.texture_folders(), &ImportReport::default()))
                .ok_or(fault)
        };
        let bytes = uri::open(uri, folder, left).or_else(found).and_then(|opened| {
            let bytes = opened.bytes();
            let length = bytes.len() as u64;
            left = left.checked_sub(length).ok_or_else(|| exceeds_memory(length))?;
            let read = bytes.read().map(std::borrow::Cow::into_owned);
            read.map_err(|e| format!("{uri} cannot be read: {e}"))
        });
        linked.insert(uri.to_owned(), bytes);
    }
    Ok(linked)
}
