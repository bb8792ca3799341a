//! Metadata and contents of a file, as `rigscope info` reports them.

/// What a file contains, without its data.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// Name of the format.
    pub format: &'static str,
    /// True for the binary form of the format: a `.glb` or a binary FBX file.
    pub is_binary: bool,
    /// Version of the format.
    pub version: String,
    /// Program that wrote the file, according to the file.
    pub generator: Option<String>,
    /// Unit and axes, for formats in which they vary between files.
    pub space: Option<Space>,
    /// Extensions that the file uses or requires.
    pub extensions: Vec<Extension>,
    /// Number of meshes.
    pub meshes: usize,
    /// Number of primitives of all meshes.
    pub primitives: usize,
    /// Number of morph targets of all meshes.
    pub morph_targets: usize,
    /// Number of materials.
    pub materials: usize,
    /// Images of the file, including unused ones.
    pub images: Vec<ImageAbout>,
}

/// Unit, axes and frame rate of a file. Imported rigs are always in metres, +Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// Metres per unit of length.
    pub unit_metres: f64,
    /// Up axis of the file: `+Y`, `-Z` ..., or `unknown`.
    pub up: &'static str,
    /// Axis of the file that points at the viewer.
    pub front: &'static str,
    /// Axis of the file that points to the right.
    pub right: &'static str,
    /// Frame rate of the clips, frames per second.
    pub frames_per_sec: f64,
    /// True if the axes are left-handed; the importer then mirrors the scene.
    pub is_mirrored: bool,
}

/// An extension that a file uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Name as in `extensionsUsed`.
    pub name: String,
    /// True if the file lists the extension as required.
    pub is_required: bool,
    /// How much of the extension is read.
    pub reading: Reading,
    /// Number of nodes and materials that use the extension, plus 1 if the document does. Counted only for extensions
    /// from vendors other than Khronos.
    pub uses: usize,
}

/// An image that is not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageAbout {
    /// Name of the image, else of its file; may be empty.
    pub name: String,
    /// Format, width and height in pixels from the image header; `None` if the header cannot be read.
    pub header: Option<(&'static str, [u32; 2])>,
}

/// How much of an extension is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Everything relevant here is read.
    Full,
    /// A part of the extension is read.
    Partial,
    /// Nothing is read, and nothing here needs it.
    Needless,
    /// Nothing is read.
    None,
}
