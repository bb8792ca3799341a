//! VRM metadata, shown if no joint is selected: title, authors and terms of use.

use egui::{Grid, Label, RichText, Ui};

use crate::fonts::drawn;
use crate::rig::Rig;
use crate::text::counted;

pub(super) fn ui(ui: &mut Ui, rig: &Rig) {
    let Some(version) = rig.vrm_version else { return };
    let meta = rig.vrm_meta.clone().unwrap_or_default();
    ui.add_space(16.0);
    ui.strong(format!("VRM {version}"));
    let facts = [
        ("Title", meta.title),
        ("Version", meta.version),
        ("Authors", meta.authors.join(", ")),
        ("Contact", meta.contact),
    ];
    rows(ui, "VRM facts", &facts);
    let shaded = rig.vrm_blocks.as_ref().map_or(0, |blocks| blocks.shaded);
    if shaded > 0 {
        let materials = counted(shaded, "material", "materials");
        let hint = "File > Export rig keeps MToon";
        let told = format!("MToon shading of {materials} is not drawn.");
        ui.add(Label::new(RichText::new(told).weak()).wrap()).on_hover_text(hint);
    }
    if meta.terms.is_empty() {
        return;
    }
    ui.add_space(16.0);
    ui.strong("Terms of use");
    let terms: Vec<(&str, String)> = meta.terms;
    rows(ui, "VRM terms", &terms);
}

const NAMES: f32 = 118.0;

fn rows(ui: &mut Ui, id: &str, rows: &[(&str, String)]) {
    let room = (ui.available_width() - NAMES - 16.0).max(80.0);
    Grid::new(id).num_columns(2).spacing([16.0, 4.0]).min_col_width(NAMES).max_col_width(room.max(NAMES)).show(
        ui,
        |ui| {
            for (name, text) in rows.iter().filter(|(_, text)| !text.is_empty()) {
                let mut name = (*name).to_owned();
                if let Some(first) = name.get_mut(..1) {
                    first.make_ascii_uppercase();
                }
                ui.weak(name);
                ui.add(Label::new(drawn(text).into_owned()).wrap());
                ui.end_row();
            }
        },
    );
}
