//! Made tangents against another implementation of `MikkTSpace`, whose results are those of its C source to the byte.

use crate::common;

use std::sync::Arc;

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use common::fuzz::{Random, again, each_seed};
use glam::{Vec2, Vec3, Vec4};
use rigscope::import::{Job, import_file};
use rigscope::rig::{CoordSet, Primitive, Texture, Wrap};
use rigscope::stage::{BuiltIn, Document, Source};

/// Farther apart, unit tangents are not the same: 0.1 degrees.
const NEAR: f32 = 2e-3;

/// A primitive whose corners the other implementation gives tangents to.
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

    /// With v up, as it is defined by.
    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        let Vec2 { x, y } = self.uvs[self.vertex(face, corner)];
        [x, 1.0 - y]
    }

    fn set_tangent(&mut self, tangent: Option<TangentSpace>, face: usize, corner: usize) {
        self.found[3 * face + corner] = tangent.map(|tangent| Vec4::from_array(tangent.tangent_encoded()));
    }
}

/// Of the vertices that have a tangent, how many there are and how many have another one at some corner.
fn compared(primitive: &Primitive) -> Option<[usize; 2]> {
    let texture =
        Texture { image: 0, wrap: [Wrap::Repeat; 2], is_nearest: false, coords: CoordSet::First, transform: None };
    let made = primitive.tangents_for(&texture)?;
    let (normals, uvs) = (primitive.normals.as_deref()?, primitive.tex_coords.as_deref()?);
    let mut corners = Corners { primitive, normals, uvs, found: vec![None; primitive.indices.len()] };
    generate_tangents(&mut corners).ok()?;
    let mut is_near = vec![None; made.len()];
    for (face, triangle) in primitive.indices.as_chunks::<3>().0.iter().enumerate() {
        let [a, b, c] = triangle.map(|vertex| vertex as usize);
        let place = |vertex: usize| primitive.positions[vertex];
        let has_area = (place(b) - place(a)).cross(place(c) - place(a)) != Vec3::ZERO
            && (uvs[b] - uvs[a]).perp_dot(uvs[c] - uvs[a]) != 0.0;
        for (corner, vertex) in [a, b, c].into_iter().enumerate().filter(|_| has_area) {
            let Some(expected) = corners.found[3 * face + corner].filter(|_| made[vertex].w != 0.0) else { continue };
            *is_near[vertex].get_or_insert(true) &= expected.distance(made[vertex]) < NEAR;
        }
    }
    let known = is_near.iter().flatten();
    Some([known.clone().count(), known.filter(|is_near| !**is_near).count()])
}

/// A cloth of triangles that is pushed about, with an image that is pushed about and mirrored on its right half.
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
        triangle.iter().for_each(|vertex| normals[*vertex as usize] += (b - a).cross(c - a));
    }
    primitive.normals = Some(normals.into_iter().map(Vec3::normalize_or_zero).collect());
    primitive.tex_coords = Some(uvs);
    primitive
}

#[test]
fn pushed_and_mirrored_cloths_have_the_tangents_of_mikktspace() {
    each_seed(40, |seed, random| {
        let [count, off] = compared(&cloth(random)).expect("it has normals and coordinates");
        // The nine vertices in the middle are of both orientations and have none.
        assert!(count > 60 && off == 0, "{off} of {count} differ; {}", again(seed));
    });
}

#[test]
fn characters_have_the_tangents_of_mikktspace() {
    let built_in = BuiltIn::ALL.map(Source::BuiltIn);
    let rigs = built_in.map(|source| Document::open(&source, &Job::default()).map(|document| document.rig));
    let mut rigs: Vec<_> = rigs.into_iter().map(|rig| ("built in", rig.expect("it opens"))).collect();
    let imported = |file: &std::path::Path| Arc::new(import_file(file, &Job::default()).expect("it opens").rig);
    for name in ["khronos/CesiumMan/CesiumMan.glb", "kaykit/Knight.glb", "khronos/Fox/Fox.glb"] {
        let file = common::samples().map(|samples| samples.join(name)).filter(|file| file.is_file());
        rigs.extend(file.map(|file| (name, imported(&file))));
    }
    let mut all = 0;
    for (name, rig) in rigs {
        let primitives = rig.primitives().filter_map(|(_, primitive)| compared(primitive));
        let [count, off] = primitives.fold([0, 0], |[count, off], [more, more_off]| [count + more, off + more_off]);
        // Where triangles touch in a single point, a vertex has one tangent here and several there.
        assert!(off * 200 <= count, "{name}: {off} of {count} differ");
        all += count;
    }
    assert!(all > 0, "none has coordinates");
}
