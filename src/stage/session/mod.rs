mod camera;
mod left_out;
mod pins;
mod sides;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Quat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CameraTie, ClipCorrections, Document, Playback, SelectStep, Source, Stage};
use crate::export::PoseFile;
use crate::files;
use crate::posing::{ClipCorrection, JointLimits};
use crate::rig::{ClipMoment, DisabledBehaviours, Hierarchy, NodeIndex, Pose, Rig, find_joints, joint_names};
use crate::view::{Compare, Display, HiddenNames, Layout, ShownFile, View};
use crate::weights::{EditMesh, PointSet, PrimitiveVertices};
use camera::{CameraFile, TieFile, ViewFile, restore_camera, restore_tie, restore_views};
use left_out::left_out;
use pins::PinFile;
use sides::CompareFile;

/// A session: the open character, its pose, and how both are displayed. Joints are named as in pose files.
///
/// As JSON: `{"version":1,"source":"PATH or builtin:NAME", …}`; all other members are optional.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// Format version: 1.
    #[schemars(range(min = 1, max = 1))]
    version: u32,
    /// The open character: a path, relative to the folder of the session, or builtin:NAME.
    #[schemars(with = "String")]
    pub source: Source,
    /// Scene of the file; `None` for the default scene.
    #[serde(default)]
    pub scene: Option<usize>,
    /// Other files whose clips were transferred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub clips_from: Vec<Source>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    /// Corrections of transferred clips, by file.
    clip_corrections: Vec<CorrectionFile>,
    /// The pose, as in a pose file.
    #[serde(default)]
    pose: PoseFile,
    /// True if the pose has not been saved to a pose file.
    #[serde(default)]
    is_edited: bool,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    /// Rotation limits by joint name.
    limits: BTreeMap<String, JointLimits>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    /// Joints that are held in place.
    pins: Vec<PinFile>,
    #[serde(default, skip_serializing_if = "DisabledBehaviours::is_none")]
    /// Behaviours that don't run.
    switched_off: DisabledBehaviours,
    /// Names of the selected joints; the last one is active.
    #[serde(default)]
    selected: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    /// Name of the active morph target.
    morph: Option<String>,
    /// View of the character; `None` to frame everything.
    #[serde(default)]
    camera: Option<CameraFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    /// Joint that the camera follows, or camera of the file that the view looks through.
    camera_tie: Option<TieFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    /// Saved views.
    views: Vec<ViewFile>,
    #[serde(default)]
    /// The two sides and their layout.
    compare: Option<CompareFile>,
    #[serde(default, skip_serializing_if = "EditedFile::is_empty")]
    /// Locked joints and selected vertices for weight editing.
    edit_weights: EditedFile,
    #[serde(default)]
    /// Clip and time; `None` for no clip.
    clip: Option<ClipTime>,
    #[serde(default)]
    /// Displayed annotations and surface shading.
    display: Display,
    /// Environment map file, which overrides the environment in `display`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    environment_file: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "HiddenNames::is_empty")]
    /// Hidden meshes and materials.
    hidden: HiddenNames,
    /// SHA-256 of the input files by path, computed when the user saved the session.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, String>")]
    digests: BTreeMap<PathBuf, String>,
    /// True for a session recovered after the program was killed.
    #[serde(skip)]
    is_recovered: bool,
    /// Comparison file to show on side B instead of the session's.
    #[serde(skip)]
    side_b: ShownFile,
    /// Messages about members that this version ignores and about files that have changed.
    #[serde(skip)]
    left_out: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct CorrectionFile {
    /// An entry of `clips_from`.
    #[schemars(with = "String")]
    file: Source,
    /// Quaternions x, y, z, w by joint name, in the joint's own axes.
    rotations: BTreeMap<String, [f32; 4]>,
}

