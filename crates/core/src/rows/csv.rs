//! CSV tables with Unix line endings. Missing and non-finite numbers are empty cells.

/// Column of a table.
pub struct Column<T> {
    /// Name in the header, with the unit.
    pub name: &'static str,
    /// Returns the text of a row's cell; empty if there is no value.
    pub cell: fn(&T) -> String,
}

/// Lists the columns of a table: `columns![|seam: &SeamJson| clip: seam.clip, travel_m: seam.travel.distance_m]`.
#[doc(hidden)]
#[macro_export]
macro_rules! table_columns {
    (|$row:tt: $of:ty| $($name:ident: $value:expr),* $(,)?) => {
        [$($crate::rows::Column::<$of> { name: stringify!($name), cell: |$row| $crate::rows::Cell::text(&$value) }),*]
    };
}

pub use table_columns as columns;

/// Value of a cell.
pub trait Cell {
    /// Returns the text of the cell; empty if there is no value.
    fn text(&self) -> String;
}

macro_rules! cells {
    ($($of:ty)*) => {$(
        impl Cell for $of {
            fn text(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

cells! { bool u32 usize String str }

macro_rules! numbers {
    ($($of:ty)*) => {$(
        impl Cell for $of {
            fn text(&self) -> String {
                if self.is_finite() { self.to_string() } else { String::new() }
            }
        }
    )*};
}

numbers! { f32 f64 }

impl<T: Cell> Cell for Option<T> {
    fn text(&self) -> String {
        self.as_ref().map_or_else(String::new, Cell::text)
    }
}

impl<T: Cell + ?Sized> Cell for &T {
    fn text(&self) -> String {
        (*self).text()
    }
}

/// Formats a table with a header and one line per row.
pub fn csv<T>(columns: &[Column<T>], rows: impl IntoIterator<Item = T>) -> String {
    let cells = |row: T| columns.iter().map(|column| (column.cell)(&row)).collect::<Vec<_>>();
    csv_of_cells(columns.iter().map(|column| column.name), rows.into_iter().map(cells))
}

/// Formats a table of cells. Each row must be as long as the header.
pub fn csv_of_cells(
    header: impl IntoIterator<Item: AsRef<[u8]>>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail, and all rows have the length of the header.
    let _ = writer.write_record(header);
    for row in rows {
        let written = writer.write_record(&row);
        debug_assert!(written.is_ok(), "a row with another number of cells than the header has names: {row:?}");
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Parses CSV without a header; rows may differ in length. Cells are trimmed.
pub fn csv_rows(text: &str) -> Vec<Vec<String>> {
    records(text, ::csv::Trim::All)
}

/// Like [`csv_rows`], but without trimming cells.
pub fn csv_records(text: &str) -> Vec<Vec<String>> {
    records(text, ::csv::Trim::None)
}

fn records(text: &str, trim: ::csv::Trim) -> Vec<Vec<String>> {
    let mut builder = ::csv::ReaderBuilder::new();
    let mut reader = builder.has_headers(false).flexible(true).trim(trim).from_reader(text.as_bytes());
    // Reading from memory can't fail, the text is UTF-8, and rows may have any length.
    reader.records().flatten().map(|record| record.iter().map(str::to_owned).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_would_break_a_row_are_quoted_and_what_is_no_number_is_empty() {
        let columns = columns![|row: (&'static str, f32)| joint: row.0, angle_deg: row.1];
        let rows = [("a \"b\"\nc", f32::NAN), ("plain", 1.5), ("x,y", 1.0)];
        assert_eq!(csv(&columns, rows), "joint,angle_deg\n\"a \"\"b\"\"\nc\",\nplain,1.5\n\"x,y\",1\n");
    }

    #[test]
    fn any_text_has_rows() {
        assert_eq!(csv_rows(" a ,\"b, c\"\n\nd\n"), [vec!["a", "b, c"], vec!["d"]]);
        assert_eq!(csv_rows("\"open, \"\"\0\r\r\n").len(), 1);
        assert_eq!(csv_rows("a\"b\",c"), [["a\"b\"", "c"]]);
    }
}
