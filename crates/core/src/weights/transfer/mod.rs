//! Transfers weights of one rig to the meshes of another: for clothes, and for models edited after rigging.
//! Points close to a surface that faces the same way take its weights; a harmonic field fills in the other points. The
//! paper uses a biharmonic field, which allows negative weights.
//! *Source*: Abdrashitov, Raichstat, Monsen and Hill 2023, *Robust skin weights transfer via weight inpainting*.

mod bones;

use glam::{Affine3, Vec3};

use super::body::Body;
use super::bone_weights::{PointWeights, WeightAccumulator};
use super::spec::WeightResult;
use super::spread::{WeightSources, spread};
use super::surface::{ClosestTriangle, Network, TriangleTree, normals};
use super::vertex_influences::vertex_influences;
use crate::jobs::Progress;
use crate::rig::{Pose, Rig, WeightSet, evaluate};
use bones::BoneMatch;

/// Maximum distance of a match, relative to the size of the receiving body.
const REACH: f32 = 0.05;
/// Minimum cosine of the angle between the normals of a match (30°).
const AGREEING: f32 = 0.866;

/// Transfers the weights of `from` to the meshes of `rig`, matching joints by name and aligning both rigs at rest.
/// `None` if cancelled; otherwise the result is the same on every machine.
///
/// Bodies that have no joint in common with `from` keep their weights; notes list joints and points without a match.
pub fn transfer(rig: &Rig, from: &Rig, progress: &Progress) -> Option<WeightResult> {
    let mut computed = WeightResult { weights: WeightSet::unchanged(rig), notes: Vec::new() };
    let sources = Body::from_rig(from, |_| false);
    for body in Body::from_rig(rig, |_| false) {
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
            computed.weights.set(part.mesh, part.primitive, vertex_influences(rig, (&body, part), &shares));
        }
    }
    Some(computed)
}

fn placed(body: &Body, space: Affine3) -> Body {
    let points = body.points.iter().map(|point| space.transform_point3(*point)).collect();
    Body { points, ..body.clone() }
}

/// Transfers weights from `source` to the points of `body`. Both must be in the same space, and `source_shares` must
/// use the bone indices of `body`.
fn carried(
    body: &Body,
    source: &Body,
    source_shares: &PointWeights,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Option<PointWeights> {
    let has_shares = |triangle: &usize| {
        source.triangles[*triangle].iter().all(|&corner| source_shares.row(corner as usize).len() > 0)
    };
    let weighted = (0..source.triangles.len()).filter(has_shares);
    let tree = TriangleTree::new(&source.points, &source.triangles, weighted);
    let [own_normals, source_normals] = [body, source].map(|body| normals(&body.points, &body.triangles));
    let add = |place: &ClosestTriangle, row: &mut WeightAccumulator| {
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
    let shares = PointWeights::computed(matches.len(), progress, |point, row| {
        matches[point].iter().for_each(|place| add(place, row));
    })?;
    let strengths = matches.iter().map(|place| if place.is_some() { f64::INFINITY } else { 0.0 }).collect();
    let pulls = WeightSources { strengths, shares };
    let network = Network::new(&body.points, &body.triangles, progress)?;
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
    PointWeights::computed(body.points.len(), progress, |point, row| {
        if shares.row(point).len() > 0 {
            row.add(shares.row(point), 1.0);
        } else {
            tree.nearest(body.points[point], f32::INFINITY).iter().for_each(|place| add(place, row));
        }
    })
}

const OTHER_UNIT: f32 = 3.0;

/// Returns the transform from one body's skin space to another's, through world space.
fn from_skin_to_skin(from: (&Rig, &Body), onto: (&Rig, &Body)) -> Affine3 {
    let space = world_from_skin(onto).inverse() * world_from_skin(from);
    if space.is_finite() { space } else { Affine3::IDENTITY }
}

/// Returns the transform from skin space to the file's world space, computed from the topmost joint of the first skin
/// at rest. If the rest pose is the bind pose, all joints give the same transform.
fn world_from_skin((rig, body): (&Rig, &Body)) -> Affine3 {
    let rest = evaluate(rig, None, &Pose::rest(&rig.hierarchy)).file_from_node(&rig.hierarchy);
    let skin = body.parts.first().map(|part| &rig.skins[part.skin]);
    let joints = skin.into_iter().flat_map(|skin| skin.joints.iter().zip(&skin.inverse_bind));
    let topmost = joints.min_by_key(|(joint, _)| joint.index());
    topmost.map_or(Affine3::IDENTITY, |(joint, inverse_bind)| rest[joint.index()] * *inverse_bind)
}

fn difference(source: &Body, body: &Body) -> Option<String> {
    let [theirs, ours] = [source, body].map(Body::bounds);
    let factor = theirs.diagonal() / ours.diagonal();
    let is_apart = theirs.min.cmpgt(ours.max).any() || ours.min.cmpgt(theirs.max).any();
    if is_apart {
        Some("The two bodies don't overlap at rest: weights may come from the wrong locations.".to_owned())
    } else if !(1.0 / OTHER_UNIT..=OTHER_UNIT).contains(&factor) {
        Some(format!(
            "The other body is {factor:.2} times as large: it may use another unit or cover another part of the character."
        ))
    } else {
        None
    }
}
