//! Area of the viewport: between the world, the view and the screen.

use egui::{Rect, Response, Ui, vec2};
use glam::Vec2 as Point;

use crate::state::AppState;
use crate::view::{Compare, Layout, Lens, Side};

/// A part of the viewport with its lens.
pub(super) struct Area {
    /// Screen points.
    pub rect: Rect,
    /// Projection between the world and points from the top left of `rect`.
    pub lens: Lens,
    /// Side shown; the leading side if both share the area.
    pub side: Side,
}

/// Input of whatever handles the pointer in an area.
#[derive(Clone, Copy)]
pub(super) struct ViewInput<'a> {
    pub ui: &'a Ui,
    pub view: &'a Area,
    /// Response of the whole viewport.
    pub response: &'a Response,
    pub state: &'a AppState,
}

impl Area {
    /// Converts a point of the view to the screen.
    pub(super) fn to_screen(&self, point: Point) -> egui::Pos2 {
        self.rect.min + vec2(point.x, point.y)
    }

    /// Converts a point of the screen to the view.
    pub(super) fn to_view(&self, pos: egui::Pos2) -> Point {
        let p = pos - self.rect.min;
        Point::new(p.x, p.y)
    }

    /// Returns the side that a point of the view belongs to.
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
