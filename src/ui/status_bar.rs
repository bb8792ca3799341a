//! Counts on the left, what the mouse does on the right.

use egui::{Align, Layout, RichText, Ui};

use super::theme;
use crate::state::AppState;

/// Draws the bar.
pub fn ui(ui: &mut Ui, state: &AppState) {
    ui.horizontal(|ui| {
        let rig = state.rig();
        let counts = format!("{} joints · {} vertices", grouped(rig.joint_count()), grouped(rig.vertex_count()));
        ui.label(RichText::new(counts).small().weak());
        let method = state.view.method;
        ui.label(RichText::new(method.full_name()).small().color(theme::method_text(method, ui.visuals())));
        warnings(ui, state);
        loading(ui, state);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let hint = match (state.view.is_dragging, state.selected()) {
                (true, _) => "Ctrl snap · Shift fine · X Y Z axis · type degrees · Esc cancel",
                (false, Some(_)) => "Drag a ring to rotate · M method · F frame · F1 keys",
                (false, None) => "Click a bone · drag to orbit · right drag to pan · wheel to zoom · F1 keys",
            };
            ui.label(RichText::new(hint).small().weak());
        });
    });
}

fn warnings(ui: &mut Ui, state: &AppState) {
    let warnings = &state.document.warnings;
    if warnings.is_empty() {
        return;
    }
    let plural = if warnings.len() == 1 { "" } else { "s" };
    let text = RichText::new(format!("⚠ {} warning{plural}", warnings.len())).small().color(ui.visuals().warn_fg_color);
    ui.menu_button(text, |ui| {
        ui.set_max_width(480.0);
        ui.label(RichText::new("What import had to say").strong());
        egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for warning in warnings.iter() {
                ui.label(format!("• {warning}"));
            }
        });
    });
}

fn loading(ui: &mut Ui, state: &AppState) {
    if let Some(loading) = &state.loading {
        ui.spinner();
        ui.label(RichText::new(format!("Opening {} · {}", loading.name, loading.stage)).small());
    }
}

/// A count with its thousands set apart.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(count), text);
        }
    }
}
