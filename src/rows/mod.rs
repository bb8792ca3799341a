//! Rows of numbers that are printed for programs: each is declared once, by `rows!`, with a comment for each of its fields. JSON, the guide's list of keys and the types of
//! Python follow from the declaration; CSV has its columns.
//!
//! | file | says |
//! | --- | --- |
//! | `declared` | the macro that declares a row |
//! | `shape` | types, keys and meanings of JSON |
//! | `document` | documents that commands print |
//! | `csv` | tables as CSV |
//! | `rounding` | digits of numbers |
//! | `under` | a value below a key |

mod csv;
mod declared;
mod document;
mod rounding;
mod shape;
mod under;

pub(crate) use csv::columns;
pub use csv::{Cell, Column, csv, csv_of_cells};
pub(crate) use declared::rows;
pub use document::{Document, KeyLine};
pub(crate) use rounding::{degrees, finite, rounded};
pub use shape::{Described, Key, Object, Series, Shape};
pub use under::Under;
