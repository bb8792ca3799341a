//! Specification of a skinning method, all of it in one value.

use glam::Mat3;

use super::Palette;
use super::chunk::Chunk;
use super::dqs_share::DqsShare;
use super::phases::Phases;

/// Everything that tells one skinning method from the others.
pub struct MethodSpec {
    /// Name on the command line and in files; a mix has its share behind a colon.
    pub text: &'static str,
    /// What the name stands for, in brackets behind it in the help; empty where that is well known.
    pub gloss: &'static str,
    /// Short name.
    pub label: &'static str,
    /// Name in full.
    pub full_name: &'static str,
    /// What the method keeps and what it loses, in one line.
    pub tradeoff: &'static str,
    /// Colour of the method everywhere, sRGB.
    pub color: [u8; 3],
    /// What a rig must have for the method.
    pub needs: Needs,
    /// Name of the function in the vertex shader, `Skinned NAME(vec3 p, vec3 n)`: the same formula as the kernel.
    pub glsl: &'static str,
    pub(super) kernel: Kernel,
    pub(super) directions: Directions,
}

/// What a skinning method asks of a rig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: it lies between LBS and DQS and serves every rig, with joints of their own methods too.
    Nothing,
    /// A skin; joints cannot have methods of their own.
    Skin,
    /// Shares of DQS of vertices, or skins by dual quaternions, that the file has; joints may have methods of their own.
    DqWeights,
    /// A skin with triangles, in which centres of rotation are found first.
    Centers,
}

/// Skins a chunk.
pub(super) type Kernel = fn(&Palette, Phases, DqsShare<'_>, Chunk<'_>);

/// What becomes of directions along the surface at a vertex of these joints and weights, where the method is not LBS.
pub(super) type Directions = fn(&Palette, Phases, &[u16], &[f32]) -> Mat3;
