use glam::{Affine3, Mat3, Quat, Vec3};

use crate::rig::{EulerOrder, polar};
use crate::view::Lens;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Orientation {
    /// Axes of the posed joint, `W_j`.
    #[default]
    Local,
    /// Axes of the joint before the user's transform, `W_p * A_j`. User rotations are relative to these axes.
    Parent,
    World,
    /// Camera axes: X right, Y up, Z towards the viewer.
    View,
    /// Axes of the user rotation's Euler angles: each ring changes one angle. Not orthogonal; the first and last axes
    /// coincide if the middle angle is 90°.
    Gimbal,
}

impl Orientation {
    pub const ALL: [Self; 5] = [Self::Local, Self::Parent, Self::World, Self::View, Self::Gimbal];

    /// Computes unit axes in world space. `world_from_joint` is `W_j`, `world_before_user` is `W_p * A_j`. The axes
    /// are right-handed even for scaled, sheared or mirrored joints.
    pub fn axes(self, order: EulerOrder, world_from_joint: &Affine3, world_before_user: &Affine3, lens: &Lens) -> Mat3 {
        match self {
            Self::Local => Mat3::from_quat(polar(world_from_joint.matrix3).0),
            Self::Parent => Mat3::from_quat(polar(world_before_user.matrix3).0),
            Self::World => Mat3::IDENTITY,
            Self::View => Mat3::from_cols(lens.right, lens.up, -lens.forward),
            Self::Gimbal => gimbal(order, world_from_joint, world_before_user),
        }
    }

    #[must_use]
    pub fn beside_world(self) -> Self {
        if self == Self::World { Self::Local } else { self }
    }

    /// Returns the orientation to switch to when an axis key is repeated.
    #[must_use]
    pub fn other(self) -> Self {
        if self == Self::World { Self::Local } else { Self::World }
    }
}

/// Returns the world axes about which the X, Y and Z angles of `R = R_i * R_j * R_k` rotate.
fn gimbal(order: EulerOrder, world_from_joint: &Affine3, world_before_user: &Affine3) -> Mat3 {
    let before = polar(world_before_user.matrix3).0;
    let user = before.inverse() * polar(world_from_joint.matrix3).0;
    let [first, middle, last] = order.axes();
    let angle = order.angles(user)[first];
    let after_first = before * Quat::from_axis_angle(Vec3::AXES[first], angle);
    let mut axes = [Vec3::ZERO; 3];
    axes[first] = before * Vec3::AXES[first];
    axes[middle] = after_first * Vec3::AXES[middle];
    axes[last] = before * user * Vec3::AXES[last];
    let [x, y, z] = axes;
    Mat3::from_cols(x, y, z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Camera;
    use glam::Vec2;

    #[test]
    fn each_orientation_follows_its_own_frame() {
        let lens = Camera::default().lens(Vec2::new(800.0, 600.0));
        let before = Affine3::from_rotation_y(0.7) * Affine3::from_scale(Vec3::new(2.0, 0.5, 1.0));
        let after = before * Affine3::from_scale(Vec3::new(2.0, 0.5, 1.0).recip()) * Affine3::from_rotation_x(1.1);
        let rotation =
            |orientation: Orientation| Quat::from_mat3(&orientation.axes(EulerOrder::Xyz, &after, &before, &lens));
        let parent = Quat::from_rotation_y(0.7);
        assert!(rotation(Orientation::Parent).angle_between(parent) < 1e-3);
        assert!(rotation(Orientation::Local).angle_between(parent * Quat::from_rotation_x(1.1)) < 1e-3);
        assert_eq!(rotation(Orientation::World), Quat::IDENTITY);
        let view = rotation(Orientation::View);
        assert!((view * Vec3::X).distance(lens.right) < 1e-5);
        assert!((view * Vec3::Z).distance(-lens.forward) < 1e-5);
    }

    #[test]
    fn a_turn_about_a_gimbal_axis_changes_one_angle() {
        let lens = Camera::default().lens(Vec2::new(800.0, 600.0));
        let before = Affine3::from_rotation_y(0.7);
        let angles = Vec3::new(0.4, -0.6, 0.9);
        let frame = Quat::from_rotation_y(0.7);
        for order in EulerOrder::ALL {
            let user = order.rotation(angles);
            let axes = Orientation::Gimbal.axes(order, &(before * Affine3::from_quat(user)), &before, &lens);
            for i in 0..3 {
                let turned = frame.inverse() * Quat::from_axis_angle(axes.col(i), 0.2) * frame * user;
                let wanted = angles + Vec3::AXES[i] * 0.2;
                let found = order.angles(turned);
                assert!(found.abs_diff_eq(wanted, 1e-5), "{}, axis {i}: {found} is not {wanted}", order.name());
            }
        }
    }

    #[test]
    fn the_other_orientation_of_every_one_differs_from_it() {
        for orientation in Orientation::ALL {
            assert_ne!(orientation, orientation.other());
        }
    }
}
