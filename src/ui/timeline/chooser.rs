use std::path::Path;

use egui::text::TextFormat;
use egui::{
    Align, Button, Color32, ComboBox, Key, Label, Layout, PopupCloseBehavior, RichText, ScrollArea, TextEdit,
    TextStyle, TextWrapMode, Ui, WidgetText, vec2,
};

use super::ranking;
use crate::rig::Clip;
use crate::stage::{ClipRanking, Source};
use crate::state::{Action, AppState, Command, Commands, clip_correction};
use crate::ui::actions;
use crate::ui::names::Name;
use crate::ui::search::Filter;
use crate::ui::theme::ROW_HEIGHT;

#[derive(Default)]
pub(super) struct ClipChooser {
    filter: String,
    was_open: bool,
    /// True to list ranked clips by their loss.
    is_by_loss: bool,
}

const WIDTH: f32 = 160.0;
const LIST: [f32; 2] = [300.0, 320.0];
/// The filter is shown for more clips than this.
const MANY: usize = 8;

/// Tooltip about the sampling error of FBX clips; see [`crate::import`].
const SAMPLED: &str =
    "Sampled from FBX curves: exact at keys and frames; in between, fast rotations are off by up to 0.1°";

fn is_sampled(state: &AppState) -> bool {
    let document = &state.open.stage.document;
    let sources = [&document.source].into_iter().chain(document.clips_from.iter().map(|clips| &clips.source));
    let is_fbx = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("fbx"));
    sources.filter_map(Source::path).any(is_fbx)
}

impl ClipChooser {
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let clip = state.open.stage.playback.clip.and_then(|c| state.open.stage.rig().clips.get(c));
        let chooser = |ui: &mut Ui| {
            // Prevents a long name from filling the row.
            ui.set_max_width(WIDTH);
            // Shortens the name here, because the combo box would cut off its end.
            let spacing = ui.spacing();
            let room = WIDTH - 2.0 * spacing.button_padding.x - spacing.icon_spacing - spacing.icon_width;
            let text = Name::new(clip.map_or("No clip", Clip::title)).galley(ui, room, &format(ui));
            ComboBox::from_id_salt("clip")
                .selected_text(text)
                .width(WIDTH)
                .height(LIST[1] + 2.0 * ROW_HEIGHT)
                .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
                .show_ui(ui, |ui| self.list(ui, state, commands))
        };
        let response = ui.scope(chooser).inner;
        if response.inner.is_none() {
            (self.was_open, self.filter) = (false, String::new());
        }
        let hint = format!("{}; your pose is added on top", clip.map_or("Clip", Clip::title));
        let hint = match clip_correction(&state.open.stage) {
            Some((source, correction)) if correction.is_empty() => format!("{hint}\nFrom {}", source.name()),
            Some((source, _)) => format!("{hint}\nFrom {}, corrected by hand", source.name()),
            None => hint,
        };
        let hint = if clip.is_some() && is_sampled(state) { format!("{hint}\n{SAMPLED}") } else { hint };
        response.response.accessible_name("Clip").on_hover_text(hint);
    }

    fn list(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let clips = &state.open.stage.rig().clips;
        ui.set_width(LIST[0]);
        let (mut chosen, mut is_entered) = (None, false);
        if clips.len() > MANY {
            let field =
                TextEdit::singleline(&mut self.filter).hint_text("🔍 Filter clips").desired_width(f32::INFINITY);
            let field = ui.add(field).accessible_name("Filter clips");
            if !std::mem::replace(&mut self.was_open, true) {
                field.request_focus();
            }
            is_entered = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        }
        let ranking = ranking::header(ui, &mut self.is_by_loss, state, commands);
        let shown = self.shown(clips, ranking.filter(|_| self.is_by_loss));
        if is_entered {
            chosen = shown.first().copied().flatten().map(Some);
        }
        if shown.is_empty() {
            ui.weak("No matching clips");
        }
        let is_chosen = |clip| state.open.stage.playback.clip == clip;
        let correction = clip_correction(&state.open.stage);
        // Keeps the list at the same total height with and without the rows below the clips.
        let below = if correction.is_some() { 3.0 * ROW_HEIGHT } else { 0.0 };
        ScrollArea::vertical().max_height(LIST[1] - below).show_rows(ui, ROW_HEIGHT, shown.len(), |ui, rows| {
            ui.set_min_width(ui.available_width());
            for &clip in &shown[rows] {
                let room = vec2(ui.available_width(), ROW_HEIGHT);
                ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Center), |ui| {
                    let ranked = ranking.zip(clip).and_then(|(ranking, clip)| ranking.get(clip));
                    let clip_data = clip.and_then(|clip| clips.get(clip));
                    if let Some((ranked, clip)) = ranked.zip(clip_data)
                        && ranking::loss(ui, clip, ranked, state, commands)
                    {
                        ui.close();
                    }
                    if row(ui, clip_data, is_chosen(clip)) {
                        chosen = Some(clip);
                    }
                });
            }
        });
        if let Some((source, correction)) = correction {
            ui.separator();
            let corrected = if correction.is_empty() { "" } else { ", corrected by hand" };
            ui.add(Label::new(RichText::new(format!("From {}{corrected}", source.name())).weak()).truncate());
            ui.horizontal(|ui| {
                for action in [Action::CorrectClips, Action::RemoveClipCorrection] {
                    actions::button(ui, action, state, commands);
                }
            });
        }
        if let Some(clip) = chosen {
            commands.push(Command::SetClip(clip));
            ui.close();
        }
    }

    /// Returns the listed clips, in the order of the ranking if there is one. Without a filter, the first entry is
    /// `None`, meaning no clip.
    fn shown(&self, clips: &[Clip], ranking: Option<&ClipRanking>) -> Vec<Option<usize>> {
        let wanted = Filter::new(&self.filter);
        let order = match ranking {
            Some(ranking) => ranking.clips.iter().map(|ranked| ranked.clip).collect(),
            None => (0..clips.len()).collect::<Vec<_>>(),
        };
        let found = order.into_iter().filter(|&c| wanted.is_in(&clips[c].name));
        let rest = wanted.is_empty().then_some(None);
        rest.into_iter().chain(found.map(Some)).collect()
    }
}

