use std::path::{Path, PathBuf};

use super::dialogs::question::PendingAction;
use super::{
    Action, AfterLoad, AppState, Command, ConfirmAnswer, ConfirmQuestion, DiskJob, ExportJob, ExportKind, FileContent,
    FileList, History, JobResult, Notice, NoticeTopic, OpenDocument, PathCommand, PathUse, PosingOptions, Request,
    SaveJob, SavedFile, ShowMe, SidePanel, WindowRequest,
};
use crate::rig::{PosedJoint, SpringSettings};
use crate::skinning::{Method, Skinning};
use crate::stage::{
    BendTestPlan, ChangePlan, ClipRankingPlan, CurrentRequest, DerivedKind, DiagnosisPlan, Document, Preview,
    RigChoice, Source, Stage, VideoPlan, simulate,
};
use crate::state::document::borrowed_clips::use_clips;
use crate::state::document::reload::reload_request;
use crate::state::edit::weights::toggle_locked;
use crate::state::inspect::probe::{pointed_value, probe_at, remove_probe};
use crate::state::inspect::twist::cancel_test;
use crate::state::inspect::vertices::{box_vertices, clear_vertices, click_vertex, toggle_weight_editing};
use crate::view::{
    Display, Environment, EnvironmentFile, PerSide, Ray, SelectedProblem, Shading, ShadingMode, ShownFile, Side,
};
use crate::weights::WeightChoice;

