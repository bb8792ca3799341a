//! Draws the limits of the active joint as sectors at the gizmo, with a mark at each current angle.

use std::ops::RangeInclusive;

use egui::{Color32, Painter, Pos2, Shape, Stroke, Ui};
use glam::{Quat, Vec3};

use super::area::Area;
use super::theme;
use crate::posing::JointLimits;
use crate::rig::polar;
use crate::state::AppState;

/// Radius of the arcs, relative to the gizmo's rings.
const SHARE: f32 = 0.72;
/// Angle between the points of an arc, radians.
const STEP: f32 = 0.08;

struct LimitArc {
    axis: usize,
    /// Rotation by the preceding Euler angles. It maps the frame of this axis to the joint's frame without the user's
    /// transform.
    turned: Quat,
    range: RangeInclusive<f32>,
    angle: f32,
}

impl LimitArc {
    /// Returns the unit direction of an angle on the arc: the coordinate axis after `axis`, rotated by the angle.
    fn direction(&self, angle: f32) -> Vec3 {
        self.turned * Quat::from_axis_angle(Vec3::AXES[self.axis], angle) * Vec3::AXES[(self.axis + 1) % 3]
    }

    fn angles(&self) -> impl Iterator<Item = f32> {
        let (start, end) = (*self.range.start(), *self.range.end());
        let steps = ((end - start) / STEP).ceil().max(1.0) as usize;
        (0..=steps).map(move |i| start + (end - start) * i as f32 / steps as f32)
    }
}

/// Returns the arcs of the limited axes, in Euler order. Each angle also rotates the arcs of the later axes.
fn arcs(limits: &JointLimits, rotation: Quat) -> Vec<LimitArc> {
    let middles = limits.axes.map(|a| a.range().map_or(0.0, |r| f32::midpoint(*r.start(), *r.end())));
    let angles = limits.order.angles_near(rotation, Vec3::from_array(middles));
    let mut turned = Quat::IDENTITY;
    let mut arcs = Vec::new();
    for axis in limits.order.axes() {
        if let Some(range) = limits.axes[axis].range() {
            arcs.push(LimitArc { axis, turned, range, angle: angles[axis] });
        }
        turned *= Quat::from_axis_angle(Vec3::AXES[axis], angles[axis]);
    }
    arcs
}

pub(super) fn paint(ui: &Ui, view: &Area, state: &AppState) {
    let Some(node) = state.open.stage.view.active_joint() else { return };
    let Some(limits) = state.open.stage.document.limits.get(node) else { return };
    let frame = polar(state.open.stage.posed().world_before_user(&state.open.stage.rig().hierarchy, node).matrix3).0;
    let origin = state.open.stage.posed().world_from_node[node.index()].translation;
    let Some(center) = view.lens.project(origin).map(|p| view.to_screen(p)) else { return };
    let reach = SHARE * state.settings.gizmo_size.radius_in(view.lens.viewport) * view.lens.world_per_point(origin);
    let painter = ui.painter().with_clip_rect(view.rect);
    for arc in arcs(limits, state.open.stage.pose().user_local(node).rotation) {
        let at = |angle: f32| Some(view.to_screen(view.lens.project(origin + frame * arc.direction(angle) * reach)?));
        let rim: Option<Vec<Pos2>> = arc.angles().map(at).collect();
        if let (Some(rim), Some(now)) = (rim, at(arc.angle)) {
            paint_arc(&painter, center, &rim, now, theme::AXES[arc.axis]);
        }
    }
}

fn paint_arc(painter: &Painter, center: Pos2, rim: &[Pos2], now: Pos2, color: Color32) {
    painter.add(super::gizmo::fan(center, rim.iter().copied(), color.gamma_multiply(0.16)));
    for end in [rim.first(), rim.last()].into_iter().flatten() {
        painter.line_segment([center, *end], Stroke::new(1.0, color.gamma_multiply(0.7)));
    }
    painter.add(Shape::line(rim.to_vec(), Stroke::new(2.0, color.gamma_multiply(0.7))));
    painter.line_segment([center, now], Stroke::new(1.5, color));
    painter.circle_filled(now, 3.0, color);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posing::AxisLimit;
    use crate::rig::EulerOrder;

    #[test]
    fn the_mark_of_each_axis_is_where_its_angle_has_turned_it() {
        let limited = AxisLimit::Limited { min: -1.0, max: 2.0 };
        for order in EulerOrder::ALL {
            let limits = JointLimits { order, axes: [limited; 3] };
            let arcs = arcs(&limits, order.rotation(Vec3::new(0.3, -0.4, 1.2)));
            assert_eq!(arcs.len(), 3);
            let last = &arcs[2];
            // The three angles together give the rotation, so the last mark is on the joint's rotated axis.
            let own = order.rotation(Vec3::new(0.3, -0.4, 1.2)) * Vec3::AXES[(last.axis + 1) % 3];
            assert!(last.direction(last.angle).abs_diff_eq(own, 1e-5), "{}", order.name());
            for arc in &arcs {
                let angles: Vec<f32> = arc.angles().collect();
                assert!((angles[0], angles[angles.len() - 1]) == (-1.0, 2.0));
                assert!(arc.range.contains(&arc.angle));
            }
        }
    }

    #[test]
    fn a_free_axis_has_no_arc() {
        let limits =
            JointLimits { axes: [AxisLimit::Free, AxisLimit::Locked(0.5), AxisLimit::Free], ..JointLimits::default() };
        let arcs = arcs(&limits, Quat::IDENTITY);
        assert_eq!(arcs.iter().map(|a| a.axis).collect::<Vec<_>>(), [1]);
    }
}
