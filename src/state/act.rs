use std::f32::consts::{FRAC_PI_2, PI};

use super::action::Need;
use super::edit::reset::{ResetComponents, ResetScope};
use super::{
    Action, AfterLoad, AppState, DiskJob, ExportKind, ImageSize, PanelEdge, PanelLayout, PanelSizes, PathUse,
    PoseNaming, PosingOptions, Request, SidePanel, Smoothing, WindowRequest,
};
use crate::gizmo::{GizmoSize, Tool};
use crate::rig::{Clip, FrameRate, Hierarchy, NodeIndex};
use crate::stage::{
    BendTestPlan, ChoiceState, ClipRankingPlan, CurrentRequest, DiagnosisPlan, Repeat, RigChoice, SelectStep, Stage,
    VideoFormat, WeightEditPlan,
};
use crate::state::document::borrowed_clips::{clip_correction, correction_obstacle};
use crate::state::document::reload::reload_request;
use crate::state::edit::clipboard::copied_pose;
use crate::state::edit::morphs::copied_morphs;
use crate::state::edit::weights::{joint_obstacle, toggle_locked};
use crate::state::inspect::vertices::{
    clear_vertices, has_finding_vertices, reselect, select_finding_vertices, vertex_obstacle,
};
use crate::view::{BoneStyle, FOVS, Layout, ShownFile, Side, VisibleNames};
use crate::weights::{WeightChoice, WeightEdit};

