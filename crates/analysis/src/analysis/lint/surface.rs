//! Skinned primitives of a mesh as one welded surface with vertex weights.

use super::finding::LintedPrimitive;
use rigscope_core::rig::{MeshVertex, PointGraph, VertexList, WeldedMesh};

/// Skinned primitives of a mesh, joined because a joint's influence crosses material boundaries.
pub(super) struct JoinedSurface<'a> {
    parts: Vec<LintedPrimitive<'a>>,
    pub mesh: WeldedMesh,
    graph: PointGraph,
}

impl<'a> JoinedSurface<'a> {
    pub(super) fn new(parts: Vec<LintedPrimitive<'a>>) -> Self {
        let mesh = WeldedMesh::new(parts.iter().map(|part| part.primitive));
        Self { parts, graph: PointGraph::new(mesh.vertex_count(), mesh.point_triangles()), mesh }
    }

    pub(super) fn parts(&self) -> &[LintedPrimitive<'a>] {
        &self.parts
    }

    /// Returns the `(joint, weight)` pairs of a vertex, heaviest first.
    pub(super) fn influences(&self, vertex: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let MeshVertex { primitive, vertex } = self.mesh.locate(vertex);
        let influences = self.parts[primitive].primitive.influences.as_ref();
        influences.into_iter().flat_map(move |influences| influences.vertex(vertex))
    }

    pub(super) fn each_influence(&self, min_weight: f32, mut visit: impl FnMut(usize, usize, f32)) {
        for (part, range) in self.parts.iter().zip(self.mesh.parts()) {
            let Some(influences) = &part.primitive.influences else { continue };
            let slots = influences.joints().iter().zip(influences.weights());
            let mut slots = slots.map(|(&joint, &weight)| (usize::from(joint), weight));
            for vertex in range.start..range.start + influences.len() {
                let of_vertex = slots.by_ref().take(influences.per_vertex());
                if self.mesh.point(vertex) == vertex {
                    of_vertex.filter(|slot| slot.1 >= min_weight).for_each(|slot| visit(vertex, slot.0, slot.1));
                } else {
                    of_vertex.for_each(drop);
                }
            }
        }
    }

    /// Groups vertices by primitive, in their original order, and converts them to indices into the primitive.
    pub(super) fn by_part(&self, vertices: impl IntoIterator<Item = usize>) -> Vec<(&LintedPrimitive<'a>, VertexList)> {
        let mut lists = vec![VertexList::default(); self.parts.len()];
        for vertex in vertices {
            let MeshVertex { primitive, vertex } = self.mesh.locate(vertex);
            lists[primitive].push(vertex);
        }
        self.parts.iter().zip(lists).filter(|(_, list)| !list.is_empty()).collect()
    }

    /// Returns the points that share an edge with a point, each once, in ascending order.
    pub(super) fn neighbors(&self, point: usize) -> impl Iterator<Item = usize> + '_ {
        self.graph.neighbors(point as u32).iter().map(|&neighbor| neighbor as usize)
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use rigscope_core::rig::{Hierarchy, Mesh, Primitive};

    #[test]
    fn vertices_are_grouped_by_primitive() {
        let triangle = Primitive { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], ..Primitive::default() };
        let (hierarchy, mesh) = (Hierarchy::default(), Mesh::default());
        let part = |primitive| LintedPrimitive { hierarchy: &hierarchy, mesh: &mesh, primitive, skin: None };
        let surface = JoinedSurface::new(vec![part(&triangle), part(&triangle)]);
        let lists: Vec<Vec<u32>> = surface.by_part([1, 3, 5]).iter().map(|(_, list)| list.first().to_vec()).collect();
        assert_eq!(lists, [vec![1], vec![0, 2]]);
    }
}
