//! Tests of small files with a great many primitives: number of GPU objects per primitive, and duplicates at the same
//! position.

use std::collections::BTreeMap;

use glam::Vec4;

use super::*;
use crate::render::gl::driver::is_software;
use rigscope_core::rig::{Alpha, Material, MaterialIndex};

const MANY: usize = 6000;
const SIDE: usize = 80;

fn triangle(corner: Vec3) -> Primitive {
    Primitive {
        positions: [Vec3::ZERO, Vec3::X, Vec3::Y].map(|p| 0.01 * (corner + 0.9 * p)).to_vec(),
        normals: Some(vec![Vec3::Z; 3]),
        indices: vec![0, 1, 2],
        ..Primitive::default()
    }
}

fn build_rig(meshes: Vec<Vec<Primitive>>, instances: &[(usize, Option<usize>)], materials: Vec<Material>) -> Arc<Rig> {
    Arc::new(Rig::new(RigData { materials, ..on_one_node(meshes, instances) }))
}

fn skinned(primitive: Primitive) -> Primitive {
    Primitive { influences: Some(Influences::new(1, vec![0; 3], vec![1.0; 3])), ..primitive }
}

fn picture(rig: &Arc<Rig>, view: &View, device: SkinningDevice) -> (RgbaImage, BTreeMap<&'static str, usize>) {
    let headless = Headless::new().expect("Mesa's software device is enough");
    let mut scene = headless.scene().expect("a scene");
    scene.set_skinning_device(device);
    let pose = Pose::rest(&rig.hierarchy);
    let calls = count_calls(|| draw(&mut scene, rig, &pose, view, 0));
    (scene.pixels().expect("it was drawn"), calls)
}

fn near(at: Vec3) -> View {
    let mut view = View::default();
    (view.camera.target, view.camera.distance) = (at, 2.5);
    view
}

#[test]
fn thousands_of_small_parts_share_buffers_and_look_as_one_part_does() {
    let corners = || (0..MANY).map(|part| Vec3::new((part % SIDE) as f32, (part / SIDE) as f32, 0.0));
    for is_skinned in [false, true] {
        let shaped = |primitive| if is_skinned { skinned(primitive) } else { primitive };
        let mut whole = Primitive::default();
        for part in corners().map(triangle) {
            let first = whole.positions.len() as u32;
            whole.indices.extend(part.indices.iter().map(|index| first + index));
            whole.positions.extend(part.positions);
            whole.normals.get_or_insert_default().extend(part.normals.unwrap_or_default());
        }
        if is_skinned {
            whole.influences = Some(Influences::new(1, vec![0; 3 * MANY], vec![1.0; 3 * MANY]));
        }
        let instance = [(0, is_skinned.then_some(0))];
        let whole = build_rig(vec![vec![whole]], &instance, Vec::new());
        let parts = build_rig(vec![corners().map(triangle).map(shaped).collect()], &instance, Vec::new());
        let view = near(Vec3::new(0.4, 0.4, 0.0));
        for device in SkinningDevice::ALL {
            let (in_parts, calls) = picture(&parts, &view, device);
            assert!(calls["glDrawElements"] > 2 * MANY, "in the picture and both shadows");
            assert!(calls["glGenBuffers"] < 100, "{} buffers", calls["glGenBuffers"]);
            assert!(calls["glGenVertexArrays"] < 2 * 4200, "{} vertex arrays", calls["glGenVertexArrays"]);
            assert!(in_parts == picture(&whole, &view, device).0, "skinned: {is_skinned}, on the {device}");
        }
    }
}

#[test]
fn coincident_equal_surfaces_are_drawn_once() {
    let (here, there) = (triangle(Vec3::ZERO), triangle(Vec3::splat(20.0)));
    let draws = |primitives: &[Primitive], instances: &[(usize, Option<usize>)], materials, view: &View| {
        let rig = build_rig(vec![primitives.to_vec()], instances, materials);
        picture(&rig, view, SkinningDevice::Cpu).1["glDrawElements"]
    };
    let view = near(Vec3::ZERO);
    let (plain, moved) = ([(0, None); 50], [(0, Some(0)); 50]);
    assert_eq!(draws(std::slice::from_ref(&here), &plain, Vec::new(), &view), 3);
    assert_eq!(draws(&[skinned(here.clone())], &moved, Vec::new(), &view), 3);
    assert_eq!(draws(&[here.clone(), there.clone(), here.clone(), there.clone()], &plain, Vec::new(), &view), 6);
    // Hidden primitives cover nothing, and objects behind transparent primitives stay visible.
    let mut hidden = view.clone();
    hidden.hidden.meshes.insert(0);
    assert_eq!(draws(std::slice::from_ref(&here), &plain[..3], Vec::new(), &hidden), 6);
    let glass = Primitive { material: Some(MaterialIndex(0)), ..here };
    let half = Material { alpha: Alpha::Blend, base_color: Vec4::new(1.0, 1.0, 1.0, 0.5), ..Material::default() };
    assert!(draws(&[glass], &plain, vec![half], &view) >= 100);
}

#[test]
fn a_software_driver_has_a_million_triangles_in_pieces_and_is_waited_for() {
    let once = triangle(Vec3::ZERO);
    let mut often = once.clone();
    often.indices = [0, 1, 2].repeat(400_000);
    let headless = Headless::new().expect("Mesa's software device is enough");
    let is_software = is_software(&headless.scene().expect("a scene").context);
    let one_part = |primitive: &Primitive| build_rig(vec![vec![primitive.clone()]], &[(0, None)], Vec::new());
    let view = near(Vec3::ZERO);
    let [(one, few), (million, many)] =
        [once, often].map(|primitive| picture(&one_part(&primitive), &view, SkinningDevice::Cpu));
    assert!(one == million);
    // The image and both shadows are drawn in four batches each. Nothing waits for the last two batches.
    let calls_named = |name| [&few, &many].map(|calls| calls.get(name).copied().unwrap_or_default());
    assert_eq!(calls_named("glDrawElements"), if is_software { [3, 12] } else { [3, 3] });
    assert_eq!(calls_named("glClientWaitSync"), if is_software { [0, 6] } else { [0, 0] });
    assert_eq!(calls_named("glFenceSync"), calls_named("glDeleteSync"));
}
