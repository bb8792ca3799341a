use bytemuck::cast_slice;
use three_d::context::FLOAT;

use super::skin_variant::SkinArray;
use crate::render::RenderError;
use crate::render::gl::compute_program::ComputeProgram;
use crate::render::gl::gpu_buffer::{Attribute, GpuBuffer, VertexInputs};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use crate::render::gl::vertex_pool::VertexPool;
use crate::render::gl::vertex_program::VertexProgram;
use crate::render::rig::features::Features;
use crate::render::rig::primitive::GpuPrimitive;
use crate::render::rig::vertex_data::ArrayContent;
use rigscope_core::skinning::Deformed;

pub(crate) struct SkinnedVertices {
    positions: GpuBuffer,
    normals: Option<GpuBuffer>,
    tangents: Option<GpuBuffer>,
    /// For each vertex, -1 if mirroring joints flip the winding, otherwise 1. `None` if no joint mirrors.
    sides: Option<GpuBuffer>,
    count: usize,
    inputs: VertexInputs,
}

pub(super) type SkinBuffers<'a> = Vec<(SkinArray, &'a GpuBuffer)>;

const WHAT: &str = "a skinned mesh";

impl SkinnedVertices {
    pub(crate) fn new(pool: &VertexPool, primitive: &GpuPrimitive, has_sides: bool) -> Result<Self, RenderError> {
        let count = primitive.vertex_count;
        let wanted = |is_wanted: bool, bytes: usize| is_wanted.then(|| pool.buffer(WHAT, count * bytes)).transpose();
        let positions = pool.buffer(WHAT, count * 12)?;
        let normals = wanted(primitive.features.has(Features::NORMALS), 12)?;
        let tangents = wanted(primitive.features.has(Features::TANGENTS), 16)?;
        let sides = wanted(has_sides, 4)?;
        let float = |location, components| Attribute { location, components, kind: FLOAT };
        let mut buffers = vec![(&positions, float(0, 3))];
        buffers.extend(normals.iter().map(|normals| (normals, float(1, 3))));
        buffers.extend(tangents.iter().map(|tangents| (tangents, float(9, 4))));
        buffers.extend(sides.iter().map(|sides| (sides, float(6, 1))));
        buffers.extend(primitive.unposed_attributes());
        let inputs = pool.inputs(&buffers)?;
        Ok(Self { positions, normals, tangents, sides, count, inputs })
    }

    pub(crate) fn has_sides(&self) -> bool {
        self.sides.is_some()
    }

    pub(crate) fn inputs(&self) -> &VertexInputs {
        &self.inputs
    }

    pub(super) fn capture(&self, program: &VertexProgram, sources: &VertexInputs, set: impl FnOnce(&GpuProgram)) {
        let all = [Some(&self.positions), self.normals.as_ref(), self.tangents.as_ref(), self.sides.as_ref()];
        let outputs: Vec<&GpuBuffer> = all.into_iter().flatten().collect();
        program.run(sources, self.count, &outputs, set);
    }

    /// Runs a compute shader on these arrays. `set` sets the shader's other uniforms and textures.
    pub(super) fn compute(
        &self,
        program: &ComputeProgram,
        arrays: &[(SkinArray, &GpuBuffer)],
        set: impl FnOnce(&GpuProgram),
    ) {
        let buffers: Vec<&GpuBuffer> = arrays.iter().map(|(_, buffer)| *buffer).collect();
        program.run(self.count, &buffers, |program| {
            set(program);
            program.set("skinnedCount", self.count);
            for (array, buffer) in arrays {
                program.set(array.names().1, buffer.start() / 4);
            }
        });
    }

    /// Returns the buffers of a program's arrays, which belong to the primitive or to this result. `None` if one is
    /// missing.
    pub(super) fn buffers<'a>(&'a self, primitive: &'a GpuPrimitive, arrays: &[SkinArray]) -> Option<SkinBuffers<'a>> {
        let buffer = |array| match array {
            SkinArray::Position => primitive.buffer(ArrayContent::Positions),
            SkinArray::Normal => primitive.buffer(ArrayContent::Normals),
            SkinArray::Tangent => primitive.buffer(ArrayContent::Tangents),
            SkinArray::Joints => primitive.buffer(ArrayContent::Joints),
            SkinArray::Weights => primitive.buffer(ArrayContent::Weights),
            SkinArray::DqWeight => primitive.buffer(ArrayContent::DqWeights),
            SkinArray::OutPosition => Some(&self.positions),
            SkinArray::OutNormal => self.normals.as_ref(),
            SkinArray::OutTangent => self.tangents.as_ref(),
            SkinArray::OutSide => self.sides.as_ref(),
        };
        arrays.iter().map(|&array| Some((array, buffer(array)?))).collect()
    }

    pub(crate) fn take(&self, deformed: &Deformed) {
        self.positions.replace(cast_slice(&deformed.positions));
        if let (Some(buffer), Some(normals)) = (&self.normals, &deformed.normals) {
            buffer.replace(cast_slice(normals));
        }
        if let (Some(buffer), Some(tangents)) = (&self.tangents, &deformed.tangents) {
            buffer.replace(cast_slice(tangents));
        }
    }

    /// Reads back the vertices. They have tangents only if a normal texture needs tangents.
    pub(crate) fn read(&self) -> Deformed {
        let vectors = |buffer: &GpuBuffer| bytemuck::pod_collect_to_vec(&buffer.read());
        let tangents = self.tangents.as_ref().map(|buffer| bytemuck::pod_collect_to_vec(&buffer.read()));
        Deformed { positions: vectors(&self.positions), normals: self.normals.as_ref().map(vectors), tangents }
    }
}
