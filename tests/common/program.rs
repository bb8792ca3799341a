//! State and panels without a window, a renderer or files, and hands to use them.
#![allow(dead_code, clippy::allow_attributes, reason = "every test links this module and uses its own part of it")]
#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::{Quat, Vec3};
use rigscope::import::Job;
use rigscope::rig::NodeIndex;
use rigscope::state::{AppState, BuiltIn, Document, Request, Settings, Source};
use rigscope::ui::{Interface, install_theme};

/// State and panels without a window, a renderer or files.
pub struct Program {
    pub state: AppState,
    pub interface: Interface,
    pub requests: Vec<Request>,
}

impl Program {
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        let mut commands = Vec::new();
        self.interface.ui(ui, &self.state, &mut commands, &mut |_, _| {});
        if !commands.is_empty() {
            ui.ctx().request_repaint();
        }
        for command in commands {
            self.requests.extend(self.state.apply(command));
        }
        self.state.refresh();
    }

    pub fn node(&self, name: &str) -> NodeIndex {
        let hierarchy = &self.state.rig().hierarchy;
        hierarchy.nodes().find(|&n| hierarchy.name(n) == name).unwrap()
    }

    pub fn rotation(&self, name: &str) -> Quat {
        self.state.pose().user_local(self.node(name)).rotation
    }
}

pub fn program(built_in: BuiltIn) -> Harness<'static, Program> {
    program_of(Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap())
}

pub fn program_of(document: Document) -> Harness<'static, Program> {
    let state = AppState::new(document, Settings::default());
    let program = Program { state, interface: Interface::default(), requests: Vec::new() };
    let mut harness = Harness::builder()
        .with_size([1440.0, 900.0])
        // A caret that blinks and a wheel that glides ask for some frames, then for none.
        .with_max_steps(40)
        .with_context_setup(install_theme)
        .build_ui_state(|ui, program: &mut Program| program.ui(ui), program);
    harness.run();
    harness
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

/// Screen points along the projected ring about `axis` (local to the joint), over some degrees.
pub fn along_ring(harness: &Harness<'_, Program>, joint: &str, axis: Vec3, degrees: f32) -> Vec<egui::Pos2> {
    let state = &harness.state().state;
    let rect = harness.get_by_label("Viewport").rect();
    let lens = state.view.camera.lens(glam::Vec2::new(rect.width(), rect.height()));
    let world = state.posed().world_from_node[harness.state().node(joint).index()];
    let axis = world.transform_vector3(axis).normalize_or_zero();
    let radius = rigscope::gizmo::Frame::RADIUS * lens.world_per_point(world.translation);
    // Start where the ring is nearest to the viewer.
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

/// Presses on the first point and moves through the others; the button stays down.
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
