//! Vertices that a picture points out.

use std::sync::Arc;

use glam::Vec3;

use crate::rig::{Posed, Rig};
use crate::skinning::{Method, Palette, deform, subset};

/// Vertices of one primitive of one mesh instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Index into `Rig::instances`.
    pub instance: usize,
    /// Position in the list of the mesh's primitives.
    pub primitive: usize,
    /// Which.
    pub vertices: Arc<[u32]>,
}

impl Mark {
    /// Where the vertices are in a pose, world space; none where the mark is of another rig.
    ///
    /// *Shapes*: `palettes` as [`crate::skinning::palettes`] gives them.
    pub fn positions(&self, rig: &Rig, posed: &Posed, palettes: &[Palette], method: Method) -> Vec<Vec3> {
        let instance = rig.instances.get(self.instance);
        let primitive = instance.and_then(|i| rig.meshes.get(i.mesh)).and_then(|m| m.primitives.get(self.primitive));
        let Some((primitive, palette)) = primitive.zip(palettes.get(self.instance)) else { return Vec::new() };
        let morph_weights = posed.morph_weights.get(self.instance).map(Vec::as_slice).unwrap_or_default();
        deform(&subset(primitive, &self.vertices), palette, morph_weights, method).positions
    }
}
