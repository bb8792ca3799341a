//! Some vertices of a primitive as a primitive of its own.

use glam::Vec3;

use super::deform::{SkinnedArrays, deform_by};
use super::recipe::Recipe;
use super::{Deformed, RigSkinning, SkinPose, joint_shares, unpainted_share};
use crate::rig::{Influences, MorphTarget, PartIndex, Primitive, Rig};

/// Where a few vertices of a primitive of a mesh instance go in a pose, world space: as a [`super::Skinner`] has it, without making the
/// whole rig ready. None where the rig lacks the primitive; numbers beyond the last vertex are left out.
pub fn deform_some(
    rig: &Rig,
    PartIndex { instance, primitive }: PartIndex,
    vertices: &[u32],
    SkinPose { posed, palettes }: SkinPose<'_>,
    RigSkinning { skinning, centers }: RigSkinning<'_>,
) -> Vec<Vec3> {
    let placed = rig.instances.get(instance);
    let source = placed.and_then(|i| rig.meshes.get(i.mesh)).and_then(|m| m.primitives.get(primitive));
    let (Some(placed), Some(source), Some(palette)) = (placed, source, palettes.get(instance)) else {
        return Vec::new();
    };
    let some = subset(source, vertices);
    let limited = some.influences.as_ref().map(|influences| skinning.influences.apply(influences));
    let centers = centers.map_or(Vec::new(), |centers| picked(centers.of(placed.mesh, primitive), vertices));
    let skin = placed.skin.map(|skin| &rig.skins[skin]);
    let recipe = Recipe {
        influences: limited.as_deref(),
        centers: &centers,
        unpainted_share: unpainted_share(skinning.method, skin),
        joint_shares: &skin.map_or(Vec::new(), |skin| joint_shares(skin, skinning)),
        ..Recipe::from(skinning)
    };
    let weights = posed.morph_weights.get(instance).map_or(&[][..], Vec::as_slice);
    let mut deformed = Deformed::default();
    deform_by(recipe, &some, palette, weights, (SkinnedArrays::Positions, &mut deformed));
    deformed.positions
}

/// The named vertices with what moves them, in the order of `vertices`; no triangles. To deform a few of many. Numbers beyond the last
/// vertex are left out.
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

/// Nothing of an array that is empty, as morph targets may have them.
fn picked<T: Copy>(values: &[T], vertices: &[u32]) -> Vec<T> {
    vertices.iter().filter_map(|&v| values.get(v as usize)).copied().collect()
}

fn influences(all: &Influences, vertices: &[u32]) -> Influences {
    let slots = || vertices.iter().flat_map(|&v| all.of(v as usize));
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
