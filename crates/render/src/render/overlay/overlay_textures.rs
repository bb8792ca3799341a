use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::{DataTexture, VertexTexels};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use rigscope_core::rig::Rig;
use rigscope_core::view::{OverlayValues, Ramp, Values};

/// Placeholder for vertices without a value; `overlay.glsl` tests for it. It isn't NaN, because some drivers don't
/// preserve NaN.
const NO_VALUE: f32 = 1e38;

/// Maximum magnitude of a value, small enough to keep interpolation finite.
const MAX_VALUE: f32 = 1e30;

const WHAT: &str = "the overlay of a mesh";

#[derive(Default)]
pub(crate) struct OverlayTextures {
    version: Option<u64>,
    values: Option<OverlayData>,
}

enum OverlayData {
    Scalars { texels: VertexTexels<f32>, ramp: DataTexture<[u8; 4]>, range: [f32; 2] },
    Colors { texels: VertexTexels<[u8; 4]> },
}

impl OverlayTextures {
    /// Uploads values that have changed, in the order of the primitives of `rig`. Vertices without an entry have no
    /// value. *Errors*: more vertices than a texture holds.
    pub(crate) fn update(
        &mut self,
        context: &Context,
        rig: &Rig,
        painted: Option<&OverlayValues>,
    ) -> Result<(), RenderError> {
        let version = painted.map(|p| p.version);
        if self.version == version {
            return Ok(());
        }
        self.version = None;
        let previous = self.values.take();
        let Some(painted) = painted else { return Ok(()) };
        let counts: Vec<usize> = rig.primitives().map(|(_, primitive)| primitive.positions.len()).collect();
        self.values = Some(OverlayData::new(context, previous, &counts, &painted.values)?);
        self.version = version;
        Ok(())
    }

    pub(crate) fn part(&self, part: usize) -> Option<PrimitiveOverlay<'_>> {
        let values = self.values.as_ref()?;
        let start = match values {
            OverlayData::Scalars { texels, .. } => texels.primitive(part)?.start,
            OverlayData::Colors { texels } => texels.primitive(part)?.start,
        };
        Some(PrimitiveOverlay { values, start })
    }
}

impl OverlayData {
    fn new(context: &Context, previous: Option<Self>, counts: &[usize], values: &Values) -> Result<Self, RenderError> {
        match values {
            Values::Scalars { parts, ramp, range } => {
                let (texels, colors) = match previous {
                    Some(Self::Scalars { texels, ramp, .. }) => (Some(texels), Some(ramp)),
                    _ => (None, None),
                };
                let values = (parts.iter().map(Vec::as_slice), counts);
                let texels = VertexTexels::new(context, WHAT, texels, values, (NO_VALUE, scalar))?;
                let ramp_texels = ramp.colors().map(|[r, g, b]| [r, g, b, 255]);
                let colors = DataTexture::filled(context, WHAT, colors, &ramp_texels)?;
                Ok(Self::Scalars { texels, ramp: colors, range: widened(*ramp, *range) })
            }
            Values::Colors { parts } => {
                let texels = if let Some(Self::Colors { texels }) = previous { Some(texels) } else { None };
                let values = (parts.iter().map(Vec::as_slice), counts);
                let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
                Ok(Self::Colors { texels: VertexTexels::new(context, WHAT, texels, values, ([0; 4], opaque))? })
            }
        }
    }
}

fn scalar(value: f32) -> f32 {
    if value.is_nan() { NO_VALUE } else { value.clamp(-MAX_VALUE, MAX_VALUE) }
}

fn widened(ramp: Ramp, range: [f32; 2]) -> [f32; 2] {
    let [low, high] = range.map(|end| if end.is_finite() { end } else { 0.0 });
    match ramp {
        _ if low < high => [low, high],
        Ramp::Magnitude => [low, low + 1.0],
        Ramp::Diverging => [low - 1.0, low + 1.0],
    }
}

#[derive(Clone, Copy)]
pub(crate) struct PrimitiveOverlay<'a> {
    values: &'a OverlayData,
    start: usize,
}

impl PrimitiveOverlay<'_> {
    pub(crate) fn set_uniforms(&self, program: &GpuProgram) {
        match self.values {
            OverlayData::Scalars { texels, ramp, range } => {
                program.set("overlayKind", 1);
                program.set("overlayRange", *range);
                program.set_texture("ramp", ramp.id());
                program.set_texture("overlay", texels.id());
            }
            OverlayData::Colors { texels } => {
                program.set("overlayKind", 2);
                program.set_texture("overlay", texels.id());
            }
        }
        program.set("overlayStart", self.start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_differs_from_the_largest_without_a_nan() {
        let sent = [f32::NAN, f32::INFINITY, -2.5].map(scalar);
        assert!(sent[0].is_finite() && sent[0] > MAX_VALUE, "{sent:?}");
        assert_eq!(sent[1..], [MAX_VALUE, -2.5]);
    }

    #[test]
    fn a_range_of_one_value_is_widened() {
        assert_eq!(widened(Ramp::Magnitude, [0.0, 2.0]), [0.0, 2.0]);
        assert_eq!(widened(Ramp::Magnitude, [0.0, 0.0]), [0.0, 1.0]);
        assert_eq!(widened(Ramp::Diverging, [1.0, 1.0]), [0.0, 2.0]);
    }
}
