//! Overlay values of an actor: uploaded on change, read by vertex index.

use std::iter::repeat_n;

use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::{DataTexture, Texel};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use crate::rig::Rig;
use crate::view::{Painted, Ramp, Values};

/// Marks a vertex without a value. Not NaN, which some drivers don't preserve; `overlay.glsl` tests for values above [`LARGEST`].
const UNPAINTED: f32 = 1e38;

/// Maximum overlay value, small enough that interpolation stays finite.
const LARGEST: f32 = 1e30;

const WHAT: &str = "the overlay of a mesh";

#[derive(Default)]
pub(crate) struct OverlayTextures {
    version: Option<u64>,
    values: Option<Uploaded>,
    /// Texel of the first vertex of each primitive.
    starts: Vec<usize>,
}

enum Uploaded {
    Scalars { texels: DataTexture<f32>, ramp: DataTexture<[u8; 4]>, range: [f32; 2] },
    Colors { texels: DataTexture<[u8; 4]> },
}

impl OverlayTextures {
    /// Uploads changed values. Values are per primitive of `rig`, in its order; vertices beyond them get none.
    ///
    /// *Errors*: more vertices than a texture holds.
    pub(crate) fn update(
        &mut self,
        context: &Context,
        rig: &Rig,
        painted: Option<&Painted>,
    ) -> Result<(), RenderError> {
        let version = painted.map(|p| p.version);
        if self.version == version {
            return Ok(());
        }
        self.version = None;
        let room = self.values.take();
        let Some(painted) = painted else { return Ok(()) };
        let counts: Vec<usize> = rig.primitives().map(|(_, primitive)| primitive.positions.len()).collect();
        self.starts = starts(&counts);
        self.values = Some(Uploaded::new(context, room, &counts, &painted.values)?);
        self.version = version;
        Ok(())
    }

    pub(crate) fn part(&self, part: usize) -> Option<PrimitiveOverlay<'_>> {
        Some(PrimitiveOverlay { values: self.values.as_ref()?, start: *self.starts.get(part)? })
    }
}

impl Uploaded {
    /// Reuses the textures of `room` if the new values fit.
    fn new(context: &Context, room: Option<Self>, counts: &[usize], values: &Values) -> Result<Self, RenderError> {
        match values {
            Values::Scalars { parts, ramp, range } => {
                let (texels, colors) = match room {
                    Some(Self::Scalars { texels, ramp, .. }) => (Some(texels), Some(ramp)),
                    _ => (None, None),
                };
                let flat = flattened(parts, counts, UNPAINTED, scalar);
                let texels = filled(context, WHAT, texels, &flat)?;
                let colors = filled(context, WHAT, colors, &ramp.colors().map(|[r, g, b]| [r, g, b, 255]))?;
                Ok(Self::Scalars { texels, ramp: colors, range: spanned(*ramp, *range) })
            }
            Values::Colors { parts } => {
                let texels = if let Some(Self::Colors { texels }) = room { Some(texels) } else { None };
                let flat = flattened(parts, counts, [0; 4], |[r, g, b]| [r, g, b, 255]);
                Ok(Self::Colors { texels: filled(context, WHAT, texels, &flat)? })
            }
        }
    }
}

fn scalar(value: f32) -> f32 {
    if value.is_nan() { UNPAINTED } else { value.clamp(-LARGEST, LARGEST) }
}

pub(crate) fn starts(counts: &[usize]) -> Vec<usize> {
    let ends = counts.iter().scan(0, |end, count| {
        let start = *end;
        *end += count;
        Some(start)
    });
    ends.collect()
}

/// Concatenates the values of all primitives, each padded or cut to its count.
pub(crate) fn flattened<T: Copy, U: Copy>(
    parts: &[Vec<T>],
    counts: &[usize],
    missing: U,
    texel: impl Fn(T) -> U,
) -> Vec<U> {
    let mut flat = Vec::with_capacity(counts.iter().sum());
    for (i, &count) in counts.iter().enumerate() {
        let values = parts.get(i).map_or(&[][..], Vec::as_slice);
        let values = &values[..count.min(values.len())];
        flat.extend(values.iter().map(|v| texel(*v)));
        flat.extend(repeat_n(missing, count - values.len()));
    }
    flat
}

pub(crate) fn filled<T: Texel>(
    context: &Context,
    what: &'static str,
    room: Option<DataTexture<T>>,
    texels: &[T],
) -> Result<DataTexture<T>, RenderError> {
    let data = match room.filter(|r| r.fits(texels.len())) {
        Some(room) => room,
        None => DataTexture::new(context, what, texels.len())?,
    };
    data.write(0, texels);
    Ok(data)
}

/// The range, widened if it is a single value.
fn spanned(ramp: Ramp, range: [f32; 2]) -> [f32; 2] {
    let [low, high] = range.map(|end| if end.is_finite() { end } else { 0.0 });
    match ramp {
        _ if low < high => [low, high],
        Ramp::Magnitude => [low, low + 1.0],
        Ramp::Diverging => [low - 1.0, low + 1.0],
    }
}

#[derive(Clone, Copy)]
pub(crate) struct PrimitiveOverlay<'a> {
    values: &'a Uploaded,
    start: usize,
}

impl PrimitiveOverlay<'_> {
    pub(crate) fn set_uniforms(&self, program: &GpuProgram) {
        match self.values {
            Uploaded::Scalars { texels, ramp, range } => {
                program.set("overlayKind", 1);
                program.set("overlayRange", *range);
                program.set_texture("ramp", ramp.id());
                program.set_texture("overlay", texels.id());
            }
            Uploaded::Colors { texels } => {
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
    fn values_that_do_not_fit_the_mesh_leave_the_rest_unpainted() {
        let parts = [vec![1.0, 2.0], vec![3.0]];
        assert_eq!(flattened(&parts, &[1, 2, 1], -1.0, |v| v), [1.0, 3.0, -1.0, -1.0]);
        assert!(flattened(&parts, &[], -1.0, |v| v).is_empty());
    }

    #[test]
    fn no_value_is_told_from_the_largest_without_a_nan() {
        let sent = [f32::NAN, f32::INFINITY, -2.5].map(scalar);
        assert!(sent[0].is_finite() && sent[0] > LARGEST, "{sent:?}");
        assert_eq!(sent[1..], [LARGEST, -2.5]);
    }

    #[test]
    fn a_range_of_one_value_has_it_where_nothing_is_to_be_seen() {
        assert_eq!(spanned(Ramp::Magnitude, [0.0, 2.0]), [0.0, 2.0]);
        assert_eq!(spanned(Ramp::Magnitude, [0.0, 0.0]), [0.0, 1.0]);
        assert_eq!(spanned(Ramp::Diverging, [1.0, 1.0]), [0.0, 2.0]);
    }
}
