//! Weight leak: weight that reaches a point through the air instead of through the body.

use super::body::Body;
use super::bone_weights::PointWeights;
use super::voxel::{VoxelDistances, Wave};
use crate::jobs::{Progress, try_map_with};
use crate::rig::JaggedArray;

/// Ratio of the distance through the body to the straight distance, above which a weight leaks. Around a right
/// angle, such as a bent elbow, where one joint may move the skin on both sides, the ratio is at most 1.42.
const FACTOR: f32 = 1.5;

/// Tolerance for errors in distances through the body, in cells.
const ROUNDING: f32 = 2.0;

/// Computes the fraction of each point's weight, 0 to 1, that comes from joints much nearer in a straight line than
/// through the body, as when a finger drags its neighbour. `None` if cancelled. For `cells`, see
/// [`super::Recipe::cells`].
///
/// Components that no joint reaches through the inside do not leak, nor does a body without triangles.
///
/// *Accuracy*: a weight leaks if its distance through the body exceeds 1.5 times the straight distance plus two cells.
/// Gaps narrower than a cell are not resolved.
pub fn leak(body: &Body, shares: &PointWeights, cells: Option<u16>, progress: &Progress) -> Option<Vec<f32>> {
    let mut leak = vec![0.0; body.points.len()];
    if body.triangles.is_empty() || body.bones.is_empty() {
        return Some(leak);
    }
    let inside = VoxelDistances::new(body, cells, progress)?;
    let weights = (0..shares.len())
        .flat_map(|point| shares.row(point).map(move |(bone, weight)| (u32::from(bone), (point as u32, weight))));
    let of_bones = JaggedArray::new(body.bones.len(), weights);
    let leaking = |wave: &mut Wave<'_>, &bone: &usize| {
        let reached = of_bones.row(bone).iter().filter_map(|&(point, weight)| {
            let at = body.points[point as usize];
            let (cell, place) = inside.cell_at(at)?;
            let max_distance = FACTOR * inside.straight(body, bone, at, place) + ROUNDING;
            Some((point, weight, cell, place, max_distance))
        });
        let reached: Vec<_> = reached.collect();
        let max_distance = reached.iter().map(|(.., max_distance)| *max_distance).fold(0.0, f32::max);
        wave.run(&inside.sources[bone], |_| max_distance, progress)?;
        progress.add(1);
        let is_leak = |cell, place, max_distance| {
            wave.distance(cell).is_infinite() || wave.distance_at(cell, place) > max_distance
        };
        let leaks =
            reached.into_iter().filter(|(_, _, cell, place, max_distance)| is_leak(*cell, *place, *max_distance));
        Some(leaks.map(|(point, weight, ..)| (point, weight)).collect::<Vec<_>>())
    };
    let bones: Vec<usize> = (0..body.bones.len()).collect();
    let found = try_map_with(&bones, progress, || Wave::new(&inside.solid), leaking)?;
    for (point, weight) in found.into_iter().flatten() {
        leak[point as usize] += weight;
    }
    Some(leak)
}

/// Returns the mean leak, 0 to 1, from the result of [`leak`]; 0 without points.
pub fn leak_score(leak: &[f32]) -> f32 {
    (leak.iter().map(|&leak| f64::from(leak)).sum::<f64>() / leak.len().max(1) as f64) as f32
}
