use egui::text::LayoutJob;
use egui::{
    Align2, Color32, CornerRadius, FontFamily, FontId, Margin, Rect, Response, Role, Sense, Stroke, StrokeKind, Style,
    TextStyle, Theme, Ui, Vec2, Visuals, WidgetInfo,
};

use crate::analysis::lint::Severity;
use crate::caption::CaptionColors;
use crate::skinning::Method;
use crate::view::Side;

pub(super) const SELECTION: Color32 = Color32::from_rgb(0xFF, 0xD1, 0x66);
pub(super) const PIN: Color32 = Color32::from_rgb(0x9A, 0xA4, 0xFF);
pub(super) const AXIS_X: Color32 = Color32::from_rgb(0xE5, 0x48, 0x4D);
pub(super) const AXIS_Y: Color32 = Color32::from_rgb(0x46, 0xA7, 0x58);
pub(super) const AXIS_Z: Color32 = Color32::from_rgb(0x3E, 0x8E, 0xF7);

/// Colour of text whose background is a side's colour or the selection colour.
pub(super) const INK: Color32 = opaque(CaptionColors::ON_COLOR);

pub(super) const AXES: [Color32; 3] = [AXIS_X, AXIS_Y, AXIS_Z];

/// Returns an axis colour for thin lines in the viewport, adapted to the theme.
pub(super) fn axis_mark(axis: usize, visuals: &Visuals) -> Color32 {
    let ink = if visuals.dark_mode { Color32::WHITE } else { Color32::BLACK };
    AXES[axis].lerp_to_gamma(ink, 0.3)
}

pub(super) const ROW_HEIGHT: f32 = 22.0;

/// Returns a method's own colour, used if neither side shows the method.
pub(super) fn method_color(method: Method) -> Color32 {
    opaque(method.spec().color)
}

pub(super) const fn opaque([red, green, blue]: [u8; 3]) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

pub(super) fn side_color(side: Side) -> Color32 {
    opaque(side.color())
}

/// Returns the side's colour for text, darkened on a light background.
pub(super) fn side_text(side: Side, visuals: &Visuals) -> Color32 {
    as_text(side_color(side), visuals)
}

/// Darkens a side's or method's colour for text on a light background.
pub(super) fn as_text(color: Color32, visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { color } else { color.lerp_to_gamma(Color32::BLACK, 0.5) }
}

/// Darkens a colour slightly for lines and dots on a light background.
pub(super) fn as_mark(color: Color32, visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { color } else { color.lerp_to_gamma(Color32::BLACK, 0.2) }
}

/// Returns the selection colour for text and lines, darker on a light background.
pub(super) fn selection_text(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { SELECTION } else { Color32::from_rgb(0x8A, 0x5A, 0x00) }
}

/// Returns the colour of notes and information.
fn note(visuals: &Visuals) -> Color32 {
    if visuals.dark_mode { Color32::from_rgb(0x7A, 0xB8, 0xF5) } else { Color32::from_rgb(0x1B, 0x5E, 0xA8) }
}

pub(super) fn severity_icon(severity: Severity, visuals: &Visuals) -> (&'static str, Color32) {
    match severity {
        Severity::Note => ("ℹ", note(visuals)),
        Severity::Warning => ("⚠", visuals.warn_fg_color),
        Severity::Error => ("⛔", visuals.error_fg_color),
    }
}

pub fn install(ctx: &egui::Context) {
    ctx.style_mut_of(Theme::Dark, |style| apply_colors(style, &DARK));
    ctx.style_mut_of(Theme::Light, |style| apply_colors(style, &LIGHT));
}

struct ThemeColors {
    visuals: fn() -> Visuals,
    panel: Color32,
    field: Color32,
    raised: Color32,
    hovered: Color32,
    pressed: Color32,
    line: Color32,
    text: Color32,
    weak: Color32,
    strong: Color32,
    selection: Color32,
    warning: Color32,
    error: Color32,
}

