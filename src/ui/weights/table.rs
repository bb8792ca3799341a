//! The joints with what they move, sorted by any column.

use std::cmp::Ordering;

use egui::{Align2, Button, RichText, ScrollArea, TextStyle, Ui};

use crate::rig::Hierarchy;
use crate::state::{AppState, Command};
use crate::ui::counts::grouped;
use crate::ui::theme;
use crate::weights::{JointNumbers, WeightNumbers};

/// In which order the rows are.
#[derive(Default)]
pub struct JointTable {
    by: Column,
    is_reversed: bool,
}

/// A column of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Column {
    #[default]
    Name,
    Vertices,
    Largest,
    Energy,
    Pieces,
}

impl Column {
    const NUMBERS: [Self; 4] = [Self::Vertices, Self::Largest, Self::Energy, Self::Pieces];

    fn title(self) -> &'static str {
        match self {
            Self::Name => "Joint",
            Self::Vertices => "Vertices",
            Self::Largest => "Max",
            Self::Energy => "Energy",
            Self::Pieces => "Pieces",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Name => "The joint",
            Self::Vertices => "Vertices that it moves by a weight above 0",
            Self::Largest => "Its largest weight",
            Self::Energy => "Dirichlet energy of its weights: the less the smoother",
            Self::Pieces => "Pieces of the surface that it moves by a hundredth at least",
        }
    }

    fn text(self, row: &JointNumbers) -> String {
        match self {
            Self::Name => String::new(),
            Self::Vertices => grouped(row.vertices),
            Self::Largest => format!("{:.2}", row.largest),
            Self::Energy => format!("{:.2}", row.energy),
            Self::Pieces => grouped(row.pieces),
        }
    }

    /// The largest number first, names from the first letter on.
    fn compare(self, a: &JointNumbers, b: &JointNumbers, hierarchy: &Hierarchy) -> Ordering {
        match self {
            Self::Name => hierarchy.name(a.joint).cmp(hierarchy.name(b.joint)),
            Self::Vertices => b.vertices.cmp(&a.vertices),
            Self::Largest => b.largest.total_cmp(&a.largest),
            Self::Energy => b.energy.total_cmp(&a.energy),
            Self::Pieces => b.pieces.cmp(&a.pieces),
        }
    }
}

/// Width of a column of numbers, points.
const WIDTH: f32 = 52.0;
const HEIGHT: f32 = 320.0;

impl JointTable {
    /// Draws the table.
    pub fn ui(&mut self, ui: &mut Ui, numbers: &WeightNumbers, state: &AppState, commands: &mut Vec<Command>) {
        self.headers(ui);
        let hierarchy = &state.rig().hierarchy;
        let mut rows: Vec<&JointNumbers> = numbers.joints.iter().collect();
        rows.sort_by(|a, b| self.by.compare(a, b, hierarchy));
        if self.is_reversed {
            rows.reverse();
        }
        let area = ScrollArea::vertical().id_salt("weights of joints").max_height(HEIGHT).auto_shrink([false, true]);
        area.show_rows(ui, theme::ROW_HEIGHT - 2.0, rows.len(), |ui, visible| {
            for row in &rows[visible] {
                draw(ui, row, state, commands);
            }
        });
    }

    fn headers(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            let name = (ui.available_width() - WIDTH * Column::NUMBERS.len() as f32 - 8.0).max(40.0);
            for column in [Column::Name].into_iter().chain(Column::NUMBERS) {
                let arrow = match (self.by == column, self.is_reversed) {
                    (false, _) => "",
                    (true, false) => " ⏷",
                    (true, true) => " ⏶",
                };
                let text = RichText::new(format!("{}{arrow}", column.title())).small().weak();
                let width = if column == Column::Name { name } else { WIDTH };
                let button = ui.add(Button::new(text).frame(false).min_size([width, 18.0].into()));
                let button = button.accessible_name(format!("Sort by {}", column.title()));
                if button.on_hover_text(format!("{}. Click to sort by it", column.hint())).clicked() {
                    self.is_reversed = self.by == column && !self.is_reversed;
                    self.by = column;
                }
            }
        });
    }
}

fn draw(ui: &mut Ui, row: &JointNumbers, state: &AppState, commands: &mut Vec<Command>) {
    let name = state.rig().hierarchy.name(row.joint);
    let is_selected = state.selected() == Some(row.joint);
    let size = [ui.available_width(), theme::ROW_HEIGHT - 2.0];
    let response = ui.add_sized(size, Button::selectable(is_selected, ""));
    let rect = response.rect.shrink2(egui::vec2(4.0, 0.0));
    let (font, color) = (TextStyle::Body.resolve(ui.style()), ui.visuals().text_color());
    for (place, column) in Column::NUMBERS.into_iter().rev().enumerate() {
        let at = egui::pos2(rect.right() - WIDTH * place as f32, rect.center().y);
        ui.painter().text(at, Align2::RIGHT_CENTER, column.text(row), font.clone(), color);
    }
    let width = (rect.width() - WIDTH * Column::NUMBERS.len() as f32).max(20.0);
    let text = egui::WidgetText::from(name);
    let text = text.into_galley(ui, Some(egui::TextWrapMode::Truncate), width, TextStyle::Body);
    ui.painter().galley(egui::pos2(rect.left(), rect.center().y - text.size().y * 0.5), text, color);
    let label = format!("{name}, moves {} vertices", grouped(row.vertices));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    if response.on_hover_text(format!("{name}. Click to select it")).clicked() {
        commands.push(Command::Select(Some(row.joint)));
    }
}
