//! Geodesic voxel weights: by distance to bones through the inside of the body, so that nothing leaks between limbs.
//! *Source*: Dionne and de Lasa 2013, *Geodesic Voxel Binding for Production Character Meshes*. Cells fill the body,
//! even if its surface has holes. Distances run through the cells, and a falloff divides each point's weight among the
//! nearest bones. Unlike in the paper, cells that the outside cannot reach count as inside too, and distances follow
//! straight lines instead of steps between cells; see [`wave::Wave`].

mod flood;
mod grid;
mod inside;
mod nearest_bones;
mod queue;
mod reach;
mod resolution;
mod solid;
mod sources;
mod surface;
mod wave;
mod winding;

use glam::Vec3;

use super::bone_weights::PointWeights;
use super::closest;
use super::spec::{WeightingResult, WeightingSpec, WeightingTask};
pub(super) use inside::VoxelDistances;
use nearest_bones::nearest_bones;
pub(super) use solid::Solid;
pub(super) use wave::Wave;

pub(super) const SPEC: WeightingSpec = WeightingSpec {
    name: "voxel",
    title: "Geodesic voxel",
    hint: "Weights by distance to bones through the inside of the body. Accepts any mesh, even with holes. Cells must be smaller than the gaps between limbs; distances are accurate to about one cell.",
    source: "Dionne and de Lasa 2013, Geodesic Voxel Binding for Production Character Meshes",
    make,
};

/// Bones within this distance of a point, in cells, count as equally near, so that a point on two bones follows both.
const ON_BONE: f32 = 0.05;

fn make(task: WeightingTask<'_>) -> Option<WeightingResult> {
    let WeightingTask { body, cells, progress } = task;
    if body.triangles.is_empty() {
        let note = "There are no triangles and so no inside: weights are by straight distance.";
        return Some(WeightingResult { notes: vec![note.to_owned()], ..closest::make(task)? });
    }
    let inside = VoxelDistances::new(body, cells, progress)?;
    let nearest = nearest_bones(body, &inside, progress)?;
    let notes = notes(&inside, nearest.unreached, cells);
    let straight = |point: Vec3| body.distances(point).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(bone, _)| (bone, 1.0));
    let row = |(nearest, &point): (Vec<(u16, f32)>, &Vec3)| {
        if nearest.is_empty() { Vec::from_iter(straight(point)) } else { shared(nearest) }
    };
    let shares = PointWeights::from_rows(nearest.of_points.into_iter().zip(&body.points).map(row));
    Some(WeightingResult { shares, notes })
}

/// Converts distances, nearest first, to weights that sum to 1, by the paper's falloff `1 / ((1 - α) d + α d²)²`
/// with α = 1. A smaller α makes the result depend on the unit of length and lets bones reach far into their
/// neighbours.
fn shared(mut nearest: Vec<(u16, f32)>) -> Vec<(u16, f32)> {
    let Some(&(_, min_distance)) = nearest.first() else { return nearest };
    for (_, value) in &mut nearest {
        let ratio = min_distance.max(ON_BONE) / value.max(ON_BONE);
        *value = ratio * ratio * ratio * ratio;
    }
    let sum: f32 = nearest.iter().map(|(_, share)| share).sum();
    for (_, share) in &mut nearest {
        *share /= sum;
    }
    nearest
}

fn notes(inside: &VoxelDistances, unreached: usize, cells: Option<u16>) -> Vec<String> {
    let longest = inside.solid.frame.size.into_iter().max().unwrap_or_default();
    let outside = inside.sources.iter().filter(|sources| sources.is_outside()).count();
    let mut notes = Vec::new();
    if let Some(cells) = cells.filter(|cells| longest < usize::from(*cells)) {
        notes.push(format!(
            "There are {longest} cells along the longest side and not {cells}, which would take too long."
        ));
    }
    if outside > 0 {
        notes.push(format!("Joints outside the mesh, which act from the nearest point inside: {outside}."));
    }
    if unreached > 0 {
        notes.push(format!(
            "Points that no joint reaches through the inside, which copy the weights of the nearest reached point: {unreached}."
        ));
    }
    notes
}
