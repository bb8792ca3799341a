//! Another file in place of the open one on a side: its own meshes and joints, in the same pose and clip by their names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::reload::{Counterparts, carried_pose};
use super::{Document, Source};
use crate::analysis::sides::{Poser, SharedPose};
use crate::analysis::{Matching, Unmatched};
use crate::import::{FileState, ImportError, Job};
use crate::jobs::Progress;
use crate::posing::transferred_clips;
use crate::rig::{Bone, ClipMoment, MorphIndex, NodeIndex, Pose, Rig, drawn_bones_into};
use crate::view::Hidden;

/// Another file as it was when it could last be read.
#[derive(Debug)]
pub struct ReadFile {
    /// Where it is.
    pub path: PathBuf,
    /// The character, as read.
    pub rig: Arc<Rig>,
    /// What it was read from.
    pub files: Vec<FileState>,
    /// Data was missing that it refers to.
    is_incomplete: bool,
}

/// What the parts of the open character are in another file.
#[derive(Clone, Debug)]
pub struct SideVersion {
    /// The file; `None` for the open one as it was before.
    pub file: Option<Arc<ReadFile>>,
    /// Why the file cannot be read as it is now, in words: it is shown as it last was.
    pub problem: Option<String>,
    counterparts: Arc<Counterparts>,
    /// Of each node of the other that of the open character.
    nodes: Arc<[Option<NodeIndex>]>,
    /// Of each clip of the open character that of the other.
    clips: Vec<Option<usize>>,
    /// Which vertex is which.
    pub matching: Result<Arc<Matching>, Unmatched>,
}

/// Another character, matched with the open one.
pub(super) struct FoundVersion {
    /// With the clips that it lacked.
    pub rig: Arc<Rig>,
    pub version: SideVersion,
    /// What has no counterpart, a sentence each.
    pub notes: Vec<String>,
}

/// More names nobody reads.
const MOST_NAMES: usize = 5;

impl SideVersion {
    /// Opens another file and finds what of it is what of the open character; `None` where it was stopped. A file that was read before and is
    /// broken, half written or gone now is taken as it was.
    ///
    /// *Errors*: why it cannot be opened, in words.
    pub(super) fn open(
        open: &Arc<Rig>,
        from: &Path,
        before: Option<&Arc<ReadFile>>,
        progress: &Progress,
    ) -> Option<Result<FoundVersion, String>> {
        let opened = Document::open(&Source::File(from.to_owned()), &Job::default());
        progress.go_on()?;
        let (file, problem) = match (opened, before) {
            (Err(ImportError::Cancelled), _) => return None,
            (Err(problem), None) => return Some(Err(problem.to_string())),
            (Err(problem), Some(before)) => (Arc::clone(before), Some(problem.to_string())),
            (Ok(Document { missing: Some(missing), .. }), Some(before)) if !before.is_incomplete => {
                (Arc::clone(before), Some(missing))
            }
            (Ok(Document { rig, files, missing, .. }), _) => {
                let is_incomplete = missing.is_some();
                (Arc::new(ReadFile { path: from.to_owned(), rig, files, is_incomplete }), None)
            }
        };
        let mut found = Self::between(open, Arc::clone(&file.rig), progress)?;
        let told = problem.as_ref().map(|problem| format!("Shown as it last could be read: {problem}"));
        found.notes.splice(0..0, told);
        (found.version.file, found.version.problem) = (Some(file), problem);
        Some(Ok(found))
    }

    /// Matches another character with the open one. It gets the clips that it lacks, joint by joint; what has no counterpart is told.
    pub(super) fn between(open: &Arc<Rig>, other: Arc<Rig>, progress: &Progress) -> Option<FoundVersion> {
        let anchor = open.hierarchy.anchor();
        // Both stand in one world.
        let is_elsewhere = other.hierarchy.anchor() != anchor;
        let other = if is_elsewhere { Arc::new(Rig::clone(&other).anchored_at(anchor)) } else { other };
        let counterparts = Counterparts::between(open, &other);
        let nodes = turned(&counterparts.nodes, other.hierarchy.len());
        let has = |rig: &Rig, name: &str| rig.clips.iter().any(|clip| clip.name == name);
        let mut lacking = transferred_clips(open, &other).clips;
        lacking.retain(|clip| !has(&other, &clip.name));
        let rig = if lacking.is_empty() { other } else { Arc::new(Rig::clone(&other).with_clips(lacking)) };
        let clip_of = |name: &str| rig.clips.iter().position(|clip| clip.name == name);
        let clips = open.clips.iter().map(|clip| clip_of(&clip.name)).collect();
        let matching = Matching::between(open, &rig, progress)?.map(Arc::new);
        let mut notes = missing(open, &counterparts.nodes);
        notes.extend(matching.as_ref().err().map(|why| format!("Distances are off: {why}")));
        Some(FoundVersion {
            rig,
            version: Self { file: None, problem: None, counterparts: Arc::new(counterparts), nodes, clips, matching },
            notes,
        })
    }

