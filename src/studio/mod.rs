//! Images and videos of a stage, rendered without a window on any thread.
//!
//! | type | purpose |
//! | --- | --- |
//! | [`Studio`] | a renderer with its OpenGL context |
//! | [`Picture`] | size, transparency and captions of an image |
//! | [`Film`] | moments, camera directions and target of a video or image sequence |

mod film;
mod measured;
mod picture;
mod tiles;

pub use film::{Film, FilmError};
pub use measured::measure_sides;
pub use picture::{Picture, Studio};
