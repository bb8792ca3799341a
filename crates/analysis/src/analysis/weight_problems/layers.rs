//! Surfaces that lie over each other at rest, and how deeply one passes through the other in a pose.

use glam::{Mat3, Vec3};
use rayon::prelude::*;

use super::far_joints::RestBones;
use super::surface::{RestSurface, cross};
use rigscope_core::jobs::{Progress, try_ranges};
use rigscope_core::rig::{Bounds, Hierarchy, NodeIndex};
use rigscope_core::weights::{TriangleTree, closest_barycentric};

/// Maximum distance between layers, relative to the rig's size.
const REACH: f32 = 0.04;

/// Crossings that are no deeper than this, relative to the rig's size, are ignored.
const MIN_DEPTH: f32 = 0.005;

/// Points can pass only through components with more than this fraction of the whole surface area.
const MIN_BASE: f32 = 0.005;
/// Maximum number of components that points can pass through, largest first.
const MAX_BASES: usize = 32;

/// A point is over or under a surface if the cosine between the surface normal and the line to the point exceeds this.
const STEEP: f32 = 0.7;
/// Two surfaces are layers only if the cosine between their normals exceeds this.
const ALIKE: f32 = 0.5;

/// Layers closer than this to a joint that moves only one of them are hinges and don't count; relative to the rig's
/// size. A hinge ends at half of the joint's bone, but not before half of this.
const HINGE: f32 = 0.08;

/// Maximum number of steps from triangle to triangle when following a sliding point.
const MAX_STEPS: usize = 48;

/// A point, and the triangle of another component that is nearest over or under the point at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LayerAnchor {
    point: u32,
    triangle: u32,
    /// 1 if the point is over the surface, -1 if it is under the surface.
    side: f32,
    /// Distance between point and triangle at rest, metres.
    distance: f32,
    /// Rest position of the point in the triangle's [`frame`].
    in_triangle: Vec3,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::analysis) struct Crossing {
    pub point: u32,
    /// Point on the surface that is crossed.
    pub through: u32,
    /// Depth in the worst pose, metres.
    pub depth: f32,
    pub pose: u32,
}

pub(in crate::analysis) struct Layers<'a> {
    surface: &'a RestSurface,
    anchors: Vec<LayerAnchor>,
    worst: Vec<Crossing>,
    min_depth: f32,
}

impl<'a> Layers<'a> {
    /// Finds the layers at rest; returns `None` if cancelled. *Cost*: n log n in points and triangles.
    pub(in crate::analysis) fn new(
        surface: &'a RestSurface,
        (hierarchy, bones): (&Hierarchy, &RestBones),
        size: f32,
        progress: &Progress,
    ) -> Option<Self> {
        let bases = bases(surface, REACH * size);
        let normals = if bases.len() > 1 { surface.normals(&surface.rest) } else { Vec::new() };
        let near = |point: u32| nearest_over_and_under(surface, &bases, &normals, point, REACH * size);
        let points: Vec<u32> = surface.used_points().filter(|_| bases.len() > 1).collect();
        let found = try_ranges((points.len(), 1 << 10), progress, |range| {
            let found = points[range].iter().flat_map(|&point| near(point)).flatten();
            Some(
                found.filter(|anchor| !is_hinge(surface, (hierarchy, bones), anchor, HINGE * size)).collect::<Vec<_>>(),
            )
        });
        let anchors = found?.concat();
        let worst = anchors.iter().map(|anchor| Crossing { point: anchor.point, ..Crossing::default() }).collect();
        Some(Self { surface, anchors, worst, min_depth: MIN_DEPTH * size })
    }

    /// Updates the worst crossings with the crossings of one pose; returns the number of triangles visited.
    pub(in crate::analysis) fn look(&mut self, positions: &[Vec3], pose: u32) -> usize {
        let Self { surface, anchors, worst, .. } = self;
        let look = |(worst, anchor): (&mut Crossing, &LayerAnchor)| {
            let (depth, triangle, steps) = depth(surface, anchor, positions);
            if depth > worst.depth {
                *worst = Crossing { through: surface.triangles[triangle as usize][0], depth, pose, ..*worst };
            }
            steps
        };
        worst.par_iter_mut().zip(anchors.par_iter()).with_min_len(256).map(look).sum()
    }

