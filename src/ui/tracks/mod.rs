//! The track drawer above the timeline. Each track plots a measure over the clip's time axis, with its name and values
//! on the left and its worst frames on the right.

mod content;
mod header;
mod paint;
mod pointer;
mod row;
mod text;
mod window;

use egui::{
    Align, Context, Frame, Key, Layout, Margin, Modifiers, Panel, Rangef, Rect, ScrollArea, Ui, UiBuilder, vec2,
};

use super::panel_grip::{GripEdge, PanelGrip};
use crate::stage::{TrackPlan, TrackState};
use crate::state::{AppState, Commands};
use paint::{GAP, HEADER, TrackColumns};
use pointer::Plots;
use window::TimeWindow;

/// Minimum height of the drawer, points. The minimum height of a track is [`MIN_ROW`].
const MIN_HEIGHT: f32 = 96.0;
const MIN_ROW: f32 = 40.0;

#[derive(Default)]
pub(super) struct Tracks {
    window: TimeWindow,
    is_hovered: bool,
}

impl Tracks {
    /// Returns whether Esc was pressed to stop measuring. Esc stops it if the pointer is over the drawer, or if no
    /// joint is selected.
    pub(super) fn consumes_escape(&self, ctx: &Context, state: &AppState) -> bool {
        let is_meant = self.is_hovered || state.open.stage.view.active_joint().is_none();
        state.is_track_drawer_open()
            && state.open.stage.progress.get::<TrackPlan>().is_some()
            && is_meant
            && !ctx.text_edit_focused()
            && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
    }

    /// Draws the drawer and returns its grip. `across` is the horizontal extent of the timeline's time axis.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        across: Rangef,
        state: &AppState,
        commands: &mut Commands,
    ) -> Option<PanelGrip> {
        if !state.is_track_drawer_open() {
            self.is_hovered = false;
            return None;
        }
        let range = Rangef::new(MIN_HEIGHT, (ui.available_height() * 0.5).max(MIN_HEIGHT));
        let height = range.clamp(state.settings.tracks.height);
        let frame = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(8, 4));
        let shown = Panel::bottom("tracks").frame(frame).resizable(false).exact_size(height).show(ui, |ui| {
            let room = ui.available_rect_before_wrap();
            self.contents(&mut ui.new_child(UiBuilder::new().max_rect(room)), across, state, commands);
            ui.advance_cursor_after_rect(room);
        });
        self.is_hovered = shown.response.contains_pointer();
        Some(PanelGrip { name: "tracks", panel: shown.response.rect, edge: GripEdge::Top, range })
    }

    fn contents(&mut self, ui: &mut Ui, across: Rangef, state: &AppState, commands: &mut Commands) {
        let room = ui.max_rect();
        let columns = TrackColumns {
            names: Rangef::new(room.left(), across.min - GAP),
            plots: across,
            worst: Rangef::new(across.max + GAP, room.right()),
        };
        self.window.follow(state);
        let (head, body) = room.split_top_bottom_at_y(room.top() + HEADER);
        let over = Rect::from_x_y_ranges(columns.plots, room.y_range());
        header::ui(ui, head, columns, state, commands);
        let why_empty = match TrackState::new(&state.open.stage) {
            TrackState::NoClip => Some("Choose a clip below to see its measures over time."),
            TrackState::OnePose => Some("This clip is a single pose: nothing changes over time."),
            _ if state.settings.tracks.shown.is_empty() => Some("Choose what to show in the menu Tracks."),
            _ => None,
        };
        if let Some(why) = why_empty {
            let at = body.with_min_x(columns.plots.min);
            ui.put(at, |ui: &mut Ui| ui.centered_and_justified(|ui| ui.weak(why)).response);
            return;
        }
        self.window.zoom(ui, over);
        let rows = content::rows(state);
        let ticks = self.window.ticks(columns.plots.span());
        paint::ruler(ui, head, columns.plots, &self.window, &ticks);
        let places = body_ui(ui, body, rows.len(), |ui, rect, number| {
            rows[number].ui(ui, rect, columns, (&self.window, &ticks), state, commands);
        });
        let plots = Plots { over, rows: &rows, places: &places };
        let pointed = plots.operate(ui, &mut self.window, state, commands);
        let clip = over.intersect(ui.clip_rect());
        paint::playhead(ui, clip, &self.window, columns.plots, state.open.stage.playback.time_secs, pointed);
    }
}

/// Lays out the rows in a scroll area. Returns their rectangles.
fn body_ui(ui: &mut Ui, body: Rect, count: usize, mut row: impl FnMut(&mut Ui, Rect, usize)) -> Vec<Rect> {
    let height = (body.height() / count.max(1) as f32).max(MIN_ROW);
    let child = UiBuilder::new().max_rect(body).layout(Layout::top_down(Align::Min)).id_salt("rows");
    let mut child = ui.new_child(child);
    child.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().id_salt("track rows").auto_shrink(false);
    let places = area.show(&mut child, |ui| {
        let place = |number: usize| {
            let (_, rect) = ui.allocate_space(vec2(body.width(), height));
            row(ui, rect, number);
            rect
        };
        (0..count).map(place).collect()
    });
    places.inner
}
