//! The look of an actor in a pane.

use super::part_programs::PartPrograms;
use crate::render::light::lights::Lights;
use crate::render::panes::eye::Eye;
use crate::render::panes::pane::Cut;
use crate::view::View;

/// Look of one actor in a pane.
#[derive(Clone, Copy)]
pub(crate) struct ActorLook<'a> {
    pub programs: &'a PartPrograms,
    /// Light on the file's materials; `None` where no lit material is shown.
    pub lights: Option<&'a Lights>,
    pub eye: &'a Eye,
    pub view: &'a View,
    /// Index of the actor in the frame.
    pub actor: usize,
    pub cut: Cut,
    /// True where blended fragments are linear light, encoded by the picture.
    pub blends_light: bool,
    /// Samples per pixel.
    pub samples: u32,
}
