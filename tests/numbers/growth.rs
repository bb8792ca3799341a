//! The time of analyses grows at most linearly with joints and vertices.
//!
//! Measures the processor time of one thread, which excludes the time of other programs.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::sync::Arc;

use common::rigs::{Node, node, skinned, tube_primitive};
use glam::Vec3;
use rigscope::analysis::lint::lint;
use rigscope::analysis::{Topology, twist};
use rigscope::diff::{Tolerances, diff};
use rigscope::export::PoseFile;
use rigscope::jobs::Progress;
use rigscope::posing::Limits;
use rigscope::rig::{Pose, Rig, evaluate};
use rigscope::weights::{Recipe, Weighting, compute};

/// Size of the larger character relative to the smaller one.
const TIMES: usize = 4;
/// Maximum ratio of the times: twice the ratio of the sizes. Quadratic growth would give twice as much.
const MAX_RATIO: f64 = 2.0 * TIMES as f64;
const SIDES: usize = 8;

/// Creates a tube along a chain of joints, with each vertex between two of them.
fn worm(joints: usize, vertices: usize) -> Arc<Rig> {
    let step = 2.0 / (joints - 1) as f32;
    let weights = |x: f32| {
        let along = (x + 1.0) / step;
        let first = (along as usize).min(joints - 2);
        vec![(first as u16, 1.0 - (along - first as f32)), (first as u16 + 1, along - first as f32)]
    };
    let name = |joint: usize| -> &'static str { format!("joint {joint}").leak() };
    let at = |joint: usize| if joint == 0 { Vec3::NEG_X } else { Vec3::X * step };
    let nodes: Vec<Node> = (0..joints).map(|j| node(name(j), j.checked_sub(1), at(j))).collect();
    skinned(&nodes, None, tube_primitive(vertices / SIDES, SIDES, weights), Vec::new())
}

/// Minimum time to measure, nanoseconds, because the processor time is only updated every few milliseconds.
const MIN_NANOSECONDS: f64 = 5e7;

/// Returns the processor time of several runs of a task on one thread, nanoseconds.
fn processor_time(runs: u32, task: &(dyn Fn() + Sync)) -> f64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let now = || -> f64 {
        let of_thread = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        of_thread.split(' ').next().unwrap().parse().unwrap()
    };
    pool.install(|| {
        let start = now();
        (0..runs).for_each(|_| task());
        now() - start
    })
}

fn assert_linear(what: &str, task: impl Fn(&Arc<Rig>) + Sync) {
    let (joints, vertices) = (24, 1600);
    let time = |runs, joints, vertices| {
        let rig = worm(joints, vertices);
        processor_time(runs, &|| task(&rig))
    };
    let mut measured = (0..).map(|doubling| (1 << doubling, time(1 << doubling, joints, vertices)));
    let (runs, small) = measured.find(|(_, time)| *time >= MIN_NANOSECONDS).unwrap();
    for (by, joints, vertices) in [("joints", TIMES * joints, vertices), ("vertices", joints, TIMES * vertices)] {
        let ratio = time(runs, joints, vertices) / small;
        assert!(ratio < MAX_RATIO, "{what}: {TIMES} times the {by} take {ratio:.1} times the time");
    }
}

#[test]
fn ranking_grows_with_joints_and_vertices_and_no_faster() {
    assert_linear("ranking", |rig| {
        let pose = Pose::rest(&rig.hierarchy);
        let posed = evaluate(rig, None, &pose);
        twist::rank(
            rig,
            &Topology::new(rig),
            (&posed, &pose),
            (twist::TestRange::Full, &Limits::default()),
            &Progress::default(),
        )
        .unwrap();
    });
}

#[test]
fn lint_grows_with_joints_and_vertices_and_no_faster() {
    assert_linear("lint", |rig| _ = lint(rig, &Progress::default()).unwrap());
}

#[test]
fn a_diff_grows_with_joints_and_vertices_and_no_faster() {
    assert_linear("diff", |rig| _ = diff(rig, rig, &Tolerances::for_rig(rig), &Progress::default()).unwrap());
}

#[test]
fn weighting_grows_with_joints_and_vertices_and_no_faster() {
    for weighting in [Weighting::Heat, Weighting::Voxel] {
        let recipe = Recipe { weighting, ..Recipe::default() };
        assert_linear(&format!("{weighting:?}"), |rig| _ = compute(rig, &recipe, &Progress::default()).unwrap());
    }
}

#[test]
fn pose_files_grow_with_joints_and_no_faster() {
    assert_linear("pose files", |rig| {
        let mut pose = Pose::rest(&rig.hierarchy);
        for node in rig.hierarchy.nodes() {
            let turned = rigscope::rig::Trs { rotation: glam::Quat::from_rotation_x(0.1), ..*pose.user_local(node) };
            pose.set_user_local(node, turned);
        }
        let file = PoseFile::parse(PoseFile::from_pose(rig, &pose).to_json().as_bytes()).unwrap();
        assert!(file.pose_for(rig).1.is_empty());
    });
}
