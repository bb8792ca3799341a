//! Vertex data that skinning reads in addition to the rig's data: recomputed normals, centres of rotation, DQ blend
//! weights.

use std::sync::Arc;

use glam::Vec3;
use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::{DataTexture, TexelsFrom, VertexTexels};
use rigscope_core::rig::Rig;
use rigscope_core::skinning::{Centers, JointBlendWeights, RecomputedNormals, Skinning, joint_blend_weights};

#[derive(Default)]
pub(super) struct GpuNormals {
    version: Option<u64>,
    texels: Option<VertexTexels<[f32; 4]>>,
}

impl GpuNormals {
    /// Uploads changed normals. `vertex_counts` has one entry per primitive. Vertices without a recomputed normal keep
    /// the transformed normal.
    pub(super) fn update(
        &mut self,
        context: &Context,
        vertex_counts: &[usize],
        normals: Option<&RecomputedNormals>,
    ) -> Result<(), RenderError> {
        let version = normals.map(|n| n.version);
        if self.version == version {
            return Ok(());
        }
        self.version = None;
        let previous = self.texels.take();
        let Some(normals) = normals else { return Ok(()) };
        let values = (normals.parts.iter().map(Vec::as_slice), vertex_counts);
        let texel = |normal: Vec3| normal.extend(0.0).to_array();
        self.texels = Some(VertexTexels::new(context, "the normals of a mesh", previous, values, ([0.0; 4], texel))?);
        self.version = version;
        Ok(())
    }

    pub(super) fn part(&self, part: usize) -> Option<TexelsFrom<'_, [f32; 4]>> {
        self.texels.as_ref()?.primitive(part)
    }
}

#[derive(Default)]
pub(crate) struct GpuCenters {
    uploaded: Option<(Arc<Centers>, VertexTexels<[f32; 4]>)>,
}

impl GpuCenters {
    pub(crate) fn update(
        &mut self,
        context: &Context,
        rig: &Rig,
        centers: Option<&Arc<Centers>>,
    ) -> Result<(), RenderError> {
        let is_wanted = |known: &Arc<Centers>| centers.is_some_and(|wanted| Arc::ptr_eq(known, wanted));
        self.uploaded = self.uploaded.take().filter(|(known, _)| is_wanted(known));
        if let (Some(wanted), None) = (centers, &self.uploaded) {
            let counts: Vec<usize> = rig.primitives().map(|(_, primitive)| primitive.positions.len()).collect();
            let primitives = rig.instances.iter().flat_map(|instance| {
                let count = rig.meshes[instance.mesh].primitives.len();
                (0..count).map(move |primitive| wanted.primitive(instance.mesh, primitive))
            });
            let texel = |center: Vec3| center.extend(0.0).to_array();
            let what = "the centres of rotation of a mesh";
            let texels = VertexTexels::new(context, what, None, (primitives, &counts), ([0.0; 4], texel))?;
            self.uploaded = Some((Arc::clone(wanted), texels));
        }
        Ok(())
    }

    pub(crate) fn part(&self, part: usize) -> Option<TexelsFrom<'_, [f32; 4]>> {
        let (_, texels) = self.uploaded.as_ref()?;
        texels.primitive(part)
    }
}

/// DQ blend weight of each joint of an actor, uploaded only if some joint has its own method.
#[derive(Default)]
pub(super) struct GpuJointBlendWeights {
    uploaded: Option<(Vec<JointBlendWeights>, DataTexture<JointBlendWeights>)>,
    /// Texel of joint 0 of each instance; `None` without a skin.
    starts: Vec<Option<usize>>,
}

impl GpuJointBlendWeights {
    pub(super) fn update(&mut self, context: &Context, rig: &Rig, skinning: &Skinning) -> Result<(), RenderError> {
        if skinning.by_joint.is_empty() {
            self.uploaded = None;
            return Ok(());
        }
        let mut weights = Vec::new();
        self.starts.clear();
        for instance in &rig.instances {
            self.starts.push(instance.skin.map(|_| weights.len()));
            weights.extend(instance.skin.iter().flat_map(|&skin| joint_blend_weights(&rig.skins[skin], skinning)));
        }
        if self.uploaded.as_ref().is_none_or(|(known, _)| *known != weights) {
            let data = DataTexture::filled(context, "the methods of joints", None, &weights)?;
            self.uploaded = Some((weights, data));
        }
        Ok(())
    }

    pub(super) fn instance(&self, instance: usize) -> Option<TexelsFrom<'_, JointBlendWeights>> {
        let (_, data) = self.uploaded.as_ref()?;
        Some(TexelsFrom { data, start: (*self.starts.get(instance)?)? })
    }
}
