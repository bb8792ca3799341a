use std::sync::Arc;

use glam::Affine3;
use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::data_texture::DataTexture;
use rigscope_core::actor::SharedPose;
use rigscope_core::rig::{Posed, Rig};
use rigscope_core::skinning::{JointTransform, Palette, Scaling};

/// Texels per joint, as in `skinning.glsl`: 3 rows of `T_j`; the real part, the dual part, and the dual part at skin
/// scale 0 of the rigid motion; 3 rows of the stretch about the bind position; the bind position.
const TEXELS_PER_JOINT: usize = 10;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FrameSlot {
    /// Index of the texel with the palette's first joint.
    pub palette_start: usize,
    /// Index of the first texel of the bones, which are in joint order. Each bone has two texels, one per end, in world
    /// space.
    pub bones_start: usize,
    /// Index of the texel with the first (target, weight) pair.
    pub morph_start: usize,
    /// Number of targets with nonzero weight.
    pub morph_count: usize,
    pub scaling: Scaling,
}

pub(crate) struct FrameData {
    pub data: DataTexture<[f32; 4]>,
    slots: Vec<FrameSlot>,
}

impl FrameData {
    /// Uploads a pose, reusing the storage of `previous`.
    pub(crate) fn new(
        context: &Context,
        rig: &Rig,
        pose: &SharedPose,
        previous: Option<Self>,
    ) -> Result<Self, RenderError> {
        let (texels, slots) = packed(rig, &pose.palettes, &pose.posed);
        let previous = previous.map(|previous| previous.data);
        Ok(Self { data: DataTexture::filled(context, "the skinning palette", previous, &texels)?, slots })
    }

    /// Returns the slot of an instance, or the default if the frame has fewer instances.
    pub(crate) fn slot(&self, instance: usize) -> FrameSlot {
        self.slots.get(instance).copied().unwrap_or_default()
    }
}

fn packed(rig: &Rig, palettes: &[Arc<Palette>], posed: &Posed) -> (Vec<[f32; 4]>, Vec<FrameSlot>) {
    let (mut texels, mut slots) = (Vec::new(), Vec::with_capacity(palettes.len()));
    let mut by_skin: Vec<Option<FrameSlot>> = vec![None; rig.skins.len()];
    for (palette, instance) in palettes.iter().zip(&rig.instances) {
        let known = instance.skin.and_then(|skin| by_skin[skin]);
        let slot = known.unwrap_or_else(|| pack(palette, &mut texels));
        if let Some(skin) = instance.skin {
            by_skin[skin] = Some(slot);
        }
        slots.push(slot);
    }
    for ((slot, instance), weights) in slots.iter_mut().zip(&rig.instances).zip(&posed.morph_weights) {
        let targets = rig.meshes[instance.mesh].primitives.iter().map(|p| p.morph_targets.len()).max().unwrap_or(0);
        slot.morph_start = texels.len();
        let moving = weights.iter().take(targets).enumerate().filter(|(_, weight)| **weight != 0.0);
        texels.extend(moving.map(|(target, &weight)| [target as f32, weight, 0.0, 0.0]));
        slot.morph_count = texels.len() - slot.morph_start;
    }
    (texels, slots)
}

fn pack(palette: &Palette, texels: &mut Vec<[f32; 4]>) -> FrameSlot {
    texels.reserve(palette.joints.len() * (TEXELS_PER_JOINT + 2));
    let palette_start = texels.len();
    texels.extend(palette.joints.iter().flat_map(joint_texels));
    let bones_start = texels.len();
    texels.extend(palette.bones.as_flattened().iter().map(|end| end.extend(0.0).to_array()));
    FrameSlot { palette_start, bones_start, scaling: palette.scaling(), ..FrameSlot::default() }
}

fn joint_texels(joint: &JointTransform) -> [[f32; 4]; TEXELS_PER_JOINT] {
    let [x, y, z] = rows(&joint.matrix);
    let [sx, sy, sz] = rows(&joint.stretch());
    let [real, dual, at_zero] =
        [joint.rigid.real, joint.rigid.dual, joint.motion_at_scale(0.0).dual].map(|q| q.to_array());
    [x, y, z, real, dual, at_zero, sx, sy, sz, joint.bind_position.extend(0.0).to_array()]
}

fn rows(m: &Affine3) -> [[f32; 4]; 3] {
    [0, 1, 2].map(|i| {
        let row = m.matrix3.row(i);
        [row.x, row.y, row.z, m.translation[i]]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat3, Vec3};
    use rigscope_core::rig::testing::on_one_node;

    #[test]
    fn instances_of_one_skin_read_one_palette() {
        let rig = Rig::new(on_one_node(vec![Vec::new()], &[Some(1), None, Some(1), Some(0)].map(|skin| (0, skin))));
        let palettes = [(); 4].map(|()| Arc::new(Palette::rigid(Affine3::IDENTITY)));
        let (texels, slots) = packed(&rig, &palettes, &Posed::default());
        let starts: Vec<usize> = slots.iter().map(|slot| slot.palette_start / TEXELS_PER_JOINT).collect();
        assert_eq!((starts, texels.len()), (vec![0, 1, 0, 2], 3 * TEXELS_PER_JOINT));
    }

    #[test]
    fn a_joint_is_rows_then_quaternions_then_stretch() {
        let matrix = Affine3::from_mat3_translation(Mat3::from_diagonal(Vec3::new(2.0, 3.0, 4.0)), Vec3::X * 7.0);
        let texels = joint_texels(&JointTransform::new(matrix, Vec3::ZERO));
        assert_eq!(texels[0], [2.0, 0.0, 0.0, 7.0]);
        assert_eq!(texels[3], [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(texels[4], [3.5, 0.0, 0.0, 0.0]);
        assert_eq!(texels[8], [0.0, 0.0, 4.0, 0.0]);
        assert_eq!(texels[9], [0.0; 4]);
    }
}
