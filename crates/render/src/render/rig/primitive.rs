use std::ops::Range;
use std::sync::Arc;

use three_d::context::{POINTS, TRIANGLES};

use super::features::{DrawOptions, Features};
use super::typical_edge::typical_edge;
use super::upload::UploadBudget;
use super::vertex_data::{ArrayContent, MAX_SPREAD, VertexArrayData, elements};
use crate::render::RenderError;
use crate::render::gl::gpu_buffer::{Attribute, GpuBuffer, VertexInputs};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use crate::render::gl::vertex_pool::VertexPool;
use rigscope_core::rig::{Bounds, Influences, Primitive};

pub(crate) struct GpuPrimitive {
    pub features: Features,
    pub vertex_count: usize,
    slots_per_vertex: usize,
    target_count: usize,
    /// Vertex and index arrays. Weight sets share them once they are completely uploaded.
    arrays: Vec<Arc<VertexArrayData>>,
    /// OpenGL element type: triangles or, if the primitive has none, lines or points.
    mode: u32,
    /// Bounds in mesh space, without morph targets.
    pub bounds: Bounds,
    /// See [`typical_edge`]. Also `None` if the driver shades pixels as fast as vertices.
    pub typical_edge: Option<f32>,
    attributes: Option<VertexInputs>,
    edges: Option<Arc<EdgeList>>,
}

struct EdgeList {
    buffer: GpuBuffer,
    count: usize,
    uploaded: usize,
}

impl GpuPrimitive {
    pub(crate) fn new(primitive: &Primitive, drawn_as: DrawOptions, is_software: bool) -> Self {
        let typical_edge = is_software.then(|| typical_edge(primitive)).flatten();
        let spread = typical_edge.map(|_| ArrayContent::Spread);
        let contents = ArrayContent::for_primitive(primitive, drawn_as).into_iter().chain(spread);
        let influences = primitive.influences.as_ref().filter(|_| drawn_as.is_skinned);
        let bounds: Bounds = primitive.positions.iter().copied().collect();
        Self {
            features: Features::for_primitive(primitive, drawn_as),
            vertex_count: primitive.positions.len(),
            slots_per_vertex: influences.map_or(0, Influences::per_vertex),
            target_count: primitive.morph_targets.len(),
            mode: elements(primitive).0,
            arrays: contents.map(|c| Arc::new(VertexArrayData::new(primitive, c))).collect(),
            bounds,
            typical_edge,
            attributes: None,
            edges: None,
        }
    }

    /// Returns this primitive with different joint weights, which are not yet uploaded. Shares all other arrays, which
    /// must already be uploaded completely.
    pub(crate) fn reweighted(&self, primitive: &Primitive) -> Self {
        let array = |content: ArrayContent| {
            let shared = self.arrays.iter().find(|array| array.content == content && !content.is_influences());
            shared.map_or_else(|| Arc::new(VertexArrayData::new(primitive, content)), Arc::clone)
        };
        let drawn_as = DrawOptions { is_skinned: true, has_normal_texture: self.features.has(Features::TANGENTS) };
        let spread = self.typical_edge.map(|_| ArrayContent::Spread);
        Self {
            features: Features::for_primitive(primitive, drawn_as),
            slots_per_vertex: primitive.influences.as_ref().map_or(0, Influences::per_vertex),
            arrays: ArrayContent::for_primitive(primitive, drawn_as).into_iter().chain(spread).map(array).collect(),
            attributes: None,
            edges: None,
            ..*self
        }
    }

    /// Shares the wireframe of `other`, which is the same primitive with different weights, if that wireframe is
    /// complete.
    pub(crate) fn share_edges(&mut self, other: &Self) {
        self.edges = other.edges.as_ref().filter(|edges| edges.uploaded == edges.count).map(Arc::clone);
    }

    pub(crate) fn upload(
        &mut self,
        pool: &VertexPool,
        primitive: &Primitive,
        budget: &UploadBudget,
    ) -> Result<bool, RenderError> {
        for array in self.arrays.iter_mut().filter_map(Arc::get_mut) {
            if !array.upload(pool, primitive, budget)? {
                return Ok(false);
            }
        }
        if self.attributes.is_none() {
            let arrays = self.arrays.iter();
            let buffers: Vec<_> = arrays.filter_map(|a| Some((a.buffer()?, a.content.attribute()?))).collect();
            self.attributes = Some(pool.inputs(&buffers)?);
        }
        Ok(true)
    }

