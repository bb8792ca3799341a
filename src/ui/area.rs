use egui::{Rect, Response, Ui, vec2};
use glam::Vec2 as Point;

use crate::state::AppState;
use crate::view::{Compare, Layout, Lens, Side};

/// Area of the viewport, with conversions between world, view and screen.
pub(super) struct Area {
    pub rect: Rect,
    /// Projects world space to points relative to the top left of `rect`.
    pub lens: Lens,
    /// The side shown in the area; A if the area shows both sides.
    pub side: Side,
}

#[derive(Clone, Copy)]
pub(super) struct ViewInput<'a> {
    pub ui: &'a Ui,
    pub view: &'a Area,
    pub response: &'a Response,
    pub state: &'a AppState,
}

impl Area {
    pub(super) fn to_screen(&self, point: Point) -> egui::Pos2 {
        self.rect.min + vec2(point.x, point.y)
    }

    pub(super) fn to_view(&self, pos: egui::Pos2) -> Point {
        let p = pos - self.rect.min;
        Point::new(p.x, p.y)
    }

    pub(super) fn side_at(&self, point: Point, compare: &Compare) -> Side {
        match compare.shown_layout() {
            Layout::Wipe if compare.wipe.distance(point, self.lens.viewport) > 0.0 => Side::B,
            _ => self.side,
        }
    }

    /// Returns the pointer position in the view; `None` if something covers the view there.
    pub(super) fn cursor(&self, response: &Response) -> Option<Point> {
        response.hover_pos().map(|p| self.to_view(p))
    }
}
