//! Volume, area and distance of surfaces, each as a single number.

#![expect(clippy::inline_always, reason = "what is not inlined is not compiled for wider instructions")]

use std::sync::Arc;

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use serde::Serialize;

use super::lanes::{LANES, Lane, Triangles, dot, lanes, sum};
use super::{Topology, dominant_joint, joined, winding};
use rigscope_core::rig::{NodeIndex, PrimitiveIndex, Rig};
use rigscope_core::rows::rows;
use rigscope_core::skinning::{Deformed, Palette, Vectorized, vectorized};

/// Number of elements summed at a time. It is fixed so that sums don't depend on the number of cores.
pub(super) const PIECE: usize = 8192;

/// Area and volume of a deformed surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SurfaceSize {
    /// Signed volume, m³: the sum of the tetrahedra between each triangle and the mean vertex position of its mesh
    /// instance. For closed surfaces, this is the enclosed volume, minus inverted regions. Holes are closed by cones to
    /// the mean position, so volumes of open surfaces are comparable only between poses of the same mesh.
    pub volume: f64,
    /// Surface area, m².
    pub area: f64,
}

impl SurfaceSize {
    /// Computes the volume and area of everything drawn. Triangles with a non-finite vertex are ignored.
    /// *Shapes*: `palettes` has one entry per mesh instance, `surfaces` is by mesh instance and primitive. *Cost*:
    /// about 1 ms for 200,000 triangles on two cores.
    pub fn new(rig: &Rig, topology: &Topology, palettes: &[Arc<Palette>], surfaces: &[Vec<Deformed>]) -> Self {
        let instances = rig.instances.iter().zip(palettes).zip(surfaces);
        instances.fold(Self::default(), |sum, ((instance, palette), parts)| {
            let mesh = topology.mesh(instance.mesh);
            let positions = joined(parts);
            sum.combined_with(Self::of_triangles(
                mesh.triangles(),
                &positions,
                mean(&positions),
                f64::from(winding(palette)),
            ))
        })
    }

    pub(super) fn combined_with(self, other: Self) -> Self {
        Self { volume: self.volume + other.volume, area: self.area + other.area }
    }

    /// Returns the area of the triangles, and the volume between them and the point `about`. `side` is -1 for reversed
    /// winding, otherwise 1.
    pub(super) fn of_triangles(triangles: &[[u32; 3]], positions: &[Vec3], about: DVec3, side: f64) -> Self {
        let of_piece = |triangles: &[[u32; 3]]| vectorized(ChunkSize { triangles, positions, about });
        let sum = in_pieces(triangles, of_piece)
            .fold(Self::default(), |sum, piece| if piece.volume.is_finite() { sum.combined_with(piece) } else { sum });
        Self { volume: sum.volume * side, ..sum }
    }
}

/// Maps chunks of [`PIECE`] elements and returns the results in order. Runs in parallel if there are several chunks.
fn in_pieces<T: Sync, R: Send>(all: &[T], of_piece: impl Fn(&[T]) -> R + Sync) -> impl Iterator<Item = R> {
    let (first, rest) = all.split_at(all.len().min(PIECE));
    let rest: Vec<R> = if rest.is_empty() { Vec::new() } else { rest.par_chunks(PIECE).map(&of_piece).collect() };
    std::iter::once(of_piece(first)).chain(rest)
}

struct ChunkSize<'a> {
    triangles: &'a [[u32; 3]],
    positions: &'a [Vec3],
    about: DVec3,
}

impl Vectorized for ChunkSize<'_> {
    type Output = SurfaceSize;

    #[inline(always)]
    fn run(self) -> SurfaceSize {
        let (mut six_volumes, mut two_areas) = ([0.0; LANES], [0.0; LANES]);
        for corners in self.triangles.chunks(LANES) {
            let triangles = Triangles::new(corners, self.positions, self.about);
            triangles.add_six_volumes(&mut six_volumes);
            let squares = dot(&triangles.normals, &triangles.normals);
            two_areas =
                lanes(|i| two_areas[i] + if triangles.six_volumes[i].is_finite() { squares[i].sqrt() } else { 0.0 });
        }
        SurfaceSize { volume: sum(&six_volumes) / 6.0, area: sum(&two_areas) / 2.0 }
    }
}

pub(super) fn mean(positions: &[Vec3]) -> DVec3 {
    let sums = in_pieces(positions, |piece: &[Vec3]| {
        let sum = vectorized(PositionSum(piece));
        if sum.is_finite() { (sum, piece.len()) } else { sum_of_finite(piece) }
    });
    let (sum, count) = sums.fold((DVec3::ZERO, 0), |all, piece| (all.0 + piece.0, all.1 + piece.1));
    sum / count.max(1) as f64
}

fn sum_of_finite(positions: &[Vec3]) -> (DVec3, usize) {
    let finite = positions.iter().filter(|position| position.is_finite());
    finite.fold((DVec3::ZERO, 0), |(sum, count), position| (sum + position.as_dvec3(), count + 1))
}