fn format(ui: &Ui) -> TextFormat {
    TextFormat::simple(TextStyle::Button.resolve(ui.style()), Color32::PLACEHOLDER)
}

fn row(ui: &mut Ui, clip: Option<&Clip>, is_chosen: bool) -> bool {
    let text = clip.map_or("No clip", Clip::title);
    let length = clip.map_or_else(String::new, |clip| format!("{:.2} s", clip.duration_secs));
    let length = RichText::new(length).monospace().weak();
    let length = WidgetText::from(length).into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Button);
    let spacing = ui.spacing();
    let room = ui.available_width() - 2.0 * spacing.button_padding.x - 2.0 * spacing.icon_spacing - length.size().x;
    let short = Name::new(text).galley(ui, room, &format(ui));
    let button = Button::selectable(is_chosen, short).right_text(length);
    let row = ui.add_sized([ui.available_width(), ROW_HEIGHT], button);
    row.accessible_name(text).on_hover_text(text).clicked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::chain;
    use crate::rig::{Rig, RigData, Trs};
    use crate::stage::{BuiltIn, Document};
    use crate::state::Settings;

    #[test]
    fn fbx_clips_are_reported_as_sampled() {
        let is_sampled_in = |source: Source| {
            let rig = Rig::new(RigData { hierarchy: chain(1, Trs::IDENTITY), ..RigData::default() });
            is_sampled(&AppState::new(Document::new(source, rig, Vec::new()), Settings::default()))
        };
        assert!(is_sampled_in(Source::File("walk.FBX".into())));
        assert!(!is_sampled_in(Source::File("walk.glb".into())) && !is_sampled_in(Source::BuiltIn(BuiltIn::Tube)));
    }
}
