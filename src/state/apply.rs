use std::path::{Path, PathBuf};

use super::dialogs::question::PendingAction;
use super::{
    Action, AfterLoad, AppState, Choices, Command, ConfirmAnswer, ConfirmQuestion, DiskJob, ExportJob, ExportKind,
    FileContent, History, JobResult, Notice, NoticeTopic, PathCommand, PathUse, PosingOptions, Request, SaveJob,
    SavedFile, Settings, ShowMe, SidePanel, WindowRequest,
};
use crate::rig::{PosedJoint, SpringSettings};
use crate::stage::{
    BendTestPlan, ChangePlan, ClipRankingPlan, CurrentRequest, DerivedKind, DiagnosisPlan, Document, Preview,
    RigChoice, Source, Stage, VideoPlan, simulate,
};
use crate::state::compare::methods::{choose_method, choose_skinning};
use crate::state::compare::weights::repair_weights;
use crate::state::document::borrowed_clips::use_clips;
use crate::state::document::reload::reload_request;
use crate::state::edit::morphs::{edit_expressions, edit_morphs};
use crate::state::edit::weights::toggle_locked;
use crate::state::inspect::bend_test::show_bend_pose;
use crate::state::inspect::probe::{pointed_value, probe_at, remove_probe};
use crate::state::inspect::skin_pick::{menu_joint, pick_skin};
use crate::state::inspect::twist::cancel_test;
use crate::state::inspect::vertices::{box_vertices, clear_vertices, click_vertex};
use crate::state::inspect::weight_problems::show_weight_problem;
use crate::view::{Environment, EnvironmentFile, PerSide, SelectedProblem, Shading, ShownFile, View};
use crate::weights::WeightChoice;

impl AppState {
    /// Performs a command, or asks the user first if it would lose unsaved work. May return a request to the program.
    pub fn apply(&mut self, command: Command) -> Option<Request> {
        if command.ends_tour() {
            self.leave_tour();
        }
        if command.needs_question(&self.open, !self.files.is_empty()) {
            self.ask(PendingAction::Command(command));
            return None;
        }
        let request = self.carry_out(command);
        if !self.panels.is_shown(SidePanel::Changes, &self.settings) {
            self.open.stage.show_change(None);
        }
        request
    }

