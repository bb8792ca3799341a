//! Points of other programs: skinned positions in the order of the rig's vertices.
//!
//! The format is detected from the content. Each format has a file with a parser of a few lines; all of them check
//! lengths before they read, and the memory limit of the [`Job`] bounds what they decode.

mod gltf;
mod json;
mod matrices;
mod npy;
mod npz;
mod pc2;
mod ply;
mod text;
mod triples;

use std::path::Path;

pub use matrices::matrices_from_path;

use super::{ImportError, Job};
use rigscope_core::files::{self, path_text};
use rigscope_core::rig::{PointFrame, PointLayout};

/// Decoded points take up to this many times the size of the file. JSON and half-precision numbers grow most.
const DECODED: u64 = 24;

/// Formats and how to write them, for messages.
const FORMATS: &str =
    "the JSON of rigscope bake, glTF, OBJ, PLY, CSV, .npy, .npz or PC2, or give --points-layout for raw float32";

/// Endings of files with points, in lower case. Raw float32 has others.
pub const POINT_ENDINGS: [&str; 11] = ["npy", "npz", "csv", "txt", "json", "obj", "ply", "pc2", "glb", "gltf", "vrm"];

/// Some spreadsheets begin text with it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the points of a file, one frame or several; at least one. With a layout, the file is raw float32.
///
/// *Errors*: the file cannot be read, its format is unknown, or it is damaged.
pub fn points_from_path(path: &Path, layout: Option<&PointLayout>, job: &Job) -> Result<Vec<PointFrame>, ImportError> {
    let problem = |source| ImportError::Read { path: path.to_owned(), source };
    let stream = files::open_stream(path).map_err(problem)?;
    let bytes = files::read_bounded(stream, job.memory_limit() / DECODED).map_err(problem)?;
    let found = if layout.is_none() && gltf::is_gltf(&bytes) {
        gltf::points(path, job)?
    } else {
        points(&bytes, layout, job.memory_limit()).map_err(|reason| damaged(path, &reason))?
    };
    if found.iter().all(PointFrame::is_empty) {
        return Err(damaged(path, "it has no points"));
    }
    Ok(found)
}

fn damaged(path: &Path, reason: &str) -> ImportError {
    ImportError::Content(format!("The points cannot be read: {reason}. Write them as {FORMATS}. {}", path_text(path)))
}

fn damaged_matrices(path: &Path, reason: &str) -> ImportError {
    let advice = "Write an array of the shape (joints, 4, 4) as .npy, or a list of matrices as JSON";
    ImportError::Content(format!("The matrices cannot be read: {reason}. {advice}. {}", path_text(path)))
}

/// Reads points from memory; see [`points_from_path`]. glTF needs a path. *Errors*: why, as a clause.
fn points(bytes: &[u8], layout: Option<&PointLayout>, memory_limit: u64) -> Result<Vec<PointFrame>, String> {
    if let Some(layout) = layout {
        return layout.points(bytes).map(|positions| vec![PointFrame::from_positions(positions)]);
    }
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    match bytes {
        _ if bytes.starts_with(npy::MAGIC) => npy::array(bytes).and_then(|array| array.frames()),
        _ if bytes.starts_with(npz::MAGIC) => npz::points(bytes, memory_limit / DECODED),
        _ if bytes.starts_with(pc2::MAGIC) => pc2::points(bytes),
        _ if bytes.starts_with(b"ply") => ply::points(bytes).map(|frame| vec![frame]),
        _ if matches!(bytes.trim_ascii_start(), [b'{' | b'[', ..]) => json::points(bytes),
        _ => text::points(bytes),
    }
}

#[cfg(test)]
mod tests;
