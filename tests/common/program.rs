//! State and panels without a window, a renderer or files, and functions to use them.
#![allow(dead_code, clippy::allow_attributes, reason = "every test links this module and uses its own part of it")]
#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::sync::Arc;

use egui::{Key, Modifiers, OutputCommand};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, HarnessBuilder};
use glam::{Quat, Vec3};
use rigscope::analysis::sides::measure;
use rigscope::analysis::twist::JointRank;
use rigscope::fonts::Fonts;
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::project::findings;
use rigscope::rig::{AuthoredMethod, NodeIndex, Rig, RigData};
use rigscope::skinning::Skinner;
use rigscope::stage::{
    BuiltIn, DerivedKind, DerivedResult, Document, EditMeshPlan, JointRankingPlan, MeanPlan, MeasurePlan, SelectPlan,
    SimulationPlan, Source, TwistPlan, WeightEditPlan,
};
use rigscope::state::{
    Action, AppState, Command, Commands, JobResult, Request, Settings, SidePanel, WindowRequest, list_poses,
};
use rigscope::ui::{Interface, install_fonts, install_theme};
use rigscope::view::PerSide;

/// Returns the tube as a file that blends LBS and DQS with the same weight for every vertex.
pub fn painted_tube(weight: f32) -> Document {
    let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    let (mut skins, mut meshes) = (tube.rig.skins.clone(), tube.rig.meshes.clone());
    for skin in &mut skins {
        skin.authored = AuthoredMethod::Blended;
    }
    for primitive in meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.dq_weights = vec![weight; primitive.positions.len()];
    }
    Document { rig: Arc::new(Rig::new(RigData { skins, meshes, ..RigData::clone(&tube.rig) })), ..tube }
}

/// State and panels without a window, a renderer or files.
pub struct Program {
    pub state: AppState,
    pub interface: Interface,
    pub requests: Vec<Request>,
    /// Text that the panels copied to the clipboard.
    pub copied: Vec<String>,
    /// True to run lint immediately when the state requests it.
    pub lints: bool,
}

impl Program {
    pub fn new(document: Document) -> Self {
        Self {
            state: AppState::new(document, Settings::default()),
            interface: Interface::default(),
            requests: Vec::new(),
            copied: Vec::new(),
            lints: false,
        }
    }

    /// Creates a window of the given size, points.
    pub fn harness(self, size: [f32; 2]) -> Harness<'static, Self> {
        let builder = Harness::builder().with_context_setup(install_theme);
        self.built(builder, size)
    }

    /// Creates a window of the given size (points) with additional fonts. Letters that no font has are drawn as boxes.
    pub fn harness_with(self, size: [f32; 2], fonts: Fonts) -> Harness<'static, Self> {
        let builder = Harness::builder().allow_missing_glyphs().with_context_setup(move |ctx| {
            install_theme(ctx);
            install_fonts(ctx, &fonts);
        });
        self.built(builder, size)
    }

    fn built(self, builder: HarnessBuilder<Self>, size: [f32; 2]) -> Harness<'static, Self> {
        // A blinking caret and smooth scrolling request some frames before the window is idle.
        let builder = builder.with_size(size).with_max_steps(40);
        let mut harness = builder.build_ui_state(|ui, program: &mut Self| program.ui(ui), self);
        harness.run();
        harness
    }

    pub fn ui(&mut self, ui: &mut egui::Ui) {
        let mut commands = Commands::default();
        self.interface.ui(ui, &self.state, &mut commands, &mut |_, _| {});
        if !commands.is_empty() {
            ui.ctx().request_repaint();
        }
        for command in std::mem::take(&mut *commands) {
            self.apply(command);
        }
        self.state.open.stage.refresh();
        ui.ctx().output(|output| {
            for command in &output.commands {
                if let OutputCommand::CopyText(text) = command {
                    self.copied.push(text.clone());
                }
            }
        });
    }

    pub fn apply(&mut self, command: Command) {
        let request = self.state.apply(command);
        self.fulfil(request);
    }

    pub fn receive(&mut self, arrived: JobResult) {
        let request = self.state.receive(arrived);
        self.fulfil(request);
    }

    fn fulfil(&mut self, request: Option<Request>) {
        match request {
            Some(Request::Window(WindowRequest::TogglePalette)) => self.interface.toggle_palette(),
            Some(Request::Window(WindowRequest::ToggleHelp)) => self.interface.toggle_help(),
            Some(Request::Window(WindowRequest::TogglePreferences)) => self.interface.toggle_preferences(),
            Some(Request::Window(WindowRequest::ToggleAbout)) => self.interface.toggle_about(),
            Some(Request::Window(WindowRequest::FilterJoints)) => self.interface.filter_joints(),
            Some(Request::Disk(job)) => self.receive(job.run()),
            Some(Request::ListPoses) => self.list_poses(),
            request => self.requests.extend(request),
        }
        if let Some(mut plan) = self.state.open.stage.twist_test.wanted(&self.state.open.stage) {
            // Tests only A and B, because other methods take long.
            plan.skins.truncate(2);
            self.state.open.stage.twist_test.request(Some(plan));
        }
        let kinds = [
            DerivedKind::new::<SelectPlan>(),
            DerivedKind::new::<MeanPlan>(),
            DerivedKind::new::<JointRankingPlan>(),
            DerivedKind::new::<TwistPlan>(),
            DerivedKind::new::<SimulationPlan>(),
            DerivedKind::new::<WeightEditPlan>(),
        ];
        for kind in kinds {
            while let Some(wanted) = kind.wanted(&self.state.open.stage) {
                self.state.receive(JobResult::Derived(wanted.run(&Job::default())));
            }
        }
        if self.lints && self.state.open.stage.lint.is_awaited(&self.state.open.stage.requests) {
            self.lint();
        }
    }

    /// Replaces the ranking of joints.
    pub fn rank(&mut self, ranked: Vec<JointRank>) {
        self.apply(Command::Do(Action::RankJoints));
        let plan = self.state.open.stage.joint_ranking.known().unwrap().0.clone();
        self.receive(JobResult::Derived(DerivedResult::new(plan, Some(Ok(ranked.into())))));
    }

    /// Computes the mesh for weight edits immediately.
    pub fn prepare_edit(&mut self) {
        let done = DerivedKind::new::<EditMeshPlan>().wanted(&self.state.open.stage).unwrap().run(&Job::default());
        self.receive(JobResult::Derived(done));
    }

    pub fn lint(&mut self) {
        let document = &self.state.open.stage.document;
        let findings = findings(&document.rig, &document.warnings, &Progress::default()).unwrap();
        let rig = document.rig.clone();
        self.receive(JobResult::Derived(DerivedResult::findings(rig, Some(findings.into()))));
    }

    /// Measures both sides and their overlays immediately.
    pub fn measure(&mut self) {
        let plan = MeasurePlan::new(&self.state.open.stage);
        let skinner = |side| {
            Arc::new(
                Skinner::new(&self.state.open.stage.actor(side).rig, &self.state.open.stage.view.sides[side].skinning)
                    .unwrap(),
            )
        };
        let measured = measure(
            &plan.job(PerSide::from_fn(skinner), self.state.open.stage.characters.version()),
            &Progress::default(),
        )
        .unwrap();
        self.receive(JobResult::Measured(Box::new(plan), Box::new(Ok(measured))));
    }

    /// Lists poses immediately, without thumbnails.
    pub fn list_poses(&mut self) {
        let (rig, library) = (self.state.open.stage.rig().clone(), &self.state.open.library);
        let listing = list_poses(&rig, library.folders(), library.cards(), &Progress::default()).unwrap();
        self.receive(JobResult::PosesListed(rig, listing));
    }

    pub fn shows(&self, tab: SidePanel) -> bool {
        self.state.panels.is_shown(tab, &self.state.settings)
    }

    pub fn node(&self, name: &str) -> NodeIndex {
        let hierarchy = &self.state.open.stage.rig().hierarchy;
        hierarchy.node_named(name).unwrap()
    }

    pub fn rotation(&self, name: &str) -> Quat {
        self.state.open.stage.pose().user_local(self.node(name)).rotation
    }
}

