//! Text of any script in names from files: escaping and fonts; also counts with nouns, calendar dates and wildcards.

mod counted;
mod day;
mod escape;
#[cfg(feature = "gl")]
pub mod fonts;
#[cfg(feature = "gl")]
mod order;
mod wildcard;

pub(crate) use counted::{capitalized, counted, listed, shortened};
pub(crate) use day::day;
pub use escape::{escaped, escaped_json, is_spelt_out};
#[cfg(feature = "gl")]
pub use order::{drawn, may_be_right_to_left};
pub(crate) use wildcard::fits;
