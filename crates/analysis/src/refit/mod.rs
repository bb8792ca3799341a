//! Changes a skeleton without changing the character, and proves it.
//!
//! Each [`Operation`] makes a new rig and says how its nodes belong to those of the old one ([`RigMap`]). The proof
//! ([`prove`]) poses both rigs alike, in clips and in random poses, and measures the largest distance of the skin and of
//! the joints. An operation that can't carry something through is refused, with a reason.
//!
//! | operation | nodes | binds | vertices |
//! | --- | --- | --- | --- |
//! | pose as rest | new rest transforms | same | same |
//! | reset binds | same | `inverse(W_j)` at rest | skinned at rest |
//! | freeze scale, freeze root, unit, up axis | new frames, see `frames` | follow the frames | follow the world |
//! | rename | new names | same | same |
//! | drop unused, add root | fewer or more | same | same |
//! | merge skins | same | one skin | moved if skins differ in space |
//! | limit influences | same | same | new weights |
//! | add twist | more | more | new weights |
//! | attach | more | same, and those of the outfit | same, and those of the outfit |

mod attach;
mod binds;
mod error;
mod frames;
mod freeze;
mod grammar;
mod matched;
mod names;
mod nodes;
mod pairing;
mod proof;
mod refitted;
mod rest;
mod rig_map;
mod similarity;
mod skeleton;
mod surface;
mod twist;
mod unused;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::Affine3;

pub use attach::Outfit;
pub use error::RefitError;
pub use freeze::{SignedAxis, UnitChange, UpChange};
pub use grammar::{OPERATIONS, OperationSpec};
pub use names::Renaming;
pub use pairing::Pairing;
pub use proof::{Deviation, DeviationJson, MAX_DEVIATION, Proof, ProofPose, RefitJson, prove, prove_with_worst};
pub use refitted::Refitted;
pub use rig_map::RigMap;

use crate::analysis::flex::FlexPlan;
use crate::analysis::lint::rules::Pattern;
use rigscope_core::rig::{ClipMoment, Pose, Posed, Rig, evaluate, pose_for_world};
use rigscope_core::skinning::InfluenceLimit;
use rigscope_core::text::{self, counted};
use rigscope_io::export::PoseFile;
use rigscope_io::import::Job;
use skeleton::rest_worlds;

/// A change of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Makes a pose the rest pose.
    PoseAsRest(RestPose),
    /// Binds the skins at the rest pose.
    ResetBinds,
    /// Makes the scale of every joint, and of the nodes above joints, 1.
    FreezeScale,
    /// Makes the transforms of the nodes above the joints the identity.
    FreezeRoot,
    /// Changes the length unit of all numbers.
    ToUnit(UnitChange),
    /// Turns the character upright.
    Up(UpChange),
    /// Renames joints or morph targets.
    Rename(Renaming),
    /// Removes joints that nothing needs, except those that a pattern fits.
    DropUnused {
        /// Names of joints that stay.
        keep: Vec<Pattern>,
    },
    /// Joins all skins.
    MergeSkins,
    /// Adds a node above the skeleton.
    AddRoot(String),
    /// Keeps the heaviest influences of each vertex.
    LimitInfluences(u8),
    /// Adds helper joints that share the twist at the end of a bone.
    AddTwist {
        /// Name of the joint at the start of the bone.
        joint: String,
        /// Number of helpers.
        count: u8,
    },
    /// Adds the skinned meshes of another file.
    Attach(Outfit),
}

/// Times beyond a clip's end by this much count as its end, seconds.
const CLIP_END: f32 = 1e-3;

/// A pose that becomes the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub enum RestPose {
    /// Arms held sideways.
    T,
    /// Arms held down by 45°.
    A,
    /// The bind pose of the skins, with the topmost joint where it is at rest.
    Bind,
    /// A frame of a clip.
    Clip {
        /// Name of the clip, or its number from 0.
        clip: String,
        /// Time, seconds.
        time_secs: f32,
    },
    /// A pose by names of joints.
    File(PoseFile),
}

impl Refitted {
    /// Applies one more operation. `job` is for the files that it reads. *Errors*: see [`RefitError`].
    pub fn and(self, operation: &Operation, job: &Job) -> Result<Self, RefitError> {
        job.progress.check_cancelled().ok_or(RefitError::Cancelled)?;
        let next = operation.applied(&self.rig, job)?;
        Ok(Self {
            map: self.map.then(&next.map),
            rig: next.rig,
            notes: self.notes.into_iter().chain(next.notes).collect(),
            changes_skin: self.changes_skin || next.changes_skin,
        })
    }
}

/// Applies operations in order. Files that they name are read within the memory limit of `job`. *Errors*: the first
/// operation that is refused; [`RefitError::Cancelled`].
pub fn refit(rig: &Arc<Rig>, operations: &[Operation], job: &Job) -> Result<Refitted, RefitError> {
    let unchanged = Refitted::unchanged(Arc::clone(rig));
    operations.iter().try_fold(unchanged, |refitted, operation| refitted.and(operation, job))
}