    #[expect(clippy::too_many_lines, reason = "one line for each: a table of what it does")]
    pub(super) fn carry_out(&mut self, command: Command) -> Option<Request> {
        let (stage, history) = (&mut self.open.stage, &mut self.open.history);
        match command {
            Command::Do(action) => return self.act(action),
            Command::Open(source) => return Some(self.files.open(source, AfterLoad::Show)),
            Command::Drop(source) => return Some(self.files.open(source, AfterLoad::Dropped)),
            Command::OpenAll(sources, then) => return self.files.open_all(sources, then),
            Command::Select(node) => stage.view.select(node, &stage.document.rig.hierarchy),
            Command::ToggleSelected(node) => {
                let nodes = stage.view.toggled(node);
                stage.view.select(nodes, &stage.document.rig.hierarchy);
            }
            Command::PickSkin { side, ray, adds } => {
                self.notices.show_notice(pick_skin(&mut self.open.skin[side], stage, side, &ray, adds));
            }
            Command::OpenMenu(target) => self.open.menu_joint = menu_joint(&mut self.open.skin, stage, target),
            Command::ProbeAt { side, ray, adds } => {
                if probe_at(stage, &mut self.open.skin[side], side, &ray, adds) {
                    self.panels.bring_to_front(SidePanel::Skin);
                }
            }
            Command::ClickVertex { side, ray, click } => click_vertex(stage, side, ray, click),
            Command::BoxVertices(drawn) => box_vertices(stage, *drawn),
            Command::SetWeightAmount(amount) => stage.editing.amount = amount.clamp(0.0, 1.0),
            Command::SetSelectThrough(is_through) => stage.editing.is_through = is_through,
            Command::ToggleLocked(joint) => toggle_locked(stage, joint),
            Command::RemoveProbe(index) => remove_probe(stage, index),
            Command::PointAt(pointer) => {
                self.open.pointed = pointer.and_then(|(side, ray)| pointed_value(stage, side, &ray));
            }
            Command::SelectAll(nodes) => stage.view.select(nodes, &stage.document.rig.hierarchy),
            Command::Request(kind, is_requested) => stage.requests.set(kind, is_requested),
            Command::CancelJob(id) => return Some(Request::CancelJob(id)),
            Command::SetTestMotion(motion) => self.open.twist.motion = motion,
            Command::SetRankRange(range) => self.open.twist.set_range(stage, range),
            Command::SetTestStart(start) => self.open.twist.start_tests_from(stage, start),
            Command::TurnHinge(hinge) => self.open.twist.turn_hinge(stage, hinge),
            Command::PoseByTest(angle) => {
                let turned = self.open.twist.turned_joint(stage, angle)?;
                let told = self.open.joints(self.settings.posing).set(turned);
                self.notices.show_notice_if_none(told);
            }
            Command::Simulate { is_clip } => simulate(stage, is_clip),
            Command::CancelTest(kind) => cancel_test(stage, kind),
            Command::ShowPlace(target) => stage.show_place(&target),
            Command::SelectFinding(index) => stage.select_problem(index.map(SelectedProblem::Finding)),
            Command::SetSidePanel(panel) => self.show_side_panel(panel),
            Command::DockTab(tab, edge) => {
                self.settings.layout.dock(tab, edge);
                self.show_side_panel(tab);
            }
            Command::ShowChange(index) => stage.show_change(index),
            Command::ShowWeightDifference(is_shown) => stage.previews.set(Preview::WeightDifference, is_shown),
            Command::Hover(node) => stage.view.hovered = node,
            Command::BeginEdit => history.begin_edit(stage),
            Command::Edit { node, user_local } => {
                let told = self.open.joints(self.settings.posing).set(PosedJoint { node, user_local });
                self.notices.show_notice_if_none(told);
            }
            Command::EditMany(edits) => {
                let told = self.open.joints(self.settings.posing).drag(edits);
                self.notices.show_notice_if_none(told);
            }
            Command::SetExpressions(edits) => edit_expressions(history, stage, &edits),
            Command::SetLookAt(target) => {
                history.as_step(stage, |stage| stage.edit_pose(|pose| pose.face_mut().set_look_at(target)));
            }
            Command::SetMorphs(edits) => edit_morphs(history, stage, edits, self.settings.posing.symmetry),
            Command::ChooseMorph(morph) => stage.view.choose_morph(morph, &stage.document.rig),
            Command::Pull { node, target } => {
                self.notices.show_notice_if_none(self.open.joints(self.settings.posing).pull(node, target));
            }
            Command::EndEdit => history.end_edit(stage),
            Command::CancelEdit => history.cancel_edit(stage),
            Command::SetPose { pose, label } => history.replace_pose(stage, pose, &label),
            Command::BlendPose(share) => self.open.user_pose.blend(history, stage, share),
            Command::GoToStep(done) => self.travel(|history, stage| history.go_to(done, stage)),
            Command::SetLimits { node, limits } => history.as_step(stage, |stage| {
                if node.index() < stage.rig().hierarchy.len() {
                    stage.document.limits.set(node, limits);
                    // Pinned joints stay within their limits.
                    stage.pose_changed();
                }
            }),
            Command::SetEulerOrder(order) => self.settings.euler_order = order,
            Command::Paste { text, is_mirrored } => {
                self.notices.replace_notice(self.open.joints(self.settings.posing).paste(&text, is_mirrored));
            }
            Command::SetPosing(posing) => self.set_posing(posing),
            Command::SetMethod(method) => self.choosing_method(|history, stage| choose_method(history, stage, method)),
            Command::SetSkinning(side, skinning) => {
                self.choosing_method(|history, stage| choose_skinning(history, stage, side, skinning));
            }
            Command::SetWeights(side, choice) => {
                history.as_step(stage, |stage| stage.view.sides[side].show_weights(choice));
            }
            Command::RepairWeights(repair) => repair_weights(history, stage, repair),
            Command::RecomputeWeights(side) => WeightChoice::renew(stage, side),
            Command::CancelWeights(side) => history.stop_waiting::<WeightChoice>(stage, side),
            Command::ReloadComparisonFile(side) => ShownFile::renew(stage, side),
            Command::CancelComparisonFile(side) => history.stop_waiting::<ShownFile>(stage, side),
            Command::ShowWeightProblem(problem) => show_weight_problem(history, stage, problem),
            Command::TestBend(is_wanted) => stage.bend_test.request(BendTestPlan::current(stage).filter(|_| is_wanted)),
            Command::ShowBendPose(index) => show_bend_pose(history, stage, index),
            Command::SetSideOptions(side, options) => {
                history.as_step(stage, |stage| stage.view.sides[side].options = options);
            }
            Command::SetOverlay(side, overlay) => history.as_step(stage, |stage| stage.choose_overlay(side, overlay)),
            Command::Shade(shading) => self.shade(shading),
            Command::SetRange(sides, range) => history.as_step(stage, |stage| stage.set_range(sides, range)),
            Command::SetLayout(layout) => history.as_step(stage, |stage| stage.set_layout(layout)),
            Command::SetWipe(wipe) => stage.view.compare.wipe = wipe,
            Command::SetGhost(ghost) => stage.view.compare.ghost = ghost,
            Command::SetCompareInClay(is_clay) => stage.view.compare.is_clay = is_clay,
            Command::Blink(is_on) => stage.view.compare.is_blinking = is_on,
            Command::SetOrientation(orientation) => self.settings.orientation = orientation,
            Command::SetDisplay(display) => self.change_view(|view| view.display = display),
            Command::SetEnvironment(environment) => self.set_environment(environment),
            Command::TurnLight(by) => self.change_view(|view| view.display.light = view.display.light.turned(by)),
            Command::Hide { hidden, label } => {
                history.as_step_called(stage, &label, |stage| stage.view.hidden = hidden);
            }
            Command::SetShortcuts(shortcuts) => self.settings.shortcuts = shortcuts,
            Command::SetNarrow(is_narrow) => self.panels.set_narrow(is_narrow, &self.settings),
            Command::SetPanelSizes(sizes) => self.settings.panels = sizes,
            Command::SetTrackDrawer(drawer) => self.settings.tracks = drawer,
            Command::RankClips(is_wanted) => {
                stage.clip_ranking.request(ClipRankingPlan::current(stage).filter(|_| is_wanted));
            }
            Command::CompareWith(file) => self.compare_with(file),
            Command::DiagnosePoints(is_wanted) => {
                stage.diagnosis.request(DiagnosisPlan::current(stage).filter(|_| is_wanted));
            }
            Command::SetTheme(theme) => {
                self.settings.theme = theme;
                return Some(WindowRequest::SetTheme(theme).into());
            }
            Command::SetScale(scale) => return Some(WindowRequest::SetScale(scale).into()),
            Command::SetFov(fov) => self.set_fov(fov),
            Command::LookThrough(camera) => {
                let Stage { camera_tie, view, document, characters, .. } = stage;
                let told = camera_tie.look_through(camera, view, &document.rig, characters.posed());
                self.notices.show_notice(told.map(Notice::warning));
            }
            Command::SavedView(command) => self.notices.show_notice(command.perform(history, stage)),
            Command::Orbit { yaw, pitch } => stage.view.camera.orbit(yaw, pitch),
            Command::Pan { delta, viewport_height } => stage.view.camera.pan(delta, viewport_height),
            Command::Zoom { factor, cursor, viewport } => stage.view.camera.zoom(factor, cursor, viewport),
            Command::SetClip(clip) => stage.set_clip(clip),
            Command::Seek(time_secs) => stage.playback.pause_at(time_secs, &stage.document.rig),
            Command::SetPlayedPart(range) => stage.playback.set_range(range, &stage.document.rig),
            Command::SetWind(wind) => {
                let drive = stage.springs.settings();
                stage.springs.set(SpringSettings { wind, ..drive });
            }
            Command::SetSpeed(speed) => stage.playback.speed = speed,
            Command::ShowMe(show_me) => return self.show_me(show_me),
            Command::GoToTourStep(step) => return self.go_to_tour_step(step),
            Command::AnswerTour(answer) => self.tour.iter_mut().for_each(|tour| tour.answer = Some(answer)),
            Command::Notify(notice) => self.notices.show_notice(notice),
            Command::RetryDraw => self.draw_fault = None,
            Command::DismissNotice => _ = self.notices.dismiss(),
            Command::SetAspect(aspect) => stage.aspect = aspect,
            Command::AskForPath(purpose) => return Some(self.ask_for_path(purpose)),
            Command::UsePath(purpose, path) => return purpose.apply(self, path),
            Command::Library(command) => {
                let outcome = self.open.library_command(command, self.settings.posing.mirror);
                return self.notices.ok_or_notify(outcome).flatten();
            }
            Command::SetImageSize(size) => self.settings.image_size = size,
            Command::PlanVideo(plan) => self.video.set(plan, &mut self.settings),
            Command::ChooseVideoPath => {
                let plan = self.video.plan.filter(VideoPlan::moves)?;
                let is_possible = self.video.obstacle(plan.format, &self.settings).is_none();
                return is_possible.then(|| self.ask_for_path(PathUse::SaveVideo(plan.format)));
            }
            Command::Path(command) => return self.path_command(command),
            Command::OpenSession(session) => return Some(Request::go_on_with(session)),
            Command::Answer(answer) => return self.answer(answer),
            Command::ClearRecent => self.settings.recent_files.clear(),
            Command::ShowScene(scene) => return Some(reload_request(stage, Some(scene), true)),
            Command::CancelLoad => return Some(Request::CancelLoad),
            Command::OpenGuide(place) => return Some(Request::OpenGuide(Some(place))),
        }
        None
    }