impl AppState {
    /// Performs a command, or asks the user first if it would lose unsaved work. May return a request to the program.
    pub fn apply(&mut self, command: Command) -> Option<Request> {
        self.leave_tour_for(&command);
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
        match command {
            Command::Do(action) => return self.act(action),
            Command::Open(source) => return Some(self.open_file(source, AfterLoad::Show)),
            Command::Drop(source) => return Some(self.open_file(source, AfterLoad::Dropped)),
            Command::OpenAll(sources, then) => return self.open_all(sources, then),
            Command::Select(node) => self.open.stage.view.select(node, &self.open.stage.document.rig.hierarchy),
            Command::ToggleSelected(node) => {
                let nodes = self.open.stage.view.toggled(node);
                self.open.stage.view.select(nodes, &self.open.stage.document.rig.hierarchy);
            }
            Command::PickSkin { side, ray, adds } => self.notices.show_notice(self.open.pick_skin(side, &ray, adds)),
            Command::OpenMenu(target) => self.open.open_menu(target),
            Command::ProbeAt { side, ray, adds } => self.probe_at(side, &ray, adds),
            Command::ClickVertex { side, ray, click } => click_vertex(&mut self.open.stage, side, ray, click),
            Command::BoxVertices(drawn) => box_vertices(&mut self.open.stage, *drawn),
            Command::SetWeightAmount(amount) => self.open.stage.editing.amount = amount.clamp(0.0, 1.0),
            Command::SetSelectThrough(is_through) => self.open.stage.editing.is_through = is_through,
            Command::ToggleLocked(joint) => toggle_locked(&mut self.open.stage, joint),
            Command::RemoveProbe(index) => remove_probe(&mut self.open.stage, index),
            Command::PointAt(pointer) => {
                self.open.pointed = pointer.and_then(|(side, ray)| pointed_value(&self.open.stage, side, &ray));
            }
            Command::SelectAll(nodes) => self.open.stage.view.select(nodes, &self.open.stage.document.rig.hierarchy),
            Command::Request(kind, is_requested) => self.open.stage.requests.set(kind, is_requested),
            Command::CancelJob(id) => return Some(Request::CancelJob(id)),
            Command::SetTestMotion(motion) => self.open.twist.motion = motion,
            Command::SetRankRange(range) => self.open.twist.set_range(&mut self.open.stage, range),
            Command::SetTestStart(start) => self.open.twist.start_tests_from(&mut self.open.stage, start),
            Command::TurnHinge(hinge) => self.open.twist.turn_hinge(&mut self.open.stage, hinge),
            Command::PoseByTest(angle) => {
                let turned = self.open.twist.turned_joint(&self.open.stage, angle)?;
                let told = self.open.set_joint(turned, self.settings.posing);
                self.notices.show_notice_if_none(told);
            }
            Command::Simulate { is_clip } => simulate(&mut self.open.stage, is_clip),
            Command::CancelTest(kind) => cancel_test(&mut self.open.stage, kind),
            Command::ShowPlace(target) => self.open.stage.show_place(&target),
            Command::SelectFinding(index) => self.open.stage.select_problem(index.map(SelectedProblem::Finding)),
            Command::SetSidePanel(panel) => self.show_side_panel(panel),
            Command::DockTab(tab, edge) => {
                self.settings.layout.dock(tab, edge);
                self.show_side_panel(tab);
            }
            Command::ShowChange(index) => self.open.stage.show_change(index),
            Command::ShowWeightDifference(is_shown) => {
                self.open.stage.previews.set(Preview::WeightDifference, is_shown)
            }
            Command::Hover(node) => self.open.stage.view.hovered = node,
            Command::BeginEdit => self.open.begin_edit(),
            Command::Edit { node, user_local } => {
                let told = self.open.set_joint(PosedJoint { node, user_local }, self.settings.posing);
                self.notices.show_notice_if_none(told);
            }
            Command::EditMany(edits) => {
                let told = self.open.drag_joints(edits, self.settings.posing);
                self.notices.show_notice_if_none(told);
            }
            Command::SetExpressions(edits) => self.open.edit_expressions(&edits),
            Command::SetLookAt(target) => self.open.edit_look_at(target),
            Command::SetMorphs(edits) => self.open.edit_morphs(edits, self.settings.posing.symmetry),
            Command::ChooseMorph(morph) => self.open.stage.view.choose_morph(morph, &self.open.stage.document.rig),
            Command::Pull { node, target } => {
                self.notices.show_notice_if_none(self.open.pull(node, target, self.settings.posing));
            }
            Command::EndEdit => self.open.end_edit(),
            Command::CancelEdit => self.open.cancel_edit(),
            Command::SetPose { pose, label } => self.open.replace_pose(pose, &label),
            Command::BlendPose(share) => self.open.blend_pose(share),
            Command::GoToStep(done) => {
                self.go_through_history(|history, stage| history.go_to(done, stage));
            }
            Command::SetLimits { node, limits } => self.open.as_step(|open| {
                if node.index() < open.stage.rig().hierarchy.len() {
                    open.stage.document.limits.set(node, limits);
                    // Pinned joints stay within their limits.
                    open.stage.pose_changed();
                }
            }),
            Command::SetEulerOrder(order) => self.settings.euler_order = order,
            Command::Paste { text, is_mirrored } => {
                self.notices.replace_notice(self.open.paste(&text, is_mirrored, self.settings.posing.mirror));
            }
            Command::SetPosing(posing) => self.set_posing(posing),
            Command::SetMethod(method) => self.choose_method(method),
            Command::SetSkinning(side, skinning) => self.choose_skinning(side, skinning),
            Command::SetWeights(side, choice) => {
                self.open.as_step(|open| open.stage.view.sides[side].show_weights(choice))
            }
            Command::RepairWeights(repair) => self.open.repair_weights(repair),
            Command::RecomputeWeights(side) => WeightChoice::renew(&mut self.open.stage, side),
            Command::CancelWeights(side) => self.open.stop_waiting::<WeightChoice>(side),
            Command::ReloadComparisonFile(side) => ShownFile::renew(&mut self.open.stage, side),
            Command::CancelComparisonFile(side) => self.open.stop_waiting::<ShownFile>(side),
            Command::ShowWeightProblem(problem) => self.open.show_weight_problem(problem),
            Command::TestBend(is_wanted) => {
                self.open.stage.bend_test.request(BendTestPlan::current(&self.open.stage).filter(|_| is_wanted))
            }
            Command::ShowBendPose(index) => self.open.show_bend_pose(index),
            Command::SetSideOptions(side, options) => {
                self.open.as_step(|open| open.stage.view.sides[side].options = options)
            }
            Command::SetOverlay(side, overlay) => self.open.as_step(|open| open.stage.choose_overlay(side, overlay)),
            Command::Shade(shading) => self.shade(shading),
            Command::SetRange(sides, range) => self.open.as_step(|open| open.stage.set_range(sides, range)),
            Command::SetLayout(layout) => self.open.choose_layout(layout),
            Command::SetWipe(wipe) => self.open.stage.view.compare.wipe = wipe,
            Command::SetGhost(ghost) => self.open.stage.view.compare.ghost = ghost,
            Command::SetCompareInClay(is_clay) => self.open.stage.view.compare.is_clay = is_clay,
            Command::Blink(is_on) => self.open.stage.view.compare.is_blinking = is_on,
            Command::SetOrientation(orientation) => self.settings.orientation = orientation,
            Command::SetDisplay(display) => self.set_display(display),
            Command::SetEnvironment(environment) => self.set_environment(environment),
            Command::TurnLight(by) => self.change_display(|d| d.light = d.light.turned(by)),
            Command::Hide { hidden, label } => self.open.as_step_called(&label, |open| open.stage.view.hidden = hidden),
            Command::SetShortcuts(shortcuts) => self.settings.shortcuts = shortcuts,
            Command::SetNarrow(is_narrow) => self.panels.set_narrow(is_narrow, &self.settings),
            Command::SetPanelSizes(sizes) => self.settings.panels = sizes,
            Command::SetTrackDrawer(drawer) => self.settings.tracks = drawer,
            Command::RankClips(is_wanted) => {
                self.open.stage.clip_ranking.request(ClipRankingPlan::current(&self.open.stage).filter(|_| is_wanted))
            }
            Command::CompareWith(file) => self.compare_with(file),
            Command::DiagnosePoints(is_wanted) => {
                self.open.stage.diagnosis.request(DiagnosisPlan::current(&self.open.stage).filter(|_| is_wanted))
            }
            Command::SetTheme(theme) => {
                self.settings.theme = theme;
                return Some(WindowRequest::SetTheme(theme).into());
            }
            Command::SetScale(scale) => return Some(WindowRequest::SetScale(scale).into()),
            Command::SetFov(fov) => self.set_fov(fov),
            Command::LookThrough(camera) => {
                self.notices.show_notice(
                    self.open
                        .stage
                        .camera_tie
                        .look_through(
                            camera,
                            &mut self.open.stage.view,
                            &self.open.stage.document.rig,
                            self.open.stage.characters.posed(),
                        )
                        .map(Notice::warning),
                );
            }
            Command::SavedView(command) => self.notices.show_notice(self.open.saved_view_command(command)),
            Command::Orbit { yaw, pitch } => self.open.stage.view.camera.orbit(yaw, pitch),
            Command::Pan { delta, viewport_height } => self.open.stage.view.camera.pan(delta, viewport_height),
            Command::Zoom { factor, cursor, viewport } => self.open.stage.view.camera.zoom(factor, cursor, viewport),
            Command::SetClip(clip) => self.open.stage.set_clip(clip),
            Command::Seek(time_secs) => self.open.stage.playback.pause_at(time_secs, &self.open.stage.document.rig),
            Command::SetPlayedPart(range) => {
                self.open.stage.playback.set_range(range, &self.open.stage.document.rig);
            }
            Command::SetWind(wind) => {
                let drive = self.open.stage.springs.settings();
                self.open.stage.springs.set(SpringSettings { wind, ..drive });
            }
            Command::SetSpeed(speed) => self.open.stage.playback.speed = speed,
            Command::ShowMe(show_me) => return self.show_me(show_me),
            Command::GoToTourStep(step) => return self.go_to_tour_step(step),
            Command::AnswerTour(answer) => self.answer_tour(answer),
            Command::Notify(notice) => self.notices.show_notice(notice),
            Command::RetryDraw => self.draw_fault = None,
            Command::DismissNotice => _ = self.notices.dismiss(),
            Command::SetAspect(aspect) => self.open.stage.aspect = aspect,
            Command::AskForPath(purpose) => return Some(self.ask_for_path(purpose)),
            Command::UsePath(purpose, path) => return self.use_path(purpose, path),
            Command::Library(command) => {
                let outcome = self.open.library_command(command, self.settings.posing.mirror);
                return self.notices.ok_or_notify(outcome).flatten();
            }
            Command::SetImageSize(size) => self.settings.image_size = size,
            Command::PlanVideo(plan) => self.plan_video(plan),
            Command::ChooseVideoPath => {
                let plan = self.video.filter(VideoPlan::moves)?;
                return self
                    .video_obstacle(plan.format)
                    .is_none()
                    .then(|| self.ask_for_path(PathUse::SaveVideo(plan.format)));
            }
            Command::Path(command) => return self.path_command(command),
            Command::OpenSession(session) => return Some(Request::go_on_with(session)),
            Command::Answer(answer) => return self.answer(answer),
            Command::ClearRecent => self.settings.recent_files.clear(),
            Command::ShowScene(scene) => return Some(reload_request(&self.open.stage, Some(scene), true)),
            Command::CancelLoad => return Some(Request::CancelLoad),
            Command::OpenGuide(place) => return Some(Request::OpenGuide(Some(place))),
        }
        None
    }

