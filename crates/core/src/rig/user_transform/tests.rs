use glam::Vec3;
use proptest::prelude::*;

use super::*;
use crate::rig::polar_f64;
use crate::rig::testing::{any_even_parent, any_parent, any_rotation, any_trs, apart, largest};

fn world(parent: &Affine3, user: &Trs) -> Affine3 {
    *parent * user.to_affine()
}

fn off(a: &Affine3, b: &Affine3) -> f32 {
    let matrix = largest(a.matrix3 - b.matrix3) / largest(b.matrix3).max(1e-3);
    matrix.max(a.translation.distance(b.translation) / b.translation.length().max(1.0))
}

/// Returns the shear that a user transform cannot store: the largest off-diagonal entry of the stretch, relative to the
/// largest entry.
fn shear(parent: &Affine3, wanted: &Affine3) -> f32 {
    let stretch = polar_f64((parent.as_daffine3().inverse() * wanted.as_daffine3()).matrix3).1;
    let largest = stretch.to_cols_array().into_iter().fold(0.0, |max: f64, x| max.max(x.abs()));
    let off = stretch.x_axis.y.abs().max(stretch.x_axis.z.abs()).max(stretch.y_axis.z.abs());
    if largest > 0.0 { (off / largest) as f32 } else { 0.0 }
}

proptest! {
    #[test]
    fn user_transform_is_recovered_from_the_world_matrix(parent in any_parent(), user in any_trs(2.0)) {
        // The shear is in W_p A_j, not in the user transform.
        let read = user_local_for_world(&parent, &world(&parent, &user)).unwrap();
        let off = off(&read.to_affine(), &user.to_affine());
        prop_assert!(off < 3e-5, "{off}: {read:?}");
    }

    #[test]
    fn a_wanted_world_matrix_is_reached(parent in any_even_parent(), wanted in any_trs(3.0)) {
        let wanted = wanted.to_affine();
        let reached = world(&parent, &user_local_for_world(&parent, &wanted).unwrap());
        prop_assert!(off(&reached, &wanted) < 1e-5, "{}", off(&reached, &wanted));
    }

    #[test]
    fn only_shear_is_lost_and_never_the_place(parent in any_parent(), wanted in any_trs(3.0)) {
        let wanted = wanted.to_affine();
        let reached = world(&parent, &user_local_for_world(&parent, &wanted).unwrap());
        prop_assert!(reached.translation.distance(wanted.translation) < 2e-4, "{} {}", reached.translation, wanted.translation);
        let lost = shear(&parent, &wanted);
        let local = parent.inverse() * wanted;
        let found = parent.inverse() * reached;
        let share = largest(local.matrix3 - found.matrix3) / largest(local.matrix3);
        // Each entry of the difference is a unit vector times an off-diagonal entry.
        prop_assert!(share <= 3.0 * lost + 1e-4, "{share} of shear {lost}");
        prop_assert!(lost < 1e-3 || share > 0.1 * lost, "{share} of shear {lost}");
    }

    #[test]
    fn a_thousand_times_read_and_set_does_not_drift(parent in any_parent(), user in any_trs(1.0)) {
        let first = user_local_for_world(&parent, &world(&parent, &user)).unwrap();
        let mut again = first;
        let frame = parent.as_daffine3();
        for _ in 0..1000 {
            again = Trs::from_daffine(&(frame.inverse() * (frame * again.to_daffine())));
        }
        prop_assert!(apart(again.rotation, first.rotation) < 1e-5, "{}", apart(again.rotation, first.rotation));
        prop_assert!(again.scale.distance(first.scale) < 1e-5, "{} {}", again.scale, first.scale);
        prop_assert!(again.translation.distance(first.translation) < 1e-5);
    }

    #[test]
    fn only_the_rotation_changes_and_stays_a_unit(parent in any_parent(), user in any_trs(2.0), r in any_rotation()) {
        let after = rotate_in_world(&user, &parent, r);
        prop_assert_eq!((after.translation, after.scale), (user.translation, user.scale));
        prop_assert!((after.rotation.length() - 1.0).abs() < 1e-6);
        // The local rotation angle equals the world angle under every parent.
        let own = after.rotation * user.rotation.conjugate();
        prop_assert!((own.w.abs() - r.w.abs()).abs() < 1e-5);
    }

    #[test]
    fn the_joint_turns_in_the_world_as_asked(parent in any_even_parent(), user in any_trs(2.0), r in any_rotation()) {
        let before = polar(world(&parent, &user).matrix3).0;
        let after = polar(world(&parent, &rotate_in_world(&user, &parent, r)).matrix3).0;
        prop_assert!(apart(after, r * before) < 1e-5, "{}", apart(after, r * before));
    }

    #[test]
    fn the_origin_of_the_joint_stays(parent in any_parent(), user in any_trs(2.0), r in any_rotation()) {
        let moved = world(&parent, &rotate_in_world(&user, &parent, r)).translation;
        prop_assert_eq!(moved, world(&parent, &user).translation);
    }

    #[test]
    fn no_turn_changes_nothing(parent in any_parent(), user in any_trs(2.0)) {
        prop_assert!(apart(rotate_in_world(&user, &parent, Quat::IDENTITY).rotation, user.rotation) < 1e-6);
    }

    #[test]
    fn a_thousand_turns_do_not_drift(parent in any_parent(), user in any_trs(2.0), axis in any_rotation(), angle in -0.5_f32..0.5) {
        let step = Quat::from_axis_angle(axis * Vec3::X, angle);
        let mut edited = user;
        let mut whole = glam::DQuat::IDENTITY;
        for _ in 0..1000 {
            edited = rotate_in_world(&edited, &parent, step);
            whole = step.as_dquat() * whole;
        }
        let at_once = rotate_in_world(&user, &parent, whole.normalize().as_quat());
        // Every edit may round the rotation by 1e-7 in the same direction.
        prop_assert!(apart(edited.rotation, at_once.rotation) < 1e-4, "{}", apart(edited.rotation, at_once.rotation));
        prop_assert!((edited.rotation.length() - 1.0).abs() < 1e-6);
        prop_assert_eq!((edited.translation, edited.scale), (user.translation, user.scale));
    }

    #[test]
    fn there_and_back_is_where_it_was(parent in any_parent(), user in any_trs(2.0), r in any_rotation()) {
        let back = rotate_in_world(&rotate_in_world(&user, &parent, r), &parent, r.conjugate());
        prop_assert!(apart(back.rotation, user.rotation) < 1e-6);
    }
}

#[test]
fn under_a_scale_of_zero_there_is_no_answer() {
    let flat = Affine3::from_scale(Vec3::new(1.0, 0.0, 1.0));
    assert_eq!(user_local_for_world(&flat, &Affine3::IDENTITY), None);
    let turned = rotate_in_world(&Trs::IDENTITY, &flat, Quat::from_rotation_y(0.4));
    assert!(apart(turned.rotation, Quat::from_rotation_y(0.4)) < 1e-6);
}

#[test]
fn a_wanted_matrix_that_is_not_finite_gives_none() {
    let broken = Affine3::from_translation(Vec3::X * f32::NAN);
    assert_eq!(user_local_for_world(&Affine3::IDENTITY, &broken), None);
}
