//! Transfers weights of one rig to the meshes of another: for clothes, and for models that were edited after they were rigged.
//!
//! A point takes the weights of the nearest surface if that is near and faces the same way; the others are filled in from those around as smoothly as
//! possible without negative weights: by a harmonic field, where the paper uses a biharmonic one.
//!
//! *Source*: Abdrashitov, Raichstat, Monsen and Hill 2023, *Robust skin weights transfer via weight inpainting*.

mod alignment;
mod bones;

use glam::{Affine3, Vec3};

use super::body::Body;
use super::computed::Computed;
use super::of_vertices::of_vertices;
use super::shares::{RowSum, Shares};
use super::spread::{Pulls, spread};
use super::surface::{Nearest, Network, TriangleTree, normals};
use crate::jobs::Progress;
use crate::rig::{Rig, WeightSet};
use alignment::{difference, from_skin_to_skin};
use bones::BoneMatch;

/// Largest distance of a match, as a share of the size of the body that receives the weights.
const REACH: f32 = 0.05;
/// Cosine of the largest angle between the normals of a match, 30°.
const AGREEING: f32 = 0.866;

/// The weights of `from` on the meshes of `rig`, with joints matched by name and both aligned at rest; the same on every machine.
///
/// Primitives that share no joint with `from` keep their weights; what has no counterpart is noted. `None` if cancelled.
pub fn transfer(rig: &Rig, from: &Rig, progress: &Progress) -> Option<Computed> {
    let mut computed = Computed { weights: WeightSet::unchanged(rig), notes: Vec::new() };
    let sources = Body::of(from, |_| false);
    for body in Body::of(rig, |_| false) {
        let matches = sources.iter().map(|source| (source, BoneMatch::between((from, source), (rig, &body))));
        let better = |best: (_, BoneMatch), next: (_, BoneMatch)| if next.1.count > best.1.count { next } else { best };
        let Some((source, bones)) = matches.reduce(better).filter(|(_, bones)| bones.count > 0) else {
            computed
                .notes
                .push("No joint of the other file is one of those here: weights stay as they are.".to_owned());
            continue;
        };
        let source_shares = bones.renamed(&source.shares(from));
        computed.notes.extend(bones.note(from, source));
        let placed = placed(source, from_skin_to_skin((from, source), (rig, &body)));
        computed.notes.extend(difference(&placed, &body));
        let shares = carried(&body, &placed, &source_shares, &mut computed.notes, progress)?;
        for part in &body.parts {
            computed.weights.set(part.mesh, part.primitive, of_vertices(rig, (&body, part), &shares));
        }
    }
    Some(computed)
}

/// A body transformed into another space.
fn placed(body: &Body, space: Affine3) -> Body {
    let points = body.points.iter().map(|point| space.transform_point3(*point)).collect();
    Body { points, ..body.clone() }
}

/// Shares of the points of a body, from those of another in the same space with the same bone numbers.
fn carried(
    body: &Body,
    source: &Body,
    source_shares: &Shares,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Option<Shares> {
    let has_shares = |triangle: &usize| {
        source.triangles[*triangle].iter().all(|&corner| source_shares.row(corner as usize).len() > 0)
    };
    let weighted = (0..source.triangles.len()).filter(has_shares);
    let tree = TriangleTree::new(&source.points, &source.triangles, weighted);
    let [own_normals, source_normals] = [body, source].map(|body| normals(&body.points, &body.triangles));
    let add = |place: &Nearest, row: &mut RowSum| {
        let corners = source.triangles[place.triangle].iter().zip(place.shares);
        corners.for_each(|(&corner, share)| row.add(source_shares.row(corner as usize), share));
    };
    let reach = REACH * body.size();
    let matches = body.by_point_number(progress, |number, point| {
        let place = tree.nearest(point, reach)?;
        let corners = source.triangles[place.triangle].iter().zip(place.shares);
        let normal: Vec3 = corners.map(|(&corner, share)| source_normals[corner as usize] * share).sum();
        (normal.normalize_or_zero().dot(own_normals[number]) >= AGREEING).then_some(place)
    })?;
    let shares = Shares::made(matches.len(), progress, |point, row| {
        matches[point].iter().for_each(|place| add(place, row));
    })?;
    let strengths = matches.iter().map(|place| if place.is_some() { f64::INFINITY } else { 0.0 }).collect();
    let pulls = Pulls { strengths, shares };
    let network = Network::of(&body.points, &body.triangles, progress)?;
    let shares = spread(&body.points, &network, &pulls, notes, progress)?;
    let matched = matches.iter().flatten().count();
    let apart = shares.rows().filter(|row| row.len() == 0).count();
    if matched + apart < body.points.len() {
        let filled = body.points.len() - matched - apart;
        notes.push(format!("{filled} of {} points have no match and are filled in from around.", body.points.len()));
    }
    if apart > 0 {
        notes.push(format!(
            "{apart} of {} points are in pieces without any match and take the nearest weights, however far.",
            body.points.len()
        ));
    }
    Shares::made(body.points.len(), progress, |point, row| {
        if shares.row(point).len() > 0 {
            row.add(shares.row(point), 1.0);
        } else {
            tree.nearest(body.points[point], f32::INFINITY).iter().for_each(|place| add(place, row));
        }
    })
}
