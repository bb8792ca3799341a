//! Errors of rendering.

use three_d::CoreError;

/// Advice where OpenGL needs a window.
const WITHOUT_WINDOW: &str = if cfg!(any(windows, target_os = "macos")) {
    "open the file by rigscope FILE and save the picture there; bake and compare need no OpenGL"
} else {
    "install Mesa's EGL (on Debian libegl1 and libgl1-mesa-dri)"
};

/// Most skinned vertices on the graphics card at once: 2.4 GB.
pub(super) const MAX_SKINNED_VERTICES: usize = 100_000_000;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The driver is too old.
    #[error("the graphics driver offers {found}; OpenGL 3.3 or OpenGL ES 3.0 is needed, which a newer driver may have")]
    OldDriver {
        /// Version and name reported by the driver.
        found: String,
    },
    /// No context without a window, on any device.
    #[error("no OpenGL context without a window: {reason}; {WITHOUT_WINDOW}")]
    NoHeadlessContext {
        /// Errors reported by the devices that were tried.
        reason: String,
    },
    /// A shader that the driver refuses.
    #[error(
        "the graphics driver refuses the program {program} ({reason}); choose another method, look or overlay, or update the driver"
    )]
    Program {
        /// Name of the program.
        program: &'static str,
        /// The first line of the driver's log; all of it is in the program's own log.
        reason: String,
    },
    /// Textures, meshes or pictures do not fit into graphics memory; uploaded data is freed.
    #[error(
        "the graphics card is out of memory; close other programs that use it, hide some of the meshes, or open a smaller file"
    )]
    OutOfMemory,
    /// The driver was reset, and everything on the graphics card is gone with its context.
    #[error("the graphics driver was reset, and all that was to be drawn is lost to it")]
    ContextLost,
    /// OpenGL reports another error, or makes no more objects.
    #[error("drawing failed ({0}); a newer graphics driver may do better")]
    Drawing(String),
    /// More data than one texture or picture holds on this driver.
    #[error("{what} is too large for the graphics driver: {wanted}, but it takes at most {limit}")]
    TooLarge {
        /// What was to be stored.
        what: &'static str,
        /// Texels or pixels per side needed.
        wanted: usize,
        /// Texels or pixels per side that the driver allows.
        limit: usize,
    },
    /// A mesh that many nodes carry is skinned for each of them.
    #[error(
        "the shown meshes have {wanted} vertices to skin, each as often as it is placed, but at most {MAX_SKINNED_VERTICES} are drawn at once; \
         hide some of the meshes"
    )]
    TooManyVertices {
        /// Number of vertices to skin, each once per placement.
        wanted: usize,
    },
    /// No picture has been drawn yet.
    #[error("there is no picture yet: draw one first")]
    NoPicture,
}

impl RenderError {
    /// A program refused by the driver; keeps only the first line of its log, which may be a thousand lines long.
    pub(super) fn refused(program: &'static str, log: &str) -> Self {
        log::error!("the graphics driver refuses the program {program}:\n{log}");
        let first = log.lines().map(str::trim).find(|line| !line.is_empty());
        Self::Program { program, reason: first.unwrap_or("it does not say why").chars().take(200).collect() }
    }

    /// True where a retry may help once memory is free or something else is shown.
    pub fn can_be_retried(&self) -> bool {
        !matches!(self, Self::ContextLost)
    }
}

impl From<CoreError> for RenderError {
    fn from(error: CoreError) -> Self {
        match error {
            CoreError::ContextError(reason) | CoreError::ContextCreation(reason) => Self::Drawing(reason),
            other => Self::Drawing(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_program_is_told_in_a_line_whatever_its_log() {
        let log = format!("\n0:12(3): error: syntax error\n{}", "uniform float x;\n".repeat(1000));
        let text = RenderError::refused("skinning", &log).to_string();
        assert!(text.contains("program skinning (0:12(3): error: syntax error)"), "{text}");
        assert!(text.len() < 300 && !text.contains("uniform"), "{text}");
        assert!(RenderError::refused("wireframe", " \n").to_string().contains("(it does not say why)"));
    }
}
