use std::borrow::Cow;
use std::ops::Range;

use bytemuck::cast_slice;
use three_d::context::{FLOAT, LINES, POINTS, TRIANGLES, UNSIGNED_SHORT};

use super::features::DrawOptions;
use super::upload::{SLICE, UploadBudget};
use crate::render::RenderError;
use crate::render::gl::data_texture::{DataTexture, ROW};
use crate::render::gl::gpu_buffer::{Attribute, GpuBuffer};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::vertex_pool::VertexPool;
use rigscope_core::rig::{Influences, MorphTarget, Primitive};

/// Number of influences per vertex that are stored as vertex attributes. Further influences are stored in a texture.
pub(super) const ATTRIBUTE_SLOTS: usize = 4;

/// Maximum number of vertices that are drawn as points in place of the surface.
pub(super) const MAX_SPREAD: usize = 1 << 18;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayContent {
    Positions,
    Normals,
    Tangents,
    TexCoords,
    SecondTexCoords,
    Colors,
    /// First four joints per vertex; unused slots have weight 0.
    Joints,
    Weights,
    DqWeights,
    Elements,
    /// Indices of vertices sampled over the surface, at most [`MAX_SPREAD`].
    Spread,
    /// (joint, weight) pairs of the fifth slot and later slots.
    MoreInfluences,
    /// Position displacement per target and vertex, followed by the normal displacement if `has_normals`.
    MorphDeltas {
        has_normals: bool,
    },
}

impl ArrayContent {
    pub(super) fn for_primitive(
        primitive: &Primitive,
        DrawOptions { is_skinned, has_normal_texture }: DrawOptions,
    ) -> Vec<Self> {
        let influences = primitive.influences.as_ref().filter(|i| is_skinned && i.per_vertex() > 0);
        let moves_normals =
            primitive.normals.is_some() && primitive.morph_targets.iter().any(|t| !t.normals.is_empty());
        let wanted = [
            (Self::Positions, true),
            (Self::Normals, primitive.normals.is_some()),
            (Self::Tangents, has_normal_texture && primitive.drawn_tangents().is_some()),
            (Self::TexCoords, primitive.tex_coords.is_some()),
            (Self::SecondTexCoords, primitive.second_tex_coords.is_some()),
            (Self::Colors, primitive.colors.is_some()),
            (Self::Joints, influences.is_some()),
            (Self::Weights, influences.is_some()),
            (Self::DqWeights, influences.is_some() && !primitive.dq_weights.is_empty()),
            (Self::Elements, true),
            (Self::MoreInfluences, influences.is_some_and(|i| i.per_vertex() > ATTRIBUTE_SLOTS)),
            (Self::MorphDeltas { has_normals: moves_normals }, !primitive.morph_targets.is_empty()),
        ];
        wanted.into_iter().filter(|(_, is_wanted)| *is_wanted).map(|(content, _)| content).collect()
    }

    fn count(self, primitive: &Primitive) -> usize {
        let vertices = primitive.positions.len();
        match self {
            Self::Elements => elements(primitive).1.len(),
            Self::Spread => vertices.min(MAX_SPREAD),
            Self::MoreInfluences => {
                let per_vertex = primitive.influences.as_ref().map_or(0, Influences::per_vertex);
                vertices * per_vertex.saturating_sub(ATTRIBUTE_SLOTS)
            }
            Self::MorphDeltas { has_normals } => {
                vertices * primitive.morph_targets.len() * (1 + usize::from(has_normals))
            }
            _ => vertices,
        }
    }

    fn element_bytes(self) -> usize {
        match self {
            Self::Positions | Self::Normals => 12,
            Self::TexCoords | Self::SecondTexCoords | Self::Joints | Self::MoreInfluences => 8,
            Self::Tangents | Self::Colors | Self::Weights | Self::MorphDeltas { .. } => 16,
            Self::DqWeights | Self::Elements | Self::Spread => 4,
        }
    }

    pub(super) fn is_influences(self) -> bool {
        matches!(self, Self::Joints | Self::Weights | Self::MoreInfluences)
    }

    pub(super) fn attribute(self) -> Option<Attribute> {
        let (location, components, kind) = match self {
            Self::Positions => (0, 3, FLOAT),
            Self::Normals => (1, 3, FLOAT),
            Self::TexCoords => (2, 2, FLOAT),
            Self::SecondTexCoords => (8, 2, FLOAT),
            Self::Colors => (3, 4, FLOAT),
            Self::Joints => (4, 4, UNSIGNED_SHORT),
            Self::Weights => (5, 4, FLOAT),
            Self::DqWeights => (7, 1, FLOAT),
            Self::Tangents => (9, 4, FLOAT),
            Self::Elements | Self::Spread | Self::MoreInfluences | Self::MorphDeltas { .. } => return None,
        };
        Some(Attribute { location, components, kind })
    }

