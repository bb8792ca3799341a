//! Facts that a file tells of itself and its content, whether that is shown or not.

/// What a file contains, without its data.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// Name of the file format.
    pub format: &'static str,
    /// True for the binary form of the format: a `.glb`, with JSON and data in one, or an FBX file that is not text.
    pub is_binary: bool,
    /// Version of the format.
    pub version: String,
    /// Name of the program that wrote the file, by its own words.
    pub generator: Option<String>,
    /// Unit and axes of the file, where these are not the same in every file of its format.
    pub space: Option<Space>,
    /// Extensions that the file uses or requires, by name.
    pub extensions: Vec<Extension>,
    /// Number of meshes.
    pub meshes: usize,
    /// Number of primitives of all meshes.
    pub primitives: usize,
    /// Number of morph targets of all meshes.
    pub morph_targets: usize,
    /// Number of materials.
    pub materials: usize,
    /// Images of the file, whatever texture uses them.
    pub images: Vec<ImageAbout>,
}

/// Unit, axes and frame rate in which a file is written. Rigs are always in metres, +Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// Metres in one unit of length.
    pub unit_metres: f64,
    /// The file's axis that points up: `+Y`, `-Z` ..., or `unknown`.
    pub up: &'static str,
    /// The file's axis that points at the viewer.
    pub front: &'static str,
    /// The file's axis that points to the right.
    pub right: &'static str,
    /// Frames a second that the file's clips were made in.
    pub frames_per_sec: f64,
    /// True where the axes are left-handed, so that the scene was mirrored.
    pub is_mirrored: bool,
}

/// An extension that a file uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Name of the extension in the file.
    pub name: String,
    /// True where the file says that it cannot be shown without the extension.
    pub is_required: bool,
    /// How much of the extension is read.
    pub reading: Reading,
    /// Number of nodes and materials that use the extension, and 1 for the document; known only for extensions of makers other than Khronos.
    pub uses: usize,
}

/// An image of a file, not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageAbout {
    /// Name of the image in the file, else of the file that it is in; may be empty.
    pub name: String,
    /// Format and pixels, by the first bytes of the image; `None` where these cannot be read.
    pub header: Option<(&'static str, [u32; 2])>,
}

/// How much of an extension is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Everything that matters here is read.
    Full,
    /// Nothing of the extension is read, but nothing shown depends on it.
    Partial,
    /// Nothing is read, and nothing here needs it.
    Needless,
    /// Nothing is read.
    None,
}
