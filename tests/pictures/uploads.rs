//! Meshes and textures are uploaded in slices while another rig is on the screen. The result is the same as if they had
//! been uploaded at once.

use crate::common;

use std::sync::Arc;
use std::time::Duration;

use common::gpu::{Still, with_scene};
use common::rigs;
use glam::{Vec2, Vec3};
use image::RgbaImage;
use rigscope::render::Scene;
use rigscope::rig::{
    CoordSet, Hierarchy, Image, Material, MaterialIndex, Mesh, MeshInstance, NodeDescription, Pose, Primitive, Rig,
    RigData, Texture, Wrap,
};
use rigscope::skinning::Method;
use rigscope::view::Display;

const SIZE: [u32; 2] = [96, 96];

/// Number of cells along a side of the sheet, which gives 160,801 vertices, 9 MB.
const CELLS: u32 = 400;

/// Creates a sheet of size 2 facing +Z. The quarters of its texture are red, green, blue and white, from the top left.
fn sheet() -> Arc<Rig> {
    let at = |i: u32| i as f32 / CELLS as f32;
    let corners = || (0..=CELLS).flat_map(|y| (0..=CELLS).map(move |x| (at(x), at(y))));
    let cell = |x: u32, y: u32| {
        let a = y * (CELLS + 1) + x;
        let above = a + CELLS + 1;
        [a, a + 1, above, above, a + 1, above + 1]
    };
    let primitive = Primitive {
        positions: corners().map(|(x, y)| Vec3::new(2.0 * x - 1.0, 2.0 * y, 0.0)).collect(),
        normals: Some(vec![Vec3::Z; (CELLS as usize + 1).pow(2)]),
        tex_coords: Some(corners().map(|(x, y)| Vec2::new(x, 1.0 - y)).collect()),
        indices: (0..CELLS).flat_map(|y| (0..CELLS).flat_map(move |x| cell(x, y))).collect(),
        material: Some(MaterialIndex(0)),
        ..Primitive::default()
    };
    let side = 700_u32;
    let color = |i: u32| match (i % side < side / 2, i / side < side / 2) {
        (true, true) => [255, 0, 0, 255],
        (false, true) => [0, 255, 0, 255],
        (true, false) => [0, 0, 255, 255],
        (false, false) => [255; 4],
    };
    let texture =
        Texture { image: 0, wrap: [Wrap::Clamp; 2], is_nearest: false, coords: CoordSet::First, transform: None };
    Arc::new(Rig::new(RigData {
        hierarchy: Hierarchy::new(&[NodeDescription::default()]).expect("one node is a tree"),
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        instances: vec![MeshInstance {
            node: rigscope::rig::NodeIndex(0),
            mesh: 0,
            skin: None,
            morph_weights: Vec::new(),
        }],
        materials: vec![Material { texture: Some(texture), is_unlit: true, ..Material::default() }],
        images: vec![Image { width: side, height: side, rgba: (0..side * side).flat_map(color).collect() }],
        ..RigData::default()
    }))
}

fn draw(scene: &mut Scene, still: &Still) -> RgbaImage {
    draw_with(scene, still, Display::default())
}

fn draw_with(scene: &mut Scene, still: &Still, display: Display) -> RgbaImage {
    let mut view = still.view(Method::Lbs, SIZE);
    (view.camera.yaw, view.camera.pitch) = (0.0, 0.0);
    view.display = Display { bones: false, grid: false, ..display };
    still.draw(scene, &view, SIZE)
}

fn at_rest(rig: &Arc<Rig>) -> Still {
    Still::new(rig, Pose::rest(&rig.hierarchy))
}

#[test]
fn a_texture_lies_on_a_mesh_the_right_way_up() {
    let picture = |scene: &mut Scene| draw(scene, &at_rest(&sheet()));
    with_scene(|scene| {
        let picture = picture(scene);
        let strongest = |x: u32, y: u32| {
            let [r, g, b, _] = picture.get_pixel(x, y).0;
            [r, g, b].map(|c| c > 160)
        };
        assert_eq!(strongest(40, 40), [true, false, false], "top left");
        assert_eq!(strongest(56, 40), [false, true, false], "top right");
        assert_eq!(strongest(40, 56), [false, false, true], "bottom left");
        assert_eq!(strongest(56, 56), [true, true, true], "bottom right");
    });
}

