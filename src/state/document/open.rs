//! The open character with everything that belongs to it.

use std::path::Path;
use std::sync::Arc;

use crate::actor::Counterparts;
use crate::posing::{Limits, MirrorPlane, Symmetry};
use crate::rig::{NodeIndex, Pose};
use crate::skinning::Method;
use crate::stage::{BuiltIn, CameraTie, ClipCorrections, Document, Probes, Source, Stage};
use crate::state::document::set_aside::{CarriedWork, Choices, PreviousWork, Reloaded, SetAsideWork, Tie};
use crate::state::edit::history::History;
use crate::state::edit::user_pose::HiddenUserPose;
use crate::state::inspect::skin_pick::SkinPicker;
use crate::state::{Notice, PointedValue, PoseLibrary, Settings, Simulation, TwistPanel};
use crate::view::{Camera, Hidden, PerSide, SavedView, View};
use crate::weights::WeightChoice;

/// Everything that the user made of a character, and would lose with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserWork {
    /// The user's pose.
    pub pose: Pose,
    /// Angles that joints may turn by.
    pub limits: Limits,
    /// Pinned joints, which hold their chains in place.
    pub pinned: Vec<NodeIndex>,
    /// Corrections of the clips of other files.
    pub clip_corrections: ClipCorrections,
    /// Choice of weights of each side.
    pub weights: PerSide<WeightChoice>,
}

/// The open character and everything keyed by its rig: another character is another value.
pub struct OpenDocument {
    pub stage: Stage,
    /// The method of a demonstration pose, which the user did not choose.
    pub(in crate::state) told: Option<Method>,
    pub history: History,
    /// Poses kept with the character.
    pub library: PoseLibrary,
    /// Overlay value under the pointer.
    pub pointed: Option<PointedValue>,
    /// The twist and bend test.
    pub twist: TwistPanel,
    /// The user's work as last opened or saved.
    pub(in crate::state) saved: UserWork,
    /// The end of the chain that the current edit pulls.
    pub(in crate::state) pulled: Option<NodeIndex>,
    /// Work that the user chose to discard.
    pub(in crate::state) discarded: Option<UserWork>,
    /// Work on parts that a reload removed.
    pub(in crate::state) set_aside: SetAsideWork,
    /// The user's pose behind a rest, bind or clip pose that is shown.
    pub(in crate::state) behind: Option<Box<HiddenUserPose>>,
    /// The symmetry across a plane, once it was needed.
    pub(in crate::state) symmetry: Option<(MirrorPlane, Option<Arc<Symmetry>>)>,
    /// Result of the last simulation of engines.
    pub(in crate::state) simulated: Option<Simulation>,
    /// The skin as last posed, for clicks on it.
    pub(in crate::state) skin: PerSide<SkinPicker>,
}

impl OpenDocument {
    /// A character at rest, with the settings of `view` that do not name joints of another rig.
    pub fn new(document: Document, view: &View, library: &PoseLibrary) -> Self {
        let mut stage = Stage::seen_as(document, view);
        stage.springs.set_live(true);
        Self {
            library: library.of(&stage.document.source),
            saved: work(&stage),
            stage,
            told: None,
            history: History::default(),
            pointed: None,
            twist: TwistPanel::default(),
            pulled: None,
            discarded: None,
            set_aside: SetAsideWork::default(),
            behind: None,
            symmetry: None,
            simulated: None,
            skin: PerSide::default(),
        }
    }

    pub(in crate::state) fn is_built_in(&self, built_in: BuiltIn) -> bool {
        self.stage.document.source == Source::BuiltIn(built_in)
    }

    /// Name to suggest for a file to save: the open file's name with another ending.
    pub(in crate::state) fn suggested_name(&self, ending: &str) -> String {
        let name = self.stage.document.source.name();
        let stem = Path::new(&name).file_stem().map_or(name.clone(), |s| s.to_string_lossy().into_owned());
        format!("{stem}.{ending}")
    }

    /// Everything that the user made of the character so far.
    pub fn work(&self) -> UserWork {
        work(&self.stage)
    }

    /// Another character in place of this one: the user's settings stay, everything of this character goes.
    #[must_use]
    pub fn followed_by(&self, document: Document) -> Self {
        let mut next = Self::new(document, &self.stage.view, &self.library);
        (next.stage.playback, next.stage.aspect) = (self.stage.playback.with_clip(None), self.stage.aspect);
        next.stage.editing = self.stage.editing.for_another();
        next.stage.probes.is_on = self.stage.probes.is_on;
        Self {
            twist: TwistPanel {
                is_open: self.twist.is_open,
                motion: self.twist.motion,
                start: self.twist.start,
                ..TwistPanel::default()
            },
            ..next
        }
    }

    /// Shows another character in place of this one, from the front and by the user's settings where it declares nothing else; returns a notice where a
    /// method does not suit it.
    pub(in crate::state) fn give_way_to(&mut self, document: Document, settings: &Settings) -> Option<Notice> {
        let (told, authored) = (self.told, self.stage.authored);
        *self = self.followed_by(document);
        self.follow_file(told.or(authored), settings.method);
        if told.is_some() {
            self.stage.tell_sides_apart();
        }
        let notice = self.told_unsuited_methods();
        self.stage.refresh();
        self.stage.view.camera.set_fov(settings.fov);
        self.stage.frame_all();
        notice
    }

