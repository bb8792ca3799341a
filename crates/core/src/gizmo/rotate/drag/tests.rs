use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::Mat3;
use proptest::prelude::*;

use super::*;
use crate::gizmo::TypedNumber;
use crate::gizmo::rotate::testing::{any_scene, handle_axis, ring_point, seen_with, tilt};

const FREE: Modifiers = Modifiers { snap: None, fine: false };
const FINE: Modifiers = Modifiers { snap: None, fine: true };
/// If the sine of the tilt exceeds this, drags are measured in the ring's plane; otherwise, along the line to which it
/// projects.
const EDGE_ON: f32 = 0.208;

fn start(handle: RotateHandle, scene: &(GizmoFrame, Lens), cursor: Vec2) -> RotateDrag {
    RotateDrag::start(handle, &scene.0, &scene.1, cursor).unwrap()
}

fn followed(handle: RotateHandle, scene: &(GizmoFrame, Lens), from: f32, by: f32) -> RotateDrag {
    let (frame, lens) = scene;
    let at = |angle: f32| lens.project(ring_point(handle, frame, lens, angle)).unwrap();
    let mut drag = start(handle, scene, at(from));
    let steps = (by.abs().to_degrees() / 5.0).ceil().max(1.0);
    for step in 1..=steps as usize {
        drag.update(lens, at(from + by * (step as f32 / steps)), FREE);
    }
    drag
}

fn on_screen(direction: Vec3, scene: &(GizmoFrame, Lens)) -> Vec2 {
    let (frame, lens) = scene;
    let reach = lens.world_per_point(frame.origin);
    lens.project(frame.origin + direction * reach).unwrap() - lens.project(frame.origin).unwrap()
}

