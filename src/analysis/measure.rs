//! Measures of a surface in single numbers: volume, area, distance.

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use serde::Serialize;

use super::{Topology, dominant_joint, joined, winding};
use crate::rig::{NodeIndex, PartIndex, Rig};
use crate::skinning::{Deformed, Palette};

/// Elements that are summed in one piece: sums do not depend on the number of cores.
pub(super) const PIECE: usize = 8192;

/// Area and volume of a deformed surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Size {
    /// Signed volume, m³: for each mesh instance, the sum of the tetrahedra between its triangles and the mean of its vertices. Where the triangles
    /// close, this is the enclosed volume, wherever the mean lies, minus what is inside out. Where they do not, holes count as closed by cones to the
    /// mean: compare such a volume only with that of the same mesh in another pose.
    pub volume: f64,
    /// Area of the surface, m².
    pub area: f64,
}

impl Size {
    /// Size of everything drawn. Triangles with a vertex that is not finite do not count.
    ///
    /// *Shapes*: `palettes` has one entry per mesh instance, `surfaces` is by mesh instance and primitive. *Cost*: about 1 ms for 200,000 triangles on two cores.
    pub fn of(rig: &Rig, topology: &Topology, palettes: &[Palette], surfaces: &[Vec<Deformed>]) -> Self {
        let instances = rig.instances.iter().zip(palettes).zip(surfaces);
        instances.fold(Self::default(), |sum, ((instance, palette), parts)| {
            let mesh = topology.mesh(instance.mesh);
            let positions = joined(parts);
            sum.and(Self::of_triangles(mesh.triangles(), &positions, mean(&positions), f64::from(winding(palette))))
        })
    }

    /// Sum of two sizes.
    pub(super) fn and(self, other: Self) -> Self {
        Self { volume: self.volume + other.volume, area: self.area + other.area }
    }

    /// Area of some triangles, and the volume between them and a point; `side` is -1 where their winding is reversed.
    pub(super) fn of_triangles(triangles: &[[u32; 3]], positions: &[Vec3], about: DVec3, side: f64) -> Self {
        let size = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|v| positions[v as usize].as_dvec3() - about);
            let cross = (b - a).cross(c - a);
            (a.dot(cross) / 6.0, cross.length() / 2.0)
        };
        let add = |sum: (f64, f64), size: (f64, f64)| {
            if size.0.is_finite() { (sum.0 + size.0, sum.1 + size.1) } else { sum }
        };
        let pieces: Vec<(f64, f64)> =
            triangles.par_chunks(PIECE).map(|piece| piece.iter().map(size).fold((0.0, 0.0), add)).collect();
        let (volume, area) = pieces.into_iter().fold((0.0, 0.0), add);
        Self { volume: volume * side, area }
    }
}

/// Mean of the positions that are finite.
pub(super) fn mean(positions: &[Vec3]) -> DVec3 {
    let sums: Vec<(DVec3, usize)> = positions
        .par_chunks(PIECE)
        .map(|piece| {
            let finite = piece.iter().filter(|p| p.is_finite());
            finite.fold((DVec3::ZERO, 0), |(sum, count), p| (sum + p.as_dvec3(), count + 1))
        })
        .collect();
    let (sum, count) = sums.into_iter().fold((DVec3::ZERO, 0), |all, piece| (all.0 + piece.0, all.1 + piece.1));
    sum / count.max(1) as f64
}

/// Place of a drawn vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexPlace {
    /// Index into `Rig::instances`.
    pub instance: usize,
    /// Position in the list of the mesh's primitives.
    pub primitive: usize,
    /// Index of the vertex within the primitive.
    pub vertex: usize,
}

/// Distance between two surfaces of one rig, vertex by vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distance {
    /// Largest distance, metres.
    pub max: f64,
    /// Mean distance over all vertices, metres.
    pub mean: f64,
    /// Vertex with the largest distance; `None` if none is above 0.
    pub worst: Option<VertexPlace>,
    /// The joint with the largest weight at that vertex.
    pub joint: Option<NodeIndex>,
}

