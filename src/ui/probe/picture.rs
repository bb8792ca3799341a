//! Draws the positions to which each joint alone and each skinning method move a probed vertex.

use egui::{Color32, Painter, Pos2, Rect, Stroke, TextStyle, Ui, Vec2, Visuals};
use glam::Vec3;

use crate::analysis::probe::Probe;
use crate::skinning::Method;
use crate::state::AppState;
use crate::state::probed;
use crate::ui::area::Area;
use crate::ui::joint_rows::row_color;
use crate::ui::names;
use crate::ui::theme;
use crate::ui::view_labels::ViewLabels;
use crate::view::Side;

const AWAY: f32 = 8.0;
const MAX_NAME_WIDTH: f32 = 140.0;

pub(crate) fn paint(ui: &Ui, view: &Area, state: &AppState) {
    let painter = ui.painter().with_clip_rect(view.rect);
    let places = &state.open.stage.probes.places;
    for (number, place) in places.iter().enumerate() {
        let Some(probe) = probed(&state.open.stage, view.side, *place) else { continue };
        let Some(on_screen) = ProbeOnScreen::new(view, &probe) else { continue };
        on_screen.paint(&painter, &probe, state, ui.visuals());
        if number + 1 == places.len() {
            on_screen.names(ui, view, &probe, state);
        }
    }
}

struct ProbeOnScreen {
    rows: Vec<Option<Pos2>>,
    lbs: Pos2,
    dqs: Pos2,
}

impl ProbeOnScreen {
    fn new(view: &Area, probe: &Probe) -> Option<Self> {
        let at = |point: Vec3| view.lens.project(point).map(|p| view.to_screen(p));
        let rows = probe.rows.iter().map(|row| at(row.point)).collect();
        Some(Self { rows, lbs: at(probe.lbs.point)?, dqs: at(probe.dqs.point)? })
    }

    fn paint(&self, painter: &Painter, probe: &Probe, state: &AppState, visuals: &Visuals) {
        let edge = Stroke::new(1.0, Color32::from_black_alpha(180));
        for (number, (at, row)) in self.rows.iter().zip(&probe.rows).enumerate() {
            let Some(at) = at else { continue };
            let color = theme::as_mark(row_color(number), visuals).gamma_multiply(0.8);
            painter.line_segment([*at, self.lbs], Stroke::new(1.0 + 2.0 * row.weight, color));
            painter.circle(*at, 3.0 + 3.0 * row.weight, row_color(number), edge);
        }
        let middle = self.lbs.lerp(self.dqs, 0.5);
        for (at, method) in [(self.lbs, Method::Lbs), (self.dqs, Method::Dqs)] {
            let color = method_color(state, method);
            painter.line_segment([at, middle], Stroke::new(1.5, theme::as_mark(color, visuals)));
            painter.circle(at, 5.0, color, Stroke::new(1.5, Color32::WHITE));
        }
    }

    fn names(&self, ui: &Ui, view: &Area, probe: &Probe, state: &AppState) {
        let mut pills = ViewLabels::new(ui, view.rect);
        let points = self.rows.iter().flatten().chain([&self.lbs, &self.dqs]);
        points.for_each(|at| pills.keep_clear(Rect::from_center_size(*at, Vec2::splat(10.0))));
        if self.lbs.distance(self.dqs) > 12.0 {
            for (at, method) in [(self.lbs, Method::Lbs), (self.dqs, Method::Dqs)] {
                pills.write(at, AWAY, method.label(), ui.visuals().strong_text_color());
            }
        }
        for (number, (at, row)) in self.rows.iter().zip(&probe.rows).enumerate() {
            let Some(at) = at else { continue };
            let name = names::shortened(
                ui,
                state.open.stage.rig().hierarchy.name(row.joint),
                MAX_NAME_WIDTH,
                &TextStyle::Small,
            );
            let text = format!("{name} {:.2}", row.weight);
            pills.write(*at, AWAY, &text, theme::as_text(row_color(number), ui.visuals()));
        }
    }
}

/// Returns the colour of the side that shows a method, or the method's own colour if no side shows it.
pub(super) fn method_color(state: &AppState, method: Method) -> Color32 {
    let side = Side::ALL.into_iter().find(|&side| state.open.stage.view.sides[side].skinning.method == method);
    side.map_or_else(|| theme::method_color(method), theme::side_color)
}
