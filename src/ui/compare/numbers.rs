use std::sync::Arc;

use egui::{Label, RichText, TextStyle, Ui};

use crate::analysis::sides::SideComparison;
use crate::matching::{VertexMatchError, VertexPairs};
use crate::state::AppState;
use crate::ui::names;
use crate::ui::theme;
use crate::view::Side;

/// Draws a line of text with the measured differences if the sides differ.
pub(crate) fn ui(ui: &mut Ui, state: &AppState) {
    let measured = match state.open.stage.measured.result() {
        Some(Ok(measured)) => measured,
        Some(Err(problem)) => {
            ui.label(RichText::new(problem.to_string()).small().color(ui.visuals().error_fg_color));
            return;
        }
        None => return,
    };
    let off = &measured.unmatched;
    // Ignore differences within single-precision rounding.
    if off.is_none() && measured.shares[0] <= 1e-5 {
        return;
    }
    ui.spacing_mut().item_spacing.x = 4.0;
    let [a, b] = Side::ALL.map(|side| state.open.stage.side_name(side));
    let named = |ui: &mut Ui, side: Side, name: String| {
        // Side colours are used only while two sides are visible.
        let is_shown = state.open.stage.view.is_comparing();
        let color = if is_shown { theme::side_text(side, ui.visuals()) } else { ui.visuals().strong_text_color() };
        ui.label(RichText::new(name).small().strong().color(color));
    };
    named(ui, Side::B, b);
    let deviation = length(measured.distance.max);
    let name = measured.distance.joint.map(|joint| state.open.stage.rig().hierarchy.name(joint));
    let place = |name: Option<String>| name.map_or_else(String::new, |name| format!(" at {name}"));
    let whole = format!("{deviation}{}", place(name.map(str::to_owned)));
    let place = place(name.map(|name| names::shortened(ui, name, MAX_NAME_WIDTH, &TextStyle::Small)));
    let text = match (volume_text(measured), off) {
        (Some(volume), Some(why)) => format!("{volume}, no distances: {why}"),
        (None, Some(why)) => format!("no distances: {why}"),
        (Some(volume), None) => format!("{volume}, max deviation {deviation}{place}"),
        (None, None) => format!("max deviation {deviation}{place}"),
    };
    let line = ui.add(Label::new(RichText::new(text).small()).truncate());
    line.on_hover_ui(|ui| {
        if off.is_none() {
            ui.label(format!("Max deviation {whole}"));
        }
        ui.label(details(measured, &a, state.open.stage.characters.matched_versions()));
    });
}

const MAX_NAME_WIDTH: f32 = 160.0;
const VOLUME: &str = "Volume: signed volume of the triangles. Holes are closed by cones to the centre, so for open meshes compare \
                      volumes between poses only";

/// Returns the volume change as text; `None` if it is within rounding error.
fn volume_text(measured: &SideComparison) -> Option<String> {
    let share = measured.volume_change()?;
    let tenths = (share.abs() * 1e3).round() / 10.0;
    (tenths > 0.0).then(|| format!("keeps {tenths:.1} % {} volume", if share > 0.0 { "more" } else { "less" }))
}

fn details(measured: &SideComparison, a: &str, versions: Option<Result<Arc<VertexPairs>, VertexMatchError>>) -> String {
    let size = |side: Side| {
        let size = measured.sizes[side];
        format!("{side:?}: volume {}, area {}", volume(size.volume), area(size.area))
    };
    let distance = &measured.distance;
    let distances = || {
        let [mean, max] = [distance.mean, distance.max].map(length);
        let share = measured.shares[0] * 100.0;
        format!("Deviation: {mean} on average, at most {max} ({share:.1} % of the rig's size)")
    };
    let distances = match versions {
        Some(Err(why)) => format!("No distances: {why}"),
        Some(Ok(matching)) if *matching != VertexPairs::InOrder => {
            let share = matching.share() * 100.0;
            format!("{}\nMeasured on the {share:.0} % of A's vertices that match a vertex of B at rest", distances())
        }
        _ => distances(),
    };
    format!("Beside side A, {a}\n{}\n{}\n{distances}\n{VOLUME}", size(Side::A), size(Side::B))
}

pub(super) fn volume(cubic_metres: f64) -> String {
    if cubic_metres.abs() < 1.0 {
        format!("{} l", significant(cubic_metres * 1e3))
    } else {
        format!("{} m³", significant(cubic_metres))
    }
}

fn area(square_metres: f64) -> String {
    format!("{} m²", significant(square_metres))
}

pub(crate) fn length(metres: f64) -> String {
    if metres.abs() < 1.0 { format!("{} mm", significant(metres * 1e3)) } else { format!("{} m", significant(metres)) }
}

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
        assert_eq!((volume(0.0712), volume(2.0)), ("71.2 l".to_owned(), "2.00 m³".to_owned()));
    }
}
