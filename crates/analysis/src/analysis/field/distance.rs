//! Per-vertex distance between two surfaces.

use glam::Vec3;
use rayon::prelude::*;

use super::each_vertex;
use rigscope_core::matching::VertexPairs;
use rigscope_core::skinning::Deformed;

/// Returns the distance, in metres, between corresponding vertices of two surfaces of one rig.
pub fn distance(a: &[Vec<Deformed>], b: &[Vec<Deformed>]) -> Vec<Vec<f32>> {
    let parts = a.iter().flatten().zip(b.iter().flatten());
    parts
        .map(|(a, b)| {
            let (a, b) = (&a.positions, &b.positions);
            each_vertex(a.len().min(b.len()), |v| a[v].distance(b[v]))
        })
        .collect()
}

/// Returns the distance, in metres, from each vertex to its counterpart on the other character; NaN if it has none.
pub fn distances(pairs: &VertexPairs, [first, second]: [&[Vec<Deformed>]; 2]) -> [Vec<Vec<f32>>; 2] {
    match pairs {
        VertexPairs::InOrder => {
            let both = distance(first, second);
            [both.clone(), both]
        }
        VertexPairs::ByPlace { to_second, to_first } => {
            [distances_to(first, second, to_second), distances_to(second, first, to_first)]
        }
    }
}

fn distances_to(own: &[Vec<Deformed>], others: &[Vec<Deformed>], counterparts: &[u32]) -> Vec<Vec<f32>> {
    let others: Vec<Vec3> = others.iter().flatten().flat_map(|part| part.positions.iter().copied()).collect();
    let mut first = 0;
    let part = |deformed: &Deformed| {
        let counterparts = counterparts.get(first..first + deformed.positions.len()).unwrap_or_default();
        first += deformed.positions.len();
        let pairs = deformed.positions.par_iter().zip(counterparts);
        pairs.map(|(p, at)| others.get(*at as usize).map_or(f32::NAN, |other| p.distance(*other))).collect()
    };
    own.iter().flatten().map(part).collect()
}
