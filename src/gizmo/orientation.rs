//! Which way the handles of a gizmo point.

use glam::{Affine3, Mat3, Quat};

use crate::rig::polar;
use crate::view::Lens;

/// What the axes of the gizmo are aligned with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Orientation {
    /// The joint as posed, `W_j`.
    #[default]
    Local,
    /// The joint before the user's own transform, `W_p * A_j`: the axes that the user local rotation is counted in.
    Parent,
    /// The world's axes.
    World,
    /// X to the right of the picture, Y to its top, Z towards the viewer.
    View,
}

impl Orientation {
    /// In the order in which a key cycles through them.
    pub const ALL: [Self; 4] = [Self::Local, Self::Parent, Self::World, Self::View];

    /// World from gizmo: a pure rotation, whatever scale, shear or mirror the joint carries.
    ///
    /// `world_from_joint` is `W_j`, `world_before_user` is `W_p * A_j`. A mirrored joint gives the right-handed
    /// frame along the same three lines.
    pub fn rotation(self, world_from_joint: &Affine3, world_before_user: &Affine3, lens: &Lens) -> Quat {
        match self {
            Self::Local => polar(world_from_joint.matrix3).0,
            Self::Parent => polar(world_before_user.matrix3).0,
            Self::World => Quat::IDENTITY,
            Self::View => Quat::from_mat3(&Mat3::from_cols(lens.right, lens.up, -lens.forward)).normalize(),
        }
    }

    /// The orientation that a second press of an axis key takes: the world, or the joint where the world is in use.
    #[must_use]
    pub fn other(self) -> Self {
        if self == Self::World { Self::Local } else { Self::World }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Camera;
    use glam::{Vec2, Vec3};

    #[test]
    fn each_orientation_follows_its_own_frame() {
        let lens = Camera::default().lens(Vec2::new(800.0, 600.0));
        let before = Affine3::from_rotation_y(0.7) * Affine3::from_scale(Vec3::new(2.0, 0.5, 1.0));
        let after = before * Affine3::from_scale(Vec3::new(2.0, 0.5, 1.0).recip()) * Affine3::from_rotation_x(1.1);
        let rotation = |orientation: Orientation| orientation.rotation(&after, &before, &lens);
        let parent = Quat::from_rotation_y(0.7);
        assert!(rotation(Orientation::Parent).angle_between(parent) < 1e-3);
        assert!(rotation(Orientation::Local).angle_between(parent * Quat::from_rotation_x(1.1)) < 1e-3);
        assert_eq!(rotation(Orientation::World), Quat::IDENTITY);
        let view = rotation(Orientation::View);
        assert!((view * Vec3::X).distance(lens.right) < 1e-5);
        assert!((view * Vec3::Z).distance(-lens.forward) < 1e-5);
    }

    #[test]
    fn the_other_orientation_of_every_one_differs_from_it() {
        for orientation in Orientation::ALL {
            assert_ne!(orientation, orientation.other());
        }
    }
}
