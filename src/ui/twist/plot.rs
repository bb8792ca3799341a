//! What each method loses at each angle; a drag along it poses the joint.

use std::f32::consts::PI;

use egui::{Align2, Color32, CursorIcon, Key, Pos2, Rect, RichText, Sense, Shape, TextStyle, Ui, pos2, vec2};
use egui_plot::{
    Corner, GridMark, HoverPosition, Legend, Line, Plot, PlotPoint, PlotPoints, PlotTransform, Points, Text, VLine,
};

use super::Metric;
use crate::analysis::twist::{Motion, Sweep, SweepRow};
use crate::skinning::{Method, Skinning};
use crate::state::{AppState, Command, TestedJoint, TwistPlan};
use crate::ui::compare::side_color;
use crate::ui::theme;
use crate::view::Side;

/// Where a drag along it is.
#[derive(Default)]
pub struct TestPlot {
    /// The angle that the joint was put to last, radians; `None` without a drag.
    posed: Option<f32>,
    /// The drag was given up and the button is still down.
    is_cancelled: bool,
}

impl TestPlot {
    /// True while a drag is on: then keys belong to it.
    pub fn is_dragging(&self) -> bool {
        self.posed.is_some()
    }
}

/// Of a method that is neither A nor B: those of LBS and DQS would be taken for the sides'.
fn other_color(method: Method) -> Color32 {
    match method {
        Method::Lbs => Color32::from_rgb(0x9A, 0xA4, 0xB8),
        Method::Dqs => Color32::from_rgb(0xC8, 0xB8, 0x7A),
        further => theme::method_color(further),
    }
}

impl TestPlot {
    /// Draws the plot; the rectangle that it fills.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        TestedJoint { plan, sweep }: &TestedJoint,
        metric: Metric,
        state: &AppState,
        commands: &mut Vec<Command>,
    ) -> Rect {
        let motion = state.open.twist.motion;
        let rows: Vec<&SweepRow> = sweep.rows.iter().filter(|row| row.motion == motion).collect();
        let unit = metric.unit();
        let [low, high] = metric.least_range(state.rig().size());
        let now = state.tested_angle();
        let lines = lines(plan, &rows, metric);
        let worst = worst(sweep, &rows, metric);
        // Away from the worst, at which there is a text.
        let is_left = worst.as_ref().is_some_and(|(at, _)| at.x < 0.0);
        let corner = if is_left { Corner::RightBottom } else { Corner::LeftBottom };
        let under = ui.painter().add(Shape::Noop);
        let plot = Plot::new("twist plot")
            .legend(Legend::default().position(corner).background_alpha(1.0))
            .show_background(false)
            // Room for the angles below the lines.
            .set_margin_fraction(vec2(0.04, 0.13))
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .sense(Sense::click_and_drag())
            .include_y(low)
            .include_y(high)
            .show_axes(false)
            .grid_color(ui.visuals().weak_text_color().gamma_multiply(0.2))
            .grid_fade(0.0)
            .x_grid_spacer(|input| degrees(input.bounds))
            .y_grid_spacer(|input| even(input.bounds))
            .label_formatter(move |position| hover_text(position, unit));
        let weak = ui.visuals().weak_text_color();
        let (text_color, ground) = (ui.visuals().text_color(), ui.visuals().extreme_bg_color);
        let shown = plot.show(ui, move |plot| {
            if let Some(angle) = now {
                plot.vline(
                    VLine::new("", f64::from(angle.to_degrees())).color(theme::SELECTION).width(1.5).allow_hover(false),
                );
            }
            for line in lines {
                plot.line(line);
            }
            if let Some((at, text)) = worst {
                plot.points(Points::new("", vec![[at.x, at.y]]).radius(5.0).color(text_color).allow_hover(false));
                let anchor = if at.x > 60.0 { Align2::RIGHT_BOTTOM } else { Align2::LEFT_BOTTOM };
                plot.text(
                    Text::new("", at, RichText::new(format!("  {text}  ")).small().background_color(ground))
                        .color(weak)
                        .anchor(anchor)
                        .allow_hover(false),
                );
            }
            plot.pointer_coordinate()
        });
        ui.painter().set(under, ground_and_labels(ui, &shown.transform, unit, is_left));
        let response = shown.response.accessible_name("Plot of the test");
        self.pose(&response, shown.inner, motion, commands);
        response.rect
    }

    /// A press or a drag puts the joint to the angle under the pointer; one drag is one step.
    fn pose(&mut self, response: &egui::Response, at: Option<PlotPoint>, motion: Motion, commands: &mut Vec<Command>) {
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
            Motion::Twist => -PI..=PI,
            Motion::Bend => 0.0..=PI / 1.2,
        };
        let angle = (at.x as f32).to_radians().clamp(*range.start(), *range.end());
        if self.posed.is_none() {
            commands.push(Command::BeginEdit);
        }
        if self.posed.replace(angle) != Some(angle) {
            commands.push(Command::PoseByTest(angle));
        }
    }
}

