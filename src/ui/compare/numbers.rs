//! What was measured of both sides, in one line.

use egui::{RichText, Ui};

use super::side_text;
use crate::analysis::sides::Measured;
use crate::state::AppState;
use crate::view::{PerSide, ShownPose, Side};

/// Draws the line; nothing where nothing has been measured yet.
pub fn ui(ui: &mut Ui, state: &AppState) {
    let measured = match state.measured() {
        Some(Ok(measured)) => measured,
        Some(Err(problem)) => {
            ui.label(RichText::new(problem.to_string()).small().color(ui.visuals().error_fg_color));
            return;
        }
        None => return,
    };
    ui.spacing_mut().item_spacing.x = 6.0;
    for side in Side::ALL {
        let is_rest = state.open.view.sides[side].pose == ShownPose::Rest;
        let name = format!("{}{}", state.shown_method(side).label(), if is_rest { " at rest" } else { "" });
        ui.label(RichText::new(name).small().strong().color(side_text(side, ui.visuals())));
        ui.label(RichText::new(volume_text(measured, side)).small()).on_hover_text(size_hint(measured, side));
    }
    let share = measured.shares[0] * 100.0;
    let text =
        format!("apart max {} ({share:.1} %), mean {}", length(measured.distance.max), length(measured.distance.mean));
    ui.label(RichText::new(text).small())
        .on_hover_text("Distance between where A and B put a vertex; percent of the rig's size");
    // Rounding of single precision is nowhere.
    if let Some(joint) = measured.distance.joint.filter(|_| measured.shares[0] > 1e-5) {
        let joint = state.rig().hierarchy.name(joint);
        ui.label(RichText::new(format!("at {joint}")).small().weak()).on_hover_text("Where the two are furthest apart");
    }
}

/// Side A in cubic metres, side B beside it in percent.
fn volume_text(measured: &Measured, side: Side) -> String {
    let PerSide { a, b } = measured.sizes.map(|s| s.volume);
    match side {
        Side::A => format!("volume {}", volume(a)),
        Side::B if a.abs() > 1e-12 => percent((b - a) / a.abs()),
        Side::B => volume(b),
    }
}

fn size_hint(measured: &Measured, side: Side) -> String {
    let size = measured.sizes[side];
    format!(
        "Side {side:?}: volume {} (what the triangles enclose, less what is inside out), area {}",
        volume(size.volume),
        area(size.area)
    )
}

/// With its sign; rounding has none.
fn percent(share: f64) -> String {
    let tenths = (share * 1e3).round();
    if tenths == 0.0 { "0.0 %".to_owned() } else { format!("{:+.1} %", tenths / 10.0) }
}

/// Litres below a cubic metre.
pub fn volume(cubic_metres: f64) -> String {
    if cubic_metres.abs() < 1.0 {
        format!("{} l", significant(cubic_metres * 1e3))
    } else {
        format!("{} m³", significant(cubic_metres))
    }
}

fn area(square_metres: f64) -> String {
    format!("{} m²", significant(square_metres))
}

/// Millimetres below a metre.
pub fn length(metres: f64) -> String {
    if metres.abs() < 1.0 { format!("{} mm", significant(metres * 1e3)) } else { format!("{} m", significant(metres)) }
}

/// Three digits that say something.
fn significant(value: f64) -> String {
    if value.abs() < 1e-3 {
        return "0".to_owned();
    }
    let digits = value.abs().log10().floor();
    let decimals = (2.0 - digits).clamp(0.0, 3.0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_their_unit() {
        for (metres, text) in [
            (0.0, "0 mm"),
            (1e-7, "0 mm"),
            (0.0124, "12.4 mm"),
            (0.000_123, "0.123 mm"),
            (3.456, "3.46 m"),
            (1234.5, "1234 m"),
        ] {
            assert_eq!(length(metres), text);
        }
        assert_eq!([percent(-1e-7), percent(0.081), percent(-0.0005)], ["0.0 %", "+8.1 %", "-0.1 %"]);
        assert_eq!((volume(0.0712), volume(2.0)), ("71.2 l".to_owned(), "2.00 m³".to_owned()));
    }
}
