use super::primitive_programs::PrimitivePrograms;
use crate::render::light::lights::Lights;
use crate::render::panes::eye::PaneCamera;
use crate::render::panes::pane::ClipHalfPlane;
use crate::view::View;

#[derive(Clone, Copy)]
pub(crate) struct ActorDraw<'a> {
    pub programs: &'a PrimitivePrograms,
    /// `None` if no lit material is shown.
    pub lights: Option<&'a Lights>,
    pub eye: &'a PaneCamera,
    pub view: &'a View,
    pub actor: usize,
    pub cut: ClipHalfPlane,
    /// True if fragments blend in linear light, encoded by the driver.
    pub blends_light: bool,
    pub samples: u32,
}