impl AppState {
    /// Returns why a video format is unavailable, as a message for the user.
    pub fn video_obstacle(&self, format: VideoFormat) -> Option<&'static str> {
        let VideoFormat::Video(video) = format else { return None };
        match self.has_ffmpeg {
            None => Some("Searching for ffmpeg"),
            Some(false) => Some("Needs ffmpeg on the PATH: install it, then reopen this dialog"),
            Some(true) if self.settings.transparent_images && video.check_transparency().is_err() => {
                Some("This format has no transparency: switch off File > Images > Transparent images")
            }
            Some(true) => None,
        }
    }

    /// Returns why an action is unavailable, in a few words.
    pub fn obstacle(&self, action: Action) -> Option<&'static str> {
        let open = &self.open;
        let unless = |is_there: bool, obstacle| (!is_there).then_some(obstacle);
        match action.spec().need {
            Need::StepToUndo => unless(open.history.undo_label().is_some(), "Nothing to undo"),
            Need::StepToRedo => unless(open.history.redo_label().is_some(), "Nothing to redo"),
            Need::Pin => unless(!open.stage.document.pins.is_empty(), "No joint is pinned"),
            Need::SelectedJoint => unless(open.stage.view.active_joint().is_some(), "No joint is selected"),
            Need::JointToIsolate => unless(
                open.stage.view.active_joint().is_some() || open.stage.view.isolated.is_some(),
                "No joint is selected",
            ),
            Need::JointToFollow => unless(
                open.stage.view.active_joint().is_some() || open.stage.camera_tie.joint().is_some(),
                "No joint is selected",
            ),
            Need::CorrectingPose => correction_obstacle(&open.stage),
            Need::CorrectedClip => unless(
                clip_correction(&open.stage).is_some_and(|(_, correction)| !correction.is_empty()),
                "The clip has no correction",
            ),
            Need::Selection => unless(open.stage.has_selection() || !self.modes().is_empty(), "Nothing is selected"),
            Need::Vertices => vertex_obstacle(&open.stage),
            Need::SelectedVertices => vertex_obstacle(&open.stage)
                .or_else(|| unless(!open.stage.editing.selected().is_empty(), "No vertices are selected")),
            Need::FindingVertices => vertex_obstacle(&open.stage)
                .or_else(|| unless(has_finding_vertices(&open.stage), "No finding or weight problem is selected")),
            Need::Weights => self.weight_obstacle(),
            Need::JointAndWeights => self.joint_weight_obstacle(),
            Need::SkinJoint => joint_obstacle(&open.stage),
            Need::PosedJoint => unless(open.stage.pose().is_any_posed(), "Pose a joint first"),
            Need::MorphTarget => unless(
                open.stage.rig().has_face() || !open.stage.rig().morphs().is_empty(),
                "This file has no morph targets",
            ),
            Need::MovedMorphTarget => unless(
                open.stage.pose().morph_weights().next().is_some() || !open.stage.pose().face().is_empty(),
                "No morph target or expression has a user weight",
            ),
            Need::OtherUserPose => unless(
                !open.user_pose.get(&open.stage).has_edits_of(open.stage.pose()),
                "The user pose is already shown",
            ),
            Need::SkinAndClip if open.stage.rig().clips.is_empty() => Some("This file has no clips"),
            Need::Skin | Need::SkinAndClip => unless(!open.stage.rig().skins.is_empty(), "This file has no skin"),
            Need::Mesh | Need::MeshOfB if open.stage.rig().instances.is_empty() => Some("This file has no mesh"),
            Need::Springs | Need::SwingingSprings if open.stage.rig().behaviours().springs().is_empty() => {
                Some("This file has no springs")
            }
            Need::SwingingSprings if open.stage.document.switched_off.springs => Some("Springs are switched off"),
            Need::Nothing | Need::Mesh | Need::Springs | Need::SwingingSprings => None,
            Need::MeshOfB => unless(open.stage.view.compare.layout != Layout::Single, "Side B is not shown"),
            Need::OtherWeights if open.stage.other_on(Side::A).is_some() => Some("Side A shows another file"),
            Need::OtherWeights => unless(open.stage.weighted(Side::A).is_some(), "Side A shows the file's weights"),
            Need::OtherRigOnB => export_obstacle(&open.stage),
            Need::AnotherFile => unless(open.stage.view.shows_other(), "Both sides show the open file"),
            Need::PointsShown => {
                let shows_points = Side::ALL.into_iter().any(|side| open.stage.points_on(side).is_some());
                unless(shows_points, "No side shows points of another program")
            }
            Need::PreviousVersion if !self.settings.keeps_version_before && !open.stage.before.is_some() => {
                Some("Switch on Keep previous version on reload first")
            }
            Need::PreviousVersion => unless(open.stage.before.is_some(), "The file was not reloaded yet"),
            Need::Clip => unless(!open.stage.rig().clips.is_empty(), "This file has no clips"),
            Need::ChosenClip => unless(open.stage.playback.clip.is_some(), "Choose a clip first"),
            Need::PlayedPart => unless(open.stage.playback.range().is_some(), "The whole clip plays already"),
            Need::SeveralFiles => unless(!self.files.is_empty() || self.tour.is_some(), "Only one file is open"),
            Need::Expressions => unless(!open.stage.rig().expressions.is_empty(), "This file has no expressions"),
            Need::FirstPerson => unless(open.stage.rig().has_first_person(), "This file has no first-person settings"),
            Need::LookAt => unless(open.stage.rig().look_at.is_some(), "This file has no look-at settings"),
            Need::Constraints => {
                unless(!open.stage.rig().behaviours().constraints().is_empty(), "This file has no constraints")
            }
            Need::Tab(edge) => self.panels.obstacle(edge, &self.settings),
            Need::MovedTab => unless(
                !self.settings.layout.is_initial() || self.settings.panels != PanelSizes::default(),
                "The panels are as they were at first",
            ),
            Need::Tour => unless(self.tour.is_some(), "The tour is not running"),
        }
    }

    pub fn can(&self, action: Action) -> bool {
        self.obstacle(action).is_none()
    }

    /// Performs an action. Returns a request for work that only the program can do.
    #[expect(clippy::too_many_lines, reason = "one line for each: a table of what it does")]
    pub(super) fn act(&mut self, action: Action) -> Option<Request> {
        match action {
            Action::Open => return Some(self.ask_for_path(PathUse::OpenRig)),
            Action::CompareWith => return Some(self.ask_for_path(PathUse::CompareWith)),
            Action::CompareWithPoints => return Some(self.ask_for_path(PathUse::CompareWithPoints)),
            Action::DiagnosePoints => {
                self.show_side_panel(SidePanel::Compare);
                self.open.stage.diagnosis.request(DiagnosisPlan::current(&self.open.stage));
            }
            Action::TransferWeights => return Some(self.ask_for_path(PathUse::TransferWeights(Side::A))),
            Action::StopComparing => self.open.as_step(|open| {
                for side in Side::ALL {
                    open.stage.view.sides[side].file = ShownFile::Open;
                }
            }),
            Action::ComparePrevious => self.open.as_step(|open| open.stage.show_previous()),
            Action::ToggleKeepVersionBefore => self.settings.keeps_version_before ^= true,
            Action::CorrectClips => self.open.correct_clips(),
            Action::RemoveClipCorrection => self.open.remove_clip_correction(),
            Action::UseClips => return Some(self.ask_for_path(PathUse::UseClips)),
            Action::Reload => return Some(reload_request(&self.open.stage, self.open.stage.document.scene, true)),
            Action::NextFile if self.tour.is_some() => return self.step_of_tour(true),
            Action::PreviousFile if self.tour.is_some() => return self.step_of_tour(false),
            Action::NextFile => return self.files.step(true).map(|source| Request::load(source, AfterLoad::Show)),
            Action::PreviousFile => return self.files.step(false).map(|source| Request::load(source, AfterLoad::Show)),
            Action::ToggleReloadOnChange => self.settings.reload_on_change ^= true,
            Action::LightByFile => return Some(self.ask_for_path(PathUse::OpenEnvironment)),
            Action::OpenPose => return Some(self.ask_for_path(PathUse::OpenPose)),
            Action::SavePose => return Some(self.ask_for_path(PathUse::SavePose)),
            Action::SavePoseToLibrary => {
                self.panels.show(SidePanel::Pose, &mut self.settings);
                self.open.library.naming = Some(PoseNaming::New);
            }
            Action::OpenSession => return Some(self.ask_for_path(PathUse::OpenSession)),
            Action::SaveSession => return Some(self.ask_for_path(PathUse::SaveSession)),
            Action::RestoreSession => return Some(Request::FindSession),
            Action::ExportMesh => return Some(self.ask_for_path(PathUse::Export(ExportKind::Mesh(Side::A)))),
            Action::ExportMeshOfB => return Some(self.ask_for_path(PathUse::Export(ExportKind::Mesh(Side::B)))),
            Action::AttachOutfit => return Some(self.ask_for_path(PathUse::AttachOutfit)),
            Action::ExportRigOfB => return Some(self.ask_for_path(PathUse::Export(ExportKind::RigOfB))),
            Action::PoseAsRest
            | Action::BindAsRest
            | Action::ResetBinds
            | Action::FreezeScale
            | Action::FreezeRoot
            | Action::TurnUpright
            | Action::ConvertToMetres
            | Action::DropUnusedJoints
            | Action::MergeSkins
            | Action::AddRoot
            | Action::AddTwistJoints
            | Action::LimitInfluences
            | Action::RenameToVrm
            | Action::RenameToMixamo
            | Action::RenameToUnreal
            | Action::RenameToUnity
            | Action::RenameToGodot
            | Action::RenameToRigify
            | Action::RenameToArkit => self.change_skeleton(action),
            Action::ExportRig => return Some(self.ask_for_path(PathUse::Export(ExportKind::Rig))),
            Action::ExportWeights => return Some(self.ask_for_path(PathUse::Export(ExportKind::Weights))),
            Action::CopyImage => return Some(WindowRequest::CopyImage.into()),
            Action::SaveImage => return Some(self.ask_for_path(PathUse::SaveImage)),
            Action::SaveVideo => {
                self.start_video();
                return Some(Request::Disk(DiskJob::FindFfmpeg));
            }
            Action::SaveReport => return Some(self.ask_for_path(PathUse::SaveReport { has_bend_test: false })),
            Action::SaveReportWithBendTest => {
                return Some(self.ask_for_path(PathUse::SaveReport { has_bend_test: true }));
            }
            Action::Quit => return Some(WindowRequest::Quit.into()),
            Action::TogglePalette => return Some(WindowRequest::TogglePalette.into()),
            Action::OpenGuide => return Some(Request::OpenGuide(None)),
            Action::ToggleHelp => return Some(WindowRequest::ToggleHelp.into()),
            Action::TogglePreferences => return Some(WindowRequest::TogglePreferences.into()),
            Action::ToggleAbout => return Some(WindowRequest::ToggleAbout.into()),
            Action::ToggleProbe => self.toggle_probes(),
            Action::ClearProbes => self.open.stage.probes.places.clear(),
            Action::ToggleTwistTest => self.open.twist.toggle(&mut self.open.stage),
            Action::TestTwist => self.open.twist.request(&mut self.open.stage),
            Action::RankJoints => self.open.twist.rank_joints(&mut self.open.stage),
            Action::TestBend => {
                self.open.stage.bend_test.request(BendTestPlan::current(&self.open.stage));
                self.panels.show(SidePanel::Compare, &mut self.settings);
            }
            Action::StartTour => return self.go_to_tour_step(0),
            Action::LeaveTour => self.leave_tour(),
            Action::ShowLint => self.panels.toggle_lint(&mut self.settings),
            Action::Undo => self.go_through_history(|history, stage| _ = history.undo(stage)),
            Action::Redo => self.go_through_history(|history, stage| _ = history.redo(stage)),
            Action::CopyPose => return copied_pose(&self.open.stage).map(|text| WindowRequest::Copy(text).into()),
            Action::PastePose => return Some(WindowRequest::Paste { is_mirrored: false }.into()),
            Action::PasteMirrored => return Some(WindowRequest::Paste { is_mirrored: true }.into()),
            Action::MirrorJoints => self.notices.replace_notice(self.open.mirror_joints(self.settings.posing.mirror)),
            Action::MirrorPose => self.notices.replace_notice(self.open.mirror_pose(self.settings.posing.mirror)),
            Action::ToggleSymmetry => {
                let posing = self.settings.posing;
                self.set_posing(PosingOptions { symmetry: !posing.symmetry, ..posing });
            }
            Action::ResetRotation => self.open.reset(ResetScope::Joints, ResetComponents::Rotation),
            Action::ResetTranslation => self.open.reset(ResetScope::Joints, ResetComponents::Translation),
            Action::ResetScale => self.open.reset(ResetScope::Joints, ResetComponents::Scale),
            Action::ResetTranslationAndScale => {
                self.open.reset(ResetScope::Joints, ResetComponents::TranslationAndScale);
            }
            Action::ResetJoint => self.open.reset(ResetScope::Joints, ResetComponents::All),
            Action::ResetSubtree => self.open.reset(ResetScope::Subtrees, ResetComponents::All),
            Action::ResetAll => self.open.reset(ResetScope::Everything, ResetComponents::All),
            Action::ResetMorphs => self.open.reset_morphs(),
            Action::CopyMorphs => return Some(WindowRequest::Copy(copied_morphs(&self.open.stage)).into()),
            Action::ShowMorphs => self.panels.show(SidePanel::Morphs, &mut self.settings),
            Action::RestPose => {
                self.open.show_rest_pose();
                self.notices.show_notice(self.open.pin_notice());
            }
            Action::BindPose => {
                let told = self.open.show_bind_pose();
                self.notices.show_notice(told.or(self.open.pin_notice()));
            }
            Action::ClipPose => {
                self.open.show_clip_pose();
                self.notices.show_notice(self.open.pin_notice());
            }
            Action::UserPose => self.open.show_user_pose(),
            Action::ToggleExpressions => self.open.toggle_behaviour(|off| &mut off.expressions),
            Action::ToggleLookAt => self.open.toggle_behaviour(|off| &mut off.look_at),
            Action::ToggleConstraints => self.open.toggle_behaviour(|off| &mut off.constraints),
            Action::ToggleSprings => self.open.toggle_behaviour(|off| &mut off.springs),
            Action::SettleSprings => self.open.stage.springs.wake(),
            Action::ResetSprings => self.open.stage.springs.reset(),
            Action::ClearSelection => return self.leave(),
            Action::ToggleWeightEditing => self.toggle_weight_editing(),
            Action::SelectPieces => reselect(&mut self.open.stage, SelectStep::Pieces),
            Action::GrowVertices => reselect(&mut self.open.stage, SelectStep::Grow),
            Action::ShrinkVertices => reselect(&mut self.open.stage, SelectStep::Shrink),
            Action::InvertVertices => reselect(&mut self.open.stage, SelectStep::Invert),
            Action::ClearVertices => clear_vertices(&mut self.open.stage),
            Action::SelectFindingVertices => self.notices.show_notice(select_finding_vertices(&mut self.open.stage)),
            Action::RigidToJoint => self.edit_joint_weights(|joint, _| WeightEdit::Rigid(joint)),
            Action::AssignWeight => self.edit_joint_weights(WeightEdit::Assign),
            Action::AddWeight => self.edit_joint_weights(WeightEdit::Add),
            Action::SubtractWeight => self.edit_joint_weights(|joint, weight| WeightEdit::Add(joint, -weight)),
            Action::SmoothWeights => self.edit_weights(WeightEdit::Smooth),
            Action::CopyNearestWeights => self.edit_weights(WeightEdit::CopyFromNearest),
            Action::MirrorWeights => self.edit_weights(WeightEdit::Mirror),
            Action::LockWeights => self
                .open
                .stage
                .view
                .active_joint()
                .into_iter()
                .for_each(|joint| toggle_locked(&mut self.open.stage, joint)),
            Action::SelectParent => {
                self.open.stage.view.select_relative(&self.open.stage.document.rig.hierarchy, Hierarchy::parent)
            }
            Action::SelectChild => {
                self.open.stage.view.select_relative(&self.open.stage.document.rig.hierarchy, |hierarchy, node| {
                    hierarchy.children(node).first().copied()
                });
            }
            Action::ToggleIsolated => self.open.stage.view.toggle_isolated(&self.open.stage.document.rig.hierarchy),
            Action::SmoothAutomatic => self.settings.smoothing = Smoothing::Automatic,
            Action::SmoothOff => self.settings.smoothing = Smoothing::Off,
            Action::SmoothFour => self.settings.smoothing = Smoothing::Four,
            Action::SmoothEight => self.settings.smoothing = Smoothing::Eight,
            Action::ToggleBonesInImages => self.settings.bones_in_images ^= true,
            Action::ImageSizeViewport => self.settings.image_size = ImageSize::Viewport,
            Action::ImageSizeDouble => self.settings.image_size = ImageSize::Double,
            Action::ImageSizeFourK => self.settings.image_size = ImageSize::FourK,
            Action::ToggleTransparentImages => self.settings.transparent_images ^= true,
            Action::ToggleCaptionedImages => self.settings.captioned_images ^= true,
            Action::ToggleFrameTimes => self.settings.frame_times ^= true,
            Action::FilterJoints => {
                self.panels.show(SidePanel::Tree, &mut self.settings);
                return Some(WindowRequest::FilterJoints.into());
            }
            Action::ToggleAllNodes => self.settings.all_nodes ^= true,
            Action::SelectSubtree => {
                let nodes = self.open.stage.view.selected_with_descendants(self.open.stage.rig());
                self.open.stage.view.select(nodes, &self.open.stage.document.rig.hierarchy);
            }
            Action::NextMethod => self.next_method(),
            Action::NextLayout => self.open.choose_layout(self.open.stage.view.compare.layout.next()),
            Action::LayoutSingle => self.open.choose_layout(Layout::Single),
            Action::LayoutWipe => self.open.choose_layout(Layout::Wipe),
            Action::LayoutSideBySide => self.open.choose_layout(Layout::SideBySide),
            Action::LayoutGhost => self.open.choose_layout(Layout::Ghost),
            Action::SwapSides => self.swap_sides(),
            Action::Blink => self.open.stage.view.compare.is_blinking ^= true,
            Action::ToolRotate => self.settings.posing.tool = Tool::Rotate,
            Action::ToolMove => self.settings.posing.tool = Tool::Move,
            Action::ToolScale => self.settings.posing.tool = Tool::Scale,
            Action::GizmoSmall => self.settings.gizmo_size = GizmoSize::Small,
            Action::GizmoMedium => self.settings.gizmo_size = GizmoSize::Medium,
            Action::GizmoLarge => self.settings.gizmo_size = GizmoSize::Large,
            Action::ToggleIk => self.settings.posing.toggle_ik(),
            Action::TogglePin => self.open.cycle_pins(),
            Action::ApplyPins => self.open.apply_pins(),
            Action::NextOrientation => self.settings.next_orientation(),
            Action::FrameSelected => self.frame(Stage::frame_selected),
            Action::FrameAll => self.frame(Stage::frame_all),
            Action::ToggleFirstPerson => self.open.toggle_first_person(),
            Action::ToggleFollow => self
                .open
                .stage
                .camera_tie
                .toggle(self.open.stage.view.active_joint(), self.open.stage.characters.posed()),
            Action::ToggleFollowRoot => self.open.stage.toggle_follow_root(),
            Action::SaveView => self.notices.show_notice(self.open.keep_view()),
            Action::ViewFront => self.open.stage.view.camera.look_from(0.0, 0.0),
            Action::ViewRight => self.open.stage.view.camera.look_from(FRAC_PI_2, 0.0),
            Action::ViewTop => self.open.stage.view.camera.look_from(0.0, FRAC_PI_2),
            Action::ViewBack => self.open.stage.view.camera.look_from(PI, 0.0),
            Action::ViewLeft => self.open.stage.view.camera.look_from(-FRAC_PI_2, 0.0),
            Action::ViewBottom => self.open.stage.view.camera.look_from(0.0, -FRAC_PI_2),
            Action::ToggleOrthographic => self.open.stage.view.camera.is_orthographic ^= true,
            Action::FieldOfView20 => self.set_fov(FOVS[0]),
            Action::FieldOfView35 => self.set_fov(FOVS[1]),
            Action::FieldOfView50 => self.set_fov(FOVS[2]),
            Action::FieldOfView75 => self.set_fov(FOVS[3]),
            Action::ToggleFullScreen => return Some(WindowRequest::ToggleFullScreen.into()),
            Action::ToggleLeftPanel => self.panels.toggle(PanelEdge::Left, &mut self.settings),
            Action::ToggleRightPanel => self.panels.toggle(PanelEdge::Right, &mut self.settings),
            Action::ToggleBottomPanel => self.panels.toggle(PanelEdge::Bottom, &mut self.settings),
            Action::TogglePanels => self.panels.toggle_all(&mut self.settings),
            Action::ResetPanelLayout => {
                self.settings.layout = PanelLayout::default();
                self.settings.panels = PanelSizes::default();
                self.panels.show_all(&mut self.settings);
            }
            Action::ToggleTracks => self.toggle_tracks(),
            Action::ToggleBones => self.toggle(|d| &mut d.bones),
            Action::ToggleBonesInFront => self.toggle(|d| &mut d.bones_in_front),
            Action::BonesOctahedral => self.change_display(|d| d.bone_style = BoneStyle::Octahedral),
            Action::BonesStick => self.change_display(|d| d.bone_style = BoneStyle::Stick),
            Action::BonesLine => self.change_display(|d| d.bone_style = BoneStyle::Line),
            Action::NamesHovered => self.change_display(|d| d.names = VisibleNames::Hovered),
            Action::NamesSelected => self.change_display(|d| d.names = VisibleNames::Selected),
            Action::NamesAll => self.change_display(|d| d.names = VisibleNames::All),
            Action::ToggleAxes => self.toggle(|d| &mut d.axes),
            Action::ToggleTrails => self.toggle(|d| &mut d.trails),
            Action::ToggleRootPath => self.toggle(|d| &mut d.root_path),
            Action::ToggleSpringWires => self.toggle(|d| &mut d.springs),
            Action::ToggleEnvironmentBackground => self.toggle(|d| &mut d.light.backdrop),
            Action::ToggleGrid => self.toggle(|d| &mut d.grid),
            Action::ToggleWireframe => self.toggle(|d| &mut d.wireframe),
            Action::ToggleClay => self.toggle_clay(),
            Action::TogglePlay => self.open.stage.playback.toggle(&self.open.stage.document.rig),
            Action::ToggleLoop => self.open.stage.playback.toggle_repeat(Repeat::Loop),
            Action::ToggleHoldRoot => self.open.stage.playback.holds_root ^= true,
            Action::TogglePingPong => self.open.stage.playback.toggle_repeat(Repeat::PingPong),
            Action::StepBack => {
                self.open.stage.playback.seek_frame(&self.open.stage.document.rig, FrameRate::previous);
            }
            Action::StepForward => {
                self.open.stage.playback.seek_frame(&self.open.stage.document.rig, FrameRate::next);
            }
            Action::PlayFromHere => self.open.stage.playback.play_from_here(&self.open.stage.document.rig),
            Action::PlayToHere => self.open.stage.playback.play_to_here(&self.open.stage.document.rig),
            Action::PlayAll => self.open.stage.playback.set_range(None, &self.open.stage.document.rig),
            Action::PreviousKey => {
                self.open.stage.playback.seek_key(&self.open.stage.document.rig, Clip::key_before);
            }
            Action::RankClips => self.open.stage.clip_ranking.request(ClipRankingPlan::current(&self.open.stage)),
            Action::NextKey => self.open.stage.playback.seek_key(&self.open.stage.document.rig, Clip::key_after),
        }
        None
    }
}

