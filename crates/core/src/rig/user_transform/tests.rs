use glam::Vec3;
use proptest::prelude::*;

use super::*;
use crate::rig::testing::{any_even_parent, any_parent, any_rigid, any_rotation, any_trs, any_vector, apart, largest};

fn world(parent: &Affine3, user: &Trs) -> Affine3 {
    *parent * user.to_affine()
}

fn off(a: &Affine3, b: &Affine3) -> f32 {
    let matrix = largest(a.matrix3 - b.matrix3) / largest(b.matrix3).max(1e-3);
    matrix.max(a.translation.distance(b.translation) / b.translation.length().max(1.0))
}

fn any_step() -> impl Strategy<Value = Trs> {
    (any_rotation(), -0.3_f32..0.3, any_vector(0.01)).prop_map(|(axis, angle, translation)| Trs {
        translation,
        rotation: Quat::from_axis_angle(axis * Vec3::X, angle),
        ..Trs::IDENTITY
    })
}

proptest! {
    #[test]
    fn what_a_pose_gives_is_read_back(parent in any_parent(), user in any_trs(2.0)) {
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
        prop_assert!(shear(&parent, &wanted) < 1e-5, "{}", shear(&parent, &wanted));
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
        // Each column of the difference is a sum of two unit vectors, each times an off-diagonal entry.
        prop_assert!(share <= 3.0 * lost + 1e-4, "{share} of shear {lost}");
        prop_assert!(lost < 1e-3 || share > 0.1 * lost, "{share} of shear {lost}");
    }

    #[test]
    fn a_local_increment_is_the_product(user in any_trs(2.0), increment in any_rigid(2.0), factor in 0.2_f32..4.0) {
        let increment = Trs { scale: Vec3::splat(factor), ..increment };
        let expected = increment.to_affine() * user.to_affine();
        let off = off(&increment_in_joint(&user, &increment).to_affine(), &expected);
        prop_assert!(off < 1e-5, "{off}");
    }

    #[test]
    fn an_uneven_increment_is_the_product_without_shear(user in any_trs(2.0), increment in any_trs(2.0)) {
        let product = increment.to_affine() * user.to_affine();
        let expected = Trs::from_affine(&product);
        let off = off(&increment_in_joint(&user, &increment).to_affine(), &expected.to_affine());
        prop_assert!(off < 1e-4, "{off}");
    }

    #[test]
    fn a_world_increment_moves_the_joint_by_it(parent in any_even_parent(), user in any_trs(2.0), increment in any_rigid(2.0)) {
        let expected = increment.to_affine() * world(&parent, &user);
        let reached = world(&parent, &increment_in_world(&user, &parent, &increment).unwrap());
        prop_assert!(off(&reached, &expected) < 2e-5, "{}", off(&reached, &expected));
    }

    #[test]
    fn an_increment_and_its_inverse_undo_each_other(parent in any_even_parent(), user in any_trs(2.0), increment in any_rigid(2.0)) {
        let back = increment.rotation.conjugate();
        let back = Trs { rotation: back, translation: back * -increment.translation, ..Trs::IDENTITY };
        let there = increment_in_world(&user, &parent, &increment).unwrap();
        let again = increment_in_world(&there, &parent, &back).unwrap();
        // Under a parent scaled by 0.05, a metre in the world is 20 joint units, so rounding errors are 20 times
        // larger.
        let size = there.translation.length().max(1.0);
        prop_assert!(again.translation.distance(user.translation) < 3e-6 * size);
        prop_assert!(apart(again.rotation, user.rotation) < 2e-6, "{}", apart(again.rotation, user.rotation));
        prop_assert!(again.scale.distance(user.scale) < 1e-6, "{} {}", again.scale, user.scale);
    }

    #[test]
    fn a_thousand_local_increments_do_not_drift(user in any_trs(1.0), step in any_step()) {
        drift(&user, &step, &DAffine3::IDENTITY, |edited| Some(increment_in_joint(edited, &step)))?;
    }

    #[test]
    fn a_thousand_world_increments_do_not_drift(parent in any_even_parent(), user in any_trs(1.0), step in any_step()) {
        drift(&user, &step, &parent.as_daffine3(), |edited| increment_in_world(edited, &parent, &step))?;
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

/// Checks that a thousand edits by `step` in `frame` deviate from the exact product by at most a thousand rounding
/// errors. The bound is tight, because all edits may round in the same direction.
fn drift(
    user: &Trs,
    step: &Trs,
    frame: &DAffine3,
    edit: impl Fn(&Trs) -> Option<Trs>,
) -> Result<(), proptest::test_runner::TestCaseError> {
    const EDITS: usize = 1000;
    const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;
    /// Tolerance for rounding of a unit quaternion, and for a parent whose scale is slightly non-uniform.
    const TURN_ROUNDING: f32 = 5.0 * ROUNDING as f32;
    let mut edited = *user;
    let mut exact = user.to_daffine();
    let increment = frame.inverse() * step.to_daffine() * *frame;
    let scale = largest(user.to_affine().matrix3);
    let turn =
        |edited: &Trs, exact: &DAffine3| largest((edited.to_daffine().matrix3 - exact.matrix3).as_mat3()) / scale;
    let place = |edited: &Trs, exact: &DAffine3| (edited.translation.as_dvec3() - exact.translation).length();
    let mut farthest = 0.0_f64;
    for _ in 0..EDITS {
        let product = increment * edited.to_daffine();
        edited = edit(&edited).unwrap();
        exact = increment * exact;
        farthest = farthest.max(exact.translation.length());
        let (turned, moved) = (turn(&edited, &product), place(&edited, &product));
        prop_assert!(turned < TURN_ROUNDING, "an edit turns and scales by {turned} too much");
        prop_assert!(moved <= 1.001 * ROUNDING * product.translation.length(), "an edit moves by {moved} too much");
    }
    let (turned, moved) = (turn(&edited, &exact), place(&edited, &exact));
    prop_assert!(turned < EDITS as f32 * TURN_ROUNDING, "rotation and scale drift by {turned}");
    prop_assert!(moved <= 1.01 * EDITS as f64 * ROUNDING * farthest, "translation drifts by {moved} of {farthest}");
    prop_assert!(edited.scale.distance(user.scale) < 1e-5, "{} {}", edited.scale, user.scale);
    prop_assert!((edited.rotation.length() - 1.0).abs() < 1e-6);
    Ok(())
}

#[test]
fn the_scale_keeps_its_signs() {
    // In a matrix, two mirrored axes are a half turn. An edit must not change the signs that the inspector shows.
    let user = Trs { scale: Vec3::new(-1.0, -2.0, 1.0), ..Trs::IDENTITY };
    let turned = increment_in_joint(&user, &Trs::from_rotation(Quat::from_rotation_x(0.3)));
    assert_eq!(turned.scale, user.scale);
}

#[test]
fn under_a_scale_of_zero_there_is_no_answer() {
    let flat = Affine3::from_scale(Vec3::new(1.0, 0.0, 1.0));
    assert_eq!(user_local_for_world(&flat, &Affine3::IDENTITY), None);
    assert_eq!(increment_in_world(&Trs::IDENTITY, &flat, &Trs::IDENTITY), None);
    assert_eq!(shear(&flat, &Affine3::IDENTITY), 1.0);
    let turned = rotate_in_world(&Trs::IDENTITY, &flat, Quat::from_rotation_y(0.4));
    assert!(apart(turned.rotation, Quat::from_rotation_y(0.4)) < 1e-6);
}

#[test]
fn a_wanted_matrix_that_is_not_finite_gives_none() {
    let broken = Affine3::from_translation(Vec3::X * f32::NAN);
    assert_eq!(user_local_for_world(&Affine3::IDENTITY, &broken), None);
}
