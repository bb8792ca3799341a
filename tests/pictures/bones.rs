//! Drawing any number of bones.

use crate::common;

use std::sync::Arc;

use common::gpu::{Still, with_scene};
use common::rigs;
use glam::{Vec2, Vec3};
use image::RgbaImage;
use rigscope::rig::{Bone, Pose, Rig, drawn_bones};
use rigscope::skinning::Method;
use rigscope::view::View;

const SIZE: [u32; 2] = [800, 600];

/// Creates a tube along x with a chain of equally spaced joints. Each vertex follows the nearest joint.
fn chain(joints: u16) -> Arc<Rig> {
    let step = 2.0 / f32::from(joints);
    let nodes: Vec<_> = (0..usize::from(joints))
        .map(|joint| match joint.checked_sub(1) {
            Some(parent) => rigs::node("link", Some(parent), Vec3::X * step),
            None => rigs::node("first", None, Vec3::NEG_X),
        })
        .collect();
    let nearest = |x: f32| (((x + 1.0) / step) as u16).min(joints - 1);
    rigs::skinned(&nodes, None, rigs::tube_primitive(40, 16, |x| vec![(nearest(x), 1.0)]), Vec::new())
}

/// Returns the number of bones that change the image at the middle of the bone.
fn seen(with: &RgbaImage, without: &RgbaImage, view: &View, bones: &[Bone]) -> usize {
    let lens = view.camera.lens(Vec2::new(SIZE[0] as f32, SIZE[1] as f32));
    let differs = |at: Vec2| {
        let around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (at.x as i32 + x, at.y as i32 + y)));
        around.into_iter().any(|(x, y)| {
            let [a, b] = [with, without].map(|picture| picture.get_pixel(x as u32, y as u32).0);
            (0..3).any(|channel| a[channel].abs_diff(b[channel]) > 12)
        })
    };
    bones.iter().filter(|bone| lens.project(bone.head.lerp(bone.tail, 0.5)).is_some_and(differs)).count()
}

#[test]
fn every_bone_of_a_chain_is_seen_however_many_there_are() {
    with_scene(|scene| {
        for joints in [8, 30, 60, 100] {
            let rig = chain(joints);
            let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
            let mut view = still.view(Method::Lbs, SIZE);
            let with = still.draw(scene, &view, SIZE);
            view.display.bones = false;
            let without = still.draw(scene, &view, SIZE);
            let bones = drawn_bones(&rig, still.posed());
            assert_eq!(seen(&with, &without, &view, &bones), bones.len(), "{joints} joints");
        }
    });
}

/// An arm with a hand. Bones at least half as long as the arm's are main bones; finger bones are shorter.
#[test]
fn bones_too_small_for_their_shape_are_lines() {
    with_scene(|scene| {
        let mut nodes = vec![rigs::node("arm", None, Vec3::NEG_X), rigs::node("hand", Some(0), Vec3::X)];
        for finger in 0..4 {
            let side = Vec3::Z * (0.04 * finger as f32 - 0.06);
            nodes.push(rigs::node("knuckle", Some(1), Vec3::X * 0.1 + side));
            nodes.push(rigs::node("tip", Some(nodes.len() - 1), Vec3::X * 0.04));
        }
        // Gives every joint weight, because joints without weight are controls, which don't count.
        let all = |_: f32| (0..10).map(|joint| (joint, 0.1)).collect();
        let rig = rigs::skinned(&nodes, None, rigs::tube_primitive(40, 16, all), Vec::new());
        assert_eq!(rig.main_bone_length(), 1.0);
        let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
        let mut view = still.view(Method::Lbs, SIZE);
        let with = still.draw(scene, &view, SIZE);
        view.display.bones = false;
        let without = still.draw(scene, &view, SIZE);
        let fingers: Vec<Bone> = drawn_bones(&rig, still.posed());
        let fingers: Vec<Bone> =
            fingers.into_iter().filter(|bone| bone.length() > 0.03 && bone.length() < 0.05).collect();
        assert_eq!(fingers.len(), 4);
        assert_eq!(seen(&with, &without, &view, &fingers), 4);
    });
}