    pub(crate) fn progress(&self) -> [usize; 2] {
        self.arrays.iter().map(|array| array.progress()).fold([0, 0], |[a, b], [c, d]| [a + c, b + d])
    }

    /// Returns true for lines or points, which have no sides.
    pub(crate) fn has_strokes(&self) -> bool {
        self.mode != TRIANGLES
    }

    pub(crate) fn has_points(&self) -> bool {
        self.mode == POINTS
    }

    pub(crate) fn upload_edges(
        &mut self,
        pool: &VertexPool,
        ends: &[u32],
        slice: Range<usize>,
    ) -> Result<(), RenderError> {
        if slice.start == 0 {
            let buffer = pool.buffer("the wireframe of a mesh", size_of_val(ends))?;
            self.edges = Some(Arc::new(EdgeList { buffer, count: ends.len(), uploaded: 0 }));
        }
        if let Some(edges) = self.edges.as_mut().and_then(Arc::get_mut) {
            edges.buffer.write(size_of_val(&ends[..slice.start]), bytemuck::cast_slice(&ends[slice.clone()]));
            edges.uploaded = slice.end;
        }
        Ok(())
    }

    /// Returns the wireframe's line list, two vertex indices per line, once complete.
    pub(crate) fn edges(&self) -> Option<(&GpuBuffer, usize)> {
        self.edges.as_ref().filter(|e| e.uploaded == e.count).map(|e| (&e.buffer, e.count))
    }

    pub(crate) fn elements(&self) -> Option<(&GpuBuffer, usize)> {
        let array = self.arrays.iter().find(|a| a.content == ArrayContent::Elements)?;
        Some((array.buffer()?, array.count()))
    }

    /// Returns the indices and count of the sampled vertices. `None` if [`Self::typical_edge`] is `None`.
    pub(crate) fn spread(&self) -> Option<(&GpuBuffer, usize)> {
        let array = self.arrays.iter().find(|a| a.content == ArrayContent::Spread)?;
        Some((array.buffer()?, array.count()))
    }

    /// Returns the spacing of the vertices sampled by [`Self::spread`], in units of [`Self::typical_edge`].
    pub(crate) fn edges_apart(&self) -> f32 {
        (self.vertex_count as f32 / MAX_SPREAD as f32).sqrt().max(1.0)
    }

    pub(crate) fn buffer(&self, content: ArrayContent) -> Option<&GpuBuffer> {
        self.arrays.iter().find(|array| array.content == content)?.buffer()
    }

    pub(crate) fn mode(&self) -> u32 {
        self.mode
    }

    pub(crate) fn attributes(&self) -> Option<&VertexInputs> {
        self.attributes.as_ref()
    }

    pub(crate) fn unposed_attributes(&self) -> impl Iterator<Item = (&GpuBuffer, Attribute)> {
        let for_skinning =
            [ArrayContent::Positions, ArrayContent::Normals, ArrayContent::Tangents, ArrayContent::DqWeights];
        let drawn = self.arrays.iter().filter(move |a| !for_skinning.contains(&a.content));
        drawn.filter_map(|a| Some((a.buffer()?, a.content.attribute()?)))
    }

    pub(crate) fn slots_per_vertex(&self) -> usize {
        self.slots_per_vertex
    }

    pub(crate) fn set_sources(&self, program: &GpuProgram) {
        for array in &self.arrays {
            match array.content {
                ArrayContent::MorphDeltas { has_normals } => {
                    array.set_texels(program, "morphDeltas");
                    program.set("morphStride", 1 + usize::from(has_normals));
                    program.set("targetCount", self.target_count);
                    program.set("vertexCount", self.vertex_count);
                }
                _ => array.set_texels(program, "moreInfluences"),
            }
        }
    }

    pub(crate) fn set_influences(&self, program: &GpuProgram) {
        program.set("slotsPerVertex", self.slots_per_vertex);
        let more = self.arrays.iter().find(|a| a.content == ArrayContent::MoreInfluences);
        if let Some(array) = more {
            array.set_texels(program, "moreInfluences");
        }
    }
}
