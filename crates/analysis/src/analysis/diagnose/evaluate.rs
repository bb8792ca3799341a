//! Runs the reference pipeline: points in the file's coordinates, in double precision.

use std::collections::BTreeMap;

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4, Vec4};

use rigscope_core::skinning::DualQuat;

use super::joints::{JointMotion, Worlds, half_rounded, palette};
use super::pipeline::{
    Bind, Blend, HalfPrecision, Mirror, MorphUse, OnTop, OutputUpAxis, Pipeline, Signs, StretchUse, SumUse,
};
use super::raw::{RawPart, RawRig};

/// Vertices to evaluate: primitive and vertex, sorted by primitive.
pub(super) type VertexChoice = [(usize, u32)];

impl RawRig<'_> {
    /// Returns where a program with the pipeline's mistakes puts the vertices.
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method has the lifetime of one run")]
    pub(super) fn points(&self, pipeline: &Pipeline, vertices: &VertexChoice) -> Vec<DVec3> {
        self.for_each_vertex(pipeline, vertices, |run, vertex, slots| run.point(vertex, slots))
    }

    /// Returns the stretched positions of skinned vertices and the motions that dual quaternion skinning blends.
    pub(super) fn blends(&self, pipeline: &Pipeline, vertices: &VertexChoice) -> Vec<(DVec3, Vec<BlendedMotion>)> {
        self.for_each_vertex(pipeline, vertices, |run, vertex, slots| {
            run.part.slots(vertex, pipeline, slots);
            let (stretched, motions) = run.motions(run.stored(vertex) + run.offset(vertex), slots);
            (stretched, motions.collect())
        })
    }

    /// Returns unit normals of LBS, transformed like glTF asks or, if `by_matrix`, by the blended matrix itself. A
    /// vertex without normal has zero.
    pub(super) fn normals(&self, pipeline: &Pipeline, by_matrix: bool, vertices: &VertexChoice) -> Vec<DVec3> {
        self.for_each_vertex(pipeline, vertices, |run, vertex, slots| {
            run.part.slots(vertex, pipeline, slots);
            let linear = DMat3::from_mat4(run.blended(slots));
            let columns = [linear.x_axis, linear.y_axis, linear.z_axis];
            let cofactor = DMat3::from_cols(
                columns[1].cross(columns[2]),
                columns[2].cross(columns[0]),
                columns[0].cross(columns[1]),
            );
            let sign = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
            let matrix = if by_matrix { linear } else { cofactor * sign };
            (matrix * run.normal(vertex)).normalize_or_zero()
        })
    }

    /// Calls a function for each vertex with the run of its primitive, the vertex and memory for its slots.
    fn for_each_vertex<T>(
        &self,
        pipeline: &Pipeline,
        vertices: &VertexChoice,
        evaluate: impl Fn(&PartRun<'_>, usize, &mut Vec<(usize, f64)>) -> T,
    ) -> Vec<T> {
        let (worlds, mut palettes) = (Worlds::new(self, pipeline), SkinPalettes::default());
        let mut results = Vec::with_capacity(vertices.len());
        let mut slots = Vec::new();
        for chosen in vertices.chunk_by(|a, b| a.0 == b.0) {
            let Some(part) = chosen.first().and_then(|(part, _)| self.parts.get(*part)) else { continue };
            let palette = palettes.palette(self, &worlds, part, pipeline);
            let run = PartRun::new(self, part, (&worlds, palette), pipeline);
            results.extend(chosen.iter().map(|&(_, vertex)| evaluate(&run, vertex as usize, &mut slots)));
        }
        results
    }
}

/// Palettes by skin and, if they depend on it, node of the mesh. Primitives of a skin share one.
#[derive(Default)]
struct SkinPalettes(BTreeMap<(usize, Option<usize>), Vec<JointMotion>>);

