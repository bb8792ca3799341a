//! Joints that move a vertex, with their weights and terms, for the probe and for points of another program.

use egui::{Color32, RichText, Ui};

use super::names::Name;
use crate::analysis::measure::VertexLocation;
use crate::analysis::probe::Probe;
use crate::state::{AppState, Command, Commands};

/// The table and the viewport use the same colours.
pub(super) fn row_color(row: usize) -> Color32 {
    const COLORS: [Color32; 6] = [
        Color32::from_rgb(0xFF, 0xD1, 0x66),
        Color32::from_rgb(0xC0, 0x8C, 0xFF),
        Color32::from_rgb(0x6F, 0xC3, 0xFF),
        Color32::from_rgb(0xFF, 0x8F, 0xB1),
        Color32::from_rgb(0x9B, 0xE1, 0x7B),
        Color32::from_rgb(0xD8, 0xC3, 0xA5),
    ];
    COLORS[row % COLORS.len()]
}

/// Draws the weight of each joint that moves the vertex, with its term.
pub(super) fn joint_rows(ui: &mut Ui, state: &AppState, probe: &Probe, commands: &mut Commands) {
    for (number, row) in probe.rows.iter().enumerate() {
        let name = state.open.stage.rig().hierarchy.name(row.joint);
        let color = row_color(number);
        let response = ui
            .horizontal(|ui| {
                let (bar, _) = ui.allocate_exact_size(egui::vec2(64.0, 12.0), egui::Sense::hover());
                ui.painter().rect_filled(bar, 2.0, ui.visuals().extreme_bg_color);
                let filled = bar.with_max_x(bar.left() + bar.width() * row.weight.clamp(0.0, 1.0));
                ui.painter().rect_filled(filled, 2.0, color);
                ui.label(RichText::new(format!("{:.3}", row.weight)).monospace());
                Name::for_node(row.joint, state.open.stage.rig())
                    .button(ui, state.open.stage.view.active_joint() == Some(row.joint))
            })
            .inner;
        let moved = state.open.stage.rig().hierarchy.in_file(row.point);
        let [[x, y, z], [tx, ty, tz]] = [moved, moved * f64::from(row.weight)].map(|point| point.to_array());
        let hint = format!(
            "{name}\nT_j v = ({x:.4}, {y:.4}, {z:.4}) m: vertex moved by this joint alone. Click to select it\n\
             w_j T_j v = ({tx:.4}, {ty:.4}, {tz:.4}) m"
        );
        commands.push_if(response.on_hover_text(hint).clicked(), Command::Select(Some(row.joint)));
    }
}

/// Returns the number of a vertex, with its mesh and primitive.
pub(super) fn vertex_title(state: &AppState, place: VertexLocation) -> String {
    let rig = state.open.stage.rig();
    let mesh = rig.instances.get(place.instance).map_or("", |instance| rig.meshes[instance.mesh].name.as_str());
    format!("Vertex {} of {mesh}, primitive {}", place.vertex, place.primitive)
}
