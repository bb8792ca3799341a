//! Captions over an image: side labels and overlay legends.
//!
//! Positions are in points from the upper left corner, shared by the window and image files. The window uses its own
//! fonts; [`write_over`] draws into pixels.

mod canvas;
mod labels;
mod legend_content;
mod lettering;
mod region;
mod written;

pub use canvas::{Ink, PILL_PADDING};
pub use labels::{Label, labels};
pub use legend_content::{Legend, NOTE_OF_COLORS, Tick, legends, missing, ticks};
pub use region::Region;
pub use written::{scale_for, words, write_over};
