//! Components that follow one joint, such as eyeballs and teeth.

use glam::Vec3;

use super::body::{Body, bones};
use super::bone_weights::PointWeights;
use crate::rig::{Bounds, NodeIndex, Rig, components};

/// Maximum size of an owned component, relative to the body's size.
const MAX_SIZE_FRACTION: f32 = 0.1;

/// Distance by which enclosed components, such as a cornea, may protrude, relative to the body's size.
const SLACK: f32 = 0.002;

/// Adds `owners` as bones. Each owns the smallest component around it and all components inside that component. Appends
/// a note to `notes` for each owner.
pub(super) fn with_owned_components(
    rig: &Rig,
    body: &mut Body,
    shares: PointWeights,
    owners: &[NodeIndex],
    notes: &mut Vec<String>,
) -> PointWeights {
    let owners = bones(rig, &body.skins(), |node| !owners.contains(&node));
    if owners.is_empty() {
        return shares;
    }
    let (piece, count) = components(body.points.len(), body.triangles.iter().copied());
    let mut boxes = vec![Bounds::default(); count];
    for (&piece, &point) in piece.iter().zip(&body.points) {
        boxes[piece as usize].add(point);
    }
    let size = body.size();
    let mut owner_of = vec![None; count];
    for owner in owners {
        let joint = owner.segments[0].head;
        let stands_in =
            |place: &&Bounds| place.diagonal() <= MAX_SIZE_FRACTION * size && holds(place, joint, joint, 0.0);
        let stood_in = boxes.iter().filter(stands_in).min_by(|a, b| a.diagonal().total_cmp(&b.diagonal()));
        let name = rig.hierarchy.name(owner.node);
        let (Some(stood_in), Ok(number)) = (stood_in, u16::try_from(body.bones.len())) else {
            notes.push(format!("{name} is not inside a component of its own and gets no weight."));
            continue;
        };
        body.bones.push(owner);
        let mut owned = 0;
        let within = |place: &Bounds| holds(stood_in, place.min, place.max, SLACK * size);
        for (piece, _) in boxes.iter().enumerate().filter(|(_, place)| within(place)) {
            owner_of[piece] = Some(number);
            owned += 1;
        }
        let components = match owned {
            1 => "the component that contains it".to_owned(),
            _ => format!("the component that contains it and {} inside that one", owned - 1),
        };
        notes.push(format!("{name} moves {components}, and nothing else."));
    }
    let row = |(point, &piece): (usize, &u32)| match owner_of[piece as usize] {
        Some(owner) => vec![(owner, 1.0)],
        None => shares.row(point).collect(),
    };
    PointWeights::from_rows(piece.iter().enumerate().map(row))
}

fn holds(place: &Bounds, low: Vec3, high: Vec3, slack: f32) -> bool {
    low.cmpge(place.min - slack).all() && high.cmple(place.max + slack).all()
}
