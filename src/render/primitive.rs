//! A primitive on the graphics card: uploaded once, skinned by its vertex shader in every draw.

use three_d::context::{LINES, POINTS, UNSIGNED_INT};
use three_d::{
    AxisAlignedBoundingBox, ColorTexture, Context, DepthTexture, Effect, ElementBuffer, Geometry, GeometryId,
    HasContext, Light, Material, Program, RenderStates, VertexBuffer, Viewer,
};

use super::RenderError;
use super::convert::{arrays3, int};
use super::data_texture::DataTexture;
use super::features::Features;
use super::frame_data::{FrameData, Slot};
use super::program::{SetUniform, use_texture};
use crate::rig::{Influences, MorphTarget, Primitive};
use crate::skinning::Method;

/// Slots of a vertex that are attributes; every further one is in a texture.
const ATTRIBUTE_SLOTS: usize = 4;

/// The vertex buffers and data textures of one primitive.
pub(super) struct GpuPrimitive {
    pub features: Features,
    pub vertex_count: usize,
    positions: VertexBuffer<[f32; 3]>,
    normals: VertexBuffer<[f32; 3]>,
    tex_coords: VertexBuffer<[f32; 2]>,
    colors: VertexBuffer<[f32; 4]>,
    joints: VertexBuffer<[u16; 4]>,
    weights: VertexBuffer<[f32; 4]>,
    influences_per_vertex: usize,
    more_influences: Option<DataTexture>,
    morph: Option<Morph>,
    triangles: ElementBuffer<u32>,
    edges: ElementBuffer<u32>,
}

struct Morph {
    deltas: DataTexture,
    stride: i32,
    target_count: usize,
}

impl GpuPrimitive {
    /// *Errors*: more influences or morph displacements than a texture holds.
    ///
    /// Influences count only where the instance `is_skinned`, as in `skinning::deform`.
    pub fn new(context: &Context, primitive: &Primitive, is_skinned: bool) -> Result<Self, RenderError> {
        let influences = primitive.influences.as_ref().filter(|i| is_skinned && i.per_vertex() > 0);
        let (joints, weights) = influences.map(first_slots).unwrap_or_default();
        let tex_coords: Vec<[f32; 2]> = primitive.tex_coords.iter().flatten().map(glam::Vec2::to_array).collect();
        let colors: Vec<[f32; 4]> = primitive.colors.iter().flatten().map(glam::Vec4::to_array).collect();
        let more_influences = influences.map(|i| further_slots(context, i)).transpose()?.flatten();
        Ok(Self {
            features: Features::of(primitive, is_skinned),
            vertex_count: primitive.positions.len(),
            positions: VertexBuffer::new_with_data(context, &arrays3(&primitive.positions)),
            normals: VertexBuffer::new_with_data(context, &arrays3(primitive.normals.as_deref().unwrap_or_default())),
            tex_coords: VertexBuffer::new_with_data(context, &tex_coords),
            colors: VertexBuffer::new_with_data(context, &colors),
            joints: VertexBuffer::new_with_data(context, &joints),
            weights: VertexBuffer::new_with_data(context, &weights),
            influences_per_vertex: influences.map_or(0, Influences::per_vertex),
            more_influences,
            morph: Morph::new(context, primitive)?,
            triangles: ElementBuffer::new_with_data(context, &primitive.indices),
            edges: ElementBuffer::new(context),
        })
    }

    /// Makes the line list of the wireframe, which few need, when it is first drawn.
    pub fn prepare_edges(&mut self, primitive: &Primitive) {
        if self.edges.count() == 0 && !primitive.indices.is_empty() {
            self.edges.fill(&unique_edges(&primitive.indices));
        }
    }

