//! Specification of a skinning method, in one value.

use glam::Mat3;

use super::Palette;
use super::chunk::Chunk;
use super::dqs_share::DqsShare;
use super::summing::Summing;

/// Everything in which skinning methods differ.
pub struct MethodSpec {
    /// Name on the command line and in files; a mix adds its share after a colon.
    pub text: &'static str,
    /// What the name stands for, shown in brackets in the help; empty where that is well known.
    pub gloss: &'static str,
    /// Short name.
    pub label: &'static str,
    /// Name in full.
    pub full_name: &'static str,
    /// What the method keeps and what it loses, in one line.
    pub tradeoff: &'static str,
    /// Colour of the method throughout the interface, sRGB.
    pub color: [u8; 3],
    /// What a rig must have for the method.
    pub needs: Needs,
    /// Name of the function in the vertex shader, `Skinned NAME(vec3 p, vec3 n)`: the same formula as the kernel.
    pub glsl: &'static str,
    pub(super) kernel: Kernel,
    pub(super) directions: Directions,
}

/// What a skinning method requires of a rig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: the method lies between LBS and DQS and works for every rig, also with joints of their own methods.
    Nothing,
    /// A skin; joints cannot have methods of their own.
    Skin,
    /// DQS shares of vertices in the file, or skins that the file wants moved by dual quaternions; joints may have methods of their own.
    DqWeights,
    /// A skin with triangles, for which centres of rotation are found first.
    Centers,
}

/// A function that skins a chunk.
pub(super) type Kernel = fn(&Palette, Summing, DqsShare<'_>, Chunk<'_>);

/// A function that gives the transform of directions along the surface, for joints and weights of a vertex; for methods other than LBS.
pub(super) type Directions = fn(&Palette, Summing, &[u16], &[f32]) -> Mat3;
