//! Wipe line. Dragging the line moves it; dragging its grip rotates it.

use egui::{CursorIcon, Painter, PointerButton, Pos2, Rect, Stroke, Ui};
use glam::Vec2;

use crate::state::{AppState, Command, Commands};
use crate::ui::area::{Area, ViewInput};
use crate::ui::theme;
use crate::view::{Layout, Side, Wipe};

const REACH: f32 = 6.0;
const HANDLE: f32 = 11.0;
const GRIP: f32 = 6.0;
/// With Ctrl held, the line snaps to multiples of this angle, radians.
const SNAP: f32 = std::f32::consts::PI / 12.0;

#[derive(Default)]
pub(crate) struct WipeHandle {
    dragged: Option<WipeTarget>,
    hovered: Option<WipeTarget>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum WipeTarget {
    Line,
    /// Dragging the grip rotates the line about the middle of its visible segment.
    Grip,
}

impl WipeHandle {
    pub(crate) fn is_dragging(&self) -> bool {
        self.dragged.is_some()
    }

    /// Handles the pointer. Returns whether the wipe line is hovered or dragged.
    pub(crate) fn update(&mut self, input: ViewInput<'_>, commands: &mut Commands) -> bool {
        let ViewInput { ui, view, response, state } = input;
        let compare = &state.open.stage.view.compare;
        if compare.shown_layout() != Layout::Wipe {
            *self = Self::default();
            return false;
        }
        let line = WipeLine::new(view.rect, compare.wipe);
        if response.drag_started_by(PointerButton::Primary) && !ui.input(|i| i.modifiers.any()) {
            self.dragged = ui.input(|i| i.pointer.press_origin()).and_then(|pos| line.part_at(pos));
        }
        if !ui.input(|i| i.pointer.button_down(PointerButton::Primary)) {
            self.dragged = None;
        }
        self.hovered = response.hover_pos().and_then(|pos| line.part_at(pos));
        commands.push_if(response.double_clicked() && self.hovered.is_some(), Command::SetWipe(Wipe::default()));
        if let (Some(part), Some(pointer)) = (self.dragged, ui.input(|i| i.pointer.latest_pos())) {
            let wipe = match part {
                WipeTarget::Line => line.through(pointer),
                WipeTarget::Grip => line.turned_to(pointer, ui.input(|i| i.modifiers.command)),
            };
            commands.push_if(wipe != compare.wipe, Command::SetWipe(wipe));
        }
        let Some(part) = self.dragged.or(self.hovered) else { return false };
        ui.set_cursor_icon(match part {
            WipeTarget::Line if line.is_upright() => CursorIcon::ResizeHorizontal,
            WipeTarget::Line => CursorIcon::ResizeVertical,
            WipeTarget::Grip => CursorIcon::Grab,
        });
        true
    }

    /// Draws the grip and handle. The renderer draws the line itself.
    pub(crate) fn paint(&self, ui: &Ui, view: &Area, state: &AppState) {
        let compare = &state.open.stage.view.compare;
        if compare.shown_layout() != Layout::Wipe {
            return;
        }
        let line = WipeLine::new(view.rect, compare.wipe);
        let painter = ui.painter().with_clip_rect(view.rect);
        let is_active = |part| self.dragged.or(self.hovered) == Some(part);
        paint_handle(&painter, &line, is_active(WipeTarget::Line));
        let grip = if is_active(WipeTarget::Grip) { GRIP + 1.0 } else { GRIP };
        let (ground, ink) = (ui.visuals().window_fill, ui.visuals().strong_text_color());
        painter.circle(line.grip(), grip, ground, Stroke::new(2.0, ink));
    }
}

fn paint_handle(painter: &Painter, line: &WipeLine, is_active: bool) {
    let (at, across) = (line.handle(), line.across());
    let along = across.rot90();
    let radius = if is_active { HANDLE + 1.0 } else { HANDLE };
    painter.circle(at, radius, egui::Color32::WHITE, Stroke::new(1.0, egui::Color32::from_black_alpha(120)));
    for (side, direction) in [(Side::A, -across), (Side::B, across)] {
        let tip = at + direction * 7.5;
        let base = at + direction * 2.5;
        let corners = vec![tip, base + along * 4.0, base - along * 4.0];
        painter.add(egui::Shape::convex_polygon(corners, theme::side_color(side), Stroke::NONE));
    }
}

struct WipeLine {
    rect: Rect,
    wipe: Wipe,
    /// Ends of the line. The first is the upper end or, if the line is horizontal, the left end.
    ends: [Pos2; 2],
}

impl WipeLine {
    fn new(rect: Rect, wipe: Wipe) -> Self {
        let ends = wipe.ends(Vec2::new(rect.width(), rect.height()));
        Self { rect, wipe, ends: ends.map(|end| rect.min + egui::vec2(end.x, end.y)) }
    }

