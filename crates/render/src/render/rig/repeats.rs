//! Detects duplicate geometry at the same position, because even a small file may place 100,000 instances of a mesh
//! there.

use std::collections::HashMap;

use rigscope_core::rig::{Mesh, MeshInstance, Primitive, Rig};

/// Returns, for each primitive of a mesh, the first primitive with the same shape and material (possibly itself).
pub(crate) fn first_alike(mesh: &Mesh) -> Vec<u32> {
    let mut known: HashMap<_, usize> = HashMap::new();
    let first = |(index, primitive): (usize, &Primitive)| {
        let count = primitive.positions.len();
        let at = |vertex: usize| primitive.positions.get(vertex).map(|p| p.to_array().map(f32::to_bits));
        let key = (count, primitive.indices.len(), primitive.material.map(|m| m.0), [0, count / 2].map(at));
        // Comparing all pairs would be quadratic, so compare only with the first of each key.
        let earlier = *known.entry(key).or_insert(index);
        if are_alike(&mesh.primitives[earlier], primitive) { earlier as u32 } else { index as u32 }
    };
    mesh.primitives.iter().enumerate().map(first).collect()
}

fn are_alike(a: &Primitive, b: &Primitive) -> bool {
    std::ptr::eq(a, b)
        || a.material == b.material
            && [&a.indices, &a.lines, &a.points] == [&b.indices, &b.lines, &b.points]
            && a.positions == b.positions
            && (&a.normals, &a.tangents, &a.generated_tangents) == (&b.normals, &b.tangents, &b.generated_tangents)
            && (&a.tex_coords, &a.second_tex_coords, &a.colors) == (&b.tex_coords, &b.second_tex_coords, &b.colors)
            && (&a.influences, &a.dq_weights) == (&b.influences, &b.dq_weights)
            && a.morph_targets.is_empty()
            && b.morph_targets.is_empty()
}

/// Returns, for each mesh instance, the first instance with the same mesh, skin and `place` (possibly itself). `place`
/// returns a key for an instance's transform. Instances with morph targets match only themselves.
pub(crate) fn first_in_place<P: Eq + std::hash::Hash>(rig: &Rig, place: impl Fn(usize) -> P) -> Vec<u32> {
    let has_targets: Vec<bool> =
        rig.meshes.iter().map(|mesh| mesh.primitives.iter().any(|p| !p.morph_targets.is_empty())).collect();
    let mut known = HashMap::new();
    let first = |(index, instance): (usize, &MeshInstance)| {
        let key = (instance.mesh, instance.skin, place(index));
        if has_targets[instance.mesh] { index as u32 } else { *known.entry(key).or_insert(index as u32) }
    };
    rig.instances.iter().enumerate().map(first).collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    fn triangle(x: f32) -> Primitive {
        Primitive { positions: vec![Vec3::X * x, Vec3::Y, Vec3::Z], indices: vec![0, 1, 2], ..Primitive::default() }
    }

    #[test]
    fn primitives_of_one_shape_are_alike_and_all_others_themselves() {
        let shaded = Primitive { normals: Some(vec![Vec3::X; 3]), ..triangle(1.0) };
        let primitives = vec![triangle(1.0), triangle(2.0), triangle(1.0), shaded, triangle(2.0), Primitive::default()];
        assert_eq!(first_alike(&Mesh { primitives, ..Mesh::default() }), [0, 1, 0, 3, 1, 5]);
    }
}
