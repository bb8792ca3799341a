use std::path::Path;
use std::sync::Arc;

use crate::actor::Counterparts;
use crate::rig::NodeIndex;
use crate::skinning::Method;
use crate::stage::{BuiltIn, CameraTie, Document, Probes, Source, Stage};
use crate::state::compare::authored::follow_file;
use crate::state::compare::methods::replace_unsupported_methods;
use crate::state::document::lost_work::{LostWork, Selection, TieTarget};
use crate::state::edit::choices::{Choices, ReloadedRig};
use crate::state::edit::history::History;
use crate::state::edit::joints::JointEditor;
use crate::state::edit::mirroring::RigSymmetry;
use crate::state::edit::user_pose::UserPose;
use crate::state::inspect::skin_pick::SkinPicker;
use crate::state::view_watch::ViewWatch;
use crate::state::{BendThumbnails, Notice, PathUse, PointedValue, PoseLibrary, PosingOptions, Settings, TwistPanel};
use crate::view::{PerSide, View};

/// The open character with all data that depends on its rig. Opening another character replaces it.
pub struct OpenDocument {
    pub stage: Stage,
    /// Method that was set by a demonstration, not by the user.
    pub(in crate::state) demo_method: Option<Method>,
    pub history: History,
    pub library: PoseLibrary,
    pub bend_thumbnails: BendThumbnails,
    /// Overlay value under the pointer.
    pub pointed: Option<PointedValue>,
    pub twist: TwistPanel,
    /// The user's work as last opened or saved.
    pub saved: Choices,
    /// Work that the user chose to discard.
    pub(in crate::state) discarded: Option<Choices>,
    pub(in crate::state) lost_work: LostWork,
    /// The user's pose while a rest, bind or clip pose is shown.
    pub user_pose: UserPose,
    pub symmetry: RigSymmetry,
    pub(in crate::state) view_watch: ViewWatch,
    /// The last posed skin of each side, for picking.
    pub(in crate::state) skin: PerSide<SkinPicker>,
    /// Joint that the viewport's context menu is about; `None` if it opened over nothing.
    pub menu_joint: Option<NodeIndex>,
}

impl OpenDocument {
    /// Creates the state for a character at rest. Applies the settings of `view`, except those for joints of another
    /// rig.
    pub fn new(document: Document, view: &View, library: &PoseLibrary) -> Self {
        let mut stage = Stage::with_view(document, view);
        stage.springs.set_live(true);
        Self {
            library: library.for_source(&stage.document.source),
            saved: Choices::from_stage(&stage),
            stage,
            demo_method: None,
            history: History::default(),
            bend_thumbnails: BendThumbnails::default(),
            pointed: None,
            twist: TwistPanel::default(),
            discarded: None,
            lost_work: LostWork::default(),
            user_pose: UserPose::default(),
            symmetry: RigSymmetry::default(),
            view_watch: ViewWatch::default(),
            skin: PerSide::default(),
            menu_joint: None,
        }
    }