    /// Returns a point on the line; `share` is 0 at the first end and 1 at the second.
    fn at(&self, share: f32) -> Pos2 {
        self.ends[0].lerp(self.ends[1], share)
    }

    fn across(&self) -> egui::Vec2 {
        let normal = self.wipe.normal();
        egui::vec2(normal.x, normal.y)
    }

    fn handle(&self) -> Pos2 {
        self.at(0.8)
    }

    fn grip(&self) -> Pos2 {
        self.at(0.16)
    }

    fn is_upright(&self) -> bool {
        self.across().x.abs() > self.across().y.abs()
    }

    fn part_at(&self, pos: Pos2) -> Option<WipeTarget> {
        if pos.distance(self.grip()) < GRIP + 4.0 {
            Some(WipeTarget::Grip)
        } else {
            ((pos - self.at(0.5)).dot(self.across()).abs() < REACH || pos.distance(self.handle()) < HANDLE)
                .then_some(WipeTarget::Line)
        }
    }

    fn offset_through(&self, pos: Pos2, normal: Vec2) -> f32 {
        let from_middle = pos - self.rect.center();
        Vec2::new(from_middle.x, from_middle.y).dot(normal) / self.rect.height().max(1.0)
    }

    /// Returns the wipe with its line moved to a point, which is clamped to the view.
    fn through(&self, pos: Pos2) -> Wipe {
        let pos = pos.clamp(self.rect.min, self.rect.max);
        Wipe { offset: self.offset_through(pos, self.wipe.normal()), ..self.wipe }
    }

    fn turned_to(&self, pos: Pos2, snaps: bool) -> Wipe {
        let middle = self.at(0.5);
        let up = pos - middle;
        if up.length() < 1.0 {
            return self.wipe;
        }
        let angle = up.x.atan2(-up.y);
        let angle = if snaps { (angle / SNAP).round() * SNAP } else { angle };
        let turned = Wipe { angle, ..self.wipe };
        Wipe { offset: self.offset_through(middle, turned.normal()), ..turned }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    fn rect() -> Rect {
        Rect::from_min_max(pos2(100.0, 50.0), pos2(500.0, 350.0))
    }

    #[test]
    fn an_upright_line_goes_from_top_to_bottom_and_a_level_one_from_side_to_side() {
        let upright = WipeLine::new(rect(), Wipe { angle: 0.0, offset: 0.1 });
        assert!((upright.at(0.0) - pos2(330.0, 50.0)).length() < 1e-3, "{:?}", upright.at(0.0));
        assert!((upright.at(1.0) - pos2(330.0, 350.0)).length() < 1e-3);
        let level = WipeLine::new(rect(), Wipe { angle: std::f32::consts::FRAC_PI_2, offset: 0.0 });
        assert!((level.at(0.5) - rect().center()).length() < 1e-3);
        assert!((level.at(0.0).y - 200.0).abs() < 1e-3);
    }

    #[test]
    fn a_dragged_line_goes_through_the_pointer_and_a_turned_one_keeps_its_middle() {
        for angle in [0.0, 0.5, -1.2, 3.0] {
            let line = WipeLine::new(rect(), Wipe { angle, offset: 0.05 });
            let pointer = pos2(260.0, 120.0);
            let moved = WipeLine::new(rect(), line.through(pointer));
            assert!((pointer - moved.at(0.5)).dot(moved.across()).abs() < 1e-3);
            let middle = line.at(0.5);
            let turned = WipeLine::new(rect(), line.turned_to(pointer, false));
            assert!((middle - turned.at(0.5)).dot(turned.across()).abs() < 1e-3);
            assert!((pointer - middle).normalized().dot(turned.across()).abs() < 1e-3, "the grip points at it");
        }
    }

    #[test]
    fn a_turned_line_snaps_to_the_nearest_step() {
        let line = WipeLine::new(rect(), Wipe { angle: 0.0, offset: 0.0 });
        let snapped = |degrees: f32| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            line.turned_to(rect().center() + egui::vec2(sin, -cos) * 100.0, true).angle.to_degrees()
        };
        for (pointed, expected) in [(0.0, 0.0), (7.0, 0.0), (8.0, 15.0), (-8.0, -15.0), (52.0, 45.0), (53.0, 60.0)] {
            assert!((snapped(pointed) - expected).abs() < 1e-3, "{pointed} becomes {}", snapped(pointed));
        }
    }

    #[test]
    fn side_b_is_on_the_drawn_side_of_the_wipe() {
        let wipe = Wipe { angle: 0.7, offset: -0.1 };
        let line = WipeLine::new(rect(), wipe);
        let point = line.at(0.3) + line.across() * 9.0;
        let in_view = point - rect().min;
        let size = Vec2::new(rect().width(), rect().height());
        assert!((wipe.distance(Vec2::new(in_view.x, in_view.y), size) - 9.0).abs() < 1e-3);
    }
}
