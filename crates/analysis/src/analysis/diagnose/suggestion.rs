//! A pose in which mistakes differ that give the same points in another.

use glam::{Quat, Vec3};

use rigscope_core::rig::{Pose, Trs, evaluate};

use super::diagnosis::{Diagnosis, DiagnosisInput, FITS};
use super::matching::extent;
use super::pipeline::Pipeline;
use super::raw::RawRig;

/// Number of poses that are tried.
const TRIES: u32 = 24;

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
        let step = input.rig.vertex_count().div_ceil(MAX_VERTICES).max(1);
        let sizes = raw.parts.iter().map(|part| part.primitive.positions.len()).enumerate();
        let vertices = sizes.flat_map(|(part, count)| (0..count as u32).map(move |vertex| (part, vertex)));
        let vertices: Vec<(usize, u32)> = vertices.step_by(step).collect();
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

/// Turns every joint, by up to 60 degrees or, in every third pose, by up to 170.
fn random_pose(input: &DiagnosisInput<'_>, seed: u32) -> Pose {
    let hierarchy = &input.rig.hierarchy;
    let mut state = seed.wrapping_mul(0x9E37_79B9).wrapping_add(1);
    let mut random = || {
        // *Source*: Marsaglia 2003, xorshift.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        f64::from(state) as f32 / u32::MAX as f32 * 2.0 - 1.0
    };
    let degrees: f32 = if seed % 3 == 2 { 170.0 } else { 60.0 };
    let mut pose = Pose::rest(hierarchy);
    for node in hierarchy.nodes().filter(|node| input.rig.counts_as_joint(*node)) {
        let axis = Vec3::new(random(), random(), random()).normalize_or(Vec3::X);
        let angle = degrees.to_radians() * random();
        pose.set_user_local(node, Trs::from_rotation(Quat::from_axis_angle(axis, angle)));
    }
    pose
}
