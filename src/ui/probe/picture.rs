//! Where each joint would take a vertex, and where the methods put it.

use egui::{Align2, Color32, FontId, Painter, Pos2, Stroke, Ui};
use glam::Vec3;

use super::row_color;
use crate::analysis::probe::Probe;
use crate::skinning::Method;
use crate::state::AppState;
use crate::ui::area::Area;
use crate::ui::theme;

/// Draws all probes; names at the newest.
pub fn paint(ui: &Ui, view: &Area, state: &AppState) {
    let painter = ui.painter().with_clip_rect(view.rect);
    let places = &state.open.probes.places;
    for (number, place) in places.iter().enumerate() {
        let Some(probe) = state.probed(*place) else { continue };
        let Some(seen) = Seen::new(view, &probe) else { continue };
        seen.paint(&painter, &probe);
        if number + 1 == places.len() {
            seen.names(&painter, &probe, state);
        }
    }
}

/// A probe's points on the screen.
struct Seen {
    rows: Vec<Option<Pos2>>,
    lbs: Pos2,
    dqs: Pos2,
}

impl Seen {
    fn new(view: &Area, probe: &Probe) -> Option<Self> {
        let at = |point: Vec3| view.lens.project(point).map(|p| view.to_screen(p));
        let rows = probe.rows.iter().map(|row| at(row.point)).collect();
        Some(Self { rows, lbs: at(probe.lbs.point)?, dqs: at(probe.dqs.point)? })
    }

    fn paint(&self, painter: &Painter, probe: &Probe) {
        let edge = Stroke::new(1.0, Color32::from_black_alpha(180));
        for (number, (at, row)) in self.rows.iter().zip(&probe.rows).enumerate() {
            let Some(at) = at else { continue };
            painter.line_segment(
                [*at, self.lbs],
                Stroke::new(1.0 + 2.0 * row.weight, row_color(number).gamma_multiply(0.8)),
            );
            painter.circle(*at, 3.0 + 3.0 * row.weight, row_color(number), edge);
        }
        painter.line_segment([self.lbs, self.dqs], Stroke::new(1.0, Color32::WHITE));
        for (at, method) in [(self.lbs, Method::Lbs), (self.dqs, Method::Dqs)] {
            painter.circle(at, 5.0, theme::method_color(method), Stroke::new(1.5, Color32::WHITE));
        }
    }

    fn names(&self, painter: &Painter, probe: &Probe, state: &AppState) {
        let font = FontId::proportional(11.0);
        let name = |at: Pos2, align: Align2, text: &str, color: Color32| {
            let shadow = egui::vec2(1.0, 1.0);
            painter.text(at + shadow, align, text, font.clone(), Color32::from_black_alpha(200));
            painter.text(at, align, text, font.clone(), color);
        };
        let above = egui::vec2(0.0, -8.0);
        let mut named: Vec<Pos2> = Vec::new();
        for (number, (at, row)) in self.rows.iter().zip(&probe.rows).enumerate() {
            if let Some(at) = at {
                let text = format!("{} {:.2}", state.rig().hierarchy.name(row.joint), row.weight);
                let spot = free_spot(*at + above, &named);
                named.push(spot);
                name(spot, Align2::CENTER_BOTTOM, &text, row_color(number));
            }
        }
        if self.lbs.distance(self.dqs) > 12.0 {
            name(self.lbs - above, Align2::CENTER_TOP, "LBS", theme::method_color(Method::Lbs));
            name(self.dqs - above, Align2::CENTER_TOP, "DQS", theme::method_color(Method::Dqs));
        }
    }
}

/// For a name: above those that it would cover.
fn free_spot(mut spot: Pos2, named: &[Pos2]) -> Pos2 {
    let covers = |spot: Pos2, other: &Pos2| (other.x - spot.x).abs() < 90.0 && (other.y - spot.y).abs() < 13.0;
    for _ in named {
        if named.iter().any(|other| covers(spot, other)) {
            spot.y -= 13.0;
        }
    }
    spot
}
