//! DQ blend weight per joint of an actor, uploaded only if some joint has its own method.

use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::{DataTexture, TexelsFrom};
use crate::rig::Rig;
use crate::skinning::{JointBlendWeights, Skinning, joint_blend_weights};

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
