//! The one place where the state changes.

use std::f32::consts::{FRAC_PI_2, PI};
use std::path::Path;

use super::{
    Action, AppState, Change, Command, Document, History, Notice, Playback, Request, Severity, ShowMe, Source,
};
use crate::export::{PoseFile, write_atomically};
use crate::gizmo::Orientation;
use crate::rig::{Hierarchy, NodeIndex, Pose, Trs};
use crate::view::{Camera, Display};

/// One frame of a film, seconds.
const FRAME_SECS: f32 = 1.0 / 30.0;

impl AppState {
    /// Carries a command out; what the state cannot do itself comes back as a request.
    pub fn apply(&mut self, command: Command) -> Option<Request> {
        match command {
            Command::Do(action) => return self.act(action),
            Command::Open(source) => return Some(Request::Load(source, None)),
            Command::Opened(document) => self.show(*document),
            Command::Select(node) => self.select(node),
            Command::Hover(node) => self.view.hovered = node,
            Command::BeginEdit => self.begin_edit(),
            Command::Edit { node, user_local } => self.edit(node, user_local),
            Command::EndEdit => self.end_edit(),
            Command::CancelEdit => self.cancel_edit(),
            Command::SetPose { pose, label } => self.set_pose(pose, &label),
            Command::SetMethod(method) => {
                self.view.method = method;
                self.settings.method = method;
            }
            Command::SetOrientation(orientation) => self.settings.orientation = orientation,
            Command::SetDisplay(display) => self.set_display(display),
            Command::SetTheme(theme) => {
                self.settings.theme = theme;
                return Some(Request::SetTheme(theme));
            }
            Command::Orbit { yaw, pitch } => self.view.camera.orbit(yaw, pitch),
            Command::Pan { delta, viewport_height } => self.view.camera.pan(delta, viewport_height),
            Command::Zoom { factor, cursor, viewport } => self.view.camera.zoom(factor, cursor, viewport),
            Command::SetClip(clip) => self.set_clip(clip),
            Command::Seek(time_secs) => self.seek(time_secs),
            Command::SetSpeed(speed) => self.playback.speed = speed,
            Command::ShowMe(show_me) => return self.show_me(show_me),
            Command::Notify(notice) => self.notice = Some(notice),
            Command::DismissNotice => self.notice = None,
            Command::SetAspect(aspect) => self.aspect = aspect,
            Command::LoadPose(path) => self.load_pose(&path),
            Command::WritePose(path) => self.write_pose(&path),
            Command::ClearRecent => self.settings.recent_files.clear(),
            Command::CancelLoad => return Some(Request::CancelLoad),
        }
        None
    }

    fn act(&mut self, action: Action) -> Option<Request> {
        match action {
            Action::Open => return Some(Request::PickFile),
            Action::Reload => return Some(Request::Load(self.document.source.clone(), None)),
            Action::OpenPose => return Some(Request::PickPose),
            Action::SavePose => return Some(Request::PickPoseTarget(self.suggested_name("pose.json"))),
            Action::SavePicture => return Some(Request::PickPictureTarget(self.suggested_name("png"))),
            Action::Quit => return Some(Request::Quit),
            Action::ToggleHelp => return Some(Request::ToggleHelp),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::ResetRotation => self.reset_rotation(),
            Action::ResetJoint => self.reset(|_, selected| selected.map(NodeIndex::index).map(|i| i..i + 1)),
            Action::ResetSubtree => self.reset(|h, selected| selected.map(|n| h.subtree(n))),
            Action::ResetAll => self.reset(|h, _| Some(0..h.len())),
            Action::ClearSelection => self.select(None),
            Action::SelectParent => self.select_parent(),
            Action::SelectChild => self.select_child(),
            Action::NextMethod => return self.apply(Command::SetMethod(self.view.method.next())),
            Action::NextOrientation => self.next_orientation(),
            Action::FrameSelected => self.frame_selected(),
            Action::FrameAll => self.frame_all(),
            Action::ViewFront => self.look_from(0.0, 0.0),
            Action::ViewRight => self.look_from(FRAC_PI_2, 0.0),
            Action::ViewTop => self.look_from(0.0, FRAC_PI_2),
            Action::ViewBack => self.look_from(PI, 0.0),
            Action::ViewLeft => self.look_from(-FRAC_PI_2, 0.0),
            Action::ViewBottom => self.look_from(0.0, -FRAC_PI_2),
            Action::ToggleOrthographic => self.view.camera.is_orthographic ^= true,
            Action::ToggleBones => self.toggle(|d| &mut d.bones),
            Action::ToggleBonesInFront => self.toggle(|d| &mut d.bones_in_front),
            Action::ToggleGrid => self.toggle(|d| &mut d.grid),
            Action::ToggleWireframe => self.toggle(|d| &mut d.wireframe),
            Action::ToggleClay => self.toggle(|d| &mut d.clay),
            Action::TogglePlay => self.toggle_play(),
            Action::ToggleLoop => self.playback.is_looping ^= true,
            Action::StepBack => self.seek(self.playback.time_secs - FRAME_SECS),
            Action::StepForward => self.seek(self.playback.time_secs + FRAME_SECS),
        }
        None
    }