    /// Iterates over the points that are deeper through another layer in a pose than is ignored. Skips pairs of a point
    /// and a triangle for which `is_rigid` returns true.
    pub(in crate::analysis) fn crossings<'b>(
        &'b self,
        positions: &'b [Vec3],
        is_rigid: impl Fn(u32, [u32; 3]) -> bool + 'b,
    ) -> impl Iterator<Item = Crossing> + 'b {
        let moves =
            move |anchor: &&LayerAnchor| !is_rigid(anchor.point, self.surface.triangles[anchor.triangle as usize]);
        let crossing = |anchor: &LayerAnchor| {
            let (depth, triangle, _) = depth(self.surface, anchor, positions);
            let through = self.surface.triangles[triangle as usize][0];
            (depth > self.min_depth).then_some(Crossing { point: anchor.point, through, depth, pose: 0 })
        };
        self.anchors.iter().filter(moves).filter_map(crossing)
    }

    pub(in crate::analysis) fn above_threshold(&self) -> impl Iterator<Item = &Crossing> {
        self.worst.iter().filter(|crossing| crossing.depth > self.min_depth)
    }

    pub(in crate::analysis) fn min_depth(&self) -> f32 {
        self.min_depth
    }
}

struct LayerBase {
    piece: u32,
    tree: TriangleTree,
    /// Bounds of the component, enlarged by the maximum distance between layers.
    bounds: Bounds,
}

fn bases(surface: &RestSurface, reach: f32) -> Vec<LayerBase> {
    let mut areas = vec![0.0_f64; surface.component_count];
    for point in surface.used_points() {
        areas[surface.components[point as usize] as usize] += f64::from(surface.areas[point as usize]);
    }
    let min_area = f64::from(MIN_BASE) * areas.iter().sum::<f64>();
    let mut large: Vec<usize> = (0..areas.len()).filter(|&piece| areas[piece] > min_area).collect();
    large.sort_by(|&a, &b| areas[b].total_cmp(&areas[a]));
    large.truncate(MAX_BASES);
    let mut triangles = vec![Vec::new(); areas.len()];
    for (number, triangle) in surface.triangles.iter().enumerate() {
        triangles[surface.components[triangle[0] as usize] as usize].push(number);
    }
    let base = |&piece: &usize| {
        let corners = triangles[piece].iter().flat_map(|&number| surface.corners(number as u32, &surface.rest));
        let mut bounds: Bounds = corners.collect();
        (bounds.min, bounds.max) = (bounds.min - reach, bounds.max + reach);
        let tree = TriangleTree::new(&surface.rest, &surface.triangles, triangles[piece].iter().copied());
        LayerBase { piece: piece as u32, tree, bounds }
    };
    large.par_iter().map(base).collect()
}

/// Returns the nearest layer under a point and the nearest layer over the point, in this order.
fn nearest_over_and_under(
    surface: &RestSurface,
    bases: &[LayerBase],
    normals: &[Vec3],
    point: u32,
    reach: f32,
) -> [Option<LayerAnchor>; 2] {
    let (place, own) = (surface.rest[point as usize], surface.components[point as usize]);
    let mut found: [Option<LayerAnchor>; 2] = [None, None];
    let is_near = |base: &&LayerBase| base.piece != own && place.clamp(base.bounds.min, base.bounds.max) == place;
    for base in bases.iter().filter(is_near) {
        let Some(nearest) = base.tree.nearest(place, reach) else { continue };
        let corners = surface.corners(nearest.triangle as u32, &surface.rest);
        let normal = cross(corners).normalize_or_zero();
        let way = (place - at(corners, nearest.shares)).normalize_or_zero().dot(normal);
        let best = &mut found[usize::from(way < 0.0)];
        let is_beside = surface.is_at_border(nearest.triangle as u32, nearest.shares);
        let is_layer = !is_beside && way.abs() > STEEP && normals[point as usize].dot(normal) > ALIKE;
        if is_layer && best.is_none_or(|best| nearest.distance < best.distance) {
            let triangle = nearest.triangle as u32;
            let (origin, axes) = frame(corners);
            let in_triangle = axes.transpose() * (place - origin);
            *best = Some(LayerAnchor { point, triangle, side: way.signum(), distance: nearest.distance, in_triangle });
        }
    }
    found
}

fn is_hinge(
    surface: &RestSurface,
    (hierarchy, bones): (&Hierarchy, &RestBones),
    anchor: &LayerAnchor,
    near: f32,
) -> bool {
    let place = surface.rest[anchor.point as usize];
    let chain = |point: u32| -> Vec<NodeIndex> {
        let heaviest = surface.heaviest(point).into_iter();
        heaviest.flat_map(|node| std::iter::once(node).chain(hierarchy.ancestors(node))).collect()
    };
    let (own, other) = (chain(anchor.point), chain(surface.triangles[anchor.triangle as usize][0]));
    let alone = own.iter().filter(|node| !other.contains(node)).chain(other.iter().filter(|node| !own.contains(node)));
    alone.copied().any(|node| {
        let half = bones.length(node) / 2.0;
        let reach = if half > 0.0 { half.clamp(near / 2.0, near) } else { near };
        bones.head(node).distance(place) < reach
    })
}

