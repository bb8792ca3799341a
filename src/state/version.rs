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
pub struct SideVersion {
    counterparts: Arc<Counterparts>,
    /// Of each clip of the open character that of the other.
    clips: Vec<Option<usize>>,
    /// Which vertex is which.
    pub matching: Result<Arc<Matching>, Unmatched>,
}

/// More names nobody reads.
const MOST_NAMES: usize = 5;

impl SideVersion {
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
        shown: (&Weighted, &SideVersion),
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
    pub fn version_on(&self, side: Side) -> Option<(&Weighted, &SideVersion)> {
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use glam::{Quat, Vec3};

    use super::*;
    use crate::analysis::sides::measure;
    use crate::export::rig_glb;
    use crate::rig::{Trs, WeightSet};
    use crate::skinning::Skinner;
    use crate::state::{Action, AfterLoad, Arrived, BuiltIn, Command, Settings, WeightState};
    use crate::view::{Layout, Overlay, PerSide};
    use crate::weights::WeightChoice;

    fn tube() -> Document {
        Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap()
    }

    /// A file of the tube, changed.
    fn changed(folder: &Path, change: impl FnOnce(&mut Vec<Vec3>)) -> PathBuf {
        let Document { rig, .. } = tube();
        let mut parts = (**rig).clone();
        change(&mut parts.meshes[0].primitives[0].positions);
        let file = rig_glb(&Rig::new(parts), &Progress::default()).unwrap();
        let path = folder.join("changed.glb");
        file.write(&path).unwrap();
        path
    }

    fn comparing(path: &Path) -> AppState {
        let mut state = AppState::new(tube(), Settings::default());
        state.apply(Command::CompareWith(path.to_owned()));
        assert_eq!(state.make_weights(&Progress::default()), [""; 0]);
        state.refresh();
        state
    }

    fn distances(state: &AppState) -> (f64, PerSide<usize>) {
        let skinner = |side| Arc::new(Skinner::new(state.rig_of(side), state.skinning(side)).unwrap());
        let measured = measure(&state.measure_job(PerSide::from_fn(skinner), 1), &Progress::default()).unwrap();
        let count = |side| measured.positions[side].iter().map(Vec::len).sum();
        (measured.distance.max, PerSide::from_fn(count))
    }

    #[test]
    fn a_file_beside_itself_is_nowhere_apart_in_any_pose() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = comparing(&changed(folder.path(), |_| {}));
        assert_eq!(state.open.view.compare.layout, Layout::Wipe);
        let joint = state.rig().skins[0].joints[1];
        let turned = Trs::from_rotation(Quat::from_rotation_x(1.0));
        let mut pose = state.pose().clone();
        pose.set_user_local(joint, turned);
        state.apply(Command::SetPose { pose, label: "Turn".to_owned() });
        state.refresh();
        assert!(distances(&state).0 < 1e-6, "{}", distances(&state).0);
        assert!(!Arc::ptr_eq(state.rig_of(Side::B), state.rig()) && Arc::ptr_eq(state.rig_of(Side::A), state.rig()));
    }

    #[test]
    fn a_vertex_that_was_moved_is_as_far_as_it_was_moved_whatever_the_order() {
        let folder = tempfile::tempdir().unwrap();
        let moved = changed(folder.path(), |positions| positions[7].x += 0.02);
        let mut state = comparing(&moved);
        assert!((distances(&state).0 - 0.02).abs() < 1e-5, "{}", distances(&state).0);

        let Document { rig, .. } = tube();
        let mut parts = (**rig).clone();
        let primitive = &mut parts.meshes[0].primitives[0];
        primitive.positions[7].x += 0.02;
        // A triangle comes first that was last: no vertex can be taken by its number any more.
        primitive.indices.rotate_right(3);
        rig_glb(&Rig::new(parts), &Progress::default()).unwrap().write(&moved).unwrap();
        state.apply(Command::CompareWith(moved));
        state.make_weights(&Progress::default());
        state.refresh();
        let (_, version) = state.version_on(Side::B).unwrap();
        assert!(matches!(version.matching.as_deref(), Ok(Matching::ByPlace { .. })));
        for side in Side::ALL {
            state.apply(Command::SetOverlay(side, Some(Overlay::Distance)));
        }
        let (most, counts) = distances(&state);
        assert!(most > 0.001 && most <= 0.02 + 1e-5, "{most}: the nearest at rest may be nearer");
        assert_eq!((counts.a, counts.b), (state.rig().vertex_count(), state.rig_of(Side::B).vertex_count()));
    }

