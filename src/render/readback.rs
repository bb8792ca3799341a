//! Positions and normals as the graphics card skins them, to be compared with `skinning`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use glam::Vec3;
use three_d::{Context, DepthTest, Geometry, Interpolation, Program, RenderStates, Texture2D, Wrapping, WriteMask};

use super::RenderError;
use super::data_texture::max_texture_side;
use super::eye::Eye;
use super::features::Features;
use super::primitive::SkinnedPrimitive;
use super::program::SetUniform;
use crate::skinning::Deformed;
use crate::view::Camera;

/// Vertices of a row of the picture that takes the values.
const ROW: usize = 1024;

/// Draws each vertex as one point of a float picture, by the skinning functions that the visible picture uses.
#[derive(Default)]
pub(super) struct Readback {
    programs: BTreeMap<Features, Program>,
}

impl Readback {
    /// Skins a primitive but for its tangents, which no picture needs; `geometry` must have the shape `Vertices`.
    ///
    /// *Errors*: a driver that refuses the program, more vertices than a picture has pixels.
    pub fn deformed(&mut self, geometry: &SkinnedPrimitive<'_>) -> Result<Deformed, RenderError> {
        let program = self.program(geometry.context, geometry.primitive.features)?;
        let positions = vectors(&values(program, geometry, ReadbackValue::Position)?);
        let has_normals = geometry.primitive.features.has_normals();
        let normals =
            if has_normals { Some(vectors(&values(program, geometry, ReadbackValue::Normal)?)) } else { None };
        Ok(Deformed { positions, normals, tangents: None })
    }

    /// What is painted over a primitive: a scalar in x or an encoded colour; `None` where nothing is.
    ///
    /// *Errors*: as [`Self::deformed`].
    pub fn painted(&mut self, geometry: &SkinnedPrimitive<'_>) -> Result<Vec<Option<Vec3>>, RenderError> {
        let program = self.program(geometry.context, geometry.primitive.features)?;
        let texels = values(program, geometry, ReadbackValue::Painted)?;
        Ok(texels.iter().map(|t| (t[3] > 0.0).then(|| Vec3::new(t[0], t[1], t[2]))).collect())
    }

    fn program(&mut self, context: &Context, features: Features) -> Result<&Program, RenderError> {
        match self.programs.entry(features) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(free) => {
                let vertex = features.vertex_shader(concat!(include_str!("paint.glsl"), include_str!("readback.vert")));
                let program = Program::from_source(context, &vertex, include_str!("readback.frag"))
                    .map_err(|source| RenderError::Program { program: "readback", source })?;
                Ok(free.insert(program))
            }
        }
    }
}

/// As `readback.vert` numbers them.
#[derive(Clone, Copy)]
enum ReadbackValue {
    Position = 0,
    Normal = 1,
    Painted = 2,
}

fn vectors(texels: &[[f32; 4]]) -> Vec<Vec3> {
    texels.iter().map(|t| Vec3::new(t[0], t[1], t[2])).collect()
}

fn values(
    program: &Program,
    geometry: &SkinnedPrimitive<'_>,
    wanted: ReadbackValue,
) -> Result<Vec<[f32; 4]>, RenderError> {
    let count = geometry.primitive.vertex_count;
    let rows = count.div_ceil(ROW).max(1);
    let limit = max_texture_side(geometry.context);
    if rows > limit {
        return Err(RenderError::TooLarge { what: "a mesh to read back", wanted: count, limit: limit * ROW });
    }
    let nearest = Interpolation::Nearest;
    let clamp = Wrapping::ClampToEdge;
    let size = [ROW as u32, rows as u32];
    let picture =
        Texture2D::new_empty::<[f32; 4]>(geometry.context, size[0], size[1], nearest, nearest, None, clamp, clamp);
    let eye = Eye::new(&Camera::default(), size, 1.0);
    let states =
        RenderStates { depth_test: DepthTest::Always, write_mask: WriteMask::COLOR, ..RenderStates::default() };
    let target = picture.as_color_target(None);
    target.write::<RenderError>(|| {
        program.set("valuesSize", size.map(u32::cast_signed));
        program.set("wanted", wanted as i32);
        geometry.draw(&eye, program, states);
        Ok(())
    })?;
    let mut texels: Vec<[f32; 4]> = target.read();
    texels.truncate(count);
    Ok(texels)
}
