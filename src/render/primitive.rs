//! A primitive on the graphics card: skinned by its vertex shader in every draw.

use std::ops::Range;

use three_d::context::{LINES, POINTS, PROGRAM_POINT_SIZE, TRIANGLES, UNSIGNED_INT};
use three_d::{
    AxisAlignedBoundingBox, ColorTexture, Context, DepthTexture, Effect, Geometry, GeometryId, HasContext, Light,
    Material, Program, RenderStates, Viewer,
};

use super::RenderError;
use super::convert::int;
use super::data_texture::{Texel, TexelsFrom};
use super::features::Features;
use super::frame_data::{FrameData, FrameSlot};
use super::gpu_buffer::{GpuBuffer, VertexInputs};
use super::method_shader::method_number;
use super::paint::PaintedPart;
use super::program::{SetUniform, use_texture};
use super::upload::UploadBudget;
use super::vertex_data::{Array, ArrayContent, elements};
use crate::rig::{Influences, Primitive};
use crate::skinning::{Antipodality, Method, Skinning, Stretch};

/// The vertex buffers and data textures of one primitive, filled slice by slice.
pub(super) struct GpuPrimitive {
    pub features: Features,
    pub vertex_count: usize,
    slots_per_vertex: usize,
    target_count: usize,
    arrays: Vec<Array>,
    /// What its elements are: triangles, or lines or points where there are none.
    mode: u32,
    /// Once all arrays are there.
    attributes: Option<VertexInputs>,
    /// For the wireframe, once that was asked for.
    edges: Option<EdgeList>,
}

/// Both ends of each edge.
struct EdgeList {
    buffer: GpuBuffer,
    count: usize,
    uploaded: usize,
}

impl GpuPrimitive {
    /// Nothing is on the graphics card before [`Self::upload`].
    ///
    /// Influences count only where the instance `is_skinned`, as in `skinning::deform`.
    pub fn new(primitive: &Primitive, is_skinned: bool) -> Self {
        let contents = ArrayContent::of(primitive, is_skinned).into_iter();
        let influences = primitive.influences.as_ref().filter(|_| is_skinned);
        Self {
            features: Features::of(primitive, is_skinned),
            vertex_count: primitive.positions.len(),
            slots_per_vertex: influences.map_or(0, Influences::per_vertex),
            target_count: primitive.morph_targets.len(),
            mode: elements(primitive).0,
            arrays: contents.map(|c| Array::new(primitive, c)).collect(),
            attributes: None,
            edges: None,
        }
    }

    /// Uploads until all is there or the time is up; true when all is there.
    ///
    /// *Errors*: more influences or morph displacements than a texture holds.
    pub fn upload(
        &mut self,
        context: &Context,
        primitive: &Primitive,
        budget: &UploadBudget,
    ) -> Result<bool, RenderError> {
        for array in &mut self.arrays {
            if !array.upload(context, primitive, budget)? {
                return Ok(false);
            }
        }
        if self.attributes.is_none() {
            let arrays = self.arrays.iter();
            let buffers: Vec<_> = arrays.filter_map(|a| Some((a.buffer()?, a.content.attribute()?))).collect();
            self.attributes = Some(VertexInputs::new(context, &buffers)?);
        }
        Ok(true)
    }

    /// Bytes that are there, and all.
    pub fn progress(&self) -> [usize; 2] {
        self.arrays.iter().map(Array::progress).fold([0, 0], |[a, b], [c, d]| [a + c, b + d])
    }

    /// Lines or points, which have no sides.
    pub fn has_strokes(&self) -> bool {
        self.mode != TRIANGLES
    }

    pub fn has_points(&self) -> bool {
        self.mode == POINTS
    }

    /// Uploads a slice of both ends of each edge, for the wireframe; the first slice makes room for all.
    ///
    /// *Errors*: more edges than a buffer holds.
    pub fn upload_edges(&mut self, context: &Context, ends: &[u32], slice: Range<usize>) -> Result<(), RenderError> {
        if slice.start == 0 {
            let buffer = GpuBuffer::new(context, "the wireframe of a mesh", size_of_val(ends))?;
            self.edges = Some(EdgeList { buffer, count: ends.len(), uploaded: 0 });
        }
        if let Some(edges) = &mut self.edges {
            edges.buffer.write(size_of_val(&ends[..slice.start]), bytemuck::cast_slice(&ends[slice.clone()]));
            edges.uploaded = slice.end;
        }
        Ok(())
    }

    fn whole_edges(&self) -> Option<&EdgeList> {
        self.edges.as_ref().filter(|e| e.uploaded == e.count)
    }

    fn elements(&self) -> Option<(&GpuBuffer, usize)> {
        let array = self.arrays.iter().find(|a| a.content == ArrayContent::Elements)?;
        Some((array.buffer()?, array.count()))
    }

    fn use_uniforms(&self, program: &Program) {
        program.set("slotsPerVertex", self.slots_per_vertex);
        for array in &self.arrays {
            let Some(texture) = array.texture() else { continue };
            if let ArrayContent::MorphDeltas { has_normals } = array.content {
                use_texture(program, "morphDeltas", texture);
                program.set("morphStride", 1 + i32::from(has_normals));
                program.set("targetCount", self.target_count);
                program.set("vertexCount", self.vertex_count);
            } else {
                use_texture(program, "moreInfluences", texture);
            }
        }
    }
}