    fn show(&mut self, document: Document) {
        if let Source::File(path) = &document.source {
            self.settings.remember(path);
        }
        let show_me = document.show_me;
        self.document = document;
        self.history = History::default();
        self.playback = Playback { speed: self.playback.speed, ..Playback::default() };
        self.view.selected.clear();
        self.view.hovered = None;
        self.view.is_dragging = false;
        self.notice = None;
        self.pose_changed();
        self.refresh();
        self.view.camera = Camera::default();
        self.frame_all();
        if let Some(show_me) = show_me {
            self.take_telling_pose(show_me);
        }
    }

    fn select(&mut self, node: Option<NodeIndex>) {
        let count = self.document.rig.hierarchy.len();
        self.view.selected = node.into_iter().filter(|n| n.index() < count).collect();
    }

    fn select_parent(&mut self) {
        let hierarchy = &self.document.rig.hierarchy;
        if let Some(parent) = self.selected().and_then(|n| hierarchy.parent(n)) {
            self.select(Some(parent));
        }
    }

    fn select_child(&mut self) {
        let hierarchy = &self.document.rig.hierarchy;
        if let Some(&child) = self.selected().and_then(|n| hierarchy.children(n).first()) {
            self.select(Some(child));
        }
    }

    fn begin_edit(&mut self) {
        self.history.begin(&self.document.pose);
        self.view.is_dragging = true;
    }

    fn edit(&mut self, node: NodeIndex, user_local: Trs) {
        if node.index() >= self.document.rig.hierarchy.len() {
            return;
        }
        let is_step_of_its_own = !self.history.is_open();
        self.history.begin(&self.document.pose);
        self.document.pose.set_user_local(node, user_local);
        self.pose_changed();
        if is_step_of_its_own {
            self.end_edit();
        }
    }

    fn end_edit(&mut self) {
        self.view.is_dragging = false;
        let hierarchy = &self.document.rig.hierarchy;
        self.history.end(hierarchy.len(), &self.document.pose, |changes| edit_label(hierarchy, changes));
    }

    fn cancel_edit(&mut self) {
        self.view.is_dragging = false;
        if let Some(before) = self.history.cancel() {
            self.document.pose = before;
            self.pose_changed();
        }
    }

    fn set_pose(&mut self, pose: Pose, label: &str) {
        self.cancel_edit();
        self.history.begin(&self.document.pose);
        self.document.pose = pose;
        self.history.end(self.document.rig.hierarchy.len(), &self.document.pose, |_| label.to_owned());
        self.pose_changed();
    }

    fn undo(&mut self) {
        self.end_edit();
        if self.history.undo(&mut self.document.pose).is_some() {
            self.pose_changed();
        }
    }

    fn redo(&mut self) {
        self.end_edit();
        if self.history.redo(&mut self.document.pose).is_some() {
            self.pose_changed();
        }
    }

    fn reset_rotation(&mut self) {
        if let Some(node) = self.selected() {
            let kept = *self.document.pose.user_local(node);
            self.edit(node, Trs { rotation: glam::Quat::IDENTITY, ..kept });
        }
    }

    fn reset(&mut self, range: impl FnOnce(&Hierarchy, Option<NodeIndex>) -> Option<std::ops::Range<usize>>) {
        let hierarchy = &self.document.rig.hierarchy;
        let Some(range) = range(hierarchy, self.selected()) else { return };
        let label = if range.len() == hierarchy.len() {
            "Reset all".to_owned()
        } else {
            format!("Reset {}", hierarchy.name(NodeIndex(range.start as u32)))
        };
        let mut pose = self.document.pose.clone();
        for node in hierarchy.nodes().skip(range.start).take(range.len()) {
            pose.set_user_local(node, Trs::IDENTITY);
        }
        self.set_pose(pose, &label);
    }

