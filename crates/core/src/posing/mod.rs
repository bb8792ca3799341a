//! Pose editing as pure functions: mirroring, inverse kinematics, limits, blending; clip transfer between rigs.

mod blend;
mod chain;
mod clip_correction;
mod clip_transfer;
mod limits;
mod morph_symmetry;
mod names;
mod reach;
mod symmetry;

pub use blend::blend;
pub use chain::{IkChain, SolverInputs};
pub use clip_correction::{ClipCorrection, has_rotations, without_rotations};
pub use clip_transfer::{
    BoneError, MeanAndMax, TransferErrors, TransferredClips, shared_joints, transfer_errors, transferred_clips,
};
pub use limits::{AxisLimit, JointLimits, Limits};
pub use morph_symmetry::{has_morph_partners, mirror_morphs, mirrored_face, morph_partner};
pub use names::{BodySide, other_side};
pub use symmetry::{JointPairs, MirrorOrigin, MirrorPlane, Plane, Symmetry};
