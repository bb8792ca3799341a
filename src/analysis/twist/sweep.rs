//! The region of a joint at many angles.

use glam::{Quat, Vec3};
use rayon::prelude::*;
use serde::Serialize;

use super::axes::Axes;
use super::openings::fan_volume;
use super::region::{Region, RegionVertex};
use super::{Motion, Turn};
use crate::analysis::measure::Size;
use crate::jobs::Progress;
use crate::rig::{NodeIndex, Pose, Posed, Rig, Trs, forward_kinematics};
use crate::skinning::{Deformed, SkinPose, palettes};

/// A region below this share of the volume of what its area could enclose is a sheet: its volume says nothing.
const LEAST_BULK: f64 = 1e-3;
/// Edges and triangles that are smaller, as shares of the rig's size and of its square, are left out: rounding would stretch them.
const LEAST_EDGE: f32 = 1e-5;
const LEAST_AREA: f32 = 1e-9;

/// What a method makes of a region at an angle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Loss {
    /// Signed volume of the region, closed where it is cut out of the surface, as a share of that at angle 0. NaN where it has no volume to lose.
    pub volume_ratio: f32,
    /// Area of the triangle that has shrunk most, as a share of that at angle 0.
    pub least_area_ratio: f32,
    /// Length of the edge that has grown most, as a share of that at angle 0.
    pub largest_edge_ratio: f32,
    /// Of a vertex to where another of the methods puts it, the largest, metres; 0 where there is no other.
    #[serde(rename = "largest_distance_m")]
    pub largest_distance: f32,
}

/// Deforms a part of the region, by the part's number.
pub(super) type Deform<'a> = &'a (dyn Fn(usize, SkinPose<'_>, &mut Deformed) + Sync);

/// A joint, what follows it, and the pose in which it turns.
pub(super) struct TurnBench<'a> {
    pub rig: &'a Rig,
    pub posed: &'a Posed,
    pub pose: &'a Pose,
    pub joint: NodeIndex,
    pub axes: Axes,
    pub region: &'a Region,
    /// One for each method.
    pub deform: Vec<Deform<'a>>,
}

/// A region as one method deforms it: positions by part.
type RegionShape = Vec<Deformed>;

impl TurnBench<'_> {
    /// Sizes at angle 0 by method, and losses by method for each of some angles (radians); `None` where it was cancelled.
    pub fn losses(&self, turns: &[Turn], progress: &Progress) -> Option<(Vec<Size>, Vec<Vec<Loss>>)> {
        progress.go_on()?;
        let mut straight = Vec::new();
        let center = self.shapes(self.pose, &mut straight);
        let sizes: Vec<Size> = straight.iter().map(|shape| self.size(shape, center)).collect();
        let loss = |shapes: &mut Vec<RegionShape>, &turn: &Turn| {
            progress.go_on()?;
            let center = self.shapes(&self.turned(turn), shapes);
            let losses = (0..shapes.len()).map(|method| {
                let size = self.size(&shapes[method], center);
                let (least_area_ratio, largest_edge_ratio) = self.stretch(&straight[method], &shapes[method]);
                Loss {
                    volume_ratio: volume_ratio(size, sizes[method]),
                    least_area_ratio,
                    largest_edge_ratio,
                    largest_distance: largest_distance(shapes, method),
                }
            });
            let losses = losses.collect();
            progress.add(1);
            Some(losses)
        };
        let losses = turns.par_iter().map_init(Vec::new, loss).collect::<Option<_>>()?;
        Some((sizes, losses))
    }

    /// `Ul_j` turned on about an axis of the joint's own frame.
    fn turned(&self, Turn { motion, angle }: Turn) -> Pose {
        let axis = match motion {
            Motion::Twist => self.axes.twist,
            Motion::Bend => self.axes.bend,
        };
        let user = self.pose.user_local(self.joint);
        let mut pose = self.pose.clone();
        pose.set_user_local(self.joint, Trs { rotation: user.rotation * Quat::from_axis_angle(axis, angle), ..*user });
        pose
    }

    /// The region by every method, and where the joint is.
    fn shapes(&self, pose: &Pose, shapes: &mut Vec<RegionShape>) -> Vec3 {
        let world_from_node = forward_kinematics(&self.rig.hierarchy, &self.posed.clip_local, pose);
        let posed = Posed { world_from_node, morph_weights: self.posed.morph_weights.clone(), ..Posed::default() };
        let pose = SkinPose { posed: &posed, palettes: &palettes(self.rig, &posed) };
        shapes.resize_with(self.deform.len(), Vec::new);
        for (shape, deform) in shapes.iter_mut().zip(&self.deform) {
            shape.resize_with(self.region.parts.len(), Deformed::default);
            for (part, deformed) in shape.iter_mut().enumerate() {
                deform(part, pose, deformed);
            }
        }
        posed.world_from_node[self.joint.index()].translation
    }

    fn size(&self, shape: &RegionShape, center: Vec3) -> Size {
        let (center, Region { parts, openings }) = (center.as_dvec3(), self.region);
        let fan = |corners: &Vec<RegionVertex>| {
            let corners: Vec<Vec3> = corners.iter().map(|c| shape[c.part].positions[c.vertex]).collect();
            fan_volume(&corners, center)
        };
        let closing = Size { volume: openings.iter().map(fan).sum(), area: 0.0 };
        parts.iter().zip(shape).fold(closing, |sum, (part, deformed)| {
            let size = Size::of_triangles(&part.triangles, &deformed.positions, center, 1.0);
            Size { volume: sum.volume + size.volume, area: sum.area + size.area }
        })
    }

    /// Smallest ratio of areas and largest of edges; 1 where there is nothing to compare.
    fn stretch(&self, before: &RegionShape, now: &RegionShape) -> (f32, f32) {
        let size = self.rig.size();
        let (mut least, mut most) = (f32::INFINITY, 0.0_f32);
        for ((part, before), now) in self.region.parts.iter().zip(before).zip(now) {
            for triangle in &part.triangles {
                let [before, now] = [before, now].map(|d| triangle.map(|v| d.positions[v as usize]));
                let area_before = doubled_area(before);
                if area_before > LEAST_AREA * size * size {
                    least = least.min(doubled_area(now) / area_before);
                }
                for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                    let length_before = before[from].distance(before[to]);
                    if length_before > LEAST_EDGE * size {
                        most = most.max(now[from].distance(now[to]) / length_before);
                    }
                }
            }
        }
        (if least.is_finite() { least } else { 1.0 }, if most > 0.0 { most } else { 1.0 })
    }
}

fn largest_distance(shapes: &[RegionShape], method: usize) -> f32 {
    let others = (0..shapes.len()).filter(|&other| other != method);
    let distance = |other: usize| {
        let parts = shapes[method].iter().zip(&shapes[other]);
        let vertices = parts.flat_map(|(a, b)| a.positions.iter().zip(&b.positions));
        let squares = vertices.map(|(a, b)| a.distance_squared(*b));
        squares.fold(0.0, f32::max).sqrt()
    };
    others.map(distance).fold(0.0, f32::max)
}

fn volume_ratio(now: Size, before: Size) -> f32 {
    let has_bulk = before.volume.abs() > LEAST_BULK * before.area.powf(1.5);
    if has_bulk { (now.volume / before.volume) as f32 } else { f32::NAN }
}

fn doubled_area([a, b, c]: [Vec3; 3]) -> f32 {
    (b - a).cross(c - a).length()
}