    fn next_orientation(&mut self) {
        let all = Orientation::ALL;
        let at = all.iter().position(|&o| o == self.settings.orientation).unwrap_or(0);
        self.settings.orientation = all[(at + 1) % all.len()];
    }

    fn look_from(&mut self, yaw: f32, pitch: f32) {
        self.view.camera.yaw = yaw;
        self.view.camera.pitch = 0.0;
        self.view.camera.orbit(0.0, pitch);
    }

    fn toggle(&mut self, flag: fn(&mut Display) -> &mut bool) {
        let mut display = self.view.display;
        *flag(&mut display) ^= true;
        self.set_display(display);
    }

    fn set_display(&mut self, display: Display) {
        self.view.display = display;
        self.settings.display = display;
    }

    fn set_clip(&mut self, clip: Option<usize>) {
        let clip = clip.filter(|&c| c < self.document.rig.clips.len());
        self.playback = Playback { clip, time_secs: 0.0, is_playing: clip.is_some(), ..self.playback };
        self.pose_changed();
    }

    fn toggle_play(&mut self) {
        if self.playback.clip.is_none() && !self.document.rig.clips.is_empty() {
            self.set_clip(Some(0));
        } else {
            self.playback.toggle(&self.document.rig);
        }
        self.pose_changed();
    }

    fn seek(&mut self, time_secs: f32) {
        self.playback.is_playing = false;
        self.playback.seek(time_secs, &self.document.rig);
        self.pose_changed();
    }

    fn show_me(&mut self, show_me: ShowMe) -> Option<Request> {
        let source = Source::BuiltIn(show_me.character());
        if self.document.source != source {
            return Some(Request::Load(source, Some(show_me)));
        }
        self.take_telling_pose(show_me);
        None
    }

    fn take_telling_pose(&mut self, show_me: ShowMe) {
        let rig = self.document.rig.clone();
        self.set_clip(None);
        self.set_pose(show_me.pose(&rig.hierarchy), show_me.label());
        self.select(show_me.joint(&rig.hierarchy));
        self.view.method = show_me.method();
        self.settings.method = show_me.method();
        self.refresh();
        match show_me {
            ShowMe::ElbowCollapse => self.frame_selected(),
            ShowMe::CandyWrapper | ShowMe::DqsBulge => self.frame_all(),
        }
        self.notice = Some(Notice { severity: Severity::Info, text: show_me.explanation().to_owned() });
    }

    fn load_pose(&mut self, path: &Path) {
        let read = std::fs::read(path).map_err(|e| e.to_string());
        match read.and_then(|bytes| PoseFile::parse(&bytes).map_err(|e| e.to_string())) {
            Ok(file) => {
                let (pose, unknown) = file.pose_for(&self.document.rig.hierarchy);
                self.set_pose(pose, "Open pose");
                self.notice = (!unknown.is_empty()).then(|| Notice {
                    severity: Severity::Warning,
                    text: unknown.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
                });
            }
            Err(problem) => self.fail(format!("The pose was not opened. {problem} ({})", path.display())),
        }
    }

    fn write_pose(&mut self, path: &Path) {
        let file = PoseFile::from_pose(&self.document.rig.hierarchy, &self.document.pose);
        if let Err(problem) = write_atomically(path, file.to_json().as_bytes()) {
            self.fail(format!("The pose was not saved: {problem} ({})", path.display()));
        }
    }

    fn fail(&mut self, text: String) {
        self.notice = Some(Notice { severity: Severity::Error, text });
    }

    fn suggested_name(&self, extension: &str) -> String {
        let name = self.document.source.name();
        let stem = Path::new(&name).file_stem().map_or(name.clone(), |s| s.to_string_lossy().into_owned());
        format!("{stem}.{extension}")
    }
}

/// What was done to which joint, or how many joints changed.
fn edit_label(hierarchy: &Hierarchy, changes: &[Change]) -> String {
    let [Change { node, before, after }] = changes else {
        return format!("Edit {} joints", changes.len());
    };
    let name = hierarchy.name(*node);
    let angle = before.rotation.angle_between(after.rotation).to_degrees();
    if before.translation != after.translation {
        format!("Move {name}")
    } else if before.scale != after.scale {
        format!("Scale {name}")
    } else {
        format!("Rotate {name} {angle:.0}°")
    }
}
