use glam::{Vec2, Vec3};

use super::MoveHandle;
use super::handle::HandleSpan;
use crate::gizmo::drag_input::DragInput;
use crate::gizmo::marks::MIN_SINE;
use crate::gizmo::{GizmoFrame, Modifiers};
use crate::view::Lens;

/// A drag from press to release. Displacements are relative to the start.
#[derive(Clone, Debug)]
pub struct MoveDrag {
    /// Typed numbers are in metres.
    pub(in crate::gizmo) input: DragInput,
    handle: MoveHandle,
    span: HandleSpan,
    translation: Vec3,
}

impl MoveDrag {
    /// Starts a drag; the cursor may be off the handle. Returns `None` if the joint is behind the eye.
    pub fn start(handle: MoveHandle, frame: &GizmoFrame, lens: &Lens, cursor: Vec2) -> Option<Self> {
        let input = DragInput::new(frame, lens, cursor)?;
        let mut drag = Self { input, handle, span: handle.span(frame, lens), translation: Vec3::ZERO };
        drag.follow(cursor);
        Some(drag)
    }

    /// Returns the displacement since the start, metres in world space. Uses the typed distance, if any; otherwise the
    /// pointer motion, snapped if requested. After a view change, the drag continues from the same displacement.
    pub fn update(&mut self, lens: &Lens, cursor: Vec2, modifiers: Modifiers) -> Vec3 {
        if self.input.lens != *lens {
            self.input.travel.release();
            self.input.lens = *lens;
            self.follow(self.input.cursor);
        }
        self.input.set_modifiers(modifiers);
        self.follow(cursor);
        self.update_translation();
        self.translation
    }

    /// Applies the motion since the start to another axis. Passing the current handle switches to the frame's other
    /// axes.
    pub fn constrain(&mut self, handle: MoveHandle) {
        if handle == self.handle {
            self.input.frame.swap_axes();
        }
        self.handle = handle;
        let span = handle.span(&self.input.frame, &self.input.lens);
        self.span = span;
        self.input.restart(|input, cursor| span.position_under(input, cursor));
        self.update_translation();
    }

    pub fn handle(&self) -> MoveHandle {
        self.handle
    }

    pub fn translation(&self) -> Vec3 {
        self.translation
    }

    /// Returns the length of the displacement in metres; signed if the drag is along an axis.
    pub fn distance(&self) -> f32 {
        match self.span {
            HandleSpan { u, v: None } => u.dot(self.translation),
            _ => self.translation.length(),
        }
    }

    fn follow(&mut self, cursor: Vec2) {
        let span = self.span;
        self.input.follow(cursor, |input, cursor| span.position_under(input, cursor));
    }

    fn update_translation(&mut self) {
        let moved = self.input.travel.turned();
        let moved = match (self.input.typed.value(), self.span.v) {
            (Some(metres), None) => Vec2::new(metres, 0.0),
            (Some(metres), Some(_)) => moved.normalize_or(Vec2::X) * metres,
            (None, _) => {
                let snapped = |x: f32| self.input.modifiers.snapped(Vec2::new(x, 0.0)).x;
                Vec2::new(snapped(moved.x), snapped(moved.y))
            }
        };
        self.translation = self.span.u * moved.x + self.span.v.unwrap_or(Vec3::ZERO) * moved.y;
    }
}

