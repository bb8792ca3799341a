//! Fits the signs of dual quaternions to points. A program that doesn't check them has those of its conversion from
//! matrices, and conversions differ.

use std::collections::BTreeMap;

use glam::DVec3;

use super::diagnosis::{FITS, ROUNDING};
use super::evaluate::{BlendedMotion, blended};
use super::matching::MatchedPoints;
use super::pipeline::{Blend, Pipeline, Signs, SumUse};
use super::raw::RawRig;

/// Vertices that each pair of joints is compared on, at least, if there are as many.
const VERTICES_PER_PAIR: usize = 8;

/// Vertices with more influences are left out: all combinations of signs are tried.
const MAX_INFLUENCES: usize = 8;

/// A vertex that several joints move, and the point that it should have.
struct SignedVertex {
    stretched: DVec3,
    motions: Vec<BlendedMotion>,
    point: DVec3,
}

/// Returns whether the quaternion of each joint is negated, by skin. Skins whose points no signs explain have none.
pub(super) fn fitted_signs(raw: &RawRig<'_>, usual: &Pipeline, matched: &MatchedPoints, size: f64) -> Vec<Vec<bool>> {
    let pipeline = Pipeline { method: Blend::DualQuaternion, signs: Signs::OfMatrices, ..*usual };
    let of_skin = |(skin, joints): (usize, usize)| {
        let vertices = vertices(raw, &pipeline, matched, skin);
        let mut votes = BTreeMap::new();
        for vertex in &vertices {
            vertex.vote(size, &mut votes);
        }
        let signs = signs_of_votes(joints, &votes);
        let is_far = |vertex: &&SignedVertex| {
            let is_negated = |at: usize| vertex.motions.get(at).is_some_and(|motion| signs[motion.joint]);
            vertex.error(&is_negated) > FITS * size
        };
        if vertices.iter().filter(is_far).count() * 50 <= vertices.len() { signs } else { Vec::new() }
    };
    raw.rig.skins.iter().map(|skin| skin.joints.len()).enumerate().map(of_skin).collect()
}

/// Chooses vertices with several influences, some of each pair of joints.
fn vertices(raw: &RawRig<'_>, pipeline: &Pipeline, matched: &MatchedPoints, skin: usize) -> Vec<SignedVertex> {
    let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let (mut chosen, mut points, mut slots) = (Vec::new(), Vec::new(), Vec::new());
    for (&(part, vertex), &point) in matched.vertices.iter().zip(&matched.points) {
        let Some(own) = raw.parts.get(part).filter(|own| own.skin == Some(skin) && point.is_finite()) else { continue };
        own.slots(vertex as usize, pipeline, &mut slots);
        if !(2..=MAX_INFLUENCES).contains(&slots.len()) {
            continue;
        }
        let joints: Vec<usize> = slots.iter().map(|(joint, _)| *joint).collect();
        if pairs(&joints).any(|(_, pair)| counts.get(&pair).is_none_or(|count| *count < VERTICES_PER_PAIR)) {
            pairs(&joints).for_each(|(_, pair)| *counts.entry(pair).or_default() += 1);
            chosen.push((part, vertex));
            points.push(point);
        }
    }
    let blends = raw.blends(pipeline, &chosen).into_iter().zip(points);
    blends.map(|((stretched, motions), point)| SignedVertex { stretched, motions, point }).collect()
}

/// Returns all pairs of different joints, the smaller one first, with their positions in the list.
fn pairs(joints: &[usize]) -> impl Iterator<Item = ((usize, usize), (usize, usize))> + '_ {
    let all = joints.iter().enumerate().flat_map(move |(at, &a)| {
        let others = joints.iter().enumerate().skip(at + 1);
        others.map(move |(other, &b)| ((at, other), (a.min(b), a.max(b))))
    });
    all.filter(|(_, (a, b))| a != b)
}

impl SignedVertex {
    /// Returns the distance from the point with some motions negated, by position.
    fn error(&self, is_negated: &dyn Fn(usize) -> bool) -> f64 {
        let signed = self.motions.iter().enumerate();
        let signed = signed.map(|(at, motion)| if is_negated(at) { motion.negated() } else { *motion });
        let distance = blended(SumUse::Normalised, signed, self.stretched).distance(self.point);
        if distance.is_finite() { distance } else { f64::MAX }
    }

    /// Adds to the votes how much nearer the point is if two joints have the signs of their matrices or both the
    /// others, than if only one has.
    fn vote(&self, size: f64, votes: &mut BTreeMap<(usize, usize), f64>) {
        let patterns = 1_usize << self.motions.len().saturating_sub(1);
        let error = |pattern: usize| (self.error(&|at| (pattern >> at) & 1 == 1) / size).min(1.0);
        let errors: Vec<f64> = (0..patterns).map(error).collect();
        let joints: Vec<usize> = self.motions.iter().map(|motion| motion.joint).collect();
        for ((a, b), pair) in pairs(&joints) {
            let least = |is_other: bool| {
                let of_pair = errors.iter().enumerate().filter(|(at, _)| ((at >> a) & 1 != (at >> b) & 1) == is_other);
                of_pair.map(|(_, error)| *error).fold(1.0, f64::min)
            };
            *votes.entry(pair).or_default() += least(true) - least(false);
        }
    }
}

/// Joins pairs of joints, those with the clearest votes first.
fn signs_of_votes(joints: usize, votes: &BTreeMap<(usize, usize), f64>) -> Vec<bool> {
    let mut sorted: Vec<((usize, usize), f64)> = votes.iter().map(|(pair, vote)| (*pair, *vote)).collect();
    sorted.retain(|(_, vote)| vote.abs() > ROUNDING);
    sorted.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    // Group of each joint, and whether it is negated in it.
    let mut groups: Vec<usize> = (0..joints).collect();
    let mut signs = vec![false; joints];
    for ((a, b), vote) in sorted {
        let (kept, joined) = (groups[a], groups[b]);
        if kept == joined {
            continue;
        }
        let flips = (signs[a] != signs[b]) != (vote < 0.0);
        for joint in (0..joints).filter(|&joint| groups[joint] == joined).collect::<Vec<_>>() {
            groups[joint] = kept;
            signs[joint] ^= flips;
        }
    }
    signs
}