#[test]
fn a_rig_arrives_in_slices_and_looks_as_if_it_had_come_at_once() {
    let (sheet, tube) = (at_rest(&sheet()), at_rest(&rigs::twisted_tube(0.8)));
    let mut expected = RgbaImage::default();
    with_scene(|scene| expected = draw(scene, &sheet));
    with_scene(|scene| {
        let before = draw(scene, &tube);
        scene.limit_uploads(Duration::from_micros(20));
        let mut progress = vec![0.0];
        while progress.last() != Some(&1.0) {
            progress.push(scene.prepare(&sheet.rig).unwrap());
            assert_eq!(draw(scene, &tube), before, "the rig before it stays");
        }
        assert!(progress.is_sorted() && progress.len() > 5, "{progress:?}");
        draw(scene, &sheet);
        while scene.is_uploading() {
            draw(scene, &sheet);
        }
        assert!(draw(scene, &sheet) == expected, "nothing is missing");
    });
}

#[test]
fn a_rig_that_another_one_overtakes_is_forgotten() {
    let (one, other) = (sheet(), sheet());
    let tube = at_rest(&rigs::twisted_tube(0.8));
    with_scene(|scene| {
        draw(scene, &tube);
        scene.limit_uploads(Duration::from_micros(200));
        assert!(scene.prepare(&one).unwrap() < 1.0);
        // On a busy machine, a call may have no time at all.
        assert!((0..1000).any(|_| scene.prepare(&one).unwrap() > 0.0));
        let first = scene.prepare(&other).unwrap();
        assert!(first < 0.5, "it starts at the beginning: {first}");
        assert_eq!(scene.prepare(&tube.rig).unwrap(), 1.0, "what is drawn is there");
    });
}

#[test]
fn a_rig_that_will_not_be_drawn_leaves_the_graphics_card() {
    let sheet = sheet();
    with_scene(|scene| {
        scene.limit_uploads(Duration::from_micros(200));
        assert!((0..1000).any(|_| scene.prepare(&sheet).unwrap() > 0.4));
        scene.drop_prepared();
        let again = scene.prepare(&sheet).unwrap();
        assert!(again < 0.4, "it starts at the beginning: {again}");
    });
}

/// A window draws when its last frame was interrupted or when it is woken, and rests otherwise.
#[test]
fn who_draws_only_when_there_is_more_to_show_sees_everything_in_the_end() {
    let sheet = at_rest(&sheet());
    let wires = Display { wireframe: true, ..Display::default() };
    let mut expected = RgbaImage::default();
    with_scene(|scene| expected = draw_with(scene, &sheet, wires));
    with_scene(|scene| {
        scene.limit_uploads(Duration::from_micros(500));
        let (sender, woken) = std::sync::mpsc::channel();
        scene.wake_by(move || sender.send(()).unwrap_or_default());
        while draw_with(scene, &sheet, wires) != expected {
            if !scene.is_interrupted() {
                woken.recv_timeout(Duration::from_mins(1)).expect("somebody is woken");
            }
        }
        draw_with(scene, &sheet, wires);
        assert!(!scene.is_interrupted(), "and then it rests");
    });
}

#[test]
fn the_wireframe_is_made_beside_the_frames_and_drawn_when_it_is_there() {
    let tube = at_rest(&rigs::twisted_tube(0.8));
    let wires = Display { wireframe: true, ..Display::default() };
    let (mut without, mut expected) = (RgbaImage::default(), RgbaImage::default());
    with_scene(|scene| {
        without = draw(scene, &tube);
        expected = draw_with(scene, &tube, wires);
    });
    assert!(without != expected, "edges are seen");
    with_scene(|scene| {
        scene.limit_uploads(Duration::from_millis(8));
        draw(scene, &tube);
        let first = draw_with(scene, &tube, wires);
        assert!(first == without || first == expected, "whole or not at all");
        while scene.is_uploading() {
            draw_with(scene, &tube, wires);
        }
        assert!(draw_with(scene, &tube, wires) == expected);
        assert!(draw(scene, &tube) == without, "and goes again");
    });
}