impl SkinPalettes {
    /// Returns the palette of a primitive, computed on first use; empty without a skin.
    fn palette(
        &mut self,
        raw: &RawRig<'_>,
        worlds: &Worlds,
        part: &RawPart<'_>,
        pipeline: &Pipeline,
    ) -> &[JointMotion] {
        let Some(skin) = part.skin else { return &[] };
        let node = (pipeline.bind == Bind::FromRestInMesh).then_some(part.node);
        self.0.entry((skin, node)).or_insert_with(|| palette(raw, worlds, (skin, part.node), pipeline))
    }
}

struct PartRun<'a> {
    part: &'a RawPart<'a>,
    pipeline: &'a Pipeline,
    palette: &'a [JointMotion],
    /// World transform of the mesh's node.
    node: DMat4,
    morphs: Vec<f64>,
    on_top: DMat4,
    space: DMat3,
}

impl<'a> PartRun<'a> {
    fn new(
        raw: &'a RawRig<'_>,
        part: &'a RawPart<'a>,
        (worlds, palette): (&Worlds, &'a [JointMotion]),
        pipeline: &'a Pipeline,
    ) -> Self {
        let node = worlds.now.get(part.node).copied().unwrap_or(DMat4::IDENTITY);
        let local = raw.locals.get(part.node);
        let local_matrix = || local.map_or(DMat4::IDENTITY, |local| local.matrix(false, pipeline));
        let on_top = if part.skin.is_none() {
            DMat4::IDENTITY
        } else {
            match pipeline.on_top {
                OnTop::Nothing => DMat4::IDENTITY,
                OnTop::MeshNode => node,
                OnTop::MeshNodeLocal => local_matrix(),
                OnTop::MeshNodeScale => DMat4::from_scale(scale_of(&node)),
                OnTop::MeshNodeLocalScale => DMat4::from_scale(scale_of(&local_matrix())),
                OnTop::InverseMeshNode => {
                    let inverse = node.inverse();
                    if inverse.is_finite() { inverse } else { DMat4::IDENTITY }
                }
            }
        };
        Self {
            part,
            pipeline,
            palette,
            node,
            morphs: raw.morph_weights(part.instance, pipeline),
            on_top,
            space: space(pipeline),
        }
    }

    fn point(&self, vertex: usize, slots: &mut Vec<(usize, f64)>) -> DVec3 {
        let offset = if self.pipeline.morphs == MorphUse::Missing { DVec3::ZERO } else { self.offset(vertex) };
        let is_after = self.pipeline.morphs == MorphUse::AfterSkinning;
        let stored = self.stored(vertex);
        let position = if is_after { stored } else { stored + offset };
        let mut point = if self.part.skin.is_none() {
            self.node.transform_point3(position)
        } else {
            self.part.slots(vertex, self.pipeline, slots);
            self.skinned(position, vertex, slots)
        };
        if is_after {
            point += offset;
        }
        self.space * self.on_top.transform_point3(point)
    }

    fn stored(&self, vertex: usize) -> DVec3 {
        let position = self.part.primitive.positions.get(vertex).map_or(DVec3::ZERO, |p| p.as_dvec3());
        if self.pipeline.half == HalfPrecision::Positions {
            return DVec3::from_array(position.to_array().map(half_rounded));
        }
        position
    }

    fn offset(&self, vertex: usize) -> DVec3 {
        let targets = self.part.primitive.morph_targets.iter().zip(&self.morphs).filter(|(_, weight)| **weight != 0.0);
        targets.filter_map(|(t, weight)| Some(t.positions.get(vertex)?.as_dvec3() * *weight)).sum()
    }

    fn normal(&self, vertex: usize) -> DVec3 {
        let primitive = self.part.primitive;
        let normal = primitive.normals.as_ref().and_then(|n| n.get(vertex)).map_or(DVec3::ZERO, |n| n.as_dvec3());
        let targets = primitive.morph_targets.iter().zip(&self.morphs);
        normal + targets.filter_map(|(t, weight)| Some(t.normals.get(vertex)?.as_dvec3() * *weight)).sum::<DVec3>()
    }

    fn blended(&self, slots: &[(usize, f64)]) -> DMat4 {
        if self.part.skin.is_none() {
            return self.node;
        }
        let motions = slots.iter().filter_map(|(joint, weight)| Some((self.palette.get(*joint)?, *weight)));
        motions.fold(DMat4::ZERO, |sum, (motion, weight)| sum + motion.matrix * weight)
    }

    fn skinned(&self, position: DVec3, vertex: usize, slots: &[(usize, f64)]) -> DVec3 {
        match self.pipeline.method {
            Blend::Linear => {
                let mut sum = DVec4::ZERO;
                for &(joint, weight) in slots {
                    if let Some(motion) = self.palette.get(joint) {
                        sum += motion.matrix * position.extend(1.0) * weight;
                    }
                }
                let divides = self.pipeline.divides_by_w && sum.w.abs() > 1e-12;
                if divides { sum.truncate() / sum.w } else { sum.truncate() }
            }
            Blend::DualQuaternion => self.dual_quaternion(position, vertex, slots),
        }
    }

    /// Returns the stretched position of a vertex and the rigid motions that dual quaternion skinning blends, with the
    /// signs of the palette. *Source*: `docs/mathematics.md`.
    fn motions<'b>(
        &'b self,
        position: DVec3,
        slots: &'b [(usize, f64)],
    ) -> (DVec3, impl Iterator<Item = BlendedMotion> + 'b) {
        let stretch_use = self.pipeline.stretch;
        let of_slot = move |&(joint, weight): &(usize, f64)| Some((joint, self.palette.get(joint)?, weight));
        let motions = move || slots.iter().filter_map(of_slot);
        let (mut stretch, mut binds, mut offset) = (DMat3::ZERO, DVec3::ZERO, DVec3::ZERO);
        if stretch_use == StretchUse::TwoPhases {
            for (_, motion, weight) in motions() {
                stretch += motion.stretch * weight;
                binds += motion.bind * weight;
                offset -= motion.stretch * motion.bind * weight;
            }
        }
        let stretched =
            if stretch_use == StretchUse::TwoPhases { stretch * (position + binds) + offset } else { position };
        let blended = motions().map(move |(joint, motion, weight)| {
            let (at_bind, rotation) = (motion.matrix.transform_point3(motion.bind), motion.rotation);
            let translation = match stretch_use {
                StretchUse::TwoPhases => at_bind - rotation * (stretch * motion.bind),
                StretchUse::Dropped => motion.matrix.w_axis.truncate(),
                StretchUse::DroppedAboutBind => at_bind - rotation * motion.bind,
            };
            let dual = DQuat::from_xyzw(translation.x, translation.y, translation.z, 0.0) * rotation * 0.5;
            BlendedMotion { joint, rotation, dual, translation, weight }
        });
        (stretched, blended)
    }

