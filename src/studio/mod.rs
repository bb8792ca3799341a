//! Images and videos of a stage, rendered without a window on any thread.
//!
//! | type | purpose |
//! | --- | --- |
//! | [`Studio`] | a renderer with its OpenGL context |
//! | [`ImageOptions`] | size, transparency and captions of an image |
//! | [`ContactSheet`] | images in rows, with captions |
//! | [`BendSheet`] | images of the poses of a bend test on one sheet |
//! | [`Video`] | times, camera directions and target of a video or image sequence |

mod bend_sheet;
mod contact_sheet;
mod picture;
mod tiles;
mod video;

pub use bend_sheet::BendSheet;
pub use contact_sheet::ContactSheet;
pub use image::RgbaImage;
pub use picture::{ImageOptions, Studio, measure_sides};
pub use video::{Video, VideoExportError};
