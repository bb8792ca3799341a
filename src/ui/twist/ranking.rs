//! The ranking of all joints by loss.

use egui::{Button, Label, RichText, ScrollArea, Ui};

use crate::analysis::twist::{Motion, Ranked, Standing};
use crate::rig::Hierarchy;
use crate::state::{Action, AppState, Command, NumberTable};
use crate::ui::actions::info;
use crate::ui::columns::{Columns, Heading, number};
use crate::ui::ends::ends;
use crate::ui::names::{self, Name};
use crate::ui::theme;

/// Order of the rows, and widths of the columns.
pub(super) struct Ranking {
    order: Order,
    is_reversed: bool,
    columns: Columns<2>,
}

impl Default for Ranking {
    fn default() -> Self {
        Self { order: Order::default(), is_reversed: false, columns: Columns::new([52.0, 70.0]) }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Order {
    #[default]
    Loss,
    Name,
    Angle,
}

impl Order {
    fn hint(self) -> &'static str {
        match self {
            Self::Loss => "Sort by loss",
            Self::Name => "Sort by name",
            Self::Angle => "Sort by angle",
        }
    }
}

impl Ranking {
    /// Draws the table, or a button to compute it.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
        let ranked = state.open.twist.ranked.as_deref();
        let title = |ui: &mut Ui, _: &mut Vec<Command>| _ = ui.label(RichText::new("Joints by loss").strong());
        ends(ui, commands, title, |ui, commands| {
            if ranked.is_some() && ui.small_button("Save…").on_hover_text("Save as .csv or .json").clicked() {
                commands.push(Command::AskForNumbers(NumberTable::Ranking));
            }
            let text = if ranked.is_some() { "Re-run" } else { "Rank all" };
            if ui.small_button(text).on_hover_text(info(Action::RankJoints).hint).clicked() {
                commands.push(Command::Do(Action::RankJoints));
            }
        });
        if let Some(fraction) = state.open.twist.ranking {
            super::waiting::progress(ui, "Ranking", fraction, commands);
        }
        match ranked {
            Some(ranked) => self.table(ui, ranked, state, commands),
            None => {
                super::waiting::empty(
                    ui,
                    "Rank all shows at which joints linear blending loses the largest share of volume.",
                );
            }
        }
    }

    fn table(&mut self, ui: &mut Ui, ranked: &[Ranked], state: &AppState, commands: &mut Vec<Command>) {
        self.headings(ui);
        let hierarchy = &state.open.stage.rig().hierarchy;
        let rows = self.sorted(ranked, hierarchy);
        let height = theme::ROW_HEIGHT;
        ScrollArea::vertical().auto_shrink(false).show_rows(ui, height, rows.len(), |ui, visible| {
            for ranked in &rows[visible] {
                match ranked {
                    Row::Joint(ranked) => self.row(ui, ranked, state, commands),
                    Row::Heading(text) => apart(ui, text),
                }
            }
        });
    }

    fn headings(&mut self, ui: &mut Ui) {
        const ORDERS: [Order; 3] = [Order::Name, Order::Loss, Order::Angle];
        let heading = |order: Order, title| Heading {
            title,
            sorted: (self.order == order).then_some(self.is_reversed),
            name: order.hint(),
            hint: format!("{}; again for the other way round", order.hint()),
        };
        let name = heading(Order::Name, "Joint");
        let loss = heading(Order::Loss, "Loss");
        let what = format!(
            "What LBS loses of the volume at the worst of all angles, every 10°. {}",
            super::metric::FAN_CLOSED
        );
        let loss = Heading { hint: format!("{}\n{what}", loss.hint), ..loss };
        let numbers = [loss, heading(Order::Angle, "Worst at")];
        let width = ui.available_width() - ui.spacing().scroll.allocated_width();
        if let Some(clicked) = self.columns.headings(ui, width, &name, &numbers) {
            let order = ORDERS[clicked];
            self.is_reversed = self.order == order && !self.is_reversed;
            self.order = order;
        }
    }

    fn row(&self, ui: &mut Ui, ranked: &Ranked, state: &AppState, commands: &mut Vec<Command>) {
        let name = state.open.stage.rig().hierarchy.name(ranked.joint);
        let is_selected = state.open.stage.view.active_joint() == Some(ranked.joint);
        let loss = if ranked.loss.is_nan() { "–".to_owned() } else { format!("{:.1} %", ranked.loss * 100.0) };
        let motion = if ranked.motion == Motion::Twist { "twist" } else { "bend" };
        let angle =
            if ranked.loss.is_nan() { String::new() } else { format!("{motion} {:.0}°", ranked.angle.to_degrees()) };
        let size = [ui.available_width(), theme::ROW_HEIGHT - 2.0];
        let response = ui.add_sized(size, Button::selectable(is_selected, ""));
        let (rect, y) = (response.rect.shrink2(egui::vec2(4.0, 0.0)), response.rect.center().y);
        let (strong, weak) = (ui.visuals().text_color(), ui.visuals().weak_text_color());
        let places = self.columns.places(rect.x_range());
        for (place, text, color) in [(places[0], &loss, strong), (places[1], &angle, weak)] {
            number(ui, place, y, text, color);
        }
        let shown = Name::of(ranked.joint, state.open.stage.rig());
        let shown = shown.galley(ui, places[0].min - rect.left(), &names::body(ui, strong));
        ui.painter().galley(egui::pos2(rect.left(), y - shown.size().y * 0.5), shown, strong);
        let label = format!("{name}, loses {loss}");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
        let doubt =
            if ranked.uncertainty >= 5e-4 { format!(" ± {:.1} %", ranked.uncertainty * 100.0) } else { String::new() };
        let hint = format!("{name}: loses {loss}{doubt} {angle}, {} triangles. Click to test it", ranked.triangles);
        if response.on_hover_text(hint).clicked() {
            commands.push(Command::Select(Some(ranked.joint)));
            commands.push(Command::SetTestMotion(ranked.motion));
            commands.push(Command::Do(Action::TestTwist));
        }
    }

    /// The table's rows: joints that stand apart below the others, under headings.
    fn sorted<'a>(&self, ranked: &'a [Ranked], hierarchy: &Hierarchy) -> Vec<Row<'a>> {
        let of_list = |standing: Standing| {
            let rows: Vec<&Ranked> = ranked.iter().filter(|r| r.standing() == standing).collect();
            let heading = standing.heading().filter(|_| !rows.is_empty()).map(Row::Heading);
            heading.into_iter().chain(self.in_order(rows, hierarchy).into_iter().map(Row::Joint))
        };
        [Standing::Ranked, Standing::TooThin, Standing::Speck].into_iter().flat_map(of_list).collect()
    }

    fn in_order<'a>(&self, mut rows: Vec<&'a Ranked>, hierarchy: &Hierarchy) -> Vec<&'a Ranked> {
        match self.order {
            Order::Loss => {}
            Order::Name => rows.sort_by_key(|r| hierarchy.name(r.joint)),
            Order::Angle => rows.sort_by(|a, b| b.angle.abs().total_cmp(&a.angle.abs())),
        }
        if self.is_reversed {
            rows.reverse();
        }
        rows
    }
}

/// A row of the table.
enum Row<'a> {
    Joint(&'a Ranked),
    Heading(&'static str),
}

/// Draws the line above joints that stand apart.
fn apart(ui: &mut Ui, heading: &str) {
    let size = [ui.available_width(), theme::ROW_HEIGHT - 2.0];
    ui.add_sized(size, Label::new(RichText::new(heading).small().weak()).truncate());
}
