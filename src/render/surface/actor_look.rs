//! An actor in a pane.

use super::part_programs::PartPrograms;
use crate::render::light::lights::Lights;
use crate::render::panes::eye::Eye;
use crate::render::panes::pane::Cut;
use crate::view::View;

/// Look of one actor in a pane.
#[derive(Clone, Copy)]
pub(crate) struct ActorLook<'a> {
    pub programs: &'a PartPrograms,
    /// Light on the file's materials; `None` where none is shown in light.
    pub lights: Option<&'a Lights>,
    pub eye: &'a Eye,
    pub view: &'a View,
    /// By its place in the frame.
    pub actor: usize,
    pub cut: Cut,
    /// Fragments that are mixed are given as light, which the picture encodes.
    pub blends_light: bool,
    /// Samples per pixel.
    pub samples: u32,
}
