//! Rigid components: robots, heads at chain ends, accessories.
//! A component bends only if at least two bones of similar length run through it. If most of the surface does not
//! bend, the body is made of rigid components: each follows the bone inside it or, without one, the component it is
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

/// Minimum fraction of a bone's length inside a component for the bone to run through it.
const RUNS_THROUGH: f32 = 0.5;

/// Minimum fraction of a bone's length inside a component for the bone to count. This excludes a bone that only grazes
/// the component, such as a toe, with its tip. If no bone reaches the minimum, all bones count.
const MIN_INSIDE: f32 = 0.2;

/// Minimum number of bones through a component for the component to bend, and to keep its own weights in a rigid body.
const BENDING: usize = 2;
const FLEXIBLE: usize = 3;

/// Maximum fraction of the surface that bends in a rigid body, and minimum fraction of bones that own a component.
const MAX_BENDING: f64 = 0.4;
const MIN_OWNERS: f32 = 0.25;

/// Maximum length of a second bone inside a component that does not bend, relative to the longest bone inside.
const MAX_BESIDE: f32 = 0.2;

/// Minimum weight that an accessory, such as a buckle, has in common with the surface that it follows. Jointed hair has
/// less in common.
const MIN_COMMON: f32 = 0.7;

/// Factor of a bone's mean weight in a component when the bone is scored. The bone's fraction of the bone length inside
/// has factor 1.
const WEIGHT_FACTOR: f32 = 2.0;

/// Minimum fraction of a component's neighbours that a bone must move for the component to attach to the bone.
const MIN_CONTACT: f32 = 0.2;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Driver {
    Bone(u16),
    Weights,
}

/// Replaces the weights of rigid components; see the module docs. Notes report a body made of rigid components.
/// *Shapes*: `drawn` has the bones as drawn, `reached` the extended bones; `component` has an entry per point, below
/// `count`.
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

/// Returns the bones that move at least [`MIN_CONTACT`] of the neighbours, or else the most frequent bone.
fn bones_beside(neighbors: &[(f32, Driver)]) -> impl Iterator<Item = u16> {
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    for bone in neighbors.iter().filter_map(|(_, driver)| driver.bone()) {
        *counts.entry(bone).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or_default();
    let enough = most.min((MIN_CONTACT * neighbors.len() as f32).ceil() as usize);
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

    /// For a body that bends, returns one row per component, which applies to all its points: that of the leaf bone
    /// inside, as in a head, or of the surface under an accessory. The row is empty if points keep their own weights.
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

    /// Gives each component without a driver the driver of a nearby one. Among several bones, the heaviest wins.
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
