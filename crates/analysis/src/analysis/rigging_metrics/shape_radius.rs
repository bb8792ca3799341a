//! Half the local shape diameter at joints: how thick the body is there.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::skeleton::Skeleton;
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{Pose, Primitive, Rig, evaluate};
use rigscope_core::skinning::{Deformed, Method, SkinPose, Skinner, Skinning, palettes};

/// Rays about each bone of a joint.
const RAYS: usize = 16;
/// Radius where no ray meets the surface, in units of the longest side. *Source*: Deng et al. 2025, *Anymate*, whose
/// tolerance is 0.1 in a box from -1 to 1.
const NO_SURFACE: f64 = 0.05;

/// Triangles of a rig at rest, world space.
pub(super) struct RestTriangles(Vec<[Vec3; 3]>);

impl RestTriangles {
    /// *Errors*: linear blending cannot skin the rig.
    pub(super) fn new(rig: &Arc<Rig>) -> Result<Self, String> {
        let posed = evaluate(rig, None, &Pose::rest(&rig.hierarchy));
        let palettes = palettes(rig, &posed);
        let skinner = Skinner::new(rig, &Skinning::new(Method::Lbs)).map_err(|problem| problem.to_string())?;
        let surfaces = skinner.deform_positions(SkinPose { posed: &posed, palettes: &palettes });
        let of_part = |(primitive, deformed): (&Primitive, &Deformed)| {
            let at = |vertex: u32| deformed.positions.get(vertex as usize).copied();
            let corners = |&[a, b, c]: &[u32; 3]| Some([at(a)?, at(b)?, at(c)?]);
            primitive.indices.as_chunks().0.iter().filter_map(corners).collect::<Vec<_>>()
        };
        let primitives = rig.primitives().map(|(_, primitive)| primitive);
        Ok(Self(primitives.zip(surfaces.iter().flatten()).flat_map(of_part).collect()))
    }

    /// Returns half the local shape diameter at each joint, in units of `unit` metres: the mean distance from the joint
    /// to the surface along rays perpendicular to each bone that meets there. `None` if cancelled.
    pub(super) fn radii(&self, skeleton: &Skeleton, unit: f64, progress: &Progress) -> Option<Vec<f64>> {
        let mut directions: Vec<Vec<Vec3>> = vec![Vec::new(); skeleton.points.len()];
        for &[parent, child] in &skeleton.bones {
            let along = (skeleton.points[child] - skeleton.points[parent]).try_normalize();
            for joint in [parent, child] {
                directions[joint].extend(along);
            }
        }
        let radius = |(point, directions): (&Vec3, &Vec<Vec3>)| {
            progress.check_cancelled()?;
            let hits: Vec<f32> = directions.iter().flat_map(|along| self.hits(*point, *along)).collect();
            let mean = hits.iter().map(|hit| f64::from(*hit)).sum::<f64>() / hits.len() as f64;
            Some(if mean.is_finite() { mean / unit } else { NO_SURFACE })
        };
        skeleton.points.par_iter().zip(&directions).map(radius).collect()
    }

    /// Returns the distance to the first hit of each ray from a point, perpendicular to a direction.
    fn hits(&self, point: Vec3, along: Vec3) -> impl Iterator<Item = f32> + use<> {
        let across = along.any_orthonormal_pair();
        let mut nearest = [f32::INFINITY; RAYS];
        for triangle in &self.0 {
            let heights = triangle.map(|corner| (corner - point).dot(along));
            if heights.iter().all(|height| *height > 0.0) || heights.iter().all(|height| *height < 0.0) {
                continue;
            }
            let flat = triangle.map(|corner| Vec2::new((corner - point).dot(across.0), (corner - point).dot(across.1)));
            let Some([from, to]) = section(flat, heights) else { continue };
            for (ray, nearest) in nearest.iter_mut().enumerate() {
                let direction = Vec2::from_angle(std::f32::consts::TAU * ray as f32 / RAYS as f32);
                if let Some(distance) = ray_hit(direction, from, to) {
                    *nearest = nearest.min(distance);
                }
            }
        }
        nearest.into_iter().filter(|distance| distance.is_finite())
    }
}

/// Returns the ends of the section of a triangle with the plane at height 0. `flat` are coordinates in the plane.
fn section(flat: [Vec2; 3], heights: [f32; 3]) -> Option<[Vec2; 2]> {
    let mut ends = [(0, 1), (1, 2), (2, 0)].into_iter().filter_map(|(a, b)| {
        let is_crossed = (heights[a] > 0.0) != (heights[b] > 0.0);
        is_crossed.then(|| flat[a].lerp(flat[b], heights[a] / (heights[a] - heights[b])))
    });
    Some([ends.next()?, ends.next()?])
}

/// Returns the distance along a ray from the origin to a segment.
fn ray_hit(direction: Vec2, from: Vec2, to: Vec2) -> Option<f32> {
    let [a, b] = [from, to].map(|end| direction.perp_dot(end));
    if (a > 0.0) == (b > 0.0) {
        return None;
    }
    let distance = direction.dot(from.lerp(to, a / (a - b)));
    (distance > 0.0).then_some(distance)
}
