//! Tests of surfaces with known colours: spheres (compared with a numerical integral), tilted normals, alpha over a
//! checker, greys.

mod depth;

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use image::RgbaImage;

use crate::render::light::built_in::BuiltInEnvironment;
use crate::render::{FrameInput, Headless};
use rigscope_core::actor::{Actor, SharedPose};
use rigscope_core::rig::testing::on_one_node;
use rigscope_core::rig::{
    Alpha, Coat, CoordSet, Image, MapKind, Material, MaterialIndex, Pose, Primitive, Rig, RigData, Sheen, Specular,
    Texture, Wrap, evaluate,
};
use rigscope_core::view::{Camera, Environment, Layout, ShadingMode, View};

const SIDE: u32 = 128;
const HALF: f32 = 1.0;

fn rig(parts: Vec<(Primitive, Material)>, images: Vec<Image>) -> Arc<Rig> {
    let (mut primitives, mut materials) = (Vec::new(), Vec::new());
    for (index, (primitive, material)) in parts.into_iter().enumerate() {
        primitives.push(Primitive { material: Some(MaterialIndex(index)), ..primitive });
        materials.push(material);
    }
    Arc::new(Rig::new(RigData { materials, images, ..on_one_node(vec![primitives], &[(0, None)]) }))
}

/// A view along -Z, or along +Z if `behind`.
fn view(shading: ShadingMode, behind: bool) -> View {
    let camera = Camera {
        yaw: if behind { PI } else { 0.0 },
        pitch: 0.0,
        is_orthographic: true,
        distance: 4.0,
        scene_size: 4.0,
        // In parallel projection, field of view and distance set the scale.
        fov: 2.0 * (HALF / 4.0_f32).atan(),
        ..Camera::default()
    };
    let mut view = View { camera, ..View::default() };
    (view.display.bones, view.display.grid, view.display.shading) = (false, false, shading);
    view
}

fn picture(rig: &Arc<Rig>, view: &View) -> RgbaImage {
    let headless = Headless::new().expect("Mesa's software device is enough");
    let mut scene = headless.scene().expect("a scene");
    let pose = Pose::rest(&rig.hierarchy);
    let actor = Actor::new(rig, SharedPose::new(rig, evaluate(rig, None, &pose)));
    scene.draw(&FrameInput::for_actor(&actor, (&pose, view), [SIDE; 2])).expect("it draws");
    scene.pixels().expect("a picture")
}

/// Returns the pixel at a point, in metres, of the plane z = 0.
fn at(picture: &RgbaImage, place: Vec2) -> [u8; 3] {
    let pixel = (Vec2::new(place.x, -place.y) / HALF * 0.5 + 0.5) * SIDE as f32;
    let [r, g, b, _] = picture.get_pixel(pixel.x as u32, pixel.y as u32).0;
    [r, g, b]
}

/// A rectangle facing +Z, with texture coordinates from its upper left corner.
fn square(min: Vec2, max: Vec2, z: f32) -> Primitive {
    let corners = [Vec2::new(0.0, 1.0), Vec2::ONE, Vec2::new(1.0, 0.0), Vec2::ZERO];
    let position = |c: &Vec2| Vec2::new(min.x + c.x * (max.x - min.x), max.y - c.y * (max.y - min.y)).extend(z);
    Primitive {
        positions: corners.iter().map(position).collect(),
        normals: Some(vec![Vec3::Z; 4]),
        tex_coords: Some(corners.to_vec()),
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    }
}

fn unlit(color: [f32; 3], alpha: f32, mode: Alpha) -> Material {
    Material { base_color: Vec3::from(color).extend(alpha), alpha: mode, is_unlit: true, ..Material::default() }
}

fn texture(image: usize) -> Texture {
    Texture { image, wrap: [Wrap::Clamp; 2], is_nearest: true, coords: CoordSet::First, transform: None }
}

fn image(width: u32, texels: &[[u8; 4]]) -> Image {
    Image { width, height: texels.len() as u32 / width, rgba: texels.as_flattened().into() }
}

