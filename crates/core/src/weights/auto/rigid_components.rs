//! Rigid components: robots, heads at chain ends, accessories.
//! A component bends only if at least two bones of similar length run through it. If most of the surface does not bend,
//! the body is made of rigid components: each follows the bone inside it or, if there is none, the component it is
//! attached to. In any other body, a component that contains only a leaf bone, such as a head, follows that bone. A
//! component without a bone, such as a buckle, follows the surface beneath.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::jobs::Progress;
use crate::weights::body::{Body, BodyBone, map_indices};
use crate::weights::bone_weights::{PointWeights, Row};
use crate::weights::surface::TriangleTree;

const MIN_COMPONENTS: usize = 3;

const SAMPLES: u8 = 8;

/// Minimum number of rays from a point, out of eight, that must hit a component for the point to be inside. It is less
/// than eight because shells may be open.
const MIN_HITS: usize = 6;

/// A bone runs through a component if at least this fraction of its length is inside.
const RUNS_THROUGH: f32 = 0.5;

/// A bone counts for a component if at least this fraction of its length is inside. This excludes a bone whose tip
/// merely grazes the component, such as a toe bone. If no bone reaches the minimum, all bones count.
const MIN_INSIDE: f32 = 0.2;

/// A component bends if at least this many bones run through it.
const BENDING: usize = 2;
/// In a body made of rigid components, a component keeps its own weights if at least this many bones run through it.
const FLEXIBLE: usize = 3;

/// A body is made of rigid components only if at most this fraction of its surface bends.
const MAX_BENDING: f64 = 0.4;
/// A body is made of rigid components only if at least this fraction of its bones own a component.
const MIN_OWNERS: f32 = 0.25;

/// A bone is ignored in a component if its length inside is at most this fraction of the longest bone's length inside.
const MAX_BESIDE: f32 = 0.2;

/// An accessory, such as a buckle, follows the surface beneath it if they have at least this much weight in common.
/// Hair with joints of its own has less in common with the surface beneath.
const MIN_COMMON: f32 = 0.7;

/// When bones are scored for a component, a bone's mean weight counts this many times as much as its fraction of the
/// bone length inside.
const WEIGHT_FACTOR: f32 = 2.0;

/// A component can be attached to a bone that moves at least this fraction of the component's neighbours.
const MIN_CONTACT: f32 = 0.2;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Driver {
    Bone(u16),
    Weights,
}

/// Replaces the weights of rigid components; see the module docs. Appends a note to `notes` if the body is made of
/// rigid components. *Shapes*: `drawn` has the bones as drawn, `reached` the extended bones; `component` is the
/// component index of each point, less than `count`.
pub(super) fn rigid_components(
    [drawn, reached]: [&Body; 2],
    shares: PointWeights,
    (component, count): (&[u32], usize),
    is_mover: &[bool],
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Option<PointWeights> {
    if count < 2 {
        return Some(shares);
    }
    let tree = TriangleTree::new(&drawn.points, &drawn.triangles, 0..drawn.triangles.len());
    let [drawn, reached] = [drawn, reached].map(|body| Components { body, component, count, tree: &tree });
    let mut rows = rows(&drawn.drivers_of_rigid_body(&shares, is_mover, progress)?);
    if rows.is_empty() {
        rows = reached.rows_of_flexible_body(&shares, is_mover, progress)?;
    } else {
        let rigid = rows.iter().filter(|row| !row.is_empty()).count();
        notes.push(format!(
            "The body is made of rigid components: {rigid} of {count} follow the joint inside them, or the component that they are attached to."
        ));
    }
    if rows.iter().all(Vec::is_empty) {
        return Some(shares);
    }
    PointWeights::computed(shares.len(), progress, |point, row| match rows[component[point] as usize].as_slice() {
        [] => row.add(shares.row(point), 1.0),
        of_component => row.add(of_component.iter().copied(), 1.0),
    })
}

fn rows(drivers: &[Option<Driver>]) -> Vec<Row> {
    let row = |driver: &Option<Driver>| driver.and_then(Driver::bone).map(|bone| (bone, 1.0)).into_iter().collect();
    drivers.iter().map(row).collect()
}

/// Returns the bone with the largest value; among equals, the one with the lowest index.
fn heaviest(values: impl IntoIterator<Item = (u16, f32)>) -> Option<u16> {
    values.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(bone, _)| bone)
}

