//! Clip track with the playback range and its draggable ends, keys, frame numbers, and current time.

use egui::{
    Align2, CursorIcon, FontId, Painter, PointerButton, Pos2, Rangef, Rect, Response, Sense, Shape, Stroke, Ui,
    Visuals, pos2, vec2,
};

use crate::rig::{ClipKey, FrameRate, Interpolation};
use crate::state::{Action, AppState, Command, Commands};
use crate::ui::actions::menu_items;
use crate::ui::theme;

/// Height of the playback range, points, without the keys and frame numbers below it.
const PART: f32 = 9.0;
const KEYS: f32 = 15.0;
const FRAMES: f32 = 12.0;
pub(super) const HEIGHT: f32 = PART + KEYS + FRAMES;
const GRIP: f32 = 5.0;
const NUMBER_GAP: f32 = 44.0;

#[derive(Clone, Copy)]
struct TrackScale {
    rect: Rect,
    duration_secs: f32,
}

impl TrackScale {
    fn x(&self, time_secs: f32) -> f32 {
        egui::lerp(self.rect.x_range(), time_secs / self.duration_secs)
    }

    fn time(&self, x: f32) -> f32 {
        egui::remap_clamp(x, self.rect.x_range(), 0.0..=self.duration_secs)
    }
}

/// Draws the clip track. Returns the horizontal extent of the time axis.
pub(super) fn ui(ui: &mut Ui, width: f32, state: &AppState, keys: &[ClipKey], commands: &mut Commands) -> Rangef {
    let playback = &state.open.stage.playback;
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::click_and_drag());
    let duration_secs = playback.duration_secs(state.open.stage.rig()).max(1e-3);
    let scale = TrackScale { rect: rect.shrink2(vec2(GRIP, 0.0)), duration_secs };
    let rate = playback.frame_rate(state.open.stage.rig());
    let time = f64::from(playback.time_secs);
    response.widget_info(|| egui::WidgetInfo::slider(ui.is_enabled(), time, "Time"));
    if playback.clip.is_none() {
        paint_empty(ui, rect, !state.open.stage.rig().clips.is_empty());
        return scale.rect.x_range();
    }
    paint(ui, &response, scale, state, keys, rate);
    let is_at_part = response.hover_pos().is_some_and(|p| p.y < rect.top() + PART);
    let played = playback.played_secs(state.open.stage.rig());
    if let Some(ends) = ends(ui, &response, scale, played, rate).filter(|ends| *ends != played) {
        commands.push(Command::SetPlayedPart(Some(ends)));
    }
    if let Some(at) = sought(ui, &response, scale, rate).filter(|at| *at != playback.time_secs) {
        commands.push(Command::Seek(at));
    }
    commands.push_if(is_at_part && response.double_clicked(), Command::SetPlayedPart(None));
    let actions = [Action::PlayFromHere, Action::PlayToHere, Action::PlayAll];
    response.context_menu(|ui| menu_items(ui, &actions, state, commands));
    if let Some(at) = response.hover_pos() {
        let at = scale.time(at.x);
        let frame = rate.frame(at);
        let hint = "Drag, Ctrl snaps to frames; the brackets above set the range";
        response.on_hover_text_at_pointer(format!("Frame {frame} · {at:.2} s\n{hint}"));
    }
    scale.rect.x_range()
}

/// Returns the time to seek to, in seconds; `None` if the pointer does not seek.
fn sought(ui: &Ui, response: &Response, scale: TrackScale, rate: FrameRate) -> Option<f32> {
    let (is_down, origin) = ui.input(|i| (i.pointer.button_down(PointerButton::Primary), i.pointer.press_origin()));
    let is_below = origin.is_some_and(|p| p.y >= response.rect.top() + PART);
    let at = response.interact_pointer_pos().filter(|_| is_down && is_below && response.is_pointer_button_down_on())?;
    Some(on_frame(ui, scale.time(at.x), rate))
}

/// Returns a time in seconds, snapped to the nearest frame while Ctrl is held.
pub(in crate::ui) fn on_frame(ui: &Ui, time_secs: f32, rate: FrameRate) -> f32 {
    let is_held = ui.input(|i| i.modifiers.command);
    if is_held { rate.time_secs((time_secs * rate.per_sec).round() as u32) } else { time_secs }
}

/// Handles dragging the ends of the playback range. Returns the new range in seconds.
fn ends(ui: &Ui, response: &Response, scale: TrackScale, played: [f32; 2], rate: FrameRate) -> Option<[f32; 2]> {
    let mut moved = None;
    for (end, name) in ["Start of played range", "End of played range"].into_iter().enumerate() {
        let grip = grip(scale, played[end]);
        let handle = ui.interact(grip.expand2(vec2(2.0, 1.0)), response.id.with(name), Sense::drag());
        let value = f64::from(played[end]);
        handle.widget_info(|| egui::WidgetInfo::slider(ui.is_enabled(), value, name));
        let handle = handle.on_hover_cursor(CursorIcon::ResizeHorizontal);
        let is_hot = handle.hovered() || handle.dragged() || handle.has_focus();
        paint_grip(ui.painter(), grip, end, is_hot, ui.visuals());
        if let Some(at) = handle.interact_pointer_pos().filter(|_| handle.dragged_by(PointerButton::Primary)) {
            // The ends stay at least a frame apart.
            let at = on_frame(ui, scale.time(at.x), rate);
            let shortest = (1.0 / rate.per_sec).min(scale.duration_secs);
            moved = Some(match end {
                0 => [at.min(played[1] - shortest), played[1]],
                _ => [played[0], at.max(played[0] + shortest)],
            });
        }
    }
    moved
}

