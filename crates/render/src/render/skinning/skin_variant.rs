//! Skinning programs, one per method and settings: compute shaders, or vertex shaders whose output is captured. Both
//! include `skinning.glsl`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;

use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::compute_program::ComputeProgram;
use crate::render::gl::vertex_program::VertexProgram;
use crate::render::rig::features::Features;
use rigscope_core::skinning::{Antipodality, Method, Scaling, Skinning, Stretch};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SkinVariant {
    features: Features,
    blend: Option<BlendVariant>,
    is_compute: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkinArray {
    Position,
    Normal,
    Tangent,
    Joints,
    Weights,
    DqWeight,
    OutPosition,
    OutNormal,
    OutTangent,
    OutSide,
}

impl SkinArray {
    /// Returns two names from `buffers.glsl`: the macro for the binding number, and the uniform for the start of the
    /// array (in units of 4 bytes).
    pub(super) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Position => ("POSITION_BUFFER", "positionStart"),
            Self::Normal => ("NORMAL_BUFFER", "normalStart"),
            Self::Tangent => ("TANGENT_BUFFER", "tangentStart"),
            Self::Joints => ("JOINTS_BUFFER", "jointsStart"),
            Self::Weights => ("WEIGHTS_BUFFER", "weightsStart"),
            Self::DqWeight => ("DQ_WEIGHT_BUFFER", "dqWeightStart"),
            Self::OutPosition => ("OUT_POSITION_BUFFER", "outPositionStart"),
            Self::OutNormal => ("OUT_NORMAL_BUFFER", "outNormalStart"),
            Self::OutTangent => ("OUT_TANGENT_BUFFER", "outTangentStart"),
            Self::OutSide => ("OUT_SIDE_BUFFER", "outSideStart"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BlendVariant {
    slots_per_vertex: usize,
    influence_count: usize,
    rounds_weights: bool,
    renormalizes: bool,
    /// How joint transforms are blended. Pure LBS has no settings here, so that settings that it doesn't use don't
    /// multiply the programs.
    by: BlendBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BlendBy {
    Matrices,
    Motions {
        function: &'static str,
        has_centers: bool,
        checks_signs: bool,
        stretch: StretchKind,
        share: BlendWeightSource,
    },
}

/// How stretch is handled, numbered as in `skinning.glsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StretchKind {
    Uniform,
    TwoPhase,
    AboutJoints,
    Dropped,
}

/// Where the weight of the non-LBS result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BlendWeightSource {
    /// The weight is 1 at every vertex.
    All,
    /// The weight is the same at every vertex.
    Some,
    /// Each vertex has its own DQ blend weight.
    ByVertex,
    /// Each joint has a weight; a vertex blends these by its skin weights.
    ByJoint,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PrimitiveTraits {
    pub mirrors: bool,
    pub has_recomputed_normals: bool,
    pub has_joint_blend_weights: bool,
    pub has_centers: bool,
    /// True if the method uses the vertices' DQ blend weights.
    pub uses_vertex_blend_weights: bool,
    /// Blend weight of vertices without a blend weight of their own.
    pub default_blend_weight: f32,
    pub scaling: Scaling,
}

impl PrimitiveTraits {
    /// Returns the uniform scale of skin space, which is applied first.
    pub(super) fn skin_scale(self, skinning: &Skinning) -> f32 {
        if let Stretch::Uniform(scale) = Stretch::new(skinning.scale, self.scaling) { scale } else { 1.0 }
    }
}

impl SkinVariant {
    pub(super) fn new(features: Features, slots_per_vertex: usize, skinning: &Skinning, part: PrimitiveTraits) -> Self {
        let blend = features.has(Features::SKINNED).then(|| BlendVariant {
            slots_per_vertex,
            influence_count: skinning.influences.kept(slots_per_vertex),
            rounds_weights: skinning.influences.precision.steps().is_some(),
            renormalizes: skinning.influences.renormalizes && skinning.influences.limits(slots_per_vertex),
            by: BlendBy::new(skinning, part),
        });
        let recomputes = part.has_recomputed_normals && features.has(Features::NORMALS);
        let features =
            features.for_skinning().with(Features::SIDES, part.mirrors).with(Features::RECOMPUTED, recomputes);
        let features = features.with(Features::DQ_WEIGHTS, part.uses_vertex_blend_weights);
        Self { features, blend, is_compute: false }
    }

    #[must_use]
    pub(super) fn by_compute(self) -> Self {
        Self { is_compute: true, ..self }
    }

    /// Arrays that the program reads and writes, in order of their binding numbers.
    pub(super) fn arrays(self) -> Vec<SkinArray> {
        let has = |feature| self.features.has(feature);
        let all = [
            (SkinArray::Position, true),
            (SkinArray::Normal, has(Features::NORMALS)),
            (SkinArray::Tangent, has(Features::TANGENTS)),
            (SkinArray::Joints, has(Features::SKINNED)),
            (SkinArray::Weights, has(Features::SKINNED)),
            (SkinArray::DqWeight, has(Features::DQ_WEIGHTS)),
            (SkinArray::OutPosition, true),
            (SkinArray::OutNormal, has(Features::NORMALS)),
            (SkinArray::OutTangent, has(Features::TANGENTS)),
            (SkinArray::OutSide, has(Features::SIDES)),
        ];
        all.into_iter().filter(|(_, is_wanted)| *is_wanted).map(|(array, _)| array).collect()
    }

    fn outputs(self) -> Vec<&'static str> {
        let name = |array: SkinArray| array.names().1.strip_suffix("Start").filter(|name| name.starts_with("out"));
        self.arrays().into_iter().filter_map(name).collect()
    }

    fn source(self) -> String {
        let mut source = self.features.defines();
        if self.is_compute {
            for (number, array) in self.arrays().into_iter().enumerate() {
                _ = writeln!(source, "#define {} {number}", array.names().0);
            }
            source += include_str!("buffers.glsl");
        } else {
            source += include_str!("attributes.glsl");
        }
        source += include_str!("../gl/texels.glsl");
        let function = self.blend.map(|blend| blend.declare(&mut source));
        source += include_str!("skinning.glsl");
        if let Some(function) = function {
            _ = writeln!(source, "Skinned skinnedByMethod(vec3 p, vec3 n) {{ return {function}(p, n); }}");
        }
        source + if self.is_compute { include_str!("skin.comp") } else { include_str!("skin.vert") }
    }
}

impl BlendVariant {
    /// Appends the constants and functions for influences. Returns the name of the method's function.
    fn declare(self, source: &mut String) -> &'static str {
        let (function, has_centers, checks_signs, stretch, share) = match self.by {
            BlendBy::Matrices => ("linearlySkinned", false, false, StretchKind::Uniform, None),
            BlendBy::Motions { function, has_centers, checks_signs, stretch, share } => {
                (function, has_centers, checks_signs, stretch, Some(share))
            }
        };
        define(source, &[("CENTERS", has_centers), ("JOINT_BLEND_WEIGHTS", share == Some(BlendWeightSource::ByJoint))]);
        for (name, value) in [
            ("slotsPerVertex", self.slots_per_vertex),
            ("influenceCount", self.influence_count),
            ("stretch", stretch as usize),
        ] {
            _ = writeln!(source, "const int {name} = {value};");
        }
        for (name, value) in [
            ("roundsWeights", self.rounds_weights),
            ("renormalizes", self.renormalizes),
            ("checksSigns", checks_signs),
            ("isLinear", share.is_none()),
            ("isOwn", share == Some(BlendWeightSource::All)),
        ] {
            _ = writeln!(source, "const bool {name} = {value};");
        }
        *source += include_str!("influences.glsl");
        function
    }
}

impl BlendBy {
    fn new(skinning: &Skinning, part: PrimitiveTraits) -> Self {
        let method = skinning.method;
        // Uses LBS until the centres are computed; the interface reports this.
        let is_awaited = method.needs_centers() && !part.has_centers;
        let share = match part.default_blend_weight {
            _ if part.has_joint_blend_weights => BlendWeightSource::ByJoint,
            _ if part.uses_vertex_blend_weights => BlendWeightSource::ByVertex,
            0.0 => return Self::Matrices,
            _ if is_awaited => return Self::Matrices,
            1.0 => BlendWeightSource::All,
            _ => BlendWeightSource::Some,
        };
        // Per-joint methods mix LBS and DQS.
        let method = if share == BlendWeightSource::ByJoint { Method::Dqs } else { method };
        Self::Motions {
            function: method.spec().glsl,
            has_centers: method.needs_centers(),
            checks_signs: skinning.antipodality == Antipodality::Checked,
            stretch: match Stretch::new(skinning.scale, part.scaling) {
                Stretch::Uniform(_) => StretchKind::Uniform,
                // The CPU has a faster path for one scale per joint. On the graphics card, such a path would not save
                // any texels.
                Stretch::ByScale | Stretch::ByStretch => StretchKind::TwoPhase,
                Stretch::AboutJoints => StretchKind::AboutJoints,
                Stretch::Dropped => StretchKind::Dropped,
            },
            share,
        }
    }
}

fn define(source: &mut String, switches: &[(&str, bool)]) {
    for (name, _) in switches.iter().filter(|(_, is_on)| *is_on) {
        _ = writeln!(source, "#define {name}");
    }
}

pub(super) enum SkinProgram {
    Feedback(VertexProgram),
    Compute(ComputeProgram),
}

#[derive(Default)]
pub(super) struct SkinPrograms {
    programs: BTreeMap<SkinVariant, SkinProgram>,
}

impl SkinPrograms {
    pub(super) fn get(&mut self, context: &Context, variant: SkinVariant) -> Result<&SkinProgram, RenderError> {
        match self.programs.entry(variant) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(free) => {
                let (name, source) = ("skinning", variant.source());
                Ok(free.insert(if variant.is_compute {
                    SkinProgram::Compute(ComputeProgram::new(context, name, &source)?)
                } else {
                    SkinProgram::Feedback(VertexProgram::new(context, name, &source, &variant.outputs())?)
                }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_its_function_in_the_shader() {
        let shader = include_str!("skinning.glsl");
        for method in Method::CHOICES {
            let function = format!("Skinned {}(vec3 p, vec3 n) {{", method.spec().glsl);
            assert!(shader.contains(&function), "{method}: {function}");
        }
    }
}
