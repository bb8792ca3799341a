//! The one place where the state changes.

use std::f32::consts::{FRAC_PI_2, PI};
use std::path::Path;

use super::edit::reset::{Reach, ResetPart};
use super::{
    Action, AfterLoad, AppState, Command, DiskJob, FileList, Notice, NoticeKind, OpenDocument, PanelEdge, PathUse,
    Request, ShowMe, SidePanel, Smoothing, WindowRequest,
};
use crate::gizmo::{Orientation, Tool};
use crate::rig::{Clip, FrameRate, PosedJoint};
use crate::skinning::Skinning;
use crate::stage::{BuiltIn, Repeat, Source};
use crate::view::{BoneStyle, Display, FOVS, Layout, NamesShown, Side};

impl OpenDocument {
    pub(super) fn is_built_in(&self, built_in: BuiltIn) -> bool {
        self.document.source == Source::BuiltIn(built_in)
    }

    pub(super) fn suggested_name(&self, extension: &str) -> String {
        let name = self.document.source.name();
        let stem = Path::new(&name).file_stem().map_or(name.clone(), |s| s.to_string_lossy().into_owned());
        format!("{stem}.{extension}")
    }
}

impl AppState {
    /// Carries a command out, or first asks where it would lose an edited pose; what the state cannot do itself comes back as a request.
    pub fn apply(&mut self, command: Command) -> Option<Request> {
        self.leave_tour_for(&command);
        if self.must_ask_before(&command) {
            self.ask_before(command);
            return None;
        }
        self.carry_out(command)
    }

