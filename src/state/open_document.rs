//! The open character with all that belongs to it and goes with it.

use std::sync::{Arc, OnceLock};

use super::camera::CameraTie;
use super::centers::KnownCenters;
use super::compare::Fitted;
use super::history::History;
use super::set_aside::{Choices, Reloaded, SetAside, WorkBefore};
use super::skin_pick::SkinPicker;
use super::subjects::OtherRigs;
use super::user_pose::Behind;
use super::weight_numbers::JudgedWeights;
use super::weights::WeightCache;
use super::{
    Derived, Document, Lint, MeasurePlan, Playback, Pointed, PoseLibrary, Probes, Simulation, TwistPanel, Work,
};
use crate::actor::Counterparts;
use crate::analysis::sides::{MeasureError, Measured};
use crate::posing::{MirrorPlane, Symmetry};
use crate::rig::{NodeIndex, Rig};
use crate::skinning::Method;
use crate::view::{Camera, Hidden, PerSide, SavedView, Subject, View};
use crate::weights::{Helper, WeightChoice};

/// The open character and everything that is keyed by its rig: another character is another value.
pub struct OpenDocument {
    /// The character and its pose.
    pub document: Document,
    /// The method that the file was made for, see [`Method::authored`].
    pub authored: Option<Method>,
    /// The method that a telling pose shows, which the user did not choose.
    pub(super) told: Option<Method>,
    /// Camera, sides of a comparison, what is drawn, what is selected.
    pub view: View,
    /// The clip and its time.
    pub playback: Playback,
    /// Undo and redo.
    pub history: History,
    /// What the camera goes with.
    pub(super) camera_tie: Option<CameraTie>,
    /// What lint found.
    pub lint: Lint,
    /// Poses kept with the character.
    pub library: PoseLibrary,
    /// Vertices that are looked at.
    pub probes: Probes,
    /// What is painted under the pointer.
    pub pointed: Option<Pointed>,
    /// The twist and bend test.
    pub twist: TwistPanel,
    /// The user's work as last opened or saved.
    pub(super) saved: Work,
    /// The end of the chain that the edit which is going on pulls.
    pub(super) pulled: Option<NodeIndex>,
    /// Where the camera was before the halves of a comparison.
    pub(super) fitted: Option<Fitted>,
    /// What the user said need not be kept.
    pub(super) discarded: Option<Work>,
    /// Work on what a reload took away.
    pub(super) set_aside: SetAside,
    /// What stands behind rest, bind or clip pose while that is shown.
    pub(super) behind: Option<Box<Behind>>,
    /// The symmetry across a plane, once somebody asked.
    pub(super) symmetry: Option<(MirrorPlane, Option<Arc<Symmetry>>)>,
    /// The newest measurement, and what it is of.
    pub(super) measured: Option<(MeasurePlan, Result<Measured, MeasureError>)>,
    /// Characters that sides show in place of the open one.
    pub(super) others: OtherRigs,
    /// Other weights than the file's.
    pub(super) weights: WeightCache,
    /// Once another file is there that a side is to show, the camera shows all of it.
    pub(super) frames_other: bool,
    /// The character as its file was before it was last read again, where that is kept.
    pub(super) before: Option<Arc<Rig>>,
    /// Joints that look as if they should get no weight, once somebody asked.
    pub(super) helpers: OnceLock<Vec<Helper>>,
    /// How good they are.
    pub(super) judged: JudgedWeights,
    /// Centres of rotation, once they are found.
    pub(super) centers: KnownCenters,
    /// What engines would show.
    pub(super) simulated: Option<Simulation>,
    /// The skin as last posed, for clicks on it.
    pub(super) skin: PerSide<SkinPicker>,
    pub(super) derived: Derived,
}

impl OpenDocument {
    /// A character at rest, looked at as in `view`, of which what names joints of another one is left out.
    pub fn new(document: Document, view: &View, library: &PoseLibrary) -> Self {
        let mut view = View {
            camera: Camera::facing(document.rig.front()),
            sides: view.sides.clone(),
            compare: view.compare,
            display: view.display,
            ..View::default()
        };
        for side in view.sides.iter_mut() {
            side.skinning.by_joint.clear();
            (side.subject, side.weights) = (Subject::Open, WeightChoice::File);
        }
        Self {
            library: library.of(&document.source),
            saved: work(&document, &view),
            authored: Method::authored(&document.rig),
            told: None,
            document,
            view,
            playback: Playback::default(),
            history: History::default(),
            camera_tie: None,
            lint: Lint::default(),
            probes: Probes::default(),
            pointed: None,
            twist: TwistPanel::default(),
            pulled: None,
            fitted: None,
            discarded: None,
            set_aside: SetAside::default(),
            behind: None,
            symmetry: None,
            measured: None,
            others: OtherRigs::default(),
            weights: WeightCache::default(),
            frames_other: false,
            before: None,
            helpers: OnceLock::new(),
            judged: JudgedWeights::default(),
            centers: KnownCenters::default(),
            simulated: None,
            skin: PerSide::default(),
            derived: Derived { is_stale: true, ..Derived::default() },
        }
    }

