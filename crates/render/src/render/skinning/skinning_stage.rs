use std::borrow::Cow;
use std::sync::Arc;

use glam::Vec3;
use three_d::Context;

use super::frame_data::FrameData;
use super::pose_data::PoseData;
use super::skin_variant::{PrimitiveTraits, SkinProgram, SkinPrograms, SkinVariant};
use super::skinned::{SkinBuffers, SkinnedVertices};
use super::skinning_device::SkinningDevice;
use super::vertex_sources::{GpuCenters, GpuJointBlendWeights, GpuNormals};
use crate::render::RenderError;
use crate::render::error::MAX_SKINNED_VERTICES;
use crate::render::gl::compute_program::{self, ComputeLimits};
use crate::render::gl::driver::renderer;
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use crate::render::gl::vertex_pool::VertexPool;
use crate::render::rig::features::Features;
use crate::render::rig::gpu_rig::{DrawnPrimitive, GpuRig};
use crate::render::rig::primitive::GpuPrimitive;
use crate::render::rig::weighted_meshes::WeightedMeshes;
use rigscope_core::actor::ShownActor;
use rigscope_core::rig::{Bounds, PrimitiveIndex, Rig};
use rigscope_core::skinning::{Centers, Deformed, Method, SkinnedRig, Skinner, Skinning, default_blend_weight};

/// Maximum number of vertices for which [`SkinningStage::scratch`] is kept. Reusing a larger array is much slower than
/// allocating a new one.
const MAX_KEPT: usize = 1 << 18;

pub(crate) struct SkinningStage {
    pub device: SkinningDevice,
    programs: SkinPrograms,
    compute: Option<ComputeLimits>,
    /// True if compute shaders have run since the last [`compute_program::finish`].
    has_computed: bool,
    /// Result of the last primitive skinned on the CPU, or empty.
    scratch: Deformed,
    pub runs: u64,
}

impl SkinningStage {
    pub(crate) fn new(context: &Context) -> Self {
        Self {
            device: SkinningDevice::for_driver(&renderer(context)),
            programs: SkinPrograms::default(),
            compute: ComputeLimits::new(context),
            has_computed: false,
            scratch: Deformed::default(),
            runs: 0,
        }
    }

    pub(crate) fn actual_device(&self) -> SkinningDevice {
        match (self.device, self.compute) {
            (SkinningDevice::Compute | SkinningDevice::Gpu, Some(_)) => SkinningDevice::Compute,
            (SkinningDevice::Compute | SkinningDevice::Gpu, None) => SkinningDevice::Feedback,
            (device, _) => device,
        }
    }

    /// Returns the program of a variant and, if it is a compute shader, its buffers. Falls back to transform feedback
    /// if compute is unavailable or the driver rejects the shader.
    fn program<'a>(
        &mut self,
        context: &Context,
        variant: SkinVariant,
        (vertices, primitive): (&'a SkinnedVertices, &'a GpuPrimitive),
    ) -> Result<(&SkinProgram, SkinBuffers<'a>), RenderError> {
        if let Some(limits) = self.compute.filter(|_| self.device != SkinningDevice::Feedback)
            && let Some(arrays) = vertices.buffers(primitive, &variant.arrays())
            && limits.allow(&arrays.iter().map(|(_, buffer)| *buffer).collect::<Vec<_>>())
        {
            match self.programs.get(context, variant.by_compute()).map(|_| ()) {
                Ok(()) => return Ok((self.programs.get(context, variant.by_compute())?, arrays)),
                Err(problem) => {
                    log::warn!("vertices are not skinned by a compute shader: {problem}");
                    self.compute = None;
                }
            }
        }
        Ok((self.programs.get(context, variant)?, Vec::new()))
    }
}

#[derive(Default)]
pub(crate) struct SkinnedActor {
    skinned_as: Option<SkinningKey>,
    /// Indexed by primitive; `None` if the primitive needs no skinning.
    parts: Vec<Option<Box<SkinnedPrimitive>>>,
    pool: Option<VertexPool>,
    joint_blend_weights: GpuJointBlendWeights,
    normals: GpuNormals,
    on_cpu: Option<CpuSkinner>,
}

struct SkinnedPrimitive {
    vertices: SkinnedVertices,
    /// Bounds of all vertices, known only after skinning on the CPU.
    bounds: Option<Bounds>,
    /// See [`WeightedMeshes::number`]; `None` for the rig's own weights.
    weights: Option<u64>,
    is_current: bool,
}

#[derive(PartialEq)]
struct SkinningKey {
    version: u64,
    weights: Option<u64>,
    skinning: Skinning,
    normals: Option<u64>,
    device: SkinningDevice,
}