/// Returns the bones that move at least [`MIN_CONTACT`] of the neighbours, or, if no bone does, those that move the
/// most neighbours.
fn bones_beside(neighbors: &[(f32, Driver)]) -> impl Iterator<Item = u16> {
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    for bone in neighbors.iter().filter_map(|(_, driver)| driver.bone()) {
        *counts.entry(bone).or_default() += 1;
    }
    let max_count = counts.values().copied().max().unwrap_or_default();
    let enough = max_count.min((MIN_CONTACT * neighbors.len() as f32).ceil() as usize);
    counts.into_iter().filter(move |(_, count)| *count >= enough).map(|(bone, _)| bone)
}

impl Driver {
    fn bone(self) -> Option<u16> {
        if let Self::Bone(bone) = self { Some(bone) } else { None }
    }
}

struct Components<'a> {
    body: &'a Body,
    component: &'a [u32],
    count: usize,
    tree: &'a TriangleTree,
}

impl Components<'_> {
    /// Returns the driver of each component; empty if the body is not made of rigid components.
    fn drivers_of_rigid_body(
        &self,
        shares: &PointWeights,
        is_mover: &[bool],
        progress: &Progress,
    ) -> Option<Vec<Option<Driver>>> {
        let mut lengths = self.lengths_inside(is_mover, progress)?;
        let full = self.bone_lengths();
        let fraction = |bone: u16, length: f32| length / full[usize::from(bone)];
        let runs_through = |inside: &BTreeMap<u16, f32>| {
            let longest = inside.values().copied().fold(0.0, f32::max);
            let counts = |&(&bone, &length): &(&u16, &f32)| {
                fraction(bone, length) >= RUNS_THROUGH && length > MAX_BESIDE * longest
            };
            inside.iter().filter(counts).count()
        };
        let through: Vec<usize> = lengths.iter().map(runs_through).collect();
        let areas = self.areas();
        let of_bending = areas.iter().zip(&through).filter(|(_, through)| **through >= BENDING);
        if of_bending.map(|(area, _)| area).sum::<f64>() > MAX_BENDING * areas.iter().sum::<f64>() {
            return Some(Vec::new());
        }
        for inside in &mut lengths {
            if inside.iter().any(|(&bone, &length)| fraction(bone, length) >= MIN_INSIDE) {
                inside.retain(|&bone, length| fraction(bone, *length) >= MIN_INSIDE);
            }
        }
        let weights = self.mean_weights(shares);
        let driver = |number: usize| {
            let is_flexible = through[number] >= FLEXIBLE;
            if is_flexible { Some(Driver::Weights) } else { self.inner_bone(&lengths[number], &weights[number]) }
        };
        let mut drivers: Vec<Option<Driver>> = (0..self.count).map(driver).collect();
        let mut owners: Vec<u16> = drivers.iter().filter_map(|driver| driver.and_then(Driver::bone)).collect();
        owners.sort_unstable();
        owners.dedup();
        let bones = is_mover.iter().filter(|is_mover| !**is_mover).count();
        if owners.len() < MIN_COMPONENTS || (owners.len() as f32) < MIN_OWNERS * bones as f32 {
            return Some(Vec::new());
        }
        self.attach(&mut drivers, &weights, progress)?;
        Some(drivers)
    }

    /// For a body that bends, returns one row per component, which applies to all of its points: the row of the leaf
    /// bone inside, as in a head, or of the surface beneath an accessory. An empty row means that the points keep their
    /// own weights.
    fn rows_of_flexible_body(&self, shares: &PointWeights, is_mover: &[bool], progress: &Progress) -> Option<Vec<Row>> {
        let lengths = self.lengths_inside(is_mover, progress)?;
        let full = self.bone_lengths();
        let end = |inside: &BTreeMap<u16, f32>| {
            let bone = heaviest(inside.iter().map(|(&bone, &length)| (bone, length)))?;
            let length = inside[&bone];
            let is_alone = inside.iter().all(|(&other, &beside)| other == bone || beside <= MAX_BESIDE * length);
            let is_end = self.body.bones[usize::from(bone)].is_end;
            if is_end && is_alone {
                (length >= RUNS_THROUGH * full[usize::from(bone)]).then_some(Driver::Bone(bone))
            } else {
                Some(Driver::Weights)
            }
        };
        let drivers: Vec<Option<Driver>> = lengths.iter().map(end).collect();
        let mut rows = rows(&drivers);
        if drivers.iter().any(Option::is_none) {
            self.follow(&drivers, &mut rows, shares, progress)?;
        }
        Some(rows)
    }

    /// Gives each component without a driver the mean weights of the nearest surface, if its own weights are similar.
    fn follow(
        &self,
        drivers: &[Option<Driver>],
        rows: &mut [Row],
        shares: &PointWeights,
        progress: &Progress,
    ) -> Option<()> {
        let known = (0..self.body.triangles.len()).filter(|&triangle| drivers[self.of_triangle(triangle)].is_some());
        let tree = TriangleTree::new(&self.body.points, &self.body.triangles, known);
        let beneath = self.body.by_point_number(progress, |number, point| {
            if drivers[self.component[number] as usize].is_some() { None } else { tree.nearest(point, f32::INFINITY) }
        })?;
        let mut sums: Vec<(usize, BTreeMap<u16, f32>)> = vec![Default::default(); self.count];
        for (&at, nearest) in self.component.iter().zip(&beneath) {
            let Some(nearest) = nearest else { continue };
            let (points, sum) = &mut sums[at as usize];
            *points += 1;
            let of_component = rows[self.of_triangle(nearest.triangle)].iter().copied();
            let corners = self.body.triangles[nearest.triangle].iter().zip(nearest.shares);
            let of_corners = corners.flat_map(|(&corner, share)| {
                shares.row(corner as usize).map(move |(bone, weight)| (bone, share * weight))
            });
            let row: Row = if of_component.len() > 0 { of_component.collect() } else { of_corners.collect() };
            for (bone, weight) in row {
                *sum.entry(bone).or_default() += weight;
            }
        }
        let own = self.mean_weights(shares);
        for ((row, (points, sum)), own) in rows.iter_mut().zip(sums).zip(own) {
            let mean: Row = sum.into_iter().map(|(bone, weight)| (bone, weight / points as f32)).collect();
            let common = |&(bone, weight): &(u16, f32)| own.get(&bone).map_or(0.0, |own| own.min(weight));
            if mean.iter().map(common).sum::<f32>() >= MIN_COMMON {
                *row = mean;
            }
        }
        Some(())
    }

    fn bone_lengths(&self) -> Vec<f32> {
        let length = |bone: &BodyBone| bone.segments.iter().map(|segment| segment.head.distance(segment.tail)).sum();
        self.body.bones.iter().map(length).collect()
    }

    fn of_triangle(&self, triangle: usize) -> usize {
        self.component[self.body.triangles[triangle][0] as usize] as usize
    }

    fn lengths_inside(&self, is_mover: &[bool], progress: &Progress) -> Option<Vec<BTreeMap<u16, f32>>> {
        let moving = self.body.bones.iter().zip(is_mover).enumerate().filter(|(_, (_, is_mover))| !**is_mover);
        let segments = moving.flat_map(|(bone, (of, _))| of.segments.iter().map(move |segment| (bone as u16, segment)));
        let samples: Vec<(u16, Vec3, f32)> = segments
            .flat_map(|(bone, segment)| {
                let length = segment.head.distance(segment.tail) / f32::from(SAMPLES);
                (0..SAMPLES).map(move |at| {
                    (bone, segment.head.lerp(segment.tail, (f32::from(at) + 0.5) / f32::from(SAMPLES)), length)
                })
            })
            .collect();
        let size = self.body.size();
        let around = map_indices(samples.len(), progress, |at| self.around(samples[at].1, size))?;
        let mut lengths = vec![BTreeMap::new(); self.count];
        for (&(bone, _, length), around) in samples.iter().zip(&around) {
            for &component in around {
                *lengths[component].entry(bone).or_insert(0.0) += length;
            }
        }
        Some(lengths)
    }

    fn inner_bone(&self, inside: &BTreeMap<u16, f32>, weights: &BTreeMap<u16, f32>) -> Option<Driver> {
        // A joint with several children has a segment to each.
        let segments = |bone: u16| self.body.bones[usize::from(bone)].segments.len() as f32;
        let mut scores: BTreeMap<u16, f32> =
            inside.iter().map(|(&bone, length)| (bone, length / segments(bone))).collect();
        let sum: f32 = scores.values().sum();
        if sum <= 0.0 {
            return None;
        }
        for score in scores.values_mut() {
            *score /= sum;
        }
        for (&bone, weight) in weights {
            *scores.entry(bone).or_default() += WEIGHT_FACTOR * weight;
        }
        heaviest(scores).map(Driver::Bone)
    }

    fn around(&self, place: Vec3, size: f32) -> Vec<usize> {
        let mut hits: Vec<(usize, usize)> = Vec::new();
        for (number, direction) in corners().enumerate() {
            self.tree.any_crossing(place, place + direction * size, |triangle, _| {
                hits.push((self.of_triangle(triangle), number));
                false
            });
        }
        hits.sort_unstable();
        hits.dedup();
        hits.chunk_by(|a, b| a.0 == b.0).filter(|of_one| of_one.len() >= MIN_HITS).map(|of_one| of_one[0].0).collect()
    }

    fn areas(&self) -> Vec<f64> {
        let mut areas = vec![0.0; self.count];
        for (number, triangle) in self.body.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|corner| self.body.points[corner as usize].as_dvec3());
            areas[self.of_triangle(number)] += (b - a).cross(c - a).length() / 2.0;
        }
        areas
    }

    /// Returns the mean weight of each bone in each component, weighted by area.
    fn mean_weights(&self, shares: &PointWeights) -> Vec<BTreeMap<u16, f32>> {
        let (mut weights, mut areas) = (vec![BTreeMap::new(); self.count], vec![0.0_f32; self.count]);
        for (number, triangle) in self.body.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(|corner| self.body.points[corner as usize]);
            let (third, component) = ((b - a).cross(c - a).length() / 6.0, self.of_triangle(number));
            areas[component] += 3.0 * third;
            for (bone, share) in triangle.iter().flat_map(|&corner| shares.row(corner as usize)) {
                *weights[component].entry(bone).or_insert(0.0) += third * share;
            }
        }
        for (weights, area) in weights.iter_mut().zip(areas).filter(|(_, area)| *area > 0.0) {
            for weight in weights.values_mut() {
                *weight /= area;
            }
        }
        weights
    }

    /// Gives each component without a driver the driver of nearby components. Among several bones, chooses the one with
    /// the largest mean weight in the component.
    fn attach(
        &self,
        drivers: &mut [Option<Driver>],
        weights: &[BTreeMap<u16, f32>],
        progress: &Progress,
    ) -> Option<()> {
        let known = (0..self.body.triangles.len()).filter(|&triangle| drivers[self.of_triangle(triangle)].is_some());
        let tree = TriangleTree::new(&self.body.points, &self.body.triangles, known);
        let beside = self.body.by_point_number(progress, |number, point| {
            if drivers[self.component[number] as usize].is_some() {
                return None;
            }
            let nearest = tree.nearest(point, f32::INFINITY)?;
            Some((nearest.distance, drivers[self.of_triangle(nearest.triangle)]?))
        })?;
        let mut neighbors: Vec<Vec<(f32, Driver)>> = vec![Vec::new(); self.count];
        for (&at, beside) in self.component.iter().zip(beside) {
            neighbors[at as usize].extend(beside);
        }
        for (at, neighbors) in neighbors.iter().enumerate() {
            let nearest = neighbors.iter().map(|&(distance, driver)| (distance, driver == Driver::Weights));
            let Some((_, is_flexible)) = nearest.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))) else {
                continue;
            };
            let bone = heaviest(
                bones_beside(neighbors).map(|bone| (bone, weights[at].get(&bone).copied().unwrap_or_default())),
            );
            drivers[at] = if is_flexible { Some(Driver::Weights) } else { bone.map(Driver::Bone) };
        }
        Some(())
    }
}

/// Returns mirror-symmetric directions that avoid edges and diagonals of common meshes.
fn corners() -> impl Iterator<Item = Vec3> {
    let signs = || [-1.0, 1.0].into_iter();
    signs().flat_map(move |x| signs().flat_map(move |y| signs().map(move |z| Vec3::new(0.53 * x, 0.61 * y, 0.59 * z))))
}