    /// What the user made of the character so far.
    pub fn work(&self) -> Work {
        work(&self.document, &self.view)
    }

    /// Another character in place of this one: what the user works with stays, what is of this character goes.
    #[must_use]
    pub fn followed_by(&self, document: Document) -> Self {
        Self {
            playback: self.playback.with_clip(None),
            probes: Probes { is_on: self.probes.is_on, ..Probes::default() },
            twist: TwistPanel {
                is_open: self.twist.is_open,
                motion: self.twist.motion,
                start: self.twist.start,
                ..TwistPanel::default()
            },
            ..Self::new(document, &self.view, &self.library)
        }
    }

    /// Makes the document of this character read again, and takes what it carries over: pose, limits, selection, undo history and clip stay by name,
    /// camera and view as they are. What has no place in it is set aside until it has one again.
    #[must_use]
    pub fn read_again(&mut self, mut document: Document) -> Self {
        let (old, new) = (Arc::clone(&self.document.rig), Arc::clone(&document.rig));
        let counterparts = Counterparts::between(&old, &new);
        let (same, morphs) = (counterparts.nodes(), counterparts.morphs());
        let work = |work: &Work| Work {
            pose: counterparts.pose(&work.pose, &new),
            limits: work.limits.carried(same),
            pinned: work.pinned.iter().filter_map(|node| same[node.index()]).collect(),
            weights: work.weights.clone(),
        };
        let (mut kept, mut saved) = (work(&self.work()), work(&self.saved));
        let hidden = |hidden: &Hidden| hidden.carried(&old, &new);
        let mut history = std::mem::take(&mut self.history);
        let lost_history = (!history.carry(same, morphs, hidden)).then(|| std::mem::take(&mut history));
        let mut set_aside = std::mem::take(&mut self.set_aside);
        let reloaded = Reloaded { old: &old, new: &new, same: &counterparts };
        let before = WorkBefore { work: self.work(), saved: std::mem::take(&mut self.saved), lost_history };
        set_aside.reload_work(&reloaded, before, [&mut kept, &mut saved], &mut history);
        let choices = set_aside.reload_choices(&reloaded, self.choices());
        Work { pose: document.pose, limits: document.limits, pinned: document.pinned, .. } = kept;
        let mut library = std::mem::take(&mut self.library);
        library.forget_blend();
        let mut read = Self {
            set_aside,
            others: self.others.for_reload(),
            before: self.before.take(),
            saved,
            discarded: self.discarded.take(),
            playback: choices.playback,
            camera_tie: choices.followed.map(|node| CameraTie::Joint(node, None)),
            history,
            probes: Probes { is_on: self.probes.is_on, ..Probes::default() },
            twist: TwistPanel { tested: None, ranked: None, ..std::mem::take(&mut self.twist) },
            ..Self::new(document, &self.view, &library)
        };
        read.library = library;
        read.view.selected = choices.selected;
        read.view.isolated = choices.isolated.map(|node| new.hierarchy.subtree(node));
        read.view.morph = choices.morph;
        read.view.hidden = hidden(&self.view.hidden);
        let looking = |camera: Camera| {
            let target = new.hierarchy.from_file(old.hierarchy.in_file(camera.target));
            Camera { scene_size: new.size(), target, ..camera }
        };
        let saved = self.view.saved.iter();
        read.view.saved = saved.map(|view| SavedView { camera: looking(view.camera), ..view.clone() }).collect();
        read.view.camera = looking(self.view.camera);
        for (side, before) in read.view.sides.iter_mut().zip(self.view.sides.iter()) {
            (side.subject, side.weights) = (before.subject.clone(), before.weights.clone());
        }
        for (side, mut methods) in read.view.sides.iter_mut().zip([choices.by_joint.a, choices.by_joint.b]) {
            methods.sort_unstable_by_key(|(node, _)| *node);
            side.skinning.by_joint = methods;
        }
        read
    }

    /// What the user chose of the character's joints, morph targets and clips.
    fn choices(&self) -> Choices {
        let followed = if let Some(CameraTie::Joint(node, _)) = self.camera_tie { Some(node) } else { None };
        Choices {
            selected: self.view.selected.clone(),
            isolated: self.view.isolated.as_ref().map(|subtree| NodeIndex(subtree.start as u32)),
            followed,
            morph: self.view.morph,
            by_joint: self.view.sides.each_ref().map(|side| side.skinning.by_joint.clone()),
            playback: self.playback.clone(),
        }
    }
}

fn work(document: &Document, view: &View) -> Work {
    Work {
        pose: document.pose.clone(),
        limits: document.limits.clone(),
        pinned: document.pinned.clone(),
        weights: view.weight_choices(),
    }
}
