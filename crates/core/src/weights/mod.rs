//! Joint weights: computed from a mesh and its bones, fixed, edited by hand, and transferred from one mesh to another.
//!
//! | type | is |
//! | --- | --- |
//! | [`Body`] | meshes that were bound together: welded points, triangles and bones in one space |
//! | [`PointWeights`] | weight of each bone at each point, sparse |
//! | [`Weighting`] | table of methods, each in its own file |
//! | [`WeightChoice`] | source of a character's displayed weights, such as the file or a recipe |
//! | [`Recipe`] | a method, its settings and the refinement after it; sessions store it instead of weights |
//! | [`fix()`] | fixes the faults that lint reports |
//! | [`weight_statistics()`] | measures weights in total and by joint |
//! | [`edit()`] | edits the weights of selected vertices by hand |
//! | [`helpers()`] | joints that should get no weight, with the reasons |
//! | [`leak()`] | weight that leaks through the air |
//! | [`compute()`] | applies a recipe to a rig, giving a [`crate::rig::WeightSet`] |
//! | [`refine()`] | applies the refinement steps of a recipe to any weights |
//! | [`transfer()`] | transfers the weights of one rig to the meshes of another |
//!
//! Every method gives each point at least one bone; [`WeightResult::notes`] lists requests that could not be met.
//! Functions that take a [`Progress`](crate::jobs::Progress) return `None` if cancelled.

mod auto;
mod body;
mod bone_weights;
mod choice;
mod closest;
mod compute;
mod edit;
mod fix;
mod heat;
mod helpers;
mod islands;
mod leak;
mod mirror;
mod owned_components;
mod refine;
mod regions;
mod request;
mod rigid;
mod segment;
mod spec;
mod spread;
mod statistics;
mod surface;
mod transfer;
mod twists;
mod vertex_influences;
mod voxel;
mod weighting;

pub use body::{Body, BodyBone, BodyPrimitive};
pub use bone_weights::PointWeights;
pub use choice::WeightChoice;
pub(crate) use choice::as_text;
pub use compute::compute;
#[cfg(any(test, feature = "testing"))]
pub use edit::looked_at;
pub use edit::{
    AppliedRows, EditMesh, JointMean, PointSet, PrimitiveVertices, VertexRows, WeightEdit, WeightEditResult, edit,
    mean_weights,
};
pub use fix::{Repair, RepairedPrimitive, StoredFault, WeightRepairResult, fix};
pub use helpers::{Helper, helpers, is_twist_helper};
pub use leak::{leak, leak_score};
pub use refine::refine;
pub use request::WeightRequest;
pub use segment::Segment;
pub use spec::{WeightResult, WeightingSpec};
pub use statistics::{
    InfluenceStatistics, JointWeightStatistics, JointWeightsJson, StoredWeights, WeightNumbersJson, WeightStatistics,
    WeightSymmetry, weight_statistics,
};
pub use surface::{TriangleTree, closest_barycentric};
pub use transfer::transfer;
pub use weighting::{Recipe, WeightRefinement, Weighting};