impl HandleSpan {
    /// Intersects the cursor ray with the handle's plane; for an axis, with the plane through the axis that faces the
    /// viewer most. Returns `None`, which pauses the move, if the plane is edge-on or nearly parallel to the ray.
    fn position_under(self, input: &DragInput, cursor: Vec2) -> Option<Vec2> {
        let Self { u, v } = self;
        let (lens, origin) = (&input.lens, input.frame.origin);
        let to_viewer = lens.to_viewer(origin);
        let normal = match v {
            Some(v) => u.cross(v) * u.cross(v).dot(to_viewer).signum(),
            None => to_viewer - u * u.dot(to_viewer),
        };
        let is_visible = v.map_or(normal.length(), |_| normal.dot(to_viewer)) > MIN_SINE * 0.5;
        let normal = normal.try_normalize().filter(|_| is_visible)?;
        let ray = lens.ray(cursor);
        let against = -ray.direction.dot(normal);
        let depth = (ray.origin - origin).dot(normal) / against;
        let reached = ray.origin + ray.direction * depth - origin;
        (against > 0.02 && reached.is_finite()).then(|| Vec2::new(reached.dot(u), v.map_or(0.0, |v| reached.dot(v))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmo::rotate::testing::{any_scene, seen_with};
    use proptest::prelude::*;

    const FREE: Modifiers = Modifiers { snap: None, fine: false };

    fn followed(handle: MoveHandle, scene: &(GizmoFrame, Lens), way: Vec3) -> MoveDrag {
        let (frame, lens) = scene;
        let mut drag = MoveDrag::start(handle, frame, lens, lens.project(frame.origin).unwrap()).unwrap();
        for step in 1..=20_u8 {
            drag.update(lens, lens.project(frame.origin + way * (f32::from(step) / 20.0)).unwrap(), FREE);
        }
        drag
    }

    proptest! {
        #[test]
        fn dragged_handle_stays_under_the_pointer(scene in any_scene(), which in 0_usize..7, a in -1.5_f32..1.5, b in -1.5_f32..1.5) {
            let (frame, lens) = &scene;
            let handle = MoveHandle::ALL[which];
            let HandleSpan { u, v } = handle.span(frame, lens);
            let radius = frame.world_radius(lens);
            let sight = lens.to_viewer(frame.origin);
            prop_assume!(v.map_or(u.cross(sight).length(), |v| u.cross(v).dot(sight).abs()) > 0.3);
            let way = (u * a + v.map_or(Vec3::ZERO, |v| v * b)) * radius;
            let moved = followed(handle, &scene, way).translation();
            prop_assert!(moved.distance(way) < 0.01 * radius, "{moved} for {way}");
        }

        #[test]
        fn back_at_the_start_nothing_has_moved(scene in any_scene(), which in 0_usize..7, x in -90.0_f32..90.0, y in -90.0_f32..90.0) {
            let (frame, lens) = &scene;
            let at = frame.center(lens).unwrap();
            let mut drag = MoveDrag::start(MoveHandle::ALL[which], frame, lens, at).unwrap();
            for cursor in [Vec2::new(x, y), Vec2::new(y, x), Vec2::ZERO] {
                drag.update(lens, at + cursor, FREE);
            }
            prop_assert_eq!(drag.translation(), Vec3::ZERO);
        }

        #[test]
        fn an_axis_moves_along_itself_only(scene in any_scene(), which in 0_usize..3, x in -200.0_f32..200.0, y in -200.0_f32..200.0) {
            let (frame, lens) = &scene;
            let at = frame.center(lens).unwrap();
            let mut drag = MoveDrag::start(MoveHandle::AXES[which], frame, lens, at).unwrap();
            let moved = drag.update(lens, at + Vec2::new(x, y), FREE);
            prop_assert!(moved.is_finite());
            prop_assert!(moved.cross(frame.axes.col(which)).length() < 1e-4 * moved.length().max(1e-6));
        }

        #[test]
        fn snapping_and_fine_motion_take_effect(scene in any_scene(), a in 0.3_f32..1.5) {
            let (frame, lens) = &scene;
            let way = (lens.right + lens.up) * a * frame.world_radius(lens);
            let mut drag = followed(MoveHandle::View, &scene, way);
            let (cursor, step) = (drag.input.cursor, frame.world_radius(lens) * 0.25);
            let snapped = drag.update(lens, cursor, Modifiers { snap: Some(step), fine: false });
            let steps = snapped.dot(lens.right) / step;
            prop_assert!((steps - steps.round()).abs() < 1e-2, "{steps}");
            let mut fine = MoveDrag::start(MoveHandle::View, frame, lens, frame.center(lens).unwrap()).unwrap();
            let moved = fine.update(lens, cursor, Modifiers { snap: None, fine: true });
            prop_assert!(moved.distance(way * 0.1) < 0.01 * way.length(), "{moved} for a tenth of {way}");
        }

        #[test]
        fn a_view_that_changes_during_the_drag_moves_nothing(scene in any_scene(), other in any_scene(), which in 0_usize..7) {
            let (frame, lens) = &scene;
            let at = frame.center(lens).unwrap();
            let mut drag = MoveDrag::start(MoveHandle::ALL[which], frame, lens, at).unwrap();
            let before = drag.update(lens, at + Vec2::new(30.0, -20.0), FREE);
            let after = drag.update(&other.1, at + Vec2::new(30.0, -20.0), FREE);
            // Distant positions are less precise.
            let rounding = 1e-5 * (before.length() + other.1.eye.distance(frame.origin));
            prop_assert!(after.distance(before) <= rounding, "{before} {after}");
        }
    }

    #[test]
    fn typed_metres_take_the_place_of_the_pointer() {
        let scene = seen_with(0.4, 0.3, false);
        let mut drag = followed(MoveHandle::Y, &scene, Vec3::Y * 0.2);
        "-0.75".chars().for_each(|c| _ = drag.input.typed.push(c));
        let cursor = drag.input.cursor;
        assert!(drag.update(&scene.1, cursor, FREE).distance(Vec3::Y * -0.75) < 1e-6);
        drag.constrain(MoveHandle::X);
        assert!(drag.translation().distance(Vec3::X * -0.75) < 1e-6);
    }

    #[test]
    fn an_axis_key_takes_the_axis_and_then_the_other_space() {
        let scene = seen_with(0.4, 0.3, false);
        let mut drag = followed(MoveHandle::View, &scene, Vec3::new(0.2, 0.1, 0.0));
        for axis in [Vec3::X, scene.0.other_axes * Vec3::X, Vec3::X] {
            drag.constrain(MoveHandle::X);
            let moved = drag.translation();
            assert!(moved.length() > 0.05 && moved.cross(axis).length() < 1e-5, "{moved} along {axis}");
        }
    }

    #[test]
    fn no_drag_starts_behind_the_eye_or_nowhere() {
        let (mut frame, lens) = seen_with(0.4, 0.3, false);
        assert!(MoveDrag::start(MoveHandle::X, &frame, &lens, Vec2::NAN).is_none());
        frame.origin = lens.eye - lens.forward;
        assert!(MoveDrag::start(MoveHandle::X, &frame, &lens, lens.viewport * 0.5).is_none());
    }
}
