use egui::{Align, Button, Frame, Layout, Margin, Panel, RichText, Stroke, Ui, vec2};

use super::theme;
use crate::state::{Action, AppState, Command, Commands, STEPS, TourQuiz, TourStep};

/// Height of the tour's card, points. It is constant, so that the viewport keeps its size.
const HEIGHT: f32 = 104.0;

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(tour) = &state.tour else { return };
    let Some(step) = STEPS.get(tour.step()) else { return };
    let frame = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(16, 10));
    Panel::bottom("tour").frame(frame).resizable(false).exact_size(HEIGHT).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            let width = ui.available_width();
            ui.allocate_ui_with_layout(vec2(width * 0.55, HEIGHT), Layout::top_down(Align::Min), |ui| {
                ui.set_width(width * 0.55);
                step_text(ui, step, tour.answer());
            });
            ui.add_space(16.0);
            ui.vertical(|ui| {
                match &step.quiz {
                    Some(quiz) => answers(ui, quiz, tour.answer(), commands),
                    None => formula(ui, step.formula),
                }
                ui.add_space(8.0);
                buttons(ui, tour.step(), state, commands);
            });
        });
    });
}

fn step_text(ui: &mut Ui, step: &TourStep, answer: Option<usize>) {
    ui.label(RichText::new(step.title).heading().color(theme::selection_text(ui.visuals())));
    ui.add_space(2.0);
    let answer = step.quiz.as_ref().zip(answer).and_then(|(quiz, answer)| quiz.answers.get(answer));
    ui.label(answer.map_or(step.text, |answer| answer.why));
}

/// Draws the answers of a quiz. The chosen one gets a mark.
fn answers(ui: &mut Ui, quiz: &TourQuiz, chosen: Option<usize>, commands: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        for (number, answer) in quiz.answers.iter().enumerate() {
            let is_chosen = chosen == Some(number);
            let text = match (is_chosen, answer.is_right) {
                (true, true) => format!("✔ {}", answer.text),
                (true, false) => format!("✖ {}", answer.text),
                (false, _) => answer.text.to_owned(),
            };
            let button = Button::new(text).selected(is_chosen).min_size(vec2(0.0, 26.0));
            commands.push_if(ui.add(button).clicked(), Command::AnswerTour(number));
        }
    });
}

fn formula(ui: &mut Ui, text: &str) {
    let frame =
        Frame::new().fill(ui.visuals().extreme_bg_color).corner_radius(6).inner_margin(Margin::symmetric(12, 8));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(text).monospace());
    });
}

fn buttons(ui: &mut Ui, step: usize, state: &AppState, commands: &mut Commands) {
    ui.horizontal(|ui| {
        let size = vec2(72.0, 26.0);
        let back = Button::new("Back").min_size(size);
        let key = |action: Action| action.spec().key_text(ui.ctx()).unwrap_or_default();
        let (earlier, later) = (key(Action::PreviousFile), key(Action::NextFile));
        if ui.add_enabled(step > 0, back).on_hover_text(earlier).clicked() {
            commands.push(Command::GoToTourStep(step - 1));
        }
        if step + 1 < STEPS.len() {
            let next =
                Button::new(RichText::new("Next").strong().color(theme::INK)).fill(theme::SELECTION).min_size(size);
            commands.push_if(ui.add(next).on_hover_text(later).clicked(), Command::GoToTourStep(step + 1));
        }
        dots(ui, step, commands);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            super::actions::button(ui, Action::LeaveTour, state, commands);
        });
    });
}

fn dots(ui: &mut Ui, step: usize, commands: &mut Commands) {
    ui.spacing_mut().item_spacing.x = 0.0;
    for (number, other) in STEPS.iter().enumerate() {
        let (rect, response) = ui.allocate_exact_size(vec2(14.0, 22.0), egui::Sense::click());
        let name = format!("Step {} of {}: {}", number + 1, STEPS.len(), other.title);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
        let (fill, edge) = (ui.visuals().weak_text_color(), Stroke::NONE);
        if number == step {
            ui.painter().circle(rect.center(), 4.5, theme::selection_text(ui.visuals()), edge);
        } else {
            ui.painter().circle(rect.center(), if response.hovered() { 4.0 } else { 3.0 }, fill, edge);
        }
        commands.push_if(response.on_hover_text(name).clicked(), Command::GoToTourStep(number));
    }
}
