use glam::Vec3;
use rayon::prelude::*;

use rigscope_core::rig::Primitive;

/// Minimum number of triangles for which per-vertex lighting saves more time than compiling its program takes.
const MANY: usize = 10_000;
const CHUNK: usize = 16_384;

/// Returns the area-weighted RMS of the triangles' longest edges, in mesh space. It is used to decide whether triangles
/// are small on screen. A single large triangle counts only in proportion to its area. Returns `None` if there are few
/// triangles or their area is zero.
pub(super) fn typical_edge(primitive: &Primitive) -> Option<f32> {
    if primitive.indices.len() < 3 * MANY {
        return None;
    }
    let at = |vertex: u32| primitive.positions[vertex as usize];
    let sums = |chunk: &[u32]| {
        let triangles = chunk.as_chunks().0.iter().map(|corners: &[u32; 3]| weighted(corners.map(at)));
        triangles.fold([0.0; 2], |sum: [f64; 2], [edge, area]| [sum[0] + edge, sum[1] + area])
    };
    let of_chunks: Vec<[f64; 2]> = primitive.indices.par_chunks(3 * CHUNK).map(sums).collect();
    let [edges, area] = of_chunks.iter().fold([0.0; 2], |sum, chunk| [sum[0] + chunk[0], sum[1] + chunk[1]]);
    Some((edges / area).sqrt() as f32).filter(|edge| edge.is_finite())
}

/// Returns the squared longest edge times the area, and the area, both doubled.
fn weighted([a, b, c]: [Vec3; 3]) -> [f64; 2] {
    let area = f64::from((b - a).cross(c - a).length());
    let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    [f64::from(longest) * area, area]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(count: u32, side: f32) -> Primitive {
        let place = |i: u32| side / count as f32 * Vec3::new((i % (count + 1)) as f32, (i / (count + 1)) as f32, 0.0);
        let cells = (0..count * count).map(|cell| cell / count * (count + 1) + cell % count);
        Primitive {
            positions: (0..(count + 1) * (count + 1)).map(place).collect(),
            indices: cells.flat_map(|i| [i, i + 1, i + count + 2, i, i + count + 2, i + count + 1]).collect(),
            ..Primitive::default()
        }
    }

    #[test]
    fn a_grid_has_the_diagonal_of_its_cells() {
        let edge = typical_edge(&square(200, 3.0)).unwrap();
        assert!((edge / (0.015 * 2.0_f32.sqrt()) - 1.0).abs() < 1e-4, "{edge}");
    }

    #[test]
    fn a_large_triangle_counts_by_what_it_covers() {
        let mut mixed = square(100, 1.0);
        let first = mixed.positions.len() as u32;
        mixed.positions.extend([Vec3::ZERO, Vec3::X, Vec3::Y].map(|corner| corner + Vec3::Z));
        mixed.indices.extend([0, 1, 2].map(|corner| first + corner));
        // Area 1 with squared edges of 0.0002, and area 1/2 with a squared edge of 2.
        let edge = typical_edge(&mixed).unwrap();
        assert!((edge * edge - (0.0002 + 1.0) / 1.5).abs() < 1e-4, "{edge}");
    }

    #[test]
    fn few_triangles_and_those_without_area_have_none() {
        assert_eq!(typical_edge(&square(70, 1.0)), None);
        assert_eq!(typical_edge(&square(71, 0.0)), None);
        assert_eq!(typical_edge(&square(71, f32::NAN)), None);
        assert!(typical_edge(&square(71, 1.0)).is_some());
    }
}
