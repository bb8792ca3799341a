//! Twist and bend test below the viewport. On the left, joints ranked by loss; on the right, the plot of the tested
//! joint.

mod metric;
mod plot;
mod ranking;

use egui::{
    Button, Color32, ComboBox, Context, DragValue, Rangef, Rect, ScreenshotCallback, Stroke, TextStyle, Ui, UiBuilder,
    ViewportCommand,
};

use super::actions::close_button;
use super::names::Name;
use super::panel_grip::{GripEdge, PanelGrip};
use super::split_row::split_row;
use crate::analysis::twist::RotationKind;
use crate::stage::TwistPlan;
use crate::state::{Action, AppState, Command, Commands, PathUse, TestStart, bone_length};
use crate::ui::area::Area;
use crate::ui::theme;
use crate::ui::view_labels::ViewLabels;
use metric::Metric;
use ranking::{empty, progress};

#[derive(Default)]
pub(super) struct TwistTestPanel {
    metric: Metric,
    ranking: ranking::Ranking,
    plot: plot::TestPlot,
    plot_rect: Option<Rect>,
}

impl TwistTestPanel {
    pub(super) fn owns_keys(&self) -> bool {
        self.plot.is_dragging()
    }

    /// Draws the test into the whole room. Returns the grip of the ranking.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) -> PanelGrip {
        const GAP: f32 = 8.0;
        const MIN_RANKING: f32 = 200.0;
        /// Width that leaves room for the controls of the test in two rows, points.
        const TEST: f32 = 524.0;
        let room = ui.max_rect();
        let range = Rangef::new(MIN_RANKING, (room.width() - TEST).max(MIN_RANKING));
        let split = room.left() + range.clamp(state.settings.panels.ranking);
        let (ranking, test) = room.split_left_right_at_x(split);
        ui.painter().vline(split, room.y_range(), ui.visuals().widgets.noninteractive.bg_stroke);
        let (before, after) = (ranking.with_max_x(split - GAP), test.with_min_x(split + GAP));
        // Long rows must not widen the panel.
        let child = |name: &str, rect| UiBuilder::new().id_salt(name).max_rect(rect);
        self.ranking.ui(&mut ui.new_child(child("ranking", before)), state, commands);
        self.test(&mut ui.new_child(child("test", after)), state, commands);
        PanelGrip { name: "ranking", panel: ranking, edge: GripEdge::Right, range }
    }

    fn test(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let plot = self.plot_rect;
        let controls = |ui: &mut Ui, commands: &mut Commands| {
            ui.horizontal_wrapped(|ui| self.controls(ui, state, commands));
        };
        split_row(ui, commands, controls, |ui, commands| {
            exports(ui, plot, state, commands);
            close_button(ui, Action::ToggleTwistTest, "Close the twist test", commands);
        });
        progress::<TwistPlan>(ui, "Testing", state, commands);
        match state.open.stage.twist_test.ok() {
            Some(tested) if tested.1.triangles > 0 => {
                self.plot_rect = Some(self.plot.ui(ui, tested, self.metric, state, commands));
            }
            Some((plan, _)) => {
                let name = state.open.stage.rig().hierarchy.name(plan.test.joint);
                empty(ui, &format!("No triangle follows {name} or the joint above it: there is nothing to measure."));
            }
            None if state.open.stage.progress.get::<TwistPlan>().is_some() => {}
            None if state.open.stage.view.active_joint().is_none() => {
                empty(ui, "Select a joint to see how much volume it loses.");
            }
            None => empty(ui, "Press Test this joint."),
        }
    }

    fn controls(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let tested = state.open.stage.twist_test.ok().map(|(plan, _)| plan);
        if let Some(plan) = tested {
            ui.scope(|ui| {
                // Prevents a long name from filling the row.
                ui.set_max_width(160.0);
                let color = super::theme::selection_text(ui.visuals());
                let name =
                    Name::for_node(plan.test.joint, state.open.stage.rig()).label_in(ui, &TextStyle::Body, color);
                name.on_hover_text(state.open.stage.rig().hierarchy.name(plan.test.joint));
            });
        }
        for (motion, name, hint) in [
            (RotationKind::Twist, "Twist", "About the bone, -180° to 180°"),
            (RotationKind::Bend, "Bend", "About the hinge, 0° to 150°"),
        ] {
            if ui.add(Button::selectable(state.open.twist.motion == motion, name)).on_hover_text(hint).clicked() {
                commands.push(Command::SetTestMotion(motion));
            }
        }
        let combo = ComboBox::from_id_salt("metric").selected_text(self.metric.name()).width(120.0);
        let shown = combo.show_ui(ui, |ui| {
            for metric in Metric::ALL {
                ui.selectable_value(&mut self.metric, metric, metric.name()).on_hover_text(metric.hint());
            }
        });
        shown.response.on_hover_text(self.metric.hint()).accessible_name("What is plotted");
        if state.open.twist.motion == RotationKind::Bend {
            hinge(ui, state, commands);
        }
        start(ui, state, commands);
        let info = Action::TestTwist.spec();
        let is_tested = tested.is_some_and(|plan| Some(plan.test.joint) == state.open.stage.view.active_joint());
        let button = Button::new(if is_tested { "Re-run test" } else { info.name });
        if ui.add_enabled(state.can(Action::TestTwist), button).on_hover_text(info.hint).clicked() {
            commands.push(Command::Do(Action::TestTwist));
        }
    }
}

