//! A side of a comparison in a pane.

use super::part_programs::PartPrograms;
use crate::render::panes::eye::Eye;
use crate::render::panes::pane::Cut;
use crate::view::{Side, View};

/// One side as it is drawn into a pane.
#[derive(Clone, Copy)]
pub struct SideLook<'a> {
    pub programs: &'a PartPrograms,
    pub eye: &'a Eye,
    pub view: &'a View,
    pub side: Side,
    pub cut: Cut,
}