struct PositionSum<'a>(&'a [Vec3]);

impl Vectorized for PositionSum<'_> {
    type Output = DVec3;

    #[inline(always)]
    fn run(self) -> DVec3 {
        /// Number of positions to sum at once. Their coordinates fill whole registers.
        const POSITIONS: usize = 4;
        let (groups, rest) = self.0.as_chunks::<POSITIONS>();
        let mut sums = [0.0; 3 * POSITIONS];
        for group in groups {
            let numbers: &[f32] = bytemuck::cast_slice(group);
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += f64::from(*number));
        }
        let rest = rest.iter().map(|position| position.as_dvec3());
        sums.chunks_exact(3).map(DVec3::from_slice).chain(rest).sum()
    }
}

/// Location of a drawn vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexLocation {
    /// Index into `Rig::instances`.
    pub instance: usize,
    /// Index into the mesh's primitives.
    pub primitive: usize,
    /// Index into the primitive's vertices.
    pub vertex: usize,
}

/// Distances between corresponding vertices of two surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceDistance {
    /// Maximum distance, metres.
    pub max: f64,
    /// Mean of the finite distances, metres.
    pub mean: f64,
    /// Vertex with the maximum distance; `None` if none is above 0.
    pub worst: Option<VertexLocation>,
    /// Joint with the largest weight on the vertex `worst`.
    pub joint: Option<NodeIndex>,
}

impl SurfaceDistance {
    /// Computes the maximum and the mean of the finite values of a distance field; see [`super::field::distance`].
    pub fn from_field(rig: &Rig, field: &[Vec<f32>]) -> Self {
        Self::of_parts(rig, field.iter().map(|values| FieldSum::new(values.len(), |vertex| values[vertex])))
    }

    pub(super) fn between(rig: &Rig, a: &[Vec<Deformed>], b: &[Vec<Deformed>]) -> Self {
        let parts = a.iter().flatten().zip(b.iter().flatten());
        let part = |(a, b): (&Deformed, &Deformed)| {
            let (a, b) = (&a.positions, &b.positions);
            FieldSum::new(a.len().min(b.len()), |vertex| a[vertex].distance(b[vertex]))
        };
        Self::of_parts(rig, parts.map(part))
    }

    fn of_parts(rig: &Rig, parts: impl Iterator<Item = FieldSum>) -> Self {
        let (mut sum, mut count) = (0.0, 0);
        let mut worst: Option<(f32, VertexLocation)> = None;
        for (PrimitiveIndex { instance, primitive }, part) in rig.parts().zip(parts) {
            sum += part.sum;
            count += part.count;
            if part.max > worst.map_or(0.0, |(max, _)| max) {
                worst = Some((part.max, VertexLocation { instance, primitive, vertex: part.at }));
            }
        }
        let place = worst.map(|(_, place)| place);
        Self {
            max: worst.map_or(0.0, |(max, _)| f64::from(max)),
            mean: sum / f64::from(count.max(1)),
            worst: place,
            joint: place.and_then(|p| dominant_joint(rig, p.instance, p.primitive, p.vertex)),
        }
    }
}

rows! {
    /// Vertex with the largest measured value; indices as in the file.
    pub struct WorstVertex {
        /// Index of the node with the mesh.
        pub node: usize,
        /// Index of the mesh.
        pub mesh: usize,
        /// Index of the primitive in the mesh.
        pub primitive: usize,
        /// Index of the vertex in the primitive.
        pub vertex: usize,
        /// Name of the joint with the largest weight on the vertex.
        pub joint: Option<String>,
    }
}

impl WorstVertex {
    /// Returns the row of the vertex with the maximum distance, if any. `name` returns a node's name in pose files.
    pub fn new(rig: &Rig, distance: &SurfaceDistance, name: &dyn Fn(NodeIndex) -> String) -> Option<Self> {
        let VertexLocation { instance, primitive, vertex } = distance.worst?;
        let placed = &rig.instances[instance];
        let mesh = &rig.meshes[placed.mesh];
        Some(Self {
            node: rig.hierarchy.source(placed.node),
            mesh: mesh.source,
            primitive: mesh.primitives[primitive].source,
            vertex,
            joint: distance.joint.map(name),
        })
    }
}

#[derive(Clone, Copy, Default)]
struct FieldSum {
    sum: f64,
    count: u32,
    max: f32,
    at: usize,
}

impl FieldSum {
    fn new(count: usize, value: impl Fn(usize) -> f32 + Sync) -> Self {
        let piece = |piece: usize| {
            vectorized(ValueSum { first: piece * PIECE, end: count.min((piece + 1) * PIECE), value: &value })
        };
        if count <= PIECE {
            return piece(0);
        }
        let pieces: Vec<Self> = (0..count.div_ceil(PIECE)).into_par_iter().map(piece).collect();
        pieces.into_iter().fold(Self::default(), Self::and)
    }

