//! Pose editing as pure functions: mirroring, blending, and clip transfer between rigs. Inverse kinematics and limits
//! are defined in [`crate::rig`], where pins use them, and re-exported here.

mod blend;
mod clip_correction;
mod clip_transfer;
mod morph_symmetry;
mod names;
mod symmetry;

pub use blend::blend;
pub use clip_correction::{ClipCorrection, has_rotations, without_rotations};
pub use clip_transfer::{
    BoneError, MeanAndMax, TransferErrors, TransferredClips, shared_joints, transfer_errors, transferred_clips,
};
pub use morph_symmetry::{has_morph_partners, mirror_morphs, mirrored_face, morph_partner};
pub use names::{BodySide, other_side};
pub use symmetry::{JointPairs, MirrorOrigin, MirrorPlane, Plane, Symmetry};

pub use crate::rig::{AxisLimit, IkChain, JointLimits, Limits, SolverInputs, rest_bend};