impl AppState {
    fn weight_obstacle(&self) -> Option<&'static str> {
        let open = &self.open;
        if let Some(obstacle) = vertex_obstacle(&open.stage) {
            return Some(obstacle);
        }
        if open.stage.weight_edit.is_awaited(&open.stage) {
            return Some("Weights are being edited");
        }
        match WeightChoice::state(&open.stage, Side::A) {
            _ if open.stage.editing.is_selecting() => Some("Computing the selection"),
            _ if open.stage.editing.selected().is_empty() => Some("No vertices are selected"),
            ChoiceState::Awaited => Some("Computing weights for side A"),
            ChoiceState::Missing(_) => Some("The weights of side A cannot be computed"),
            ChoiceState::Own | ChoiceState::Shown(_) => None,
        }
    }

    /// Returns why the active joint cannot be given weight, in a few words. Includes the reasons of
    /// [`Self::weight_obstacle`].
    fn joint_weight_obstacle(&self) -> Option<&'static str> {
        self.weight_obstacle().or_else(|| joint_obstacle(&self.open.stage)).or_else(|| {
            let is_locked = self
                .open
                .stage
                .view
                .active_joint()
                .is_some_and(|joint| self.open.stage.editing.locked.contains(&joint));
            is_locked.then_some("The selected joint is locked")
        })
    }

    fn edit_weights(&mut self, operation: WeightEdit) {
        if self.weight_obstacle().is_none() {
            self.open.stage.weight_edit.request(WeightEditPlan::new(&self.open.stage, operation));
        }
    }

    fn edit_joint_weights(&mut self, of: impl FnOnce(NodeIndex, f32) -> WeightEdit) {
        let joint = self.open.stage.view.active_joint().filter(|_| self.joint_weight_obstacle().is_none());
        if let Some(joint) = joint {
            self.edit_weights(of(joint, self.open.stage.editing.amount));
        }
    }
}

