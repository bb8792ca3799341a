//! Text for a terminal: tables with aligned columns, and wrapped paragraphs.

use super::console::Line;

pub(super) struct TextTable<'a, R: ?Sized> {
    columns: Vec<Column<'a, R>>,
    /// Separator to put before the next column instead of spaces.
    between: Option<&'static str>,
}

struct Column<'a, R: ?Sized> {
    before: String,
    heading: String,
    width: usize,
    is_left: bool,
    text: Box<dyn Fn(&R) -> String + 'a>,
}

impl<'a, R: ?Sized> TextTable<'a, R> {
    pub(super) fn new() -> Self {
        Self { columns: Vec::new(), between: None }
    }

    /// Adds a right-aligned column for numbers.
    #[must_use]
    pub(super) fn right(self, width: usize, heading: &str, text: impl Fn(&R) -> String + 'a) -> Self {
        self.column((width, false), heading, Box::new(text))
    }

    /// Adds a left-aligned column for text. The last column doesn't need a width.
    #[must_use]
    pub(super) fn left(self, width: usize, heading: &str, text: impl Fn(&R) -> String + 'a) -> Self {
        self.column((width, true), heading, Box::new(text))
    }

    #[must_use]
    pub(super) fn bar(self) -> Self {
        self.between(" | ")
    }

    #[must_use]
    pub(super) fn between(mut self, text: &'static str) -> Self {
        self.between = Some(text);
        self
    }

    fn column(mut self, (width, is_left): (usize, bool), heading: &str, text: Box<dyn Fn(&R) -> String + 'a>) -> Self {
        let gap = match (self.columns.is_empty(), is_left) {
            (true, _) => "",
            (false, true) => "  ",
            (false, false) => " ",
        };
        let before = self.between.take().unwrap_or(gap).to_owned();
        self.columns.push(Column { before, heading: heading.to_owned(), width, is_left, text });
        self
    }

    pub(super) fn head(&self) -> Line {
        self.line(|column| column.heading.clone())
    }

    pub(super) fn row(&self, row: &R) -> Line {
        self.line(|column| (column.text)(row))
    }

    fn line(&self, text: impl Fn(&Column<'a, R>) -> String) -> Line {
        let cell = |column: &Column<'a, R>| {
            let (before, width, text) = (&column.before, column.width, text(column));
            if column.is_left { format!("{before}{text:<width$}") } else { format!("{before}{text:>width$}") }
        };
        Line::plain(&self.columns.iter().map(cell).collect::<String>())
    }
}

/// Formats a number; an unknown number becomes a dash.
pub(super) fn number(value: impl Into<Option<f64>>, digits: usize) -> String {
    known(value.into(), |value| format!("{value:.digits$}"))
}

/// Formats a fraction as a percentage; an unknown value becomes a dash.
pub(super) fn percent(share: impl Into<Option<f64>>) -> String {
    known(share.into(), |share| format!("{:.2} %", share * 100.0))
}

fn known(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.filter(|value| value.is_finite()).map_or_else(|| "-".to_owned(), text)
}

/// Wraps text at `width` characters without splitting longer words. No line starts with the `>` between menu names,
/// because Markdown would treat it as a quotation.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut word = word.to_owned();
        while words.peek().is_some_and(|next| *next == ">") {
            word.extend([" ", words.next().unwrap_or_default()]);
        }
        let length = |text: &str| text.chars().count();
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(&word) <= width => line.extend([" ", &word]),
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_under_their_headings() {
        let table = TextTable::<(&str, f64)>::new()
            .right(6, "mm", |row| number(row.1, 1))
            .right(8, "loss", |row| percent(row.1))
            .left(5, "joint", |row| row.0.to_owned())
            .bar()
            .left(0, "again", |row| row.0.to_owned());
        let lines =
            [table.head(), table.row(&("Hip\n", 0.25)), table.row(&("A", f64::NAN))].map(|line| line.to_string());
        assert_eq!(
            lines,
            ["    mm     loss  joint | again", "   0.2  25.00 %  Hip\\n  | Hip\\n", "     -        -  A     | A"]
        );
    }

    #[test]
    fn lines_are_broken_between_words_and_menus_stay_after_their_sign() {
        assert_eq!(wrapped("one two  three\nfour", 8), ["one two", "three", "four"]);
        assert_eq!(wrapped("File > Export > glTF", 13), ["File >", "Export > glTF"]);
        assert_eq!(wrapped("a endlessly b", 3), ["a", "endlessly", "b"]);
        assert_eq!(wrapped("é é é", 3), ["é é", "é"]);
        assert_eq!((wrapped("", 5), wrapped(" > x", 5)), (vec![], vec!["> x".to_owned()]));
    }
}
