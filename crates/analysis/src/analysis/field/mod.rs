//! Fields: one value per vertex of everything drawn, NaN where undefined.
//!
//! *Shapes*: one list per primitive, in the order of [`rigscope_core::rig::Rig::primitives`]. Ratios are base-2
//! logarithms, clamped to ±[`MAX_OCTAVES`], so that half and double are equally far from no change.

mod blended;
mod colors;
mod distance;
mod findings;
mod joint_weights;
mod normals;
mod stretch;
mod weights;

pub use blended::{antipodal, determinant};
pub use colors::{dominant_joint, joint_colors, node_colors};
pub use distance::{distance, distances};
pub use findings::findings;
pub use joint_weights::{VertexWeights, weight_steepness};
pub use normals::normal_deviation;
pub use stretch::{RestReference, area_stretch, determinant_ratio, edge_stretch};
pub use weights::{dq_blend_weights, influence_count, weight, weight_leak};

use rayon::prelude::*;

/// Ratios are clamped to this absolute base-2 logarithm: a factor of 1024 or 1/1024.
pub const MAX_OCTAVES: f32 = 10.0;

/// Returns log2 of `now / before`, clamped to ±[`MAX_OCTAVES`]. Ratios of 0 or less give the minimum. NaN if `before`
/// is 0.
fn octaves(now: f32, before: f32) -> f32 {
    let ratio = now / before;
    if ratio.is_nan() || before == 0.0 { f32::NAN } else { ratio.max(0.0).log2().clamp(-MAX_OCTAVES, MAX_OCTAVES) }
}

fn each_vertex<T: Send>(count: usize, value: impl Fn(usize) -> T + Sync) -> Vec<T> {
    const PIECE: usize = 4096;
    (0..count).into_par_iter().with_min_len(PIECE).map(&value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_octaves_and_collapse_is_the_least() {
        assert_eq!([octaves(2.0, 1.0), octaves(1.0, 4.0), octaves(3.0, 3.0)], [1.0, -2.0, 0.0]);
        assert_eq!([octaves(0.0, 1.0), octaves(-1.0, 2.0)], [-MAX_OCTAVES; 2]);
        assert_eq!(octaves(-3.0, -3.0), 0.0, "mirrored then and now");
        assert!(octaves(1.0, 0.0).is_nan() && octaves(f32::NAN, 1.0).is_nan());
    }
}
