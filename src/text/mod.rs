//! Names from files, in whatever script and of whatever characters: spelt out where they would steer what shows them, and in which installed faces
//! the letters are that the program's own font lacks. Counts with their nouns, and days of the calendar.

mod counted;
mod day;
mod escape;
#[cfg(feature = "gl")]
pub mod fonts;
#[cfg(feature = "gl")]
mod order;

pub(crate) use counted::counted;
pub(crate) use day::day;
pub use escape::{escaped, escaped_json, is_spelt_out};
#[cfg(feature = "gl")]
pub use order::{drawn, may_be_right_to_left};
