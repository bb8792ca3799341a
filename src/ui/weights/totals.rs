use egui::{Grid, RichText, Ui};

use crate::stage::WeightStatisticsPlan;
use crate::state::AppState;
use crate::ui::counts::grouped;
use crate::ui::theme;
use crate::view::Side;
use crate::weights::WeightStatistics;

/// Name, description and value text of a row.
type Row = (&'static str, &'static str, fn(&WeightStatistics) -> String);

const ROWS: [Row; 7] = [
    ("Vertices without", "Vertices without weights in the file", |n| grouped(n.without)),
    ("Error of the sum", "Largest distance of a vertex's sum from 1", |n| format!("{:.1e}", n.sum_error)),
    ("Influences, mean", "Mean influences per vertex", |n| {
        n.influences.map_or_else(none, |i| format!("{:.2}", i.mean))
    }),
    ("Influences, 99 %, max", "99th percentile and maximum", |n| {
        n.influences.map_or_else(none, |i| format!("{}, {}", i.p99, i.max))
    }),
    ("Dirichlet energy", "Sum over joints; lower is smoother", |n| format!("{:.1}", n.energy)),
    ("Islands", "Components that the joint doesn't need", |n| grouped(n.islands)),
    ("Symmetry error, mean", "Difference from the mirror image: 0 equal, 2 disjoint", |n| {
        n.balance.map_or_else(none, |balance| format!("{:.3}", balance.mean_error))
    }),
];

fn none() -> String {
    "–".to_owned()
}

pub(super) fn ui(ui: &mut Ui, state: &AppState) {
    Grid::new("weight totals").num_columns(3).spacing([10.0, 2.0]).striped(true).show(ui, |ui| {
        ui.label("");
        for side in Side::ALL {
            ui.label(RichText::new(format!("{side:?}")).color(theme::side_text(side, ui.visuals())));
        }
        ui.end_row();
        for (name, hint, text) in ROWS {
            ui.label(RichText::new(name).small().weak()).on_hover_text(hint);
            for side in Side::ALL {
                ui.label(
                    state.open.stage.side_value::<WeightStatisticsPlan>(side).map_or_else(|| "…".to_owned(), text),
                );
            }
            ui.end_row();
        }
    });
}