struct CpuSkinner {
    rig: Arc<Rig>,
    skinning: Skinning,
    centers: Option<Arc<Centers>>,
    skinner: Option<Skinner>,
}

#[derive(Clone, Copy)]
pub(crate) struct SkinInput<'a> {
    pub context: &'a Context,
    pub rig: &'a Arc<Rig>,
    pub shown: &'a ShownActor<'a>,
    /// [`crate::render::FrameInput::version`] of the frame.
    pub version: u64,
}

impl<'a> SkinInput<'a> {
    fn primitive_normals(self, part: usize) -> Option<&'a [Vec3]> {
        self.shown.normals?.parts.get(part).map(Vec::as_slice).filter(|normals| !normals.is_empty())
    }
}

impl SkinnedActor {
    pub(crate) fn part(&self, part: usize) -> Option<&SkinnedVertices> {
        self.parts.get(part)?.as_ref().filter(|part| part.is_current).map(|part| &part.vertices)
    }

    pub(crate) fn bounds(&self, part: usize) -> Option<Bounds> {
        self.parts.get(part)?.as_ref().filter(|part| part.is_current)?.bounds
    }

    pub(crate) fn skin<'r>(
        &mut self,
        stage: &mut SkinningStage,
        input: SkinInput<'_>,
        (rig, weights, pose, centers): (&'r GpuRig, Option<&WeightedMeshes>, &mut PoseData, &mut GpuCenters),
        parts: impl Iterator<Item = DrawnPrimitive<'r>> + Clone,
    ) -> Result<(), RenderError> {
        let vertices = parts.clone().map(|part| part.primitive.vertex_count).sum();
        if vertices > MAX_SKINNED_VERTICES {
            return Err(RenderError::TooManyVertices { wanted: vertices });
        }
        let number = weights.map(|weights| weights.number);
        let wanted = Some(SkinningKey {
            weights: number,
            version: input.version,
            skinning: Skinning::clone(&input.shown.skinning),
            normals: input.shown.normals.map(|normals| normals.version),
            device: stage.device,
        });
        if self.skinned_as != wanted {
            self.skinned_as = wanted;
            self.parts.iter_mut().flatten().for_each(|part| part.is_current = false);
            self.parts.resize_with(rig.vertex_counts().len(), || None);
        }
        let mut has_sources = false;
        for part in parts {
            if self.parts.get(part.index).is_some_and(|known| known.as_ref().is_some_and(|p| p.is_current)) {
                continue;
            }
            let has_sides = pose.placement(part.instance).mirrors;
            let known = self.parts[part.index].take().filter(|p| p.weights == number);
            let vertices = if let Some(known) = known.map(|p| p.vertices).filter(|v| v.has_sides() == has_sides) {
                known
            } else {
                let pool = self.pool.get_or_insert_with(|| VertexPool::new(input.context));
                SkinnedVertices::new(pool, part.primitive, has_sides)?
            };
            let is_done = stage.device == SkinningDevice::Cpu
                && !has_sides
                && self.skin_on_cpu(&mut stage.scratch, input, (weights, &part), &vertices);
            if !is_done {
                if !has_sources {
                    self.joint_blend_weights.update(input.context, input.rig, &input.shown.skinning)?;
                    self.normals.update(input.context, rig.vertex_counts(), input.shown.normals)?;
                    centers.update(input.context, input.rig, input.shown.centers)?;
                    has_sources = true;
                }
                let packed = pose.pack(input.context, input.rig, &input.shown.actor.pose)?;
                self.skin_on_gpu(stage, input, (packed, centers), &part, &vertices)?;
            }
            stage.runs += 1;
            self.parts[part.index] = Some(Box::new(SkinnedPrimitive {
                vertices,
                bounds: is_done.then(|| bounds(&stage.scratch)),
                weights: number,
                is_current: true,
            }));
        }
        if stage.has_computed {
            compute_program::finish(input.context);
            stage.has_computed = false;
        }
        if stage.scratch.positions.capacity() > MAX_KEPT {
            stage.scratch = Deformed::default();
        }
        Ok(())
    }