const ALL: [Vec2; 2] = [Vec2::new(-1.0, -1.0), Vec2::ONE];

#[test]
fn every_grey_of_an_unlit_texture_comes_out_as_it_is() {
    let greys: Vec<[u8; 4]> = (0..=255).map(|v| [v, v, v, 255]).collect();
    let material = Material { texture: Some(texture(0)), ..unlit([1.0; 3], 1.0, Alpha::Opaque) };
    let rig = rig(vec![(square(ALL[0], ALL[1], 0.0), material)], vec![image(16, &greys)]);
    let picture = picture(&rig, &view(ShadingMode::Textured, false));
    for value in 0..=255_u8 {
        let texel = Vec2::new(f32::from(value % 16), f32::from(value / 16)) + 0.5;
        let place = Vec2::new(texel.x / 8.0 - 1.0, 1.0 - texel.y / 8.0);
        assert_eq!(at(&picture, place), [value; 3], "grey {value}");
    }
}

#[test]
fn alpha_cuts_at_its_value_and_mixes_light() {
    let middle = |x: f32| square(Vec2::new(x - 0.2, -0.8), Vec2::new(x + 0.2, 0.8), 0.1);
    let parts = vec![
        (square(Vec2::new(-1.0, 0.0), ALL[1], 0.0), unlit([0.0; 3], 1.0, Alpha::Opaque)),
        (square(ALL[0], Vec2::new(1.0, 0.0), 0.0), unlit([1.0; 3], 1.0, Alpha::Opaque)),
        (middle(-0.75), unlit([1.0, 0.0, 0.0], 0.6, Alpha::Mask(0.5))),
        (middle(-0.25), unlit([1.0, 0.0, 0.0], 0.4, Alpha::Mask(0.5))),
        (middle(0.25), unlit([1.0, 1.0, 0.0], 0.5, Alpha::Blend)),
        (middle(0.75), unlit([1.0, 0.0, 0.0], 0.25, Alpha::Blend)),
    ];
    let picture = picture(&rig(parts, Vec::new()), &view(ShadingMode::Textured, false));
    let found = |x: f32| [at(&picture, Vec2::new(x, 0.4)), at(&picture, Vec2::new(x, -0.4))];
    assert_eq!(found(-0.75), [[255, 0, 0]; 2], "above its cutoff");
    assert_eq!(found(-0.25), [[0; 3], [255; 3]], "below it");
    // In sRGB bytes, a quarter of the light is 137, half 188, three quarters 225.
    let near = |found: [[u8; 3]; 2], wanted: [[u8; 3]; 2]| {
        let pairs = found.as_flattened().iter().zip(wanted.as_flattened());
        assert!(pairs.clone().all(|(f, w)| f.abs_diff(*w) <= 1), "{found:?} for {wanted:?}");
    };
    near(found(0.25), [[188, 188, 0], [255, 255, 188]]);
    near(found(0.75), [[137, 0, 0], [255, 225, 225]]);
}

#[test]
fn a_normal_texture_leans_the_same_way_from_both_sides_and_on_mirrored_coordinates() {
    let lean = 0.6_f32;
    let byte = |x: f32| ((0.5 + 0.5 * x) * 255.0).round() as u8;
    let up = (1.0 - lean * lean).sqrt();
    // Normals tilt towards u in the left half and up in the right half.
    let images = vec![image(2, &[[byte(lean), 128, byte(up), 255], [128, byte(lean), byte(up), 255]])];
    let material = || {
        let mut material = Material { is_double_sided: true, ..Material::default() };
        material.maps[MapKind::Normal] = Some(texture(0));
        material
    };
    let upper = square(Vec2::new(-1.0, 0.0), ALL[1], 0.0);
    let mut lower = square(ALL[0], Vec2::new(1.0, 0.0), 0.0);
    for uv in lower.tex_coords.iter_mut().flatten() {
        uv.x = 1.0 - uv.x;
    }
    for tangent in [None, Some(texture(0))] {
        let with_tangents = |square: &Primitive| {
            let made_tangents = tangent.as_ref().and_then(|texture| square.tangents_for(texture));
            assert_eq!(made_tangents.is_some(), tangent.is_some());
            Primitive { generated_tangents: made_tangents, ..square.clone() }
        };
        let parts = [&upper, &lower].map(|square| (with_tangents(square), material()));
        leans_as_it_should(&rig(parts.into(), images.clone()), lean, up);
    }
}

