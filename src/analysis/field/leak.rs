//! Weight leak as a field.

use std::collections::BTreeMap;

use crate::jobs::Progress;
use crate::rig::{MeshInstance, Primitive, PrimitiveIndex, Rig};
use crate::weights::{Body, leak};

/// Share of each vertex's weights that leaks, 0 to 1: weights of joints much nearer in a straight line than through the body. NaN on primitives
/// without a skin; `None` if cancelled. As exact as [`leak`](fn@leak): distances are known to within two cells.
pub fn weight_leak(rig: &Rig, progress: &Progress) -> Option<Vec<Vec<f32>>> {
    let mut of_primitives: BTreeMap<(usize, usize), Vec<f32>> = BTreeMap::new();
    for body in Body::of(rig, |_| false) {
        let leak = leak(&body, &body.shares(rig), None, progress)?;
        for part in &body.parts {
            let of_vertices = part.points.iter().map(|&point| leak[point as usize]).collect();
            of_primitives.insert((part.mesh, part.primitive), of_vertices);
        }
    }
    let of_part = |(part, (instance, primitive)): (PrimitiveIndex, (&MeshInstance, &Primitive))| {
        let known = of_primitives.get(&(instance.mesh, part.primitive)).filter(|_| instance.skin.is_some());
        known.cloned().unwrap_or_else(|| vec![f32::NAN; primitive.positions.len()])
    };
    Some(rig.parts().zip(rig.primitives()).map(of_part).collect())
}
