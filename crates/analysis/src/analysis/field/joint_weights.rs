//! Differences in joint weights, between two rigs and along a surface.

use super::stretch::each_point;
use super::{RestReference, each_vertex};
use crate::analysis::{Topology, joined};
use rigscope_core::rig::{Corner, Influences, Mesh, Rig};

/// Returns each vertex's sum of absolute weight differences, 0 to 2; NaN for unskinned primitives. `b` may differ from
/// `a` only in weights.
pub fn weight_difference(a: &Rig, b: &Rig) -> Vec<Vec<f32>> {
    let pairs = a.primitives().zip(b.primitives());
    pairs
        .map(|((_, a), (_, b))| match (&a.influences, &b.influences) {
            (Some(own), Some(other)) if own.len() == other.len() => {
                each_vertex(own.len(), |v| changes(own.vertex(v), other.vertex(v)).map(f32::abs).sum())
            }
            _ => vec![f32::NAN; a.positions.len()],
        })
        .collect()
}

/// Returns the steepest weight gradient of any joint along the edges at each vertex, per metre at rest. Duplicate
/// vertices at a seam have the same value; zero-length edges are ignored.
pub fn weight_steepness(rig: &Rig, topology: &Topology, rest: &RestReference) -> Vec<Vec<f32>> {
    let mut all = Vec::new();
    for (instance, rest) in rig.instances.iter().zip(&rest.surfaces) {
        let (mesh, positions) = (topology.mesh(instance.mesh), joined(rest));
        let influences = instance.skin.map_or_else(Vec::new, |_| influences(&rig.meshes[instance.mesh]));
        let of = |vertex: u32| {
            let place = mesh.locate(vertex as usize);
            influences.get(place.primitive).copied().flatten().map(|influences| influences.vertex(place.vertex))
        };
        let steepness = |from: u32, to: u32| {
            let length = positions[from as usize].distance(positions[to as usize]);
            let (Some(from), Some(to)) = (of(from), of(to)) else { return f32::NAN };
            let change = changes(from, to).map(f32::abs).fold(0.0, f32::max);
            if length > 0.0 { change / length } else { f32::NAN }
        };
        let at_corner = |Corner { triangle, corner }: Corner| {
            let triangle = mesh.triangles()[triangle];
            [1, 2].map(|step| steepness(triangle[corner], triangle[(corner + step) % 3]))
        };
        let values = each_point(mesh, |point| mesh.around(point).flat_map(at_corner).fold(f32::NAN, f32::max));
        all.extend(mesh.parts().map(|range| values[range].to_vec()));
    }
    all
}

fn influences(mesh: &Mesh) -> Vec<Option<&Influences>> {
    mesh.primitives.iter().map(|primitive| primitive.influences.as_ref()).collect()
}

fn changes<'a>(
    from: impl Iterator<Item = (usize, f32)> + 'a,
    to: impl Iterator<Item = (usize, f32)> + 'a,
) -> impl Iterator<Item = f32> + 'a {
    let mut all: Vec<(usize, f32)> = from.map(|(joint, weight)| (joint, -weight)).chain(to).collect();
    all.sort_unstable_by_key(|(joint, _)| *joint);
    all.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0.0 };
        is_same
    });
    all.into_iter().map(|(_, change)| change)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use glam::Vec3;
    use rigscope_core::rig::testing::{chain, skinned};
    use rigscope_core::rig::{Primitive, Trs};
    use rigscope_core::skinning::{Method, Skinner};

    fn square(per_vertex: usize, joints: Vec<u16>, weights: Vec<f32>) -> Arc<Rig> {
        let primitive = Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
            influences: Some(Influences::new(per_vertex, joints, weights)),
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Primitive::default()
        };
        Arc::new(Rig::new(skinned(chain(2, Trs::IDENTITY), primitive)))
    }

    #[test]
    fn differences_are_summed_over_joints_however_a_vertex_lists_them() {
        let a = square(1, vec![0, 0, 0, 1], vec![1.0; 4]);
        let b = square(
            3,
            vec![0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0],
            vec![0.5, 0.25, 0.25, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        );
        assert_eq!(weight_difference(&a, &b), [[0.5, 2.0, 0.0, 0.0]]);
        assert_eq!(weight_difference(&a, &a), [[0.0; 4]]);
    }

    #[test]
    fn the_steepest_edge_at_a_vertex_counts_by_its_length() {
        let rig = square(2, vec![0, 1, 0, 1, 0, 1, 0, 1], vec![1.0, 0.0, 0.5, 0.5, 0.5, 0.5, 1.0, 0.0]);
        let skinner = Arc::new(Skinner::new(&rig, &Method::Lbs.into()).unwrap());
        let steepness = weight_steepness(&rig, &Topology::new(&rig), &RestReference::new(&skinner));
        assert_eq!(steepness, [[0.5; 4]], "along the sides and across");
        let narrow = square(1, vec![0, 1, 1, 1], vec![1.0; 4]);
        let skinner = Arc::new(Skinner::new(&narrow, &Method::Lbs.into()).unwrap());
        let steepness = weight_steepness(&narrow, &Topology::new(&narrow), &RestReference::new(&skinner));
        assert_eq!(steepness[0][2], 0.5_f32.sqrt(), "the diagonal alone leads to another joint");
    }
}
