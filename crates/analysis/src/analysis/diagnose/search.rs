//! Tries mistakes and ranks them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use glam::DVec3;

use rigscope_core::jobs::{Progress, try_map};

use super::diagnosis::{Explanation, FITS, GAIN, ROUNDING, Residual};
use super::matching::MatchedPoints;
use super::mistakes::{MISTAKES, Mistake, NORMALS_BY_MATRIX};
use super::pipeline::{Bind, Blend, Pipeline};
use super::raw::RawRig;

pub(super) struct Ranked {
    pub explanation: Explanation,
    /// Variants tried before it are more common.
    order: usize,
}

pub(super) struct Search<'a> {
    raw: &'a RawRig<'a>,
    usual: Pipeline,
    matched: &'a MatchedPoints,
    expected: &'a [DVec3],
    /// Size of the points: that of the expected ones, times their unit if it is clearly another.
    size: f64,
}

#[derive(Clone, Copy)]
struct Candidate {
    mistake: &'static Mistake,
    change: fn(&mut Pipeline),
    order: usize,
}

/// Vertices that single mistakes are tried on, at most.
const MAX_VERTICES: usize = 1 << 16;

/// Vertices that pairs are tried on: about this many, at most four times as many.
const PAIR_VERTICES: usize = 160;

/// Pairs that are evaluated on all vertices.
const MAX_PAIRS: usize = 32;

/// Mistakes that move no vertex by more than this fraction of the size have no effect.
const NO_EFFECT: f64 = 1e-6;

/// Distance of points that are not finite, as a fraction of the size.
const NOT_FINITE: f64 = 1e3;

