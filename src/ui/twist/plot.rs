//! Plot of each method's loss against the angle. Dragging along the plot poses the joint.

use std::f32::consts::PI;
use std::sync::Arc;

use egui::{Color32, CursorIcon, Key, Rangef, Rect, RichText, Sense, Stroke, TextStyle, Ui, Visuals, vec2};
use egui_plot::{AxisHints, GridMark, HoverPosition, Line, Plot, PlotPoint, PlotPoints, Points, VLine};

use super::metric::Metric;
use crate::analysis::twist::{RotationKind, Sweep, SweepRow};
use crate::skinning::{Method, SkinnedRig};
use crate::stage::TwistPlan;
use crate::state::{AppState, Command, Commands};
use crate::ui::theme;
use crate::view::Side;

/// The pointer snaps to the worst point within this distance, points.
const GRAB: f32 = 10.0;

#[derive(Default)]
pub(super) struct TestPlot {
    /// Angle last set by the current drag, radians; `None` without a drag.
    posed: Option<f32>,
    /// True after a drag was cancelled, until the mouse button is released.
    is_cancelled: bool,
}

impl TestPlot {
    pub(super) fn is_dragging(&self) -> bool {
        self.posed.is_some()
    }
}

/// Returns the plot colour of a method that neither side shows.
fn other_color(method: Method) -> Color32 {
    match method {
        Method::Lbs => Color32::from_rgb(0x9A, 0xA4, 0xB8),
        Method::Dqs => Color32::from_rgb(0xC8, 0xB8, 0x7A),
        further => theme::method_color(further),
    }
}

impl TestPlot {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        (plan, sweep): (&TwistPlan, &Arc<Sweep>),
        metric: Metric,
        state: &AppState,
        commands: &mut Commands,
    ) -> Rect {
        let motion = state.open.twist.motion;
        let rows: Vec<&SweepRow> = sweep.rows.iter().filter(|row| row.motion == motion).collect();
        let unit = metric.unit();
        let [low, high] = metric.min_range(state.open.stage.rig().size());
        let now = state.open.twist.tested_angle(&state.open.stage);
        let lines = lines(plan, &rows, metric, ui.visuals());
        let worst = worst(&rows, metric);
        legend(ui, plan, worst.map(|worst| (worst, metric)), commands);
        let (axes, weak) = (axes(ui, motion, metric), ui.visuals().weak_text_color());
        let plot = Plot::new("twist plot")
            .set_margin_fraction(vec2(0.04, 0.08))
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .sense(Sense::click_and_drag())
            .include_y(low)
            .include_y(high)
            .custom_x_axes(vec![axes[0].clone()])
            .custom_y_axes(vec![axes[1].clone()])
            .grid_color(weak.gamma_multiply(0.2))
            .grid_fade(0.0)
            .x_grid_spacer(|input| degrees(input.bounds))
            .y_grid_spacer(|input| even(input.bounds))
            .label_formatter(move |position| hover_text(position, unit));
        let (text_color, now_color) = (ui.visuals().text_color(), theme::selection_text(ui.visuals()));
        let shown = plot.show(ui, move |plot| {
            if let Some(angle) = now {
                let at = f64::from(angle.to_degrees());
                plot.vline(VLine::new("", at).color(now_color).width(1.5).allow_hover(false));
            }
            for line in lines {
                plot.line(line);
            }
            if let Some(at) = worst {
                plot.points(Points::new("", vec![[at.x, at.y]]).radius(5.0).color(text_color).allow_hover(false));
            }
            plot.pointer_coordinate()
        });
        let response = shown.response.accessible_name("Plot of the test");
        let is_at = |worst: &PlotPoint| {
            let at = shown.transform.position_from_point(worst);
            response.hover_pos().is_some_and(|pointer| pointer.distance(at) < GRAB)
        };
        self.pose(&response, worst.filter(is_at).or(shown.inner), motion, commands);
        response.rect
    }

    /// Rotates the tested joint to the angle under the pointer. A whole drag is one undo step.
    fn pose(
        &mut self,
        response: &egui::Response,
        at: Option<PlotPoint>,
        motion: RotationKind,
        commands: &mut Commands,
    ) {
        let response = response.clone().on_hover_cursor(CursorIcon::ResizeHorizontal);
        if !response.is_pointer_button_down_on() {
            commands.extend(self.posed.take().map(|_| Command::EndEdit));
            self.is_cancelled = false;
            return;
        }
        if self.posed.is_some() && response.ctx.input(|i| i.key_pressed(Key::Escape)) {
            commands.push(Command::CancelEdit);
            self.posed = None;
            self.is_cancelled = true;
        }
        if self.is_cancelled {
            return;
        }
        let Some(at) = at else { return };
        let range = match motion {
            RotationKind::Twist => -PI..=PI,
            RotationKind::Bend => 0.0..=PI / 1.2,
        };
        let angle = (at.x as f32).to_radians().clamp(*range.start(), *range.end());
        commands.push_if(self.posed.is_none(), Command::BeginEdit);
        commands.push_if(self.posed.replace(angle) != Some(angle), Command::PoseByTest(angle));
    }
}

fn line_styles(plan: &TwistPlan, visuals: &Visuals) -> Vec<(String, Color32, f32)> {
    let style = |(number, SkinnedRig { skinning, .. }): (usize, &SkinnedRig)| {
        let weights = plan.weights_of(number).map_or(String::new(), |weights| format!(", {}", weights.title()));
        let name = format!("{}{weights}", skinning.method.label());
        let (name, color, width) = match number {
            0 => (format!("A  {name}"), theme::side_color(Side::A), 2.5),
            1 => (format!("B  {name}"), theme::side_color(Side::B), 2.5),
            _ => (name, other_color(skinning.method), 1.5),
        };
        (name, theme::as_mark(color, visuals), width)
    };
    plan.skins.iter().enumerate().map(style).collect()
}