    #[expect(clippy::too_many_lines, reason = "one line for each: a table of what it does")]
    pub(super) fn carry_out(&mut self, command: Command) -> Option<Request> {
        match command {
            Command::Do(action) => return self.act(action),
            Command::Open(source) => {
                self.files.follow(&source);
                return Some(Self::load(source, AfterLoad::Show));
            }
            Command::Drop(source) => {
                self.files.follow(&source);
                return Some(Self::load(source, AfterLoad::Dropped));
            }
            Command::UseClips(source) => return Some(self.use_clips(&source)),
            Command::OpenAll(sources) => return self.open_all(sources, AfterLoad::Show),
            Command::OpenBeside { sources, with } => return self.open_all(sources, AfterLoad::Compare(with)),
            Command::OpenPosed { sources, poses } => return self.open_all(sources, AfterLoad::Pose(poses)),
            Command::Select(node) => self.open.select(node),
            Command::ToggleSelected(node) => self.open.toggle_selected(node),
            Command::PickSkin { side, ray, adds } => self.pick_skin(side, &ray, adds),
            Command::ProbeAt { side, ray, adds } => self.probe_at(side, &ray, adds),
            Command::RemoveProbe(index) => self.open.remove_probe(index),
            Command::PointAt(pointer) => self.open.point_at(pointer),
            Command::SelectAll(nodes) => self.open.select_all(nodes),
            Command::LintAgain => self.open.lint.is_stopped = false,
            Command::CancelJob(id) => return Some(Request::CancelJob(id)),
            Command::SetTestMotion(motion) => self.open.twist.motion = motion,
            Command::SetTestStart(start) => return self.open.start_tests_from(start),
            Command::TurnHinge(hinge) => return self.open.turn_hinge(hinge),
            Command::PoseByTest(angle) => self.pose_by_test(angle),
            Command::Simulate { is_clip } => return Some(self.open.simulate(is_clip)),
            Command::AskForNumbers(numbers) => return Some(self.numbers_target(numbers)),
            Command::WriteNumbers(numbers, path) => return self.write_numbers(numbers, path),
            Command::CancelTest => return Some(Request::CancelTest),
            Command::SelectFinding(index) => self.open.select_finding(index),
            Command::SetSidePanel(panel) => self.show_side_panel(panel),
            Command::Hover(node) => self.open.view.hovered = node,
            Command::BeginEdit => self.open.begin_edit(),
            Command::Edit { node, user_local } => self.edit_many(vec![PosedJoint { node, user_local }]),
            Command::EditMany(edits) => self.edit_many(edits),
            Command::SetMorphs(edits) => self.set_morphs(edits),
            Command::ChooseMorph(morph) => self.open.choose_morph(morph),
            Command::Pull { node, target } => self.pull(node, target),
            Command::EndEdit => self.open.end_edit(),
            Command::CancelEdit => self.open.cancel_edit(),
            Command::SetPose { pose, label } => self.open.replace_pose(pose, &label),
            Command::BlendPose(share) => self.open.blend_pose(share),
            Command::GoToStep(done) => self.go_to_step(done),
            Command::SetLimits { node, limits } => self.open.set_limits(node, limits),
            Command::SetEulerOrder(order) => self.settings.euler_order = order,
            Command::Paste { text, is_mirrored } => self.paste(&text, is_mirrored),
            Command::SetPosing(posing) => self.set_posing(posing),
            Command::SetMethod(method) => {
                self.choose_skinning(Side::A, Skinning { method, ..self.open.skinning(Side::A).clone() });
            }
            Command::SetSkinning(side, skinning) => self.choose_skinning(side, skinning),
            Command::SetWeights(side, choice) => self.open.set_weights(side, choice),
            Command::RepairWeights(repair) => self.open.repair_weights(repair),
            Command::AskForWeights(side) => return Some(self.ask_for_path(PathUse::TransferWeights(side), None)),
            Command::CompareWith(path) => self.open.choose_other(&path),
            Command::TransferWeights(side, path) => self.open.transfer_weights(side, &path),
            Command::MakeWeightsAgain(side) => self.open.make_weights_again(side),
            Command::StopMakingWeights(side) => self.open.stop_making_weights(side),
            Command::ReadSubjectAgain(side) => self.open.read_subject_again(side),
            Command::StopReadingSubject(side) => self.open.stop_reading_subject(side),
            Command::JudgeWeights(is_asked_for) => self.open.judge_weights(is_asked_for),
            Command::SetShownPose(side, pose) => self.open.as_step(|open| open.show_pose_on(side, pose)),
            Command::SetOverlay(side, overlay) => self.open.as_step(|open| open.view.sides[side].paint(overlay)),
            Command::Shade(shading) => self.shade(shading),
            Command::SetRange(side, range) => self.open.as_step(|open| open.view.sides[side].range = range),
            Command::SetLayout(layout) => self.open.set_layout(layout),
            Command::SetWipe(wipe) => self.open.view.compare.wipe = wipe,
            Command::SetGhost(ghost) => self.open.view.compare.ghost = ghost,
            Command::SetCompareInClay(is_clay) => self.open.view.compare.is_clay = is_clay,
            Command::Blink(is_on) => self.open.view.compare.is_blinking = is_on,
            Command::SetOrientation(orientation) => self.settings.orientation = orientation,
            Command::SetDisplay(display) => self.set_display(display),
            Command::TurnLight(by) => self.turn_light(by),
            Command::Hide { hidden, label } => self.open.hide(hidden, &label),
            Command::SetShortcuts(shortcuts) => self.settings.shortcuts = shortcuts,
            Command::SetNarrow(is_narrow) => self.set_narrow(is_narrow),
            Command::SetPanelWidths(widths) => self.settings.panels = widths,
            Command::SetTheme(theme) => {
                self.settings.theme = theme;
                return Some(WindowRequest::SetTheme(theme).into());
            }
            Command::SetFov(fov) => self.set_fov(fov),
            Command::LookThrough(camera) => self.look_through(camera),
            Command::SavedView(command) => self.saved_view_command(command),
            Command::Orbit { yaw, pitch } => self.open.view.camera.orbit(yaw, pitch),
            Command::Pan { delta, viewport_height } => self.open.view.camera.pan(delta, viewport_height),
            Command::Zoom { factor, cursor, viewport } => self.open.view.camera.zoom(factor, cursor, viewport),
            Command::SetClip(clip) => self.open.set_clip(clip),
            Command::Seek(time_secs) => self.open.seek(time_secs),
            Command::SetPlayedPart(range) => self.open.set_played_part(range),
            Command::SetSpeed(speed) => self.open.playback.speed = speed,
            Command::ShowMe(show_me) => return self.show_me(show_me),
            Command::GoToTourStep(step) => return self.go_to_tour_step(step),
            Command::Notify(notice) => self.notice = Some(notice),
            Command::DrawAgain => self.picture_fault = None,
            Command::DismissNotice => self.notice = None,
            Command::SetAspect(aspect) => self.open.aspect = aspect,
            Command::LoadPose(path) => return Some(Request::Disk(DiskJob::ReadPoses(vec![path]))),
            Command::ExportMesh(side, path) => return Some(self.export_mesh(side, path)),
            Command::ExportRig(path) => return Some(self.export_rig(path)),
            Command::ExportWeights(path) => return self.export_weights(path),
            Command::WritePose(path) => return Some(self.write_pose(path)),
            Command::Library(command) => return self.library_command(command),
            Command::LoadSession(path) => return Some(Request::Disk(DiskJob::ReadSession(path))),
            Command::WriteSession(path) => return Some(self.write_session(path)),
            Command::SavePicture(path) => return Some(WindowRequest::SavePicture(path).into()),
            Command::SaveReport(path) => return Some(Request::SaveReport(path)),
            Command::PlanFilm(plan) => self.film = plan,
            Command::ChooseFilmPlace => return self.film_target(),
            Command::SaveFilm(path) => return self.save_film(path),
            Command::Path(command) => return self.path_command(command),
            Command::OpenSession(session) => {
                let (source, scene, clips_from) = (session.source.clone(), session.scene, session.clips_from.clone());
                return Some(Request::Load { source, scene, clips_from, then: AfterLoad::Restore(session) });
            }
            Command::Answer(answer) => return self.answer(answer),
            Command::ClearRecent => self.settings.recent_files.clear(),
            Command::ShowScene(scene) => return Some(self.load_again(Some(scene), true)),
            Command::CancelLoad => return Some(Request::CancelLoad),
            Command::OpenGuide(place) => return Some(Request::OpenGuide(Some(place))),
        }
        None
    }

