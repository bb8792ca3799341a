//! A pose in which mistakes differ that give the same points in another.

use glam::{Quat, Vec3};

use crate::analysis::weight_problems::{Random, rest_pose_with_rotations, unconstrained_joints};
use rigscope_core::rig::{NodeIndex, Pose, evaluate};

use super::diagnosis::{Diagnosis, DiagnosisInput, FITS};
use super::matching::extent;
use super::pipeline::Pipeline;
use super::raw::RawRig;

/// Number of poses that are tried.
const TRIES: usize = 24;

/// Vertices on which poses are compared.
const MAX_VERTICES: usize = 2048;

/// Returns the pose that tells the best explanation from those tied with it, if one of some random poses does.
pub fn suggested_pose(input: &DiagnosisInput<'_>, diagnosis: &Diagnosis) -> Option<Pose> {
    let best = diagnosis.best()?;
    let tied: Vec<&Pipeline> = diagnosis.tied().map(|explanation| &explanation.pipeline).collect();
    let tries = (0..TRIES).map(|seed| {
        let pose = random_pose(input, seed);
        let posed = evaluate(input.rig, None, &pose);
        let raw = RawRig::new(input.rig, (&pose, &posed, None), input.skinning);
        let step = raw.vertex_count().div_ceil(MAX_VERTICES).max(1);
        let vertices: Vec<(usize, u32)> = raw.vertices().step_by(step).collect();
        let points = raw.points(&best.pipeline, &vertices);
        let size = extent(&points);
        let difference = |other: &&Pipeline| {
            let others = raw.points(other, &vertices);
            points.iter().zip(&others).map(|(a, b)| a.distance(*b) / size).filter(|d| d.is_finite()).fold(0.0, f64::max)
        };
        let smallest = tied.iter().map(difference).fold(f64::INFINITY, f64::min);
        (smallest, pose)
    });
    let (difference, pose) = tries.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (difference.is_finite() && difference > FITS).then_some(pose)
}

/// Turns every joint without a constraint, by up to 60 degrees or, in every third pose, by up to 170.
fn random_pose(input: &DiagnosisInput<'_>, seed: usize) -> Pose {
    let degrees: f32 = if seed % 3 == 2 { 170.0 } else { 60.0 };
    let turn = |node: NodeIndex| {
        let mut random = Random::new(node, seed);
        let axis = Vec3::from_array([(); 3].map(|()| random.between(-1.0, 1.0))).normalize_or(Vec3::X);
        let angle = degrees.to_radians() * random.between(-1.0, 1.0);
        (node, Quat::from_axis_angle(axis, angle))
    };
    let turns: Vec<(NodeIndex, Quat)> = unconstrained_joints(input.rig).into_iter().map(turn).collect();
    rest_pose_with_rotations(input.rig, &turns)
}
