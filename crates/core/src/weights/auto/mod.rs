//! Automatic weights: heat through layers of clothing, from bones extended through their regions.
//! Heat along the surface is smooth and keeps limbs apart, but covered surfaces see no bone. Here a point sees bones
//! through the surface just beneath it: a sleeve sees them through the arm. Such layers take the weights of the surface
//! beneath them. Points of components that still see no bone follow the bone nearest through the inside of the body.
//! *Source*: Baran and Popović 2007 for heat; Dionne and de Lasa 2013 for distances through the inside.

mod layers;
mod nearness;
mod reach;
mod rejoined;
mod rigid_components;

use glam::Vec3;
use nearness::WeightedBoneDistances;

use super::body::{Body, BodyBone};
use super::closest;
use super::heat::{VisibleBones, clear_blind_components, connected, solve_heat};
use super::spec::{WeightingResult, WeightingSpec, WeightingTask};
use super::voxel::{Solid, VoxelDistances};
use crate::jobs::Progress;

pub(super) const SPEC: WeightingSpec = WeightingSpec {
    name: "auto",
    title: "Automatic",
    hint: "For any character: heat through layers of clothing, from bones extended through their regions. Points that see no bone take the nearest one through the inside.",
    source: "Baran and Popović 2007; Dionne and de Lasa 2013",
    make,
};

/// Heat strength of bones, relative to the paper. Artists paint narrower transitions than the paper produces.
const STRENGTH: f64 = 2.5;

fn make(task: WeightingTask<'_>) -> Option<WeightingResult> {
    let WeightingTask { body, cells, progress } = task;
    if body.triangles.is_empty() {
        let note = "There are no triangles and so no inside: weights are by straight distance.";
        return Some(WeightingResult { notes: vec![note.to_owned()], ..closest::make(task)? });
    }
    let mut notes = Vec::new();
    let drawn = body;
    let network = connected(body, &mut notes, progress)?;
    let ((piece, count), solid) = rayon::join(|| network.components(), || VoxelDistances::solid(body, cells, progress));
    let solid = solid?;
    let movers = root_motion_bones(body, &solid);
    let count_of_movers = movers.iter().filter(|is_mover| **is_mover).count();
    if count_of_movers > 0 {
        notes.push(format!(
            "Root joints outside the mesh, which move the whole character and get no weight: {count_of_movers}."
        ));
    }
    let body = &rejoined::rejoin_skeletons(body, &solid, &movers, progress)?;
    let body = &reach::extend_bones(body, &solid, progress)?;
    let reached = body;
    let radii = reach::radii(body, &solid, progress)?;
    let body = &nearness::branched(body, &radii);
    let sights = layers::visible_bones(
        body,
        &solid,
        &WeightedBoneDistances::new(body, &radii, &movers),
        &piece,
        count,
        progress,
    )?;
    let (mut seen, beneath): (Vec<_>, Vec<_>) =
        sights.into_iter().map(|sight| sight.map_or((None, None), |sight| (Some(sight.seen), sight.beneath))).unzip();
    let blind = clear_blind_components(&mut seen, &piece, count);
    if blind > 0 {
        let inside = VoxelDistances::filled(solid, body, progress)?;
        see_inside(body, &inside, &mut seen, &piece, count, progress)?;
        notes.push(format!(
            "{blind} of {count} components see no bone; their points take the nearest bone through the inside."
        ));
    }
    let shares = solve_heat(body, &network, &seen, STRENGTH, &mut notes, progress)?;
    let shares = layers::blend_with_layers_beneath(body, shares, &beneath, progress)?;
    let shares =
        rigid_components::rigid_components([drawn, reached], shares, (&piece, count), &movers, &mut notes, progress)?;
    Some(WeightingResult { shares, notes })
}

