//! Overlay values of an actor: uploaded when they change, read by vertex number.

use std::iter::repeat_n;

use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::{DataTexture, Texel};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use crate::rig::Rig;
use crate::view::{Painted, Ramp, Values};

/// Value of an unpainted vertex. Not NaN, which some drivers do not preserve; `paint.glsl` recognises it as above [`LARGEST`].
const UNPAINTED: f32 = 1e38;

/// Largest painted value: interpolation between two such stays finite.
const LARGEST: f32 = 1e30;

/// Name of the data in errors.
const WHAT: &str = "what is painted over a mesh";

/// The painted values of one actor.
#[derive(Default)]
pub(crate) struct Paint {
    version: Option<u64>,
    values: Option<Uploaded>,
    /// Texel of the first vertex of each part.
    starts: Vec<usize>,
}

enum Uploaded {
    Scalars { texels: DataTexture<f32>, ramp: DataTexture<[u8; 4]>, range: [f32; 2] },
    Colors { texels: DataTexture<[u8; 4]> },
}

impl Paint {
    /// Uploads changed values.
    ///
    /// *Shapes*: values are of the parts of `rig` in their order; missing ones stay unpainted.
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

    /// Data for a draw of a part; `None` where nothing is painted.
    pub(crate) fn part(&self, part: usize) -> Option<PaintedPart<'_>> {
        Some(PaintedPart { values: self.values.as_ref()?, start: *self.starts.get(part)? })
    }
}

impl Uploaded {
    /// Takes over the textures of `room` where the new values fit into them.
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

/// A value for the shader; NaN becomes [`UNPAINTED`].
fn scalar(value: f32) -> f32 {
    if value.is_nan() { UNPAINTED } else { value.clamp(-LARGEST, LARGEST) }
}

/// Start of each part in a concatenated array.
pub(crate) fn starts(counts: &[usize]) -> Vec<usize> {
    let ends = counts.iter().scan(0, |end, count| {
        let start = *end;
        *end += count;
        Some(start)
    });
    ends.collect()
}

/// Concatenated values of all parts, each padded or cut to its count.
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

/// A texture with these texels, reusing another one where they fit.
///
/// *Errors*: [`RenderError::TooLarge`], naming `what`.
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

/// The range, widened where it is a single value.
fn spanned(ramp: Ramp, range: [f32; 2]) -> [f32; 2] {
    let [low, high] = range.map(|end| if end.is_finite() { end } else { 0.0 });
    match ramp {
        _ if low < high => [low, high],
        Ramp::Magnitude => [low, low + 1.0],
        Ramp::Diverging => [low - 1.0, low + 1.0],
    }
}

/// The painted values of one primitive.
#[derive(Clone, Copy)]
pub(crate) struct PaintedPart<'a> {
    values: &'a Uploaded,
    start: usize,
}

impl PaintedPart<'_> {
    /// Sets the uniforms of `paint.glsl` and of `surface.frag`.
    pub(crate) fn set_uniforms(&self, program: &GpuProgram) {
        match self.values {
            Uploaded::Scalars { texels, ramp, range } => {
                program.set("paintKind", 1);
                program.set("paintRange", *range);
                program.set_texture("ramp", ramp.id());
                program.set_texture("paint", texels.id());
            }
            Uploaded::Colors { texels } => {
                program.set("paintKind", 2);
                program.set_texture("paint", texels.id());
            }
        }
        program.set("paintStart", self.start);
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
