//! Images and videos of a stage, rendered without a window on any thread.
//!
//! | type | purpose |
//! | --- | --- |
//! | [`Studio`] | a renderer with its OpenGL context |
//! | [`ImageOptions`] | size, transparency and captions of an image |
//! | [`BendSheet`] | images of the poses of a bend test on one sheet |
//! | [`RefitSheet`] | images of the poses in which a changed skeleton moves the skin otherwise |
//! | [`Video`] | times, camera directions and target of a video or image sequence |

mod bend_sheet;
mod contact_sheet;
mod picture;
mod refit_sheet;
mod tiles;
mod video;

pub use bend_sheet::BendSheet;
pub use picture::{ImageOptions, Studio, measure_sides};
pub use refit_sheet::RefitSheet;
pub use video::{Video, VideoExportError};