    fn moment(&self, moment: Option<ClipMoment>) -> Option<ClipMoment> {
        let ClipMoment { clip, time_secs } = moment?;
        Some(ClipMoment { clip: self.clips.get(clip).copied().flatten()?, time_secs })
    }

    pub(super) fn node(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.counterparts.nodes.get(node.index()).copied().flatten()
    }

    /// Of each node of the other that of the open character.
    pub(super) fn counterparts(&self) -> &[Option<NodeIndex>] {
        &self.nodes
    }

    pub(super) fn morph(&self, morph: MorphIndex) -> Option<MorphIndex> {
        self.counterparts.morphs.get(morph.index()).copied().flatten()
    }
}

/// Of each of so many nodes, which one has it as its counterpart.
fn turned(counterparts: &[Option<NodeIndex>], count: usize) -> Arc<[Option<NodeIndex>]> {
    let mut nodes = vec![None; count];
    for (node, counterpart) in (0..).map(NodeIndex).zip(counterparts) {
        if let Some(slot) = counterpart.and_then(|counterpart| nodes.get_mut(counterpart.index())) {
            *slot = Some(node);
        }
    }
    nodes.into()
}

/// The joints that only the open character has, in a sentence.
fn missing(open: &Rig, nodes: &[Option<NodeIndex>]) -> Vec<String> {
    let hierarchy = &open.hierarchy;
    let is_missing = |node: &NodeIndex| open.is_joint(*node) && nodes[node.index()].is_none();
    let names: Vec<&str> = hierarchy.nodes().filter(is_missing).map(|node| hierarchy.name(node)).collect();
    let more = names.len().saturating_sub(MOST_NAMES);
    let listed = names[..names.len() - more].join(", ");
    match (names.len(), more) {
        (0, _) => Vec::new(),
        (_, 0) => vec![format!("Joints that the other file does not have: {listed}")],
        (..) => vec![format!("Joints that the other file does not have: {listed} and {more} more")],
    }
}

/// A version of the character in its pose; renewed with the open one's.
#[derive(Default)]
pub(super) struct PosedVersion {
    pose: SharedPose,
    hidden: Hidden,
    bones: Vec<Bone>,
    /// Bones that the open character lacks, by their own joints.
    lone_bones: Vec<Bone>,
}

impl PosedVersion {
    /// Poses the version that a side shows as the open character is.
    pub fn update(
        &mut self,
        (rig, version): (&Rig, &SideVersion),
        (moment, pose): (Option<ClipMoment>, &Pose),
        poser: &mut Poser,
    ) {
        let pose = carried_pose(pose, &version.counterparts, rig);
        poser.pose_into(rig, version.moment(moment), &pose, &mut self.pose);
    }

    /// Poses a character at rest, without a clip.
    pub fn rest(&mut self, rig: &Rig, poser: &mut Poser) {
        poser.pose_into(rig, None, &Pose::rest(&rig.hierarchy), &mut self.pose);
    }

    /// Hides what is hidden of the open character, by name.
    pub fn hide(&mut self, hidden: &Hidden, open: &Rig, rig: &Rig) {
        self.hidden = hidden.carried(open, rig);
    }

    /// Finds the bones in the pose: those that the open character has too are of its joints.
    pub fn find_bones(&mut self, rig: &Rig, version: &SideVersion, is_shown: impl Fn(NodeIndex) -> bool) {
        drawn_bones_into(rig, &self.pose.posed, &mut self.bones);
        let is_lone = |bone: &&Bone| version.nodes[bone.joint.index()].is_none();
        self.lone_bones = self.bones.iter().filter(is_lone).copied().collect();
        self.bones.retain_mut(|bone| {
            let joint = version.nodes[bone.joint.index()].filter(|joint| is_shown(*joint));
            bone.joint = joint.unwrap_or(bone.joint);
            joint.is_some()
        });
    }

    /// Bones of the version in its pose, by the joints of the open character, which has them too.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Bones of the version that the open character lacks, in the pose, by the joints of the version.
    pub fn lone_bones(&self) -> &[Bone] {
        &self.lone_bones
    }

    pub fn pose(&self) -> &SharedPose {
        &self.pose
    }

    pub fn hidden(&self) -> &Hidden {
        &self.hidden
    }
}