/// Assigns to each point of a component that sees no bone the bone nearest through the inside of the body.
fn see_inside(
    body: &Body,
    inside: &VoxelDistances,
    seen: &mut [Option<VisibleBones>],
    piece: &[u32],
    count: usize,
    progress: &Progress,
) -> Option<()> {
    let mut is_blind = vec![true; count];
    for (seen, &piece) in seen.iter().zip(piece) {
        is_blind[piece as usize] &= seen.is_none();
    }
    let nearest = body.by_point_number(progress, |number, point| {
        let (bone, distance) = is_blind[piece[number] as usize].then(|| inside.nearest_bone(body, point))??;
        Some(VisibleBones { bones: vec![bone], distance })
    })?;
    for (seen, nearest) in seen.iter_mut().zip(nearest) {
        if nearest.is_some() {
            *seen = nearest;
        }
    }
    Some(())
}

/// A root joint counts as moving the whole character only if the point at this fraction of its bone's length is also
/// outside, because the bones of other root joints may start just outside the mesh.
const OUTSIDE: f32 = 0.25;

/// Marks joints that move the whole character: root joints outside the solid, such as one on the ground between the
/// feet.
fn root_motion_bones(body: &Body, solid: &Solid) -> Vec<bool> {
    body.bones.iter().map(|bone| bone.is_top && !bone.is_end && is_outside(bone, solid)).collect()
}

fn is_outside(bone: &BodyBone, solid: &Solid) -> bool {
    let is_outside = |place: Vec3| solid.at(solid.frame.to_grid(place)).is_none();
    is_outside(bone.segments[0].head)
        && bone.segments.iter().any(|segment| is_outside(segment.head.lerp(segment.tail, OUTSIDE)))
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::*;
    use crate::rig::NodeIndex;
    use crate::weights::body::BodyBone;
    use crate::weights::segment::Segment;

    fn tube(sides: u32) -> Body {
        let rings = 2 * sides;
        let point = |number: u32| {
            let (sin, cos) = ((number % sides) as f32 / sides as f32 * TAU).sin_cos();
            Vec3::new(0.2 * cos, (number / sides) as f32 / rings as f32 * 2.0, 0.2 * sin)
        };
        let squares = (0..rings - 1).flat_map(|ring| (0..sides).map(move |side| (ring, side)));
        let triangles = squares.flat_map(|(ring, side)| {
            let at = |ring: u32, side: u32| ring * sides + side % sides;
            let [a, b, c, d] = [at(ring, side), at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side)];
            [[a, d, c], [a, c, b]]
        });
        let bone = |number: u16| {
            let at = |number: u16| Vec3::Y * f32::from(number) * 0.25;
            let segments = vec![Segment { head: at(number), tail: at(number + 1) }];
            BodyBone {
                node: NodeIndex(u32::from(number)),
                segments,
                parent: number.checked_sub(1),
                is_top: number == 0,
                is_end: number == 7,
            }
        };
        Body {
            points: (0..rings * sides).map(point).collect(),
            triangles: triangles.collect(),
            bones: (0..8).map(bone).collect(),
            ..Body::default()
        }
    }

    #[test]
    fn a_joint_on_the_ground_moves_no_skin_and_one_just_outside_does() {
        for (below, is_moving) in [(1.0, false), (0.02, true)] {
            let mut body = tube(24);
            body.bones[0].segments[0].head = Vec3::NEG_Y * below;
            let progress = Progress::default();
            let WeightingResult { shares, .. } =
                make(WeightingTask { body: &body, cells: Some(24), progress: &progress }).unwrap();
            assert_eq!(shares.rows().flatten().any(|(bone, _)| bone == 0), is_moving, "{below}");
            assert!(shares.rows().all(|row| (row.map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-5));
        }
    }

    #[test]
    fn four_times_the_points_are_hardly_more_than_four_times_the_work() {
        let work = |sides: u32| {
            let progress = Progress::default();
            make(WeightingTask { body: &tube(sides), cells: Some(24), progress: &progress }).unwrap();
            progress.checks() as f64
        };
        let (small, large) = (work(40), work(80));
        assert!(large < 4.8 * small, "{small} and {large} steps");
    }
}
