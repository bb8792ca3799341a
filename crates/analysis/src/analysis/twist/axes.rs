//! Axes for twisting and bending a joint, and rotations about them.

use glam::{Affine3, Mat3, Vec3};

use crate::analysis::region::joint_above;
use rigscope_core::rig::{NodeIndex, Pose, Posed, Rig, Trs, bones_of};

/// Two bones define a hinge if the sine of the angle between them exceeds this.
const STRAIGHT: f32 = 0.05;

/// Unit axes in the joint's own frame, which the pose rotates but does not scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Axis along the bone.
    pub twist: Vec3,
    /// Hinge axis, across the bone.
    pub bend: Vec3,
}

impl Axes {
    /// Returns the natural axes of a joint. The twist axis runs along the joint's longest bone. The bend axis is
    /// perpendicular to that bone and to the bone from the parent joint, so that positive angles bend the joint
    /// further. If these bones are parallel, the bend axis is the joint's coordinate axis that is most perpendicular to
    /// the bone (on ties, the last), made exactly perpendicular. `posed` must be the evaluation of `pose`.
    pub fn natural(rig: &Rig, posed: &Posed, pose: &Pose, joint: NodeIndex) -> Self {
        let user = pose.user_local(joint);
        let frame = posed.world_before_user(&rig.hierarchy, joint) * Trs { scale: Vec3::ONE, ..*user }.to_affine();
        let joint_from_world = frame.inverse();
        let direction = |from: Vec3, to: Vec3| joint_from_world.transform_vector3(to - from).normalize_or_zero();
        let longest = bones_of(rig, posed, joint).max_by(|a, b| a.length().total_cmp(&b.length()));
        let bone = longest.map_or(Vec3::ZERO, |b| direction(b.head, b.tail));
        let twist = if bone.is_normalized() { bone } else { Vec3::Y };
        let parent = joint_above(rig, joint).map_or(Vec3::ZERO, |p| {
            let world = |node: NodeIndex| -> &Affine3 { &posed.world_from_node[node.index()] };
            direction(world(p).translation, world(joint).translation)
        });
        let hinge = parent.cross(twist);
        let bend = hinge.try_normalize().filter(|_| hinge.length() > STRAIGHT).unwrap_or_else(|| across(twist));
        Self { twist, bend }
    }
}

/// Returns a vector perpendicular to the unit vector `twist`: the coordinate axis that is most perpendicular to
/// `twist`, made exactly perpendicular.
fn across(twist: Vec3) -> Vec3 {
    let [x, y, z] = twist.abs().to_array();
    let smallest_axis = if z <= x && z <= y { 2 } else { usize::from(y <= x) };
    let axis = Mat3::IDENTITY.col(smallest_axis);
    axis.reject_from_normalized(twist).normalize_or(axis)
}

rigscope_core::named_enum! {
    /// Kind of test rotation.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum RotationKind {
        /// Rotation about the bone.
        #[default]
        Twist = "twist";
        /// Rotation about the hinge.
        Bend = "bend";
    }
}

/// Rotation about one of a joint's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestRotation {
    /// Axis of the rotation.
    pub motion: RotationKind,
    /// Angle of the rotation, radians.
    pub angle: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hinge_of_a_straight_limb_lies_across_it() {
        assert_eq!(across(Vec3::X), Vec3::Z);
        assert_eq!(across(Vec3::NEG_Y), Vec3::Z);
        assert_eq!(across(Vec3::Z), Vec3::Y);
        let slanted = Vec3::new(0.6, 0.0, 0.8);
        assert!(across(slanted).dot(slanted).abs() < 1e-6);
    }
}