impl CorrectionFile {
    fn new(source: &Source, correction: &ClipCorrection, hierarchy: &Hierarchy) -> Self {
        let (nodes, rotations): (Vec<NodeIndex>, Vec<Quat>) = correction.iter().unzip();
        let rotations = joint_names(hierarchy, &nodes).into_iter().zip(rotations.iter().map(Quat::to_array));
        Self { file: source.absolute(), rotations: rotations.collect() }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
struct EditedFile {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    /// Names of locked joints.
    locked: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    /// Selected vertices by primitive.
    vertices: Vec<PrimitiveVertices>,
}

impl EditedFile {
    fn is_empty(&self) -> bool {
        self.locked.is_empty() && self.vertices.is_empty()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct ClipTime {
    name: String,
    /// Index of the clip; distinguishes clips with the same name.
    index: usize,
    time_secs: f32,
    /// Start and end of the playback range, seconds; `None` plays the whole clip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    playback_range_secs: Option<[f32; 2]>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    /// Whether the root is held in place.
    holds_root: bool,
}

/// Error from reading a session file.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// The text is not JSON or not a session; includes the line and column.
    #[error("Not a session file: {0}")]
    Json(#[from] serde_json::Error),
    /// The file has another format version: a later version, or one from before the first release.
    #[error(
        "This session file has version {0}; this program reads version 1. Save the session again with this program"
    )]
    Version(u32),
}

impl Session {
    /// Returns the session's pose for a rig.
    pub fn pose_for(&self, rig: &Rig) -> Pose {
        self.pose.pose_for(rig).0
    }

    /// True if the pose has not been saved to a pose file.
    pub fn is_edited(&self) -> bool {
        self.is_edited
    }

    /// True if the session was recovered after the program was killed.
    pub fn is_recovered(&self) -> bool {
        self.is_recovered
    }

    /// Reads a session file. Resolves its relative paths against its folder.
    pub fn read(path: &Path) -> Result<Self, SessionError> {
        Self::parse_in(path.parent().unwrap_or(Path::new("")), &files::read(path)?)
    }

    /// Reads a session from a file or a pipe; see [`files::read_waiting`]. Resolves relative paths from a pipe against
    /// the working folder.
    pub fn read_waiting(path: &Path) -> Result<Self, SessionError> {
        let folder = path.parent().filter(|_| !files::is_stream(path)).unwrap_or(Path::new(""));
        Self::parse_in(folder, &files::read_waiting(path)?)
    }

    fn parse_in(folder: &Path, json: &[u8]) -> Result<Self, SessionError> {
        let mut session = Self::parse(json)?;
        let corrected = session.clip_corrections.iter_mut().map(|correction| &mut correction.file);
        for source in [&mut session.source].into_iter().chain(&mut session.clips_from).chain(corrected) {
            if let Source::File(file) = source {
                *file = folder.join(&file);
            }
        }
        if let Some(compare) = &mut session.compare {
            compare.place_below(folder);
        }
        session.environment_file = session.environment_file.map(|file| folder.join(file));
        let changed = session.changed_files(folder);
        session.left_out.extend(changed);
        Ok(session)
    }

    /// Parses a session from JSON.
    pub fn parse(json: &[u8]) -> Result<Self, SessionError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        // Checks the version first, because later versions may have another structure.
        match serde_json::from_slice(json) {
            Ok(Version { version }) if version != VERSION => Err(SessionError::Version(version)),
            _ => {
                let session: Self = serde_json::from_slice(json)?;
                Ok(Self { left_out: left_out(json, &session), ..session })
            }
        }
    }

    /// Marks the session as recovered after the program was killed.
    #[must_use]
    pub fn recovered(self) -> Self {
        Self { is_recovered: true, ..self }
    }

    /// Sets what side B shows instead of the session's choice.
    #[must_use]
    pub fn beside(self, side_b: ShownFile) -> Self {
        Self { side_b, ..self }
    }

    /// Marks the pose as saved to a pose file.
    #[must_use]
    pub(crate) fn saved(self) -> Self {
        Self { is_edited: false, ..self }
    }

    /// Adds digests of the session's files. Reads each file completely.
    #[must_use]
    pub(crate) fn with_digests(mut self, inputs: &[PathBuf]) -> Self {
        let others = self.compare.iter().flat_map(CompareFile::files);
        let files = inputs.iter().chain(&self.environment_file).map(PathBuf::as_path).chain(others);
        let digest = |path: &Path| Some((std::path::absolute(path).ok()?, files::digest(path).ok()?));
        // JSON cannot store a path that is not Unicode.
        let digests = files.filter(|path| path.to_str().is_some()).filter_map(digest).collect();
        self.digests = digests;
        self
    }

    /// Returns a message for each file that has changed since the session was saved. Skips unreadable files, because
    /// opening them reports an error.
    fn changed_files(&self, folder: &Path) -> Vec<String> {
        let is_changed = |path: &Path, saved: &str| files::digest(path).is_ok_and(|now| now != saved);
        let changed = self.digests.iter().filter(|(path, saved)| is_changed(&folder.join(path), saved));
        let told = |path: &Path| format!("{} has changed since the session was saved", path.display());
        changed.map(|(path, _)| told(path)).collect()
    }

    /// Returns the session as JSON, ending with a line break.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{json}\n")
    }
}

/// Data for a session, captured at one moment. Cheap to create; a background job converts it to a [`Session`].
#[derive(Debug)]
pub struct Snapshot {
    document: Document,
    view: View,
    playback: Playback,
    camera_tie: CameraTie,
    is_edited: bool,
    locked: Vec<NodeIndex>,
    points: Option<(Arc<EditMesh>, Arc<PointSet>)>,
}

