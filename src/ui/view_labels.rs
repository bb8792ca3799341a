use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Ui, Vec2, vec2};

const PADDING: Vec2 = vec2(6.0, 2.0);
/// Gap between neighbouring labels, and between a label and the edge of the view, points.
const GAP: f32 = 3.0;

/// Short labels in one view. Each label is drawn beside a position and does not overlap other labels.
pub(super) struct ViewLabels {
    painter: Painter,
    ground: Color32,
    room: Rect,
    taken: Vec<Rect>,
}

impl ViewLabels {
    /// Creates labels that stay inside `room`.
    pub(super) fn new(ui: &Ui, room: Rect) -> Self {
        let ground = ui.visuals().window_fill.gamma_multiply(0.92);
        Self { painter: ui.painter().with_clip_rect(room), ground, room: room.shrink(GAP), taken: Vec::new() }
    }

    pub(super) fn keep_clear(&mut self, rect: Rect) {
        self.taken.push(rect);
    }

    /// Draws a label `away` points from the position `at`. Draws nothing if the position is outside the view.
    pub(super) fn write(&mut self, at: Pos2, away: f32, text: &str, color: Color32) {
        if !self.room.contains(at) {
            return;
        }
        let galley = self.painter.layout_no_wrap(text.to_owned(), FontId::proportional(11.0), color);
        let rect = free_place(galley.size() + PADDING * 2.0, at, away, &self.taken, self.room);
        self.painter.rect_filled(rect, rect.height() * 0.5, self.ground);
        self.painter.galley(rect.min + PADDING, galley, color);
        self.taken.push(rect.expand(GAP * 0.5));
    }
}

fn free_place(size: Vec2, at: Pos2, away: f32, taken: &[Rect], room: Rect) -> Rect {
    let ways = [
        (Align2::CENTER_BOTTOM, vec2(0.0, -1.0)),
        (Align2::CENTER_TOP, vec2(0.0, 1.0)),
        (Align2::LEFT_CENTER, vec2(1.0, 0.0)),
        (Align2::RIGHT_CENTER, vec2(-1.0, 0.0)),
    ];
    let place = |(anchor, way): (Align2, Vec2), row: u8| {
        let row = f32::from(row) * (size.y + GAP);
        inside(anchor.anchor_size(at + way * away + vec2(0.0, if way.y > 0.0 { row } else { -row }), size), room)
    };
    let is_free = |rect: &Rect| !taken.iter().any(|other| other.intersects(*rect));
    let places = (0..8).flat_map(|row| ways.map(|way| place(way, row)));
    places.into_iter().find(is_free).unwrap_or_else(|| place(ways[0], 0))
}

fn inside(rect: Rect, room: Rect) -> Rect {
    rect.translate((room.min - rect.min).max(Vec2::ZERO) - (rect.max - room.max).max(Vec2::ZERO))
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    const ROOM: Rect = Rect { min: Pos2::ZERO, max: pos2(400.0, 300.0) };

    #[test]
    fn pills_at_one_point_cover_neither_each_other_nor_it() {
        let at = pos2(200.0, 150.0);
        let point = Rect::from_center_size(at, Vec2::splat(10.0));
        let mut taken = vec![point];
        for width in [90.0, 40.0, 60.0, 120.0, 30.0, 80.0, 80.0, 80.0] {
            let rect = free_place(vec2(width, 17.0), at, 8.0, &taken, ROOM);
            assert!(ROOM.contains_rect(rect) && !taken.iter().any(|other| other.intersects(rect)), "{rect}: {taken:?}");
            taken.push(rect);
        }
    }

    #[test]
    fn at_the_edge_they_stay_in_the_room() {
        for at in [ROOM.min, ROOM.max, ROOM.left_bottom(), pos2(-30.0, 150.0)] {
            assert!(ROOM.contains_rect(free_place(vec2(90.0, 17.0), at, 8.0, &[], ROOM)), "{at}");
        }
    }
}