    fn skin_on_cpu(
        &mut self,
        scratch: &mut Deformed,
        input: SkinInput<'_>,
        (weights, part): (Option<&WeightedMeshes>, &DrawnPrimitive<'_>),
        vertices: &SkinnedVertices,
    ) -> bool {
        let rig = weights.map_or(input.rig, WeightedMeshes::rig);
        let known = self.on_cpu.take().filter(|known| known.is_for(rig, input));
        let ready = self.on_cpu.insert(known.unwrap_or_else(|| CpuSkinner::new(rig, input)));
        let Some(skinner) = &ready.skinner else { return false };
        let index = PrimitiveIndex { instance: part.instance, primitive: part.primitive_index };
        let has_tangents = part.primitive.features.has(Features::TANGENTS);
        skinner.deform_drawn_into(index, input.shown.actor.pose.skin_pose(), has_tangents, scratch);
        if scratch.positions.len() != part.primitive.vertex_count {
            return false;
        }
        if let (Some(normals), Some(recomputed)) = (&mut scratch.normals, input.primitive_normals(part.index)) {
            for (normal, &new) in normals.iter_mut().zip(recomputed).filter(|(_, new)| **new != Vec3::ZERO) {
                *normal = new;
            }
        }
        vertices.take(scratch);
        true
    }

    fn skin_on_gpu(
        &self,
        stage: &mut SkinningStage,
        input: SkinInput<'_>,
        (packed, centers): (&FrameData, &GpuCenters),
        part: &DrawnPrimitive<'_>,
        vertices: &SkinnedVertices,
    ) -> Result<(), RenderError> {
        let Some(sources) = part.primitive.attributes() else { return Ok(()) };
        let (slot, skinning) = (packed.slot(part.instance), &*input.shown.skinning);
        let skin = input.rig.instances[part.instance].skin.map(|skin| &input.rig.skins[skin]);
        let joint_blend_weights = self.joint_blend_weights.instance(part.instance);
        let centers = centers.part(part.index);
        let normals = self.normals.part(part.index);
        let traits = PrimitiveTraits {
            mirrors: vertices.has_sides(),
            has_recomputed_normals: normals.is_some(),
            has_joint_blend_weights: joint_blend_weights.is_some(),
            has_centers: centers.is_some(),
            uses_vertex_blend_weights: skinning.method == Method::WeightedBlend
                && part.primitive.features.has(Features::DQ_WEIGHTS),
            default_blend_weight: default_blend_weight(skinning.method, skin),
            scaling: slot.scaling,
        };
        let slots = part.primitive.slots_per_vertex();
        let variant = SkinVariant::new(part.primitive.features, slots, skinning, traits);
        let (program, arrays) = stage.program(input.context, variant, (vertices, part.primitive))?;
        let set = |program: &GpuProgram| {
            program.set_texture("frameData", packed.data.id());
            program.set("paletteStart", slot.palette_start);
            program.set("bonesStart", slot.bones_start);
            program.set("morphStart", slot.morph_start);
            program.set("morphCount", slot.morph_count);
            program.set("dqBlendWeight", traits.default_blend_weight);
            program.set("uniformScale", traits.skin_scale(skinning));
            program.set("weightSteps", skinning.influences.precision.steps().unwrap_or_default());
            if let Some(shares) = &joint_blend_weights {
                program.set_texture("jointBlendWeights", shares.data.id());
                program.set("blendWeightsStart", shares.start);
            }
            if let Some(centers) = &centers {
                program.set_texture("centers", centers.data.id());
                program.set("centersStart", centers.start);
            }
            if let Some(normals) = &normals {
                program.set_texture("recomputedNormals", normals.data.id());
                program.set("normalsStart", normals.start);
            }
            part.primitive.set_sources(program);
        };
        match program {
            SkinProgram::Feedback(program) => vertices.capture(program, sources, set),
            SkinProgram::Compute(program) => {
                vertices.compute(program, &arrays, set);
                stage.has_computed = true;
            }
        }
        Ok(())
    }
}

fn bounds(deformed: &Deformed) -> Bounds {
    deformed.positions.iter().copied().collect()
}

impl CpuSkinner {
    fn new(rig: &Arc<Rig>, input: SkinInput<'_>) -> Self {
        let (skinning, centers) = (&*input.shown.skinning, input.shown.centers);
        // Uses LBS until the centres are computed; the interface reports this. The frame provides recomputed normals.
        let skinned = SkinnedRig::new(rig, Cow::Borrowed(skinning), centers).ready().for_positions();
        let skinner = skinned.skinner().ok();
        Self { rig: Arc::clone(rig), skinning: skinning.clone(), centers: centers.cloned(), skinner }
    }

    fn is_for(&self, rig: &Arc<Rig>, input: SkinInput<'_>) -> bool {
        let has_these = match (&self.centers, input.shown.centers) {
            (Some(known), Some(wanted)) => Arc::ptr_eq(known, wanted),
            (None, None) => true,
            _ => false,
        };
        has_these && Arc::ptr_eq(&self.rig, rig) && self.skinning == *input.shown.skinning
    }
}
