use std::f32::consts::TAU;

use egui::{Painter, Pos2, Shape, Stroke, Ui};
use glam::{Affine3, Vec3};

use super::area::Area;
use super::theme;
use crate::analysis::lint::Severity;
use crate::rig::{Collider, ColliderShape, SpringJoint};
use crate::state::AppState;

const CORNERS: usize = 32;
const MAX_JOINTS: usize = 2000;
const MAX_COLLIDERS: usize = 500;
/// Half the edge length of a drawn plane collider, relative to the character's size.
const PLANE: f32 = 0.25;

/// Draws springs as lines from joint to tail with their hit radii, and draws colliders. Colliders that push a spring
/// are red.
pub(super) fn paint(ui: &Ui, view: &Area, state: &AppState) {
    if !state.open.stage.view.display.springs {
        return;
    }
    let wires = SpringPainter { painter: ui.painter().with_clip_rect(view.rect), view };
    let rig = state.open.stage.rig();
    let springs = rig.behaviours().springs();
    let actor = state.open.stage.actor(view.side);
    let thin = Stroke::new(1.0, ui.visuals().weak_text_color());
    let pushing = Stroke::new(1.5, theme::severity_icon(Severity::Error, ui.visuals()).1);
    for (index, collider) in springs.colliders().iter().enumerate().take(MAX_COLLIDERS) {
        if let Some(world) = actor.world_from(collider.node) {
            let stroke = if state.open.stage.springs.is_pushing(index) { pushing } else { thin };
            wires.collider(collider, world, PLANE * rig.size(), stroke);
        }
    }
    let strong = Stroke::new(1.5, ui.visuals().text_color());
    for joint in springs.joints().iter().take(MAX_JOINTS) {
        if let Some(world) = actor.world_from(joint.node) {
            wires.spring(joint, world, [strong, thin]);
        }
    }
}

struct SpringPainter<'a> {
    painter: Painter,
    view: &'a Area,
}

impl SpringPainter<'_> {
    fn spring(&self, joint: &SpringJoint, world: &Affine3, [bone, ball]: [Stroke; 2]) {
        let tail = world.transform_point3(joint.tail);
        self.line([world.translation, tail], bone);
        if let (true, Some(at)) = (joint.hit_radius > 0.0, self.at(tail)) {
            let radius = joint.hit_radius / self.view.lens.world_per_point(tail);
            self.painter.circle_stroke(at, radius, ball);
        }
    }

    fn collider(&self, collider: &Collider, world: &Affine3, plane: f32, stroke: Stroke) {
        match collider.shape {
            ColliderShape::Sphere { offset, radius, .. } => {
                let middle = world.transform_point3(offset);
                for [u, v] in [[Vec3::X, Vec3::Y], [Vec3::Y, Vec3::Z], [Vec3::Z, Vec3::X]] {
                    self.circle(middle, [u * radius, v * radius], stroke);
                }
            }
            ColliderShape::Capsule { offset, tail, radius, .. } => {
                let ends = [offset, tail].map(|end| world.transform_point3(end));
                let along = (ends[1] - ends[0]).normalize_or(Vec3::Y);
                let sides = along.any_orthonormal_pair();
                let [u, v] = [sides.0 * radius, sides.1 * radius];
                for end in ends {
                    for plane in [[u, v], [u, along * radius], [v, along * radius]] {
                        self.circle(end, plane, stroke);
                    }
                }
                for side in [u, -u, v, -v] {
                    self.line(ends.map(|end| end + side), stroke);
                }
            }
            ColliderShape::Plane { offset, normal } => {
                let middle = world.transform_point3(offset);
                let normal = world.transform_vector3(normal).normalize_or(Vec3::Y);
                let sides = normal.any_orthonormal_pair();
                let [u, v] = [sides.0 * plane, sides.1 * plane];
                let corners = [u + v, u - v, -u - v, v - u];
                for (from, to) in corners.into_iter().zip([corners[1], corners[2], corners[3], corners[0]]) {
                    self.line([middle + from, middle + to], stroke);
                }
                self.line([middle, middle + 0.5 * plane * normal], stroke);
            }
        }
    }

    fn circle(&self, middle: Vec3, [u, v]: [Vec3; 2], stroke: Stroke) {
        let corner = |i: usize| {
            let (sin, cos) = (i as f32 / CORNERS as f32 * TAU).sin_cos();
            self.at(middle + u * cos + v * sin)
        };
        // Skips shapes that extend behind the camera.
        if let Some(points) = (0..CORNERS).map(corner).collect::<Option<Vec<Pos2>>>() {
            self.painter.add(Shape::closed_line(points, stroke));
        }
    }

    fn line(&self, ends: [Vec3; 2], stroke: Stroke) {
        if let [Some(from), Some(to)] = ends.map(|end| self.at(end)) {
            self.painter.line_segment([from, to], stroke);
        }
    }

    fn at(&self, place: Vec3) -> Option<Pos2> {
        self.view.lens.project(place).map(|point| self.view.to_screen(point))
    }
}
