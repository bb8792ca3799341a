//! Tables of joints and numbers. Clicking a heading sorts the rows; column edges can be dragged.

use std::array::from_fn;

use egui::{
    Atom, Button, Color32, CursorIcon, IntoAtoms as _, Rangef, Rect, Response, RichText, Role, Sense, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};

use super::names::{Name, body};
use super::theme::ROW_HEIGHT;
use crate::rig::{NodeIndex, Rig};

/// Numeric columns of a table. The name column on their left fills the remaining width.
pub(super) struct Columns<const N: usize> {
    widths: [f32; N],
    initial_widths: [f32; N],
    /// Column by which the rows are sorted: 0 for names, 1 for the first numeric column.
    pub sorted_by: usize,
    pub is_reversed: bool,
}

pub(super) struct ColumnHeading {
    pub title: &'static str,
    pub name: String,
    pub hint: String,
}

const HEIGHT: f32 = 18.0;
const MIN_WIDTH: f32 = 24.0;
/// Minimum width of the name column, as a fraction of the row's width.
const MIN_NAME: f32 = 0.3;

impl<const N: usize> Columns<N> {
    pub(super) fn new(widths: [f32; N], sorted_by: usize) -> Self {
        Self { widths, initial_widths: widths, sorted_by, is_reversed: false }
    }

    fn places(&self, row: Rangef) -> [Rangef; N] {
        let all: f32 = self.widths.iter().sum();
        // Shrinks all columns by the same factor if the row is too narrow.
        let share = (row.span() * (1.0 - MIN_NAME) / all).min(1.0);
        from_fn(|at| {
            let after = |from: usize| row.max - share * self.widths[from..].iter().sum::<f32>();
            Rangef::new(after(at), after(at + 1))
        })
    }

    pub(super) fn headings(&mut self, ui: &mut Ui, name: &ColumnHeading, numbers: &[ColumnHeading; N]) {
        let width = ui.available_width() - ui.spacing().scroll.allocated_width();
        let (row, _) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
        let places = self.places(row.x_range());
        let first = Rangef::new(row.left(), places.first().map_or(row.right(), |place| place.min));
        let mut clicked = None;
        for (at, (heading, place)) in [(name, first)].into_iter().chain(numbers.iter().zip(places)).enumerate() {
            let sorted = (self.sorted_by == at).then_some(self.is_reversed);
            if heading.ui(ui, Rect::from_x_y_ranges(place, row.y_range()), sorted, at == 0) {
                clicked = Some(at);
            }
        }
        for (at, place) in places.into_iter().enumerate() {
            self.edge(ui, at, place.min, row);
        }
        if let Some(clicked) = clicked {
            self.is_reversed = self.sorted_by == clicked && !self.is_reversed;
            self.sorted_by = clicked;
        }
    }

    /// Draws a joint's name and numbers. `label` is the row's accessible name.
    pub(super) fn row(
        &self,
        ui: &mut Ui,
        (joint, rig): (NodeIndex, &Rig),
        is_selected: bool,
        numbers: [(&str, Color32); N],
        label: &str,
    ) -> Response {
        let size = [ui.available_width(), ROW_HEIGHT - 2.0];
        let response = ui.add_sized(size, Button::selectable(is_selected, ""));
        let (rect, y) = (response.rect.shrink2(vec2(4.0, 0.0)), response.rect.center().y);
        let places = self.places(rect.x_range());
        for (place, (text, color)) in places.into_iter().zip(numbers) {
            number(ui, place, y, text, color);
        }
        let color = ui.visuals().text_color();
        let room = places.first().map_or(rect.right(), |place| place.min) - rect.left();
        let name = Name::for_node(joint, rig).galley(ui, room, &body(ui, color));
        ui.painter().galley(pos2(rect.left(), y - name.size().y * 0.5), name, color);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, label));
        response
    }

    fn edge(&mut self, ui: &mut Ui, at: usize, x: f32, row: Rect) {
        let place = Rect::from_center_size(pos2(x, row.center().y), vec2(8.0, row.height()));
        // Edges are not Tab stops, because the keyboard can't drag them.
        let sense = Sense::CLICK | Sense::DRAG;
        let edge = ui.interact(place, ui.scope_id().with(("edge of a column", at)), sense);
        let stroke = if edge.hovered() || edge.dragged() {
            ui.visuals().widgets.hovered.fg_stroke
        } else {
            ui.visuals().widgets.noninteractive.bg_stroke
        };
        ui.painter().vline(x, row.y_range().shrink(2.0), stroke);
        if let Some(pointer) = edge.interact_pointer_pos().filter(|_| edge.dragged()) {
            let rest: f32 = self.widths.iter().sum::<f32>() - self.widths[at];
            let max_width = (row.width() * (1.0 - MIN_NAME) - rest).max(MIN_WIDTH);
            self.widths[at] = (self.widths[at] + x - pointer.x).clamp(MIN_WIDTH, max_width);
        }
        if edge.double_clicked() {
            self.widths = self.initial_widths;
        }
        edge.on_hover_cursor(CursorIcon::ResizeColumn).on_hover_text("Drag to resize the columns");
    }
}

impl ColumnHeading {
    /// Draws a heading and returns whether it was clicked. `sorted` is true if the rows are in reverse order; `None` if
    /// they are sorted by another column.
    fn ui(&self, ui: &mut Ui, place: Rect, sorted: Option<bool>, is_name: bool) -> bool {
        let arrow = match sorted {
            None => "",
            Some(false) => " ⏷",
            Some(true) => " ⏶",
        };
        let text = RichText::new(format!("{}{arrow}", self.title)).small().weak();
        let atoms = if is_name { (text, Atom::grow()).into_atoms() } else { (Atom::grow(), text).into_atoms() };
        let button = ui.put(place, Button::new(atoms).frame(false).truncate().min_size(place.size()));
        button.accessible_name(&self.name).on_hover_text(&self.hint).clicked()
    }
}

/// Draws a right-aligned number. In a narrow column, uses a smaller font or an ellipsis.
fn number(ui: &Ui, place: Rangef, y: f32, text: &str, color: Color32) {
    const GAP: f32 = 4.0;
    let layout = |text: &str, style: TextStyle| {
        let font = style.resolve(ui.style());
        ui.painter().layout_no_wrap(text.to_owned(), font, color)
    };
    let tries = [(text, TextStyle::Body), (text, TextStyle::Small), ("…", TextStyle::Small)];
    let mut galleys = tries.into_iter().map(|(text, style)| layout(text, style));
    let Some(text) = galleys.find(|galley| galley.size().x <= place.span() - GAP) else { return };
    let at = pos2(place.max - text.size().x, y - text.size().y * 0.5);
    ui.painter().galley(at, text, color);
}
