use glam::{Affine3, Mat3, Mat4};
use three_d::context::{LINES, POINTS};

use crate::render::gl::gpu_buffer::{GpuBuffer, VertexInputs};
use crate::render::gl::gpu_program::GpuProgram;
use crate::render::gl::program::SetUniform;
use crate::render::overlay::overlay_textures::PrimitiveOverlay;
use crate::render::panes::eye::PaneCamera;
use crate::render::rig::features::Features;
use crate::render::rig::primitive::GpuPrimitive;
use crate::render::skinning::pose_data::Placement;
use rigscope_core::skinning::{InfluenceLimit, normal_matrix};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DrawnShape {
    /// Triangles or, if the primitive has none, lines or points.
    Surface,
    Edges,
    /// Sampled vertices as points. There are fewer points than triangles.
    Spread,
}

/// Depth offset towards the viewer in pixels, plus a slope-dependent part. Independent of scene size and depth range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DepthOffset {
    pub pixels: f32,
    pub per_slope: f32,
}

impl DepthOffset {
    pub(crate) const NO_OFFSET: Self = Self { pixels: 0.0, per_slope: 0.0 };
}

pub(crate) struct PosedPrimitive<'a> {
    pub primitive: &'a GpuPrimitive,
    pub vertices: PosedVertices<'a>,
    pub hovered: Option<HoveredJoint>,
    pub shape: DrawnShape,
    pub nearer: DepthOffset,
    pub painted: Option<PrimitiveOverlay<'a>>,
}

#[derive(Clone, Copy)]
pub(crate) enum PosedVertices<'a> {
    /// Vertices in world space.
    Skinned { inputs: &'a VertexInputs, has_sides: bool },
    /// Vertices in mesh space, all transformed by one matrix.
    Placed { inputs: &'a VertexInputs, placement: Placement },
}

/// The joint whose skin is highlighted: its palette index, and the limit on influences per vertex.
#[derive(Clone, Copy)]
pub(crate) struct HoveredJoint {
    pub in_palette: usize,
    pub influences: InfluenceLimit,
}

impl<'a> PosedVertices<'a> {
    pub(crate) fn inputs(self) -> &'a VertexInputs {
        match self {
            Self::Skinned { inputs, .. } | Self::Placed { inputs, .. } => inputs,
        }
    }
}

impl<'a> PosedPrimitive<'a> {
    pub(crate) fn bare(primitive: &'a GpuPrimitive, vertices: PosedVertices<'a>) -> Self {
        let shape = DrawnShape::Surface;
        Self { primitive, vertices, hovered: None, shape, nearer: DepthOffset::NO_OFFSET, painted: None }
    }

    pub(crate) fn features(&self) -> Features {
        let (is_placed, has_sides) = match self.vertices {
            PosedVertices::Skinned { has_sides, .. } => (false, has_sides),
            PosedVertices::Placed { .. } => (true, false),
        };
        self.primitive
            .features
            .for_drawing(self.hovered.is_some())
            .with(Features::PLACED, is_placed)
            .with(Features::SIDES, has_sides)
            .with(Features::OVERLAID, self.painted.is_some())
            .with(Features::HOVERED, self.hovered.is_some())
    }

    pub(crate) fn mirrors(&self) -> bool {
        match self.vertices {
            PosedVertices::Skinned { has_sides, .. } => has_sides,
            PosedVertices::Placed { placement, .. } => placement.mirrors,
        }
    }

    pub(crate) fn elements(&self) -> Option<(u32, &'a GpuBuffer, usize)> {
        let primitive = self.primitive;
        match self.shape {
            DrawnShape::Surface => primitive.elements().map(|(buffer, count)| (primitive.mode(), buffer, count)),
            DrawnShape::Edges => primitive.edges().map(|(buffer, count)| (LINES, buffer, count)),
            DrawnShape::Spread => primitive.spread().map(|(buffer, count)| (POINTS, buffer, count)),
        }
    }

    /// Returns the vertex shader without `#version`. `light` is the source of per-vertex lighting, or empty.
    pub(crate) fn vertex_shader(&self, light: &str) -> String {
        let features = self.features();
        let mut source = features.defines() + include_str!("../panes/eye.glsl") + include_str!("../gl/texels.glsl");
        if features.has(Features::SKINNED) {
            source += "uniform int slotsPerVertex;\nuniform int influenceCount;\nuniform bool roundsWeights;\nuniform bool renormalizes;\n";
            source += "#define vertexIndex gl_VertexID\nlayout(location = 4) in uvec4 joints;\nlayout(location = 5) in vec4 weights;\n";
            source += include_str!("../skinning/influences.glsl");
        }
        if features.has(Features::OVERLAID) {
            source += include_str!("../overlay/overlay.glsl");
        }
        source + light + include_str!("primitive.vert")
    }

    pub(crate) fn set_uniforms(&self, program: &GpuProgram, eye: &PaneCamera) {
        if let PosedVertices::Placed { placement: Placement { world_from_mesh, mirrors, .. }, .. } = self.vertices {
            program.set("worldFromMesh", Mat4::from(world_from_mesh));
            program.set("worldFromNormal", world_from_normal(world_from_mesh));
            program.set("placedSide", if mirrors { -1.0 } else { 1.0 });
        }
        if let Some(HoveredJoint { in_palette, influences }) = self.hovered {
            let slots = self.primitive.slots_per_vertex();
            program.set("hoveredJoint", in_palette);
            program.set("influenceCount", influences.kept(slots));
            program.set("roundsWeights", influences.precision.steps().is_some());
            program.set("weightSteps", influences.precision.steps().unwrap_or_default());
            program.set("renormalizes", influences.renormalizes && influences.limits(slots));
            self.primitive.set_influences(program);
        }
        if let Some(painted) = self.painted {
            painted.set_uniforms(program);
        }
        if self.nearer != DepthOffset::NO_OFFSET {
            eye.use_uniforms(program);
        }
        program.set("nearerBy", [self.nearer.pixels, self.nearer.per_slope]);
    }
}

/// Returns the matrix for normals, scaled to avoid overflow and underflow. It doesn't preserve lengths.
fn world_from_normal(world_from_mesh: Affine3) -> Mat3 {
    let turn = normal_matrix(world_from_mesh.matrix3);
    let largest = turn.to_cols_array().iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    if largest > 0.0 { turn * largest.recip() } else { turn }
}
