//! Approximate posed bounds, without skinning all vertices on the CPU.

use crate::rig::{Bounds, Primitive};
use crate::skinning::Palette;

const SAMPLES: usize = 256;

/// Bounds of evenly sampled vertices, each moved by its heaviest joint: accurate enough for sorting and placing shadows.
pub(super) fn posed_bounds(primitive: &Primitive, palette: &Palette) -> Bounds {
    let mut bounds = Bounds::default();
    let step = primitive.positions.len().div_ceil(SAMPLES).max(1);
    for vertex in (0..primitive.positions.len()).step_by(step) {
        let heaviest =
            primitive.influences.as_ref().and_then(|i| i.vertex(vertex).next()).map_or(0, |(joint, _)| joint);
        if let Some(joint) = palette.joints.get(heaviest).or(palette.joints.first()) {
            bounds.add(joint.matrix.transform_point3(primitive.positions[vertex]));
        }
    }
    bounds
}