impl Operation {
    /// Returns the name on the command line, without dashes.
    pub fn name(&self) -> &'static str {
        match self {
            Self::PoseAsRest(_) => "pose-as-rest",
            Self::ResetBinds => "reset-binds",
            Self::FreezeScale => "freeze-scale",
            Self::FreezeRoot => "freeze-root",
            Self::ToUnit(_) => "to-unit",
            Self::Up(_) => "up",
            Self::Rename(_) => "rename",
            Self::DropUnused { .. } => "drop-unused",
            Self::MergeSkins => "merge-skins",
            Self::AddRoot(_) => "add-root",
            Self::LimitInfluences(_) => "limit-influences",
            Self::AddTwist { .. } => "add-twist",
            Self::Attach(_) => "attach",
        }
    }

    fn applied(&self, rig: &Rig, job: &Job) -> Result<Refitted, RefitError> {
        match self {
            Self::PoseAsRest(pose) => {
                if rig.vrm_version.is_some() && !matches!(pose, RestPose::T | RestPose::Bind) {
                    return Err(RefitError::new(self.name(), "a VRM rests in a T-pose; use t"));
                }
                let (pose, posed) = pose.evaluated(rig)?;
                rest::pose_as_rest(rig, &pose, &posed)
            }
            Self::ResetBinds => binds::reset_binds(rig),
            Self::FreezeScale => freeze::freeze_scale(rig),
            Self::FreezeRoot => freeze::freeze_root(rig),
            Self::ToUnit(unit) => freeze::change_unit(rig, *unit),
            Self::Up(up) => freeze::change_up(rig, *up),
            Self::Rename(renaming) => names::rename(rig, renaming),
            Self::DropUnused { keep } => unused::drop_unused(rig, keep),
            Self::MergeSkins => binds::merge_skins(rig),
            Self::AddRoot(name) => unused::add_root(rig, name),
            Self::LimitInfluences(count) => Ok(limit_influences(rig, *count)),
            Self::AddTwist { joint, count } => twist::add_twist(rig, joint, *count),
            Self::Attach(outfit) => attach::attach(rig, &outfit.read(job)?, outfit.adds_joints),
        }
    }
}

impl RestPose {
    fn evaluated(&self, rig: &Rig) -> Result<(Pose, Posed), RefitError> {
        let refused = |reason: String| RefitError::new("pose-as-rest", reason);
        let rest = || Pose::rest(&rig.hierarchy);
        let (pose, moment) = match self {
            Self::T | Self::A => {
                let name = if *self == Self::T { "T" } else { "A" };
                let plan = FlexPlan::new(rig, &[]);
                let found = plan.poses.iter().find(|pose| pose.joint.is_none() && pose.name == name);
                let reason = || refused(format!("the {name}-pose needs an upright humanoid with known arms"));
                (found.ok_or_else(reason)?.pose(rig), None)
            }
            Self::Bind => {
                let fitted = pose_for_world(&rig.hierarchy, rig.hierarchy.rest_locals(), &rest(), &bound_worlds(rig));
                if let Some(node) = fitted.inexact.iter().find(|node| rig.is_joint(**node)) {
                    return Err(refused(format!("\"{}\" can't reach its bind matrix", rig.hierarchy.name(*node))));
                }
                (fitted.pose, None)
            }
            Self::Clip { clip, time_secs } => {
                let named = rig.clips.iter().position(|known| known.name == *clip);
                let numbered = || clip.parse().ok().filter(|number| *number < rig.clips.len());
                let number = named.or_else(numbered).ok_or_else(|| refused(format!("there is no clip \"{clip}\"")))?;
                let end = rig.clips[number].duration_secs;
                if !(0.0..=end + CLIP_END).contains(time_secs) {
                    return Err(refused(format!("the clip \"{clip}\" lasts from 0 to {} s", text::number(end))));
                }
                (rest(), Some(ClipMoment::new(number, *time_secs)))
            }
            Self::File(file) => {
                let (pose, warnings) = file.pose_for(rig);
                if let Some(warning) = warnings.first() {
                    return Err(refused(warning.to_string()));
                }
                (pose, None)
            }
        };
        let posed = evaluate(rig, moment, &pose);
        Ok((pose, posed))
    }
}

fn limit_influences(rig: &Rig, count: u8) -> Refitted {
    let limit = InfluenceLimit { count: Some(count), ..InfluenceLimit::default() };
    let mut data = (**rig).clone();
    let mut changed = 0;
    for primitive in data.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let Some(influences) = &primitive.influences else { continue };
        let used = |vertex: usize| influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0).count();
        let over = (0..influences.len()).filter(|vertex| used(*vertex) > usize::from(count)).count();
        if over > 0 {
            primitive.influences = Some(limit.apply(influences).into_owned());
            primitive.stored_influences = None;
            changed += over;
        }
    }
    let note = format!("limited {}", counted(changed, "vertex", "vertices"));
    Refitted { changes_skin: changed > 0, ..Refitted::same_nodes(data, rig, "limit-influences", &note) }
}

/// Returns `W_j` of the joints in the bind pose of their first skin, moved so that the skin's topmost joint is where it
/// is at rest; `None` for other nodes. The bind pose itself may be in other units, far away or lying.
fn bound_worlds(rig: &Rig) -> Vec<Option<Affine3>> {
    let worlds = rest_worlds(rig);
    let mut wanted = vec![None; rig.hierarchy.len()];
    for skin in &rig.skins {
        let bound = || skin.joints.iter().copied().zip(&skin.inverse_bind);
        let Some((top, bind)) = bound().min_by_key(|(joint, _)| *joint) else { continue };
        let world_from_skin = worlds[top.index()] * bind.as_daffine3();
        for (joint, bind) in bound() {
            let world = (world_from_skin * bind.as_daffine3().inverse()).as_affine3();
            wanted[joint.index()] = wanted[joint.index()].or_else(|| world.is_finite().then_some(world));
        }
    }
    wanted.into_iter().map(|world| Some(rig.hierarchy.matrix_from_file(world?))).collect()
}
