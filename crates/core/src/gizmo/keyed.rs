//! Keys during a drag: constrain to an axis, type a number, or end the drag.

use super::Drag;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DragKey {
    /// The X, Y or Z key, as 0, 1 or 2.
    Axis(usize),
    /// A digit, decimal point or sign. Other characters are ignored.
    Typed(char),
    Backspace,
    /// Confirms a keyboard drag. A pointer drag ends when the button is released instead.
    Enter,
    Escape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DragStep {
    Continue,
    Confirm,
    /// Restore the pose from before the drag.
    Cancel,
}

/// Axis constraint of a keyboard drag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisLock {
    #[default]
    Free,
    /// World axis, 0 to 2; for scale, the joint's own axis.
    World(usize),
    /// Axis of the chosen orientation, 0 to 2.
    Own(usize),
}

impl AxisLock {
    /// Returns the constraint after an axis key is pressed. As in Blender, pressing the same key again cycles through
    /// world axis, own axis and no constraint.
    #[must_use]
    pub fn after(self, axis: usize) -> Self {
        match self {
            Self::World(locked) if locked == axis => Self::Own(axis),
            Self::Own(locked) if locked == axis => Self::Free,
            _ => Self::World(axis),
        }
    }
}

#[derive(Clone, Debug)]
pub struct KeyedDrag {
    drag: Drag,
    /// `None` for a pointer drag, whose handle sets the axis.
    lock: Option<AxisLock>,
}

impl KeyedDrag {
    /// Adds keyboard input to a drag that the pointer started. Axis keys constrain the drag; pressing the same key
    /// again switches to `GizmoFrame::other_axes`.
    pub fn by_pointer(drag: Drag) -> Self {
        Self { drag, lock: None }
    }

    /// Adds keyboard input to a drag that a key started with [`super::Tool::free_handle`]. The first press of an axis
    /// key uses world axes ([`super::Targets::world_first`]); see [`AxisLock::after`].
    pub fn by_keys(drag: Drag) -> Self {
        Self { drag, lock: Some(AxisLock::Free) }
    }

    pub fn drag(&self) -> &Drag {
        &self.drag
    }

    pub fn drag_mut(&mut self) -> &mut Drag {
        &mut self.drag
    }

    pub fn lock(&self) -> Option<AxisLock> {
        self.lock
    }

    /// Handles a key press. The next [`Drag::update`] returns the resulting change.
    pub fn press(&mut self, key: DragKey) -> DragStep {
        match key {
            DragKey::Axis(axis) => self.press_axis(axis),
            DragKey::Typed(character) => _ = self.drag.typed_mut().push(character),
            DragKey::Backspace => self.drag.typed_mut().backspace(),
            DragKey::Enter if self.lock.is_some() => return DragStep::Confirm,
            DragKey::Enter => {}
            DragKey::Escape => return DragStep::Cancel,
        }
        DragStep::Continue
    }

