use egui::{Align, Button, Label, Layout, Rect, RichText, TextStyle, Ui, UiBuilder, vec2};

use super::content::{TrackRow, name, text_color};
use super::paint::{AXIS, GAP, TrackColumns, VALUE, plot_rect};
use super::window::{Ticks, TimeWindow};
use super::{paint, text};
use crate::analysis::tracks::{LineOwner, TrackKind};
use crate::state::{AppState, Command, Commands};
use crate::ui::names::{self, Name};

impl TrackRow<'_> {
    pub(super) fn ui(
        &self,
        ui: &mut Ui,
        rect: Rect,
        columns: TrackColumns,
        (window, ticks): (&TimeWindow, &Ticks),
        state: &AppState,
        commands: &mut Commands,
    ) {
        let names = Rect::from_x_y_ranges(columns.names, rect.y_range());
        self.name_ui(&mut column(ui, names.with_max_x(names.right() - AXIS), self.kind, "name"), state);
        let plot = plot_rect(Rect::from_x_y_ranges(columns.plots, rect.y_range()));
        match &self.content {
            Ok(lines) => paint::row(ui, plot, lines, window, ticks),
            Err(why) => paint::words(ui, plot, why),
        }
        let worst = Rect::from_x_y_ranges(columns.worst, rect.y_range());
        self.worst_ui(&mut column(ui, worst, self.kind, "worst"), state, commands);
    }

    fn name_ui(&self, ui: &mut Ui, state: &AppState) {
        ui.horizontal(|ui| {
            ui.add(Label::new(self.kind.name()).selectable(false)).on_hover_text(self.kind.hint());
            let active =
                state.open.stage.view.active_joint().filter(|_| self.kind.is_of_joints() && self.content.is_ok());
            if let Some(joint) = active {
                let weak = ui.visuals().weak_text_color();
                Name::for_node(joint, state.open.stage.rig()).label_in(ui, &TextStyle::Small, weak);
            }
        });
        let Ok(lines) = &self.content else { return };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let now = state.open.stage.playback.time_secs;
            for (number, line) in lines.track.lines.iter().enumerate() {
                let (value, joint) = lines.value_at(line, now);
                let said = [text::letter(line.owner), text::value(self.kind, value)].join(" ");
                let color = text_color(line.owner, number, ui.visuals());
                let color = if lines.is_current { color } else { ui.visuals().weak_text_color() };
                let label = Label::new(RichText::new(said.trim()).small().color(color)).selectable(false);
                let owner = self.owner(line.owner, state);
                let place = joint.map_or_else(String::new, |joint| format!(" at {joint}"));
                // The fixed width keeps longer numbers from moving their neighbours.
                let row = vec2(VALUE, ui.spacing().interact_size.y);
                let index_at = |ui: &mut Ui| {
                    ui.set_min_width(VALUE);
                    ui.add(label.truncate()).on_hover_text(format!("{owner} now{place}"));
                };
                ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), index_at);
            }
        });
    }

    fn worst_ui(&self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let Ok(lines) = &self.content else { return };
        let mut worst: Vec<_> = lines.worst().collect();
        if self.kind.is_of_joints() {
            worst.sort_by(|a, b| b.3.total_cmp(&a.3));
            worst.truncate(1);
        }
        if worst.is_empty() {
            let label = Label::new(RichText::new(text::nothing(self.kind)).small().weak()).truncate();
            ui.horizontal(|ui| {
                ui.add_space(GAP);
                let label = ui.add(label);
                if matches!(self.kind, TrackKind::WorstDistance | TrackKind::MeanDistance) {
                    label.on_hover_text("Choose another method, other weights or another file on side B to compare");
                }
            });
        }
        for (number, line, time_secs, value) in worst {
            let color = text_color(line.owner, number, ui.visuals());
            let color = if lines.is_current { color } else { ui.visuals().weak_text_color() };
            let at = line.worst.and_then(|at| lines.joint_name(line, at)).map(str::to_owned);
            let joint = if let LineOwner::Joint(joint) = line.owner { Some(name(joint, state)) } else { at };
            let said = format!("{} {}  {time_secs:.2} s", text::letter(line.owner), text::value(self.kind, value));
            let room = ui.available_width() - 110.0;
            let place = joint.as_deref().map(|joint| names::shortened(ui, joint, room, &TextStyle::Small));
            let said = [said, place.unwrap_or_default()].join("  ");
            let button = Button::new(RichText::new(said.trim()).small().color(color)).frame_when_inactive(false);
            let owner = text::letter(line.owner);
            let label = format!("Worst frame of {} {owner}", self.kind.name());
            let place = joint.map_or_else(String::new, |joint| format!(" at {joint}"));
            let hint = format!("Go to the worst frame, {time_secs:.3} s: {}{place}", text::value(self.kind, value));
            if ui.add(button.small().truncate()).accessible_name(label.trim()).on_hover_text(hint).clicked() {
                commands.push(Command::Seek(time_secs));
            }
        }
    }
}

fn column(ui: &mut Ui, rect: Rect, kind: TrackKind, salt: &str) -> Ui {
    let layout = Layout::top_down(Align::Min);
    let rect = rect.with_min_y((rect.center().y - 17.0).max(rect.top()));
    let mut column = ui.new_child(UiBuilder::new().id_salt((kind, salt)).max_rect(rect).layout(layout));
    column.spacing_mut().item_spacing.y = 0.0;
    column.spacing_mut().interact_size.y = 16.0;
    column
}