proptest! {
    #[test]
    fn following_a_ring_turns_by_the_angle_followed(scene in any_scene(), which in 0_usize..4, from in -PI..PI, by in -16.0_f32..16.0) {
        let handle = RotateHandle::RINGS[which];
        prop_assume!(tilt(handle, &scene.0, &scene.1) > EDGE_ON + 0.01);
        let rotation = followed(handle, &scene, from, by).rotation();
        prop_assert!((rotation.angle - by).abs() < 0.5_f32.to_radians(), "{} for {by}", rotation.angle);
        prop_assert!(rotation.axis.distance(handle_axis(handle, &scene.0, &scene.1)) < 1e-4);
    }

    #[test]
    fn an_edge_on_ring_turns_along_its_line(scene in any_scene(), which in 0_usize..3, lean in -0.2_f32..0.2, to in -3.0_f32..3.0) {
        let (mut frame, lens) = scene;
        let handle = RotateHandle::RINGS[which];
        // Tilt the ring until it is nearly edge-on.
        let (axis, sight) = (handle_axis(handle, &frame, &lens), lens.to_viewer(frame.origin));
        let upright = Quat::from_rotation_arc(axis, sight.any_orthonormal_vector());
        let hinge = sight.cross(sight.any_orthonormal_vector());
        frame.axes = Mat3::from_quat(Quat::from_axis_angle(hinge, lean.asin()) * upright) * frame.axes;
        let scene = (frame, lens);
        prop_assume!(tilt(handle, &frame, &lens) < EDGE_ON - 0.003);

        // A positive rotation moves the near side in the positive direction along the line.
        let axis = handle_axis(handle, &frame, &lens);
        let along = on_screen(axis.cross(sight), &scene).normalize();
        let near = lens.project(frame.origin + (sight - axis * axis.dot(sight)).normalize_or_zero() * frame.world_radius(&lens)).unwrap();
        let mut drag = start(handle, &scene, near);
        let mut before = 0.0_f32;
        for step in 1..=40_u8 {
            let way = to * f32::from(step) / 40.0;
            let angle = drag.update(&lens, near + along * way * frame.radius, FREE).angle;
            prop_assert!((angle - before) * to.signum() > 0.0 || to.abs() < 1e-3, "{angle} after {before}");
            prop_assert!((angle - way).abs() < 0.02 * way.abs() + 1e-3, "{angle} for {way}");
            before = angle;
        }
    }

    #[test]
    fn no_step_of_the_pointer_makes_a_jump(scene in any_scene(), which in 0_usize..5,
        walk in prop::collection::vec((0.0_f32..TAU, 0.0_f32..40.0), 1..60)) {
        let (handle, center) = (RotateHandle::ALL[which], scene.0.center(&scene.1).unwrap());
        let tilt = tilt(handle, &scene.0, &scene.1);
        let radius = scene.0.radius;
        // The worst case is the rim of the hold zone, where the plane is foreshortened most.
        let per_point = if handle == RotateHandle::Trackball || tilt < EDGE_ON { 1.0 / radius } else { 1.3 / (0.12 * radius * tilt) };
        let mut cursor = center + Vec2::new(60.0, 0.0);
        let mut drag = start(handle, &scene, cursor);
        let mut before = drag.rotation();
        for (direction, length) in walk {
            // Drift back to the centre.
            let step = Vec2::from_angle(direction) * length - (cursor - center) * 0.3;
            cursor += step;
            let now = drag.update(&scene.1, cursor, FREE);
            let bound = step.length() * per_point + 1e-3;
            let difference = if handle == RotateHandle::Trackball {
                (now.axis * now.angle).distance(before.axis * before.angle)
            } else {
                (now.angle - before.angle).abs()
            };
            prop_assert!(difference <= bound, "{handle:?}: {difference} over {bound}");
            before = now;
        }
    }

    #[test]
    fn straight_across_the_middle_nothing_turns(scene in any_scene(), which in 0_usize..4, direction in 0.0_f32..TAU, steps in 1_u8..50) {
        let handle = RotateHandle::RINGS[which];
        prop_assume!(tilt(handle, &scene.0, &scene.1) > EDGE_ON + 0.01);
        let center = scene.0.center(&scene.1).unwrap();
        let way = Vec2::from_angle(direction) * 80.0;
        let mut drag = start(handle, &scene, center - way);
        for step in 1..=steps {
            drag.update(&scene.1, center - way + way * 2.0 * f32::from(step) / f32::from(steps), FREE);
        }
        prop_assert!(drag.rotation().angle.abs() < 0.02, "{}", drag.rotation().angle);
    }

    #[test]
    fn the_pointer_may_be_reported_rarely(scene in any_scene(), which in 0_usize..4, a in -100.0_f32..100.0, b in -100.0_f32..100.0, steps in 2_u8..90) {
        let handle = RotateHandle::RINGS[which];
        let center = scene.0.center(&scene.1).unwrap();
        let (from, to) = (center + Vec2::new(90.0, a), center + Vec2::new(b, 90.0));
        let (mut rare, mut often) = (start(handle, &scene, from), start(handle, &scene, from));
        rare.update(&scene.1, to, FREE);
        for step in 1..=steps {
            often.update(&scene.1, from.lerp(to, f32::from(step) / f32::from(steps)), FREE);
        }
        let (rare, often) = (rare.rotation().angle, often.rotation().angle);
        prop_assert!((rare - often).abs() < 0.01, "{rare} {often}");
    }

    #[test]
    fn back_at_the_start_there_is_no_turn_at_all(scene in any_scene(), which in 0_usize..5, from in -PI..PI, by in -9.0_f32..9.0) {
        let handle = RotateHandle::ALL[which];
        let (frame, lens) = &scene;
        let at = |angle: f32| lens.project(ring_point(handle, frame, lens, angle)).unwrap();
        let mut drag = start(handle, &scene, at(from));
        let steps = || (0..=100_u8).map(|i| from + by * f32::from(i) / 100.0);
        for angle in steps().chain(steps().rev()) {
            drag.update(lens, at(angle), FREE);
        }
        prop_assert_eq!(drag.rotation().angle, 0.0);
        prop_assert_eq!(drag.rotation().quat(), Quat::IDENTITY);
    }

    #[test]
    fn the_fine_key_slows_without_a_jump(scene in any_scene(), which in 0_usize..5, keys in prop::collection::vec((any::<bool>(), -0.3_f32..0.3), 1..30)) {
        let handle = RotateHandle::ALL[which];
        let (frame, lens) = &scene;
        prop_assume!(handle == RotateHandle::Trackball || tilt(handle, frame, lens) > EDGE_ON + 0.01);
        let at = |angle: f32| lens.project(ring_point(handle, frame, lens, angle)).unwrap();
        let mut drag = start(handle, &scene, at(0.4));
        let (mut angle, mut wanted) = (0.4, 0.0);
        for (fine, step) in keys {
            let before = drag.rotation();
            let pressed = drag.update(lens, at(angle), Modifiers { snap: None, fine });
            prop_assert!((pressed.axis * pressed.angle).distance(before.axis * before.angle) < 1e-4);
            angle += step;
            wanted += if fine { step * 0.1 } else { step };
            let after = drag.update(lens, at(angle), Modifiers { snap: None, fine });
            if handle != RotateHandle::Trackball {
                prop_assert!((after.angle - wanted).abs() < 0.02, "{} {wanted}", after.angle);
            }
        }
    }

    #[test]
    fn snapping_rounds_the_angle_and_keeps_the_rotation(scene in any_scene(), by in -9.0_f32..9.0) {
        let mut drag = followed(RotateHandle::View, &scene, 0.3, by);
        let (free, cursor) = (drag.rotation().angle, drag.input.cursor);
        let step = 15.0_f32.to_radians();
        let snapped = drag.update(&scene.1, cursor, Modifiers { snap: Some(step), fine: false }).angle;
        prop_assert!((snapped / step - (snapped / step).round()).abs() < 1e-3);
        prop_assert!((snapped - free).abs() <= step * 0.5 + 1e-4);
        prop_assert_eq!(drag.update(&scene.1, cursor, FREE).angle, free);
    }

    #[test]
    fn the_near_side_of_the_trackball_follows_the_pointer(scene in any_scene(), direction in 0.0_f32..TAU) {
        let center = scene.0.center(&scene.1).unwrap();
        let mut drag = start(RotateHandle::Trackball, &scene, center);
        let step = Vec2::from_angle(direction) * (0.1 * scene.0.radius);
        let rotation = drag.update(&scene.1, center + step, FREE);
        prop_assert!((rotation.angle - 0.1).abs() < 1e-4);
        let near = -scene.1.forward;
        let moved = on_screen(rotation.quat() * near - near, &scene).normalize();
        prop_assert!(moved.dot(step.normalize()) > 0.98, "{moved} {step}");
    }

    #[test]
    fn a_view_that_changes_during_the_drag_turns_nothing(scene in any_scene(), other in any_scene(), which in 0_usize..5) {
        let handle = RotateHandle::ALL[which];
        let cursor = scene.0.center(&scene.1).unwrap() + Vec2::new(50.0, 40.0);
        let mut drag = start(handle, &scene, cursor);
        let before = drag.update(&scene.1, cursor + Vec2::new(30.0, -60.0), FREE);
        let after = drag.update(&other.1, cursor + Vec2::new(30.0, -60.0), FREE);
        prop_assert!((after.axis * after.angle).distance(before.axis * before.angle) < 1e-3, "{before:?} {after:?}");
    }

    #[test]
    fn nothing_makes_a_result_that_is_not_a_rotation(scene in any_scene(), which in 0_usize..5, x in any::<f32>(), y in any::<f32>()) {
        let mut drag = start(RotateHandle::ALL[which], &scene, Vec2::new(300.0, 200.0));
        for cursor in [Vec2::new(x, y), Vec2::NAN, Vec2::new(400.0, 300.0)] {
            let rotation = drag.update(&scene.1, cursor, FINE);
            prop_assert!(rotation.quat().is_normalized(), "{rotation:?}");
        }
        prop_assert!(RotateDrag::start(RotateHandle::ALL[which], &scene.0, &scene.1, Vec2::NAN).is_none());
    }
}

