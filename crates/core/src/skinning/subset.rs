use glam::Vec3;

use super::deform::{SkinnedArrays, deform_by};
use super::recipe::SkinningRecipe;
use super::{
    Deformed, JointBlendWeights, Method, Palette, RigSkinning, SkinPose, Skinning, default_blend_weight,
    joint_blend_weights,
};
use crate::rig::{Influences, MorphTarget, Primitive, PrimitiveIndex, Rig};

/// Skins some vertices of a primitive without preparing the rig; returns world positions. Empty if the rig lacks the
/// primitive; skips indices out of range.
pub fn deform_some(
    rig: &Rig,
    part: PrimitiveIndex,
    vertices: &[u32],
    SkinPose { posed, palettes }: SkinPose<'_>,
    skinning: RigSkinning<'_>,
) -> Vec<Vec3> {
    let some = VertexSubset::new(rig, part, vertices, skinning);
    let (Some(some), Some(palette)) = (some, palettes.get(part.instance)) else { return Vec::new() };
    let weights = posed.morph_weights.get(part.instance).map_or(&[][..], Vec::as_slice);
    let mut deformed = Deformed::default();
    some.deform_into(palette, weights, &mut deformed);
    deformed.positions
}

/// Some vertices of a primitive, prepared for skinning in many poses.
pub struct VertexSubset<'a> {
    skinning: &'a Skinning,
    primitive: Primitive,
    centers: Vec<Vec3>,
    default_blend_weight: f32,
    joint_weights: Vec<JointBlendWeights>,
}

impl<'a> VertexSubset<'a> {
    /// Prepares vertices in the given order, skipping indices out of range. `None` if the rig lacks the primitive.
    pub fn new(
        rig: &Rig,
        PrimitiveIndex { instance, primitive }: PrimitiveIndex,
        vertices: &[u32],
        RigSkinning { skinning, centers }: RigSkinning<'a>,
    ) -> Option<Self> {
        let placed = rig.instances.get(instance)?;
        let mut some = subset(rig.meshes.get(placed.mesh)?.primitives.get(primitive)?, vertices);
        some.influences = some.influences.map(|influences| skinning.influences.apply(&influences).into_owned());
        let skin = placed.skin.map(|skin| &rig.skins[skin]);
        Some(Self {
            skinning,
            primitive: some,
            centers: centers.map_or(Vec::new(), |centers| picked(centers.primitive(placed.mesh, primitive), vertices)),
            default_blend_weight: default_blend_weight(skinning.method, skin),
            joint_weights: skin.map_or(Vec::new(), |skin| joint_blend_weights(skin, skinning)),
        })
    }

    /// Keeps only the joints that move these vertices and returns their indices in `Skin::joints`, ascending; empty
    /// without influences. Later palettes must contain exactly these joints in this order.
    pub fn retain_used_joints(&mut self) -> Vec<usize> {
        let Some(influences) = &self.primitive.influences else { return Vec::new() };
        // Unused slots get the joint of the vertex's first slot.
        let vertices = influences.joints().chunks_exact(influences.per_vertex().max(1));
        let slots = vertices.flat_map(|slots| slots.iter().map(|joint| (*joint, slots[0]))).zip(influences.weights());
        let counted: Vec<u16> =
            slots.map(|((joint, first), weight)| if *weight > 0.0 { joint } else { first }).collect();
        let mut joints = counted.clone();
        joints.sort_unstable();
        joints.dedup();
        let position = |joint: u16| joints.partition_point(|&other| other < joint) as u16;
        let renumbered = counted.into_iter().map(position).collect();
        self.primitive.influences =
            Some(Influences::new(influences.per_vertex(), renumbered, influences.weights().to_vec()));
        let joints: Vec<usize> = joints.into_iter().map(usize::from).collect();
        if !self.joint_weights.is_empty() {
            self.joint_weights = joints.iter().map(|&joint| self.joint_weights[joint]).collect();
        }
        joints
    }

    /// Returns whether skinning needs only the joints' matrices.
    pub fn blends_matrices_alone(&self) -> bool {
        self.skinning.method == Method::Lbs && self.joint_weights.is_empty()
    }

    /// Morphs and skins the positions of the vertices into world space, reusing buffers.
    ///
    /// # Panics
    /// Panics if the vertices reference a joint that is not in the palette.
    pub fn deform_into(&self, palette: &Palette, morph_weights: &[f32], deformed: &mut Deformed) {
        let recipe = SkinningRecipe {
            centers: &self.centers,
            default_blend_weight: self.default_blend_weight,
            joint_weights: &self.joint_weights,
            ..SkinningRecipe::from(self.skinning)
        };
        deform_by(recipe, &self.primitive, palette, morph_weights, (SkinnedArrays::Positions, deformed));
    }
}

/// Extracts vertices with their influences and morph targets, but without triangles; skips indices out of range.
pub fn subset(primitive: &Primitive, vertices: &[u32]) -> Primitive {
    let count = primitive.positions.len();
    let vertices: Vec<u32> = vertices.iter().copied().filter(|&v| (v as usize) < count).collect();
    let vertices = vertices.as_slice();
    Primitive {
        source: primitive.source,
        positions: picked(&primitive.positions, vertices),
        influences: primitive.influences.as_ref().map(|i| influences(i, vertices)),
        dq_weights: picked(&primitive.dq_weights, vertices),
        morph_targets: primitive
            .morph_targets
            .iter()
            .map(|t| MorphTarget { positions: picked(&t.positions, vertices), ..MorphTarget::default() })
            .collect(),
        ..Primitive::default()
    }
}

fn picked<T: Copy>(values: &[T], vertices: &[u32]) -> Vec<T> {
    vertices.iter().filter_map(|&v| values.get(v as usize)).copied().collect()
}

fn influences(all: &Influences, vertices: &[u32]) -> Influences {
    let slots = || vertices.iter().flat_map(|&v| all.vertex(v as usize));
    let joints = slots().map(|(joint, _)| joint as u16).collect();
    Influences::new(all.per_vertex(), joints, slots().map(|(_, weight)| weight).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skinning::{JointTransform, Method, Palette, deform};
    use glam::{Affine3, Quat, Vec3};

    #[test]
    fn a_few_vertices_go_where_they_go_among_all() {
        let primitive = Primitive {
            positions: vec![Vec3::X, Vec3::Y, Vec3::Z],
            influences: Some(Influences::new(2, vec![0, 1, 1, 0, 0, 1], vec![1.0, 0.0, 0.7, 0.3, 0.5, 0.5])),
            morph_targets: vec![
                MorphTarget { positions: vec![Vec3::Y, Vec3::Z, Vec3::X], ..MorphTarget::default() },
                MorphTarget::default(),
            ],
            ..Primitive::default()
        };
        let turned = Affine3::from_rotation_translation(Quat::from_rotation_z(1.0), Vec3::X);
        let joints = [Affine3::IDENTITY, turned].map(|m| JointTransform::new(m, Vec3::ZERO)).to_vec();
        let palette = Palette::from(joints);
        for method in Method::ALL {
            let all = deform(&primitive, &palette, &[0.5, 1.0], method).positions;
            let some = deform(&subset(&primitive, &[2, 9, 1]), &palette, &[0.5, 1.0], method).positions;
            assert!(some.len() == 2 && some[0].distance(all[2]).max(some[1].distance(all[1])) < 1e-6, "{some:?}");
        }
    }
}
