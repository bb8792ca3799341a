//! Data rows for JSON and CSV. `rows!` declares each row type once, with a doc comment per field. JSON, its JSON
//! Schemas, the guide's list of keys and the Python types are derived from the declaration. CSV tables declare their columns separately.

mod csv;
mod declared;
mod document;
mod schema;
mod shape;

pub use csv::{Cell, Column, columns, csv, csv_of_cells, csv_records, csv_rows};
pub use declared::rows;
pub use document::{JsonDocument, KeyLine, UnderKey};
pub use shape::{Described, JsonKey, JsonObject, Series, Shape};

/// Converts radians to degrees, rounded to a thousandth of a degree.
pub fn degrees(radians: f32) -> f64 {
    (f64::from(radians).to_degrees() * 1e3).round() / 1e3
}

/// Rounds a weight, a fraction or a length in metres to six decimals.
pub fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// Returns a finite number; otherwise `None`, which is `null` in JSON.
pub fn finite(number: f32) -> Option<f32> {
    Some(number).filter(|number| number.is_finite())
}
