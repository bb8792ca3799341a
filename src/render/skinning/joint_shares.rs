//! The share of DQS of each joint of an actor, on the graphics card where some joint has a method of its own.

use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::{DataTexture, TexelsFrom};
use crate::rig::Rig;
use crate::skinning::{JointShare, Skinning, joint_shares};

/// The joint shares of all instances, concatenated.
#[derive(Default)]
pub(super) struct JointShares {
    uploaded: Option<(Vec<JointShare>, DataTexture<JointShare>)>,
    /// Texel of joint 0 of each instance; `None` without a skin.
    starts: Vec<Option<usize>>,
}

impl JointShares {
    /// Uploads the shares of an actor's settings, where they changed.
    ///
    /// *Errors*: more joints than a texture holds.
    pub(super) fn update(&mut self, context: &Context, rig: &Rig, skinning: &Skinning) -> Result<(), RenderError> {
        if skinning.by_joint.is_empty() {
            self.uploaded = None;
            return Ok(());
        }
        let mut shares = Vec::new();
        self.starts.clear();
        for instance in &rig.instances {
            self.starts.push(instance.skin.map(|_| shares.len()));
            shares.extend(instance.skin.iter().flat_map(|&skin| joint_shares(&rig.skins[skin], skinning)));
        }
        if self.uploaded.as_ref().is_none_or(|(known, _)| *known != shares) {
            let data = DataTexture::new(context, "the methods of joints", shares.len())?;
            data.write(0, &shares);
            self.uploaded = Some((shares, data));
        }
        Ok(())
    }

    /// Joint shares of an instance; `None` where it has none.
    pub(super) fn instance(&self, instance: usize) -> Option<TexelsFrom<'_, JointShare>> {
        let (_, data) = self.uploaded.as_ref()?;
        Some(TexelsFrom { data, start: (*self.starts.get(instance)?)? })
    }
}
