//! Tangents for normal maps, computed as in `MikkTSpace`, the algorithm with which normal maps are baked.
//!
//! *Source*: Mikkelsen, Simulation of Wrinkled Surfaces Revisited, 2008, and `mikktspace.c`: the u direction of each
//! triangle is projected onto the plane of the vertex normal, weighted by the corner angle, and summed over corners
//! with equal position, normal, texture coordinate and orientation.
//!
//! `MikkTSpace` splits vertices where mirrored texture coordinates meet. Rigscope doesn't, because weights, overlays
//! and findings refer to vertex numbers. Such a vertex gets no tangent, and the shader derives a frame per pixel.
//! Unlike in `MikkTSpace`, triangle fans of one orientation that touch in a single point share a tangent.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};

use super::{CoordSet, Primitive, Texture, weld};

const BOTH: u8 = 3;

impl Primitive {
    /// Returns the tangents used for normal mapping: the file's or, if it has none, [`Self::generated_tangents`].
    pub fn drawn_tangents(&self) -> Option<&[Vec4]> {
        self.tangents.as_deref().or(self.generated_tangents.as_deref())
    }

    /// Computes tangents for a normal texture, skin space, one per vertex; zero where adjacent triangles disagree.
    /// `None` without triangles, normals or the texture's coordinates.
    pub fn tangents_for(&self, texture: &Texture) -> Option<Vec<Vec4>> {
        let coords = match texture.coords {
            CoordSet::First => self.tex_coords.as_ref(),
            CoordSet::Second => self.second_tex_coords.as_ref(),
        };
        let (normals, coords) = (self.normals.as_ref()?, coords?);
        if self.indices.is_empty() {
            return None;
        }
        let moved = |uv: &Vec2| texture.transform.map_or(*uv, |transform| transform.transform_point2(*uv));
        let uvs: Vec<Vec2> = coords.iter().map(moved).collect();
        Some(TangentInputs { positions: &self.positions, normals, uvs: &uvs }.tangents(&self.indices))
    }
}

#[derive(Clone, Copy)]
struct TangentInputs<'a> {
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    uvs: &'a [Vec2],
}

impl TangentInputs<'_> {
    fn tangents(self, indices: &[u32]) -> Vec<Vec4> {
        let same = self.first_alike();
        let mut sums = vec![[Vec3::ZERO; 2]; same.len()];
        let mut orientations = vec![0_u8; same.len()];
        for corners in indices.as_chunks().0 {
            let corners = corners.map(|c| c as usize);
            let Some((along_u, is_mirrored)) = self.along_u(corners) else { continue };
            for corner in 0..3 {
                let [vertex, next, last] = [0, 1, 2].map(|step| corners[(corner + step) % 3]);
                let plane = TangentPlane(self.normals[vertex]);
                let (to_next, to_last) = (self.edge(vertex, next), self.edge(vertex, last));
                let angle = plane.laid(to_next).dot(plane.laid(to_last)).clamp(-1.0, 1.0).acos();
                sums[same[vertex] as usize][usize::from(is_mirrored)] += plane.laid(along_u) * angle;
                orientations[vertex] |= 1 << u8::from(is_mirrored);
            }
        }
        let tangent = |(vertex, &orientation): (usize, &u8)| {
            let is_mirrored = orientation == 2;
            let sum = sums[same[vertex] as usize][usize::from(is_mirrored)].normalize_or_zero();
            let has_one = orientation != 0 && orientation != BOTH && sum != Vec3::ZERO;
            if has_one { sum.extend(if is_mirrored { -1.0 } else { 1.0 }) } else { Vec4::ZERO }
        };
        orientations.iter().enumerate().map(tangent).collect()
    }

    fn edge(self, from: usize, to: usize) -> Vec3 {
        self.positions[to] - self.positions[from]
    }

    /// Returns the direction of increasing u on a triangle, and whether the image is mirrored there. `None` if the
    /// triangle is degenerate in space or in the image.
    fn along_u(self, [a, b, c]: [usize; 3]) -> Option<(Vec3, bool)> {
        let (towards_b, towards_c) = (self.uvs[b] - self.uvs[a], self.uvs[c] - self.uvs[a]);
        let area = towards_b.perp_dot(towards_c);
        let along = (self.edge(a, b) * towards_c.y - self.edge(a, c) * towards_b.y) * area.signum();
        let has_area = self.edge(a, b).cross(self.edge(a, c)) != Vec3::ZERO && area != 0.0;
        // v points down in images, so texture coordinates without mirroring wind opposite to the corners.
        along.try_normalize().filter(|_| has_area).map(|along| (along, area > 0.0))
    }

    /// Returns, for each vertex, the first vertex with equal position, normal and texture coordinates.
    fn first_alike(self) -> Vec<u32> {
        let mut same = weld(self.positions);
        let key = |vertex: usize| {
            let (normal, uv) = (self.normals[vertex], self.uvs[vertex]);
            [normal.x, normal.y, normal.z, uv.x, uv.y].map(|x| (x + 0.0).to_bits())
        };
        let mut others = HashMap::new();
        for (vertex, place) in same.iter_mut().enumerate() {
            let first = *place as usize;
            if first != vertex && key(first) != key(vertex) {
                *place = *others.entry((first, key(vertex))).or_insert(vertex as u32);
            }
        }
        same
    }
}

