//! Comparison characters: other characters on a side, with their own meshes and joints. The open character's pose and
//! clip are applied to joints of the same name.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::points::PointsSummary;
use super::refit::RefitSummary;
use super::{Document, Source};
use crate::actor::{Actor, Counterparts, PoseEvaluator, SharedPose, make_unique};
use crate::import::{FileState, ImportError, Job};
use crate::jobs::Progress;
use crate::matching::{IndexMatch, VertexMatchError, VertexPairs, clip_match};
use crate::posing::transferred_clips;
use crate::rig::{Bone, ClipMoment, DisabledBehaviours, NodeIndex, PointFrame, Pose, Rig, drawn_bones_into};
use crate::text::listed;
use crate::view::View;

/// A comparison file as last read successfully.
#[derive(Debug)]
pub struct ReadFile {
    /// Path of the file.
    pub path: PathBuf,
    /// The character as read; for points, the one last built from them.
    pub rig: Arc<Rig>,
    /// Points of another program as read, if the file has points instead of a character.
    pub points: Option<Arc<Vec<PointFrame>>>,
    /// Files that the character was read from.
    pub files: Vec<FileState>,
    pub(super) is_incomplete: bool,
}

/// A comparison character with its counterparts in the open character.
#[derive(Clone, Debug)]
pub struct ComparisonRig {
    /// Meshes and joints of the other character, with missing clips transferred from the open one.
    pub rig: Arc<Rig>,
    /// The other character as read.
    pub own: Arc<Rig>,
    /// The file; `None` for the previous version of the open file.
    pub file: Option<Arc<ReadFile>>,
    /// How points were matched and converted; `None` for a character.
    pub points: Option<PointsSummary>,
    /// How the skeleton of the open character was changed; `None` for other characters.
    pub refit: Option<RefitSummary>,
    /// Error message if the last attempt to read the file failed. The last readable version is shown.
    pub problem: Option<String>,
    /// Messages about elements without a counterpart in the open character.
    pub notes: Vec<String>,
    /// Duration of reading and matching.
    pub took: Duration,
    pub(super) counterparts: Arc<Counterparts>,
    pub(super) clips: IndexMatch,
    /// Matched vertices of both characters.
    pub matching: Result<Arc<VertexPairs>, VertexMatchError>,
}

const MAX_NAMES: usize = 5;

impl ComparisonRig {
    /// Opens another file and matches it with the open character; `None` if stopped. If the file became unreadable,
    /// uses its last readable version. *Errors*: a message for the user.
    pub(super) fn open(
        open: &Arc<Rig>,
        from: &Path,
        before: Option<&Arc<ReadFile>>,
        job: &Job,
    ) -> Option<Result<Self, String>> {
        let start = Instant::now();
        let opened = Document::open(&Source::File(from.to_owned()), job);
        job.progress.check_cancelled()?;
        let (file, problem) = match (opened, before) {
            (Err(ImportError::Cancelled), _) => return None,
            (Err(problem), None) => return Some(Err(problem.to_string())),
            (Err(problem), Some(before)) => (Arc::clone(before), Some(problem.to_string())),
            (Ok(Document { missing: Some(missing), .. }), Some(before)) if !before.is_incomplete => {
                (Arc::clone(before), Some(missing))
            }
            (Ok(Document { rig, files, missing, .. }), _) => {
                let is_incomplete = missing.is_some();
                (Arc::new(ReadFile { path: from.to_owned(), rig, points: None, files, is_incomplete }), None)
            }
        };
        let mut found = Self::between(open, Arc::clone(&file.rig), &job.progress)?;
        let told = problem.as_ref().map(|problem| format!("Showing the last readable version: {problem}"));
        found.notes.splice(0..0, told);
        Some(Ok(Self { file: Some(file), problem, took: start.elapsed(), ..found }))
    }

    /// Matches another character with the open one, transfers missing clips and reports unmatched elements.
    pub(crate) fn between(open: &Arc<Rig>, other: Arc<Rig>, progress: &Progress) -> Option<Self> {
        let start = Instant::now();
        let anchor = open.hierarchy.anchor();
        // Moves the other character into the open one's world space.
        let is_elsewhere = other.hierarchy.anchor() != anchor;
        let other = if is_elsewhere { Arc::new(Rig::clone(&other).anchored_at(anchor)) } else { other };
        let counterparts = Counterparts::between(open, &other);
        let own_clips = clip_match(open, &other);
        let is_lacking = |name: &str| {
            open.clips.iter().enumerate().any(|(number, clip)| clip.name == name && own_clips.new_for(number).is_none())
        };
        let mut lacking = transferred_clips(open, &other).clips;
        lacking.retain(|clip| is_lacking(&clip.name));
        let own = Arc::clone(&other);
        let rig = if lacking.is_empty() { other } else { Arc::new(Rig::clone(&other).with_clips(lacking)) };
        let clips = clip_match(open, &rig);
        let matching = VertexPairs::between(open, &rig, progress)?.map(Arc::new);
        let mut notes = missing(open, counterparts.nodes());
        notes.extend(matching.as_ref().err().map(|why| format!("Distances are off: {why}")));
        let took = start.elapsed();
        Some(Self {
            rig,
            own,
            file: None,
            points: None,
            refit: None,
            problem: None,
            notes,
            took,
            counterparts: Arc::new(counterparts),
            clips,
            matching,
        })
    }

