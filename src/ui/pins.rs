//! Pins in the view and as text.

use egui::{Rect, Stroke, StrokeKind, Ui, Vec2};

use super::area::Area;
use super::theme;
use super::view_labels::ViewLabels;
use crate::rig::PinError;
use crate::state::AppState;
use crate::view::significant;

/// Draws a square at each pin, filled if the rotation is held. A pin out of reach is red, with a line to its joint and
/// the distance.
pub(super) fn paint(ui: &Ui, view: &Area, state: &AppState) {
    let painter = ui.painter().with_clip_rect(view.rect);
    let mut labels = ViewLabels::new(ui, view.rect);
    let stage = &state.open.stage;
    for pin in &stage.document.pins {
        let on_screen = |at| view.lens.project(at).map(|at| view.to_screen(at));
        let Some(at) = on_screen(stage.rig().hierarchy.from_file(pin.position)) else { continue };
        let missed = stage.posed().missed_pins(stage.rig()).find(|missed| missed.node == pin.node);
        let color = if missed.is_some() { ui.visuals().error_fg_color } else { theme::PIN };
        let stroke = Stroke::new(2.0, color);
        if let Some(missed) = missed {
            if let Some(joint) = on_screen(stage.posed().world_from_node[pin.node.index()].translation) {
                painter.line_segment([joint, at], stroke);
            }
            labels.write(at, 12.0, &pin_error(missed), color);
        }
        let square = Rect::from_center_size(at, Vec2::splat(12.0));
        painter.rect_stroke(square, 1.0, stroke, StrokeKind::Middle);
        if pin.rotation.is_some() {
            painter.rect_filled(square.shrink(3.0), 1.0, color);
        }
    }
}

/// Returns how far a joint is from its pin, such as "12.5 cm".
pub(super) fn pin_error(error: &PinError) -> String {
    let distance = format!("{} cm", significant(error.distance_m * 100.0));
    if error.is_turned() { format!("{distance}, {:.0}°", error.angle.to_degrees()) } else { distance }
}
