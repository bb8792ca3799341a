use egui::{ComboBox, Label, ProgressBar, RichText, ScrollArea, Ui};

use crate::analysis::twist::{JointRank, RankList, RotationKind, TestRange};
use crate::rig::Hierarchy;
use crate::stage::{Derived, DerivedKind, JointRankingPlan};
use crate::state::{Action, AppState, Command, Commands, NumberTable, PathUse};
use crate::ui::columns::{ColumnHeading, Columns};
use crate::ui::split_row::split_row;
use crate::ui::theme;

pub(super) struct Ranking {
    columns: Columns<2>,
}

impl Default for Ranking {
    fn default() -> Self {
        Self { columns: Columns::new([52.0, 70.0], 1) }
    }
}

impl Ranking {
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        let ranked = state.open.stage.joint_ranking.known().map(|(_, ranked)| ranked);
        // In a narrow panel, the range gets a row of its own.
        let is_wide = ui.available_width() > 300.0;
        let title = |ui: &mut Ui, commands: &mut Commands| {
            ui.strong("Joints by loss");
            if is_wide {
                range(ui, state, commands);
            }
        };
        split_row(ui, commands, title, |ui, commands| {
            if let Some(Ok(_)) = ranked
                && ui.small_button("Save…").on_hover_text("Save as .csv or .json").clicked()
            {
                commands.push(Command::AskForPath(PathUse::SaveNumbers(NumberTable::Ranking)));
            }
            let text = if ranked.is_some() { "Re-run" } else { "Rank all" };
            if ui.small_button(text).on_hover_text(Action::RankJoints.spec().hint).clicked() {
                commands.push(Command::Do(Action::RankJoints));
            }
        });
        if !is_wide {
            range(ui, state, commands);
        }
        progress::<JointRankingPlan>(ui, "Ranking", state, commands);
        match ranked {
            Some(Ok(ranked)) => self.table(ui, ranked, state, commands),
            Some(Err(problem)) => empty(ui, &problem.to_string()),
            None => empty(ui, "Rank all lists the joints where LBS loses most volume."),
        }
    }

    fn table(&mut self, ui: &mut Ui, ranked: &[JointRank], state: &AppState, commands: &mut Commands) {
        self.headings(ui);
        let hierarchy = &state.open.stage.rig().hierarchy;
        let rows = self.sorted(ranked, hierarchy);
        let height = theme::ROW_HEIGHT;
        ScrollArea::vertical().auto_shrink(false).show_rows(ui, height, rows.len(), |ui, visible| {
            for ranked in &rows[visible] {
                match ranked {
                    RankingRow::Joint(ranked) => self.row(ui, ranked, state, commands),
                    RankingRow::Heading(text) => heading_row(ui, text),
                }
            }
        });
    }

    fn headings(&mut self, ui: &mut Ui) {
        let heading = |title, by: &str| ColumnHeading {
            title,
            name: format!("Sort by {by}"),
            hint: format!("Sort by {by}; click again to reverse"),
        };
        let mut loss = heading("Loss", "loss");
        loss.hint += "\nVolume lost by LBS at the worst angle, sampled every 10°. ";
        loss.hint += super::metric::VOLUME_HINT;
        self.columns.headings(ui, &heading("Joint", "name"), &[loss, heading("Worst at", "angle")]);
    }

    fn row(&self, ui: &mut Ui, ranked: &JointRank, state: &AppState, commands: &mut Commands) {
        let name = state.open.stage.rig().hierarchy.name(ranked.joint);
        let is_selected = state.open.stage.view.active_joint() == Some(ranked.joint);
        let loss = if ranked.loss.is_nan() { "–".to_owned() } else { format!("{:.1} %", ranked.loss * 100.0) };
        let motion = if ranked.motion == RotationKind::Twist { "twist" } else { "bend" };
        let angle =
            if ranked.loss.is_nan() { String::new() } else { format!("{motion} {:.0}°", ranked.angle.to_degrees()) };
        let (strong, weak) = (ui.visuals().text_color(), ui.visuals().weak_text_color());
        let (joint, label) = ((ranked.joint, &**state.open.stage.rig()), format!("{name}, loses {loss}"));
        let response = self.columns.row(ui, joint, is_selected, [(&loss, strong), (&angle, weak)], &label);
        let doubt =
            if ranked.uncertainty >= 5e-4 { format!(" ± {:.1} %", ranked.uncertainty * 100.0) } else { String::new() };
        let hint = format!("{name}: loses {loss}{doubt} {angle}, {} triangles. Click to test it", ranked.triangles);
        if response.on_hover_text(hint).clicked() {
            commands.push(Command::Select(Some(ranked.joint)));
            commands.push(Command::SetTestMotion(ranked.motion));
            commands.push(Command::Do(Action::TestTwist));
        }
    }

    /// Returns the sorted joints. Joints with unreliable results follow under headings.
    fn sorted<'a>(&self, ranked: &'a [JointRank], hierarchy: &Hierarchy) -> Vec<RankingRow<'a>> {
        let of_list = |standing: RankList| {
            let rows: Vec<&JointRank> = ranked.iter().filter(|r| r.rank_list() == standing).collect();
            let heading = standing.heading().filter(|_| !rows.is_empty()).map(RankingRow::Heading);
            heading.into_iter().chain(self.in_order(rows, hierarchy).into_iter().map(RankingRow::Joint))
        };
        [RankList::Ranked, RankList::TooThin, RankList::Speck].into_iter().flat_map(of_list).collect()
    }

    fn in_order<'a>(&self, mut rows: Vec<&'a JointRank>, hierarchy: &Hierarchy) -> Vec<&'a JointRank> {
        match self.columns.sorted_by {
            0 => rows.sort_by_key(|r| hierarchy.name(r.joint)),
            // The joints are already sorted by loss.
            1 => {}
            _ => rows.sort_by(|a, b| b.angle.abs().total_cmp(&a.angle.abs())),
        }
        if self.columns.is_reversed {
            rows.reverse();
        }
        rows
    }
}

/// Chooses the range of angles.
fn range(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let chosen = state.open.twist.range;
    let combo = ComboBox::from_id_salt("range").selected_text(chosen.name()).width(64.0);
    let shown = combo.show_ui(ui, |ui| {
        for range in TestRange::ALL {
            let choice = ui.selectable_label(range == chosen, range.name()).on_hover_text(range.hint());
            commands.push_if(choice.clicked() && range != chosen, Command::SetRankRange(range));
        }
    });
    shown.response.on_hover_text(chosen.hint()).accessible_name("Range of the ranking");
}

enum RankingRow<'a> {
    Joint(&'a JointRank),
    Heading(&'static str),
}

fn heading_row(ui: &mut Ui, heading: &str) {
    let size = [ui.available_width(), theme::ROW_HEIGHT - 2.0];
    ui.add_sized(size, Label::new(RichText::new(heading).small().weak()).truncate());
}

/// Draws the progress of job `D`, if it runs, with a button to cancel it.
pub(super) fn progress<D: Derived>(ui: &mut Ui, what: &str, state: &AppState, commands: &mut Commands) {
    let Some(fraction) = state.open.stage.progress.get::<D>() else { return };
    ui.horizontal(|ui| {
        ui.label(RichText::new(what).small().weak());
        ui.add(ProgressBar::new(fraction).desired_height(4.0).desired_width(120.0));
        commands.push_if(ui.small_button("Cancel").clicked(), Command::CancelTest(DerivedKind::new::<D>()));
    });
}

pub(super) fn empty(ui: &mut Ui, text: &str) {
    ui.add_space(12.0);
    ui.weak(text);
}
