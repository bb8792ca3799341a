use crate::actor::Counterparts;
use crate::analysis::measure::VertexLocation;
use crate::rig::{Primitive, Rig};

/// Returns the counterpart of a vertex: the same index if positions or triangles are unchanged, otherwise the vertex at
/// the same position.
pub(super) fn vertex_counterpart(
    place: VertexLocation,
    old: &Rig,
    new: &Rig,
    same: &Counterparts,
) -> Option<VertexLocation> {
    let VertexLocation { instance, primitive, vertex } = place;
    let before = old.instances.get(instance)?;
    let node = same.node(before.node)?;
    let instance = new.instances.iter().position(|placed| placed.node == node)?;
    let was = old.meshes[before.mesh].primitives.get(primitive)?;
    let is = new.meshes[new.instances[instance].mesh].primitives.get(primitive)?;
    Some(VertexLocation { instance, primitive, vertex: vertex_in(vertex, was, is)? })
}

fn vertex_in(vertex: usize, was: &Primitive, is: &Primitive) -> Option<usize> {
    let place = was.positions.get(vertex)?;
    if is.positions.get(vertex) == Some(place) || was.indices == is.indices && vertex < is.positions.len() {
        return Some(vertex);
    }
    is.positions.iter().position(|position| position == place)
}

/// Returns a camera's counterpart: the camera with the same name. If several have this name, prefers the one on the
/// same node.
pub(super) fn camera_counterpart(camera: usize, old: &Rig, new: &Rig, same: &Counterparts) -> Option<usize> {
    let camera = old.cameras.get(camera)?;
    let named = new.cameras.iter().enumerate().filter(|(_, other)| other.name == camera.name);
    named.min_by_key(|(_, other)| same.node(camera.node) != Some(other.node)).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn primitive(points: &[f32], indices: &[u32]) -> Primitive {
        let positions = points.iter().map(|x| Vec3::splat(*x)).collect();
        Primitive { positions, indices: indices.into(), ..Primitive::default() }
    }

    #[test]
    fn a_vertex_is_found_by_its_position_and_in_a_moved_mesh_by_its_number() {
        let was = primitive(&[0.0, 1.0, 2.0], &[0, 1, 2]);
        let cases = [
            (primitive(&[0.0, 1.0, 2.0, 3.0], &[0, 1, 3]), Some(1), "more vertices"),
            (primitive(&[5.0, 0.0, 1.0], &[2, 1, 0]), Some(2), "another order"),
            (primitive(&[7.0, 8.0, 9.0], &[0, 1, 2]), Some(1), "a moved mesh"),
            (primitive(&[7.0, 8.0, 9.0], &[2, 1, 0]), None, "another mesh"),
            (primitive(&[7.0], &[]), None, "a smaller one"),
        ];
        for (is, expected, what) in cases {
            assert_eq!(vertex_in(1, &was, &is), expected, "{what}");
        }
    }
}
