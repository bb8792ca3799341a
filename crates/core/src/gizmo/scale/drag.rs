use glam::{Vec2, Vec3};

use super::ScaleHandle;
use crate::gizmo::drag_input::DragInput;
use crate::gizmo::{GizmoFrame, Modifiers};
use crate::view::Lens;

/// Minimum factor that the pointer can reach. A joint scaled to 0 could not be grabbed again.
const MIN_FACTOR: f32 = 0.01;

/// A drag from press to release. Factors are relative to the start.
#[derive(Clone, Debug)]
pub struct ScaleDrag {
    /// Typed numbers are factors.
    pub(in crate::gizmo) input: DragInput,
    handle: ScaleHandle,
    /// Pointer motion that doubles the size, viewport points.
    doubling: Vec2,
    factors: Vec3,
}

impl ScaleDrag {
    /// Starts a drag; the cursor may be off the handle. Returns `None` if the joint is behind the eye.
    pub fn start(handle: ScaleHandle, frame: &GizmoFrame, lens: &Lens, cursor: Vec2) -> Option<Self> {
        let input = DragInput::new(frame, lens, cursor)?;
        let mut drag = Self { input, handle, doubling: doubling(handle, frame, lens), factors: Vec3::ONE };
        drag.input.follow(cursor, reading(drag.doubling));
        Some(drag)
    }

    /// Returns the factors along the joint's axes since the start. Uses the typed factor, if any; otherwise the pointer
    /// motion, snapped if requested. The screen direction that scales up stays the same when the view changes.
    pub fn update(&mut self, cursor: Vec2, modifiers: Modifiers) -> Vec3 {
        self.input.set_modifiers(modifiers);
        self.input.follow(cursor, reading(self.doubling));
        self.update_factors();
        self.factors
    }

    /// Applies the motion since the start to another axis. Passing the current handle switches to all three axes.
    pub fn constrain(&mut self, handle: ScaleHandle) {
        self.handle = if handle == self.handle { ScaleHandle::Uniform } else { handle };
        self.doubling = doubling(self.handle, &self.input.frame, &self.input.lens);
        self.input.restart(reading(self.doubling));
        self.update_factors();
    }

    pub fn handle(&self) -> ScaleHandle {
        self.handle
    }

    pub fn factors(&self) -> Vec3 {
        self.factors
    }

    pub fn factor(&self) -> f32 {
        let mask = self.handle.mask();
        self.factors.dot(mask) / mask.element_sum()
    }

    fn update_factors(&mut self) {
        let growth = self.input.modifiers.snapped(self.input.travel.turned()).x;
        let typed = self.input.typed.value().filter(|typed| *typed != 0.0);
        let factor = typed.unwrap_or((1.0 + growth).max(MIN_FACTOR));
        self.factors = Vec3::ONE + self.handle.mask() * (factor - 1.0);
    }
}

fn reading(doubling: Vec2) -> impl Fn(&DragInput, Vec2) -> Option<Vec2> {
    move |_, cursor| Some(Vec2::new(cursor.dot(doubling) / doubling.length_squared(), 0.0))
}