    fn open_file(&mut self, source: Source, then: AfterLoad) -> Request {
        self.files.follow(&source);
        Request::load(source, then)
    }

    fn open_all(&mut self, sources: Vec<Source>, then: AfterLoad) -> Option<Request> {
        let first = sources.first().cloned()?;
        self.files = FileList::new(sources);
        Some(Request::load(first, then))
    }

    fn show_me(&mut self, show_me: ShowMe) -> Option<Request> {
        let character = show_me.character();
        if show_me.opens_character(&self.open.stage) {
            self.open.discarded = Some(self.open.choices());
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
        self.open.as_step(|open| open.stage.compare_with(file));
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

    fn probe_at(&mut self, side: Side, ray: &Ray, adds: bool) {
        let OpenDocument { stage, skin, .. } = &mut self.open;
        if probe_at(stage, &mut skin[side], side, ray, adds) {
            self.panels.bring_to_front(SidePanel::Skin);
        }
    }

    pub(super) fn toggle_probes(&mut self) {
        self.open.stage.probes.is_on ^= true;
        if self.open.stage.probes.is_on {
            if self.open.stage.editing.is_on {
                toggle_weight_editing(&mut self.open.stage);
            }
            self.panels.show(SidePanel::Skin, &mut self.settings);
        }
    }
}

impl AppState {
    pub(super) fn toggle_weight_editing(&mut self) {
        toggle_weight_editing(&mut self.open.stage);
        if self.open.stage.editing.is_on {
            self.panels.show(SidePanel::Skin, &mut self.settings);
        }
    }

    /// Returns the actions that leave the modes which are on, in the order in which Esc leaves them.
    pub fn modes(&self) -> Vec<Action> {
        let (stage, view) = (&self.open.stage, &self.open.stage.view);
        let all = [
            (stage.editing.is_on, Action::ToggleWeightEditing),
            (stage.probes.is_on, Action::ToggleProbe),
            (view.compare.is_blinking, Action::Blink),
            (view.isolated.is_some(), Action::ToggleIsolated),
        ];
        all.into_iter().filter_map(|(is_on, action)| is_on.then_some(action)).collect()
    }

    /// Leaves one thing on Esc: the vertex selection, a mode, the selection, and last the isolation of joints.
    pub(super) fn leave(&mut self) -> Option<Request> {
        let stage = &mut self.open.stage;
        let has_selection = stage.has_selection();
        if stage.editing.is_on && (stage.editing.is_selecting() || !stage.editing.selected().is_empty()) {
            clear_vertices(stage);
            return None;
        }
        let mode = self.modes().first().copied();
        if let Some(mode) = mode.filter(|mode| *mode != Action::ToggleIsolated || !has_selection) {
            return self.act(mode);
        }
        self.open.stage.show_change(None);
        self.open.stage.view.select(None, &self.open.stage.document.rig.hierarchy);
        None
    }
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
        self.open.cancel_edit();
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
                self.open.discarded = Some(self.open.choices());
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
    /// Runs `change`. If it changes side A's method, makes that method the user's default.
    pub(super) fn choosing_method<T>(&mut self, change: impl FnOnce(&mut OpenDocument) -> T) -> T {
        let before = self.open.stage.view.sides.a.skinning.method;
        let outcome = change(&mut self.open);
        if self.open.stage.view.sides.a.skinning.method != before {
            self.remember_method();
        }
        outcome
    }

    /// Makes side A's method the user's default. Ignores the weighted blend, because its weights are specific to a
    /// file.
    pub(super) fn remember_method(&mut self) {
        let method = self.open.stage.view.sides.a.skinning.method;
        if self.tour.is_none() && method != Method::WeightedBlend {
            self.settings.method = method;
        }
    }

    fn choose_skinning(&mut self, side: Side, skinning: Skinning) {
        let told = self.choosing_method(|open| open.choose_skinning(side, skinning));
        self.notices.show_notice(told);
    }

    fn choose_method(&mut self, method: Method) {
        self.choose_skinning(Side::A, Skinning { method, ..self.open.stage.view.sides.a.skinning.clone() });
    }

    pub(super) fn next_method(&mut self) {
        let told = self.choosing_method(OpenDocument::next_method);
        self.notices.show_notice(told);
    }

    pub(super) fn swap_sides(&mut self) {
        self.open.swap_sides();
        self.remember_method();
    }

    /// Undoes or redoes steps. A method that a demonstration or the file had set does not become the user's default.
    pub(super) fn go_through_history(&mut self, go: impl FnOnce(&mut History, &mut Stage)) {
        let before = self.open.stage.view.sides.a.skinning.method;
        self.notices.show_notice(self.open.go_through_history(go));
        let is_chosen = self.open.demo_method.is_none()
            && self.open.stage.authored != Some(self.open.stage.view.sides.a.skinning.method);
        if is_chosen && self.open.stage.view.sides.a.skinning.method != before {
            self.remember_method();
        }
    }

    pub(super) fn set_fov(&mut self, fov: f32) {
        self.open.stage.view.camera.set_fov(fov);
        if self.tour.is_none() {
            self.settings.fov = self.open.stage.view.camera.fov;
        }
    }

    fn shade(&mut self, shading: Shading) {
        self.open.as_step(|open| {
            open.stage.previews.clear();
            open.stage.view.previews = PerSide::default();
            open.stage.view.shade(shading);
        });
        if self.tour.is_none() {
            self.settings.display.shading = self.open.stage.view.display.shading;
        }
    }

    pub(super) fn toggle_clay(&mut self) {
        if self.open.stage.view.is_comparing() {
            self.open.stage.view.compare.is_clay ^= true;
        } else {
            self.change_display(|d| {
                d.shading = if d.shading == ShadingMode::Clay { ShadingMode::Textured } else { ShadingMode::Clay }
            });
        }
    }

    pub(super) fn toggle(&mut self, flag: fn(&mut Display) -> &mut bool) {
        self.change_display(|display| *flag(display) ^= true);
    }

    pub(super) fn change_display(&mut self, change: impl FnOnce(&mut Display)) {
        let mut display = self.open.stage.view.display;
        change(&mut display);
        self.set_display(display);
    }

    fn set_environment(&mut self, environment: Environment) {
        self.notices.settle(NoticeTopic::Light);
        self.open.stage.view.environment_file = EnvironmentFile::default();
        self.change_display(|display| display.light.environment = environment);
        self.remember_environment_file();
    }

    pub(super) fn remember_environment_file(&mut self) {
        if self.tour.is_none() {
            self.settings.environment_file.clone_from(&self.open.stage.view.environment_file.wanted);
        }
    }

    pub(super) fn set_display(&mut self, display: Display) {
        self.open.stage.view.display = display;
        if self.tour.is_none() {
            self.settings.display = display;
        }
    }
}

#[cfg(test)]
mod tests;
