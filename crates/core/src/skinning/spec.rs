use glam::Mat3;

use super::Palette;
use super::chunk::VertexChunk;
use super::dq_blend_weight::DqBlendWeight;
use super::summing::BlendOptions;

/// Names, requirements and implementation of a skinning method.
pub struct MethodSpec {
    /// Name on the command line and in files; `blend` appends its weight after a colon.
    pub text: &'static str,
    /// Short explanation for the help; empty for well-known methods.
    pub gloss: &'static str,
    /// Short name.
    pub label: &'static str,
    /// Full name.
    pub full_name: &'static str,
    /// Benefits and drawbacks in one line.
    pub tradeoff: &'static str,
    /// Colour in the UI, sRGB.
    pub color: [u8; 3],
    /// Requirements on the rig.
    pub needs: MethodRequirement,
    /// Name of the vertex shader function `Skinned NAME(vec3 p, vec3 n)` that implements the kernel's formula.
    pub glsl: &'static str,
    pub(super) kernel: Kernel,
    pub(super) directions: Directions,
}

/// Requirements of a skinning method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodRequirement {
    /// No requirement; supports methods per joint.
    Nothing,
    /// A skin; doesn't support methods per joint.
    Skin,
    /// DQ blend weights in the file, or skins that the file declares as DQS; supports methods per joint.
    DqWeights,
    /// A skin with triangles, to compute centres of rotation.
    Centers,
}

pub(super) type Kernel = fn(&Palette, BlendOptions, DqBlendWeight<'_>, VertexChunk<'_>);

/// Computes the transform of tangent directions for a vertex's joints and weights.
pub(super) type Directions = fn(&Palette, BlendOptions, &[u16], &[f32]) -> Mat3;