    /// Combines two sums. If the maxima are equal, keeps the first vertex.
    fn and(self, next: Self) -> Self {
        let (max, at) = if next.max > self.max { (next.max, next.at) } else { (self.max, self.at) };
        Self { sum: self.sum + next.sum, count: self.count + next.count, max, at }
    }
}

struct ValueSum<V> {
    first: usize,
    end: usize,
    value: V,
}

impl<V: Fn(usize) -> f32> Vectorized for ValueSum<V> {
    type Output = FieldSum;

    #[inline(always)]
    fn run(self) -> FieldSum {
        let Self { first, end, value } = self;
        let mut all = SumsInLanes { sums: [0.0; LANES], counts: [0; LANES], max: [0.0; LANES], groups: [0; LANES] };
        let (whole, rest) = ((end - first) / LANES, (end - first) % LANES);
        for group in 0..whole {
            all.add(group as u32, &lanes(|lane| value(first + group * LANES + lane)));
        }
        all.add(whole as u32, &lanes(|i| if i < rest { value(first + whole * LANES + i) } else { f32::NAN }));
        all.whole(first)
    }
}

/// Sums, counts and maxima of every eighth value, one per lane.
struct SumsInLanes {
    sums: Lane<f64>,
    counts: Lane<u32>,
    max: Lane<f32>,
    /// For each lane, the index of the group with its maximum.
    groups: Lane<u32>,
}

impl SumsInLanes {
    #[inline(always)]
    fn add(&mut self, group: u32, values: &Lane<f32>) {
        for (lane, value) in values.iter().enumerate() {
            let is_counted = value.is_finite();
            let counted = if is_counted { *value } else { 0.0 };
            self.sums[lane] += f64::from(counted);
            self.counts[lane] += u32::from(is_counted);
            let is_larger = counted > self.max[lane];
            self.max[lane] = if is_larger { counted } else { self.max[lane] };
            self.groups[lane] = if is_larger { group } else { self.groups[lane] };
        }
    }

    #[inline(always)]
    fn whole(&self, first: usize) -> FieldSum {
        let max = self.max.into_iter().fold(0.0, f32::max);
        let largest = (0..LANES).filter(|&lane| max > 0.0 && self.max[lane] == max);
        let at = largest.map(|lane| first + self.groups[lane] as usize * LANES + lane).min();
        FieldSum { sum: sum(&self.sums), count: self.counts.iter().sum(), max, at: at.unwrap_or(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equally_large_values_the_first_counts_and_those_that_are_not_finite_do_not() {
        let values = [f32::NAN, 0.5, 2.0, f32::INFINITY, 2.0];
        let of_length = |length: usize| {
            let FieldSum { sum, count, max, at } = FieldSum::new(length, |at| values[at % values.len()]);
            (sum, count, max, at)
        };
        assert_eq!(of_length(0), (0.0, 0, 0.0, 0));
        assert_eq!(of_length(2), (0.5, 1, 0.5, 1));
        for repeats in [1, 2, 7, 3 * PIECE] {
            assert_eq!(of_length(5 * repeats), (4.5 * repeats as f64, 3 * repeats as u32, 2.0, 2), "{repeats}");
        }
        let FieldSum { max, at, .. } = FieldSum::new(40, |at| if at > 20 { 3.0 } else { 1.0 });
        assert_eq!((max, at), (3.0, 21));
    }

    #[test]
    fn the_mean_is_of_the_positions_that_are_finite() {
        for count in [1, 3, 4, 9, PIECE, PIECE + 6] {
            let mut positions: Vec<Vec3> = (0..count).map(|i| Vec3::new(i as f32, 1.0, -2.0 * i as f32)).collect();
            let middle = (count - 1) as f64 / 2.0;
            assert_eq!(mean(&positions), DVec3::new(middle, 1.0, -2.0 * middle), "{count}");
            positions.insert(count / 2, Vec3::new(0.0, f32::NAN, 0.0));
            positions.push(Vec3::INFINITY);
            assert_eq!(mean(&positions), DVec3::new(middle, 1.0, -2.0 * middle), "{count}");
        }
        assert_eq!(mean(&[]), DVec3::ZERO);
    }

    #[test]
    fn a_box_of_many_triangles_has_its_size_wherever_it_is_seen_from() {
        let corners: Vec<Vec3> =
            (0..8).map(|i| Vec3::new((i & 1) as f32, 2.0 * (i >> 1 & 1) as f32, 3.0 * (i >> 2) as f32)).collect();
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[u32; 3]> = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        for about in [DVec3::ZERO, DVec3::new(0.5, 7.0, -2.0)] {
            let SurfaceSize { volume, area } = SurfaceSize::of_triangles(&triangles, &corners, about, 1.0);
            assert!((volume - 6.0).abs() < 1e-12 && (area - 22.0).abs() < 1e-12, "{volume} m³, {area} m²");
        }
    }
}
