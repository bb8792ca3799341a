//! From a world rotation to the user local transform.

use glam::{Affine3, Quat};

use crate::rig::{Trs, polar};

/// The user local transform after turning the joint in the world, about its own origin.
///
/// `user_local` is `Ul_j` before, `world_before_user` is `W_p * A_j`, `world_rotation` is `R`. With `F` the rotation
/// part of `W_p * A_j`, which scale, shear and mirror do not enter, `Ul'.rotation = F^-1 * R * F * Ul.rotation`.
/// Translation and scale stay. *Source*: MATH.md, reading and setting the user transform.
///
/// Hand in the transform from the start of a drag and the whole rotation since: then nothing adds up. For those who
/// do it step by step the product is made in double precision.
pub fn turned(user_local: &Trs, world_before_user: &Affine3, world_rotation: Quat) -> Trs {
    let frame = polar(world_before_user.matrix3).0.as_dquat();
    let rotation = frame.conjugate() * world_rotation.as_dquat() * frame * user_local.rotation.as_dquat();
    Trs { rotation: rotation.normalize().as_quat(), ..*user_local }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmo::rotate::testing::any_rotation;
    use glam::{Mat3, Vec3};
    use proptest::prelude::*;

    fn any_vector(size: f32) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-size..size).prop_map(Vec3::from)
    }

    /// Stretches along the axes, some of them negative.
    fn any_scale() -> impl Strategy<Value = Vec3> {
        (prop::array::uniform3(0.3_f32..3.0), prop::array::uniform3(any::<bool>()))
            .prop_map(|(size, mirror)| Vec3::from(size) * Vec3::from(mirror.map(|m| if m { -1.0 } else { 1.0 })))
    }

    fn any_user() -> impl Strategy<Value = Trs> {
        (any_vector(2.0), any_rotation(), any_scale()).prop_map(|(translation, rotation, scale)| Trs {
            translation,
            rotation,
            scale,
        })
    }

    /// Any place, stretch, shear and mirror: two stretched rotations.
    fn any_parent() -> impl Strategy<Value = Affine3> {
        (any_rotation(), any_scale(), any_rotation(), any_scale(), any_vector(5.0)).prop_map(|(q, s, r, t, x)| {
            let matrix = Mat3::from_quat(q) * Mat3::from_diagonal(s) * Mat3::from_quat(r) * Mat3::from_diagonal(t);
            Affine3::from_mat3_translation(matrix, x)
        })
    }

    /// Uniformly scaled, and perhaps mirrored across one of its axes.
    fn any_even_parent() -> impl Strategy<Value = Affine3> {
        (any_rotation(), 0.05_f32..20.0, 0_usize..5, any_vector(5.0)).prop_map(|(q, size, mirror, x)| {
            let mirrors = [
                Vec3::ONE,
                Vec3::NEG_ONE,
                Vec3::new(-1.0, 1.0, 1.0),
                Vec3::new(1.0, -1.0, 1.0),
                Vec3::new(1.0, 1.0, -1.0),
            ];
            Affine3::from_scale_rotation_translation(mirrors[mirror] * size, q, x)
        })
    }

    fn world(parent: &Affine3, user: &Trs) -> Affine3 {
        *parent * user.to_affine()
    }

    /// Radians between two rotations; `Quat::angle_between` cannot tell small ones.
    fn apart(a: Quat, b: Quat) -> f32 {
        2.0 * (a.conjugate() * b).xyz().length().min(1.0).asin()
    }

    proptest! {
        #[test]
        fn only_the_rotation_changes_and_stays_a_unit(parent in any_parent(), user in any_user(), r in any_rotation()) {
            let after = turned(&user, &parent, r);
            prop_assert_eq!((after.translation, after.scale), (user.translation, user.scale));
            prop_assert!((after.rotation.length() - 1.0).abs() < 1e-6);
            // By the same angle as in the world, whatever the parent.
            let own = after.rotation * user.rotation.conjugate();
            prop_assert!((own.w.abs() - r.w.abs()).abs() < 1e-5);
        }

        #[test]
        fn the_joint_turns_in_the_world_as_asked(parent in any_even_parent(), user in any_user(), r in any_rotation()) {
            let before = polar(world(&parent, &user).matrix3).0;
            let after = polar(world(&parent, &turned(&user, &parent, r)).matrix3).0;
            prop_assert!(apart(after, r * before) < 1e-5, "{}", apart(after, r * before));
        }

        #[test]
        fn the_origin_of_the_joint_stays(parent in any_parent(), user in any_user(), r in any_rotation()) {
            let moved = world(&parent, &turned(&user, &parent, r)).translation;
            prop_assert_eq!(moved, world(&parent, &user).translation);
        }

        #[test]
        fn no_turn_changes_nothing(parent in any_parent(), user in any_user()) {
            prop_assert!(apart(turned(&user, &parent, Quat::IDENTITY).rotation, user.rotation) < 1e-6);
        }

        #[test]
        fn a_thousand_edits_do_not_drift(parent in any_parent(), user in any_user(), axis in any_rotation(), angle in -0.5_f32..0.5) {
            let step = Quat::from_axis_angle(axis * Vec3::X, angle);
            let mut edited = user;
            let mut whole = glam::DQuat::IDENTITY;
            for _ in 0..1000 {
                edited = turned(&edited, &parent, step);
                whole = step.as_dquat() * whole;
            }
            let at_once = turned(&user, &parent, whole.normalize().as_quat());
            prop_assert!(apart(edited.rotation, at_once.rotation) < 1e-5, "{}", apart(edited.rotation, at_once.rotation));
            prop_assert!((edited.rotation.length() - 1.0).abs() < 1e-6);
            prop_assert_eq!((edited.translation, edited.scale), (user.translation, user.scale));
        }

        #[test]
        fn there_and_back_is_where_it_was(parent in any_parent(), user in any_user(), r in any_rotation()) {
            let back = turned(&turned(&user, &parent, r), &parent, r.conjugate());
            prop_assert!(apart(back.rotation, user.rotation) < 1e-6);
        }
    }
}
