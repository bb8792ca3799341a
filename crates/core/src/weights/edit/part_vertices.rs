use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::mesh::EditMesh;
use super::point_set::PointSet;
use crate::rig::Rig;

/// Selected vertices of a primitive, as stored in files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PrimitiveVertices {
    /// Index of the mesh.
    mesh: usize,
    /// Name of the mesh.
    name: String,
    /// Index of the primitive in its mesh.
    primitive: usize,
    /// First and last vertex of each run of consecutive vertices, ascending.
    runs: Vec<[u32; 2]>,
}

impl PrimitiveVertices {
    /// Collects the vertices at the points of a set, by primitive. *Cost*: linear in vertices.
    pub fn from_points(points: &PointSet, mesh: &EditMesh, rig: &Rig) -> Vec<Self> {
        let mut parts = Vec::new();
        for (mesh_index, primitive) in mesh.parts() {
            let mut runs: Vec<[u32; 2]> = Vec::new();
            let own = (0..).zip(mesh.primitive_points(mesh_index, primitive));
            for (vertex, _) in own.filter(|(_, point)| points.contains(*point)) {
                match runs.last_mut() {
                    Some([_, last]) if *last + 1 == vertex => *last = vertex,
                    _ => runs.push([vertex, vertex]),
                }
            }
            if !runs.is_empty() {
                parts.push(Self { mesh: mesh_index, name: rig.meshes[mesh_index].name.clone(), primitive, runs });
            }
        }
        parts
    }

    /// Returns the points of the vertices; ignores vertices that the mesh lacks. *Cost*: linear in vertices.
    pub fn points(parts: &[Self], mesh: &EditMesh, rig: &Rig) -> PointSet {
        let mut set = PointSet::new(mesh, []);
        for part in parts {
            let Some((mesh_index, primitive)) = part_in(rig, part.mesh, &part.name, part.primitive) else { continue };
            let points: Vec<u32> = mesh.primitive_points(mesh_index, primitive).collect();
            // Skips vertices before `next`, so that none is visited twice even if the runs in a file overlap.
            let mut next = 0;
            for &[first, last] in &part.runs {
                let end = (last as usize).saturating_add(1).min(points.len());
                let run = points.get((first as usize).max(next)..end).unwrap_or_default();
                for &point in run {
                    set.set(point, true);
                }
                next = next.max(end);
            }
        }
        set
    }
}

/// Finds the mesh and primitive of stored data, preferring a mesh with the same index and name, then one with the same
/// name, then one with the same index.
pub(super) fn part_in(rig: &Rig, mesh: usize, name: &str, primitive: usize) -> Option<(usize, usize)> {
    let has_it = |mesh: &usize| rig.meshes.get(*mesh).is_some_and(|mesh| primitive < mesh.primitives.len());
    let is_called_so = |mesh: &usize| rig.meshes.get(*mesh).is_some_and(|mesh| mesh.name == name);
    let named = || (0..rig.meshes.len()).find(|mesh| is_called_so(mesh) && has_it(mesh));
    let own = Some(mesh).filter(has_it);
    Some((own.filter(is_called_so).or_else(named).or(own)?, primitive))
}
