use three_d::HasContext;
use three_d::context::Context as GlContext;

use crate::render::RenderError;

/// Extension that allocates immutable textures; part of OpenGL 4.2.
const STORAGE: &str = "GL_ARB_texture_storage";

#[expect(unsafe_code, reason = "three-d does not expose the name")]
pub(crate) fn renderer(context: &GlContext) -> String {
    // SAFETY: reads a string that every context has.
    unsafe { context.get_parameter_string(three_d::context::RENDERER) }
}

const SOFTWARE_DRIVERS: [&str; 7] =
    ["llvmpipe", "softpipe", "swrast", "swiftshader", "software", "microsoft basic render", "gdi generic"];

pub(crate) fn is_software(context: &GlContext) -> bool {
    is_software_name(&renderer(context))
}

pub(crate) fn is_software_name(renderer: &str) -> bool {
    let renderer = renderer.to_lowercase();
    SOFTWARE_DRIVERS.iter().any(|name| renderer.contains(name))
}

/// Checks the features that every image needs. Optional features are checked where they are used.
pub(crate) fn check_driver(gl: &GlContext) -> Result<(), RenderError> {
    let version = gl.version();
    let (kind, wanted) = if version.is_embedded { ("OpenGL ES", (3, 0)) } else { ("OpenGL", (3, 3)) };
    let number = (version.major, version.minor);
    let found = format!("{kind} {}.{}", version.major, version.minor);
    if number < wanted {
        return Err(RenderError::OldDriver { found });
    }
    let has_storage = version.is_embedded || number >= (4, 2);
    if !has_storage && !gl.supported_extensions().contains(STORAGE) {
        return Err(RenderError::OldDriver { found: format!("{found} without {STORAGE}") });
    }
    Ok(())
}
