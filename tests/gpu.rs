//! The graphics path: skinning on the card against the CPU, closed forms, kept pictures, and when a picture is drawn again.

mod common;

use std::sync::Arc;

use common::gpu::{Still, assert_gpu_equals_cpu, random_pose, turned, with_scene};
use common::rigs;
use glam::{Quat, Vec3};
use rigscope::render::Scene;
use rigscope::rig::{NodeIndex, Pose, Rig};
use rigscope::skinning::{Method, deform};

#[test]
fn the_card_skins_as_the_cpu_does() {
    with_scene(|scene| {
        for (name, rig) in rigs::all() {
            assert_gpu_equals_cpu(scene, name, &Still::new(&rig, Pose::rest(&rig.hierarchy)));
            for seed in 1..=12 {
                let still = Still::new(&rig, random_pose(&rig, seed));
                assert_gpu_equals_cpu(scene, &format!("{name}, pose {seed}"), &still);
            }
        }
    });
}

fn twisted(rig: &Arc<Rig>, degrees: f32) -> Still {
    Still::new(rig, turned(rig, NodeIndex(1), Quat::from_rotation_x(degrees.to_radians())))
}

/// Radius of the middle ring over its radius at rest, on the CPU and on the card.
fn ring_ratios(scene: &mut Scene, still: &Still, method: Method) -> [f32; 2] {
    let primitive = &still.rig.meshes[0].primitives[0];
    let middle: Vec<usize> =
        (0..primitive.positions.len()).filter(|&v| primitive.positions[v].x.abs() < 1e-6).collect();
    assert!(!middle.is_empty(), "the tube has a ring in the middle");
    let view = still.view(method, [8, 8]);
    let gpu = scene.skinned(&still.frame(&view, [8, 8])).unwrap().remove(0).remove(0);
    let cpu = deform(primitive, &still.palettes[0], &[], method);
    [cpu, gpu].map(|deformed| {
        let radius = |p: Vec3| p.y.hypot(p.z);
        middle.iter().map(|&v| radius(deformed.positions[v]) / 0.25).sum::<f32>() / middle.len() as f32
    })
}

#[test]
fn a_twisted_tube_narrows_by_the_cosine_of_half_the_angle_or_not_at_all() {
    let rig = rigs::twisted_tube(0.8);
    with_scene(|scene| {
        for degrees in [0.0, 30.0, 60.0, 90.0, 120.0, 150.0, 179.0, 180.0_f32] {
            let still = twisted(&rig, degrees);
            let cosine = (degrees.to_radians() * 0.5).cos();
            for ratio in ring_ratios(scene, &still, Method::Lbs) {
                assert!((ratio - cosine).abs() < 1e-5, "LBS at {degrees}: {ratio}, expected {cosine}");
            }
            for ratio in ring_ratios(scene, &still, Method::Dqs) {
                assert!((ratio - 1.0).abs() < 1e-5, "DQS at {degrees}: {ratio}");
            }
        }
    });
}
