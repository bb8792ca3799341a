//! The figure's joints, with humanoid names. +Y points along the bone and +X along the hinge axis: elbows, hips,
//! fingers and spine bend forward about +X, knees bend back about -X.

use glam::DVec3;

use super::super::math::v;
use super::super::rig::Rig;
use super::body::{
    ALONG, BACK, COLLAR, CROWN, ELBOW, EYE, Finger, JAW, LEG, SHOULDER, SPINE, TOE_TIP, WRIST, arm_direction,
    arm_point, fingers, thumb,
};

/// Returns all joints, parents first.
pub fn skeleton() -> Rig {
    let mut rig = Rig::default();
    let head = spine(&mut rig);
    rig.add("Jaw", Some(head), JAW, v(0.0, -0.6, 0.8), v(0.0, 0.8, 0.6));
    let eye = rig.add("LeftEye", Some(head), EYE, DVec3::Z, DVec3::Y);
    rig.add_mirrored(eye);
    for part in [arm, leg] {
        let first = rig.joints.len();
        part(&mut rig);
        for left in first..rig.joints.len() {
            rig.add_mirrored(left);
        }
    }
    rig
}

fn spine(rig: &mut Rig) -> usize {
    let mut parent = None;
    for (i, (name, position)) in SPINE.iter().enumerate() {
        let tip = SPINE.get(i + 1).map_or(CROWN, |next| next.1);
        parent = Some(rig.add(name, parent, *position, tip - *position, DVec3::Z));
    }
    rig.find("Head")
}

fn arm(rig: &mut Rig) {
    let chest = rig.find("UpperChest");
    let collar = rig.add("LeftShoulder", Some(chest), COLLAR, SHOULDER - COLLAR, DVec3::Z);
    let upper = rig.add("LeftUpperArm", Some(collar), SHOULDER, ALONG, DVec3::Z);
    let lower = rig.add("LeftLowerArm", Some(upper), arm_point(v(ELBOW, 0.0, 0.0)), ALONG, DVec3::Z);
    // From the wrist on, +Z points out of the palm, so that fingers curl about +X.
    let hand = rig.add("LeftHand", Some(lower), arm_point(v(WRIST, 0.0, 0.0)), ALONG, -BACK);
    digit(rig, hand, &thumb(), ["Metacarpal", "Proximal", "Distal"]);
    for finger in fingers() {
        digit(rig, hand, &finger, ["Proximal", "Intermediate", "Distal"]);
    }
}

fn digit(rig: &mut Rig, hand: usize, finger: &Finger, names: [&str; 3]) {
    let mut parent = hand;
    for (i, name) in names.iter().enumerate() {
        let along = arm_direction(finger.points[i + 1] - finger.points[i]);
        let palm = arm_direction(-finger.nail);
        parent = rig.add(&format!("Left{}{name}", finger.name), Some(parent), arm_point(finger.points[i]), along, palm);
    }
}

fn leg(rig: &mut Rig) {
    let names = ["LeftUpperLeg", "LeftLowerLeg", "LeftFoot", "LeftToes"];
    let fronts = [DVec3::Z, DVec3::Z, DVec3::Y, DVec3::Y];
    let mut parent = rig.find("Hips");
    for i in 0..4 {
        let tip = if i < 3 { LEG[i + 1] } else { TOE_TIP };
        parent = rig.add(names[i], Some(parent), LEG[i], tip - LEG[i], fronts[i]);
    }
}