impl<'a> Search<'a> {
    pub(super) fn new(
        raw: &'a RawRig<'a>,
        usual: Pipeline,
        matched: &'a MatchedPoints,
        (expected, size): (&'a [DVec3], f64),
    ) -> Self {
        let ratio = spread(&matched.points) / spread(expected);
        let is_other_unit = ratio.is_finite() && !(0.1..10.0).contains(&ratio) && ratio > 1e-6;
        Self { raw, usual, matched, expected, size: if is_other_unit { size * ratio } else { size } }
    }

    /// Returns explanations, best first. `None` if cancelled.
    pub(super) fn ranked(&self, progress: &Progress) -> Option<Vec<Ranked>> {
        let count = self.matched.vertices.len();
        let every: Vec<usize> = (0..count).collect();
        let chosen: Vec<usize> = every.iter().copied().step_by(count.div_ceil(MAX_VERTICES).max(1)).collect();
        let (common, others): (Vec<_>, Vec<_>) = MISTAKES.iter().partition(|mistake| mistake.is_common());
        let candidates: Vec<Candidate> = common
            .into_iter()
            .chain(others)
            .flat_map(|mistake| mistake.variants.iter().map(move |change| (mistake, *change)))
            .enumerate()
            .map(|(order, (mistake, change))| Candidate { mistake, change, order })
            .collect();
        progress.enter("Trying mistakes", 0, candidates.len());
        let right = self.ranked_points(Vec::new(), self.usual, 0, self.expected, &every);
        let results = try_map(&candidates, progress, |candidate| {
            let pipeline = self.changed(&[*candidate]);
            let ranked = self.try_mistake(candidate, pipeline, &chosen);
            progress.add(1);
            Some(ranked)
        })?;
        let has_effect: Vec<bool> = results.iter().map(Option::is_some).collect();
        let mut all: Vec<Ranked> = results.into_iter().flatten().collect();
        all.push(right);
        self.add_normals(&mut all);
        mark_near(&mut all);
        keep_best_variants(&mut all);
        all.sort_by(order);
        let is_explained = all.first().is_some_and(|best| best.explanation.residual.max <= ROUNDING);
        if !is_explained {
            let for_pairs =
                candidates.iter().zip(&has_effect).filter(|(c, has_effect)| **has_effect || self.is_of_dqs(c));
            all.extend(self.pairs(&for_pairs.map(|(c, _)| *c).collect::<Vec<_>>(), &chosen, progress)?);
            mark_near(&mut all);
            keep_best_variants(&mut all);
            all.sort_by(order);
        }
        if chosen.len() < count {
            self.check_first(&mut all, &every);
        }
        self.mark_ties(&mut all, &chosen);
        Some(all)
    }

    /// Evaluates the first explanations, which were tried on some vertices, on every vertex.
    fn check_first(&self, all: &mut [Ranked], every: &[usize]) {
        /// Explanations that are evaluated again.
        const CHECKED: usize = 8;
        for ranked in all.iter_mut().take(CHECKED) {
            let explanation = &mut ranked.explanation;
            let is_of_points = explanation.mistakes.iter().all(|mistake| mistake.id != NORMALS_BY_MATRIX);
            if is_of_points && !explanation.mistakes.is_empty() {
                let points = self.raw.points(&explanation.pipeline, &self.matched.vertices);
                explanation.residual = self.residual(&points, every);
            }
        }
        mark_near(all);
        all.sort_by(order);
    }

    /// Returns the size of the points that distances are divided by.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// Returns the distances of points to the given ones.
    fn residual(&self, points: &[DVec3], chosen: &[usize]) -> Residual {
        let given = chosen.iter().map(|&at| self.matched.points[at]);
        let distances = points.iter().zip(given).map(|(point, given)| self.distance(*point, given));
        Residual::new(distances, self.matched.vertices.len())
    }

    /// Returns whether a change has an effect only together with dual quaternion skinning.
    fn is_of_dqs(&self, candidate: &Candidate) -> bool {
        let with = Pipeline { method: Blend::DualQuaternion, ..self.usual };
        let mut changed = with;
        (candidate.change)(&mut changed);
        (changed.signs, changed.stretch, changed.sum) != (with.signs, with.stretch, with.sum)
    }

    fn changed(&self, candidates: &[Candidate]) -> Pipeline {
        let mut pipeline = self.usual;
        for candidate in candidates {
            (candidate.change)(&mut pipeline);
        }
        if pipeline.method == Blend::Linear {
            // Without dual quaternions, their details have no effect.
            let Pipeline { signs, stretch, sum, .. } = Pipeline::default();
            (pipeline.signs, pipeline.stretch, pipeline.sum) = (signs, stretch, sum);
        }
        pipeline
    }

    fn vertices(&self, chosen: &[usize]) -> Vec<(usize, u32)> {
        chosen.iter().map(|&at| self.matched.vertices[at]).collect()
    }

    /// Evaluates a mistake; `None` if it has no effect.
    fn try_mistake(&self, candidate: &Candidate, pipeline: Pipeline, chosen: &[usize]) -> Option<Ranked> {
        let points = self.raw.points(&pipeline, &self.vertices(chosen));
        let has_effect = points.iter().zip(chosen).any(|(point, &at)| {
            let moved = point.distance(self.expected[at]);
            !moved.is_finite() || moved > NO_EFFECT * self.size
        });
        has_effect.then(|| self.ranked_points(vec![candidate.mistake], pipeline, candidate.order, &points, chosen))
    }

    fn evaluate(&self, mistakes: Vec<&'static Mistake>, pipeline: Pipeline, order: usize, chosen: &[usize]) -> Ranked {
        let points = self.raw.points(&pipeline, &self.vertices(chosen));
        self.ranked_points(mistakes, pipeline, order, &points, chosen)
    }

    fn ranked_points(
        &self,
        mistakes: Vec<&'static Mistake>,
        pipeline: Pipeline,
        order: usize,
        points: &[DVec3],
        chosen: &[usize],
    ) -> Ranked {
        let residual = self.residual(points, chosen);
        let method = pipeline.method.name();
        Ranked {
            explanation: Explanation { mistakes, residual, is_tied: false, is_near: false, method, pipeline },
            order,
        }
    }

    /// Returns a distance as a fraction of the size.
    fn distance(&self, a: DVec3, b: DVec3) -> f64 {
        let distance = a.distance(b) / self.size;
        if distance.is_finite() { distance.min(NOT_FINITE) } else { NOT_FINITE }
    }

    fn pairs(&self, candidates: &[Candidate], chosen: &[usize], progress: &Progress) -> Option<Vec<Ranked>> {
        let subset = self.subset();
        let vertices = self.vertices(&subset);
        let candidates = self.distinct(candidates, &vertices);
        progress.enter("Trying pairs of mistakes", 0, candidates.len());
        let firsts: Vec<usize> = (0..candidates.len()).collect();
        let scores = try_map(&firsts, progress, |&first| {
            let scores: Vec<(f64, usize, usize, Pipeline)> = (first + 1..candidates.len())
                .filter_map(|second| {
                    let pipeline = self.pair(candidates[first], candidates[second])?;
                    let points = self.raw.points(&pipeline, &vertices);
                    let given = subset.iter().map(|&at| self.matched.points[at]);
                    let distances = points.iter().zip(given);
                    let sum: f64 = distances.map(|(a, b)| self.distance(*a, b).min(1.0)).sum();
                    Some((sum, first, second, pipeline))
                })
                .collect();
            progress.add(1);
            Some(scores)
        });
        let mut scores = scores?.concat();
        scores.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        scores.truncate(MAX_PAIRS);
        try_map(&scores, progress, |(_, first, second, pipeline)| {
            let (first, second) = (candidates[*first], candidates[*second]);
            let mistakes = vec![first.mistake, second.mistake];
            Some(self.evaluate(mistakes, *pipeline, first.order + second.order, chosen))
        })
    }

    /// Returns the pipeline with two mistakes; `None` if one undoes or hides the other.
    fn pair(&self, first: Candidate, second: Candidate) -> Option<Pipeline> {
        let pipeline = self.changed(&[first, second]);
        let is_pair = first.mistake.id != second.mistake.id
            && pipeline == self.changed(&[second, first])
            && pipeline != self.changed(&[first])
            && pipeline != self.changed(&[second]);
        is_pair.then_some(pipeline)
    }

    /// Leaves out variants of a mistake that give the same points as an earlier one, unless they differ in pairs.
    fn distinct(&self, candidates: &[Candidate], vertices: &[(usize, u32)]) -> Vec<Candidate> {
        let mut seen: Vec<(&str, Vec<DVec3>)> = Vec::new();
        let is_new = |candidate: &&Candidate| {
            if self.is_of_dqs(candidate) || self.changed(&[**candidate]).bind == Bind::FromRestOfLookup {
                return true;
            }
            let points = self.raw.points(&self.changed(&[**candidate]), vertices);
            let is_same = |(id, other): &(&str, Vec<DVec3>)| {
                *id == candidate.mistake.id && points.iter().zip(other).all(|(a, b)| self.distance(*a, *b) <= NO_EFFECT)
            };
            let is_new = !seen.iter().any(is_same);
            if is_new {
                seen.push((candidate.mistake.id, points));
            }
            is_new
        };
        candidates.iter().filter(is_new).copied().collect()
    }

    /// Chooses vertices of all joints, those with many influences first.
    fn subset(&self) -> Vec<usize> {
        let mut by_joint: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let mut slots = Vec::new();
        for (at, &(part, vertex)) in self.matched.vertices.iter().enumerate() {
            let Some(own) = self.raw.parts.get(part) else { continue };
            own.slots(vertex as usize, &self.usual, &mut slots);
            let joint = slots.first().map_or(usize::MAX, |(joint, _)| *joint);
            by_joint.entry((own.skin.unwrap_or(usize::MAX), joint)).or_default().push(at);
        }
        let each = PAIR_VERTICES.div_ceil(by_joint.len().max(1)).max(2);
        let mut subset = Vec::new();
        for mut vertices in by_joint.into_values() {
            let count = |&at: &usize| {
                let (part, vertex) = self.matched.vertices[at];
                self.raw.parts[part].influence_count(vertex as usize)
            };
            vertices.sort_by_key(|at| std::cmp::Reverse(count(at)));
            let step = vertices.len().div_ceil(each).max(1);
            subset.extend(vertices.into_iter().step_by(step));
        }
        let step = subset.len().div_ceil(PAIR_VERTICES * 4).max(1);
        let mut subset: Vec<usize> = subset.into_iter().step_by(step).collect();
        subset.sort_unstable();
        subset
    }

    /// Adds the explanation by normals, if the points are right and have normals.
    fn add_normals(&self, all: &mut Vec<Ranked>) {
        let Some(given) = self.matched.normals.as_ref().filter(|_| self.usual.method == Blend::Linear) else { return };
        let Some(mistake) = Mistake::with_id(NORMALS_BY_MATRIX) else { return };
        let Some(right) = all.iter_mut().find(|ranked| ranked.explanation.mistakes.is_empty()) else { return };
        if right.explanation.residual.max > FITS {
            return;
        }
        let residual = |by_matrix: bool| {
            let own = self.raw.normals(&self.usual, by_matrix, &self.matched.vertices);
            let pairs = own.iter().zip(given).filter(|(own, _)| **own != DVec3::ZERO);
            let distances = pairs.map(|(own, given)| {
                let distance = own.distance(given.normalize_or_zero());
                if distance.is_finite() { distance } else { 2.0 }
            });
            Residual::new(distances, given.len())
        };
        let (as_asked, by_matrix) = (residual(false), residual(true));
        // Normals of other programs are often rounded, smoothed again or absent; only the known mistake is reported.
        if as_asked.max > FITS * GAIN && by_matrix.max * GAIN < as_asked.max && by_matrix.max <= FITS * GAIN {
            right.explanation.residual = as_asked;
            let residual = Residual { max: by_matrix.max.min(FITS), ..by_matrix };
            let explanation = Explanation { mistakes: vec![mistake], residual, ..right.explanation.clone() };
            let order = right.order;
            all.push(Ranked { explanation, order });
        }
    }

    /// Marks the explanations that are as good as the best one.
    fn mark_ties(&self, all: &mut [Ranked], chosen: &[usize]) {
        let Some((best, others)) = all.split_first_mut() else { return };
        let length = best.explanation.mistakes.len();
        if length == 0 || !best.explanation.fits() {
            return;
        }
        let vertices = self.vertices(chosen);
        let points = self.raw.points(&best.explanation.pipeline, &vertices);
        for other in others {
            let is_as_good = other.explanation.mistakes.len() == length
                && other.explanation.residual.max <= best.explanation.residual.max * 1.5 + ROUNDING;
            if !is_as_good {
                break;
            }
            let of_other = self.raw.points(&other.explanation.pipeline, &vertices);
            let is_same = points.iter().zip(&of_other).all(|(a, b)| self.distance(*a, *b) <= ROUNDING);
            if !is_same {
                break;
            }
            other.explanation.is_tied = true;
        }
    }
}

impl Ranked {
    /// Returns the distance that ranks an explanation: a further mistake must improve on it clearly.
    fn rank(&self) -> f64 {
        let Residual { rms, fraction, .. } = self.explanation.residual;
        let count = i32::try_from(self.explanation.mistakes.len()).unwrap_or(i32::MAX);
        if self.explanation.fits() {
            rms.max(ROUNDING / GAIN) * GAIN.powi(count)
        } else {
            // An explanation of many vertices is nearer than one that misses all of them by less.
            rms * fraction * fraction * 1.5_f64.powi(count)
        }
    }
}

/// Compares explanations, the better one first: those that fit, then by rank, then common ones.
fn order(a: &Ranked, b: &Ranked) -> Ordering {
    let by_fit = b.explanation.fits().cmp(&a.explanation.fits());
    by_fit.then_with(|| a.rank().total_cmp(&b.rank())).then(a.order.cmp(&b.order))
}

/// Keeps the best variant of each combination of mistakes.
fn keep_best_variants(all: &mut Vec<Ranked>) {
    let mut best: BTreeMap<Vec<&str>, Ranked> = BTreeMap::new();
    for ranked in all.drain(..) {
        let ids = ranked.explanation.ids();
        if best.get(&ids).is_none_or(|other| order(&ranked, other).is_lt()) {
            best.insert(ids, ranked);
        }
    }
    all.extend(best.into_values());
}

/// Marks mistakes that explain nearly all vertices, and many more than no mistake does. At some
/// vertices, a weight may be rounded up or down, and a quaternion may have either sign.
fn mark_near(all: &mut [Ranked]) {
    let right = all.iter().find(|ranked| ranked.explanation.mistakes.is_empty());
    let Some(off) = right.map(|right| right.explanation.residual.fraction) else { return };
    for ranked in all.iter_mut().filter(|ranked| !ranked.explanation.mistakes.is_empty()) {
        let own = ranked.explanation.residual.fraction;
        ranked.explanation.is_near = own * 50.0 <= 1.0 && own * 10.0 <= off;
    }
}

/// Returns the median distance of finite points from their median.
fn spread(points: &[DVec3]) -> f64 {
    let median = |mut numbers: Vec<f64>| {
        numbers.retain(|number| number.is_finite());
        let middle = numbers.len() / 2;
        if numbers.is_empty() { f64::NAN } else { *numbers.select_nth_unstable_by(middle, f64::total_cmp).1 }
    };
    let center = DVec3::from_array([0, 1, 2].map(|axis| median(points.iter().map(|point| point[axis]).collect())));
    median(points.iter().map(|point| point.distance(center)).collect())
}
