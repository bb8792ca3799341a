//! List of skins below the tree, with joint counts. Clicking a skin selects its joints.

use egui::text::TextFormat;
use egui::{Align2, Color32, FontId, Panel, Rect, Response, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo};

use super::super::counts::{counted, grouped};
use super::super::names::Name;
use crate::rig::Rig;
use crate::state::{AppState, Command, Commands};

const ROW_HEIGHT: f32 = 38.0;
const MAX_ROWS: usize = 4;

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let skins = &state.open.stage.rig().skins;
    if skins.is_empty() {
        return;
    }
    let height = ROW_HEIGHT * skins.len().min(MAX_ROWS) as f32;
    let frame = egui::Frame::new().inner_margin(egui::Margin { top: 6, ..egui::Margin::ZERO });
    Panel::bottom("skins").frame(frame).resizable(false).show(ui, |ui| {
        ui.weak(counted(skins.len(), "skin"));
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().max_height(height).show_rows(ui, ROW_HEIGHT, skins.len(), |ui, shown| {
            for skin in shown {
                if row(ui, state.open.stage.rig(), skin).clicked() {
                    commands.push(Command::SelectAll(skins[skin].joints.clone()));
                }
            }
        });
    });
}

fn row(ui: &mut Ui, rig: &Rig, index: usize) -> Response {
    let (skin, reach) = (&rig.skins[index], rig.skin_reach(index));
    let name = if skin.name.is_empty() { format!("Skin {}", skin.source) } else { skin.name.clone() };
    let joints = counted(skin.joints.len(), "joint");
    let (rect, response) = ui.allocate_exact_size(Vec2::new(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, format!("{name}, {joints}")));
    let amounts = amounts(reach.vertices, reach.influences);
    paint(ui, rect, &response, [&name, &joints, &amounts]);
    let each = reach.influences as f64 / reach.vertices.max(1) as f64;
    response.on_hover_text(format!(
        "{name}\n{amounts}: {each:.1} influences a vertex, on average. Click to select the joints"
    ))
}

fn amounts(vertices: usize, influences: usize) -> String {
    let vertices = if vertices == 1 { "1 vertex".to_owned() } else { format!("{} vertices", grouped(vertices)) };
    format!("{vertices} · {}", counted(influences, "influence"))
}

fn paint(ui: &Ui, rect: Rect, response: &Response, [name, joints, amounts]: [&str; 3]) {
    let visuals = ui.visuals();
    let fill =
        if response.hovered() || response.has_focus() { visuals.widgets.hovered.bg_fill } else { Color32::TRANSPARENT };
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, 4.0, fill);
    let (inner, weak) = (rect.shrink2(Vec2::new(4.0, 3.0)), visuals.weak_text_color());
    let small = || FontId::proportional(11.0);
    let joints = painter.text(inner.right_top(), Align2::RIGHT_TOP, joints, small(), weak);
    let elided = |text, font, color, room: f32| Name::new(text).galley(ui, room, &TextFormat::simple(font, color));
    let room = joints.left() - inner.left() - 8.0;
    let name = elided(name, FontId::proportional(13.0), visuals.text_color(), room);
    painter.galley(inner.left_top(), name, visuals.text_color());
    let amounts = elided(amounts, small(), weak, inner.width());
    painter.galley(inner.left_bottom() - Vec2::new(0.0, amounts.size().y), amounts, weak);
}