/// Asserts that normals tilt towards u in the left half and up in the right half. From behind, they tilt left.
fn leans_as_it_should(rig: &Arc<Rig>, lean: f32, up: f32) {
    let normal = |picture: &RgbaImage, x: f32, y: f32| {
        Vec3::from(at(picture, Vec2::new(x, y)).map(|c| f32::from(c) / 127.5 - 1.0))
    };
    let front = picture(rig, &view(ShadingMode::Normals, false));
    for (x, y, wanted) in [
        (-0.5, 0.5, Vec3::new(lean, 0.0, up)),
        (0.5, 0.5, Vec3::new(0.0, lean, up)),
        (0.5, -0.5, Vec3::new(-lean, 0.0, up)),
        (-0.5, -0.5, Vec3::new(0.0, lean, up)),
    ] {
        let found = normal(&front, x, y);
        assert!(found.distance(wanted) < 0.03, "from the front at {x}, {y}: {found} for {wanted}");
    }
    // From behind, left and right are swapped, and the normals are flipped.
    let behind = picture(rig, &view(ShadingMode::Normals, true));
    for (x, y, wanted) in [(0.5, 0.5, Vec3::new(-lean, 0.0, -up)), (-0.5, 0.5, Vec3::new(0.0, -lean, -up))] {
        let found = normal(&behind, x, y);
        assert!(found.distance(wanted) < 0.03, "from behind at {x}, {y}: {found} for {wanted}");
    }
}

/// A black, non-reflective surface under a coat. A texture or the geometry tilts the coat's normals to the right.
#[test]
fn a_coat_leans_by_its_own_normal_texture() {
    let lean = 0.6_f32;
    let byte = |x: f32| ((0.5 + 0.5 * x) * 255.0).round() as u8;
    let images = vec![image(1, &[[byte(lean), 128, byte(0.8), 255]])];
    let coated = |texture: Option<Texture>| {
        let mut material = Material {
            base_color: Vec4::W,
            specular: Specular { at_normal: Vec3::ZERO, strength: 0.0 },
            coat: Coat { strength: 1.0, roughness: 0.4, normal_scale: 1.0 },
            ..Material::default()
        };
        material.maps[MapKind::CoatNormal] = texture;
        material
    };
    let middle = |part: (Primitive, Material)| {
        let picture = picture(&rig(vec![part], images.clone()), &view(ShadingMode::Textured, false));
        Vec3::from(at(&picture, Vec2::new(0.1, 0.1)).map(f32::from))
    };
    let flat = || square(ALL[0], ALL[1], 0.0);
    let leant = Primitive { normals: Some(vec![Vec3::new(lean, 0.0, 0.8); 4]), ..flat() };
    let (by_itself, by_texture) = (middle((leant, coated(None))), middle((flat(), coated(Some(texture(0))))));
    assert!(by_itself.distance(by_texture) < 4.0, "{by_texture} for {by_itself}");
    assert!(by_itself.distance(middle((flat(), coated(None)))) > 12.0, "the coat is seen to lean");
}

