use std::f32::consts::{FRAC_PI_2, PI};

use super::action::Need;
use super::{
    Action, AfterLoad, AppState, DiskJob, ExportKind, ImageSize, PanelEdge, PanelLayout, PanelSizes, PathUse,
    PoseNaming, PosingOptions, Request, SidePanel, Smoothing, WindowRequest, active_modes,
};
use crate::gizmo::{GizmoSize, Tool};
use crate::matching::Scheme;
use crate::refit::{Operation, Renaming, RestPose};
use crate::rig::{Clip, FrameRate, Hierarchy};
use crate::stage::{
    BendTestPlan, ClipRankingPlan, CurrentRequest, DiagnosisPlan, PointsSummary, Repeat, SelectStep, Stage,
};
use crate::state::compare::methods::{next_method, swap_sides};
use crate::state::document::borrowed_clips::{
    clip_correction, correct_clips, correction_obstacle, remove_clip_correction,
};
use crate::state::document::reload::reload_request;
use crate::state::edit::clipboard::copied_pose;
use crate::state::edit::morphs::{copied_morphs, reset_morphs};
use crate::state::edit::pins::{apply_pins, cycle_pins};
use crate::state::edit::reset::{ResetComponents, ResetScope, reset};
use crate::state::edit::saved_views::save_view;
use crate::state::edit::weights::{
    edit_joint_weights, edit_weights, joint_obstacle, joint_weight_obstacle, toggle_locked, weight_obstacle,
};
use crate::state::inspect::probe::toggle_probes;
use crate::state::inspect::vertices::{
    clear_vertices, has_finding_vertices, reselect, select_finding_vertices, toggle_weight_editing, vertex_obstacle,
};
use crate::state::skeleton::{INFLUENCES, METRES, Y_UP, free_name, pose_as_rest, rename, twist_joints};
use crate::view::{BoneStyle, FOVS, Layout, ShownFile, Side, View, VisibleNames};
use crate::weights::WeightEdit;