impl Snapshot {
    /// Captures the current state. `is_edited` is true if the pose has not been saved to a pose file.
    pub fn new(stage: &Stage, is_edited: bool) -> Self {
        Self {
            document: stage.document.clone(),
            view: stage.view.clone(),
            playback: stage.playback.clone(),
            camera_tie: stage.camera_tie,
            is_edited,
            locked: stage.editing.locked.clone(),
            points: stage.editing.edited_points(),
        }
    }

    /// Converts the snapshot to a session.
    pub fn session(&self) -> Session {
        let Document { rig, source, scene, clips_from, clip_corrections, pose, limits, pins, switched_off, .. } =
            &self.document;
        let hierarchy = &rig.hierarchy;
        let clip = self.playback.sample().and_then(|ClipMoment { clip: index, time_secs, holds_root }| {
            let name = rig.clips.get(index)?.name.clone();
            Some(ClipTime { name, index, time_secs, playback_range_secs: self.playback.range(), holds_root })
        });
        let (limited, limits): (Vec<NodeIndex>, Vec<JointLimits>) = limits.iter().map(|(n, l)| (n, *l)).unzip();
        let compare = CompareFile::new(&self.view.sides, &self.view.compare, hierarchy);
        let pose = PoseFile::from_pose(rig, pose);
        let points = self.points.as_ref();
        let edit_weights = EditedFile {
            locked: joint_names(hierarchy, &self.locked),
            vertices: points.map_or_else(Vec::new, |(mesh, points)| PrimitiveVertices::from_points(points, mesh, rig)),
        };
        Session {
            version: VERSION,
            source: source.absolute(),
            scene: *scene,
            clips_from: clips_from.iter().map(|clips| clips.source.absolute()).collect(),
            clip_corrections: clip_corrections.iter().map(|(s, c)| CorrectionFile::new(s, c, hierarchy)).collect(),
            pose,
            is_edited: self.is_edited,
            limits: joint_names(hierarchy, &limited).into_iter().zip(limits).collect(),
            pins: PinFile::list(pins, hierarchy),
            switched_off: *switched_off,
            selected: joint_names(hierarchy, &self.view.selected),
            morph: self.view.morph.map(|morph| rig.morphs()[morph.index()].name.clone()),
            camera: Some(CameraFile::new(self.view.camera, hierarchy)),
            camera_tie: self.tie(),
            views: self.view.saved.iter().map(|view| ViewFile::new(view, hierarchy)).collect(),
            compare: Some(compare),
            edit_weights,
            clip,
            display: self.view.display,
            environment_file: self.view.environment_file.wanted.as_deref().and_then(storable),
            hidden: self.view.hidden.names(rig),
            digests: BTreeMap::new(),
            is_recovered: false,
            side_b: ShownFile::Open,
            left_out: Vec::new(),
        }
    }

    fn tie(&self) -> Option<TieFile> {
        let rig = &self.document.rig;
        let joint = self.camera_tie.joint().and_then(|node| joint_names(&rig.hierarchy, &[node]).pop());
        let camera = self.camera_tie.file_camera(&self.view.camera);
        let camera = camera.and_then(|index| Some(rig.cameras.get(index)?.name.clone()));
        joint.map(TieFile::Joint).or(camera.map(TieFile::Camera))
    }
}

fn storable(path: &Path) -> Option<PathBuf> {
    std::path::absolute(path).ok().filter(|path| path.to_str().is_some())
}

const VERSION: u32 = 1;

impl Session {
    /// Restores the session of the open character. Returns messages about what cannot be restored.
    pub fn restore(&self, stage: &mut Stage) -> Vec<String> {
        let rig = Arc::clone(stage.rig());
        let mut complaints = self.left_out.clone();
        complaints.extend(self.restore_pose(stage));
        if let Some(scene) = self.scene.filter(|scene| *scene >= stage.document.scenes.len().max(1)) {
            complaints.push(format!("The session shows scene {scene}, which this file does not have"));
        }
        complaints.extend(stage.document.lost_clips().map(str::to_owned));
        if let Some(clip) = &self.clip {
            complaints.extend(clip.restore(stage));
        }
        let mut unknown = self.restore_joints(stage);
        complaints.extend(self.restore_morph(stage));
        complaints.extend(self.restore_sides(stage, &mut unknown));
        self.edit_weights.restore_vertices(stage);
        stage.view.display = self.display;
        stage.view.environment_file = stage.view.environment_file.chosen(self.environment_file.clone());
        let (hidden, missing) = self.hidden.found(&rig);
        stage.view.hidden = hidden;
        complaints
            .extend(missing.iter().map(|part| format!("The session hides {part}, which this file does not have")));
        stage.refresh();
        complaints.extend(restore_camera(self.camera.as_ref(), stage).map(str::to_owned));
        complaints.extend(restore_tie(self.camera_tie.as_ref(), stage));
        complaints.extend(restore_views(&self.views, stage));
        complaints
            .extend(unknown.iter().map(|n| format!("The session names joint \"{n}\", which this rig does not have")));
        complaints
    }

