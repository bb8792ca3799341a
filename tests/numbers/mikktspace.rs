//! Generated tangents compared with another implementation of `MikkTSpace`, whose results equal those of its C source
//! to the byte.

use crate::common;

use std::collections::HashMap;

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use common::fuzz::{Random, again, each_seed};
use glam::{Vec2, Vec3, Vec4};
use rigscope::import::{Job, import_file};
use rigscope::rig::{CoordSet, Primitive, Texture, Wrap};

/// Maximum distance between unit tangents that count as equal; about 0.1°.
const NEAR: f32 = 2e-3;

/// A primitive, and the tangents that the other implementation generates for its corners.
struct Corners<'a> {
    primitive: &'a Primitive,
    normals: &'a [Vec3],
    uvs: &'a [Vec2],
    found: Vec<Option<Vec4>>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.primitive.indices[3 * face + corner] as usize
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.primitive.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.primitive.positions[self.vertex(face, corner)].to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.normals[self.vertex(face, corner)].to_array()
    }

    /// Returns texture coordinates with v pointing up, as `MikkTSpace` defines them.
    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        let Vec2 { x, y } = self.uvs[self.vertex(face, corner)];
        [x, 1.0 - y]
    }

    fn set_tangent(&mut self, tangent: Option<TangentSpace>, face: usize, corner: usize) {
        self.found[3 * face + corner] = tangent.map(|tangent| Vec4::from_array(tangent.tangent_encoded()));
    }
}

/// Bits that identify a vertex: position, normal, texture coordinates and orientation.
type Place = [u32; 9];

/// Numbers of compared vertices.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Vertices to which the other implementation gives a single tangent.
    alike: usize,
    /// Those of them to which we give a different tangent.
    off: usize,
    /// Vertices to which the other implementation gives several tangents, because triangles touch only in this point.
    /// We give them one.
    touching: usize,
}

fn compared(primitive: &Primitive) -> Option<Counts> {
    let texture =
        Texture { image: 0, wrap: [Wrap::Repeat; 2], is_nearest: false, coords: CoordSet::First, transform: None };
    let made = primitive.tangents_for(&texture)?;
    let (normals, uvs) = (primitive.normals.as_deref()?, primitive.tex_coords.as_deref()?);
    let mut corners = Corners { primitive, normals, uvs, found: vec![None; primitive.indices.len()] };
    generate_tangents(&mut corners).ok()?;
    let mut places: HashMap<Place, (Vec<Vec4>, Vec4)> = HashMap::new();
    for (face, triangle) in primitive.indices.as_chunks::<3>().0.iter().enumerate() {
        let [a, b, c] = triangle.map(|vertex| vertex as usize);
        let position = |vertex: usize| primitive.positions[vertex];
        let area = (uvs[b] - uvs[a]).perp_dot(uvs[c] - uvs[a]);
        if (position(b) - position(a)).cross(position(c) - position(a)) == Vec3::ZERO || area == 0.0 {
            continue;
        }
        for (corner, vertex) in [a, b, c].into_iter().enumerate().filter(|(_, vertex)| made[*vertex].w != 0.0) {
            let numbers = position(vertex).to_array().into_iter().chain(normals[vertex].to_array());
            let numbers = numbers.chain(uvs[vertex].to_array()).chain([area.signum()]);
            let mut place = Place::default();
            place.iter_mut().zip(numbers).for_each(|(bits, number)| *bits = (number + 0.0).to_bits());
            let (expected, _) = places.entry(place).or_insert((Vec::new(), made[vertex]));
            expected.extend(corners.found[3 * face + corner]);
        }
    }
    let mut counts = Counts::default();
    for (expected, made) in places.values().filter(|(expected, _)| !expected.is_empty()) {
        if expected.iter().any(|tangent| tangent.distance(expected[0]) > NEAR) {
            counts.touching += 1;
        } else {
            counts.alike += 1;
            counts.off += usize::from(expected[0].distance(*made) > NEAR);
        }
    }
    Some(counts)
}

/// Creates a cloth of triangles with random offsets. Its texture coordinates have random offsets too, and are mirrored
/// on the right half.
fn cloth(random: &mut Random) -> Primitive {
    const SIDE: usize = 9;
    let mut near = |reach: f32| (random.below(2001) as f32 / 1000.0 - 1.0) * reach;
    let mut primitive = Primitive::default();
    let mut uvs = Vec::new();
    for (x, y) in (0..SIDE * SIDE).map(|number| ((number % SIDE) as f32, (number / SIDE) as f32)) {
        primitive.positions.push(Vec3::new(x + near(0.3), y + near(0.3), near(0.8)));
        let mirrored = if x > 4.0 { 8.0 - x } else { x };
        uvs.push(Vec2::new(mirrored + near(0.2), 8.0 - y + near(0.2)) / 8.0);
    }
    for corner in (0..SIDE * (SIDE - 1)).filter(|corner| corner % SIDE + 1 < SIDE) {
        let [a, b, c, d] = [corner, corner + 1, corner + SIDE + 1, corner + SIDE].map(|vertex| vertex as u32);
        primitive.indices.extend([a, b, c, a, c, d]);
    }
    let mut normals = vec![Vec3::ZERO; SIDE * SIDE];
    for triangle in primitive.indices.as_chunks::<3>().0 {
        let [a, b, c] = triangle.map(|vertex| primitive.positions[vertex as usize]);
        for vertex in triangle {
            normals[*vertex as usize] += (b - a).cross(c - a);
        }
    }
    primitive.normals = Some(normals.into_iter().map(Vec3::normalize_or_zero).collect());
    primitive.tex_coords = Some(uvs);
    primitive
}

#[test]
fn pushed_and_mirrored_cloths_have_the_tangents_of_mikktspace() {
    each_seed(40, |seed, random| {
        let counts = compared(&cloth(random)).expect("it has normals and coordinates");
        // The nine vertices of the middle column belong to triangles of both orientations, so they get no tangent.
        let is_same = counts.alike > 60 && counts.off == 0 && counts.touching == 0;
        assert!(is_same, "{counts:?}; {}", again(seed));
    });
}

#[test]
fn sample_characters_have_the_tangents_of_mikktspace() {
    // The built-in characters have no texture coordinates.
    let Some(samples) = common::samples() else { return };
    let mut all = 0;
    for name in ["khronos/CesiumMan/CesiumMan.glb", "kaykit/Knight.glb", "khronos/Fox/Fox.glb"] {
        let rig = import_file(&samples.join(name), &Job::default()).expect("it opens").rig;
        for counts in rig.primitives().filter_map(|(_, primitive)| compared(primitive)) {
            assert!(counts.off == 0 && counts.touching * 20 <= counts.alike, "{name}: {counts:?}");
            all += counts.alike;
        }
    }
    assert!(all > 1000, "only {all} vertices are compared");
}
