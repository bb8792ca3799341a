//! All joints by what they lose.

use egui::{
    Align2, Atom, Button, IntoAtoms as _, Label, RichText, ScrollArea, TextStyle, TextWrapMode, Ui, WidgetText,
};

use crate::analysis::twist::{Motion, Ranked};
use crate::rig::Hierarchy;
use crate::state::{Action, AppState, Command, Numbers};
use crate::ui::actions::info;
use crate::ui::ends::ends;
use crate::ui::theme;

/// In which order the rows are, and the rows in it.
#[derive(Default)]
pub struct Ranking {
    order: Order,
    is_reversed: bool,
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

/// Widths of the columns after the name, points.
const COLUMNS: [f32; 2] = [52.0, 70.0];

impl Ranking {
    /// Draws the table, or how to get it.
    pub fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
        let ranked = state.ranked();
        let title = |ui: &mut Ui, _: &mut Vec<Command>| _ = ui.label(RichText::new("Joints by loss").strong());
        ends(ui, commands, title, |ui, commands| {
            if ranked.is_some() && ui.small_button("Save…").on_hover_text("As .csv or .json").clicked() {
                commands.push(Command::AskForNumbers(Numbers::Ranking));
            }
            let text = if ranked.is_some() { "Again" } else { "Rank all" };
            if ui.small_button(text).on_hover_text(info(Action::RankJoints).hint).clicked() {
                commands.push(Command::Do(Action::RankJoints));
            }
        });
        if let Some(fraction) = state.open.twist.ranking {
            super::progress(ui, "Ranking", fraction, commands);
        }
        match ranked {
            Some(ranked) => self.table(ui, ranked, state, commands),
            None => {
                super::empty(ui, "Rank all shows at which joints linear blending loses the largest share of volume.");
            }
        }
    }

    fn table(&mut self, ui: &mut Ui, ranked: &[Ranked], state: &AppState, commands: &mut Vec<Command>) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let name = (ui.available_width() - COLUMNS.iter().sum::<f32>() - 12.0).max(60.0);
            for (order, title, width) in [
                (Order::Name, "Joint", name),
                (Order::Loss, "Loss", COLUMNS[0]),
                (Order::Angle, "Worst at", COLUMNS[1]),
            ] {
                self.header(ui, order, title, width);
            }
        });
        let hierarchy = &state.rig().hierarchy;
        let rows = self.sorted(ranked, hierarchy);
        let height = theme::ROW_HEIGHT;
        ScrollArea::vertical().auto_shrink(false).show_rows(ui, height, rows.len(), |ui, visible| {
            for ranked in &rows[visible] {
                match ranked {
                    Some(ranked) => row(ui, ranked, state, commands),
                    None => apart(ui),
                }
            }
        });
    }

    fn header(&mut self, ui: &mut Ui, order: Order, title: &str, width: f32) {
        let arrow = match (self.order == order, self.is_reversed) {
            (false, _) => "",
            (true, false) => " ⏷",
            (true, true) => " ⏶",
        };
        let text = RichText::new(format!("{title}{arrow}")).small().weak();
        let atoms =
            if order == Order::Name { (text, Atom::grow()).into_atoms() } else { (Atom::grow(), text).into_atoms() };
        let button = Button::new(atoms).frame(false).min_size([width, 18.0].into());
        let hint = format!("{}; again for the other way round", order.hint());
        if ui.add(button).accessible_name(order.hint()).on_hover_text(hint).clicked() {
            self.is_reversed = self.order == order && !self.is_reversed;
            self.order = order;
        }
    }

    /// All but specks, and `None` before these.
    fn sorted<'a>(&self, ranked: &'a [Ranked], hierarchy: &Hierarchy) -> Vec<Option<&'a Ranked>> {
        let (specks, others): (Vec<&Ranked>, Vec<&Ranked>) = ranked.iter().partition(|r| r.is_speck);
        let head = (!specks.is_empty()).then_some(None);
        let [specks, others] = [specks, others].map(|rows| self.in_order(rows, hierarchy).into_iter().map(Some));
        others.chain(head).chain(specks).collect()
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

/// What stands between the joints and those that move hardly anything.
fn apart(ui: &mut Ui) {
    let size = [ui.available_width(), theme::ROW_HEIGHT - 2.0];
    let text = RichText::new("Specks: under 0.1 % of the surface or 50 triangles").small().weak();
    ui.add_sized(size, Label::new(text).truncate());
}

fn row(ui: &mut Ui, ranked: &Ranked, state: &AppState, commands: &mut Vec<Command>) {
    let name = state.rig().hierarchy.name(ranked.joint);
    let is_selected = state.selected() == Some(ranked.joint);
    let loss = if ranked.loss.is_nan() { "–".to_owned() } else { format!("{:.1} %", ranked.loss * 100.0) };
    let motion = if ranked.motion == Motion::Twist { "twist" } else { "bend" };
    let angle =
        if ranked.loss.is_nan() { String::new() } else { format!("{motion} {:.0}°", ranked.angle.to_degrees()) };
    let response = ui.add_sized([ui.available_width(), theme::ROW_HEIGHT - 2.0], Button::selectable(is_selected, ""));
    let rect = response.rect.shrink2(egui::vec2(4.0, 0.0));
    let (strong, weak) = (ui.visuals().text_color(), ui.visuals().weak_text_color());
    let text = |text: &str, right: f32, color| {
        let font = TextStyle::Body.resolve(ui.style());
        ui.painter().text(egui::pos2(right, rect.center().y), Align2::RIGHT_CENTER, text, font, color);
    };
    text(&loss, rect.right() - COLUMNS[1], strong);
    text(&angle, rect.right(), weak);
    let width = rect.width() - COLUMNS.iter().sum::<f32>();
    let name_text = WidgetText::from(name).into_galley(ui, Some(TextWrapMode::Truncate), width, TextStyle::Body);
    let at = egui::pos2(rect.left(), rect.center().y - name_text.size().y * 0.5);
    ui.painter().galley(at, name_text, strong);
    let label = format!("{name}, loses {loss}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    if response.on_hover_text(format!("{name}: {} triangles. Click to test it", ranked.triangles)).clicked() {
        commands.push(Command::Select(Some(ranked.joint)));
        commands.push(Command::SetTestMotion(ranked.motion));
        commands.push(Command::Do(Action::TestTwist));
    }
}