    /// Continues with the document of this character after a reload: pose, limits, selection, undo history and clip carry over by name, probes by place,
    /// camera and view as they are. What has no place in it is set aside until it returns.
    #[must_use]
    pub fn read_again(&mut self, mut document: Document) -> Self {
        let (old, new) = (Arc::clone(&self.stage.document.rig), Arc::clone(&document.rig));
        let counterparts = Counterparts::between(&old, &new);
        let (same, morphs) = (counterparts.nodes(), counterparts.morphs());
        let work = |work: &UserWork| UserWork {
            pose: counterparts.pose(&work.pose, &new),
            limits: work.limits.carried(same),
            pinned: work.pinned.iter().filter_map(|node| same[node.index()]).collect(),
            clip_corrections: work.clip_corrections.carried(|node| same[node.index()]),
            weights: work.weights.clone(),
        };
        let hidden = |hidden: &Hidden| hidden.carried(&old, &new);
        let mut history = std::mem::take(&mut self.history);
        let lost_history = (!history.carry(same, morphs, |at| counterparts.expression(at), hidden))
            .then(|| std::mem::take(&mut history));
        let mut set_aside = std::mem::take(&mut self.set_aside);
        let reloaded = Reloaded { old: &old, new: &new, same: &counterparts };
        let mut now = CarriedWork { work: work(&self.work()), saved: work(&self.saved), history };
        let before = PreviousWork { work: self.work(), saved: std::mem::take(&mut self.saved), lost_history };
        set_aside.reload_work(&reloaded, before, &mut now);
        let CarriedWork { work: kept, saved, history } = now;
        let choices = set_aside.reload_choices(&reloaded, self.choices());
        UserWork {
            pose: document.pose,
            limits: document.limits,
            pinned: document.pinned,
            clip_corrections: document.clip_corrections,
            ..
        } = kept;
        document.switched_off = self.stage.document.switched_off;
        let mut library = std::mem::take(&mut self.library);
        library.forget_blend();
        let mut read = Self {
            set_aside,
            saved,
            discarded: self.discarded.take(),
            history,
            twist: TwistPanel { tested: None, ranked: None, ..std::mem::take(&mut self.twist) },
            ..Self::new(document, &self.stage.view, &library)
        };
        read.library = library;
        read.stage.follow(&mut self.stage);
        read.stage.editing = self.stage.editing.for_reload(|node| same.get(node.index()).copied().flatten());
        read.stage.probes = Probes { is_on: self.stage.probes.is_on, places: choices.probes };
        read.stage.playback = choices.playback;
        read.stage.view.selected = choices.selected;
        read.stage.view.isolated = choices.isolated.map(|node| new.hierarchy.subtree(node));
        read.stage.view.morph = choices.morph;
        read.stage.view.hidden = hidden(&self.stage.view.hidden);
        let looking = |camera: Camera| {
            let target = new.hierarchy.from_file(old.hierarchy.in_file(camera.target));
            Camera { scene_size: new.size(), target, ..camera }
        };
        let saved = self.stage.view.saved.iter();
        read.stage.view.saved = saved.map(|view| SavedView { camera: looking(view.camera), ..view.clone() }).collect();
        read.stage.view.camera = looking(self.stage.view.camera);
        match choices.tie {
            Some(Tie::File(camera)) => read.stage.camera_tie = CameraTie::File(camera, read.stage.view.camera),
            Some(Tie::Joint(node)) => read.stage.camera_tie = CameraTie::Joint(node, None),
            None => read.stage.camera_tie = CameraTie::Free,
        }
        let camera = read.stage.view.camera;
        read.set_aside.note_camera(camera);
        for (side, before) in read.stage.view.sides.iter_mut().zip(self.stage.view.sides.iter()) {
            (side.file, side.weights) = (before.file.clone(), before.weights.clone());
        }
        for (side, mut methods) in read.stage.view.sides.iter_mut().zip([choices.by_joint.a, choices.by_joint.b]) {
            methods.sort_unstable_by_key(|(node, _)| *node);
            side.skinning.by_joint = methods;
        }
        read
    }

    /// The user's choices on joints, morph targets and clips.
    fn choices(&self) -> Choices {
        Choices {
            selected: self.stage.view.selected.clone(),
            isolated: self.stage.view.isolated.as_ref().map(|subtree| NodeIndex(subtree.start as u32)),
            tie: self.stage.camera_tie.file_camera(&self.stage.view.camera).map(Tie::File).or(self
                .stage
                .camera_tie
                .joint()
                .map(Tie::Joint)),
            camera: self.stage.view.camera,
            probes: self.stage.probes.places.clone(),
            morph: self.stage.view.morph,
            by_joint: self.stage.view.sides.each_ref().map(|side| side.skinning.by_joint.clone()),
            playback: self.stage.playback.clone(),
        }
    }
}

fn work(stage: &Stage) -> UserWork {
    let Document { pose, limits, pinned, clip_corrections, .. } = &stage.document;
    UserWork {
        pose: pose.clone(),
        limits: limits.clone(),
        pinned: pinned.clone(),
        clip_corrections: clip_corrections.clone(),
        weights: stage.view.weight_choices(),
    }
}
