//! Area of the viewport: between the world, the view and the screen.

use egui::{Rect, Response, vec2};
use glam::Vec2 as Point;

use crate::view::{Compare, Layout, Lens, Side};

/// The view's place on the screen and its lens.
pub(super) struct Area {
    /// Screen points.
    pub rect: Rect,
    /// Projection between the world and points from the top left of `rect`.
    pub lens: Lens,
    /// Side that the area shows; the leading side where the area shows both.
    pub side: Side,
}

impl Area {
    /// Point of the view as one of the screen.
    pub(super) fn to_screen(&self, point: Point) -> egui::Pos2 {
        self.rect.min + vec2(point.x, point.y)
    }

    /// Point of the screen as one of the view.
    pub(super) fn to_view(&self, pos: egui::Pos2) -> Point {
        let p = pos - self.rect.min;
        Point::new(p.x, p.y)
    }

    /// Side that a point of the view belongs to.
    pub(super) fn side_at(&self, point: Point, compare: &Compare) -> Side {
        match compare.shown_layout() {
            Layout::Wipe if compare.wipe.distance(point, self.lens.viewport) > 0.0 => Side::B,
            _ => self.side,
        }
    }

    /// The pointer, where it is over the view and over nothing else.
    pub(super) fn cursor(&self, response: &Response) -> Option<Point> {
        response.hover_pos().map(|p| self.to_view(p))
    }
}
