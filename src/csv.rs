//! Tables as CSV.
//!
//! *Source*: RFC 4180, but with lines that end as Unix has them.

/// A table as CSV that grows row by row.
pub struct Table(String);

impl Table {
    /// A table without rows; units belong into the names of columns.
    pub fn new<C: AsRef<str>>(columns: impl IntoIterator<Item = C>) -> Self {
        let mut table = Self(String::new());
        table.row(columns);
        table
    }

    /// Adds a row; a value that is not known is an empty cell.
    pub fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) {
        for (number, cell) in cells.into_iter().enumerate() {
            if number > 0 {
                self.0.push(',');
            }
            let cell = cell.as_ref();
            if cell.contains(['"', ',', '\n', '\r']) {
                self.0.push('"');
                self.0.push_str(&cell.replace('"', "\"\""));
                self.0.push('"');
            } else {
                self.0.push_str(cell);
            }
        }
        self.0.push('\n');
    }

    /// The text of the table, each row a line.
    pub fn into_text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_would_break_a_row_are_quoted() {
        let mut table = Table::new(["joint", "angle, degrees"]);
        table.row(["a \"b\"\nc", ""]);
        table.row(["plain".to_owned(), 1.5.to_string()]);
        assert_eq!(table.into_text(), "joint,\"angle, degrees\"\n\"a \"\"b\"\"\nc\",\nplain,1.5\n");
    }
}
