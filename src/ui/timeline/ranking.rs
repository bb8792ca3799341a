//! Header of the clip list: ranks all clips by their worst frame.

use egui::{Button, ProgressBar, RichText, Ui};

use crate::rig::Clip;
use crate::stage::{ClipRanking, ClipRankingPlan, CurrentRequest, RankedClip, RequestState};
use crate::state::{Action, AppState, Command, Commands};
use crate::ui::split_row::split_row;
use crate::view::Side;

/// Draws the header and returns the ranking, if there is one. `is_by_loss` is true if the list is sorted by loss.
pub(super) fn header<'a>(
    ui: &mut Ui,
    is_by_loss: &mut bool,
    state: &'a AppState,
    commands: &mut Commands,
) -> Option<&'a ClipRanking> {
    let ranking = ClipRankingPlan::state(&state.open.stage);
    let small = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).small().weak());
    split_row(
        ui,
        commands,
        |ui, _| match &ranking {
            RequestState::Missing => _ = small(ui, "Rank clips finds the worst frame of each"),
            RequestState::Awaited => {
                let fraction = state.open.stage.progress.get::<ClipRankingPlan>().unwrap_or_default();
                ui.add(ProgressBar::new(fraction).desired_height(4.0).desired_width(120.0));
            }
            RequestState::Failed(problem) => _ = small(ui, problem).on_hover_text(*problem),
            RequestState::Known { is_current, .. } => {
                for (by_loss, text, hint) in [
                    (false, "In file order", "Sort as in the file"),
                    (true, "Worst first", "Sort by volume loss in the worst frame"),
                ] {
                    let button = Button::selectable(*is_by_loss == by_loss, text).small();
                    if ui.add(button).on_hover_text(hint).clicked() {
                        *is_by_loss = by_loss;
                    }
                }
                if !is_current {
                    small(ui, "From before the last change");
                }
            }
        },
        |ui, commands| {
            if matches!(ranking, RequestState::Awaited) {
                let button = ui.small_button("Cancel").accessible_name("Cancel ranking the clips");
                commands.push_if(button.clicked(), Command::RankClips(false));
                return;
            }
            let text = if matches!(ranking, RequestState::Missing) { "Rank clips" } else { "Re-run" };
            let button = ui.add_enabled(state.can(Action::RankClips), Button::new(text).small());
            let button = button.accessible_name(Action::RankClips.spec().name);
            commands.push_if(button.on_hover_text(Action::RankClips.spec().hint).clicked(), Command::RankClips(true));
        },
    );
    if let RequestState::Known { value: ranking, .. } = ranking { Some(ranking) } else { None }
}

/// Draws the loss in a clip's worst frame. A click shows that frame.
pub(super) fn loss(ui: &mut Ui, clip: &Clip, ranked: &RankedClip, state: &AppState, commands: &mut Commands) -> bool {
    let Some((worst, time_secs)) = ranked.worst else {
        ui.add_enabled(false, Button::new("–").frame(false)).on_disabled_hover_text("No joint's loss is certain");
        return false;
    };
    let percent = |side: Side| format!("{:.1} %", worst.loss[side] * 100.0);
    let joint = state.open.stage.actor(Side::A).rig.hierarchy.name(worst.joint);
    let text = RichText::new(percent(Side::A)).monospace();
    let on_b = if worst.loss.b.is_nan() { String::new() } else { format!(", on B {}", percent(Side::B)) };
    let hint = format!("{joint} loses {} on A{on_b} at {time_secs:.2} s. Click to show this frame", percent(Side::A));
    let button = ui.add(Button::new(text).small()).accessible_name(format!("Worst frame of {}", clip.title()));
    let is_clicked = button.on_hover_text(hint).clicked();
    if is_clicked {
        commands.push(Command::SetClip(Some(ranked.clip)));
        commands.push(Command::Seek(time_secs));
        commands.push(Command::Select(state.open.stage.actor(Side::A).open_node(worst.joint)));
    }
    is_clicked
}
