use three_d::CoreError;

const WITHOUT_WINDOW: &str = if cfg!(windows) {
    "install the driver of the graphics card's maker; bake and compare need no OpenGL"
} else if cfg!(target_os = "macos") {
    "open the file by rigscope FILE and save the picture there; bake and compare need no OpenGL"
} else {
    "install Mesa's EGL (on Debian libegl1 and libgl1-mesa-dri)"
};

/// Maximum number of skinned vertices, which take 2.4 GB.
pub(super) const MAX_SKINNED_VERTICES: usize = 100_000_000;

/// Error from rendering.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The driver's OpenGL version is too old.
    #[error("the graphics driver offers {found}, but OpenGL 3.3 or OpenGL ES 3.0 is needed; try a newer driver")]
    OldDriver {
        /// Version and name reported by the driver.
        found: String,
    },
    /// No device provides an OpenGL context without a window.
    #[error("no OpenGL context without a window: {reason}; {WITHOUT_WINDOW}")]
    NoHeadlessContext {
        /// Errors from the devices that were tried.
        reason: String,
    },
    /// The driver rejected a shader program.
    #[error(
        "the graphics driver rejects the program {program} ({reason}); choose another method, shading or overlay, or update the driver"
    )]
    Program {
        /// Program name.
        program: &'static str,
        /// First line of the driver's log. The full log goes to the application log.
        reason: String,
    },
    /// Graphics memory is exhausted. Data uploaded so far is freed.
    #[error(
        "the graphics card is out of memory; close other programs that use it, hide some of the meshes, or open a smaller file"
    )]
    OutOfMemory,
    /// The driver was reset; all GPU objects and the context are lost.
    #[error("the graphics driver was reset and lost everything it was drawing")]
    ContextLost,
    /// OpenGL reported another error or failed to create an object.
    #[error("drawing failed ({0}); try a newer graphics driver")]
    Drawing(String),
    /// Data that exceeds a size limit of the driver.
    #[error("{what} is too large for the graphics driver: {wanted}, but the limit is {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Required texels or pixels per side.
        wanted: usize,
        /// Maximum texels or pixels per side.
        limit: usize,
    },
    /// Too many vertices to skin; a mesh counts once for each node that instances it.
    #[error(
        "the visible meshes have {wanted} vertices to skin, counting every instance, but the limit is {MAX_SKINNED_VERTICES}; \
         hide some of the meshes"
    )]
    TooManyVertices {
        /// Vertices to skin, counted per instance.
        wanted: usize,
    },
    /// No image has been drawn yet.
    #[error("no image has been drawn yet")]
    NoPicture,
}

impl RenderError {
    /// Logs the driver's full message, which may have a thousand lines, and returns an error that contains its first
    /// line.
    pub(super) fn refused(program: &'static str, log: &str) -> Self {
        log::error!("the graphics driver rejects the program {program}:\n{log}");
        let first = log.lines().map(str::trim).find(|line| !line.is_empty());
        Self::Program { program, reason: first.unwrap_or("it does not say why").chars().take(200).collect() }
    }

    /// Returns true if a retry can succeed once memory is freed or different content is shown.
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
    fn rejected_shader_program_is_reported_in_one_line() {
        let log = format!("\n0:12(3): error: syntax error\n{}", "uniform float x;\n".repeat(1000));
        let text = RenderError::refused("skinning", &log).to_string();
        assert!(text.contains("program skinning (0:12(3): error: syntax error)"), "{text}");
        assert!(text.len() < 300 && !text.contains("uniform"), "{text}");
        assert!(RenderError::refused("wireframe", " \n").to_string().contains("(it does not say why)"));
    }
}
