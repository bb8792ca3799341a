//! Skin weights as one smooth function of position, so that a sleeve and the arm in it move together.
//!
//! Every joint takes a fraction of its parent's weight, so the sum is always 1. The fraction changes smoothly across a plane through the joint, over a width
//! that riggers would choose. The functions are for the left half.

use std::collections::BTreeMap;

use glam::DVec3;

use super::super::math::{smoothstep, v};
use super::super::rig::Rig;
use super::super::sdf::segment;
use super::body::{ELBOW, Finger, LEG, SHOULDER, SPINE, WRIST, fingers, in_arm, thumb};

/// Weights of joints at a point, by joint index.
type Shares = BTreeMap<usize, f64>;

/// The weight function of a rig.
pub struct Weights<'a> {
    rig: &'a Rig,
    fingers: [Finger; 4],
    thumb: Finger,
}

impl<'a> Weights<'a> {
    /// Creates the weight function of the figure.
    pub fn new(rig: &'a Rig) -> Self {
        Self { rig, fingers: fingers(), thumb: thumb() }
    }

    /// Returns weights at a point with x >= 0. On the mirror plane, both sides get equal weights.
    pub fn at(&self, p: DVec3) -> Shares {
        let mut shares = Shares::new();
        let (leg, arm) = (leg_share(p), arm_share(p));
        let side = 0.5 + 0.5 * smoothstep(0.0, 0.022, p.x);
        self.spine(p, (1.0 - leg) * (1.0 - arm), &mut shares);
        self.arm(p, arm * (1.0 - leg), &mut shares);
        self.leg(p, leg * side, "Left", &mut shares);
        self.leg(p, leg * (1.0 - side), "Right", &mut shares);
        shares
    }

    fn give(&self, name: &str, share: f64, shares: &mut Shares) {
        if share > 0.0 {
            *shares.entry(self.rig.find(name)).or_insert(0.0) += share;
        }
    }

    fn spine(&self, p: DVec3, total: f64, shares: &mut Shares) {
        let rise = |joint: usize, width: f64| fade(p.y - SPINE[joint].1.y, width);
        // The shoulders follow the chest; only the middle follows the neck.
        let neck = fade(p.y - 1.452 - 0.45 * (p.x - 0.045).max(0.0), 0.075);
        let head = fade((p.y - 1.528) + 0.5 * (p.z + 0.010), 0.05);
        let steps = [rise(1, 0.12), rise(2, 0.12), rise(3, 0.12), neck, head];
        let mut rest = total;
        for (joint, step) in steps.into_iter().enumerate() {
            self.give(SPINE[joint].0, rest * (1.0 - step), shares);
            rest *= step;
        }
        let jaw = jaw_share(p);
        self.give("Head", rest * (1.0 - jaw), shares);
        self.give("Jaw", rest * jaw, shares);
    }

    fn arm(&self, p: DVec3, total: f64, shares: &mut Shares) {
        let q = in_arm(p);
        let upper = upper_arm_share(p, q);
        let (lower, hand) = (fade(q.x - ELBOW, 0.085), fade(q.x - WRIST, 0.05));
        self.give("LeftShoulder", total * (1.0 - upper), shares);
        self.give("LeftUpperArm", total * upper * (1.0 - lower), shares);
        self.give("LeftLowerArm", total * upper * lower * (1.0 - hand), shares);
        if total * upper * lower * hand > 0.0 {
            self.hand(q, total * upper * lower * hand, shares);
        }
    }

    fn hand(&self, q: DVec3, total: f64, shares: &mut Shares) {
        let reach = distance_to(q, &self.thumb);
        let base = self.thumb.points[0];
        let thumb =
            (1.0 - smoothstep(0.0145, 0.030, reach)) * smoothstep(-0.004, 0.026, (q - base).dot(v(0.65, -0.2, 0.73)));
        self.digit(q, &self.thumb, ["Metacarpal", "Proximal", "Distal"], [-0.1, 0.018, 0.013], total * thumb, shares);
        // A finger has no weight 4 mm farther away than the nearest finger, so only the webs are shared.
        let reaches = self.fingers.each_ref().map(|finger| distance_to(q, finger));
        let nearest = reaches.into_iter().fold(f64::INFINITY, f64::min);
        let near = reaches.map(|reach| 1.0 - smoothstep(0.0, 0.004, reach - nearest));
        let sum: f64 = near.iter().sum();
        let rest = total * (1.0 - thumb);
        for (finger, near) in self.fingers.iter().zip(near) {
            let along = finger.points[1] - finger.points[0];
            let step = fade((q - finger.points[0]).dot(along) / along.dot(along).sqrt() - 0.002, 0.022);
            let names = ["Proximal", "Intermediate", "Distal"];
            self.digit(q, finger, names, [-0.1, 0.014, 0.011], rest * step * near / sum, shares);
            self.give("LeftHand", rest * (1.0 - step) * near / sum, shares);
        }
    }

