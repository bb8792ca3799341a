use image::ImageFormat;

use super::bytes::Bytes;
use super::decoding::image_reader;
use super::{Job, ktx2};

/// Metadata and contents of a file, as `rigscope info` reports them.
#[derive(Clone, Debug, PartialEq)]
pub struct FileInfo {
    /// Name of the format.
    pub format: &'static str,
    /// Whether the file is a `.glb` or a binary FBX file.
    pub is_binary: bool,
    /// Version of the format.
    pub version: String,
    /// Program that wrote the file, according to the file.
    pub generator: Option<String>,
    /// Unit and axes, for formats in which they vary between files.
    pub space: Option<FileSpace>,
    /// Extensions that the file uses or requires.
    pub extensions: Vec<Extension>,
    /// Number of meshes.
    pub meshes: usize,
    /// Number of primitives in all meshes.
    pub primitives: usize,
    /// Number of morph targets in all meshes.
    pub morph_targets: usize,
    /// Number of materials.
    pub materials: usize,
    /// All images, whether used or not.
    pub images: Vec<ImageInfo>,
}

/// Unit, axes and frame rate of a file. Imported rigs are always in metres, +Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct FileSpace {
    /// Metres per unit of length.
    pub unit_metres: f64,
    /// `+Y`, `-Z` …, or `unknown`.
    pub up: &'static str,
    /// Axis that points at the viewer.
    pub front: &'static str,
    /// Axis that points to the right.
    pub right: &'static str,
    /// Frames per second of the clips.
    pub frames_per_sec: f64,
    /// Whether the axes are left-handed. The importer then mirrors the scene.
    pub is_mirrored: bool,
}

/// An extension that a file uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Name as in `extensionsUsed`.
    pub name: String,
    /// Whether the file lists the extension as required.
    pub is_required: bool,
    /// How much of the extension is read.
    pub support: ExtensionSupport,
    /// Number of uses by nodes, materials and the document. Valid only for extensions from vendors other than Khronos.
    pub uses: usize,
}

/// Metadata of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageInfo {
    /// Name of the image or, if it has none, of its file. May be empty.
    pub name: String,
    /// Format, width and height in pixels; `None` if the header cannot be read.
    pub header: Option<(&'static str, [u32; 2])>,
}

/// How much of an extension is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtensionSupport {
    /// Everything relevant is read.
    Full,
    /// Some of the extension is read.
    Partial,
    /// Nothing is read, because Rigscope does not need the extension.
    NotNeeded,
    /// The extension is relevant but not read.
    None,
}

/// Returns the format and the size in pixels. The size is near the beginning of the file, except in photographs, where
/// a preview may precede it.
pub(super) fn image_header(bytes: Bytes<'_>, job: &Job) -> Option<(&'static str, [u32; 2])> {
    const BEGINNING: usize = 1 << 16;
    let of_first = |count: usize| image_size(&bytes.get(0..count)?.read().ok()?, job);
    of_first(bytes.len().min(BEGINNING)).or_else(|| of_first(bytes.len()))
}

fn image_size(bytes: &[u8], job: &Job) -> Option<(&'static str, [u32; 2])> {
    if bytes.starts_with(ktx2::KTX2_MAGIC) {
        return ktx2::size(bytes).map(|size| ("KTX2", size));
    }
    let reader = image_reader(bytes, job)?;
    let format = match reader.format()? {
        ImageFormat::Bmp => "BMP",
        ImageFormat::Tga => "TGA",
        ImageFormat::Png => "PNG",
        ImageFormat::Jpeg => "JPEG",
        ImageFormat::WebP => "WebP",
        _ => return None,
    };
    let (width, height) = reader.into_dimensions().ok()?;
    Some((format, [width, height]))
}
