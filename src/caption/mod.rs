//! What is written over a picture: which side is which, and the legends of what is painted.
//!
//! Places are in points from the upper left of the picture, so that a window and a file have them in common. The window writes with its own
//! fonts; [`write_over`] writes into pixels.

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
