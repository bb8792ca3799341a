//! Joints ranked by what linear blending loses at them.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

mod common;

use std::f32::consts::PI;

use common::rigs;
use glam::Vec3;
use rigscope::analysis::Topology;
use rigscope::analysis::twist::{Motion, Ranked, rank};
use rigscope::import::{Job, import_bytes, import_file};
use rigscope::jobs::Progress;
use rigscope::rig::{Influences, Pose, Primitive, Rig, evaluate};
use rigscope::state::BuiltIn;

/// At rest, each with its joint's name.
fn ranked(rig: &Rig) -> Vec<(&str, Ranked)> {
    let rest = Pose::rest(&rig.hierarchy);
    let (topology, posed) = (Topology::new(rig), evaluate(rig, None, &rest));
    let ranked = rank(rig, &topology, &posed, &rest, &Progress::default()).unwrap();
    ranked.into_iter().map(|r| (rig.hierarchy.name(r.joint), r)).collect()
}

fn built_in(character: BuiltIn) -> Rig {
    import_bytes(character.bytes(), &Job::default()).unwrap().rig
}

/// One of some joints.
fn of<'a>(all: &'a [(&str, Ranked)], name: &str) -> &'a Ranked {
    &all.iter().find(|(joint, _)| *joint == name).unwrap().1
}

#[test]
fn the_same_loss_is_a_larger_share_of_the_smaller_region_and_the_root_loses_nothing() {
    let rig = built_in(BuiltIn::Tube);
    let all = ranked(&rig);
    // The regions of Near and Far end in the rounded ends of the tube.
    assert_eq!(all.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["Near", "Far", "Middle", "Root"]);
    let middle = of(&all, "Middle");
    assert!(middle.loss > 0.18 && of(&all, "Root").loss < 1e-3, "{all:?}");
    assert_eq!((middle.motion, middle.angle.abs(), middle.is_speck), (Motion::Twist, PI, false));
}

#[test]
fn a_rig_whose_joints_move_nothing_has_none() {
    assert_eq!(ranked(&rigs::glass_before_stone()), []);
}

/// Tetrahedra in a row along y, around the bone from Low to High: an edge of each follows Low, and the one across it High.
fn tetrahedra(count: usize) -> Primitive {
    let corners = [Vec3::X, Vec3::NEG_X, Vec3::new(0.0, 1.0, 1.0), Vec3::new(0.0, 1.0, -1.0)];
    let faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    let at = |number: usize| Vec3::Y * (number as f32 * 1.5);
    let joints = [0, 0, 1, 1].repeat(count);
    Primitive {
        positions: (0..count).flat_map(|n| corners.map(|c| c + at(n))).collect(),
        indices: (0..count as u32).flat_map(|n| faces.map(|f| f.map(|v| v + 4 * n))).flatten().collect(),
        influences: Some(Influences::new(1, joints, vec![1.0; 4 * count])),
        ..Primitive::default()
    }
}

#[test]
fn what_is_turned_inside_out_is_lost_in_full_and_no_more() {
    let nodes = [rigs::node("Low", None, Vec3::ZERO), rigs::node("High", Some(0), Vec3::Y)];
    // Half a turn swaps the ends of the upper edge, and each tetrahedron is inside out.
    for (count, is_speck) in [(13, false), (12, true)] {
        let rig = rigs::skinned(&nodes, None, tetrahedra(count), Vec::new());
        let all = ranked(&rig);
        let high = of(&all, "High");
        assert_eq!((high.loss, high.triangles, high.is_speck), (1.0, 4 * count, is_speck), "{all:?}");
    }
}

#[test]
fn a_region_of_hardly_any_surface_is_a_speck_behind_all_others() {
    let rig = built_in(BuiltIn::Figure);
    let all = ranked(&rig);
    let little = of(&all, "LeftLittleDistal");
    assert!(little.is_speck && little.triangles >= 50, "{little:?}");
    assert!(!of(&all, "LeftUpperArm").is_speck);
    assert!(all.is_sorted_by_key(|(_, r)| r.is_speck), "{all:?}");
    let specks = all.partition_point(|(_, r)| !r.is_speck);
    for part in [&all[..specks], &all[specks..]] {
        assert!(part.windows(2).all(|w| w[0].1.loss >= w[1].1.loss || w[1].1.loss.is_nan()), "{part:?}");
    }
}

#[test]
fn no_joint_of_the_samples_loses_more_than_all_and_ends_of_strings_are_specks() {
    let Some(samples) = common::samples() else { return };
    for file in ["kaykit/Knight.glb", "boy/scene.gltf", "khronos/CesiumMan/CesiumMan.glb", "khronos/Fox/Fox.glb"] {
        let rig = import_file(&samples.join(file), &Job::default()).unwrap().rig;
        let all = ranked(&rig);
        let (first, worst) = &all[0];
        assert!(worst.loss > 0.2 && !worst.is_speck, "{file}: {first} {worst:?}");
        for (name, r) in &all {
            assert!(r.loss.is_nan() || (0.0..=1.0).contains(&r.loss), "{file}: {name} {r:?}");
            assert!(r.is_speck || !name.contains("HoodString2"), "{file}: {name} {r:?}");
        }
    }
}