/// Returns how deep a point is on the wrong side of the surface (metres, 0 if it is on its own side), the nearest
/// triangle, and the number of triangles visited.
fn depth(surface: &RestSurface, anchor: &LayerAnchor, positions: &[Vec3]) -> (f32, u32, usize) {
    let place = positions[anchor.point as usize];
    let mut looked_at = 1;
    let nearest = |triangle: u32| {
        let corners = surface.corners(triangle, positions);
        let shares = closest_barycentric(corners, place);
        (place - at(corners, shares), shares)
    };
    let (mut triangle, (mut way, mut shares)) = (anchor.triangle, nearest(anchor.triangle));
    let outside = |triangle: u32, way: Vec3| {
        way.dot(cross(surface.corners(triangle, positions)).normalize_or_zero()) * anchor.side
    };
    if outside(triangle, way) >= 0.0 && way.length() < 1.5 * anchor.distance {
        return (0.0, triangle, looked_at);
    }
    for _ in 0..MAX_STEPS {
        let corners = surface.triangles[triangle as usize].iter().zip(shares);
        let touched = corners.filter(|(_, share)| *share > 0.0).flat_map(|(&corner, _)| surface.around(corner));
        let before = triangle;
        for &next in touched {
            looked_at += 1;
            let (next_way, next_shares) = nearest(next);
            if next_way.length_squared() < way.length_squared() {
                (triangle, way, shares) = (next, next_way, next_shares);
            }
        }
        if triangle == before {
            break;
        }
    }
    let below = -outside(triangle, way);
    // A point that slid over an open border, or moved with its nearest triangle at rest, did not pass through the
    // surface.
    let (origin, axes) = frame(surface.corners(anchor.triangle, positions));
    let moved = place.distance(origin + axes * anchor.in_triangle);
    let has_passed = moved > below && !surface.is_at_border(triangle, shares);
    let is_sure = below > STEEP * way.length() && way.is_finite() && has_passed;
    (if is_sure { below } else { 0.0 }, triangle, looked_at)
}

/// Returns a triangle's frame. The origin is the first corner. The axes are the first edge, the normal, and the vector
/// perpendicular to both.
fn frame(corners: [Vec3; 3]) -> (Vec3, Mat3) {
    let [a, b, _] = corners;
    let (along, normal) = ((b - a).normalize_or_zero(), cross(corners).normalize_or_zero());
    (a, Mat3::from_cols(along, normal, along.cross(normal)))
}

fn at([a, b, c]: [Vec3; 3], shares: [f32; 3]) -> Vec3 {
    a * shares[0] + b * shares[1] + c * shares[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Topology;
    use rigscope_core::rig::testing::chain;
    use rigscope_core::rig::{Mesh, MeshInstance, Primitive, Rig, RigData, Trs};

    /// Returns a flat strip of two squares along x, and a triangle whose first corner is 2 cm over the first square.
    fn strip_with_a_point_over_it() -> (RestSurface, LayerAnchor) {
        let strip = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0]];
        let mut positions: Vec<Vec3> = strip.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec();
        let over = Vec3::new(0.4, 0.3, 0.02);
        positions.extend([over, over + Vec3::Z, over + Vec3::X + Vec3::Z]);
        let indices = vec![0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 6, 7, 8];
        let primitive = Primitive { positions: positions.clone(), indices, ..Primitive::default() };
        let rig = Rig::new(RigData {
            hierarchy: chain(1, Trs::IDENTITY),
            meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
            instances: vec![MeshInstance { node: NodeIndex(0), mesh: 0, skin: None, morph_weights: Vec::new() }],
            ..RigData::default()
        });
        let surface = RestSurface::new(&rig, &Topology::new(&rig), positions);
        let (origin, axes) = frame(surface.corners(0, &surface.rest));
        let in_triangle = axes.transpose() * (over - origin);
        (surface, LayerAnchor { point: 6, triangle: 0, side: 1.0, distance: 0.02, in_triangle })
    }

    #[test]
    fn a_point_that_goes_through_the_surface_has_crossed_it_by_as_much() {
        let (surface, anchor) = strip_with_a_point_over_it();
        let mut posed = surface.rest.clone();
        assert_eq!(depth(&surface, &anchor, &posed).0, 0.0);
        posed[6].z = -0.04;
        assert!((depth(&surface, &anchor, &posed).0 - 0.04).abs() < 1e-6);
    }

    #[test]
    fn a_point_that_stays_over_its_triangle_has_not_crossed_what_folds_over_it() {
        let (surface, anchor) = strip_with_a_point_over_it();
        let mut posed = surface.rest.clone();
        // Folds the second square between the first square and the point, with its back to the point.
        for corner in [2, 5] {
            posed[corner] = Vec3::new(0.0, posed[corner].y, 0.03);
        }
        posed[6].z = 0.04;
        assert_eq!(depth(&surface, &anchor, &posed).0, 0.0);
        posed[6].x += 0.05;
        assert!(depth(&surface, &anchor, &posed).0 > 0.02, "it has moved farther than it is through");
    }
}