    /// Dual quaternion skinning in two phases.
    fn dual_quaternion(&self, position: DVec3, vertex: usize, slots: &[(usize, f64)]) -> DVec3 {
        let &Pipeline { signs, sum, .. } = self.pipeline;
        let (stretched, motions) = self.motions(position, slots);
        let heaviest = || {
            let mut heaviest: Option<(usize, f64)> = None;
            for &(joint, weight) in slots {
                if heaviest.is_none_or(|(_, most)| weight > most) {
                    heaviest = Some((joint, weight));
                }
            }
            heaviest.map(|(joint, _)| joint)
        };
        let pivot = match signs {
            Signs::OfHeaviest => heaviest(),
            Signs::OfFirstStored => self.part.first_stored(vertex),
            Signs::OfMatrices | Signs::PositiveW | Signs::OfProducts | Signs::Fitted => None,
        };
        let pivot = pivot.and_then(|joint| self.palette.get(joint)).map(|motion| motion.rotation);
        let signed = motions.map(|motion| {
            let flips = pivot.is_some_and(|pivot| pivot.dot(motion.rotation) < 0.0);
            if flips { motion.negated() } else { motion }
        });
        if sum == SumUse::Screw {
            let weighted: Vec<(DualQuat, f32)> = signed
                .map(|BlendedMotion { rotation, translation, weight, .. }| {
                    let rotation = rotation.as_quat();
                    let unsigned = DualQuat::from_rotation_translation(rotation, translation.as_vec3());
                    let is_same = unsigned.real.dot(Vec4::from(rotation)) >= 0.0;
                    (if is_same { unsigned } else { -unsigned }, weight as f32)
                })
                .collect();
            if weighted.is_empty() {
                return DVec3::ZERO;
            }
            return DualQuat::mean(&weighted).transform_point(stretched.as_vec3()).as_dvec3();
        }
        blended(sum, signed, stretched)
    }
}