    fn show_me(&mut self, show_me: ShowMe) -> Option<Request> {
        let character = show_me.character();
        if show_me.opens_character(&self.open.stage) {
            self.open.discarded = Some(Choices::from_stage(&self.open.stage));
            return Some(Request::load(Source::BuiltIn(character), AfterLoad::ShowMe(show_me)));
        }
        self.notices.show_notice(self.open.show_demo(show_me));
        None
    }

    pub(super) fn compare_with(&mut self, file: ShownFile) {
        let panel = if file.is_other_rig() && file.skeleton_changes().is_empty() {
            SidePanel::Changes
        } else {
            SidePanel::Compare
        };
        self.open.history.as_step(&mut self.open.stage, |stage| stage.compare_with(file));
        self.show_side_panel(panel);
    }

    pub(super) fn show_side_panel(&mut self, panel: SidePanel) {
        self.panels.show(panel, &mut self.settings);
        if panel == SidePanel::Changes {
            self.open.stage.requests.set(DerivedKind::new::<ChangePlan>(), true);
        }
    }

    pub(super) fn set_posing(&mut self, posing: PosingOptions) {
        let before = std::mem::replace(&mut self.settings.posing, posing);
        self.notices.show_notice(self.open.symmetry.update_mirror_plane(&self.open.stage, before, posing));
    }
}