    fn digit(&self, q: DVec3, finger: &Finger, names: [&str; 3], widths: [f64; 3], total: f64, shares: &mut Shares) {
        let mut rest = total;
        for i in 0..3 {
            let step = if i == 2 { 0.0 } else { bend_share(q, finger, i + 1, widths[i + 1]) };
            self.give(&format!("Left{}{}", finger.name, names[i]), rest * (1.0 - step), shares);
            rest *= step;
        }
    }

    fn leg(&self, p: DVec3, total: f64, side: &str, shares: &mut Shares) {
        let knee = fade(LEG[1].y - p.y, 0.11);
        let ankle = fade((p - LEG[2]).dot(v(0.0, -0.97, 0.24)), 0.07);
        let ball = fade((p - LEG[3]).dot(v(0.05, 0.10, 0.99)), 0.055);
        let steps = [("UpperLeg", knee), ("LowerLeg", ankle), ("Foot", ball), ("Toes", 0.0)];
        let mut rest = total;
        for (name, step) in steps {
            self.give(&format!("{side}{name}"), rest * (1.0 - step), shares);
            rest *= step;
        }
    }
}

/// Rises smoothly from 0 to 1 across a band of this width centred on 0.
fn fade(distance: f64, width: f64) -> f64 {
    smoothstep(-0.5 * width, 0.5 * width, distance)
}

/// Weight fraction of a joint in a finger. Changes across the plane that bisects the angle of the two bones.
fn bend_share(q: DVec3, finger: &Finger, joint: usize, width: f64) -> f64 {
    let [before, at, after] = [finger.points[joint - 1], finger.points[joint], finger.points[joint + 1]];
    let unit = |a: DVec3| a / a.dot(a).sqrt();
    fade((q - at).dot(unit(unit(at - before) + unit(after - at))), width)
}

fn distance_to(q: DVec3, finger: &Finger) -> f64 {
    let reach = |i: usize| segment(q, finger.points[i], finger.points[i + 1]).0;
    reach(0).min(reach(1)).min(reach(2))
}

/// Returns the weight fraction of both legs: below the groin, which rises from the crotch to the outside of the hip.
fn leg_share(p: DVec3) -> f64 {
    // The seat follows the hips, so that a lifted thigh doesn't pull the back of the shirt.
    let below = (p - LEG[0]).dot(v(0.58, -0.815, 0.0)) - 0.42 * (-p.z).max(0.0);
    let is_hand = smoothstep(0.22, 0.27, p.x);
    fade(below, 0.17) * (1.0 - smoothstep(0.97, 1.06, p.y)) * (1.0 - is_hand)
}

/// Returns the weight fraction of arm and collar bone: the upper outer chest and everything beyond it.
fn arm_share(p: DVec3) -> f64 {
    let q = in_arm(p);
    let collar = 0.8 * smoothstep(0.03, 0.15, p.x) * smoothstep(1.22, 1.36, p.y) * (1.0 - smoothstep(1.43, 1.50, p.y));
    let upper = upper_arm_share(p, q);
    collar + (1.0 - collar) * upper
}

/// Fades across the armpit. It is 0 on the side of the chest, which is too far from the arm's axis.
fn upper_arm_share(p: DVec3, q: DVec3) -> f64 {
    let plane = fade((p - SHOULDER).dot(v(0.87, -0.493, 0.0)) - 0.024, 0.125);
    let reach = (q.y * q.y + q.z * q.z).sqrt();
    let armpit = (1.0 - smoothstep(0.078, 0.125, reach)).max(smoothstep(0.20, 0.30, q.x));
    plane * armpit * (1.0 - smoothstep(0.15, 0.20, reach))
}

/// Returns the weight fraction of the jaw: the chin and the lower lip.
fn jaw_share(p: DVec3) -> f64 {
    let below = smoothstep(1.5555, 1.542, p.y - 0.02 * (p.x / 0.05));
    below * smoothstep(0.0, 0.045, p.z) * (1.0 - smoothstep(1.505, 1.485, p.y))
}
