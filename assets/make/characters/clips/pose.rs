//! A pose of rotations on top of the rest pose, and the sampling of clips from a function of time.

use glam::{DQuat, DVec3};

use super::super::math::{quat_mul, rotate, turn, unit_quat};
use super::super::model::{Clip, Keys, Track};
use super::super::rig::{Place, Rig, below};

/// Rotations of all joints relative to their rest axes, and the translation of the hips.
#[derive(Clone)]
pub struct Pose<'a> {
    /// The rig with its joints.
    pub rig: &'a Rig,
    turns: Vec<DQuat>,
    hips: DVec3,
}

impl<'a> Pose<'a> {
    /// Creates the rest pose.
    pub fn rest(rig: &'a Rig) -> Self {
        Self { rig, turns: vec![DQuat::from_xyzw(0.0, 0.0, 0.0, 1.0); rig.joints.len()], hips: DVec3::ZERO }
    }

    /// Adds a rotation in degrees: first about Y (along the bone), then X (the hinge), then Z.
    pub fn bend(&mut self, name: &str, [x, y, z]: [f64; 3]) {
        let joint = self.rig.find(name);
        let added = quat_mul(quat_mul(turn(DVec3::Z, z), turn(DVec3::X, x)), turn(DVec3::Y, y));
        self.turns[joint] = unit_quat(quat_mul(self.turns[joint], added));
    }

    /// Adds mirrored rotations on both sides: those about Y and Z change their sign on the right.
    pub fn bend_both(&mut self, name: &str, [x, y, z]: [f64; 3]) {
        self.bend(&format!("Left{name}"), [x, y, z]);
        self.bend(&format!("Right{name}"), [x, -y, -z]);
    }

    /// Returns the current rotation of a joint.
    pub fn joint_rotation(&self, joint: usize) -> DQuat {
        self.turns[joint]
    }

    /// Sets a joint's rotation by normalised interpolation along the shorter arc.
    pub fn set_turn(&mut self, joint: usize, from: DQuat, to: DQuat, amount: f64) {
        let to = if dot(from, to) < 0.0 { negated(to) } else { to };
        let between = |a: f64, b: f64| a + (b - a) * amount;
        self.turns[joint] = unit_quat(DQuat::from_xyzw(
            between(from.x, to.x),
            between(from.y, to.y),
            between(from.z, to.z),
            between(from.w, to.w),
        ));
    }

    /// Moves the hips, model space, metres.
    pub fn shift_hips(&mut self, by: DVec3) {
        self.hips += by;
    }

    /// Returns a joint's position and rotation in the posed model.
    pub fn place(&self, joint: usize) -> Place {
        let local = &self.rig.joints[joint];
        let rotation = quat_mul(local.rotation, self.turns[joint]);
        match local.parent {
            None => Place { position: local.translation + self.hips, rotation },
            Some(parent) => below(self.place(parent), local.translation, rotation),
        }
    }

    /// Sets a joint's rotation in model space.
    pub fn set_rotation(&mut self, joint: usize, rotation: DQuat) {
        let local = &self.rig.joints[joint];
        let above = local.parent.map_or(DQuat::from_xyzw(0.0, 0.0, 0.0, 1.0), |p| self.place(p).rotation);
        let rest = quat_mul(above, local.rotation);
        self.turns[joint] = unit_quat(quat_mul(rest.conjugate(), rotation));
    }

    /// Returns a joint's rest rotation in model space, for aiming.
    pub fn rest_rotation(&self, joint: usize) -> DQuat {
        self.rig.place(joint).rotation
    }

    fn local_rotation(&self, joint: usize) -> DQuat {
        unit_quat(quat_mul(self.rig.joints[joint].rotation, self.turns[joint]))
    }
}

/// Samples a clip from a function of time in seconds, in `count` equal steps. In a loop, the last key equals the first.
pub fn sample<'a>(
    name: &'static str,
    seconds: f64,
    count: usize,
    is_smooth: bool,
    rig: &'a Rig,
    pose_at: &dyn Fn(f64) -> Pose<'a>,
) -> Clip {
    const STEP: f64 = 1e-3;
    let times: Vec<f64> = (0..=count).map(|i| seconds * i as f64 / count as f64).collect();
    let triples: Vec<[Pose<'_>; 3]> =
        times.iter().map(|t| [pose_at(t - STEP), pose_at(*t), pose_at(t + STEP)]).collect();
    let mut tracks = Vec::new();
    for joint in 0..rig.joints.len() {
        let keys = rotations(&triples, joint, STEP);
        if keys.iter().any(|(q, _)| distance(*q, rig.joints[joint].rotation) > 1e-6) {
            tracks.push(Track { joint, keys: Keys::Rotation(keys) });
        }
    }
    if triples.iter().any(|[_, pose, _]| pose.hips.dot(pose.hips) > 1e-12) {
        let base = rig.joints[0].translation;
        let key = |[a, b, c]: &[Pose<'_>; 3]| (base + b.hips, (c.hips - a.hips) / (2.0 * STEP));
        tracks.push(Track { joint: 0, keys: Keys::Translation(triples.iter().map(key).collect()) });
    }
    Clip { name, is_smooth, times, tracks }
}

/// Returns the rotation keys of a joint. Their signs make interpolation between adjacent keys take the shorter arc.
fn rotations(triples: &[[Pose<'_>; 3]], joint: usize, step: f64) -> Vec<(DQuat, DQuat)> {
    let mut previous: Option<DQuat> = None;
    let mut key = |[a, b, c]: &[Pose<'_>; 3]| {
        let near = |q: DQuat, to: DQuat| if dot(q, to) < 0.0 { negated(q) } else { q };
        let here = b.local_rotation(joint);
        let here = previous.map_or(here, |previous| near(here, previous));
        previous = Some(here);
        let (before, after) = (near(a.local_rotation(joint), here), near(c.local_rotation(joint), here));
        let slope = |p: f64, q: f64| (q - p) / (2.0 * step);
        let slopes = DQuat::from_xyzw(
            slope(before.x, after.x),
            slope(before.y, after.y),
            slope(before.z, after.z),
            slope(before.w, after.w),
        );
        (here, slopes)
    };
    triples.iter().map(&mut key).collect()
}

fn dot(a: DQuat, b: DQuat) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
}

fn negated(q: DQuat) -> DQuat {
    DQuat::from_xyzw(-q.x, -q.y, -q.z, -q.w)
}

fn distance(a: DQuat, b: DQuat) -> f64 {
    1.0 - dot(a, b).abs()
}

/// Rotates a direction in model space by a joint's rotation relative to rest.
pub fn moved(pose: &Pose<'_>, joint: usize, direction: DVec3) -> DVec3 {
    let q = quat_mul(pose.place(joint).rotation, pose.rest_rotation(joint).conjugate());
    rotate(q, direction)
}
