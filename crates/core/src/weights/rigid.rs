//! Rigid weights, as for toys and robots: each point follows only its nearest bone.

use super::bone_weights::PointWeights;
use super::spec::{WeightingResult, WeightingSpec, WeightingTask};

pub(super) const SPEC: WeightingSpec = WeightingSpec {
    name: "rigid",
    title: "Rigid",
    hint: "Every vertex by its nearest bone alone. Nothing bends; for machines, and as a baseline.",
    source: "",
    make,
};

fn make(WeightingTask { body, progress, .. }: WeightingTask<'_>) -> Option<WeightingResult> {
    let rows = body.map_points(progress, |point| {
        let nearest = body.distances(point).min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map(|(bone, _)| (bone, 1.0)).into_iter().collect()
    })?;
    Some(WeightingResult { shares: PointWeights::from_rows(rows), ..WeightingResult::default() })
}