/// What of a primitive a draw puts on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DrawnShape {
    /// Its surface, or the lines or points that it has instead.
    Surface,
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
    pub slot: FrameSlot,
    pub skinning: &'a Skinning,
    /// The share of DQS of each joint, where some joint has a method of its own.
    pub joint_shares: Option<TexelsFrom<'a, f32>>,
    /// Centres of rotation, where they were found.
    pub centers: Option<TexelsFrom<'a, [f32; 4]>>,
    /// Recomputed normals, where the side shows them.
    pub normals: Option<TexelsFrom<'a, [f32; 4]>>,
    /// In the palette: the joint whose skin is pointed out.
    pub pointed: Option<usize>,
    pub shape: DrawnShape,
    pub depth_bias: f32,
    pub painted: Option<PaintedPart<'a>>,
}

impl SkinnedPrimitive<'_> {
    fn use_skinning(&self, program: &Program) {
        let Skinning { method, scale, antipodality, influences, .. } = self.skinning;
        // Until its centres are found, the side is told to show LBS.
        let is_awaited = method.needs_centers() && self.centers.is_none();
        let method = if is_awaited { Method::Lbs } else { *method };
        // Joints with methods of their own mix LBS and DQS.
        let rigid = if self.joint_shares.is_some() { Method::Dqs } else { method };
        program.set("method", method_number(rigid));
        program.set("dqsShare", method.dqs_share());
        let (stretch, uniform_scale) = match Stretch::new(*scale, self.slot.uniform_scale) {
            Stretch::Uniform(scale) => (0, scale),
            Stretch::TwoPhase => (1, 1.0),
            Stretch::AboutJoints => (2, 1.0),
            Stretch::Dropped => (3, 1.0),
        };
        program.set("stretch", stretch);
        program.set("uniformScale", uniform_scale);
        program.set("checksSigns", i32::from(*antipodality == Antipodality::Checked));
        let slots = self.primitive.slots_per_vertex;
        program.set("influenceCount", influences.kept(slots));
        program.set("weightSteps", influences.precision.steps().unwrap_or_default());
        program.set("renormalizes", i32::from(influences.renormalizes && influences.limits(slots)));
        program.set("bonesStart", self.slot.bones_start);
        use_texels(program, ["jointShares", "sharesStart"], self.joint_shares);
        use_texels(program, ["centers", "centersStart"], self.centers);
        use_texels(program, ["recomputedNormals", "normalsStart"], self.normals);
    }

    /// The uniforms of the skinning functions.
    fn use_pose(&self, program: &Program) {
        self.primitive.use_uniforms(program);
        use_texture(program, "frameData", self.frame.data().texture());
        program.set("paletteStart", self.slot.palette_start);
        program.set("morphStart", self.slot.morph_start);
        program.set("morphCount", self.slot.morph_count);
        program.set("pointedJoint", self.pointed.map_or(-1, int));
        self.use_skinning(program);
        PaintedPart::use_uniforms(self.painted, program);
    }
}

/// A texture and the number of the first texel; -1 without.
fn use_texels<T: Texel>(program: &Program, [name, start]: [&str; 2], texels: Option<TexelsFrom<'_, T>>) {
    if let Some(texels) = &texels {
        use_texture(program, name, texels.data.texture());
    }
    program.set(start, texels.map_or(-1, |texels| int(texels.start)));
}

impl Geometry for SkinnedPrimitive<'_> {
    #[expect(unsafe_code, reason = "three-d draws triangles only")]
    fn draw(&self, viewer: &dyn Viewer, program: &Program, render_states: RenderStates) {
        self.use_pose(program);
        program.set("viewProjection", viewer.projection() * viewer.view());
        program.set("depthBias", self.depth_bias);
        let (context, primitive) = (self.context, self.primitive);
        let Some(attributes) = &primitive.attributes else { return };
        let indexed = match self.shape {
            DrawnShape::Surface => primitive.elements().map(|(buffer, count)| (primitive.mode, buffer, count)),
            DrawnShape::Edges => primitive.whole_edges().map(|e| (LINES, &e.buffer, e.count)),
            DrawnShape::Vertices => None,
        };
        // OpenGL ES takes the size of points from the shader always.
        let is_sized = self.shape == DrawnShape::Surface && primitive.has_points() && !context.version().is_embedded;
        // SAFETY: the bound buffers hold `count` vertex numbers, all valid in the bound vertex buffers, and that many vertices.
        program.draw_with(render_states, viewer.viewport(), || unsafe {
            attributes.bind(indexed.map(|(_, buffer, _)| buffer));
            if is_sized {
                context.enable(PROGRAM_POINT_SIZE);
            }
            if let Some((mode, _, count)) = indexed {
                context.draw_elements(mode, int(count), UNSIGNED_INT, 0);
            } else if self.shape == DrawnShape::Vertices {
                context.draw_arrays(POINTS, 0, int(primitive.vertex_count));
            }
            if is_sized {
                context.disable(PROGRAM_POINT_SIZE);
            }
        });
    }

    fn vertex_shader_source(&self) -> String {
        self.primitive.features.vertex_shader(concat!(include_str!("paint.glsl"), include_str!("primitive.vert")))
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