fn exports(ui: &mut Ui, plot: Option<Rect>, state: &AppState, commands: &mut Commands) {
    let has_test = state.open.stage.twist_test.ok().is_some();
    if ui.add_enabled(has_test, Button::new("Save numbers…")).on_hover_text("Save as .csv or .json").clicked() {
        commands.push(Command::AskForPath(PathUse::SaveNumbers(crate::state::NumberTable::Test)));
    }
    let copy = ui.add_enabled(has_test, Button::new("Copy plot")).on_hover_text("Copy the plot as an image");
    if let Some(rect) = plot.filter(|_| copy.clicked()) {
        copy_image(ui.ctx(), rect);
    }
}

/// Copies a rectangle of the window to the clipboard after the next frame is drawn.
fn copy_image(ctx: &Context, rect: Rect) {
    let (later, scale) = (ctx.clone(), ctx.pixels_per_point());
    let take = move |picture: std::sync::Arc<egui::ColorImage>| {
        later.copy_image(picture.region(&rect, Some(scale)));
        later.request_repaint();
    };
    ctx.send_viewport_cmd(ViewportCommand::Screenshot(ScreenshotCallback::new(take)));
}

fn start(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    for (start, name, hint) in [
        (TestStart::Rest, "from rest", "Rotate the joint from the rest pose"),
        (TestStart::ThisPose, "from this pose", "Rotate the joint from the current pose"),
    ] {
        if ui.add(Button::selectable(state.open.twist.start == start, name)).on_hover_text(hint).clicked() {
            commands.push(Command::SetTestStart(start));
        }
    }
}

fn hinge(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let mut degrees = state.open.twist.hinge.to_degrees();
    let field =
        DragValue::new(&mut degrees).range(-180.0..=180.0).suffix("°").speed(1.0).max_decimals(0).prefix("hinge ");
    let hint = "Rotate the hinge about the bone; drawn in violet";
    if ui.add(field).on_hover_text(hint).accessible_name("Hinge").changed() {
        commands.push(Command::TurnHinge(degrees.to_radians()));
    }
}

const VIOLET: Color32 = Color32::from_rgb(0xC0, 0x8C, 0xFF);

pub(crate) fn paint_axes(ui: &Ui, view: &Area, state: &AppState) {
    let (Some((origin, axes)), Some((plan, _))) =
        (state.open.twist.test_axes(&state.open.stage), state.open.stage.twist_test.ok())
    else {
        return;
    };
    let reach = bone_length(&state.open.stage, plan.test.joint) * 0.8;
    let painter = ui.painter().with_clip_rect(view.rect);
    for (axis, motion) in axes.into_iter().zip([RotationKind::Twist, RotationKind::Bend]) {
        let ends = [-reach, reach].map(|by| view.lens.project(origin + axis * by).map(|p| view.to_screen(p)));
        let [Some(from), Some(to)] = ends else { continue };
        let is_plotted = state.open.twist.motion == motion;
        let color = theme::as_mark(VIOLET, ui.visuals()).gamma_multiply(if is_plotted { 1.0 } else { 0.4 });
        painter.line_segment([from, to], Stroke::new(if is_plotted { 2.0 } else { 1.0 }, color));
        if is_plotted {
            let color = theme::as_text(VIOLET, ui.visuals());
            ViewLabels::new(ui, view.rect).write(to, 6.0, &format!("{} axis", motion.name()), color);
        }
    }
}
