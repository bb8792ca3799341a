use glam::{Affine3, Mat3, Vec2, Vec3};

use serde::{Deserialize, Serialize};

use super::Orientation;
use crate::rig::EulerOrder;
use crate::view::Lens;

/// Size of the gizmo on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GizmoSize {
    Small,
    #[default]
    Medium,
    Large,
}

impl GizmoSize {
    pub const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    /// Radius of the view ring, in radii of the axis rings.
    pub(super) const VIEW_RING: f32 = 112.0 / 92.0;
    /// Height in points below which a viewport is small, and the maximum radius in a small viewport as a fraction of
    /// its shorter side.
    const SMALL_VIEWPORT: (f32, f32) = (500.0, 0.18);

    /// Returns the radius of the outermost ring, points.
    pub fn outer_radius(self) -> f32 {
        match self {
            Self::Small => 55.0,
            Self::Medium => 75.0,
            Self::Large => 112.0,
        }
    }

    /// Returns the radius of the axis rings, points.
    pub fn radius(self) -> f32 {
        self.outer_radius() / Self::VIEW_RING
    }

    /// Returns the radius of the axis rings in a viewport, points. In a small viewport, the gizmo is smaller.
    pub fn radius_in(self, viewport: Vec2) -> f32 {
        let (min_height, share) = Self::SMALL_VIEWPORT;
        let most = if viewport.y < min_height { share * viewport.min_element() } else { f32::INFINITY };
        self.radius().min(most)
    }
}

/// Position, orientation and size of a gizmo's handles. A drag keeps a copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GizmoFrame {
    pub origin: Vec3,
    /// Unit axes, world space; orthogonal except for [`Orientation::Gimbal`].
    pub axes: Mat3,
    /// Alternative unit axes, world space; pressing an axis key again switches to them.
    pub other_axes: Mat3,
    /// True if [`Self::axes`] and [`Self::other_axes`] are swapped.
    pub is_swapped: bool,
    /// Radius of the axis rings on screen, points.
    pub radius: f32,
}

/// Distance from the outermost ring to the middle of a drag's number, points.
const LABEL_GAP: f32 = 20.0;

impl GizmoFrame {
    /// Creates a frame with the axes of `orientation`. For the arguments, see [`Orientation::axes`].
    pub fn new(
        orientation: Orientation,
        order: EulerOrder,
        world_from_joint: &Affine3,
        world_before_user: &Affine3,
        (size, lens): (GizmoSize, &Lens),
    ) -> Self {
        let axes = |orientation: Orientation| orientation.axes(order, world_from_joint, world_before_user, lens);
        Self {
            origin: world_from_joint.translation,
            axes: axes(orientation),
            other_axes: axes(orientation.other()),
            is_swapped: false,
            radius: size.radius_in(lens.viewport),
        }
    }

    /// Returns the joint's position in viewport points; `None` if it is behind the eye.
    pub fn center(&self, lens: &Lens) -> Option<Vec2> {
        lens.project(self.origin).filter(|center| center.is_finite())
    }

    pub(super) fn swap_axes(&mut self) {
        std::mem::swap(&mut self.axes, &mut self.other_axes);
        self.is_swapped ^= true;
    }

    /// Returns where to display the drag's value, in viewport points above or below the gizmo; `None` if the gizmo is
    /// behind the eye.
    pub fn label(&self, lens: &Lens) -> Option<Vec2> {
        let center = self.center(lens)?;
        let away = self.radius * GizmoSize::VIEW_RING + LABEL_GAP;
        let side = if center.y < away + 12.0 { 1.0 } else { -1.0 };
        Some(center + Vec2::new(0.0, away * side))
    }

    pub(super) fn world_radius(&self, lens: &Lens) -> f32 {
        self.radius * lens.world_per_point(self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Camera;

    #[test]
    fn a_joint_behind_the_eye_has_no_place_on_the_screen() {
        let lens = Camera::default().lens(Vec2::new(800.0, 600.0));
        let (scene, _) = crate::gizmo::rotate::testing::seen_with(0.4, 0.3, false);
        let at = |origin| GizmoFrame { origin, ..scene };
        let behind = at(lens.eye - lens.forward);
        assert_eq!((behind.center(&lens), behind.label(&lens)), (None, None));
        assert_eq!(at(Vec3::NAN).center(&lens), None);
        assert!(at(Vec3::ZERO).center(&lens).is_some());
    }

    #[test]
    fn in_a_small_pane_the_gizmo_leaves_the_character_to_be_seen() {
        let radius = |size: GizmoSize, width, height| {
            let lens = Camera::default().lens(Vec2::new(width, height));
            let at = Affine3::IDENTITY;
            GizmoFrame::new(Orientation::World, EulerOrder::Xyz, &at, &at, (size, &lens)).radius
        };
        let (medium, large) = (GizmoSize::default(), GizmoSize::Large);
        for (size, width, height, wanted) in [
            (large, 800.0, 600.0, 92.0),
            (large, 300.0, 500.0, 92.0),
            (large, 800.0, 400.0, 72.0),
            (medium, 800.0, 400.0, 75.0 * 92.0 / 112.0),
            (medium, 800.0, 300.0, 54.0),
            (medium, 200.0, 400.0, 36.0),
            (GizmoSize::Small, 200.0, 400.0, 36.0),
        ] {
            assert!((radius(size, width, height) - wanted).abs() < 1e-3, "{size:?} at {width} x {height}");
        }
    }

    #[test]
    fn the_label_stays_in_the_viewport() {
        let lens = Camera::default().lens(Vec2::new(800.0, 600.0));
        for height in [-0.9, -0.4, 0.0, 0.4, 0.9] {
            let origin = lens.up * height;
            let frame = GizmoFrame::new(
                Orientation::World,
                EulerOrder::Xyz,
                &Affine3::from_translation(origin),
                &Affine3::IDENTITY,
                (GizmoSize::Large, &lens),
            );
            let label = frame.label(&lens).unwrap();
            assert!(label.y > 0.0 && label.y < 600.0, "{label} at {height}");
        }
    }
}