/// One for each method, in the colour of its side.
fn lines<'a>(plan: &TwistPlan, rows: &[&SweepRow], metric: Metric) -> Vec<Line<'a>> {
    let points = |method: usize| -> PlotPoints<'a> {
        let at = |row: &&SweepRow| Some([f64::from(row.angle.to_degrees()), metric.of(row.losses.get(method)?)]);
        rows.iter().filter_map(at).filter(|[_, y]| y.is_finite()).collect()
    };
    let line = |(number, skinning): (usize, &Skinning)| {
        let weights = plan.weights_of(number).map_or(String::new(), |weights| format!(", {}", weights.title()));
        let name = format!("{}{weights}", skinning.method.label());
        let (name, color, width) = match number {
            0 => (format!("A  {name}"), side_color(Side::A), 2.5),
            1 => (format!("B  {name}"), side_color(Side::B), 2.5),
            _ => (name, other_color(skinning.method), 1.5),
        };
        Line::new(name, points(number)).color(color).width(width)
    };
    plan.skinnings.iter().enumerate().rev().map(line).collect()
}

/// Where A is furthest from no change, and in words.
fn worst(sweep: &Sweep, rows: &[&SweepRow], metric: Metric) -> Option<(PlotPoint, String)> {
    let values = rows.iter().filter_map(|row| Some((row.angle.to_degrees(), metric.of(row.losses.first()?))));
    let distance = |value: f64| (value - metric.unchanged()).abs();
    let (angle, value) = values.filter(|v| v.1.is_finite()).max_by(|a, b| distance(a.1).total_cmp(&distance(b.1)))?;
    let name = sweep.methods.first()?.to_uppercase();
    let text = format!("{name} at {angle:.0}°: {value:.1} {}", metric.unit());
    (distance(value) > 0.05).then(|| (PlotPoint::new(f64::from(angle), value), text))
}

/// What lies under lines and legend: the ground, and inside of it the names of the grid's lines, those of the values away from the legend.
fn ground_and_labels(ui: &Ui, plot: &PlotTransform, unit: &str, are_values_left: bool) -> Shape {
    /// A name needs so much, points.
    const ROOM: f32 = 16.0;
    let (frame, bounds) = (*plot.frame(), plot.bounds());
    let (font, color) = (TextStyle::Small.resolve(ui.style()), ui.visuals().weak_text_color());
    let at = |x: f64, y: f64| plot.position_from_point(&PlotPoint::new(x, y));
    let text = |place: Pos2, align: Align2, text: String| {
        ui.fonts_mut(|fonts| Shape::text(fonts, place, align, text, font.clone(), color))
    };
    let (edge, align) = if are_values_left {
        (frame.left() + 4.0, Align2::LEFT_BOTTOM)
    } else {
        (frame.right() - 4.0, Align2::RIGHT_BOTTOM)
    };
    let value = |mark: GridMark| {
        let y = at(0.0, mark.value).y;
        let places = (-mark.step_size.log10().floor()).max(0.0) as usize;
        let is_inside = y > frame.top() + ROOM && y < frame.bottom() - ROOM;
        is_inside.then(|| text(pos2(edge, y), align, format!("{:.places$} {unit}", mark.value)))
    };
    let is_tight = frame.width() < 480.0;
    let angle = |mark: GridMark| {
        let x = at(mark.value, 0.0).x + 3.0;
        let is_shown = x < frame.right() - 2.0 * ROOM && (!is_tight || mark.step_size > 30.0);
        is_shown.then(|| text(pos2(x, frame.bottom() - 2.0), Align2::LEFT_BOTTOM, format!("{:.0}°", mark.value)))
    };
    let ground = Shape::rect_filled(frame, 2.0, ui.visuals().extreme_bg_color);
    let values = even((bounds.min()[1], bounds.max()[1])).into_iter().filter_map(value);
    let angles = degrees((bounds.min()[0], bounds.max()[0])).into_iter().filter_map(angle);
    Shape::Vec([ground].into_iter().chain(values).chain(angles).collect())
}

/// Some three to seven lines at round numbers.
fn even((from, to): (f64, f64)) -> Vec<GridMark> {
    let least = ((to - from) / 7.0).max(1e-9);
    let tens = 10.0_f64.powf(least.log10().floor());
    let step_size = [1.0, 2.0, 5.0, 10.0].map(|s| s * tens).into_iter().find(|s| *s >= least).unwrap_or(least);
    let first = (from / step_size).ceil();
    (0..8)
        .map(|i| (first + f64::from(i)) * step_size)
        .take_while(|value| *value <= to)
        .map(|value| GridMark { value, step_size })
        .collect()
}

/// A line every 30°; where there is little room, only those of every 90° are named.
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
