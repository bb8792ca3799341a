//! Pictures and films of what the state shows, drawn without a window and on any thread.
//!
//! | type | is |
//! | --- | --- |
//! | [`Studio`] | an OpenGL context of its own and what is drawn in it |
//! | [`Picture`] | its size, whether it is cut out, and whether something is written over it |
//! | [`Film`] | which moments and directions are drawn one after the other, and where they go |

mod film;
mod measured;
mod picture;
mod tiles;

pub use film::{Film, FilmError};
pub use measured::measure_sides;
pub use picture::{Picture, Studio};