/// Returns why the rig on side B can't be exported.
fn export_obstacle(stage: &Stage) -> Option<&'static str> {
    match (stage.other_on(Side::B), stage.refit_on(Side::B)) {
        (None, _) => Some("Side B shows no other character"),
        (_, Some(refit)) if !refit.is_proven() => Some("The changed skeleton deforms differently"),
        (Some(other), _) => other.points.as_ref().map(|_| "Points have no skeleton"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::stage::BuiltIn;
    use crate::state::ACTIONS;

    #[test]
    fn every_action_has_its_row() {
        for spec in ACTIONS {
            assert_eq!(spec.action.spec().id, format!("{:?}", spec.action));
        }
    }

    #[test]
    fn disabled_controls_explain_why() {
        let mut state = AppState::with_built_in(BuiltIn::Tube);
        state.apply(crate::state::Command::Select(None));
        let reasons = [
            (Action::Undo, Some("Nothing to undo")),
            (Action::CopyPose, Some("No joint is selected")),
            (Action::SavePose, Some("Pose a joint first")),
            (Action::ShowMorphs, Some("This file has no morph targets")),
            (Action::ResetMorphs, Some("No morph target or expression has a user weight")),
            (Action::UserPose, Some("The user pose is already shown")),
            (Action::BindPose, None),
            (Action::FrameAll, None),
        ];
        for (action, reason) in reasons {
            assert_eq!(state.obstacle(action), reason, "{action:?}");
            assert_eq!(state.can(action), reason.is_none(), "{action:?}");
        }
        let has_clips = !state.open.stage.rig().clips.is_empty();
        assert_eq!(state.obstacle(Action::ClipPose), (!has_clips).then_some("This file has no clips"));
    }
}