    fn bytes(self, primitive: &Primitive, range: Range<usize>) -> Cow<'_, [u8]> {
        let influences = primitive.influences.as_ref();
        match self {
            Self::Positions => part(Some(&primitive.positions[..]), range),
            Self::Normals => part(primitive.normals.as_deref(), range),
            Self::Tangents => part(primitive.drawn_tangents(), range),
            Self::TexCoords => part(primitive.tex_coords.as_deref(), range),
            Self::SecondTexCoords => part(primitive.second_tex_coords.as_deref(), range),
            Self::Colors => part(primitive.colors.as_deref(), range),
            Self::Elements => part(Some(&elements(primitive).1[..]), range),
            Self::Joints => influences.map_or(Cow::default(), |i| first_slots(i.joints(), i.per_vertex(), range)),
            Self::Weights => influences.map_or(Cow::default(), |i| first_slots(i.weights(), i.per_vertex(), range)),
            Self::DqWeights => part(Some(&primitive.dq_weights[..]), range),
            Self::Spread => Cow::Owned(cast_slice(&spread(primitive.positions.len(), range)).to_vec()),
            Self::MoreInfluences | Self::MorphDeltas { .. } => Cow::default(),
        }
    }
}

/// Samples vertex indices, one per stratum. Offsets within the strata vary, to avoid aliasing with the vertex order.
/// `range` selects samples by index.
fn spread(vertices: usize, range: Range<usize>) -> Vec<u32> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let each = vertices as f64 / vertices.min(MAX_SPREAD) as f64;
    range.map(|i| ((i as f64 + (i as f64 * GOLDEN).fract()) * each) as u32).collect()
}

/// Returns the OpenGL element type and the index list. If the primitive has no triangles, these are its lines or
/// points.
pub(super) fn elements(primitive: &Primitive) -> (u32, &Vec<u32>) {
    if !primitive.indices.is_empty() {
        (TRIANGLES, &primitive.indices)
    } else if !primitive.lines.is_empty() {
        (LINES, &primitive.lines)
    } else if !primitive.points.is_empty() {
        (POINTS, &primitive.points)
    } else {
        (TRIANGLES, &primitive.indices)
    }
}

fn part<T: bytemuck::Pod>(values: Option<&[T]>, range: Range<usize>) -> Cow<'_, [u8]> {
    Cow::Borrowed(values.and_then(|v| v.get(range)).map_or(&[], cast_slice))
}

fn first_slots<T: bytemuck::Pod>(slots: &[T], per_vertex: usize, vertices: Range<usize>) -> Cow<'_, [u8]> {
    let slots = &slots[vertices.start * per_vertex..vertices.end * per_vertex];
    if per_vertex == ATTRIBUTE_SLOTS {
        return Cow::Borrowed(cast_slice(slots));
    }
    let mut padded = vec![[T::zeroed(); ATTRIBUTE_SLOTS]; vertices.len()];
    for (padded, slots) in padded.iter_mut().zip(slots.chunks(per_vertex)) {
        padded.iter_mut().zip(slots).for_each(|(to, from)| *to = *from);
    }
    Cow::Owned(cast_slice(&padded).to_vec())
}

fn further_slots(influences: &Influences, texels: Range<usize>) -> Vec<[f32; 2]> {
    let (per_vertex, further) = (influences.per_vertex(), influences.per_vertex() - ATTRIBUTE_SLOTS);
    let slot = |texel: usize| texel / further * per_vertex + ATTRIBUTE_SLOTS + texel % further;
    texels.map(slot).map(|s| [f32::from(influences.joints()[s]), influences.weights()[s]]).collect()
}

fn morph_deltas(targets: &[MorphTarget], vertices: usize, has_normals: bool, texels: Range<usize>) -> Vec<[f32; 4]> {
    let stride = 1 + usize::from(has_normals);
    let delta = |texel: usize| {
        let (target, rest) = (texel / (vertices * stride), texel % (vertices * stride));
        let values = if rest.is_multiple_of(stride) { &targets[target].positions } else { &targets[target].normals };
        values.get(rest / stride).map_or([0.0; 4], |v| v.extend(0.0).to_array())
    };
    texels.map(delta).collect()
}

enum Destination {
    /// Not allocated yet. Allocating a large array may take milliseconds.
    None,
    Buffer(GpuBuffer),
    Pairs(DataTexture<[f32; 2]>),
    Quadruples(DataTexture<[f32; 4]>),
}

pub(super) struct VertexArrayData {
    pub content: ArrayContent,
    count: usize,
    uploaded: usize,
    destination: Destination,
}

impl VertexArrayData {
    pub(super) fn new(primitive: &Primitive, content: ArrayContent) -> Self {
        Self { content, count: content.count(primitive), uploaded: 0, destination: Destination::None }
    }

