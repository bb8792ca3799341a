//! Vertices are skinned only when something that moves them changes, and then once for all passes.

use crate::common;

use std::sync::Arc;

use common::gpu::{Still, turned, with_scene};
use common::rigs;
use glam::Quat;
use rigscope::render::{Scene, SkinningDevice};
use rigscope::rig::{Alpha, Material, MaterialIndex, NodeIndex, Pose, Rig, RigData};
use rigscope::skinning::Method;
use rigscope::view::{Display, Ghost, HiddenItems, Layout, ShadingMode, View};

const SIZE: [u32; 2] = [64, 64];

/// Returns the number of primitives that are skinned for an image.
fn runs(scene: &mut Scene, still: &Still, view: &View) -> u64 {
    let before = scene.skinning_runs();
    assert!(scene.draw(&still.frame(view, SIZE)).expect("it draws"), "the picture is another");
    scene.skinning_runs() - before
}

fn with_each_device(rig: &Arc<Rig>, test: impl Fn(&mut Scene, Still, View)) {
    with_scene(|scene| {
        for device in SkinningDevice::ALL {
            scene.set_skinning_device(device);
            let still = Still::new(rig, Pose::rest(&rig.hierarchy));
            let view = still.view(Method::Lbs, SIZE);
            test(scene, still, view);
        }
    });
}

#[test]
fn orbiting_painting_and_more_passes_skin_nothing_again() {
    with_each_device(&rigs::twisted_tube(0.8), |scene, still, mut view| {
        assert_eq!(runs(scene, &still, &view), 1, "one part, whatever passes draw it");
        view.camera.orbit(0.3, 0.1);
        assert_eq!(runs(scene, &still, &view), 0, "orbiting");
        view.display = Display { wireframe: true, shading: ShadingMode::Clay, ..view.display };
        assert_eq!(runs(scene, &still, &view), 0, "wires and clay");
        view.hovered = Some(NodeIndex(1));
        assert_eq!(runs(scene, &still, &view), 0, "a joint under the pointer");
        view.display.grid = !view.display.grid;
        assert_eq!(runs(scene, &still, &view), 0, "grid and shadow");
    });
}

#[test]
fn a_pose_or_a_way_of_skinning_skins_each_side_once() {
    let rig = rigs::twisted_tube(0.8);
    with_each_device(&rig, |scene, still, mut view| {
        runs(scene, &still, &view);
        let bent = Still::new(&rig, turned(&rig, NodeIndex(1), Quat::from_rotation_z(0.7)));
        assert_eq!(runs(scene, &bent, &view), 1, "a pose");
        view.sides.a.skinning.method = Method::Dqs;
        assert_eq!(runs(scene, &bent, &view), 1, "a method");
        view.sides.b.skinning.method = Method::Lbs;
        view.compare.layout = Layout::Ghost;
        assert_eq!(runs(scene, &bent, &view), 1, "the other side comes in");
        view.compare.ghost = Ghost::Outline;
        assert_eq!(runs(scene, &bent, &view), 0, "the other ghost");
        for layout in [Layout::Wipe, Layout::SideBySide] {
            view.compare.layout = layout;
            assert_eq!(runs(scene, &bent, &view), 0, "{layout:?}");
        }
        let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
        assert_eq!(runs(scene, &still, &view), 2, "a pose on both sides");
    });
}

#[test]
fn unmoved_primitives_are_not_skinned() {
    let rig = rigs::glass_before_stone();
    with_each_device(&rig, |scene, still, view| {
        assert_eq!(runs(scene, &still, &view), 0, "one matrix moves each part");
    });
}

#[test]
fn hidden_parts_are_skinned_when_they_are_shown() {
    let rig = rigs::twisted_tube(0.8);
    with_each_device(&rig, |scene, mut still, view| {
        still.actor.hidden = Arc::new(HiddenItems { meshes: [0].into(), ..HiddenItems::default() });
        assert_eq!(runs(scene, &still, &view), 0, "hidden");
        still.actor.hidden = Arc::default();
        assert_eq!(runs(scene, &still, &view), 1, "shown");
    });
}

#[test]
fn a_mesh_that_is_placed_more_often_than_there_is_memory_for_is_refused_and_the_next_rig_drawn() {
    let tube = rigs::twisted_tube(0.8);
    let mut meshes = tube.meshes.clone();
    meshes[0].primitives[0] = rigs::tube_primitive(500, 100, |_| vec![(0, 0.5), (1, 0.5)]);
    let vertices = meshes[0].primitives[0].positions.len();
    // Transparent instances are all drawn, even in the same place.
    meshes[0].primitives[0].material = Some(MaterialIndex(0));
    let materials = vec![Material { alpha: Alpha::Blend, ..Material::default() }];
    let instances = vec![tube.instances[0].clone(); 100_000_000 / vertices + 1];
    let crowd = Arc::new(Rig::new(RigData { meshes, materials, instances, ..RigData::clone(&tube) }));
    with_scene(|scene| {
        for device in SkinningDevice::ALL {
            scene.set_skinning_device(device);
            let still = Still::new(&crowd, Pose::rest(&crowd.hierarchy));
            let view = still.view(Method::Lbs, SIZE);
            let problem = scene.draw(&still.frame(&view, SIZE)).expect_err("gigabytes").to_string();
            assert!(problem.contains("hide some of the meshes"), "{problem}");
            assert_eq!(runs(scene, &Still::new(&tube, Pose::rest(&tube.hierarchy)), &view), 1);
        }
    });
}

#[test]
fn a_picture_is_the_same_wherever_its_vertices_are_skinned() {
    for (name, rig) in rigs::all() {
        with_scene(|scene| {
            let still = Still::new(&rig, common::gpu::random_pose(&rig, 5));
            let mut view = still.view(Method::Dqs, SIZE);
            view.display.wireframe = true;
            let pictures = SkinningDevice::ALL.map(|device| {
                scene.set_skinning_device(device);
                still.draw(scene, &view, SIZE)
            });
            for (device, other) in SkinningDevice::ALL.iter().zip(&pictures).skip(1) {
                let pairs = pictures[0].pixels().zip(other.pixels());
                let unlike = pairs.filter(|(a, b)| (0..3).any(|c| a.0[c].abs_diff(b.0[c]) > 8)).count();
                assert!(unlike <= 4, "{name} by {device}: {unlike} pixels differ");
            }
        });
    }
}
