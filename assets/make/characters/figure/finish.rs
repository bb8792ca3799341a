//! Converts pieces to primitives: normals, colours, weights, and the mirrored half.

use std::collections::BTreeMap;

use glam::DVec3;

use super::super::math::{unit, v};
use super::super::mesh::Paint;
use super::super::model::{Primitive, Vertex, color, floats, influences};
use super::super::rig::Rig;
use super::super::sdf::gradient;
use super::palette::shade;
use super::piece::{Material, Piece};
use super::weights::Weights;

const MATERIALS: [(Material, &str, f64); 6] = [
    (Material::Skin, "Skin", 0.62),
    (Material::Eyes, "Eyes", 0.60),
    (Material::Hair, "Hair", 0.66),
    (Material::Shirt, "Shirt", 0.88),
    (Material::Trousers, "Trousers", 0.85),
    (Material::Shoes, "Shoes", 0.72),
];

/// Returns one primitive per material.
pub fn primitives(pieces: &[Piece], rig: &Rig) -> Vec<Primitive> {
    let weights = Weights::new(rig);
    let primitive = |(material, name, roughness): (Material, &'static str, f64)| {
        let mut primitive = Primitive { material: name, roughness, vertices: Vec::new(), indices: Vec::new() };
        for piece in pieces.iter().filter(|piece| piece.material == material) {
            Finish { piece, pieces, rig, weights: &weights }.append_to(&mut primitive);
        }
        primitive
    };
    MATERIALS.into_iter().map(primitive).collect()
}

struct Finish<'a> {
    piece: &'a Piece,
    pieces: &'a [Piece],
    rig: &'a Rig,
    weights: &'a Weights<'a>,
}

impl Finish<'_> {
    /// Adds the piece and its mirror image to a primitive.
    fn append_to(&self, primitive: &mut Primitive) {
        // Duplicates vertices between two paints.
        let mut index_of: BTreeMap<(usize, Paint), (u32, u32)> = BTreeMap::new();
        let mut halves = [Vec::new(), Vec::new()];
        for triangle in &self.piece.mesh.triangles {
            let corners = triangle.corners.map(|corner| {
                *index_of
                    .entry((corner, triangle.paint))
                    .or_insert_with(|| self.push(primitive, corner, triangle.paint))
            });
            halves[0].extend(corners.map(|(left, _)| left));
            let [a, b, c] = corners.map(|(_, right)| right);
            halves[1].extend([a, c, b]);
        }
        primitive.indices.extend(halves.concat());
    }

    /// Adds a vertex and its mirror image, which are the same vertex on the mirror plane of a half mesh.
    fn push(&self, primitive: &mut Primitive, corner: usize, paint: Paint) -> (u32, u32) {
        let left = self.vertex(corner, paint);
        let at = primitive.vertices.len() as u32;
        primitive.vertices.push(left);
        if self.piece.is_half && self.piece.mesh.on_plane[corner] {
            return (at, at);
        }
        primitive.vertices.push(self.mirrored(&left));
        (at, at + 1)
    }

    fn vertex(&self, corner: usize, paint: Paint) -> Vertex {
        let p = self.piece.mesh.positions[corner];
        let normal = self.normal(corner);
        let shares = match self.piece.rigid {
            Some(joint) => BTreeMap::from([(self.rig.find(joint), 1.0)]),
            None => self.weights.at(p),
        };
        let (joints, weights) = influences(&shares);
        let color = color(shade(paint, p, self.openness(p, normal)));
        Vertex { position: floats(p), normal: floats(normal), color, joints, weights }
    }

    fn normal(&self, corner: usize) -> DVec3 {
        let mesh = &self.piece.mesh;
        if let Some(normal) = mesh.normals.get(corner) {
            return *normal;
        }
        let normal = unit(gradient(&self.piece.field, mesh.positions[corner]));
        if mesh.on_plane[corner] { unit(v(0.0, normal.y, normal.z)) } else { normal }
    }

    fn mirrored(&self, left: &Vertex) -> Vertex {
        let flip = |[x, y, z]: [f32; 3]| [-x + 0.0, y, z];
        let mut joints = left.joints;
        for (joint, weight) in joints.iter_mut().zip(left.weights) {
            if weight > 0.0 {
                *joint = self.rig.mirrored_joint(usize::from(*joint)) as u8;
            }
        }
        Vertex { position: flip(left.position), normal: flip(left.normal), joints, ..*left }
    }

    /// Estimates ambient occlusion from the distances to all pieces at a few points above the surface.
    fn openness(&self, p: DVec3, normal: DVec3) -> f64 {
        let mut open = 0.0;
        for (reach, part) in [(0.006, 0.25), (0.016, 0.30), (0.036, 0.28), (0.075, 0.17)] {
            let q = p + normal * reach;
            let clear = self.pieces.iter().map(|piece| (piece.field)(v(q.x.abs(), q.y, q.z))).fold(reach, f64::min);
            open += part * (clear / reach).clamp(0.0, 1.0);
        }
        open
    }
}