/// Returns the screen motion that doubles the size: one radius outwards along the axis, or to the upper right for
/// uniform scaling.
fn doubling(handle: ScaleHandle, frame: &GizmoFrame, lens: &Lens) -> Vec2 {
    let diagonal = Vec2::new(1.0, -1.0).normalize_or_zero();
    let seen = |axis: Vec3| {
        let tip = lens.project(frame.origin + axis * frame.world_radius(lens))?;
        (tip - frame.center(lens)?).try_normalize()
    };
    let direction = match handle {
        ScaleHandle::Uniform => None,
        _ => seen(frame.axes * handle.mask()),
    };
    direction.unwrap_or(diagonal) * frame.radius
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmo::TypedNumber;
    use crate::gizmo::rotate::testing::{any_scene, seen_with};
    use crate::gizmo::scale::{hit, outline};
    use proptest::prelude::*;

    const FREE: Modifiers = Modifiers { snap: None, fine: false };

    fn start(handle: ScaleHandle, scene: &(GizmoFrame, Lens)) -> (ScaleDrag, Vec2) {
        let at = scene.0.center(&scene.1).unwrap();
        (ScaleDrag::start(handle, &scene.0, &scene.1, at).unwrap(), at)
    }

    proptest! {
        #[test]
        fn one_radius_outwards_doubles_one_axis_and_no_other(scene in any_scene(), which in 0_usize..4) {
            let handle = ScaleHandle::ALL[which];
            let (mut drag, at) = start(handle, &scene);
            let by = drag.doubling;
            let doubled = drag.update(at + by, FREE);
            prop_assert!(doubled.distance(Vec3::ONE + handle.mask()) < 1e-3, "{doubled}");
            let small = drag.update(at - by * 7.0, FREE);
            prop_assert!((drag.factor() - MIN_FACTOR).abs() < 1e-5 && small.min_element() > 0.0, "{small}");
            prop_assert_eq!(drag.update(at, FREE), Vec3::ONE);
        }

        #[test]
        fn snapping_and_fine_motion_take_effect(scene in any_scene(), by in 0.1_f32..2.0) {
            let (mut drag, at) = start(ScaleHandle::Uniform, &scene);
            let to = at + drag.doubling * by;
            let snapped = drag.update(to, Modifiers { snap: Some(0.1), fine: false }).x * 10.0;
            prop_assert!((snapped - snapped.round()).abs() < 1e-3, "{snapped}");
            let (mut fine, _) = start(ScaleHandle::Uniform, &scene);
            let factor = fine.update(to, Modifiers { snap: None, fine: true }).x;
            prop_assert!((factor - 1.0 - by * 0.1).abs() < 1e-3, "{factor}");
        }

        #[test]
        fn every_handle_that_is_drawn_can_be_taken(scene in any_scene()) {
            let (frame, lens) = &scene;
            prop_assert_eq!(hit(frame, lens, frame.center(lens).unwrap()), Some(ScaleHandle::Uniform));
            for mark in outline(frame, lens) {
                if let crate::gizmo::HandleShape::Shaft([_, tip]) = mark.shape {
                    prop_assert!(hit(frame, lens, tip).is_some());
                }
            }
        }
    }

    #[test]
    fn after_an_axis_key_the_pointer_scales_outwards_along_that_axis() {
        let scene = seen_with(0.4, 0.3, false);
        for handle in ScaleHandle::ALL {
            let (mut drag, at) = start(if handle == ScaleHandle::Y { ScaleHandle::X } else { ScaleHandle::Y }, &scene);
            drag.constrain(handle);
            let doubled = drag.update(at + doubling(handle, &scene.0, &scene.1), FREE);
            assert!(doubled.distance(Vec3::ONE + handle.mask()) < 1e-3, "{handle:?}: {doubled}");
        }
    }

    #[test]
    fn a_typed_factor_takes_the_place_of_the_pointer_and_keys_choose_the_axis() {
        let scene = seen_with(0.4, 0.3, false);
        let (mut drag, at) = start(ScaleHandle::Uniform, &scene);
        "1.5".chars().for_each(|c| _ = drag.input.typed.push(c));
        assert_eq!(drag.update(at, FREE), Vec3::splat(1.5));
        drag.constrain(ScaleHandle::Y);
        assert_eq!(drag.factors(), Vec3::new(1.0, 1.5, 1.0));
        drag.constrain(ScaleHandle::Y);
        assert_eq!(drag.factors(), Vec3::splat(1.5));
        drag.input.typed = TypedNumber::default();
        drag.input.typed.push('0');
        assert_eq!(drag.update(at, FREE), Vec3::ONE, "nothing is scaled to nothing");
    }
}
