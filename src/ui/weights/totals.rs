//! The numbers of both sides in all.

use egui::{Grid, RichText, Ui};

use crate::state::AppState;
use crate::ui::compare::side_text;
use crate::ui::counts::grouped;
use crate::view::Side;
use crate::weights::WeightNumbers;

/// Name, meaning and text of a row.
type Row = (&'static str, &'static str, fn(&WeightNumbers) -> String);

const ROWS: [Row; 7] = [
    ("Vertices without", "Vertices that no joint moves, as the file has them", |n| grouped(n.without)),
    ("Error of the sum", "Largest distance of a vertex's sum from 1", |n| format!("{:.1e}", n.sum_error)),
    ("Influences, mean", "Joints that move a vertex, over all vertices", |n| {
        n.influences.map_or_else(none, |i| format!("{:.2}", i.mean))
    }),
    ("Influences, 99 %, max", "99 of 100 vertices have no more; the vertex that has most", |n| {
        n.influences.map_or_else(none, |i| format!("{}, {}", i.p99, i.most))
    }),
    (
        "Dirichlet energy",
        "How steeply weights change over the surface, summed over the joints: the less the smoother",
        |n| format!("{:.1}", n.energy),
    ),
    ("Islands", "Pieces of joints' regions that hang together with none of their others", |n| grouped(n.islands)),
    (
        "Symmetry error, mean",
        "How far vertices and their mirror images differ: 0 where they agree, 2 where they share no joint",
        |n| n.balance.map_or_else(none, |balance| format!("{:.3}", balance.mean_error)),
    ),
];

fn none() -> String {
    "–".to_owned()
}

/// Draws the numbers of A and B beside each other.
pub(super) fn ui(ui: &mut Ui, state: &AppState) {
    Grid::new("weight totals").num_columns(3).spacing([10.0, 2.0]).striped(true).show(ui, |ui| {
        ui.label("");
        for side in Side::ALL {
            ui.label(RichText::new(format!("{side:?}")).color(side_text(side, ui.visuals())));
        }
        ui.end_row();
        for (name, hint, text) in ROWS {
            ui.label(RichText::new(name).small().weak()).on_hover_text(hint);
            for side in Side::ALL {
                ui.label(state.open.stage.weight_numbers(side).map_or_else(|| "…".to_owned(), |numbers| text(numbers)));
            }
            ui.end_row();
        }
    });
}
