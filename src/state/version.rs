//! Another file in place of the open one on a side: its own meshes and joints, in the same pose and clip by their names.

use std::path::Path;
use std::sync::Arc;

use super::reload::{Counterparts, carried_pose};
use super::{AppState, Document, Source, Weighted};
use crate::analysis::sides::{Poser, SharedPose};
use crate::analysis::{Matching, Unmatched};
use crate::import::{ImportError, Job};
use crate::jobs::Progress;
use crate::posing::transferred_clips;
use crate::rig::{ClipMoment, MorphIndex, NodeIndex, Pose, Rig};
use crate::view::{Hidden, ShownVersion, Side};

/// What the parts of the open character are in another file.
#[derive(Clone, Debug)]
pub struct Version {
    counterparts: Arc<Counterparts>,
    /// Of each clip of the open character that of the other.
    clips: Vec<Option<usize>>,
    /// Which vertex is which.
    pub matching: Result<Arc<Matching>, Unmatched>,
}

/// More names nobody reads.
const MOST_NAMES: usize = 5;

impl Version {
    /// Opens another file and finds what of it is what of the open character; `None` where it was stopped.
    ///
    /// *Errors*: why it cannot be opened, in words.
    pub(super) fn open(open: &Arc<Rig>, from: &Path, progress: &Progress) -> Option<Result<Weighted, String>> {
        let start = std::time::Instant::now();
        let opened = Document::open(&Source::File(from.to_owned()), &Job::default());
        progress.go_on()?;
        let other = match opened {
            Ok(other) => other,
            Err(ImportError::Cancelled) => return None,
            Err(problem) => return Some(Err(problem.to_string())),
        };
        let (rig, version, notes) = Self::between(open, other.rig, progress)?;
        Some(Ok(Weighted { rig, notes, took: start.elapsed(), version: Some(version) }))
    }

    /// Matches another character with the open one. It gets the clips that it lacks, joint by joint; what has no counterpart is told.
    pub(super) fn between(
        open: &Arc<Rig>,
        other: Arc<Rig>,
        progress: &Progress,
    ) -> Option<(Arc<Rig>, Self, Vec<String>)> {
        let counterparts = Counterparts::between(open, &other);
        let has = |rig: &Rig, name: &str| rig.clips.iter().any(|clip| clip.name == name);
        let mut lacking = transferred_clips(open, &other).clips;
        lacking.retain(|clip| !has(&other, &clip.name));
        let rig = if lacking.is_empty() { other } else { Arc::new(Rig::clone(&other).with_clips(lacking)) };
        let clip_of = |name: &str| rig.clips.iter().position(|clip| clip.name == name);
        let clips = open.clips.iter().map(|clip| clip_of(&clip.name)).collect();
        let matching = Matching::between(open, &rig, progress)?.map(Arc::new);
        let mut notes = missing(open, &counterparts.nodes);
        notes.extend(matching.as_ref().err().map(|why| format!("Distances are off: {why}")));
        Some((rig, Self { counterparts: Arc::new(counterparts), clips, matching }, notes))
    }

    fn moment(&self, moment: Option<ClipMoment>) -> Option<ClipMoment> {
        let ClipMoment { clip, time_secs } = moment?;
        Some(ClipMoment { clip: self.clips.get(clip).copied().flatten()?, time_secs })
    }

    fn node(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.counterparts.nodes.get(node.index()).copied().flatten()
    }

    fn morph(&self, morph: MorphIndex) -> Option<MorphIndex> {
        self.counterparts.morphs.get(morph.index()).copied().flatten()
    }
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
}

impl PosedVersion {
    /// Poses the version that a side shows as the open character is.
    pub fn update(
        &mut self,
        shown: (&Weighted, &Version),
        (moment, pose): (Option<ClipMoment>, &Pose),
        poser: &mut Poser,
    ) {
        let (Weighted { rig, .. }, version) = shown;
        let pose = carried_pose(pose, &version.counterparts, rig);
        poser.pose_into(rig, version.moment(moment), &pose, &mut self.pose);
    }

    /// Takes the same rest pose.
    pub fn rest(&mut self, rig: &Rig, poser: &mut Poser) {
        poser.pose_into(rig, None, &Pose::rest(&rig.hierarchy), &mut self.pose);
    }

    /// Hides what is hidden of the open character, by name.
    pub fn hide(&mut self, hidden: &Hidden, open: &Rig, rig: &Rig) {
        self.hidden = hidden.carried(open, rig);
    }

    pub fn pose(&self) -> &SharedPose {
        &self.pose
    }

    pub fn hidden(&self) -> &Hidden {
        &self.hidden
    }
}

impl AppState {
    /// The other file that a side shows in place of the open one, once it is there.
    pub fn version_on(&self, side: Side) -> Option<(&Weighted, &Version)> {
        let weighted = self.weighted(side)?;
        Some((weighted, weighted.version.as_ref()?))
    }

    /// Of a side that shows another file, ready to be drawn.
    pub(super) fn shown_version(&self, side: Side) -> Option<ShownVersion<'_>> {
        let (weighted, _) = self.version_on(side)?;
        let hidden = self.open.derived.versions[side].as_ref()?.hidden();
        Some(ShownVersion { rig: &weighted.rig, hidden })
    }

    /// What is not drawn of the character that a side shows.
    pub(super) fn hidden_on(&self, side: Side) -> &Hidden {
        self.open.derived.versions[side].as_ref().map_or(&self.open.view.hidden, PosedVersion::hidden)
    }

    /// Which vertex of A is which of B, where one of them shows another file.
    pub(super) fn matched_versions(&self) -> Option<Result<Arc<Matching>, Unmatched>> {
        match (self.version_on(Side::A), self.version_on(Side::B)) {
            (None, None) => None,
            (None, Some((_, version))) => Some(version.matching.clone()),
            (Some((_, version)), None) => Some(version.matching.clone().map(|matching| Arc::new(matching.turned()))),
            (Some((a, _)), Some((b, _))) if Arc::ptr_eq(&a.rig, &b.rig) => None,
            (Some(_), Some(_)) => Some(Err(Unmatched::TwoOthers)),
        }
    }

    /// A joint of the open character on the character that a side shows.
    pub(super) fn joint_on(&self, side: Side, joint: Option<NodeIndex>) -> Option<NodeIndex> {
        self.version_on(side).map_or(joint, |(_, version)| version.node(joint?))
    }

    /// A morph target of the open character on the character that a side shows.
    pub(super) fn morph_on(&self, side: Side, morph: Option<MorphIndex>) -> Option<MorphIndex> {
        self.version_on(side).map_or(morph, |(_, version)| version.morph(morph?))
    }
}
