//! Skinning on the CPU: the reference for the shaders, and what analysis and `bake` use.
//!
//! # From joints to a skinned vertex
//! Forward kinematics ([`crate::rig::forward_kinematics`]) gives each joint its world matrix `W_j`. The skin says where the joint stood when the
//! mesh was bound, `B_j`, as its inverse `IB_j`. So `T_j = W_j * IB_j` carries a point from where it was bound to where the joint
//! would take it, and all `T_j` together are the [`Palette`]. A vertex follows several joints at once, with the weights of its
//! [`Influences`](crate::rig::Influences). What is a mean of motions? Each [`Method`] answers otherwise, and a [`MethodSpec`] is all that makes one:
//!
//! | method | a vertex `v` goes to | keeps | loses |
//! | --- | --- | --- | --- |
//! | LBS | `(sum_j w_j T_j) v`, the mean of matrices | speed, any scale and shear | volume where joints turn apart: [`blended_rotation_defect`] |
//! | DQS | `normalised(sum_j w_j q̂_j) S v`, the mean of motions as [`DualQuat`]s, after the mean stretch `S` of the joints | rigidity | the turn's centre: bent limbs bulge |
//! | Blend | the point at a given share of the way from the one to the other | a bit of both | a bit of both |
//! | Painted | the same with a share of its own for each vertex, from the file | what its author wanted | a rig without such weights |
//! | DQS, no bulge | where DQS takes it, then back to each joint's bone by weight: [`bulge_free`] | the distance from the bones | rigidity; it wants good bones |
//! | `cor` | `R S (v - p) + M p`: turned by DQS's `R` about a centre `p` that LBS's `M` moves | volume, and no bulge | time before: [`Centers`]; twists slide as in LBS where `p` lies off the axis |
//! | `sclerp` | by the intrinsic mean of the motions, for two joints the screw between them: [`DualQuat::mean`] | constant speed of the turn | time: a hundred times DQS; bulges as DQS |
//!
//! Each goes with the settings of [`Skinning`]: what becomes of scale, whether signs are checked, how many influences count, joints with a
//! method of their own. A [`Skinner`] makes a rig ready for one such way, or says why it cannot: [`Unsuited`].
//!
//! Screw interpolation is exact where DQS approximates; the logarithm of a motion is a [`ScrewLog`].
//!
//! Normals go by the inverse-transpose ([`normal_matrix`]), tangents by the matrix itself.
//!
//! # Speed
//! [`skin_into`] cuts a large surface into pieces for all threads of the current `rayon` pool. On x86-64 with AVX-512, or with AVX2 and FMA, it skins sixteen or
//! eight vertices at a time; elsewhere, and for what is left over, a portable loop does the same. `make bench` measures both against plain loops.
//!
//! *Source*: MATH.md; the further methods name their papers.

mod authored;
mod bulge;
mod centers;
mod chunk;
mod cor;
mod defect;
mod deform;
mod dispatch;
mod dqs;
mod dqs_share;
mod dual_quaternion;
mod influence_limit;
mod joint_slots;
mod lbs;
mod method;
mod mixed;
mod morphs;
mod painted;
mod palette;
mod part_shares;
pub mod quaternion;
mod recipe;
mod sclerp;
mod screw;
mod settings;
#[cfg(target_arch = "x86_64")]
mod simd;
mod skinned_rig;
mod skinner;
mod spec;
mod stretch;
mod subset;
mod summing;
mod surface;
mod surface_normals;
mod tangents;
mod unsuited;
mod vectorized;

pub use bulge::bulge_free;
pub use centers::Centers;
pub use defect::{RotationDefect, blended_rotation_defect};
pub use deform::{deform, deform_into, deform_positions_into, skin, skin_into};
pub use dqs::{antipodal_vertices, dual_quaternion_blend};
pub use dqs_share::JointShare;
pub use dual_quaternion::DualQuat;
pub use influence_limit::{InfluenceLimit, WeightPrecision};
pub use lbs::normal_matrix;
pub use method::{Method, ParseMethodError};
pub use morphs::{Morphed, morphed};
pub use palette::{JointTransform, Palette, SkinPose, palettes, palettes_into};
pub use part_shares::{joint_shares, unpainted_share};
pub use screw::ScrewLog;
pub use settings::{JointMethod, Normals, RigSkinning, Skinning};
#[cfg(target_arch = "x86_64")]
pub use simd::instructions;
#[cfg(target_arch = "x86_64")]
pub(crate) use simd::vectorized;
pub use skinned_rig::SkinnedRig;
pub use skinner::Skinner;
pub use spec::{MethodSpec, Needs};
pub use stretch::{ScaleHandling, Scaling, Stretch};
pub use subset::{SomeVertices, deform_some, subset};
pub use summing::Antipodality;
pub use surface::{Deformed, Surface};
pub use surface_normals::{RecomputedNormals, Weld};
pub use unsuited::Unsuited;
pub(crate) use vectorized::Vectorized;
#[cfg(not(target_arch = "x86_64"))]
pub use vectorized::instructions;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use vectorized::vectorized;
