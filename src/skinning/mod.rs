//! Skinning on the CPU: the reference for the shaders, and what analysis and `bake` use.
//!
//! # From joints to a skinned vertex
//! Forward kinematics ([`crate::rig::forward_kinematics`]) gives each joint its world matrix `W_j`. The skin says where the joint stood when the
//! mesh was bound, `B_j`, as its inverse `IB_j`. So `T_j = W_j * IB_j` carries a point from where it was bound to where the joint
//! would take it, and all `T_j` together are the [`Palette`]. A vertex follows several joints at once, with the weights of its
//! [`Influences`](crate::rig::Influences). What is a mean of motions? Each [`Method`] answers otherwise:
//!
//! | method | a vertex `v` goes to | keeps | loses |
//! | --- | --- | --- | --- |
//! | LBS | `(sum_j w_j T_j) v`, the mean of matrices | speed, any scale and shear | volume where joints turn apart: [`blended_rotation_defect`] |
//! | DQS | `normalised(sum_j w_j q̂_j) S v`, the mean of motions as [`DualQuat`]s, after the mean stretch `S` | rigidity | the turn's centre: bent limbs bulge |
//! | Blend | the point at a given share of the way from the one to the other | a bit of both | a bit of both |
//!
//! Exact where DQS approximates is the screw motion between two poses, [`DualQuat::sclerp`]; its logarithm is a [`ScrewLog`].
//!
//! Normals go by the inverse-transpose ([`normal_matrix`]), tangents by the matrix itself.
//!
//! # Speed
//! [`skin_into`] cuts a large surface into pieces for all threads of the current `rayon` pool. On x86-64 with AVX2 and FMA it skins eight vertices at
//! a time; elsewhere, and for what is left over, a portable loop does the same. `make bench` measures both against plain loops.
//!
//! *Source*: MATH.md.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod chunk;
mod defect;
mod deform;
mod dqs;
mod dual_quaternion;
mod lbs;
mod method;
mod mixed;
mod morphs;
mod palette;
pub mod quaternion;
mod screw;
mod settings;
mod skinner;
mod subset;
mod tangents;

pub use defect::{RotationDefect, blended_rotation_defect};
pub use deform::{Deformed, Surface, deform, deform_into, deform_positions_into, skin, skin_into};
pub use dual_quaternion::DualQuat;
pub use lbs::normal_matrix;
pub use method::{Method, ParseMethodError};
pub use morphs::{Morphed, morphed};
pub use palette::{JointTransform, Palette, palettes};
pub use screw::ScrewLog;
pub use settings::{Antipodality, InfluenceLimit, JointMethod, Normals, ScaleHandling, Skinning, WeightPrecision};
pub use skinner::{Skinner, Unsuited};
pub use subset::subset;