#[test]
fn the_far_half_of_a_nearly_edge_on_ring_follows_the_pointer_too() {
    let scene = seen_with(0.0, 0.15, true);
    let center = scene.0.center(&scene.1).unwrap();
    let half_height = 92.0 * 0.15_f32.sin();
    // Seen from above, the near half of the ring about Y is lower on the screen. A positive rotation moves it right.
    for (side, sign) in [(half_height, 1.0), (-half_height, -1.0)] {
        let at = center + Vec2::new(0.0, side);
        let angle = start(RotateHandle::Y, &scene, at).update(&scene.1, at + Vec2::new(46.0, 0.0), FREE).angle;
        assert!((angle - 0.5 * sign).abs() < 1e-3, "{angle} at {side}");
    }
}

#[test]
fn typed_degrees_take_the_place_of_the_pointer() {
    let scene = seen_with(0.4, 0.3, false);
    let cursor = scene.0.center(&scene.1).unwrap() + Vec2::new(70.0, 0.0);
    for handle in RotateHandle::ALL {
        let mut drag = start(handle, &scene, cursor);
        drag.update(&scene.1, cursor + Vec2::new(0.0, 30.0), FREE);
        let free = drag.rotation();
        for key in "-400".chars() {
            drag.input.typed.push(key);
        }
        let typed = drag.update(&scene.1, cursor, Modifiers { snap: Some(1.0), fine: false });
        assert!((typed.angle + 400.0_f32.to_radians()).abs() < 1e-4);
        assert!(typed.axis.distance(handle_axis(handle, &scene.0, &scene.1)) < 1e-5);
        drag.input.typed = TypedNumber::default();
        assert_eq!(drag.update(&scene.1, cursor + Vec2::new(0.0, 30.0), FREE), free);
    }
}

#[test]
fn axis_keys_change_the_axis_and_then_the_space() {
    let scene = seen_with(0.4, 0.3, false);
    let mut drag = followed(RotateHandle::X, &scene, 0.0, 1.2);
    let (angle, cursor) = (drag.rotation().angle, drag.input.cursor);
    let mut axis_after = |handle: RotateHandle| {
        drag.constrain(handle);
        let told = drag.rotation();
        let rotation = drag.update(&scene.1, cursor, FREE);
        assert!((rotation.angle - angle).abs() < 1e-4 && told == rotation, "{told:?} {rotation:?}");
        rotation.axis
    };
    let other = scene.0.other_axes;
    assert!(axis_after(RotateHandle::Y).distance(Vec3::Y) < 1e-5);
    assert!(axis_after(RotateHandle::Y).distance(other * Vec3::Y) < 1e-5);
    assert!(axis_after(RotateHandle::Y).distance(Vec3::Y) < 1e-5);
    assert!(axis_after(RotateHandle::Z).distance(Vec3::Z) < 1e-5);
    assert_eq!((drag.handle(), drag.input.frame.axes), (RotateHandle::Z, Mat3::IDENTITY));
}

