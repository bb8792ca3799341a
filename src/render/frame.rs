//! What a picture shows, and how to tell that it shows something else.

use std::sync::Arc;

use crate::actor::ShownSide;
use crate::rig::{Pose, Rig};
use crate::skinning::RecomputedNormals;
use crate::view::{Painted, PerSide, View};

/// A rectangle of a picture that is too large to be drawn in one piece, pixels from its lower left corner.
///
/// Both are even where not at the picture's border: triangles are shaded by squares of two pixels, which are then those of the whole picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Left and bottom edge, pixels.
    pub origin: [u32; 2],
    /// Width and height, pixels.
    pub size: [u32; 2],
}

/// Everything that a picture shows.
#[derive(Clone, Copy)]
pub struct FrameInput<'a> {
    /// The character; another `Arc` is uploaded anew.
    pub rig: &'a Arc<Rig>,
    /// Sides as they are to be drawn.
    pub sides: PerSide<ShownSide<'a>>,
    /// Pose of the user, which tells the joints that were moved.
    pub pose: &'a Pose,
    /// Camera, method, display.
    pub view: &'a View,
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// The part of the picture that is drawn; `None` for all of it.
    pub tile: Option<Tile>,
    /// Scale of the interface: bones are drawn in points.
    pub pixels_per_point: f32,
    /// Number that changes whenever rig, pose, or the weights, the centres or the posed matrices of a side do.
    pub version: u64,
}

impl FrameInput<'_> {
    /// Part of the picture that is drawn.
    pub(super) fn drawn_part(&self) -> Tile {
        self.tile.unwrap_or(Tile { origin: [0; 2], size: self.size })
    }
}

/// Everything that the drawn picture depends on, apart from the rig itself.
#[derive(Clone, PartialEq)]
pub(super) struct Drawn {
    version: u64,
    view: View,
    size: [u32; 2],
    tile: Option<Tile>,
    pixels_per_point: f32,
    normals: PerSide<Option<RecomputedNormals>>,
    painted: PerSide<Option<Painted>>,
}

impl Drawn {
    pub(super) fn of(frame: &FrameInput<'_>) -> Self {
        Self {
            version: frame.version,
            view: frame.view.clone(),
            size: frame.size,
            tile: frame.tile,
            pixels_per_point: frame.pixels_per_point,
            normals: frame.sides.map(|side| side.normals.cloned()),
            painted: frame.sides.map(|side| side.painted.cloned()),
        }
    }
}
