//! CPU skinning: the reference for the shaders, used by analysis and `bake`.
//!
//! `T_j = W_j * IB_j` moves a point from the bind pose as joint j alone would; all `T_j` form the [`Palette`]. A vertex
//! blends its joints' motions by the weights of its [`Influences`](crate::rig::Influences). A [`Method`] defines how
//! motions are blended; a [`MethodSpec`] is its implementation:
//!
//! | method | position of a vertex `v` | preserves | drawback |
//! | --- | --- | --- | --- |
//! | LBS | `(sum_j w_j T_j) v` | any scale and shear; fast | loses volume where joints rotate apart |
//! | DQS | `normalized(sum_j w_j q̂_j) S v`, with [`DualQuat`]s and the mean stretch `S` | rigidity | bent limbs bulge |
//! | Blend | interpolated between LBS and DQS | some of both | some of both |
//! | Weighted blend | the same, with a DQ blend weight per vertex from the file | the author's intent | needs such weights |
//! | DQS, bulge-compensated | DQS, then pulled back to the joints' bones by weight: [`bulge_free`] | distance from bones | not rigid; needs good bones |
//! | `cor` | `R S (v - p) + M p`: DQS's `R` about a centre `p` moved by LBS's `M` | volume, no bulge | needs [`Centers`]; skin slides under twist if `p` is off the axis |
//! | `sclerp` | intrinsic mean of motions: [`DualQuat::mean`] | constant angular speed | bulges like DQS at a hundred times its cost |
//!
//! [`Skinning`] adds settings: scale handling, sign checks, influence limits, methods per joint. A [`Skinner`] prepares
//! a rig for a [`Skinning`], or reports why it cannot: [`UnsupportedSkinning`]. Normals are transformed by the
//! inverse-transpose ([`normal_matrix`]), tangents by the matrix itself.
//!
//! [`skin_into`] splits large surfaces across the threads of the current `rayon` pool. On x86-64 with AVX2 and FMA it
//! skins eight vertices at a time; otherwise a portable loop runs. `make bench` measures both. *Source*:
//! `docs/mathematics.md`.

mod bulge;
mod centers;
mod chunk;
mod cor;
mod deform;
mod dispatch;
mod dq_blend_weight;
mod dqs;
mod dual_quaternion;
mod influence_limit;
mod joint_slots;
mod lbs;
mod method;
mod mixed;
mod morphs;
mod palette;
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
mod unsupported;
mod vectorized;

pub use bulge::bulge_free;
pub use centers::Centers;
pub use deform::{deform, deform_into, deform_positions_into, skin, skin_into};
pub use dq_blend_weight::JointBlendWeights;
pub use dqs::{antipodal_vertices, dual_quaternion_blend};
pub use dual_quaternion::DualQuat;
pub use influence_limit::{InfluenceLimit, WeightPrecision};
pub use lbs::normal_matrix;
pub use method::{Method, ParseMethodError};
pub use morphs::{MorphedSurface, morphed};
pub use palette::{JointTransform, Palette, SkinPose, palettes, palettes_into};
pub use settings::{JointMethod, Normals, RigSkinning, Skinning, default_blend_weight, joint_blend_weights};
#[cfg(target_arch = "x86_64")]
pub use simd::instructions;
#[cfg(target_arch = "x86_64")]
pub use simd::vectorized;
pub use skinned_rig::SkinnedRig;
pub use skinner::Skinner;
pub use spec::{MethodRequirement, MethodSpec};
pub use stretch::{ScaleHandling, Scaling, Stretch};
pub use subset::{VertexSubset, deform_some, subset};
pub use summing::Antipodality;
pub use surface::{Deformed, Surface};
pub use surface_normals::{RecomputedNormals, Weld};
pub use unsupported::UnsupportedSkinning;
pub use vectorized::Vectorized;
#[cfg(not(target_arch = "x86_64"))]
pub use vectorized::instructions;
#[cfg(not(target_arch = "x86_64"))]
pub use vectorized::vectorized;