    pub(super) fn clip(&self, open: usize) -> Option<usize> {
        self.clips.new_for(open)
    }

    /// Converts a pose of the open character, applied to its rest pose or to a clip.
    pub(super) fn pose(&self, open: &Pose, is_in_clip: bool) -> Pose {
        let mut pose = self.counterparts.pose(open, &self.rig);
        if let Some(refit) = &self.refit {
            refit.add_joints(open, &self.rig, is_in_clip, &mut pose);
        }
        pose
    }

    fn moment(&self, moment: Option<ClipMoment>) -> Option<ClipMoment> {
        let moment = moment?;
        Some(ClipMoment { clip: self.clip(moment.clip)?, ..moment })
    }
}

fn missing(open: &Rig, nodes: &[Option<NodeIndex>]) -> Vec<String> {
    let hierarchy = &open.hierarchy;
    let is_missing = |node: &NodeIndex| open.is_joint(*node) && nodes[node.index()].is_none();
    let names: Vec<&str> = hierarchy.nodes().filter(is_missing).map(|node| hierarchy.name(node)).collect();
    let told = || format!("Joints that the other file does not have: {}", listed(&names, MAX_NAMES));
    (!names.is_empty()).then(told).into_iter().collect()
}

#[derive(Clone, Default)]
pub(super) struct PosedOther {
    pose: SharedPose,
    bones: Arc<Vec<Bone>>,
    lone_bones: Arc<Vec<Bone>>,
}

pub(super) struct OpenAppearance<'a> {
    pub rig: &'a Rig,
    /// The user's pose and the clip moment; `None` shows the rest pose.
    pub pose: Option<(&'a Pose, Option<ClipMoment>)>,
    pub switched_off: DisabledBehaviours,
    pub view: &'a View,
}

impl PosedOther {
    /// Applies the open character's pose to another character. Hides the meshes and materials whose names are hidden on
    /// the open character.
    pub(super) fn actor(
        &mut self,
        other: &ComparisonRig,
        open: &OpenAppearance<'_>,
        poser: &mut PoseEvaluator,
    ) -> Actor {
        let rig = &other.rig;
        match open.pose {
            None => {
                let unposed = Pose::rest(&rig.hierarchy).without(open.switched_off);
                poser.pose_into(rig, None, &unposed, &mut self.pose);
            }
            Some((pose, moment)) => {
                let mut own = other.pose(pose, moment.is_some());
                if let (Some(points), Some(moment)) = (&other.points, moment) {
                    points.hold(open.rig, (pose, moment), &mut own);
                }
                poser.pose_into(rig, other.moment(moment), &own, &mut self.pose);
            }
        }
        self.find_bones(other, open.view);
        Actor {
            rig: Arc::clone(rig),
            pose: self.pose.clone(),
            hidden: Arc::new(open.view.hidden.carried(open.rig, rig)),
            bones: Arc::clone(&self.bones),
            unmatched_bones: Arc::clone(&self.lone_bones),
            counterparts: Some(Arc::clone(&other.counterparts)),
        }
    }

    fn find_bones(&mut self, other: &ComparisonRig, view: &View) {
        let (bones, lone_bones) = (make_unique(&mut self.bones), make_unique(&mut self.lone_bones));
        drawn_bones_into(&other.rig, &self.pose.posed, bones);
        if other.points.is_some() {
            // Their nodes are no joints.
            bones.clear();
        }
        let open_joint = |bone: &Bone| other.counterparts.open_node(bone.joint);
        lone_bones.clear();
        lone_bones.extend(bones.iter().filter(|bone| open_joint(bone).is_none()));
        bones.retain_mut(|bone| {
            let joint = open_joint(bone).filter(|joint| view.shows_bone(*joint));
            bone.joint = joint.unwrap_or(bone.joint);
            joint.is_some()
        });
    }
}