impl AppState {
    /// Leaves one thing on Esc: the vertex selection, a mode, the selection, and last the isolation of joints.
    pub(super) fn leave(&mut self) -> Option<Request> {
        let stage = &mut self.open.stage;
        let has_selection = stage.has_selection();
        if stage.editing.is_on && (stage.editing.is_selecting() || !stage.editing.selected().is_empty()) {
            clear_vertices(stage);
            return None;
        }
        let mode = active_modes(stage).first().copied();
        if let Some(mode) = mode.filter(|mode| *mode != Action::ToggleIsolated || !has_selection) {
            return self.act(mode);
        }
        self.open.stage.show_change(None);
        self.open.stage.view.select(None, &self.open.stage.document.rig.hierarchy);
        None
    }
}

/// Returns the actions that leave the modes which are on, in the order in which Esc leaves them.
pub fn active_modes(stage: &Stage) -> Vec<Action> {
    let all = [
        (stage.editing.is_on, Action::ToggleWeightEditing),
        (stage.probes.is_on, Action::ToggleProbe),
        (stage.view.compare.is_blinking, Action::Blink),
        (stage.view.isolated.is_some(), Action::ToggleIsolated),
    ];
    all.into_iter().filter_map(|(is_on, action)| is_on.then_some(action)).collect()
}

