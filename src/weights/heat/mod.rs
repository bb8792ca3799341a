//! Weights as heat: every bone heats the points that see it, and heat spreads along the surface alone.
//!
//! ```text
//! -Δ w_i + H w_i = H p_i,   H = k / d²
//! ```
//! with `w_i` the weights of bone i, `d` the distance of a point from the nearest bone that it sees, `p_i` 1 where that is bone i (`1 / k` where k bones are
//! equally near) and `H` 0 where a point sees none. `Δ` is the Laplacian of the welded surface with positive cotangent weights, so that weights are no less
//! than 0 and sum to 1, whatever the triangles are.
//!
//! *Source*: Baran and Popović 2007, *Automatic rigging and animation of 3D characters*, section 4.

mod join;
mod sight;

use super::body::Body;
use super::spec::{MadeShares, WeightingSpec, WeightingTask};
use super::spread::{Pull, spread};
use super::surface::{Network, touching_points};
use crate::jobs::Progress;
use join::join;
use sight::{Seen, nearest, seen};

pub(super) const SPEC: WeightingSpec = WeightingSpec {
    name: "heat",
    title: "Heat",
    hint: "Heat from each bone spreads along the surface and not through the air. Smooth; wants a closed surface with its bones inside.",
    source: "Baran and Popović 2007",
    make,
};

/// Share of a piece's points that must see a bone; where fewer do, it is by chance, through a sleeve or from outside.
const SEEING: f32 = 0.1;

fn make(WeightingTask { body, progress, .. }: WeightingTask<'_>) -> Option<MadeShares> {
    progress.enter("Connecting the surface", 0, 1);
    let network = Network::of(&body.points, &body.triangles, progress)?;
    let mut notes = Vec::new();
    let touching = touching_points(body.points.len(), &body.triangles);
    if touching > 0 {
        notes.push(format!(
            "{touching} of {} points join parts of the surface that touch there and nowhere around: heat passes between these parts.",
            body.points.len()
        ));
    }
    let pulls = pulls(body, &network, &mut notes, progress)?;
    let shares = spread(&body.points, &network, &pulls, &mut notes, progress)?;
    let joined = join(body, &shares, progress)?;
    Some(MadeShares { shares: joined, notes })
}

/// Pull of each point towards the bones that it sees.
fn pulls(body: &Body, network: &Network, notes: &mut Vec<String>, progress: &Progress) -> Option<Vec<Pull>> {
    let (piece, count) = network.pieces();
    let mut seen = seen(body, &piece, count, progress)?;
    let mut seeing = vec![(0_u32, 0_u32); count];
    for (seen, &piece) in seen.iter().zip(&piece) {
        let (seeing, all) = &mut seeing[piece as usize];
        *seeing += u32::from(seen.is_some());
        *all += 1;
    }
    let is_blind: Vec<bool> = seeing.iter().map(|&(seeing, all)| (seeing as f32) < SEEING * all as f32).collect();
    let blind = is_blind.iter().filter(|is_blind| **is_blind).count();
    if blind == count {
        seen = body.by_point(progress, |point| nearest(body, point))?;
        notes.push(
            "No part of the surface sees a bone: heat comes from the nearest ones, whatever is between.".to_owned(),
        );
    } else {
        for (seen, _) in seen.iter_mut().zip(&piece).filter(|(_, piece)| is_blind[**piece as usize]) {
            *seen = None;
        }
        if blind > 0 {
            let (have, their) = if blind == 1 { ("has", "its") } else { ("have", "their") };
            notes.push(format!(
                "{blind} of {count} mesh parts {have} no visible bone; {their} weights are copied from the nearest part and may detach."
            ));
        }
    }
    let least = 1e-4 * body.size();
    let pull = |(seen, area): (Option<Seen>, &f64)| {
        let Some(Seen { bones, distance }) = seen else { return Pull::default() };
        let heat = bones.len() as f64 / f64::from(distance.max(least)).powi(2);
        let share = 1.0 / bones.len() as f32;
        let strength = (heat * area).max(f64::MIN_POSITIVE);
        Pull { strength, shares: bones.into_iter().map(|bone| (bone, share)).collect() }
    };
    Some(seen.into_iter().zip(&network.areas).map(pull).collect())
}