const DARK: ThemeColors = ThemeColors {
    visuals: Visuals::dark,
    panel: opaque(CaptionColors::DARK.ground),
    field: Color32::from_rgb(0x17, 0x18, 0x1B),
    raised: Color32::from_rgb(0x2A, 0x2D, 0x33),
    hovered: Color32::from_rgb(0x34, 0x38, 0x3F),
    pressed: Color32::from_rgb(0x40, 0x45, 0x4E),
    line: Color32::from_rgb(0x2E, 0x31, 0x37),
    text: opaque(CaptionColors::DARK.text),
    weak: Color32::from_rgb(0x8D, 0x92, 0x9C),
    strong: opaque(CaptionColors::DARK.strong),
    selection: Color32::from_rgb(0x4A, 0x42, 0x2B),
    warning: Color32::from_rgb(0xE5, 0xC0, 0x7B),
    error: Color32::from_rgb(0xF2, 0x6D, 0x71),
};

const LIGHT: ThemeColors = ThemeColors {
    visuals: Visuals::light,
    panel: opaque(CaptionColors::LIGHT.ground),
    field: Color32::from_rgb(0xFF, 0xFF, 0xFF),
    raised: Color32::from_rgb(0xE6, 0xE8, 0xEC),
    hovered: Color32::from_rgb(0xDA, 0xDD, 0xE3),
    pressed: Color32::from_rgb(0xCB, 0xCF, 0xD7),
    line: Color32::from_rgb(0xD5, 0xD8, 0xDE),
    text: opaque(CaptionColors::LIGHT.text),
    weak: Color32::from_rgb(0x5F, 0x65, 0x70),
    strong: opaque(CaptionColors::LIGHT.strong),
    selection: Color32::from_rgb(0xFF, 0xE3, 0xA3),
    warning: Color32::from_rgb(0x7A, 0x5A, 0x0E),
    error: Color32::from_rgb(0xB4, 0x23, 0x28),
};

fn apply_colors(style: &mut Style, palette: &ThemeColors) {
    style.visuals = (palette.visuals)();
    color(&mut style.visuals, palette);
    let font = |size| FontId::new(size, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Small, font(11.0)),
        (TextStyle::Body, font(13.0)),
        (TextStyle::Button, font(13.0)),
        (TextStyle::Heading, font(15.0)),
        (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::new(8.0, 4.0);
    spacing.button_padding = Vec2::new(8.0, 3.0);
    spacing.interact_size = Vec2::new(32.0, ROW_HEIGHT);
    spacing.menu_margin = Margin::same(6);
    spacing.window_margin = Margin::same(12);
    spacing.indent = 14.0;
    style.animation_time = 0.1;
}

fn color(visuals: &mut Visuals, palette: &ThemeColors) {
    visuals.panel_fill = palette.panel;
    visuals.window_fill = palette.panel;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.extreme_bg_color = palette.field;
    visuals.faint_bg_color = palette.raised;
    visuals.weak_text_color = Some(palette.weak);
    visuals.selection.bg_fill = palette.selection;
    visuals.selection.stroke = Stroke::new(1.0, palette.strong);
    visuals.hyperlink_color = as_text(PIN, visuals);
    visuals.error_fg_color = palette.error;
    visuals.warn_fg_color = palette.warning;
    let corner = CornerRadius::same(4);
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    let widgets = &mut visuals.widgets;
    for (widget, fill, text) in [
        (&mut widgets.noninteractive, palette.panel, palette.text),
        (&mut widgets.inactive, palette.raised, palette.text),
        (&mut widgets.hovered, palette.hovered, palette.strong),
        (&mut widgets.active, palette.pressed, palette.strong),
        (&mut widgets.open, palette.raised, palette.strong),
    ] {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::NONE;
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.corner_radius = corner;
        widget.expansion = 0.0;
    }
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, palette.line);
}

pub(super) fn paint_row(ui: &Ui, rect: Rect, response: &Response, is_selected: bool) {
    let visuals = ui.visuals();
    let fill = if is_selected {
        visuals.selection.bg_fill
    } else if response.hovered() {
        visuals.widgets.hovered.bg_fill
    } else {
        Color32::TRANSPARENT
    };
    ui.painter().rect_filled(rect, 4.0, fill);
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 4.0, Stroke::new(1.0, selection_text(visuals)), StrokeKind::Inside);
    }
}

/// Draws wrapped text as a list row. `name` is the row's accessible name.
pub(super) fn text_row(
    ui: &mut Ui,
    text: LayoutJob,
    icon: Option<(&str, Color32)>,
    sense: Sense,
    name: (&str, bool),
) -> Response {
    let space = if icon.is_some() { Vec2::new(20.0, 0.0) } else { Vec2::ZERO };
    let (response, space) = row_beside(ui, space, text, sense, name);
    if let Some((icon, color)) = icon {
        ui.painter().text(space.min, Align2::LEFT_TOP, icon, FontId::proportional(13.0), color);
    }
    response
}

