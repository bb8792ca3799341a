//! Tables of a name and numbers: their headings sort, and the edges between their columns can be dragged.

use std::array::from_fn;

use egui::{
    Atom, Button, Color32, CursorIcon, IntoAtoms as _, Rangef, Rect, RichText, Sense, TextStyle, Ui, pos2, vec2,
};

/// Widths of the columns of numbers; the name column takes the rest of the row.
pub(super) struct Columns<const N: usize> {
    /// Width of each column, initial or as dragged, points.
    widths: [f32; N],
    first: [f32; N],
}

/// Head of a column.
pub(super) struct Heading<'a> {
    pub title: &'a str,
    /// Sort state of the column: `None` where rows are not sorted by it, true for descending order.
    pub sorted: Option<bool>,
    pub name: &'a str,
    pub hint: String,
}

const HEIGHT: f32 = 18.0;
/// Least width of a column, points.
const LEAST: f32 = 24.0;
/// Share of a row that the name keeps.
const MIN_NAME: f32 = 0.3;

impl<const N: usize> Columns<N> {
    pub(super) fn new(widths: [f32; N]) -> Self {
        Self { widths, first: widths }
    }

    /// Start and end of each column of numbers in a row.
    pub(super) fn places(&self, row: Rangef) -> [Rangef; N] {
        let all: f32 = self.widths.iter().sum();
        // Columns shrink together where the row is too narrow.
        let share = (row.span() * (1.0 - MIN_NAME) / all).min(1.0);
        from_fn(|at| {
            let after = |from: usize| row.max - share * self.widths[from..].iter().sum::<f32>();
            Rangef::new(after(at), after(at + 1))
        })
    }

    /// Draws the headings, the name's first, over rows of the given width. Returns the heading that was clicked.
    pub(super) fn headings(
        &mut self,
        ui: &mut Ui,
        width: f32,
        name: &Heading<'_>,
        numbers: &[Heading<'_>; N],
    ) -> Option<usize> {
        let (row, _) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
        let places = self.places(row.x_range());
        let first = Rangef::new(row.left(), places.first().map_or(row.right(), |place| place.min));
        let mut clicked = None;
        for (at, (heading, place)) in [(name, first)].into_iter().chain(numbers.iter().zip(places)).enumerate() {
            if heading.ui(ui, Rect::from_x_y_ranges(place, row.y_range()), at == 0) {
                clicked = Some(at);
            }
        }
        for (at, place) in places.into_iter().enumerate() {
            self.edge(ui, at, place.min, row);
        }
        clicked
    }

    /// Drags the left edge of a column, which changes its width; the name column takes the rest.
    fn edge(&mut self, ui: &mut Ui, at: usize, x: f32, row: Rect) {
        let place = Rect::from_center_size(pos2(x, row.center().y), vec2(8.0, row.height()));
        // Not a Tab stop: an edge has nothing to press.
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
            let most = (row.width() * (1.0 - MIN_NAME) - rest).max(LEAST);
            self.widths[at] = (self.widths[at] + x - pointer.x).clamp(LEAST, most);
        }
        if edge.double_clicked() {
            self.widths = self.first;
        }
        edge.on_hover_cursor(CursorIcon::ResizeColumn).on_hover_text("Drag to resize the columns");
    }
}

impl Heading<'_> {
    /// Draws the heading; true where it was clicked.
    fn ui(&self, ui: &mut Ui, place: Rect, is_name: bool) -> bool {
        let arrow = match self.sorted {
            None => "",
            Some(false) => " ⏷",
            Some(true) => " ⏶",
        };
        let text = RichText::new(format!("{}{arrow}", self.title)).small().weak();
        let atoms = if is_name { (text, Atom::grow()).into_atoms() } else { (Atom::grow(), text).into_atoms() };
        let button = ui.put(place, Button::new(atoms).frame(false).truncate().min_size(place.size()));
        button.accessible_name(self.name).on_hover_text(&self.hint).clicked()
    }
}

/// Writes a number right-aligned in its column: in smaller type where the column is narrow, and omitted rather than drawn over its neighbour.
pub(super) fn number(ui: &Ui, place: Rangef, y: f32, text: &str, color: Color32) {
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
