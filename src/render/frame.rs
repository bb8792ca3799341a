//! What a picture shows, and how to tell that it shows something else.

use std::sync::Arc;

use crate::rig::{Pose, Posed, Rig};
use crate::skinning::{Centers, Palette, RecomputedNormals};
use crate::view::{Painted, Side, View};

/// All that a picture shows.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// The character; another `Arc` is uploaded anew.
    pub rig: &'a Arc<Rig>,
    /// World matrices and morph weights.
    pub posed: &'a Posed,
    /// From [`crate::skinning::palettes`]: one per mesh instance.
    pub palettes: &'a [Palette],
    /// What side B shows in place of `posed` and `palettes`, where it shows another pose.
    pub other: Option<(&'a Posed, &'a [Palette])>,
    /// Centres of rotation of the rig, for sides that are skinned by them; without, each vertex is its own, which is LBS.
    pub centers: Option<&'a Arc<Centers>>,
    /// In place of the normals that skinning turns, by [`crate::view::Side::index`]: of a pose that may be of a moment ago.
    pub normals: [Option<&'a RecomputedNormals>; 2],
    /// What is painted over the sides, by [`crate::view::Side::index`].
    pub painted: [Option<&'a Painted>; 2],
    /// Which joints the user moved.
    pub pose: &'a Pose,
    /// Camera, method, display.
    pub view: &'a View,
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// Scale of the interface: bones are drawn in points.
    pub pixels_per_point: f32,
    /// Another number whenever rig, posed, palettes, other, centers or pose are others.
    pub version: u64,
}

impl<'a> Frame<'a> {
    /// What a side shows.
    pub(super) fn pose_of(&self, side: Side) -> (&'a Posed, &'a [Palette]) {
        self.other.filter(|_| side == Side::B).unwrap_or((self.posed, self.palettes))
    }

    /// What a side shows in place of the normals that skinning turns.
    pub(super) fn normals_of(&self, side: Side) -> Option<&'a RecomputedNormals> {
        self.normals[side.index()]
    }

    /// What is painted over a side.
    pub(super) fn painted_on(&self, side: Side) -> Option<&'a Painted> {
        self.painted[side.index()]
    }
}

/// What the drawn picture depends on, apart from the rig itself.
#[derive(Clone, PartialEq)]
pub(super) struct Drawn {
    version: u64,
    view: View,
    size: [u32; 2],
    pixels_per_point: f32,
    normals: [Option<RecomputedNormals>; 2],
    painted: [Option<Painted>; 2],
}

impl Drawn {
    pub fn of(frame: &Frame<'_>) -> Self {
        Self {
            version: frame.version,
            view: frame.view.clone(),
            size: frame.size,
            pixels_per_point: frame.pixels_per_point,
            normals: frame.normals.map(Option::<&RecomputedNormals>::cloned),
            painted: frame.painted.map(Option::<&Painted>::cloned),
        }
    }
}