    #[expect(clippy::too_many_lines, reason = "one line for each: a table of what it does")]
    fn act(&mut self, action: Action) -> Option<Request> {
        match action {
            Action::Open => return Some(self.ask_for_path(PathUse::OpenRig, None)),
            Action::CompareWith => return Some(self.ask_for_path(PathUse::CompareWith, None)),
            Action::StopComparing => self.open.leave_others(),
            Action::ToggleKeepVersionBefore => self.settings.keeps_version_before ^= true,
            Action::UseClips => return Some(self.ask_for_path(PathUse::UseClips, None)),
            Action::Reload => return Some(self.load_again(self.open.document.scene, true)),
            Action::NextFile if self.is_touring() => return self.step_of_tour(true),
            Action::PreviousFile if self.is_touring() => return self.step_of_tour(false),
            Action::NextFile => return self.files.step(true).map(|s| Self::load(s, AfterLoad::Show)),
            Action::PreviousFile => return self.files.step(false).map(|s| Self::load(s, AfterLoad::Show)),
            Action::ToggleReloadOnChange => self.settings.reload_on_change ^= true,
            Action::OpenPose => return Some(self.ask_for_path(PathUse::OpenPose, None)),
            Action::SavePose => return Some(self.pose_target()),
            Action::SavePoseToLibrary => self.ask_for_pose_name(),
            Action::OpenSession => return Some(self.ask_for_path(PathUse::OpenSession, None)),
            Action::SaveSession => return Some(self.session_target()),
            Action::RestoreSession => return Some(Request::FindSession),
            Action::ExportMesh => return Some(self.mesh_target(Side::A)),
            Action::ExportMeshOfB => return Some(self.mesh_target(Side::B)),
            Action::ExportRig => return Some(self.rig_target()),
            Action::ExportWeights => return Some(self.ask_for_path(PathUse::SaveWeights, Some("weights.glb"))),
            Action::CopyPicture => return Some(WindowRequest::CopyPicture.into()),
            Action::SavePicture => return Some(self.ask_for_path(PathUse::SavePicture, Some("png"))),
            Action::SaveFilm => self.plan_film(),
            Action::SaveReport => return Some(self.ask_for_path(PathUse::SaveReport, Some("report.html"))),
            Action::Quit => return Some(WindowRequest::Quit.into()),
            Action::TogglePalette => return Some(WindowRequest::TogglePalette.into()),
            Action::OpenGuide => return Some(Request::OpenGuide(None)),
            Action::ToggleHelp => return Some(WindowRequest::ToggleHelp.into()),
            Action::ToggleProbe => self.toggle_probes(),
            Action::ClearProbes => self.open.probes.places.clear(),
            Action::ToggleTwistTest => return self.open.toggle_twist_test(),
            Action::TestTwist => return self.open.run_twist_test(),
            Action::RankJoints => return Some(self.open.rank_joints()),
            Action::StartTour => return self.go_to_tour_step(0),
            Action::LeaveTour => self.leave_tour(),
            Action::ShowLint => return self.show_lint(),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::CopyPose => return self.open.copied_pose().map(|text| WindowRequest::Copy(text).into()),
            Action::PastePose => return Some(WindowRequest::Paste { is_mirrored: false }.into()),
            Action::PasteMirrored => return Some(WindowRequest::Paste { is_mirrored: true }.into()),
            Action::MirrorJoints => self.mirror_joints(),
            Action::MirrorPose => self.mirror_pose(),
            Action::ToggleSymmetry => self.toggle_symmetry(),
            Action::ResetRotation => self.open.reset(Reach::Joints, ResetPart::Rotation),
            Action::ResetTranslation => self.open.reset(Reach::Joints, ResetPart::Translation),
            Action::ResetScale => self.open.reset(Reach::Joints, ResetPart::Scale),
            Action::ResetTranslationAndScale => self.open.reset(Reach::Joints, ResetPart::TranslationAndScale),
            Action::ResetJoint => self.open.reset(Reach::Joints, ResetPart::All),
            Action::ResetSubtree => self.open.reset(Reach::Subtrees, ResetPart::All),
            Action::ResetAll => self.open.reset(Reach::Everything, ResetPart::All),
            Action::ResetMorphs => self.open.reset_morphs(),
            Action::CopyMorphs => return Some(WindowRequest::Copy(self.open.copied_morphs()).into()),
            Action::ShowMorphs => self.show_side_panel(SidePanel::Morphs),
            Action::RestPose => self.open.show_rest_pose(),
            Action::BindPose => self.show_bind_pose(),
            Action::ClipPose => self.open.show_clip_pose(),
            Action::UserPose => self.open.show_user_pose(),
            Action::ClearSelection => self.open.select(None),
            Action::SelectParent => self.open.select_parent(),
            Action::SelectChild => self.open.select_child(),
            Action::ToggleIsolated => self.open.toggle_isolated(),
            Action::SmoothAutomatic => self.settings.smoothing = Smoothing::Automatic,
            Action::SmoothOff => self.settings.smoothing = Smoothing::Off,
            Action::SmoothFour => self.settings.smoothing = Smoothing::Four,
            Action::SmoothEight => self.settings.smoothing = Smoothing::Eight,
            Action::ToggleTransparentPictures => self.settings.transparent_pictures ^= true,
            Action::ToggleCaptionedPictures => self.settings.captioned_pictures ^= true,
            Action::ToggleFrameTimes => self.settings.frame_times ^= true,
            Action::FilterJoints => {
                self.show_tree();
                return Some(WindowRequest::FilterJoints.into());
            }
            Action::ToggleAllNodes => self.settings.all_nodes ^= true,
            Action::SelectSubtree => self.open.select_subtree(),
            Action::NextMethod => self.next_method(),
            Action::NextLayout => self.open.next_layout(),
            Action::LayoutSingle => self.open.set_layout(Layout::Single),
            Action::LayoutWipe => self.open.set_layout(Layout::Wipe),
            Action::LayoutSideBySide => self.open.set_layout(Layout::SideBySide),
            Action::LayoutGhost => self.open.set_layout(Layout::Ghost),
            Action::SwapSides => self.swap_sides(),
            Action::Blink => self.open.view.compare.is_blinking ^= true,
            Action::ToolRotate => self.settings.posing.tool = Tool::Rotate,
            Action::ToolMove => self.settings.posing.tool = Tool::Move,
            Action::ToolScale => self.settings.posing.tool = Tool::Scale,
            Action::ToggleIk => self.toggle_ik(),
            Action::TogglePin => self.open.toggle_pin(),
            Action::NextOrientation => self.next_orientation(),
            Action::FrameSelected => self.open.frame_selected(),
            Action::FrameAll => self.open.frame_all(),
            Action::ToggleFollow => self.open.toggle_follow(),
            Action::SaveView => self.keep_view(),
            Action::ViewFront => self.open.look_from(0.0, 0.0),
            Action::ViewRight => self.open.look_from(FRAC_PI_2, 0.0),
            Action::ViewTop => self.open.look_from(0.0, FRAC_PI_2),
            Action::ViewBack => self.open.look_from(PI, 0.0),
            Action::ViewLeft => self.open.look_from(-FRAC_PI_2, 0.0),
            Action::ViewBottom => self.open.look_from(0.0, -FRAC_PI_2),
            Action::ToggleOrthographic => self.open.view.camera.is_orthographic ^= true,
            Action::FieldOfView20 => self.set_fov(FOVS[0]),
            Action::FieldOfView35 => self.set_fov(FOVS[1]),
            Action::FieldOfView50 => self.set_fov(FOVS[2]),
            Action::FieldOfView75 => self.set_fov(FOVS[3]),
            Action::ToggleFullScreen => return Some(WindowRequest::ToggleFullScreen.into()),
            Action::ToggleLeftPanel => self.toggle_panel(PanelEdge::Left),
            Action::ToggleRightPanel => self.toggle_panel(PanelEdge::Right),
            Action::ToggleBones => self.toggle(|d| &mut d.bones),
            Action::ToggleBonesInFront => self.toggle(|d| &mut d.bones_in_front),
            Action::BonesOctahedral => self.change_display(|d| d.bone_style = BoneStyle::Octahedral),
            Action::BonesStick => self.change_display(|d| d.bone_style = BoneStyle::Stick),
            Action::BonesLine => self.change_display(|d| d.bone_style = BoneStyle::Line),
            Action::NamesHovered => self.change_display(|d| d.names = NamesShown::Hovered),
            Action::NamesSelected => self.change_display(|d| d.names = NamesShown::Selected),
            Action::NamesAll => self.change_display(|d| d.names = NamesShown::All),
            Action::ToggleAxes => self.toggle(|d| &mut d.axes),
            Action::ToggleGrid => self.toggle(|d| &mut d.grid),
            Action::ToggleWireframe => self.toggle(|d| &mut d.wireframe),
            Action::ToggleClay => self.toggle_clay(),
            Action::TogglePlay => self.open.toggle_play(),
            Action::ToggleLoop => self.open.playback.toggle_repeat(Repeat::Loop),
            Action::TogglePingPong => self.open.playback.toggle_repeat(Repeat::PingPong),
            Action::StepBack => self.open.seek_frame(FrameRate::previous),
            Action::StepForward => self.open.seek_frame(FrameRate::next),
            Action::PlayFromHere => self.open.play_from_here(),
            Action::PlayToHere => self.open.play_to_here(),
            Action::PlayAll => self.open.set_played_part(None),
            Action::PreviousKey => self.open.seek_key(Clip::key_before),
            Action::NextKey => self.open.seek_key(Clip::key_after),
        }
        None
    }