impl AppState {
    /// Returns why an action is unavailable, in a few words.
    pub fn obstacle(&self, action: Action) -> Option<&'static str> {
        let stage = &self.open.stage;
        let unless = |is_there: bool, obstacle| (!is_there).then_some(obstacle);
        match action.spec().need {
            Need::StepToUndo => unless(self.open.history.undo_label().is_some(), "Nothing to undo"),
            Need::StepToRedo => unless(self.open.history.redo_label().is_some(), "Nothing to redo"),
            Need::Pin => unless(!stage.document.pins.is_empty(), "No joint is pinned"),
            Need::SelectedJoint => unless(stage.view.active_joint().is_some(), "No joint is selected"),
            Need::JointToIsolate => {
                unless(stage.view.active_joint().is_some() || stage.view.isolated.is_some(), "No joint is selected")
            }
            Need::JointToFollow => unless(
                stage.view.active_joint().is_some() || stage.camera_tie.joint().is_some(),
                "No joint is selected",
            ),
            Need::CorrectingPose => correction_obstacle(stage),
            Need::CorrectedClip => unless(
                clip_correction(stage).is_some_and(|(_, correction)| !correction.is_empty()),
                "The clip has no correction",
            ),
            Need::Selection => unless(stage.has_selection() || !active_modes(stage).is_empty(), "Nothing is selected"),
            Need::Vertices => vertex_obstacle(stage),
            Need::SelectedVertices => vertex_obstacle(stage)
                .or_else(|| unless(!stage.editing.selected().is_empty(), "No vertices are selected")),
            Need::FindingVertices => vertex_obstacle(stage)
                .or_else(|| unless(has_finding_vertices(stage), "No finding or weight problem is selected")),
            Need::Weights => weight_obstacle(stage),
            Need::JointAndWeights => joint_weight_obstacle(stage),
            Need::SkinJoint => joint_obstacle(stage),
            Need::PosedJoint => unless(stage.pose().is_any_posed(), "Pose a joint first"),
            Need::MorphTarget => {
                unless(stage.rig().has_face() || !stage.rig().morphs().is_empty(), "This file has no morph targets")
            }
            Need::MovedMorphTarget => unless(
                stage.pose().morph_weights().next().is_some() || !stage.pose().face().is_empty(),
                "No morph target or expression has a user weight",
            ),
            Need::OtherUserPose => {
                unless(!self.open.user_pose.get(stage).has_edits_of(stage.pose()), "The user pose is already shown")
            }
            Need::SkinAndClip if stage.rig().clips.is_empty() => Some("This file has no clips"),
            Need::Skin | Need::SkinAndClip => unless(!stage.rig().skins.is_empty(), "This file has no skin"),
            Need::Mesh | Need::MeshOfB if stage.rig().instances.is_empty() => Some("This file has no mesh"),
            Need::Springs | Need::SwingingSprings if stage.rig().behaviours().springs().is_empty() => {
                Some("This file has no springs")
            }
            Need::SwingingSprings if stage.document.switched_off.springs => Some("Springs are switched off"),
            Need::Nothing | Need::Mesh | Need::Springs | Need::SwingingSprings => None,
            Need::MeshOfB => unless(stage.view.compare.layout != Layout::Single, "Side B is not shown"),
            Need::OtherWeights if stage.other_on(Side::A).is_some() => Some("Side A shows another file"),
            Need::OtherWeights => unless(stage.weighted(Side::A).is_some(), "Side A shows the file's weights"),
            Need::OtherRigOnB => export_obstacle(stage),
            Need::AnotherFile => unless(stage.view.shows_other(), "Both sides show the open file"),
            Need::PointsShown => {
                unless(PointsSummary::shown(stage).is_some(), "No side shows points of another program")
            }
            Need::PreviousVersion if !self.settings.keeps_version_before && stage.before.is_none() => {
                Some("Switch on Keep previous version on reload first")
            }
            Need::PreviousVersion => unless(stage.before.is_some(), "The file was not reloaded yet"),
            Need::Clip => unless(!stage.rig().clips.is_empty(), "This file has no clips"),
            Need::ChosenClip => unless(stage.playback.clip.is_some(), "Choose a clip first"),
            Need::PlayedPart => unless(stage.playback.range().is_some(), "The whole clip plays already"),
            Need::SeveralFiles => unless(!self.files.is_empty() || self.tour.is_some(), "Only one file is open"),
            Need::Expressions => unless(!stage.rig().expressions.is_empty(), "This file has no expressions"),
            Need::FirstPerson => unless(stage.rig().has_first_person(), "This file has no first-person settings"),
            Need::LookAt => unless(stage.rig().look_at.is_some(), "This file has no look-at settings"),
            Need::Constraints => {
                unless(!stage.rig().behaviours().constraints().is_empty(), "This file has no constraints")
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
        let (stage, history) = (&mut self.open.stage, &mut self.open.history);
        match action {
            Action::Open => return Some(self.ask_for_path(PathUse::OpenRig)),
            Action::CompareWith => return Some(self.ask_for_path(PathUse::CompareWith)),
            Action::CompareWithPoints => return Some(self.ask_for_path(PathUse::CompareWithPoints)),
            Action::DiagnosePoints => {
                self.panels.show(SidePanel::Compare, &mut self.settings);
                stage.diagnosis.request(DiagnosisPlan::current(stage));
            }
            Action::TransferWeights => return Some(self.ask_for_path(PathUse::TransferWeights(Side::A))),
            Action::StopComparing => history.as_step(stage, |stage| {
                stage.view.sides.iter_mut().for_each(|side| side.file = ShownFile::Open);
            }),
            Action::ComparePrevious => history.as_step(stage, Stage::show_previous),
            Action::ToggleKeepVersionBefore => self.settings.keeps_version_before ^= true,
            Action::CorrectClips => correct_clips(history, stage),
            Action::RemoveClipCorrection => remove_clip_correction(history, stage),
            Action::UseClips => return Some(self.ask_for_path(PathUse::UseClips)),
            Action::Reload => return Some(reload_request(stage, stage.document.scene, true)),
            Action::NextFile if self.tour.is_some() => return self.go_to_tour_step(self.tour.as_ref()?.step + 1),
            Action::PreviousFile if self.tour.is_some() => {
                return self.go_to_tour_step(self.tour.as_ref()?.step.checked_sub(1)?);
            }
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
            Action::PoseAsRest => self.change_skeleton(&pose_as_rest(&self.open.stage)),
            Action::BindAsRest => self.change_skeleton(&Operation::PoseAsRest(RestPose::Bind)),
            Action::ResetBinds => self.change_skeleton(&Operation::ResetBinds),
            Action::FreezeScale => self.change_skeleton(&Operation::FreezeScale),
            Action::FreezeRoot => self.change_skeleton(&Operation::FreezeRoot),
            Action::TurnUpright => self.change_skeleton(&Operation::Up(Y_UP)),
            Action::ConvertToMetres => self.change_skeleton(&Operation::ToUnit(METRES)),
            Action::DropUnusedJoints => self.change_skeleton(&Operation::DropUnused { keep: Vec::new() }),
            Action::MergeSkins => self.change_skeleton(&Operation::MergeSkins),
            Action::AddRoot => self.change_skeleton(&Operation::AddRoot(free_name(self.open.stage.rig(), "Root"))),
            Action::AddTwistJoints => self.change_skeleton(&twist_joints(&self.open.stage)?),
            Action::LimitInfluences => self.change_skeleton(&Operation::LimitInfluences(INFLUENCES)),
            Action::RenameToVrm => self.change_skeleton(&rename(Scheme::Vrm)),
            Action::RenameToMixamo => self.change_skeleton(&rename(Scheme::Mixamo)),
            Action::RenameToUnreal => self.change_skeleton(&rename(Scheme::Unreal)),
            Action::RenameToUnity => self.change_skeleton(&rename(Scheme::Unity)),
            Action::RenameToGodot => self.change_skeleton(&rename(Scheme::Godot)),
            Action::RenameToRigify => self.change_skeleton(&rename(Scheme::Rigify)),
            Action::RenameToArkit => self.change_skeleton(&Operation::Rename(Renaming::Arkit)),
            Action::ExportRig => return Some(self.ask_for_path(PathUse::Export(ExportKind::Rig))),
            Action::ExportWeights => return Some(self.ask_for_path(PathUse::Export(ExportKind::Weights))),
            Action::CopyImage => return Some(WindowRequest::CopyImage.into()),
            Action::SaveImage => return Some(self.ask_for_path(PathUse::SaveImage)),
            Action::SaveVideo => {
                self.video.open(stage, &self.settings);
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
            Action::ToggleProbe => {
                if toggle_probes(stage) {
                    self.panels.show(SidePanel::Skin, &mut self.settings);
                }
            }
            Action::ClearProbes => stage.probes.places.clear(),
            Action::ToggleTwistTest => self.open.twist.toggle(stage),
            Action::TestTwist => self.open.twist.request(stage),
            Action::RankJoints => self.open.twist.rank_joints(stage),
            Action::TestBend => {
                stage.bend_test.request(BendTestPlan::current(stage));
                self.panels.show(SidePanel::Compare, &mut self.settings);
            }
            Action::StartTour => return self.go_to_tour_step(0),
            Action::LeaveTour => self.leave_tour(),
            Action::ShowLint => self.panels.toggle_lint(&mut self.settings),
            Action::Undo => self.travel(|history, stage| _ = history.undo(stage)),
            Action::Redo => self.travel(|history, stage| _ = history.redo(stage)),
            Action::CopyPose => return copied_pose(stage).map(|text| WindowRequest::Copy(text).into()),
            Action::PastePose => return Some(WindowRequest::Paste { is_mirrored: false }.into()),
            Action::PasteMirrored => return Some(WindowRequest::Paste { is_mirrored: true }.into()),
            Action::MirrorJoints => self.notices.replace_notice(self.open.joints(self.settings.posing).mirror_joints()),
            Action::MirrorPose => self.notices.replace_notice(self.open.joints(self.settings.posing).mirror_pose()),
            Action::ToggleSymmetry => {
                let posing = self.settings.posing;
                self.set_posing(PosingOptions { symmetry: !posing.symmetry, ..posing });
            }
            Action::ResetRotation => reset(history, stage, ResetScope::Joints, ResetComponents::Rotation),
            Action::ResetTranslation => reset(history, stage, ResetScope::Joints, ResetComponents::Translation),
            Action::ResetScale => reset(history, stage, ResetScope::Joints, ResetComponents::Scale),
            Action::ResetTranslationAndScale => {
                reset(history, stage, ResetScope::Joints, ResetComponents::TranslationAndScale);
            }
            Action::ResetJoint => reset(history, stage, ResetScope::Joints, ResetComponents::All),
            Action::ResetSubtree => reset(history, stage, ResetScope::Subtrees, ResetComponents::All),
            Action::ResetAll => reset(history, stage, ResetScope::Everything, ResetComponents::All),
            Action::ResetMorphs => reset_morphs(history, stage),
            Action::CopyMorphs => return Some(WindowRequest::Copy(copied_morphs(stage)).into()),
            Action::ShowMorphs => self.panels.show(SidePanel::Morphs, &mut self.settings),
            Action::RestPose => self.notices.show_notice(self.open.user_pose.show_rest(history, stage)),
            Action::BindPose => self.notices.show_notice(self.open.user_pose.show_bind(history, stage)),
            Action::ClipPose => self.notices.show_notice(self.open.user_pose.show_clip(history, stage)),
            Action::UserPose => history.replace_pose(stage, self.open.user_pose.get(stage).clone(), "User pose"),
            Action::ToggleExpressions => history.toggle_behaviour(stage, |off| &mut off.expressions),
            Action::ToggleLookAt => history.toggle_behaviour(stage, |off| &mut off.look_at),
            Action::ToggleConstraints => history.toggle_behaviour(stage, |off| &mut off.constraints),
            Action::ToggleSprings => history.toggle_behaviour(stage, |off| &mut off.springs),
            Action::SettleSprings => stage.springs.wake(),
            Action::ResetSprings => stage.springs.reset(),
            Action::ClearSelection => return self.leave(),
            Action::ToggleWeightEditing => {
                if toggle_weight_editing(stage) {
                    self.panels.show(SidePanel::Skin, &mut self.settings);
                }
            }
            Action::SelectPieces => reselect(stage, SelectStep::Pieces),
            Action::GrowVertices => reselect(stage, SelectStep::Grow),
            Action::ShrinkVertices => reselect(stage, SelectStep::Shrink),
            Action::InvertVertices => reselect(stage, SelectStep::Invert),
            Action::ClearVertices => clear_vertices(stage),
            Action::SelectFindingVertices => self.notices.show_notice(select_finding_vertices(stage)),
            Action::RigidToJoint => edit_joint_weights(stage, |joint, _| WeightEdit::Rigid(joint)),
            Action::AssignWeight => edit_joint_weights(stage, WeightEdit::Assign),
            Action::AddWeight => edit_joint_weights(stage, WeightEdit::Add),
            Action::SubtractWeight => edit_joint_weights(stage, |joint, weight| WeightEdit::Add(joint, -weight)),
            Action::SmoothWeights => edit_weights(stage, WeightEdit::Smooth),
            Action::CopyNearestWeights => edit_weights(stage, WeightEdit::CopyFromNearest),
            Action::MirrorWeights => edit_weights(stage, WeightEdit::Mirror),
            Action::LockWeights => stage.view.active_joint().into_iter().for_each(|joint| toggle_locked(stage, joint)),
            Action::SelectParent => stage.view.select_relative(&stage.document.rig.hierarchy, Hierarchy::parent),
            Action::SelectChild => {
                stage.view.select_relative(&stage.document.rig.hierarchy, |hierarchy, node| {
                    hierarchy.children(node).first().copied()
                });
            }
            Action::ToggleIsolated => stage.view.toggle_isolated(&stage.document.rig.hierarchy),
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
                let nodes = stage.view.selected_with_descendants(stage.rig());
                stage.view.select(nodes, &stage.document.rig.hierarchy);
            }
            Action::NextMethod => self.choosing_method(next_method),
            Action::NextLayout => history.as_step(stage, |stage| stage.set_layout(stage.view.compare.layout.next())),
            Action::LayoutSingle => history.as_step(stage, |stage| stage.set_layout(Layout::Single)),
            Action::LayoutWipe => history.as_step(stage, |stage| stage.set_layout(Layout::Wipe)),
            Action::LayoutSideBySide => history.as_step(stage, |stage| stage.set_layout(Layout::SideBySide)),
            Action::LayoutGhost => history.as_step(stage, |stage| stage.set_layout(Layout::Ghost)),
            Action::SwapSides => self.choosing_method(swap_sides),
            Action::Blink => stage.view.compare.is_blinking ^= true,
            Action::ToolRotate => self.settings.posing.tool = Tool::Rotate,
            Action::ToolMove => self.settings.posing.tool = Tool::Move,
            Action::ToolScale => self.settings.posing.tool = Tool::Scale,
            Action::GizmoSmall => self.settings.gizmo_size = GizmoSize::Small,
            Action::GizmoMedium => self.settings.gizmo_size = GizmoSize::Medium,
            Action::GizmoLarge => self.settings.gizmo_size = GizmoSize::Large,
            Action::ToggleIk => self.settings.posing.toggle_ik(),
            Action::TogglePin => cycle_pins(history, stage),
            Action::ApplyPins => apply_pins(history, stage),
            Action::NextOrientation => self.settings.next_orientation(),
            Action::FrameSelected => self.frame(Stage::frame_selected),
            Action::FrameAll => self.frame(Stage::frame_all),
            Action::ToggleFirstPerson => history.toggle_first_person(stage),
            Action::ToggleFollow => stage.camera_tie.toggle(stage.view.active_joint(), stage.characters.posed()),
            Action::ToggleFollowRoot => stage.toggle_follow_root(),
            Action::SaveView => self.notices.show_notice(save_view(history, stage)),
            Action::ViewFront => stage.view.camera.look_from(0.0, 0.0),
            Action::ViewRight => stage.view.camera.look_from(FRAC_PI_2, 0.0),
            Action::ViewTop => stage.view.camera.look_from(0.0, FRAC_PI_2),
            Action::ViewBack => stage.view.camera.look_from(PI, 0.0),
            Action::ViewLeft => stage.view.camera.look_from(-FRAC_PI_2, 0.0),
            Action::ViewBottom => stage.view.camera.look_from(0.0, -FRAC_PI_2),
            Action::ToggleOrthographic => stage.view.camera.is_orthographic ^= true,
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
            Action::ToggleBones => self.change_view(|view| view.display.bones ^= true),
            Action::ToggleBonesInFront => self.change_view(|view| view.display.bones_in_front ^= true),
            Action::BonesOctahedral => self.change_view(|view| view.display.bone_style = BoneStyle::Octahedral),
            Action::BonesStick => self.change_view(|view| view.display.bone_style = BoneStyle::Stick),
            Action::BonesLine => self.change_view(|view| view.display.bone_style = BoneStyle::Line),
            Action::NamesHovered => self.change_view(|view| view.display.names = VisibleNames::Hovered),
            Action::NamesSelected => self.change_view(|view| view.display.names = VisibleNames::Selected),
            Action::NamesAll => self.change_view(|view| view.display.names = VisibleNames::All),
            Action::ToggleAxes => self.change_view(|view| view.display.axes ^= true),
            Action::ToggleTrails => self.change_view(|view| view.display.trails ^= true),
            Action::ToggleRootPath => self.change_view(|view| view.display.root_path ^= true),
            Action::ToggleSpringWires => self.change_view(|view| view.display.springs ^= true),
            Action::ToggleEnvironmentBackground => self.change_view(|view| view.display.light.backdrop ^= true),
            Action::ToggleGrid => self.change_view(|view| view.display.grid ^= true),
            Action::ToggleWireframe => self.change_view(|view| view.display.wireframe ^= true),
            Action::ToggleClay => self.change_view(View::toggle_clay),
            Action::TogglePlay => stage.playback.toggle(&stage.document.rig),
            Action::ToggleLoop => stage.playback.toggle_repeat(Repeat::Loop),
            Action::ToggleHoldRoot => stage.playback.holds_root ^= true,
            Action::TogglePingPong => stage.playback.toggle_repeat(Repeat::PingPong),
            Action::StepBack => stage.playback.seek_frame(&stage.document.rig, FrameRate::previous),
            Action::StepForward => stage.playback.seek_frame(&stage.document.rig, FrameRate::next),
            Action::PlayFromHere => stage.playback.play_from_here(&stage.document.rig),
            Action::PlayToHere => stage.playback.play_to_here(&stage.document.rig),
            Action::PlayAll => stage.playback.set_range(None, &stage.document.rig),
            Action::PreviousKey => stage.playback.seek_key(&stage.document.rig, Clip::key_before),
            Action::RankClips => stage.clip_ranking.request(ClipRankingPlan::current(stage)),
            Action::NextKey => stage.playback.seek_key(&stage.document.rig, Clip::key_after),
        }
        None
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