#[test]
fn alpha_of_a_sheen_roughness_texture_is_multiplied_with_the_roughness() {
    let fibres = |roughness: f32, texture: Option<Texture>| {
        let sheen = Sheen { color: Vec3::ONE, roughness };
        let mut material = Material { base_color: Vec4::new(0.1, 0.1, 0.1, 1.0), sheen, ..Material::default() };
        material.maps[MapKind::SheenRoughness] = texture;
        let part = Primitive { normals: Some(vec![Vec3::new(0.8, 0.0, 0.6); 4]), ..square(ALL[0], ALL[1], 0.0) };
        let picture = picture(
            &rig(vec![(part, material)], vec![image(1, &[[0, 0, 0, 102]])]),
            &view(ShadingMode::Textured, false),
        );
        at(&picture, Vec2::new(0.1, 0.1))[0]
    };
    let (whole, less, by_texture) = (fibres(1.0, None), fibres(0.4, None), fibres(1.0, Some(texture(0))));
    assert!(less.abs_diff(by_texture) <= 1 && less.abs_diff(whole) > 8, "{by_texture} for {less}, not {whole}");
}

#[test]
fn borders_mix_light_and_not_bytes() {
    let mut white = square(ALL[0], Vec2::new(0.0, 1.0), 0.1);
    white.positions[1].x = 0.3;
    let parts = vec![
        (square(ALL[0], ALL[1], 0.0), unlit([0.0; 3], 1.0, Alpha::Opaque)),
        (white, unlit([1.0; 3], 1.0, Alpha::Opaque)),
    ];
    let picture = picture(&rig(parts, Vec::new()), &view(ShadingMode::Textured, false));
    let border: Vec<u8> = picture.pixels().map(|p| p.0[0]).filter(|v| ![0, 255].contains(v)).collect();
    // One, two and three of four samples lit.
    let is_near = |value: &u8| [137_u8, 188, 225].iter().any(|wanted| value.abs_diff(*wanted) <= 1);
    assert!(border.len() > 30 && border.iter().all(is_near), "{border:?}");
}

#[test]
fn shadows_on_sides_that_are_compared_are_those_of_one_alone() {
    let wall = square(ALL[0], ALL[1], -0.6);
    let parts = vec![(wall, Material::default()), (ball(0.4), Material::default())];
    let rig = rig(parts, Vec::new());
    let mut view = view(ShadingMode::Textured, false);
    let alone = picture(&rig, &view);
    let away = |x: u32| x.abs_diff(SIDE / 2) > 4;
    (view.compare.layout, view.compare.is_clay) = (Layout::Wipe, false);
    let compared = picture(&rig, &view);
    let differ = compared.enumerate_pixels().filter(|(x, y, p)| away(*x) && *p != alone.get_pixel(*x, *y)).count();
    assert_eq!(differ, 0);
    // The wall must have a shadow, so its brightness varies.
    let wall: Vec<u8> =
        alone.enumerate_pixels().filter(|(x, y, _)| *x < 8 || *y > 119).map(|(_, _, p)| p.0[1]).collect();
    assert!(wall.iter().max().unwrap() - wall.iter().min().unwrap() > 20, "{wall:?}");
}

fn ball(radius: f32) -> Primitive {
    const AROUND: u32 = 96;
    const DOWN: u32 = 48;
    let normal = |ring: u32, step: u32| {
        let (tilt, turn) = (PI * ring as f32 / DOWN as f32, TAU * step as f32 / AROUND as f32);
        Vec3::new(tilt.sin() * turn.sin(), tilt.cos(), tilt.sin() * turn.cos())
    };
    let normals: Vec<Vec3> = (0..=DOWN).flat_map(|r| (0..=AROUND).map(move |s| normal(r, s))).collect();
    let quad = |r: u32, s: u32| {
        let [a, b] = [r * (AROUND + 1) + s, (r + 1) * (AROUND + 1) + s];
        [a, b, b + 1, a, b + 1, a + 1]
    };
    Primitive {
        positions: normals.iter().map(|n| *n * radius).collect(),
        normals: Some(normals),
        indices: (0..DOWN).flat_map(|r| (0..AROUND).flat_map(move |s| quad(r, s))).collect(),
        ..Primitive::default()
    }
}