fn lines<'a>(plan: &TwistPlan, rows: &[&SweepRow], metric: Metric, visuals: &Visuals) -> Vec<Line<'a>> {
    let points = |method: usize| -> PlotPoints<'a> {
        let at = |row: &&SweepRow| Some([f64::from(row.angle.to_degrees()), metric.value(row.losses.get(method)?)]);
        rows.iter().filter_map(at).filter(|[_, y]| y.is_finite()).collect()
    };
    let line = |(number, (name, color, width))| Line::new(name, points(number)).color(color).width(width);
    let mut lines: Vec<Line<'a>> = line_styles(plan, visuals).into_iter().enumerate().map(line).collect();
    // Draws the two sides over the other methods.
    lines.reverse();
    lines
}

fn legend(ui: &mut Ui, plan: &TwistPlan, worst: Option<(PlotPoint, Metric)>, commands: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (name, color, width) in line_styles(plan, ui.visuals()) {
            let (rect, _) = ui.allocate_exact_size(vec2(16.0, 12.0), Sense::hover());
            ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(width, color));
            ui.label(RichText::new(name).small());
            ui.add_space(8.0);
        }
        let Some((at, metric)) = worst else { return };
        let name = plan.skins[0].skinning.method.label();
        let text = format!("{name} is worst at {:.0}°: {}", at.x, metric.describe(at.y));
        if ui.small_button(text).on_hover_text("Pose the joint at this angle, marked by a dot").clicked() {
            let angle = (at.x as f32).to_radians();
            commands.extend([Command::BeginEdit, Command::PoseByTest(angle), Command::EndEdit]);
        }
    });
}

/// Returns the worst point of side A; `None` if the loss is negligible.
fn worst(rows: &[&SweepRow], metric: Metric) -> Option<PlotPoint> {
    let values = rows.iter().filter_map(|row| Some((row.angle.to_degrees(), metric.value(row.losses.first()?))));
    let worse = |worst: (f32, f64), next: (f32, f64)| if metric.is_worse(next.1, worst.1) { next } else { worst };
    let (angle, value) = values.filter(|v| v.1.is_finite()).reduce(worse)?;
    ((value - metric.unchanged()).abs() > 0.05).then(|| PlotPoint::new(f64::from(angle), value))
}

fn axes(ui: &Ui, motion: RotationKind, metric: Metric) -> [AxisHints<'static>; 2] {
    let font = TextStyle::Small.resolve(ui.style());
    let label = |text: &str| RichText::new(text).small().color(ui.visuals().weak_text_color());
    let value = move |mark: GridMark| {
        let places = (-mark.step_size.log10().floor()).max(0.0) as usize;
        format!("{:.places$} {}", mark.value, metric.unit())
    };
    let over = match motion {
        RotationKind::Twist => "Twist about the bone",
        RotationKind::Bend => "Bend about the hinge",
    };
    [
        AxisHints::new_x().label(label(over)).formatter(|mark, _| format!("{:.0}°", mark.value)),
        // The spacing is the minimum distance, in points, between labelled lines.
        AxisHints::new_y()
            .label(label(metric.name()))
            .formatter(move |mark, _| value(mark))
            .label_spacing(Rangef::new(11.0, 14.0)),
    ]
    .map(|axis| axis.tick_label_font(font.clone()))
}

/// Returns roughly three to seven grid lines at round numbers.
fn even((from, to): (f64, f64)) -> Vec<GridMark> {
    let min_step = ((to - from) / 7.0).max(1e-9);
    let tens = 10.0_f64.powf(min_step.log10().floor());
    let step_size = [1.0, 2.0, 5.0, 10.0].map(|s| s * tens).into_iter().find(|s| *s >= min_step).unwrap_or(min_step);
    let first = (from / step_size).ceil();
    (0..8)
        .map(|i| (first + f64::from(i)) * step_size)
        .take_while(|value| *value <= to)
        .map(|value| GridMark { value, step_size })
        .collect()
}

/// Returns a grid line every 30°. In a narrow plot, only multiples of 90° have labels.
fn degrees((from, to): (f64, f64)) -> Vec<GridMark> {
    let first = (from / 30.0).ceil() as i32;
    let last = (to / 30.0).floor() as i32;
    let mark = |i: i32| GridMark { value: f64::from(i) * 30.0, step_size: if i % 3 == 0 { 90.0 } else { 30.0 } };
    (first..=last.min(first + 48)).map(mark).collect()
}

fn hover_text(position: &HoverPosition<'_>, unit: &str) -> Option<String> {
    match position {
        HoverPosition::NearDataPoint { plot_name, position, .. } if !plot_name.is_empty() => {
            Some(format!("{plot_name} at {:.0}°: {:.1} {unit}", position.x, position.y))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handful_of_lines_stands_at_round_numbers() {
        for (bounds, wanted) in [
            ((98.9, 101.1), vec![99.0, 99.5, 100.0, 100.5, 101.0]),
            ((-2.0, 104.0), vec![0.0, 20.0, 40.0, 60.0, 80.0, 100.0]),
            ((0.0, 0.0), vec![0.0]),
        ] {
            let found: Vec<f64> = even(bounds).iter().map(|mark| mark.value).collect();
            assert_eq!(found, wanted, "{bounds:?}");
        }
    }
}
