//! Differences in joint weights, between two rigs and along a surface.

use super::stretch::each_point;
use super::{RestReference, each_vertex};
use crate::analysis::{Topology, joined};
use rigscope_core::rig::{Corner, Influences, Mesh, MeshInstance, NodeIndex, Primitive, Rig};

/// Weights of all vertices of a rig.
pub struct VertexWeights<'a>(Vec<PrimitiveWeights<'a>>);

struct PrimitiveWeights<'a> {
    /// Index of the first vertex across all primitives.
    first: usize,
    count: usize,
    influences: Option<&'a Influences>,
    /// Key of each joint of the skin.
    keys: Vec<usize>,
}

impl<'a> VertexWeights<'a> {
    /// Collects the weights of a rig. `key` is equal for nodes of two rigs that correspond.
    pub fn new(rig: &'a Rig, key: impl Fn(NodeIndex) -> usize) -> Self {
        let mut first = 0;
        let of_part = |(instance, primitive): (&'a MeshInstance, &'a Primitive)| {
            let count = primitive.positions.len();
            first += count;
            let joints = instance.skin.map_or(&[][..], |skin| &rig.skins[skin].joints[..]);
            PrimitiveWeights {
                first: first - count,
                count,
                influences: primitive.influences.as_ref().filter(|_| instance.skin.is_some()),
                keys: joints.iter().map(|joint| key(*joint)).collect(),
            }
        };
        Self(rig.primitives().map(of_part).collect())
    }

    fn vertex(&self, vertex: usize) -> Option<impl Iterator<Item = (usize, f32)>> {
        let part = &self.0[self.0.partition_point(|part| part.first <= vertex).checked_sub(1)?];
        let (influences, vertex) = (part.influences?, vertex - part.first);
        let weight = move |(joint, weight): (usize, f32)| Some((*part.keys.get(joint)?, weight));
        (vertex < influences.len()).then(|| influences.vertex(vertex).filter_map(weight))
    }

    /// Returns each vertex's sum of absolute weight differences to its counterpart, 0 to 2; NaN without a skin or a
    /// counterpart. `counterparts` are indices across all primitives of `other`; `None` for the same vertices in the
    /// same order.
    pub fn difference(&self, other: &Self, counterparts: Option<&[u32]>) -> Vec<Vec<f32>> {
        let difference = |vertex: usize| {
            let counterpart = counterparts.map_or(Some(vertex), |all| all.get(vertex).map(|at| *at as usize));
            let both = self.vertex(vertex).zip(counterpart.and_then(|at| other.vertex(at)));
            both.map_or(f32::NAN, |(own, other)| changes(own, other).map(f32::abs).sum())
        };
        self.0.iter().map(|part| each_vertex(part.count, |v| difference(part.first + v))).collect()
    }
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
    use rigscope_core::rig::Trs;
    use rigscope_core::rig::testing::{chain, skinned};
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
        let [a, b] = [&a, &b].map(|rig| VertexWeights::new(rig, NodeIndex::index));
        assert_eq!(a.difference(&b, None), [[0.5, 2.0, 0.0, 0.0]]);
        assert_eq!(a.difference(&a, None), [[0.0; 4]]);
    }

    #[test]
    fn weights_of_two_files_are_compared_by_counterparts_of_vertices_and_joints() {
        let a = square(1, vec![0, 0, 0, 1], vec![1.0; 4]);
        // The same vertices backwards, with the joints swapped.
        let b = square(1, vec![0, 1, 1, 1], vec![1.0; 4]);
        let a = VertexWeights::new(&a, NodeIndex::index);
        let swapped = VertexWeights::new(&b, |node| 1 - node.index());
        assert_eq!(a.difference(&swapped, Some(&[3, 2, 1, 0])), [[0.0; 4]]);
        let alone = VertexWeights::new(&b, |node| if node.index() == 0 { usize::MAX } else { 0 });
        let parts = a.difference(&alone, Some(&[3, 2, u32::MAX, 0]));
        assert_eq!((&parts[0][..2], parts[0][2].is_nan(), parts[0][3]), (&[0.0; 2][..], true, 2.0));
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
