//! Some vertices of a primitive as a primitive of its own.

use crate::rig::{Influences, MorphTarget, Primitive};

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