struct TangentPlane(Vec3);

impl TangentPlane {
    fn laid(&self, vector: Vec3) -> Vec3 {
        (vector - self.0 * self.0.dot(vector)).normalize_or_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Wrap;
    use glam::Affine2;

    const TEXTURE: Texture =
        Texture { image: 0, wrap: [Wrap::Repeat; 2], is_nearest: false, coords: CoordSet::First, transform: None };

    fn mirrored() -> Primitive {
        let positions = [0.0, 1.0, 2.0].iter().flat_map(|&x| [Vec3::new(x, 0.0, 0.0), Vec3::new(x, 1.0, 0.0)]);
        let u = [0.0, 1.0, 0.0];
        Primitive {
            positions: positions.collect(),
            normals: Some(vec![Vec3::Z; 6]),
            tex_coords: Some(u.iter().flat_map(|&u| [Vec2::new(u, 1.0), Vec2::new(u, 0.0)]).collect()),
            indices: vec![0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3],
            ..Primitive::default()
        }
    }

    #[test]
    fn tangents_follow_u_and_the_bitangent_is_up_the_image() {
        let tangents = mirrored().tangents_for(&TEXTURE).unwrap();
        assert_eq!(tangents[..2], [Vec4::new(1.0, 0.0, 0.0, 1.0); 2]);
        assert_eq!(tangents[2..4], [Vec4::ZERO; 2], "the sides of the mirror agree on none");
        assert_eq!(tangents[4..], [Vec4::new(-1.0, 0.0, 0.0, -1.0); 2]);
    }

    #[test]
    fn doubled_vertices_have_the_tangents_of_their_own_side() {
        let shared = mirrored();
        let corner = |i: &u32| *i as usize;
        let split = Primitive {
            positions: shared.indices.iter().map(|i| shared.positions[corner(i)]).collect(),
            normals: Some(vec![Vec3::Z; 12]),
            tex_coords: shared.tex_coords.as_ref().map(|uvs| shared.indices.iter().map(|i| uvs[corner(i)]).collect()),
            indices: (0..12).collect(),
            ..Primitive::default()
        };
        let tangents = split.tangents_for(&TEXTURE).unwrap();
        assert_eq!(tangents[..6], [Vec4::new(1.0, 0.0, 0.0, 1.0); 6]);
        assert_eq!(tangents[6..], [Vec4::new(-1.0, 0.0, 0.0, -1.0); 6]);
    }

    #[test]
    fn corners_count_by_their_angle_and_lie_in_the_plane_of_the_normal() {
        // Angles at the first vertex: 90° on the first triangle, where u grows along x, and 45° on the second.
        let mut fan = Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::NEG_X + Vec3::Y],
            normals: Some(vec![Vec3::Z; 4]),
            tex_coords: Some(vec![Vec2::ZERO, Vec2::X, Vec2::NEG_Y, Vec2::new(-1.0, -1.0)]),
            indices: vec![0, 1, 2],
            ..Primitive::default()
        };
        assert_eq!(fan.tangents_for(&TEXTURE).unwrap()[0], Vec4::new(1.0, 0.0, 0.0, 1.0));
        fan.indices.extend([0, 2, 3]);
        if let Some(uvs) = &mut fan.tex_coords {
            // On the second triangle, u now grows along (1, 1).
            (uvs[2], uvs[3]) = (Vec2::NEG_Y, Vec2::new(-1.0, -2.0));
        }
        let [a, b] = [[0, 1, 2], [0, 2, 3]].map(|corners| {
            let (normals, uvs) = (fan.normals.as_deref().unwrap(), fan.tex_coords.as_deref().unwrap());
            TangentInputs { positions: &fan.positions, normals, uvs }.along_u(corners).unwrap().0
        });
        let wanted = (a * 90.0 + b * 45.0).normalize_or_zero();
        assert!(fan.tangents_for(&TEXTURE).unwrap()[0].truncate().distance(wanted) < 1e-6);
        fan.normals = Some(vec![Vec3::new(0.6, 0.0, 0.8); 4]);
        let leant = fan.tangents_for(&TEXTURE).unwrap()[0].truncate();
        assert!(leant.dot(Vec3::new(0.6, 0.0, 0.8)).abs() < 1e-6 && (leant.length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn they_lie_by_the_coordinates_that_the_texture_has_and_broken_ones_give_none() {
        let turned = Texture { transform: Some(Affine2::from_angle(std::f32::consts::FRAC_PI_2)), ..TEXTURE };
        let tangent = mirrored().tangents_for(&turned).unwrap()[0];
        assert!(tangent.distance(Vec4::new(0.0, 1.0, 0.0, 1.0)) < 1e-6, "{tangent}");
        assert_eq!(mirrored().tangents_for(&Texture { coords: CoordSet::Second, ..TEXTURE }), None);
        let mut folded = mirrored();
        folded.tex_coords = Some(vec![Vec2::splat(f32::MAX), Vec2::ONE, Vec2::ZERO, Vec2::ONE, Vec2::ONE, Vec2::ONE]);
        folded.positions[0] = Vec3::splat(f32::MAX);
        let tangents = folded.tangents_for(&TEXTURE).unwrap();
        assert!(tangents.iter().all(|t| t.is_finite()), "{tangents:?}");
    }
}