    #[test]
    fn comparing_is_a_step_and_ends_as_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = comparing(&changed(folder.path(), |_| {}));
        assert_eq!(state.open.history.undo_label(), Some("File of B: changed.glb"));
        state.apply(Command::Do(Action::StopComparing));
        assert!(state.version_on(Side::B).is_none() && Arc::ptr_eq(state.rig_of(Side::B), state.rig()));
        state.apply(Command::Do(Action::Undo));
        state.refresh();
        assert!(state.version_on(Side::B).is_some() && state.wanted_weights().is_none(), "it is not read again");
    }

    #[test]
    fn a_file_that_cannot_be_read_leaves_the_open_one_on_both_sides_and_says_why() {
        let mut state = AppState::new(tube(), Settings::default());
        state.apply(Command::CompareWith(PathBuf::from("/nowhere/hero.glb")));
        state.make_weights(&Progress::default());
        assert!(matches!(state.weights(Side::B), WeightState::Missing(why) if why.contains("Check that it exists")));
        assert!(Arc::ptr_eq(state.rig_of(Side::B), state.rig()));
    }

    #[test]
    fn what_lies_apart_or_lacks_joints_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = changed(folder.path(), |positions| positions.iter_mut().for_each(|p| p.y *= 0.2));
        let Document { rig, .. } = tube();
        let mut parts = (**rig).clone();
        let indices = &mut parts.meshes[0].primitives[0].indices;
        indices.truncate(indices.len() - 3);
        let shorter = Arc::new(Rig::new(parts));
        let (_, version, notes) = SideVersion::between(&rig, shorter, &Progress::default()).unwrap();
        assert!(version.matching.is_ok() && notes.is_empty(), "{notes:?}");

        let mut state = AppState::new(tube(), Settings::default());
        state.apply(Command::CompareWith(path));
        state.make_weights(&Progress::default());
        state.refresh();
        let (_, version) = state.version_on(Side::B).unwrap();
        assert!(matches!(version.matching.as_deref(), Ok(Matching::InOrder)), "the same triangles are the same");

        let figure = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
        let (_, version, notes) = SideVersion::between(&rig, figure.rig, &Progress::default()).unwrap();
        assert!(version.matching.is_err());
        assert!(notes[0].starts_with("Joints that the other file does not have: "), "{notes:?}");
        assert!(notes[1].starts_with("Distances are off: only "), "{notes:?}");
    }

    #[test]
    fn a_file_that_is_read_again_stays_beside_what_it_is_now_where_that_is_wanted() {
        let mut state = AppState::new(tube(), Settings { keeps_version_before: true, ..Settings::default() });
        let old = Arc::clone(state.rig());
        let again = || AfterLoad::Reload { is_asked: false };
        let rigid = WeightSet::unchanged(&old);
        let new = Document { rig: Arc::new(old.with_weights(&rigid)), ..tube() };
        state.receive(Arrived::Document(Box::new(new), again()));
        state.make_weights(&Progress::default());
        state.refresh();
        assert_eq!(
            (state.weight_choice(Side::B), state.open.view.compare.layout),
            (&WeightChoice::Before, Layout::Wipe)
        );
        assert!(Arc::ptr_eq(state.rig_of(Side::B), &old));
        let session = state.snapshot().session().to_json();
        assert!(!session.contains("before"), "what is in memory alone is in no file");
    }

    #[test]
    fn sessions_keep_the_path_of_the_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let state = comparing(&changed(folder.path(), |_| {}));
        let session = state.snapshot().session();
        assert!(session.to_json().contains("\"version\": 5"), "{}", session.to_json());
        let mut other = AppState::new(tube(), Settings::default());
        other.receive(Arrived::Document(Box::new(tube()), AfterLoad::Restore(Box::new(session))));
        other.make_weights(&Progress::default());
        other.refresh();
        assert!(other.version_on(Side::B).is_some());
        // A path beside the session's file is taken as one.
        let relative = state.snapshot().session().to_json().replace(&*folder.path().to_string_lossy(), ".");
        let path = folder.path().join("session.json");
        std::fs::write(&path, relative).unwrap();
        let session = crate::state::Session::read(&path).unwrap();
        other.receive(Arrived::Document(Box::new(tube()), AfterLoad::Restore(Box::new(session))));
        other.make_weights(&Progress::default());
        assert!(other.weighted(Side::B).is_some(), "{:?}", other.weights(Side::B));
    }
}