    pub(super) fn upload(
        &mut self,
        pool: &VertexPool,
        primitive: &Primitive,
        budget: &UploadBudget,
    ) -> Result<bool, RenderError> {
        if matches!(self.destination, Destination::None) && !budget.is_spent() {
            self.destination = self.allocate(pool)?;
        }
        // A multiple of a data texture's row.
        let slice = (SLICE / self.content.element_bytes()).next_multiple_of(ROW);
        while self.uploaded < self.count && !budget.is_spent() {
            let end = self.count.min(self.uploaded + slice);
            self.write(primitive, self.uploaded..end);
            self.uploaded = end;
        }
        Ok(self.uploaded == self.count && !matches!(self.destination, Destination::None))
    }

    fn allocate(&self, pool: &VertexPool) -> Result<Destination, RenderError> {
        let (context, count) = (pool.context(), self.count);
        Ok(match self.content {
            ArrayContent::MoreInfluences => {
                Destination::Pairs(DataTexture::new(context, "the influences of a mesh", count)?)
            }
            ArrayContent::MorphDeltas { .. } => {
                Destination::Quadruples(DataTexture::new(context, "the morph targets of a mesh", count)?)
            }
            content => Destination::Buffer(pool.buffer("a mesh", count * content.element_bytes())?),
        })
    }

    fn write(&self, primitive: &Primitive, range: Range<usize>) {
        match (&self.destination, self.content, &primitive.influences) {
            (Destination::Buffer(buffer), content, _) => {
                buffer.write(range.start * content.element_bytes(), &content.bytes(primitive, range));
            }
            (Destination::Pairs(texture), _, Some(influences)) => {
                texture.write(range.start, &further_slots(influences, range));
            }
            (Destination::Quadruples(texture), ArrayContent::MorphDeltas { has_normals }, _) => {
                let (targets, vertices) = (&primitive.morph_targets, primitive.positions.len());
                texture.write(range.start, &morph_deltas(targets, vertices, has_normals, range));
            }
            _ => {}
        }
    }

    pub(super) fn progress(&self) -> [usize; 2] {
        [self.uploaded, self.count].map(|c| c * self.content.element_bytes())
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn buffer(&self) -> Option<&GpuBuffer> {
        if let Destination::Buffer(buffer) = &self.destination { Some(buffer) } else { None }
    }

    pub(super) fn set_texels(&self, program: &GpuProgram, name: &str) {
        match &self.destination {
            Destination::None | Destination::Buffer(_) => {}
            Destination::Pairs(texels) => program.set_texture(name, texels.id()),
            Destination::Quadruples(texels) => program.set_texture(name, texels.id()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn fewer_than_four_slots_are_filled_with_nothing() {
        let influences = Influences::new(2, vec![3, 1, 2, 0], vec![0.75, 0.25, 1.0, 0.0]);
        let joints = first_slots(influences.joints(), 2, 0..2);
        assert_eq!(cast_slice::<u8, u16>(&joints), [3, 1, 0, 0, 2, 0, 0, 0]);
        let weights = first_slots(influences.weights(), 2, 1..2);
        assert_eq!(bytemuck::pod_collect_to_vec::<u8, f32>(&weights), [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn vertices_that_are_spread_are_all_or_one_of_each_part() {
        assert_eq!(spread(1000, 0..1000), (0..1000).collect::<Vec<_>>());
        assert_eq!(spread(7, 3..5), [3, 4]);
        let count = 5 * MAX_SPREAD / 2;
        let numbers = spread(count, 0..MAX_SPREAD);
        let is_in_its_part = |(part, &number): (usize, &u32)| {
            (5 * part / 2..=5 * (part + 1) / 2).contains(&(number as usize)) && (number as usize) < count
        };
        assert!(numbers.iter().enumerate().all(is_in_its_part));
        assert!(
            numbers.windows(2).any(|pair| pair[1] - pair[0] == 1)
                && numbers.windows(2).any(|pair| pair[1] - pair[0] == 4)
        );
    }

    #[test]
    fn slots_from_the_fifth_on_follow_vertex_by_vertex() {
        let influences = Influences::new(6, (0..12).collect(), (0..12_u16).map(f32::from).collect());
        assert_eq!(further_slots(&influences, 0..4), [[4.0, 4.0], [5.0, 5.0], [10.0, 10.0], [11.0, 11.0]]);
        assert_eq!(further_slots(&influences, 3..4), [[11.0, 11.0]]);
    }

    #[test]
    fn displacements_follow_target_by_target_and_missing_ones_are_zero() {
        let targets = [
            MorphTarget { positions: vec![Vec3::X, Vec3::Y], ..MorphTarget::default() },
            MorphTarget {
                positions: vec![Vec3::Z, Vec3::ONE],
                normals: vec![Vec3::X, Vec3::Y],
                ..MorphTarget::default()
            },
        ];
        let xs = |texels: Vec<[f32; 4]>| texels.iter().map(|t| t[0]).collect::<Vec<_>>();
        assert_eq!(xs(morph_deltas(&targets, 2, true, 0..8)), [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
        assert_eq!(xs(morph_deltas(&targets, 2, false, 1..4)), [0.0, 0.0, 1.0]);
    }
}
