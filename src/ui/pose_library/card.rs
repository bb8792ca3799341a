use egui::text::TextFormat;
use egui::{
    Align2, Color32, CornerRadius, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, TextureHandle, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

use crate::state::PoseCard;
use crate::ui::names::Name;
use crate::ui::theme;

const NAME_HEIGHT: f32 = 22.0;

/// Returns the height of a card with a square thumbnail, in points.
pub(super) fn height(width: f32) -> f32 {
    width + NAME_HEIGHT
}

pub(super) fn ui(
    ui: &mut Ui,
    size: Vec2,
    card: &PoseCard,
    texture: Option<&TextureHandle>,
    is_selected: bool,
) -> Response {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_selected, &card.name));
    if ui.is_rect_visible(rect) {
        paint(ui, rect, card, texture, &response, is_selected);
    }
    response
}

fn paint(
    ui: &Ui,
    rect: Rect,
    card: &PoseCard,
    texture: Option<&TextureHandle>,
    response: &Response,
    is_selected: bool,
) {
    let visuals = ui.visuals();
    let painter = ui.painter();
    let fill = if is_selected {
        visuals.selection.bg_fill
    } else if response.hovered() {
        visuals.widgets.hovered.bg_fill
    } else {
        visuals.widgets.inactive.bg_fill
    };
    painter.rect_filled(rect, 6.0, fill);
    let picture = Rect::from_min_size(rect.min, Vec2::splat(rect.width())).shrink(2.0);
    match (texture, &card.content) {
        (Some(texture), Ok(_)) => {
            egui::Image::new(texture).corner_radius(CornerRadius::same(5)).paint_at(ui, picture);
        }
        (_, Err(problem)) => broken(ui, picture, problem),
        (None, Ok(_)) => blank(ui, picture),
    }
    let edge = if is_selected || response.has_focus() { theme::selection_text(visuals) } else { Color32::TRANSPARENT };
    painter.rect_stroke(rect, 6.0, Stroke::new(1.5, edge), StrokeKind::Inside);
    let format = TextFormat::simple(FontId::proportional(13.0), visuals.text_color());
    let galley = Name::new(&card.name).galley(ui, rect.width() - 12.0, &format);
    let at = pos2(rect.left() + 6.0, rect.bottom() - (NAME_HEIGHT + galley.size().y) * 0.5);
    painter.galley(at, galley, visuals.text_color());
}

fn blank(ui: &Ui, picture: Rect) {
    ui.painter().rect_filled(picture, 5.0, ui.visuals().extreme_bg_color);
}

fn broken(ui: &Ui, picture: Rect, problem: &str) {
    blank(ui, picture);
    let color = ui.visuals().error_fg_color;
    let icon = FontId::proportional(20.0);
    ui.painter().text(picture.center_top() + vec2(0.0, 12.0), Align2::CENTER_TOP, "⛔", icon, color);
    let text = ui.painter().layout(problem.to_owned(), FontId::proportional(11.0), color, picture.width() - 12.0);
    ui.painter().with_clip_rect(picture).galley(picture.left_top() + vec2(6.0, 40.0), text, color);
}