    fn press_axis(&mut self, axis: usize) {
        let Some(before) = self.lock else { return self.drag.constrain(axis) };
        let after = before.after(axis);
        self.lock = Some(after);
        // Scale has only the joint's own axes.
        let swaps = !matches!(self.drag, Drag::Scale(_));
        if let AxisLock::Own(own) = before
            && swaps
        {
            self.drag.constrain(own);
        }
        match after {
            AxisLock::Free => self.drag.free(),
            AxisLock::Own(_) if !swaps => {}
            AxisLock::World(axis) | AxisLock::Own(axis) => self.drag.constrain(axis),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Mat3, Quat, Vec3};

    use super::*;
    use crate::gizmo::rotate::testing::seen_with;
    use crate::gizmo::{DragChange, Modifiers, Tool};

    /// `<` is Backspace, `!` Enter, `~` Esc.
    fn keyed(tool: Tool, keys: &str) -> (DragChange, DragStep, Option<AxisLock>) {
        let (frame, lens) = seen_with(0.4, 0.3, false);
        let center = frame.center(&lens).unwrap();
        let mut drag = KeyedDrag::by_keys(Drag::start(tool.free_handle(), &frame, &lens, center).unwrap());
        let mut step = DragStep::Continue;
        for key in keys.chars() {
            assert_eq!(step, DragStep::Continue, "{keys} continues after its end");
            step = drag.press(match key {
                'X'..='Z' => DragKey::Axis(key as usize - 'X' as usize),
                '<' => DragKey::Backspace,
                '!' => DragKey::Enter,
                '~' => DragKey::Escape,
                other => DragKey::Typed(other),
            });
        }
        (drag.drag_mut().update(&lens, center, Modifiers::default()), step, drag.lock())
    }

    fn turn(keys: &str) -> Quat {
        match keyed(Tool::Rotate, keys).0 {
            DragChange::Rotate { rotation, .. } => rotation.quat(),
            other => panic!("{other:?}"),
        }
    }

    fn displacement(keys: &str) -> Vec3 {
        let DragChange::Move { by, .. } = keyed(Tool::Move, keys).0 else { panic!("no displacement") };
        by
    }

    fn factors(keys: &str) -> Vec3 {
        let DragChange::Scale(factors) = keyed(Tool::Scale, keys).0 else { panic!("no factors") };
        factors
    }

    fn assert_turn(keys: &str, axis: Vec3, degrees: f32) {
        let (found, wanted) = (turn(keys), Quat::from_axis_angle(axis, degrees.to_radians()));
        assert!(found.angle_between(wanted) < 1e-3, "{keys}: {found} is not {wanted}");
    }

    #[test]
    fn an_axis_key_takes_the_worlds_axis_then_that_of_the_orientation_then_none() {
        let (frame, lens) = seen_with(0.4, 0.3, false);
        let own: Mat3 = frame.other_axes;
        let sight = lens.to_viewer(frame.origin);
        for (keys, axis) in [
            ("X45", Vec3::X),
            ("45X", Vec3::X),
            ("XX45", own * Vec3::X),
            ("XXX45", sight),
            ("XXXX45", Vec3::X),
            ("XY45", Vec3::Y),
            ("XXY45", Vec3::Y),
            ("XXYY45", own * Vec3::Y),
            ("45", sight),
        ] {
            assert_turn(keys, axis, 45.0);
        }
        assert_eq!(keyed(Tool::Rotate, "ZZ").2, Some(AxisLock::Own(2)));
    }

    #[test]
    fn numbers_are_degrees_metres_and_factors() {
        assert_turn("X-1<90", Vec3::X, -90.0);
        assert_turn("X30-", Vec3::X, -30.0);
        assert_turn("X", Vec3::X, 0.0);
        assert!(displacement("Y0.2").distance(Vec3::Y * 0.2) < 1e-6);
        assert!((displacement(".5").length() - 0.5).abs() < 1e-6);
        assert_eq!(factors("1.5"), Vec3::splat(1.5));
        assert_eq!(factors("X1.5"), Vec3::new(1.5, 1.0, 1.0));
        assert_eq!(factors("XX1.5"), Vec3::new(1.5, 1.0, 1.0), "scale has the joint's own axes alone");
        assert_eq!(factors("XXX1.5"), Vec3::splat(1.5));
        assert_eq!(factors("XXY2"), Vec3::new(1.0, 2.0, 1.0));
    }

    #[test]
    fn enter_confirms_and_escape_cancels() {
        for tool in Tool::ALL {
            assert_eq!(keyed(tool, "X4!").1, DragStep::Confirm);
            assert_eq!(keyed(tool, "X4~").1, DragStep::Cancel);
            assert_eq!(keyed(tool, "X4q,").1, DragStep::Continue);
        }
        let (frame, lens) = seen_with(0.4, 0.3, false);
        let drag = Drag::start(Tool::Move.free_handle(), &frame, &lens, frame.center(&lens).unwrap()).unwrap();
        assert_eq!(KeyedDrag::by_pointer(drag).press(DragKey::Enter), DragStep::Continue, "the button ends that one");
    }
}
