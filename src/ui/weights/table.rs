//! The joints with what they move, sorted by any column.

use std::cmp::Ordering;

use egui::{Button, ScrollArea, Ui};

use crate::rig::Hierarchy;
use crate::state::{AppState, Command};
use crate::ui::columns::{Columns, Heading, number};
use crate::ui::counts::grouped;
use crate::ui::names::{self, Name};
use crate::ui::theme;
use crate::weights::{JointNumbers, WeightNumbers};

/// Order of the rows, and widths of the columns.
pub(super) struct JointTable {
    by: Column,
    is_reversed: bool,
    columns: Columns<4>,
}

impl Default for JointTable {
    fn default() -> Self {
        Self { by: Column::default(), is_reversed: false, columns: Columns::new([50.0, 36.0, 46.0, 46.0]) }
    }
}

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

    /// Order of rows: the largest number first, names from the first letter on.
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

/// Height of the rows in sight, points.
const HEIGHT: f32 = 320.0;

impl JointTable {
    pub(super) fn ui(&mut self, ui: &mut Ui, numbers: &WeightNumbers, state: &AppState, commands: &mut Vec<Command>) {
        self.headers(ui);
        let hierarchy = &state.open.stage.rig().hierarchy;
        let mut rows: Vec<&JointNumbers> = numbers.joints.iter().collect();
        rows.sort_by(|a, b| self.by.compare(a, b, hierarchy));
        if self.is_reversed {
            rows.reverse();
        }
        let area = ScrollArea::vertical().id_salt("weights of joints").max_height(HEIGHT).auto_shrink([false, true]);
        area.show_rows(ui, theme::ROW_HEIGHT - 2.0, rows.len(), |ui, visible| {
            for row in &rows[visible] {
                self.row(ui, row, state, commands);
            }
        });
    }

    fn headers(&mut self, ui: &mut Ui) {
        let names =
            [Column::Name].into_iter().chain(Column::NUMBERS).map(|column| format!("Sort by {}", column.title()));
        let names: Vec<String> = names.collect();
        let heading = |at: usize, column: Column| Heading {
            title: column.title(),
            sorted: (self.by == column).then_some(self.is_reversed),
            name: &names[at],
            hint: format!("{}. Click to sort by it", column.hint()),
        };
        let numbers = std::array::from_fn(|at| heading(at + 1, Column::NUMBERS[at]));
        let width = ui.available_width() - ui.spacing().scroll.allocated_width();
        if let Some(clicked) = self.columns.headings(ui, width, &heading(0, Column::Name), &numbers) {
            let column = clicked.checked_sub(1).map_or(Column::Name, |at| Column::NUMBERS[at]);
            self.is_reversed = self.by == column && !self.is_reversed;
            self.by = column;
        }
    }

    fn row(&self, ui: &mut Ui, row: &JointNumbers, state: &AppState, commands: &mut Vec<Command>) {
        let name = state.open.stage.rig().hierarchy.name(row.joint);
        let is_selected = state.open.stage.view.active_joint() == Some(row.joint);
        let size = [ui.available_width(), theme::ROW_HEIGHT - 2.0];
        let response = ui.add_sized(size, Button::selectable(is_selected, ""));
        let (rect, y) = (response.rect.shrink2(egui::vec2(4.0, 0.0)), response.rect.center().y);
        let color = ui.visuals().text_color();
        let places = self.columns.places(rect.x_range());
        for (place, column) in places.into_iter().zip(Column::NUMBERS) {
            number(ui, place, y, &column.text(row), color);
        }
        let shown = Name::of(row.joint, state.open.stage.rig());
        let shown = shown.galley(ui, places[0].min - rect.left(), &names::body(ui, color));
        ui.painter().galley(egui::pos2(rect.left(), y - shown.size().y * 0.5), shown, color);
        let label = format!("{name}, moves {} vertices", grouped(row.vertices));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
        let numbers = Column::NUMBERS.map(|column| format!("{} {}", column.title(), column.text(row))).join(" · ");
        if response.on_hover_text(format!("{name}\n{numbers}\nClick to select it")).clicked() {
            commands.push(Command::Select(Some(row.joint)));
        }
    }
}
