//! Weights that need no choice: heat that comes through layers of clothing, from bones that reach through their regions.
//!
//! Heat along the surface keeps limbs apart and is smooth, but what lies over something else sees no bone. Here a point sees through what lies close beneath it,
//! as a sleeve over an arm, and the weights of layers are those of what they lie on. What still sees nothing has the bone that is nearest through the inside.
//!
//! *Source*: Baran and Popović 2007, as for heat, and the way through the inside of Dionne and de Lasa 2013.

mod layers;
mod nearness;
mod reach;
mod thickness;

use nearness::Nearness;

use super::body::Body;
use super::closest;
use super::heat::{Seen, blinded, connected, heated};
use super::spec::{MadeShares, WeightingSpec, WeightingTask};
use super::voxel::Inside;
use crate::jobs::Progress;

pub(super) const SPEC: WeightingSpec = WeightingSpec {
    name: "auto",
    title: "Automatic",
    hint: "For characters of any kind: heat that comes through layers of clothing, from bones that reach through their regions; what sees no bone has the nearest through the inside.",
    source: "Baran and Popović 2007; Dionne and de Lasa 2013",
    make,
};

/// Times as strong as in the paper that bones pull: regions of artists have narrower borders.
const STRENGTH: f64 = 2.5;

fn make(task: WeightingTask<'_>) -> Option<MadeShares> {
    let WeightingTask { body, cells, progress } = task;
    if body.triangles.is_empty() {
        let note = "There are no triangles and so no inside: weights are by straight distance.";
        return Some(MadeShares { notes: vec![note.to_owned()], ..closest::make(task)? });
    }
    let mut notes = Vec::new();
    let network = connected(body, &mut notes, progress)?;
    let (piece, count) = network.pieces();
    let solid = Inside::solid(body, cells, progress)?;
    let body = &reach::through(body, &solid, progress)?;
    let radii = thickness::radii(body, &solid, progress)?;
    let body = &nearness::branched(body, &radii);
    let sights = layers::sights(body, &Nearness::new(body, &radii), &piece, count, progress)?;
    let (mut seen, beneath): (Vec<_>, Vec<_>) =
        sights.into_iter().map(|sight| sight.map_or((None, None), |sight| (Some(sight.seen), sight.beneath))).unzip();
    let blind = blinded(&mut seen, &piece, count);
    if blind > 0 {
        let inside = Inside::filled(solid, body, progress)?;
        see_inside(body, &inside, &mut seen, &piece, count, progress)?;
        notes.push(format!(
            "{blind} of {count} mesh parts see no bone: each point of theirs has the nearest through the inside."
        ));
    }
    let shares = heated(body, &network, seen, STRENGTH, &mut notes, progress)?;
    let shares = layers::followed(body, &shares, &beneath, progress)?;
    Some(MadeShares { shares, notes })
}

/// Gives the points of pieces without any sight the bone that is nearest through the inside. `None` where the job was cancelled.
fn see_inside(
    body: &Body,
    inside: &Inside,
    seen: &mut [Option<Seen>],
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
        Some(Seen { bones: vec![bone], distance })
    })?;
    for (seen, nearest) in seen.iter_mut().zip(nearest) {
        if nearest.is_some() {
            *seen = nearest;
        }
    }
    Some(())
}
