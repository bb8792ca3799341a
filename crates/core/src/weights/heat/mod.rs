//! Weights as heat: every bone heats the points that see it, and heat spreads along the surface only.
//!
//! ```text
//! -Δ w_i + H w_i = H p_i,   H = k / d²
//! ```
//! `w_i` are the weights of bone i. `d` is the distance from a point to the nearest bone that it sees. `p_i` is 1 if
//! that bone is i, or `1 / k` if k bones are equally near. `H` is 0 at points that see no bone. `Δ` is the Laplacian of
//! the welded surface with positive cotangent weights, so that weights are at least 0 and sum to 1 for any mesh.
//!
//! *Source*: Baran and Popović 2007, *Automatic rigging and animation of 3D characters*, section 4.

mod sight;

use super::body::Body;
use super::bone_weights::PointWeights;
use super::spec::{WeightingResult, WeightingSpec, WeightingTask};
use super::spread::{WeightSources, spread};
use super::surface::{Network, TriangleTree, touching_points};
use crate::jobs::Progress;
pub(super) use sight::{GRAZING, MAX_TRIED_BONES, VisibleBones, nearest_first, outward};
use sight::{nearest, seen};

pub(super) const SPEC: WeightingSpec = WeightingSpec {
    name: "heat",
    title: "Heat",
    hint: "Heat from each bone spreads along the surface and not through the air. Smooth; wants a closed surface with its bones inside.",
    source: "Baran and Popović 2007",
    make,
};

/// A component counts as blind if less than this fraction of its points see a bone, since so few may see it by chance,
/// such as through a sleeve.
const SEEING: f32 = 0.1;

fn make(WeightingTask { body, progress, .. }: WeightingTask<'_>) -> Option<WeightingResult> {
    let mut notes = Vec::new();
    let network = connected(body, &mut notes, progress)?;
    let (piece, count) = network.components();
    let mut seen = seen(body, &piece, count, progress)?;
    let blind = clear_blind_components(&mut seen, &piece, count);
    if blind == count {
        seen = body.map_points(progress, |point| nearest(body, point))?;
        notes.push(
            "No part of the surface sees a bone: heat comes from the nearest ones, whatever is between.".to_owned(),
        );
    } else if blind > 0 {
        let (have, their) = if blind == 1 { ("has", "its") } else { ("have", "their") };
        notes.push(format!(
            "{blind} of {count} mesh parts {have} no visible bone; {their} weights are copied from the nearest part and may detach."
        ));
    }
    let shares = solve_heat(body, &network, &seen, 1.0, &mut notes, progress)?;
    Some(WeightingResult { shares, notes })
}

/// Returns the network along which heat spreads. Appends a note to `notes` with the number of points at which
/// components touch, because heat passes there.
pub(super) fn connected(body: &Body, notes: &mut Vec<String>, progress: &Progress) -> Option<Network> {
    progress.enter("Connecting the surface", 0, 1);
    let (network, touching) = rayon::join(
        || Network::new(&body.points, &body.triangles, progress),
        || touching_points(body.points.len(), &body.triangles),
    );
    if touching > 0 {
        notes.push(format!(
            "{touching} of {} points connect components that touch only there; heat passes between them.",
            body.points.len()
        ));
    }
    network
}

/// Clears the visible bones of components in which hardly any point sees a bone; returns the number of these
/// components.
pub(super) fn clear_blind_components(seen: &mut [Option<VisibleBones>], piece: &[u32], count: usize) -> usize {
    let mut seeing = vec![(0_u32, 0_u32); count];
    for (seen, &piece) in seen.iter().zip(piece) {
        let (seeing, all) = &mut seeing[piece as usize];
        *seeing += u32::from(seen.is_some());
        *all += 1;
    }
    let is_blind: Vec<bool> = seeing.iter().map(|&(seeing, all)| (seeing as f32) < SEEING * all as f32).collect();
    for (seen, _) in seen.iter_mut().zip(piece).filter(|(_, piece)| is_blind[**piece as usize]) {
        *seen = None;
    }
    is_blind.iter().filter(|is_blind| **is_blind).count()
}

/// Computes heat weights from the bones that each point sees. `strength` scales the heat. Components without heat take
/// the weights of the nearest surface.
pub(super) fn solve_heat(
    body: &Body,
    network: &Network,
    seen: &[Option<VisibleBones>],
    strength: f64,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Option<PointWeights> {
    let min_distance = 1e-4 * body.size();
    let strength = |(seen, area): (&Option<VisibleBones>, &f64)| {
        let Some(VisibleBones { bones, distance }) = seen else { return 0.0 };
        let heat = strength * bones.len() as f64 / f64::from(distance.max(min_distance)).powi(2);
        (heat * area).max(f64::MIN_POSITIVE)
    };
    let strengths = seen.iter().zip(&network.areas).map(strength).collect();
    let shares = PointWeights::computed(seen.len(), progress, |point, row| {
        let bones = seen[point].iter().flat_map(|seen| &seen.bones);
        bones.for_each(|&bone| row.add([(bone, 1.0)], 1.0));
        row.keep(0.0);
    })?;
    let shares = spread(&body.points, network, &WeightSources { strengths, shares }, notes, progress)?;
    join(body, shares, progress)
}

/// Gives points without weights the weights of the nearest surface, so that a buckle follows its belt.
fn join(body: &Body, shares: PointWeights, progress: &Progress) -> Option<PointWeights> {
    let has_shares = |point: &u32| shares.row(*point as usize).len() > 0;
    if (0..body.points.len() as u32).all(|point| has_shares(&point)) {
        return Some(shares);
    }
    let weighted = (0..body.triangles.len()).filter(|&t| body.triangles[t].iter().all(has_shares));
    let tree = TriangleTree::new(&body.points, &body.triangles, weighted);
    PointWeights::computed(body.points.len(), progress, |number, row| {
        let point = body.points[number];
        if shares.row(number).len() > 0 {
            row.add(shares.row(number), 1.0);
        } else if let Some(place) = tree.nearest(point, f32::INFINITY) {
            let corners = body.triangles[place.triangle].iter().zip(place.shares);
            corners.for_each(|(&corner, share)| row.add(shares.row(corner as usize), share));
        } else {
            let nearest = body.distances(point).min_by(|a, b| a.1.total_cmp(&b.1));
            row.add(nearest.map(|(bone, _)| (bone, 1.0)), 1.0);
        }
    })
}
