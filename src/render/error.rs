//! What can go wrong between a rig and its picture.

use three_d::CoreError;

/// What to do where OpenGL needs a window.
const WITHOUT_WINDOW: &str = if cfg!(any(windows, target_os = "macos")) {
    "open the file by rigscope FILE and save the picture there; bake and compare need no OpenGL"
} else {
    "install Mesa's EGL (on Debian libegl1 and libgl1-mesa-dri)"
};

/// Skinned vertices on the graphics card at once: 2.4 GB of them.
pub(super) const MOST_SKINNED_VERTICES: usize = 100_000_000;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The driver is too old.
    #[error("the graphics driver offers {found}; OpenGL 3.3 or OpenGL ES 3.0 is needed")]
    OldDriver {
        /// The driver's own words.
        found: String,
    },
    /// No context without a window, on any device.
    #[error("no OpenGL context without a window: {reason}; {WITHOUT_WINDOW}")]
    NoHeadlessContext {
        /// What each device said.
        reason: String,
    },
    /// A shader that the driver refuses, or a context that cannot be set up.
    #[error("the graphics driver refuses the program {program}: {source}")]
    Program {
        /// Which one.
        program: &'static str,
        /// The driver's log.
        source: CoreError,
    },
    /// OpenGL reports an error after drawing, a lost context among others.
    #[error("drawing failed: {0}")]
    Drawing(CoreError),
    /// More data than one texture or picture holds on this driver.
    #[error("{what} is too large for the graphics driver: {wanted}, but it takes at most {limit}")]
    TooLarge {
        /// What was to be stored.
        what: &'static str,
        /// In texels or pixels a side.
        wanted: usize,
        /// In the same unit.
        limit: usize,
    },
    /// A mesh that many nodes carry is skinned for each of them.
    #[error(
        "the shown meshes have {wanted} vertices to skin, each as often as it is placed, but at most {MOST_SKINNED_VERTICES} are drawn at once; \
         hide some of the meshes"
    )]
    TooManyVertices {
        /// Of everything that is shown.
        wanted: usize,
    },
    /// Nothing has been drawn yet.
    #[error("there is no picture yet: draw one first")]
    NoPicture,
}
