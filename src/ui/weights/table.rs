use std::cmp::Ordering;

use egui::{ScrollArea, Ui};

use crate::rig::Hierarchy;
use crate::state::{AppState, Command};
use crate::ui::columns::{ColumnHeading, Columns};
use crate::ui::counts::grouped;
use crate::ui::theme;
use crate::weights::JointWeightStatistics;

pub(super) struct JointTable {
    columns: Columns<4>,
}

impl Default for JointTable {
    fn default() -> Self {
        Self { columns: Columns::new([50.0, 36.0, 46.0, 46.0], 0) }
    }
}

#[derive(Clone, Copy)]
enum JointColumn {
    Name,
    Vertices,
    Largest,
    Energy,
    Pieces,
}

impl JointColumn {
    const ALL: [Self; 5] = [Self::Name, Self::Vertices, Self::Largest, Self::Energy, Self::Pieces];

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
            Self::Vertices => "Vertices with a weight above 0",
            Self::Largest => "Its largest weight",
            Self::Energy => "Dirichlet energy: lower is smoother",
            Self::Pieces => "Connected regions with a weight of at least 0.01",
        }
    }

    fn text(self, row: &JointWeightStatistics) -> String {
        match self {
            Self::Name => String::new(),
            Self::Vertices => grouped(row.vertices),
            Self::Largest => format!("{:.2}", row.largest),
            Self::Energy => format!("{:.2}", row.energy),
            Self::Pieces => grouped(row.pieces),
        }
    }

    /// Compares two rows. Numbers are sorted in descending order, names alphabetically.
    fn compare(self, a: &JointWeightStatistics, b: &JointWeightStatistics, hierarchy: &Hierarchy) -> Ordering {
        match self {
            Self::Name => hierarchy.name(a.joint).cmp(hierarchy.name(b.joint)),
            Self::Vertices => b.vertices.cmp(&a.vertices),
            Self::Largest => b.largest.total_cmp(&a.largest),
            Self::Energy => b.energy.total_cmp(&a.energy),
            Self::Pieces => b.pieces.cmp(&a.pieces),
        }
    }
}

const HEIGHT: f32 = 320.0;

impl JointTable {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        joints: &[JointWeightStatistics],
        state: &AppState,
        commands: &mut Vec<Command>,
    ) {
        let heading = |column: JointColumn| ColumnHeading {
            title: column.title(),
            name: format!("Sort by {}", column.title()),
            hint: format!("{}. Click to sort by it", column.hint()),
        };
        let [name, numbers @ ..] = JointColumn::ALL.map(heading);
        self.columns.headings(ui, &name, &numbers);
        let hierarchy = &state.open.stage.rig().hierarchy;
        let sorted_by = JointColumn::ALL[self.columns.sorted_by];
        let mut rows: Vec<&JointWeightStatistics> = joints.iter().collect();
        rows.sort_by(|a, b| sorted_by.compare(a, b, hierarchy));
        if self.columns.is_reversed {
            rows.reverse();
        }
        let area = ScrollArea::vertical().id_salt("weights of joints").max_height(HEIGHT).auto_shrink([false, true]);
        area.show_rows(ui, theme::ROW_HEIGHT - 2.0, rows.len(), |ui, visible| {
            for row in &rows[visible] {
                self.row(ui, row, state, commands);
            }
        });
    }

    fn row(&self, ui: &mut Ui, row: &JointWeightStatistics, state: &AppState, commands: &mut Vec<Command>) {
        let (rig, color) = (state.open.stage.rig(), ui.visuals().text_color());
        let name = rig.hierarchy.name(row.joint);
        let is_selected = state.open.stage.view.active_joint() == Some(row.joint);
        let [_, columns @ ..] = JointColumn::ALL;
        let texts = columns.map(|column| column.text(row));
        let numbers = texts.each_ref().map(|text| (text.as_str(), color));
        let label = format!("{name}, moves {} vertices", grouped(row.vertices));
        let response = self.columns.row(ui, (row.joint, rig), is_selected, numbers, &label);
        let numbers = columns.map(|column| format!("{} {}", column.title(), column.text(row))).join(" · ");
        if response.on_hover_text(format!("{name}\n{numbers}\nClick to select it")).clicked() {
            commands.push(Command::Select(Some(row.joint)));
        }
    }
}
