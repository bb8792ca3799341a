//! Areas of the viewport, with conversions between world, view and screen.

use egui::{Rect, Response, Ui, vec2};
use glam::Vec2 as Point;

use crate::state::AppState;
use crate::view::{Compare, Layout, Lens, Side};

/// Area of the viewport with its projection.
pub(super) struct Area {
    /// Screen points.
    pub rect: Rect,
    /// Projects the world to points relative to the top left of `rect`.
    pub lens: Lens,
    /// Visible side; the leading side if both use the area.
    pub side: Side,
}

/// Input of the viewport's pointer handlers.
#[derive(Clone, Copy)]
pub(super) struct ViewInput<'a> {
    pub ui: &'a Ui,
    pub view: &'a Area,
    /// Response of the whole viewport.
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

    /// Returns the side at a point of the view.
    pub(super) fn side_at(&self, point: Point, compare: &Compare) -> Side {
        match compare.shown_layout() {
            Layout::Wipe if compare.wipe.distance(point, self.lens.viewport) > 0.0 => Side::B,
            _ => self.side,
        }
    }

    /// Returns the pointer if it is over the view and nothing else.
    pub(super) fn cursor(&self, response: &Response) -> Option<Point> {
        response.hover_pos().map(|p| self.to_view(p))
    }
}