    pub(in crate::state) fn joints(&mut self, posing: PosingOptions) -> JointEditor<'_> {
        let Self { stage, history, symmetry, .. } = self;
        JointEditor { stage, history, symmetry, posing }
    }

    /// Returns the state for another character, with the user's settings.
    #[must_use]
    pub fn next_document(&self, document: Document) -> Self {
        let mut next = Self::new(document, &self.stage.view, &self.library);
        (next.stage.playback, next.stage.aspect) = (self.stage.playback.with_clip(None), self.stage.aspect);
        next.stage.editing = self.stage.editing.for_another();
        next.stage.probes.is_on = self.stage.probes.is_on;
        next.stage.previews.clone_from(&self.stage.previews);
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

    /// Replaces the character and shows it from the front. Keeps the user's settings, except for the method if the file
    /// declares one. Returns a notice if the character does not support a side's method.
    pub(in crate::state) fn replace_document(&mut self, document: Document, settings: &Settings) -> Option<Notice> {
        let (told, authored) = (self.demo_method, self.stage.authored);
        *self = self.next_document(document);
        follow_file(&mut self.stage, told.or(authored), settings.method);
        if told.is_some() {
            self.stage.view.ensure_different_methods();
        }
        let notice = replace_unsupported_methods(&mut self.stage);
        self.stage.refresh();
        self.stage.view.camera.set_fov(settings.fov);
        self.stage.frame_all();
        notice
    }

    /// Returns the state for the reloaded document. Matches choices, selection, undo steps and clip by name, probes by
    /// position. Keeps work on missing items for later reloads. Drops undo steps that changed missing items, and steps
    /// that can be reached only through them.
    #[must_use]
    pub fn after_reload(&mut self, document: Document) -> Self {
        let (old, new) = (Arc::clone(&self.stage.document.rig), Arc::clone(&document.rig));
        let counterparts = Counterparts::between(&old, &new);
        let to = ReloadedRig { old: &old, new: &new, counterparts: &counterparts };
        let mut lost_work = std::mem::take(&mut self.lost_work);
        let choices = lost_work.reload(&Choices::from_stage(&self.stage), false, to);
        let saved = lost_work.reload(&self.saved, true, to);
        let selection = lost_work.reload_selection(to, Selection::from_stage(&self.stage));
        let mut library = std::mem::take(&mut self.library);
        library.forget_blend();
        let mut read = Self {
            saved,
            discarded: self.discarded.take(),
            history: std::mem::take(&mut self.history).carried(to),
            twist: std::mem::take(&mut self.twist),
            view_watch: std::mem::take(&mut self.view_watch),
            ..Self::new(document, &self.stage.view, &library)
        };
        read.library = library;
        read.stage.follow(&mut self.stage);
        choices.restore(&mut read.stage);
        read.stage.editing = self.stage.editing.for_reload(|node| counterparts.node(node));
        read.stage.probes = Probes { is_on: self.stage.probes.is_on, places: selection.probes };
        read.stage.playback = selection.playback;
        read.stage.view.selected = selection.joints;
        read.stage.view.isolated = selection.isolated.map(|node| new.hierarchy.subtree(node));
        read.stage.view.morph = selection.morph;
        read.stage.view.camera = to.camera(self.stage.view.camera);
        match selection.tie {
            Some(TieTarget::File(camera)) => read.stage.camera_tie = CameraTie::File(camera, read.stage.view.camera),
            Some(TieTarget::Joint(node)) => read.stage.camera_tie = CameraTie::Joint(node, None),
            None => read.stage.camera_tie = CameraTie::Free,
        }
        lost_work.note_camera(read.stage.view.camera);
        read.lost_work = lost_work;
        for (side, mut methods) in read.stage.view.sides.iter_mut().zip([selection.by_joint.a, selection.by_joint.b]) {
            methods.sort_unstable_by_key(|(node, _)| *node);
            side.skinning.by_joint = methods;
        }
        read
    }
}

pub(in crate::state) fn is_built_in(stage: &Stage, built_in: BuiltIn) -> bool {
    stage.document.source == Source::BuiltIn(built_in)
}

/// Returns a file name from the names of the character and, for images and videos, of the chosen clip.
pub(in crate::state) fn suggested_name(stage: &Stage, purpose: PathUse, ending: &str) -> String {
    let name = stage.document.source.name();
    let stem = Path::new(&name).file_stem().map_or(name.clone(), |s| s.to_string_lossy().into_owned());
    let clip = stage.playback.clip.map_or_else(String::new, |clip| usable_in_name(stage.rig().clip_name(clip)));
    let clip = Some(clip).filter(|clip| !clip.is_empty());
    let content = match purpose {
        PathUse::SaveVideo(_) => clip.or(Some("turntable".to_owned())),
        PathUse::SaveImage => clip,
        _ => None,
    };
    [Some(stem), content, Some(ending.to_owned())].into_iter().flatten().collect::<Vec<_>>().join(".")
}

/// Replaces characters that have a meaning in paths or in the numbering of image sequences.
fn usable_in_name(name: &str) -> String {
    name.replace(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | ' '), "_").trim().to_owned()
}