    fn use_attributes(&self, program: &Program) {
        if program.requires_attribute("position") {
            program.use_vertex_attribute("position", &self.positions);
        }
        if program.requires_attribute("normal") {
            program.use_vertex_attribute("normal", &self.normals);
        }
        if program.requires_attribute("texCoords") {
            program.use_vertex_attribute("texCoords", &self.tex_coords);
        }
        if program.requires_attribute("color") {
            program.use_vertex_attribute("color", &self.colors);
        }
        if program.requires_attribute("joints") {
            program.use_vertex_attribute("joints", &self.joints);
            program.use_vertex_attribute("weights", &self.weights);
        }
    }

    fn use_uniforms(&self, program: &Program) {
        program.set("influencesPerVertex", self.influences_per_vertex);
        if let Some(more) = &self.more_influences {
            use_texture(program, "moreInfluences", more.texture());
        }
        if let Some(morph) = &self.morph {
            use_texture(program, "morphDeltas", morph.deltas.texture());
            program.set("morphStride", morph.stride);
            program.set("targetCount", morph.target_count);
            program.set("vertexCount", self.vertex_count);
        }
    }
}

impl Morph {
    fn new(context: &Context, primitive: &Primitive) -> Result<Option<Self>, RenderError> {
        let targets = &primitive.morph_targets;
        if targets.is_empty() {
            return Ok(None);
        }
        let has_normals = primitive.normals.is_some() && targets.iter().any(|t| !t.normals.is_empty());
        let texels = morph_texels(targets, primitive.positions.len(), has_normals);
        let deltas = DataTexture::new(context, "the morph targets of a mesh", &texels)?;
        Ok(Some(Self { deltas, stride: if has_normals { 2 } else { 1 }, target_count: targets.len() }))
    }
}

fn morph_texels(targets: &[MorphTarget], vertex_count: usize, has_normals: bool) -> Vec<[f32; 4]> {
    let at = |values: &[glam::Vec3], vertex: usize| values.get(vertex).map_or([0.0; 4], |v| v.extend(0.0).to_array());
    let mut texels = Vec::with_capacity(targets.len() * vertex_count * (1 + usize::from(has_normals)));
    for target in targets {
        for vertex in 0..vertex_count {
            texels.push(at(&target.positions, vertex));
            if has_normals {
                texels.push(at(&target.normals, vertex));
            }
        }
    }
    texels
}

/// The first four slots of each vertex, empty ones with weight 0.
fn first_slots(influences: &Influences) -> (Vec<[u16; 4]>, Vec<[f32; 4]>) {
    let mut joints = vec![[0; ATTRIBUTE_SLOTS]; influences.len()];
    let mut weights = vec![[0.0; ATTRIBUTE_SLOTS]; influences.len()];
    for vertex in 0..influences.len() {
        for (slot, (joint, weight)) in influences.of(vertex).take(ATTRIBUTE_SLOTS).enumerate() {
            joints[vertex][slot] = joint as u16;
            weights[vertex][slot] = weight;
        }
    }
    (joints, weights)
}

/// The slots from the fifth on, none dropped.
fn further_slots(context: &Context, influences: &Influences) -> Result<Option<DataTexture>, RenderError> {
    if influences.per_vertex() <= ATTRIBUTE_SLOTS {
        return Ok(None);
    }
    let texels: Vec<[f32; 2]> = (0..influences.len())
        .flat_map(|vertex| influences.of(vertex).skip(ATTRIBUTE_SLOTS))
        .map(|(joint, weight)| [joint as f32, weight])
        .collect();
    DataTexture::new(context, "the influences of a mesh", &texels).map(Some)
}

/// Both ends of every edge, once however many triangles share it.
fn unique_edges(triangles: &[u32]) -> Vec<u32> {
    let mut edges: Vec<[u32; 2]> = triangles
        .chunks_exact(3)
        .flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges.into_flattened()
}

/// What of a primitive a draw puts on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Its surface.
    Triangles,
    /// Every edge of them.
    Edges,
    /// Every vertex, one point each, in order.
    Vertices,
}

