use three_d::{Blend, DepthTest, RenderStates, WriteMask};

use super::posed_primitive::DepthOffset;
use super::primitive_programs::Shading;
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use crate::render::panes::pane::ClipHalfPlane;

/// Depth offset of wires. It exceeds the depth range of a surface within a pixel. A body that is two pixels thick still
/// hides the wires on its far side.
pub(crate) const WIRE_NEARER: DepthOffset = DepthOffset { pixels: 0.5, per_slope: 0.75 };

const FRAGMENT: &str = "
uniform vec4 wireColor;
out vec4 outColor;
void main() {
    if (isCut && inside() < 0.0) discard;
    outColor = wireColor;
}
";

pub(crate) struct Wire {
    /// True for dark lines, used over clay. Lines over the file's materials are light, because most materials are dark.
    pub is_dark: bool,
    pub cut: ClipHalfPlane,
}

impl Wire {
    fn is_cut(&self) -> bool {
        self.cut != ClipHalfPlane::NONE
    }
}

impl Shading for Wire {
    const NAME: &'static str = "wireframe";

    fn variant(&self) -> u64 {
        u64::from(self.is_cut())
    }

    fn fragment_shader(&self) -> String {
        format!("const bool isCut = {};\n{}{FRAGMENT}", self.is_cut(), include_str!("../panes/cut.glsl"))
    }

    fn set_uniforms(&self, program: &GpuProgram) {
        let color = if self.is_dark { [0.06, 0.065, 0.08, 0.5] } else { [0.85, 0.9, 1.0, 0.3] };
        program.set("wireColor", color);
        self.cut.use_uniforms(program);
    }

    fn states(&self) -> RenderStates {
        RenderStates {
            depth_test: DepthTest::LessOrEqual,
            blend: Blend::TRANSPARENCY,
            write_mask: WriteMask::COLOR,
            ..RenderStates::default()
        }
    }
}