impl AppState {
    pub(super) fn ask_for_path(&self, purpose: PathUse) -> Request {
        self.paths.ask(purpose, &self.open, &self.settings.recent_files)
    }

    fn path_command(&mut self, command: PathCommand) -> Option<Request> {
        match command {
            PathCommand::Ask(question) => self.paths.ask_in_window(question),
            PathCommand::List(folder) => return Some(Request::Disk(DiskJob::ListFolder(folder))),
            PathCommand::Choose { path, replaces } => {
                return Some(Request::Disk(DiskJob::CheckPath { path, replaces }));
            }
            PathCommand::Answered(purpose, path) => {
                let command = self.paths.used(purpose, path);
                return self.apply(command);
            }
            PathCommand::Cancel => self.paths.prompt = None,
        }
        None
    }

    pub(super) fn write(&self, path: PathBuf, content: FileContent) -> Request {
        let (inputs, saved) = (self.inputs(), SavedFile::now(&self.open));
        Request::Disk(DiskJob::Write(Box::new(SaveJob { path, inputs, content, saved })))
    }

    pub(super) fn export(&mut self, exported: ExportKind, path: PathBuf) -> Option<Request> {
        let what = self.notices.ok_or_notify(exported.export(&self.open)).flatten()?;
        Some(Request::Export(ExportJob { what, path, inputs: self.inputs() }))
    }

    /// Returns all input files, which must not be overwritten. During the tour, includes those of the user's character.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let behind = self.tour.as_ref().map(|tour| &tour.behind.stage.document);
        let documents =
            [&self.open.stage.document].into_iter().chain(behind).flat_map(Document::inputs).map(Path::to_owned);
        documents.chain(self.open.stage.view.environment_file.wanted.clone()).collect()
    }
}

impl AppState {
    pub(super) fn ask(&mut self, then: PendingAction) {
        self.open.history.cancel_edit(&mut self.open.stage);
        self.question = Some(ConfirmQuestion { then });
    }

    fn answer(&mut self, answer: ConfirmAnswer) -> Option<Request> {
        let is_about = |is: fn(&ConfirmQuestion) -> bool| self.question.as_ref().is_some_and(is);
        let is_about_dropped = is_about(|question| question.dropped().is_some() || question.few_match().is_some());
        match answer {
            ConfirmAnswer::UseClips if is_about(|question| question.few_match().is_some()) => return self.go_on(),
            ConfirmAnswer::Open | ConfirmAnswer::UseClips | ConfirmAnswer::Compare => return self.use_dropped(answer),
            ConfirmAnswer::Save | ConfirmAnswer::Discard if is_about_dropped => {}
            ConfirmAnswer::Save if self.question.is_none() => {}
            ConfirmAnswer::Save if self.open.saved.is_session_edited(&self.open.stage) => {
                return Some(self.ask_for_path(PathUse::SaveSession));
            }
            ConfirmAnswer::Save => return Some(self.ask_for_path(PathUse::SavePose)),
            ConfirmAnswer::Cancel => self.question = None,
            ConfirmAnswer::Discard => {
                self.open.discarded = Some(Choices::from_stage(&self.open.stage));
                return self.go_on();
            }
        }
        None
    }