pub fn program(built_in: BuiltIn) -> Harness<'static, Program> {
    program_with(Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap())
}

pub fn program_with(document: Document) -> Harness<'static, Program> {
    Program::new(document).harness([1440.0, 900.0])
}

pub fn type_into(harness: &mut Harness<'_, Program>, field: &str, text: &str) {
    harness.get_by_label(field).click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.get_by_label(field).type_text(text);
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
}

pub fn assert_same_rotation(a: Quat, b: Quat) {
    assert!(a.dot(b).abs() > 1.0 - 1e-6, "{a} is not {b}");
}

/// Returns screen points along the projected ring about `axis` (in joint space), over an angle in degrees.
pub fn along_ring(harness: &Harness<'_, Program>, joint: &str, axis: Vec3, degrees: f32) -> Vec<egui::Pos2> {
    let state = &harness.state().state;
    let rect = harness.get_by_label("Viewport").rect();
    let lens = state.open.stage.view.camera.lens(glam::Vec2::new(rect.width(), rect.height()));
    let world = state.open.stage.posed().world_from_node[harness.state().node(joint).index()];
    let axis = world.transform_vector3(axis).normalize_or_zero();
    let radius = rigscope::gizmo::GizmoSize::default().radius() * lens.world_per_point(world.translation);
    // Starts where the ring is closest to the viewer.
    let toward = lens.to_viewer(world.translation);
    let start = (toward - axis * axis.dot(toward)).normalize_or_zero() * radius;
    let steps = 24;
    (0..=steps)
        .map(|i| {
            let turn = Quat::from_axis_angle(axis, degrees.to_radians() * i as f32 / steps as f32);
            let seen = lens.project(world.translation + turn * start).unwrap();
            rect.min + egui::vec2(seen.x, seen.y)
        })
        .collect()
}

/// Presses the button on the first point and moves through the others, without releasing it.
pub fn drag_through(harness: &mut Harness<'_, Program>, points: &[egui::Pos2]) {
    harness.hover_at(points[0]);
    harness.run();
    harness.drag_at(points[0]);
    harness.run();
    for &point in &points[1..] {
        harness.hover_at(point);
        harness.run();
    }
}

/// Returns the drawn texts, in no particular order.
pub fn texts_painted(harness: &Harness<'_, Program>) -> Vec<String> {
    fn texts(shape: &egui::Shape, found: &mut Vec<String>) {
        match shape {
            egui::Shape::Text(text) => found.push(text.galley.text().to_owned()),
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut found));
    found
}