fn grip(scale: TrackScale, time_secs: f32) -> Rect {
    Rect::from_center_size(pos2(scale.x(time_secs), scale.rect.top() + 0.5 * PART), vec2(2.0 * GRIP - 2.0, PART))
}

fn paint_grip(painter: &Painter, grip: Rect, end: usize, is_hot: bool, visuals: &Visuals) {
    let color = if is_hot { visuals.strong_text_color() } else { visuals.weak_text_color() };
    let (back, front) = if end == 0 { (grip.left(), grip.right()) } else { (grip.right(), grip.left()) };
    let points = vec![
        pos2(front, grip.top() + 1.0),
        pos2(back, grip.top() + 1.0),
        pos2(back, grip.bottom() - 1.0),
        pos2(front, grip.bottom() - 1.0),
    ];
    painter.add(Shape::line(points, Stroke::new(2.0, color)));
}

fn paint_empty(ui: &Ui, rect: Rect, has_clips: bool) {
    let (painter, visuals) = (ui.painter_at(rect), ui.visuals());
    let text = if has_clips { "Choose a clip on the left, or play the first one" } else { "This file has no clips" };
    painter.rect_filled(rect.shrink2(vec2(GRIP, 2.0)), 2.0, visuals.extreme_bg_color);
    let text = painter.layout_no_wrap(text.to_owned(), FontId::proportional(12.0), visuals.weak_text_color());
    // A short track has no room for the hint.
    if text.size().x <= rect.width() - 2.0 * GRIP {
        painter.galley(
            Align2::CENTER_CENTER.anchor_size(rect.center(), text.size()).min,
            text,
            visuals.weak_text_color(),
        );
    }
}

fn paint(ui: &Ui, response: &Response, scale: TrackScale, state: &AppState, keys: &[ClipKey], rate: FrameRate) {
    let (painter, visuals) = (ui.painter_at(response.rect), ui.visuals());
    let [from, to] = state.open.stage.playback.played_secs(state.open.stage.rig()).map(|t| scale.x(t));
    let rows = scale.rect;
    let whole = Rect::from_x_y_ranges(rows.x_range(), rows.top() + 2.0..=rows.top() + PART - 2.0);
    painter.rect_filled(whole, 2.0, visuals.extreme_bg_color);
    painter.rect_filled(whole.with_min_x(from).with_max_x(to), 2.0, visuals.selection.bg_fill);
    let rail = Rect::from_x_y_ranges(rows.x_range(), rows.top() + PART..=rows.top() + PART + KEYS);
    painter.rect_filled(rail, 2.0, visuals.extreme_bg_color);
    painter.rect_filled(rail.with_min_x(from).with_max_x(to), 2.0, visuals.faint_bg_color);
    paint_frames(&painter, scale, rail, rate, visuals);
    paint_keys(&painter, scale, rail.center().y, keys, visuals);
    let now = scale.x(state.open.stage.playback.time_secs);
    let color = theme::selection_text(visuals);
    painter.vline(now, rail.y_range(), Stroke::new(2.0, color));
    painter.circle_filled(pos2(now, rail.top()), 3.5, color);
    if response.has_focus() {
        painter.rect_stroke(rail, 2.0, Stroke::new(1.0, color), egui::StrokeKind::Inside);
    }
}

fn paint_frames(painter: &Painter, scale: TrackScale, rail: Rect, rate: FrameRate, visuals: &Visuals) {
    let last = rate.frame(scale.duration_secs);
    let of_frame = scale.rect.width() / (scale.duration_secs * rate.per_sec);
    let steps = (0..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u32.pow(power)));
    let step = steps.into_iter().find(|step| *step as f32 * of_frame >= NUMBER_GAP).unwrap_or(u32::MAX);
    let line = Stroke::new(1.0, visuals.widgets.noninteractive.bg_stroke.color);
    for frame in (0..=last).step_by(step as usize) {
        let x = scale.x(rate.time_secs(frame));
        painter.vline(x, rail.y_range(), line);
        let align = if x > scale.rect.right() - 12.0 { Align2::RIGHT_TOP } else { Align2::CENTER_TOP };
        let at = pos2(x.max(scale.rect.left() + 3.0), rail.bottom());
        painter.text(at, align, frame.to_string(), FontId::proportional(10.0), visuals.weak_text_color());
    }
}

/// Draws keys with a mark for their interpolation: a square for step, a diamond for linear, a disc for cubic.
fn paint_keys(painter: &Painter, scale: TrackScale, y: f32, keys: &[ClipKey], visuals: &Visuals) {
    let color = visuals.text_color();
    let mut drawn: Option<(f32, Interpolation)> = None;
    for (number, key) in keys.iter().enumerate() {
        let at = pos2(scale.x(key.time_secs), y);
        if key.interpolation == Interpolation::Step
            && let Some(next) = keys.get(number + 1)
        {
            painter.hline(at.x..=scale.x(next.time_secs), y, Stroke::new(2.0, color.gamma_multiply(0.5)));
        }
        // Draws keys of the same kind that are less than a point apart as one mark.
        if drawn.is_some_and(|(x, kind)| at.x - x < 1.0 && kind == key.interpolation) {
            continue;
        }
        drawn = Some((at.x, key.interpolation));
        painter.add(match key.interpolation {
            Interpolation::Step => Shape::rect_filled(Rect::from_center_size(at, vec2(6.0, 6.0)), 0.0, color),
            Interpolation::Linear => Shape::convex_polygon(diamond(at), color, Stroke::NONE),
            Interpolation::CubicSpline => Shape::circle_filled(at, 3.5, color),
        });
    }
}

fn diamond(at: Pos2) -> Vec<Pos2> {
    [vec2(0.0, -4.5), vec2(4.5, 0.0), vec2(0.0, 4.5), vec2(-4.5, 0.0)].map(|by| at + by).to_vec()
}
