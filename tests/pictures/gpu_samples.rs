//! The GPU skins real files and the built-in characters like the CPU.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed helper is a failed test, and a test says how much it saw"
)]

use crate::common;

use std::sync::Arc;

use common::gpu::{Still, assert_gpu_equals_cpu, assert_skinner_agrees, random_pose, turned, with_scene};
use glam::{Quat, Vec3};
use rigscope::import::{Job, import_file};
use rigscope::render::{Scene, SkinningDevice};
use rigscope::rig::{ClipMoment, NodeIndex, Pose, Rig};
use rigscope::skinning::{Method, Skinner, Skinning, deform};
use rigscope::stage::{BuiltIn, Document, Source};

fn built_in(built_in: BuiltIn) -> Arc<Rig> {
    Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap().rig
}

/// Asserts agreement at rest, halfway through the first clip, and in two random poses.
fn assert_agrees(scene: &mut Scene, name: &str, rig: &Arc<Rig>) {
    let rest = Pose::rest(&rig.hierarchy);
    assert_gpu_equals_cpu(scene, name, &Still::new(rig, rest.clone()));
    if let Some(clip) = rig.clips.first() {
        let half = Some(ClipMoment::new(0, clip.duration_secs * 0.5));
        assert_gpu_equals_cpu(scene, &format!("{name}, clip"), &Still::at(rig, half, rest));
    }
    for seed in 1..=2 {
        let still = Still::new(rig, random_pose(rig, seed));
        assert_gpu_equals_cpu(scene, &format!("{name}, pose {seed}"), &still);
    }
}

/// Asserts agreement of the other methods in one random pose. Returns false if the rig supports none of them.
fn assert_cures_agree(scene: &mut Scene, name: &str, rig: &Arc<Rig>) -> bool {
    let still = Still::new(rig, random_pose(rig, 3));
    let ways = [Method::WeightedBlend, Method::DqsCompensated, Method::Cor, Method::Sclerp].map(Skinning::new);
    let skinners: Vec<Skinner> = ways.iter().filter_map(|way| Skinner::new(rig, way).ok()).collect();
    for skinner in &skinners {
        assert_skinner_agrees(scene, name, &still, skinner);
    }
    !skinners.is_empty()
}

#[test]
fn built_in_characters_agree() {
    with_scene(|scene| {
        for character in BuiltIn::ALL {
            assert!(assert_cures_agree(scene, character.name(), &built_in(character)));
            assert_agrees(scene, character.name(), &built_in(character));
        }
    });
}

#[test]
fn some_samples_agree_by_the_further_methods() {
    let Some(samples) = common::samples() else { return };
    let mut served = 0;
    with_scene(|scene| {
        for path in common::files_below(&samples, &rigscope::import::format::endings()).into_iter().step_by(4) {
            let Ok(imported) = import_file(&path, &Job::default()) else { continue };
            served += usize::from(assert_cures_agree(scene, &path.display().to_string(), &Arc::new(imported.rig)));
        }
    });
    println!("{served} files agree");
    assert!(served >= 8, "only {served} files have a skin");
}

#[test]
fn every_sample_that_opens_agrees() {
    let Some(samples) = common::samples() else { return };
    let mut opened = 0;
    with_scene(|scene| {
        for path in common::files_below(&samples, &rigscope::import::format::endings()) {
            let Ok(imported) = import_file(&path, &Job::default()) else { continue };
            assert_agrees(scene, &path.display().to_string(), &Arc::new(imported.rig));
            opened += 1;
        }
    });
    println!("{opened} files agree");
    assert!(opened >= 150, "only {opened} files opened");
}

#[cfg(feature = "fbx")]
#[test]
fn fbx_files_are_what_their_programs_showed_by_the_method_that_they_name() {
    let Some(samples) = common::samples() else { return };
    let mut methods = Vec::new();
    with_scene(|scene| {
        for (name, golden) in common::fbx_golden::all(&samples) {
            let rig = golden.rig(&samples);
            let still = Still::at(&rig, golden.moment(), Pose::rest(&rig.hierarchy));
            let method = Method::authored(&rig).unwrap_or_default();
            for device in SkinningDevice::ALL {
                scene.set_skinning_device(device);
                let skinned = scene.skinned(&still.frame(&still.view(method, [8, 8]), [8, 8])).unwrap();
                let points: Vec<Vec3> = skinned.into_iter().flatten().flat_map(|part| part.positions).collect();
                let [farthest, limit] = golden.distance(&points);
                println!("{name} by {method} on the {device}: {farthest:.1e} of {limit:.1e}");
                assert!(farthest <= limit, "{name}: {farthest} of {limit}");
            }
            methods.push(method);
        }
    });
    assert!(methods.contains(&Method::WeightedBlend) && methods.contains(&Method::Lbs), "{methods:?}");
}

/// Returns the radius of the ring at Middle on the CPU and on the GPU, after twisting Middle about the tube's axis.
fn ring_radii(scene: &mut Scene, tube: &Arc<Rig>, middle: NodeIndex, degrees: f32, method: Method) -> [f32; 2] {
    let pose = turned(tube, middle, Quat::from_rotation_x(degrees.to_radians()));
    let still = Still::new(tube, pose);
    let origin = still.posed().world_from_node[middle.index()].translation;
    let primitive = &tube.meshes[0].primitives[0];
    let ring: Vec<usize> =
        (0..primitive.positions.len()).filter(|&v| (primitive.positions[v].x - origin.x).abs() < 1e-5).collect();
    assert!(ring.len() >= 64, "a ring of vertices lies at the joint");
    let on_cpu = deform(primitive, &still.palettes()[0], &[], method).positions;
    let view = still.view(method, [8, 8]);
    let on_card = &scene.skinned(&still.frame(&view, [8, 8])).unwrap()[0][0].positions;
    [&on_cpu, on_card].map(|positions: &Vec<Vec3>| {
        let radii = ring.iter().map(|&v| (positions[v] - origin).with_x(0.0).length());
        radii.fold(0.0, f32::max)
    })
}

#[test]
fn the_built_in_tube_follows_the_closed_form() {
    let tube = built_in(BuiltIn::Tube);
    let middle = tube.hierarchy.node_named("Middle").unwrap();
    with_scene(|scene| {
        scene.set_skinning_device(SkinningDevice::Gpu);
        let [radius, _] = ring_radii(scene, &tube, middle, 0.0, Method::Lbs);
        for degrees in (0..=180).step_by(30) {
            let degrees = degrees as f32;
            let narrowed = (degrees.to_radians() * 0.5).cos();
            for found in ring_radii(scene, &tube, middle, degrees, Method::Lbs) {
                assert!((found / radius - narrowed).abs() < 1e-5, "LBS at {degrees}: {}", found / radius);
            }
            for found in ring_radii(scene, &tube, middle, degrees, Method::Dqs) {
                assert!((found / radius - 1.0).abs() < 1e-5, "DQS at {degrees}: {}", found / radius);
            }
        }
    });
}