impl Distance {
    /// Largest and mean value of a field of distances (see [`super::field::distance`]); values that are not finite do not count.
    pub fn of(rig: &Rig, field: &[Vec<f32>]) -> Self {
        Self::of_parts(rig, field.iter().map(|values| FieldSum::of(values.len(), |vertex| values[vertex])))
    }

    /// Largest and mean distance between the vertices of two surfaces of one rig, as [`Self::of`] their [`super::field::distance`].
    pub(super) fn between(rig: &Rig, a: &[Vec<Deformed>], b: &[Vec<Deformed>]) -> Self {
        let parts = a.iter().flatten().zip(b.iter().flatten());
        let part = |(a, b): (&Deformed, &Deformed)| {
            let (a, b) = (&a.positions, &b.positions);
            FieldSum::of(a.len().min(b.len()), |vertex| a[vertex].distance(b[vertex]))
        };
        Self::of_parts(rig, parts.map(part))
    }

    fn of_parts(rig: &Rig, parts: impl Iterator<Item = FieldSum>) -> Self {
        let (mut sum, mut count) = (0.0, 0);
        let mut worst: Option<(f32, VertexPlace)> = None;
        for (PartIndex { instance, primitive }, part) in rig.parts().zip(parts) {
            sum += part.sum;
            count += part.count;
            if part.max > worst.map_or(0.0, |(max, _)| max) {
                worst = Some((part.max, VertexPlace { instance, primitive, vertex: part.at }));
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

/// The vertex at which two ways of skinning differ most, by the file's numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorstVertex {
    /// Node that carries the mesh.
    pub node: usize,
    /// Mesh of the vertex.
    pub mesh: usize,
    /// Primitive of the mesh.
    pub primitive: usize,
    /// Vertex of the primitive.
    pub vertex: usize,
    /// Name of the joint that moves the vertex most.
    pub joint: Option<String>,
}

impl WorstVertex {
    /// The vertex of the largest distance, if there is one; `name` names a node as pose files do.
    pub fn new(rig: &Rig, distance: &Distance, name: &dyn Fn(NodeIndex) -> String) -> Option<Self> {
        let VertexPlace { instance, primitive, vertex } = distance.worst?;
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

/// Sum, number and largest of some values.
#[derive(Clone, Copy, Default)]
struct FieldSum {
    sum: f64,
    count: u32,
    max: f32,
    at: usize,
}

impl FieldSum {
    /// Sums of `value` over numbers below `count`.
    fn of(count: usize, value: impl Fn(usize) -> f32 + Sync) -> Self {
        let piece = |piece: usize| {
            let numbers = piece * PIECE..count.min((piece + 1) * PIECE);
            let values = numbers.map(|at| (at, value(at)));
            values.filter(|(_, value)| value.is_finite()).fold(Self::default(), |sum, (at, value)| {
                sum.and(Self { sum: f64::from(value), count: 1, max: value, at })
            })
        };
        if count <= PIECE {
            return Self::default().and(piece(0));
        }
        let pieces: Vec<Self> = (0..count.div_ceil(PIECE)).into_par_iter().map(piece).collect();
        pieces.into_iter().fold(Self::default(), Self::and)
    }

    /// Combines the sums of two parts; of two equal largest distances, the first is kept.
    fn and(self, next: Self) -> Self {
        let (max, at) = if next.max > self.max { (next.max, next.at) } else { (self.max, self.at) };
        Self { sum: self.sum + next.sum, count: self.count + next.count, max, at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equally_large_values_the_first_counts_and_those_that_are_not_finite_do_not() {
        let values = [f32::NAN, 0.5, 2.0, f32::INFINITY, 2.0];
        let FieldSum { sum, count, max, at } = FieldSum::of(values.len(), |at| values[at]);
        assert_eq!((sum, count, max, at), (4.5, 3, 2.0, 2));
    }
}