/// The rigid motion of a joint in dual quaternion skinning.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlendedMotion {
    pub joint: usize,
    rotation: DQuat,
    dual: DQuat,
    translation: DVec3,
    weight: f64,
}

impl BlendedMotion {
    /// Returns the same motion with the other sign.
    pub(super) fn negated(self) -> Self {
        Self { rotation: -self.rotation, dual: -self.dual, ..self }
    }
}

/// Applies the weighted sum of motions to a point.
pub(super) fn blended(sum: SumUse, motions: impl Iterator<Item = BlendedMotion>, point: DVec3) -> DVec3 {
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let (real, dual) = motions.fold((zero, zero), |(real, dual), motion| {
        (real + motion.rotation * motion.weight, dual + motion.dual * motion.weight)
    });
    moved(sum, real, dual, point)
}

/// Applies a sum of dual quaternions to a point.
fn moved(sum: SumUse, real: DQuat, dual: DQuat, point: DVec3) -> DVec3 {
    let length = real.length();
    if length < 1e-12 {
        return point;
    }
    let (vector, w) = (DVec3::new(real.x, real.y, real.z), real.w);
    let (dual_vector, dual_w) = (DVec3::new(dual.x, dual.y, dual.z), dual.w);
    let translation = (dual_vector * w - vector * dual_w + vector.cross(dual_vector)) * 2.0;
    let rotated = || real * length.recip() * point;
    match sum {
        SumUse::Normalised | SumUse::Screw => rotated() + translation / (length * length),
        SumUse::Raw => point + vector.cross(vector.cross(point) + point * w) * 2.0 + translation,
        SumUse::RawSandwich => rotated() * (length * length) + translation,
        SumUse::RotationNormalised => rotated() + translation,
        SumUse::TranslationDividedOnce => rotated() + translation / length,
    }
}

fn scale_of(matrix: &DMat4) -> DVec3 {
    let linear = DMat3::from_mat4(*matrix);
    let sign = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
    DVec3::new(linear.x_axis.length() * sign, linear.y_axis.length(), linear.z_axis.length())
}

/// Returns the conversion to the axes and the unit of the program.
fn space(pipeline: &Pipeline) -> DMat3 {
    let axes = match pipeline.axes {
        OutputUpAxis::Y => DMat3::IDENTITY,
        OutputUpAxis::Z => DMat3::from_cols(DVec3::X, DVec3::Z, -DVec3::Y),
        OutputUpAxis::MinusZ => DMat3::from_cols(DVec3::X, -DVec3::Z, DVec3::Y),
    };
    let mirror = match pipeline.mirror {
        Mirror::None => DVec3::ONE,
        Mirror::X => DVec3::new(-1.0, 1.0, 1.0),
        Mirror::Y => DVec3::new(1.0, -1.0, 1.0),
        Mirror::Z => DVec3::new(1.0, 1.0, -1.0),
    };
    DMat3::from_diagonal(mirror) * axes * pipeline.unit.0
}