    fn restore_pose(&self, stage: &mut Stage) -> Vec<String> {
        let (pose, warnings) = self.pose.pose_for(stage.rig());
        stage.document.pose = pose;
        stage.switch_off(self.switched_off);
        warnings.iter().map(ToString::to_string).collect()
    }

    /// Restores limits, clip corrections, pins, the selection and locked joints. Returns the names of joints that the
    /// character lacks.
    fn restore_joints(&self, stage: &mut Stage) -> BTreeSet<String> {
        let rig = Arc::clone(stage.rig());
        let mut unknown = BTreeSet::new();
        for ((name, limits), node) in self.limits.iter().zip(find_joints(&rig.hierarchy, self.limits.keys())) {
            match node {
                Some(node) => stage.document.limits.set(node, *limits),
                None => _ = unknown.insert(name.clone()),
            }
        }
        stage.document.clip_corrections = ClipCorrections::default();
        for CorrectionFile { file, rotations } in &self.clip_corrections {
            let nodes = find_joints(&rig.hierarchy, rotations.keys());
            unknown
                .extend(rotations.keys().zip(&nodes).filter(|(_, node)| node.is_none()).map(|(name, _)| name.clone()));
            let known = nodes.into_iter().zip(rotations.values());
            let known = known.filter_map(|(node, rotation)| Some((node?, Quat::from_array(*rotation))));
            stage.document.clip_corrections.set(file, ClipCorrection::new(known));
        }
        let (pins, unmatched) = PinFile::pins(&self.pins, &rig.hierarchy);
        stage.document.pins.clear();
        for pin in pins {
            stage.document.set_pin(pin);
        }
        unknown.extend(unmatched);
        let mut found = |names: &[String]| {
            let nodes = find_joints(&rig.hierarchy, names);
            unknown.extend(names.iter().zip(&nodes).filter(|(_, node)| node.is_none()).map(|(name, _)| name.clone()));
            nodes.into_iter().flatten().collect()
        };
        stage.view.selected = found(&self.selected);
        stage.editing.locked = found(&self.edit_weights.locked);
        unknown
    }

    /// Restores both sides. Returns messages about what cannot be restored; adds unknown joint names to `unknown`.
    fn restore_sides(&self, stage: &mut Stage, unknown: &mut BTreeSet<String>) -> Vec<String> {
        let (mut sides, mut compare) = match &self.compare {
            Some(compare) => compare.sides(&stage.rig().hierarchy, unknown),
            None => (View::default().sides, Compare::default()),
        };
        if !self.side_b.is_open() {
            sides.b.file = self.side_b.clone();
            if compare.layout == Layout::Single {
                compare.layout = Layout::Wipe;
                (sides.b.skinning, sides.b.options.pose) = (sides.a.skinning.clone(), sides.a.options.pose);
            }
            stage.frames_other = true;
        }
        let unsuited = stage.show_sides(sides);
        stage.set_compare(compare);
        unsuited.iter().map(|problem| format!("The session's method was not taken: {problem}")).collect()
    }

    fn restore_morph(&self, stage: &mut Stage) -> Option<String> {
        let name = self.morph.as_deref()?;
        stage.view.morph = stage.rig().morph_named(name);
        let missing = || format!("The session names morph target \"{name}\", which this rig does not have");
        stage.view.morph.is_none().then(missing)
    }
}

impl EditedFile {
    /// Queues restoring the vertex selection until the welded points are computed.
    fn restore_vertices(&self, stage: &mut Stage) {
        stage.editing.clear_selection();
        stage.view.vertices.clear();
        if !self.vertices.is_empty() {
            stage.editing.is_on = true;
            stage.editing.select(SelectStep::Stored(self.vertices.clone()));
        }
    }
}

impl ClipTime {
    fn restore(&self, stage: &mut Stage) -> Option<String> {
        let rig = Arc::clone(stage.rig());
        let is_it = |index: usize| rig.clips.get(index).is_some_and(|c| c.name == self.name);
        let found = Some(self.index).filter(|i| is_it(*i)).or_else(|| (0..rig.clips.len()).find(|i| is_it(*i)));
        stage.set_clip(found);
        stage.playback.set_range(self.playback_range_secs, &rig);
        stage.playback.holds_root = self.holds_root;
        stage.playback.pause_at(if self.time_secs.is_finite() { self.time_secs } else { 0.0 }, &rig);
        let missing =
            || format!("The session is at clip {} \"{}\", which this file does not have", self.index, self.name);
        found.is_none().then(missing)
    }
}