/// BRDF times the cosine of the incoming direction: glTF 2.0, appendix B.
fn reflected(material: &Material, n: Vec3, v: Vec3, l: Vec3) -> Vec3 {
    let (nl, nv) = (n.dot(l), n.dot(v));
    if nl <= 0.0 {
        return Vec3::ZERO;
    }
    let base = material.base_color.truncate();
    let h = (v + l).normalize_or(n);
    let squared = material.roughness.powi(4);
    let d = squared / (PI * (n.dot(h).powi(2) * (squared - 1.0) + 1.0).powi(2));
    let smith = |c: f32| 2.0 * c / (c + (squared + (1.0 - squared) * c * c).sqrt());
    // The height-correlated visibility depends on the sum of both lambdas.
    let lambda = |c: f32| 0.5 * (2.0 / smith(c) - 2.0);
    let g = 1.0 / (1.0 + lambda(nl) + lambda(nv));
    let fresnel = (1.0 - v.dot(h)).max(0.0).powi(5);
    let gloss = d * g / (4.0 * nl * nv);
    let metal = (base + (Vec3::ONE - base) * fresnel) * gloss;
    let f = 0.04 + 0.96 * fresnel;
    let plain = base * ((1.0 - f) / PI) + Vec3::splat(f * gloss);
    plain.lerp(metal, material.metallic) * nl
}

/// Numerically integrates the light that a surface in an environment reflects towards a viewer in front.
fn integrated(around: &BuiltInEnvironment, material: &Material, n: Vec3) -> Vec3 {
    const COUNT: usize = 30_000;
    let v = Vec3::Z;
    let all = rigscope_core::environment::directions(COUNT);
    let light: Vec3 = all.map(|l| reflected(material, n, v, l) * around.radiance(l)).sum();
    let key = reflected(material, n, v, around.key.towards) * around.key.color * PI;
    light * (4.0 * PI / COUNT as f32) + key
}

/// The tone curve of `tone.glsl`, decoded to linear.
fn neutral(c: Vec3) -> Vec3 {
    let min_channel = c.min_element();
    let c = c - if min_channel < 0.08 { min_channel - 6.25 * min_channel * min_channel } else { 0.04 };
    let (peak, start) = (c.max_element(), 0.76);
    if peak < start {
        return c;
    }
    let new = 1.0 - (1.0 - start) * (1.0 - start) / (peak + 1.0 - 2.0 * start);
    Vec3::splat(new).lerp(c * (new / peak), 1.0 / (0.15 * (peak - new) + 1.0))
}

#[test]
fn spheres_of_metal_and_roughness_are_within_two_percent_of_the_integral_over_all_directions() {
    let around = BuiltInEnvironment::new(Environment::Neutral);
    for metallic in [0.0, 1.0] {
        for roughness in [0.3, 0.6, 1.0] {
            let base_color = Vec4::new(0.8, 0.65, 0.5, 1.0);
            let material = Material { base_color, roughness, metallic, ..Material::default() };
            let mut view = view(ShadingMode::Textured, false);
            view.display.light.environment = Environment::Neutral;
            let picture = picture(&rig(vec![(ball(0.9), material.clone())], Vec::new()), &view);
            let (mut seen, mut wanted) = (Vec3::ZERO, Vec3::ZERO);
            for spot in 0..40 {
                // Compares positions at which neither the image nor the integral crosses the edge of the key light.
                let turn = Vec2::from_angle(2.4 * spot as f32);
                let across = 0.75 * (spot as f32 / 40.0).sqrt() * turn;
                let n = across.extend((1.0 - across.length_squared()).sqrt());
                if n.dot(around.key.towards) < 0.1 {
                    continue;
                }
                let encoded = at(&picture, across * 0.9).map(|c| f32::from(c) / 255.0);
                seen += Vec3::from(crate::render::color::linear(encoded));
                wanted += neutral(integrated(&around, &material, n));
            }
            let apart = ((seen - wanted) / wanted).abs().max_element();
            assert!(apart < 0.02, "metal {metallic}, roughness {roughness}: {apart}: {seen} for {wanted}");
        }
    }
}