/// A primitive in the pose of one mesh instance.
pub(super) struct SkinnedPrimitive<'a> {
    pub context: &'a Context,
    pub primitive: &'a GpuPrimitive,
    pub frame: &'a FrameData,
    pub slot: Slot,
    pub method: Method,
    pub shape: Shape,
    pub depth_bias: f32,
}

impl SkinnedPrimitive<'_> {
    /// Attributes and the uniforms of the skinning functions.
    fn use_pose(&self, program: &Program) {
        self.primitive.use_attributes(program);
        self.primitive.use_uniforms(program);
        use_texture(program, "frameData", self.frame.data().texture());
        program.set("paletteStart", self.slot.palette_start);
        program.set("morphStart", self.slot.morph_start);
        program.set("morphCount", self.slot.morph_count);
        program.set("dqsShare", self.method.dqs_share());
    }
}

impl Geometry for SkinnedPrimitive<'_> {
    #[expect(unsafe_code, reason = "three-d draws triangles only")]
    fn draw(&self, viewer: &dyn Viewer, program: &Program, render_states: RenderStates) {
        self.use_pose(program);
        program.set("viewProjection", viewer.projection() * viewer.view());
        program.set("depthBias", self.depth_bias);
        let (viewport, primitive) = (viewer.viewport(), self.primitive);
        match self.shape {
            Shape::Triangles if primitive.triangles.count() > 0 => {
                program.draw_elements(render_states, viewport, &primitive.triangles);
            }
            Shape::Edges if primitive.edges.count() > 0 => {
                let count = primitive.edges.count().cast_signed();
                program.draw_elements_with(render_states, viewport, &primitive.edges, || {
                    // SAFETY: the bound element buffer holds `count` vertex numbers, all valid in the bound vertex buffers.
                    unsafe {
                        self.context.draw_elements(LINES, count, UNSIGNED_INT, 0);
                    }
                });
            }
            Shape::Vertices if primitive.vertex_count > 0 => {
                program.draw_with(render_states, viewport, || {
                    // SAFETY: the bound vertex buffers hold that many vertices.
                    unsafe { self.context.draw_arrays(POINTS, 0, int(primitive.vertex_count)) };
                });
            }
            _ => {}
        }
    }

    fn vertex_shader_source(&self) -> String {
        self.primitive.features.vertex_shader(include_str!("primitive.vert"))
    }

    fn id(&self) -> GeometryId {
        self.primitive.features.geometry_id()
    }

    fn render_with_material(&self, material: &dyn Material, viewer: &dyn Viewer, lights: &[&dyn Light]) {
        if let Err(e) = three_d::render_with_material(self.context, viewer, self, material, lights) {
            log::error!("a primitive is not drawn: {e}");
        }
    }

    fn render_with_effect(
        &self,
        effect: &dyn Effect,
        viewer: &dyn Viewer,
        lights: &[&dyn Light],
        color: Option<ColorTexture<'_>>,
        depth: Option<DepthTexture<'_>>,
    ) {
        if let Err(e) = three_d::render_with_effect(self.context, viewer, self, effect, lights, color, depth) {
            log::error!("a primitive is not drawn: {e}");
        }
    }

    /// Everything: skinned bounds are known to the graphics card alone, so nothing is culled by them.
    fn aabb(&self) -> AxisAlignedBoundingBox {
        AxisAlignedBoundingBox::INFINITE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_edges_are_drawn_once() {
        assert_eq!(unique_edges(&[0, 1, 2, 2, 1, 3]), [0, 1, 0, 2, 1, 2, 1, 3, 2, 3]);
    }

    #[test]
    fn fewer_than_four_slots_are_filled_with_nothing() {
        let influences = Influences::new(2, vec![3, 1, 2, 0], vec![0.75, 0.25, 1.0, 0.0]);
        let (joints, weights) = first_slots(&influences);
        assert_eq!(joints, [[3, 1, 0, 0], [2, 0, 0, 0]]);
        assert_eq!(weights, [[0.75, 0.25, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]);
    }
}