    fn open_all(&mut self, sources: Vec<Source>, then: AfterLoad) -> Option<Request> {
        let first = sources.first().cloned()?;
        self.files = FileList::new(sources);
        Some(Self::load(first, then))
    }

    fn next_orientation(&mut self) {
        let all = Orientation::ALL;
        let at = all.iter().position(|&o| o == self.settings.orientation).unwrap_or(0);
        self.settings.orientation = all[(at + 1) % all.len()];
    }

    pub(super) fn toggle(&mut self, flag: fn(&mut Display) -> &mut bool) {
        let mut display = self.open.view.display;
        *flag(&mut display) ^= true;
        self.set_display(display);
    }

    fn change_display(&mut self, change: fn(&mut Display)) {
        let mut display = self.open.view.display;
        change(&mut display);
        self.set_display(display);
    }

    fn turn_light(&mut self, by: f32) {
        let display = self.open.view.display;
        self.set_display(Display { light: display.light.turned(by), ..display });
    }

    pub(super) fn set_display(&mut self, display: Display) {
        self.open.view.display = display;
        // What a tour shows is no choice of the user's.
        if !self.is_touring() {
            self.settings.display = display;
        }
    }

    fn show_me(&mut self, show_me: ShowMe) -> Option<Request> {
        if !self.open.is_built_in(show_me.character()) {
            let source = Source::BuiltIn(show_me.character());
            self.open.discarded = Some(self.open.work());
            return Some(Self::load(source, AfterLoad::ShowMe(show_me)));
        }
        self.take_telling_pose(show_me);
        None
    }

    pub(super) fn fail(&mut self, text: String) {
        self.notice = Some(Notice { kind: NoticeKind::Error, text });
    }

    pub(super) fn pose_target(&self) -> Request {
        self.ask_for_path(PathUse::SavePose, Some("pose.json"))
    }

    pub(super) fn session_target(&self) -> Request {
        self.ask_for_path(PathUse::SaveSession, Some("session.json"))
    }
}

#[cfg(test)]
mod tests;
