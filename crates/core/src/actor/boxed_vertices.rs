use glam::{Vec2, Vec3};
use rayon::prelude::*;

use crate::rig::Primitive;
use crate::view::Lens;

/// Returns which vertices of a primitive are in a box of the image, given by its top left and bottom right corners in
/// points. `positions` are posed, world space. Unless `is_through`, vertices whose triangles all face away from the
/// viewer are left out; without triangles, none is.
pub fn boxed_vertices(
    primitive: &Primitive,
    positions: &[Vec3],
    lens: &Lens,
    [min, max]: [Vec2; 2],
    is_through: bool,
) -> Vec<bool> {
    let is_inside = |at: &Vec3| lens.project(*at).is_some_and(|p| p.cmpge(min).all() && p.cmple(max).all());
    let mut is_taken: Vec<bool> = positions.par_iter().map(is_inside).collect();
    if !is_through {
        keep_facing(&mut is_taken, primitive, positions, lens);
    }
    is_taken
}

fn keep_facing(is_taken: &mut [bool], primitive: &Primitive, positions: &[Vec3], lens: &Lens) {
    let mut faces = vec![primitive.indices.is_empty(); positions.len()];
    for triangle in primitive.indices.as_chunks::<3>().0 {
        let corners = triangle.map(|vertex| vertex as usize);
        if !corners.iter().any(|&vertex| is_taken[vertex] && !faces[vertex]) {
            continue;
        }
        let [a, b, c] = corners.map(|vertex| positions[vertex]);
        if (b - a).cross(c - a).dot(lens.to_viewer(a)) > 0.0 {
            for vertex in corners {
                faces[vertex] = true;
            }
        }
    }
    is_taken.iter_mut().zip(faces).for_each(|(is_taken, faces)| *is_taken &= faces);
}
