//! Two surfaces beside each other.

use super::each_vertex;
use crate::skinning::Deformed;

/// Distance between the vertices of two surfaces of one rig, metres.
pub fn distance(a: &[Vec<Deformed>], b: &[Vec<Deformed>]) -> Vec<Vec<f32>> {
    let parts = a.iter().flatten().zip(b.iter().flatten());
    parts
        .map(|(a, b)| {
            let (a, b) = (&a.positions, &b.positions);
            each_vertex(a.len().min(b.len()), |v| a[v].distance(b[v]))
        })
        .collect()
}
