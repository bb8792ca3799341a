//! How thick the body is around its bones.

use std::f32::consts::TAU;

use glam::Vec3;

use super::reach::length_inside;
use crate::jobs::Progress;
use crate::weights::body::{Body, BodyBone, by_number};
use crate::weights::segment::Segment;
use crate::weights::voxel::Solid;

/// Places along a segment from which the surface is looked for, and directions across it.
const PLACES: u8 = 5;
const DIRECTIONS: u8 = 12;

/// By bone, metres from it straight across to the surface, the median of many ways; a cell at least. `None` where the job was cancelled.
pub(super) fn radii(body: &Body, solid: &Solid, progress: &Progress) -> Option<Vec<f32>> {
    by_number(body.bones.len(), progress, |bone| radius(&body.bones[bone], solid))
}

fn radius(bone: &BodyBone, solid: &Solid) -> f32 {
    let lengths = bone.segments.iter().flat_map(ways).map(|(from, direction)| length_inside(solid, from, direction));
    median(lengths.filter(|length| *length > 0.0).collect()).max(solid.frame.cell as f32)
}

/// Starts and directions of the ways across a segment.
fn ways(segment: &Segment) -> impl Iterator<Item = (Vec3, Vec3)> + use<> {
    let Segment { head, tail } = *segment;
    let (u, v) = (tail - head).normalize_or(Vec3::Y).any_orthonormal_pair();
    let place = move |place: u8| head.lerp(tail, (f32::from(place) + 0.5) / f32::from(PLACES));
    let direction = move |number: u8| {
        let (sin, cos) = (f32::from(number) / f32::from(DIRECTIONS) * TAU).sin_cos();
        u * cos + v * sin
    };
    (0..PLACES).flat_map(move |at| (0..DIRECTIONS).map(move |number| (place(at), direction(number))))
}

/// The lower of the two in the middle of an even number; 0 of none.
pub(super) fn median(mut values: Vec<f32>) -> f32 {
    values.sort_unstable_by(f32::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}