    fn use_dropped(&mut self, answer: ConfirmAnswer) -> Option<Request> {
        let Some(ConfirmQuestion { then: PendingAction::Dropped(document) }) =
            self.question.take_if(|q| q.dropped().is_some())
        else {
            return None;
        };
        match (answer, document.source.path()) {
            (ConfirmAnswer::UseClips, _) => Some(use_clips(&self.open.stage, &document.source)),
            (ConfirmAnswer::Compare, Some(path)) => {
                self.compare_with(ShownFile::file_at(path));
                None
            }
            _ => self.receive(JobResult::Document(document, AfterLoad::Show)),
        }
    }

    pub(super) fn go_on(&mut self) -> Option<Request> {
        match self.question.take()?.then {
            PendingAction::Command(command) => self.carry_out(command),
            PendingAction::Document(document, then) => self.loaded(*document, then),
            PendingAction::Dropped(document) => self.loaded(*document, AfterLoad::Show),
            PendingAction::FewMatch(document, _) => self.loaded(*document, AfterLoad::UseClips),
        }
    }
}

/// Changes that also set the user's defaults for files opened later, except during the tour.
impl AppState {
    /// Stores defaults, except during the tour.
    pub(super) fn remember(&mut self, change: impl FnOnce(&mut Settings, &View)) {
        if self.tour.is_none() {
            change(&mut self.settings, &self.open.stage.view);
        }
    }

    /// Runs `change` and shows its notice. If it changes side A's method, makes that method the user's default.
    pub(super) fn choosing_method(&mut self, change: impl FnOnce(&mut History, &mut Stage) -> Option<Notice>) {
        let before = self.open.stage.view.sides.a.skinning.method;
        self.notices.show_notice(change(&mut self.open.history, &mut self.open.stage));
        if self.open.stage.view.sides.a.skinning.method != before {
            self.remember(Settings::take_method);
        }
    }

    /// Undoes or redoes steps. A method that a demonstration or the file had set does not become the user's default.
    pub(super) fn travel(&mut self, go: impl FnOnce(&mut History, &mut Stage)) {
        let before = self.open.stage.view.sides.a.skinning.method;
        self.notices.show_notice(self.open.history.travel(&mut self.open.stage, go));
        let method = self.open.stage.view.sides.a.skinning.method;
        if method != before && self.open.demo_method.is_none() && self.open.stage.authored != Some(method) {
            self.remember(Settings::take_method);
        }
    }

    pub(super) fn set_fov(&mut self, fov: f32) {
        self.open.stage.view.camera.set_fov(fov);
        self.remember(|settings, view| settings.fov = view.camera.fov);
    }

    fn shade(&mut self, shading: Shading) {
        self.open.history.as_step(&mut self.open.stage, |stage| {
            stage.previews.clear();
            stage.view.previews = PerSide::default();
            stage.view.shade(shading);
        });
        self.remember(|settings, view| settings.display.shading = view.display.shading);
    }

    /// Changes the view without an undo step.
    pub(super) fn change_view(&mut self, change: impl FnOnce(&mut View)) {
        change(&mut self.open.stage.view);
        self.remember(|settings, view| settings.display = view.display);
    }

    fn set_environment(&mut self, environment: Environment) {
        self.notices.settle(NoticeTopic::Light);
        self.change_view(|view| {
            view.environment_file = EnvironmentFile::default();
            view.display.light.environment = environment;
        });
        self.remember(Settings::take_environment_file);
    }
}

#[cfg(test)]
mod tests;