#[test]
fn a_trackball_drag_is_read_again_from_its_start_as_a_turn_about_an_axis() {
    let scene = seen_with(0.4, 0.3, false);
    let center = scene.0.center(&scene.1).unwrap();
    let [pressed, now, later] = [[60.0, 30.0], [20.0, -50.0], [-40.0, -40.0]].map(|at| center + Vec2::from(at));
    for handle in [RotateHandle::X, RotateHandle::Y, RotateHandle::Z] {
        let mut drag = start(RotateHandle::Trackball, &scene, pressed);
        drag.update(&scene.1, now, FREE);
        assert!(drag.rotation().angle > 0.5 && drag.sector(&scene.1).is_none());
        drag.constrain(handle);
        let mut bound = start(handle, &scene, pressed);
        assert_eq!(drag.rotation(), bound.update(&scene.1, now, FREE), "{handle:?}");
        assert!(drag.rotation().angle.abs() > 0.3, "{handle:?}: {:?}", drag.rotation());
        assert_eq!(drag.update(&scene.1, later, FREE), bound.update(&scene.1, later, FREE), "{handle:?}");
        drag.input.typed.push('4');
        assert_eq!(drag.update(&scene.1, later, FREE).angle.to_degrees().round(), 4.0);
    }
}

#[test]
fn no_drag_starts_behind_the_eye() {
    let (mut frame, lens) = seen_with(0.4, 0.3, false);
    frame.origin = lens.eye - lens.forward;
    for handle in RotateHandle::ALL {
        assert!(RotateDrag::start(handle, &frame, &lens, lens.viewport * 0.5).is_none());
    }
}

#[test]
fn the_fan_spans_the_turn() {
    let scene = seen_with(0.4, 0.5, false);
    let (frame, lens) = &scene;
    let at = |angle: f32| lens.project(ring_point(RotateHandle::Y, frame, lens, angle)).unwrap();
    for (by, turns) in [(0.0, 0), (1.0, 0), (-FRAC_PI_2, 0), (-5.0, 0), (7.0, 1), (-14.0, 2)] {
        let drag = followed(RotateHandle::Y, &scene, 0.4, by);
        let sector = drag.sector(lens).unwrap();
        assert_eq!(sector.turns, turns, "{by}");
        assert_eq!(sector.disc.is_empty(), turns == 0);
        assert!(sector.center.distance(frame.center(lens).unwrap()) < 1e-3);
        assert!(sector.arc[0].distance(at(0.4)) < 0.5, "{by}");
        assert!(sector.arc.last().unwrap().distance(at(0.4 + by)) < 0.5, "{by}");
        let middle = sector.arc[sector.arc.len() / 2];
        let wanted = 0.4 + (by % TAU) * 0.5;
        assert!(middle.distance(at(wanted)) < 6.0, "{by}: {middle} {}", at(wanted));
    }
}

#[test]
fn the_fan_of_a_nearly_edge_on_ring_starts_where_it_was_taken() {
    let scene = seen_with(0.3, 0.15, true);
    let (frame, lens) = &scene;
    for step in 0..72_u8 {
        let point = ring_point(RotateHandle::Y, frame, lens, f32::from(step) * TAU / 72.0);
        let depth = (point - frame.origin).dot(lens.to_viewer(frame.origin)) / frame.world_radius(lens);
        // Skip the ends of the line, where the two halves are within reach of each other.
        if depth.abs() > 0.6 {
            let cursor = lens.project(point).unwrap();
            let arc = start(RotateHandle::Y, &scene, cursor).sector(lens).unwrap().arc;
            assert!(arc[0].distance(cursor) < 0.5, "{} {cursor}", arc[0]);
        }
    }
}

#[test]
fn the_fan_ends_under_the_pointer_after_a_change_of_axis() {
    let scene = seen_with(0.4, 0.5, true);
    let mut drag = followed(RotateHandle::X, &scene, 0.0, 1.0);
    drag.constrain(RotateHandle::Z);
    let sector = drag.sector(&scene.1).unwrap();
    // The point and the pointer are on the same ray from the centre: orthographic projection preserves lines.
    let along = |p: Vec2| (p - sector.center).normalize();
    assert!(along(*sector.arc.last().unwrap()).dot(along(drag.input.cursor)) > 0.9999);
}
