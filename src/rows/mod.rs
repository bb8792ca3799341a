//! Rows of numbers for programs. `rows!` declares each once, with a doc comment for each field; JSON, the guide's list of keys and Python's types follow
//! from the declaration. CSV tables list their columns.

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
