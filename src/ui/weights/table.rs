use egui::{ScrollArea, Ui};

use crate::state::{AppState, Command, Commands};
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

/// Title and description of a column, the function that returns its number, and the number of decimals.
type NumberColumn = (&'static str, &'static str, fn(&JointWeightStatistics) -> f64, usize);

const NUMBERS: [NumberColumn; 4] = [
    ("Vertices", "Vertices with a weight above 0", |row| row.vertices as f64, 0),
    ("Max", "Its largest weight", |row| row.largest, 2),
    ("Energy", "Dirichlet energy: lower is smoother", |row| row.energy, 2),
    ("Areas", "Connected components with a weight of at least 0.01", |row| row.components as f64, 0),
];

fn text(number: f64, decimals: usize) -> String {
    if decimals == 0 { grouped(number as usize) } else { format!("{number:.decimals$}") }
}

const HEIGHT: f32 = 320.0;

impl JointTable {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        joints: &[JointWeightStatistics],
        state: &AppState,
        commands: &mut Commands,
    ) {
        let heading = |title, hint| ColumnHeading {
            title,
            name: format!("Sort by {title}"),
            hint: format!("{hint}. Click to sort by it"),
        };
        let numbers = NUMBERS.map(|(title, hint, ..)| heading(title, hint));
        self.columns.headings(ui, &heading("Joint", "The joint"), &numbers);
        let hierarchy = &state.open.stage.rig().hierarchy;
        let mut rows: Vec<&JointWeightStatistics> = joints.iter().collect();
        // Sorts numbers in descending order and names alphabetically.
        match self.columns.sorted_by.checked_sub(1).map(|at| NUMBERS[at].2) {
            None => rows.sort_by_key(|row| hierarchy.name(row.joint)),
            Some(number) => rows.sort_by(|a, b| number(b).total_cmp(&number(a))),
        }
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

    fn row(&self, ui: &mut Ui, row: &JointWeightStatistics, state: &AppState, commands: &mut Commands) {
        let (rig, color) = (state.open.stage.rig(), ui.visuals().text_color());
        let name = rig.hierarchy.name(row.joint);
        let is_selected = state.open.stage.view.active_joint() == Some(row.joint);
        let texts = NUMBERS.map(|(_, _, number, decimals)| text(number(row), decimals));
        let numbers = texts.each_ref().map(|text| (text.as_str(), color));
        let label = format!("{name}, moves {} vertices", grouped(row.vertices));
        let response = self.columns.row(ui, (row.joint, rig), is_selected, numbers, &label);
        let numbers = NUMBERS
            .iter()
            .zip(&texts)
            .map(|((title, ..), text)| format!("{title} {text}"))
            .collect::<Vec<_>>()
            .join(" · ");
        if response.on_hover_text(format!("{name}\n{numbers}\nClick to select it")).clicked() {
            commands.push(Command::Select(Some(row.joint)));
        }
    }
}