/// Draws wrapped text as a list row, to the right of an empty space, for which it returns the rectangle. `name` is the
/// row's accessible name.
pub(super) fn row_beside(
    ui: &mut Ui,
    space: Vec2,
    mut text: LayoutJob,
    sense: Sense,
    (name, is_selected): (&str, bool),
) -> (Response, Rect) {
    const PADDING: Vec2 = Vec2::new(6.0, 4.0);
    let width = ui.available_width();
    text.wrap.max_width = width - space.x - 2.0 * PADDING.x;
    let galley = ui.painter().layout_job(text);
    let height = galley.size().y.max(space.y) + 2.0 * PADDING.y;
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, height), sense);
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_selected, name));
    paint_row(ui, rect, &response, is_selected);
    let at = rect.min + PADDING;
    ui.painter().galley(at + Vec2::new(space.x, 0.0), galley, ui.visuals().text_color());
    (response, Rect::from_min_size(at, space))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Side;

    /// Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2).
    fn contrast(a: Color32, b: Color32) -> f32 {
        let luminance = |color: Color32| {
            let [red, green, blue, _] = egui::Rgba::from(color).to_array();
            0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
        };
        let (a, b) = (luminance(a), luminance(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_and_marks_contrast_with_the_background() {
        // Upper and lower colours of the viewport backgrounds, as in `render::background`.
        let dark = [0x24_26_2B, 0x17_18_1B, 0x3B_3F_47, 0x26_29_2F];
        let backdrops = [(DARK, dark.to_vec()), (LIGHT, vec![0xF2_F3_F5, 0xDD_E0_E4])];
        for (theme, backdrop) in backdrops {
            for text in [theme.text, theme.weak, theme.strong, theme.warning, theme.error] {
                assert!(contrast(text, theme.panel) >= 4.5, "{text:?} on {:?}", theme.panel);
            }
            assert!(contrast(note(&(theme.visuals)()), theme.panel) >= 4.5);
            for rgb in backdrop {
                let ground = Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8);
                for axis in 0..3 {
                    let mark = axis_mark(axis, &(theme.visuals)());
                    assert!(contrast(mark, ground) >= 3.0, "axis {axis} on {ground:?}");
                }
            }
        }
        for axis in AXES {
            assert!(contrast(axis, Color32::BLACK) >= 4.5, "a letter on {axis:?}");
        }
    }

    #[test]
    fn lines_of_sides_and_methods_are_seen_on_fields_of_both_themes() {
        for theme in [DARK, LIGHT] {
            let visuals = (theme.visuals)();
            let seen = |color| contrast(as_mark(color, &visuals), theme.field);
            assert!(SIDES.into_iter().all(|side| seen(side) >= 3.0));
            assert!(Method::CHOICES.into_iter().all(|method| seen(method_color(method)) >= 2.5));
            assert!(contrast(selection_text(&visuals), theme.field) >= 3.0);
        }
    }

    const SIDES: [Color32; 2] = [opaque(Side::A.color()), opaque(Side::B.color())];

    #[test]
    fn colours_of_sides_methods_and_selection_are_distinct() {
        let methods = Method::CHOICES.into_iter().map(|method| (method.to_string(), method_color(method)));
        let signs =
            [("A", SIDES[0]), ("B", SIDES[1]), ("selection", SELECTION)].map(|(name, color)| (name.to_owned(), color));
        let all: Vec<(String, Color32)> = methods.chain(signs).collect();
        let channels = |color: Color32| color.to_array().map(i32::from);
        for (i, (a, first)) in all.iter().enumerate() {
            for (b, second) in &all[..i] {
                let apart: i32 = channels(*first).iter().zip(channels(*second)).map(|(a, b)| (a - b).pow(2)).sum();
                assert!(apart > 60 * 60, "{a} and {b}");
            }
        }
        for sign in [DARK.warning, DARK.error, LIGHT.warning, LIGHT.error, PIN] {
            assert!(!SIDES.contains(&sign), "{sign:?}");
        }
    }
}
