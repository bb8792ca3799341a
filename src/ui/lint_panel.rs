use egui::collapsing_header::CollapsingState;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Align2, CollapsingHeader, Color32, FontId, Id, Key, Label, Response, RichText, ScrollArea, Sense, Stroke,
    TextStyle, Ui, Vec2, pos2,
};

use super::actions;
use super::compare::weight_problems_ui;
use super::counts::{counted, grouped, repaired};
use super::names::shortened;
use super::profile_view::ProfileView;
use super::search::{Filter, filter_field};
use super::theme;
use crate::analysis::lint::report::{file_json, text};
use crate::analysis::lint::{Code, Finding, Severity, SuppressedFinding};
use crate::project::repair_for;
use crate::stage::{ChoiceState, LintPlan, LintStatus, RigChoice};
use crate::state::{AppState, Command, Commands, SidePanel, skeleton_fix};
use crate::view::Side;
use crate::weights::WeightChoice;

#[derive(Default)]
pub(super) struct LintPanel {
    filter: String,
    profiles: ProfileView,
    shown: Vec<usize>,
    scroll_to_selected: bool,
}

fn settings(ui: &mut Ui, state: &AppState) {
    match &state.open.stage.document.settings {
        Ok(config) => {
            for path in config.files.iter().take(1) {
                let folder = path.parent().and_then(|folder| folder.file_name()).unwrap_or_default().to_string_lossy();
                let said = ui.label(RichText::new(format!("By rigscope.toml in {folder}")).small().weak());
                said.on_hover_text(path.display().to_string());
            }
        }
        Err(problem) => {
            let said = format!("⚠ The project's settings are ignored. {problem}");
            ui.label(RichText::new(said).small().color(ui.visuals().warn_fg_color));
        }
    }
}

const MAX_ROWS: usize = 400;

impl LintPanel {
    /// Handles the Up and Down keys, which select the previous or next finding. Returns whether the panel uses these
    /// keys.
    pub(super) fn keys(&mut self, ctx: &egui::Context, state: &AppState, commands: &mut Commands) -> bool {
        let is_shown = state.panels.is_shown(SidePanel::Lint, &state.settings);
        let Some(selected) = state.open.stage.view.selected_finding().filter(|_| is_shown) else { return false };
        if ctx.text_edit_focused() || egui::Popup::is_any_open(ctx) {
            return true;
        }
        let step = ctx.input(|i| isize::from(i.key_pressed(Key::ArrowDown)) - isize::from(i.key_pressed(Key::ArrowUp)));
        let at = self.shown.iter().position(|&i| i == selected).unwrap_or(0);
        if let Some(&next) = self.shown.get(at.saturating_add_signed(step)).filter(|_| step != 0) {
            commands.push(Command::SelectFinding(Some(next)));
            self.scroll_to_selected = true;
        }
        true
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        settings(ui, state);
        if !state.open.stage.requests.has::<LintPlan>() {
            stopped(ui, commands);
            return;
        }
        let Some(findings) = &state.open.stage.lint.findings else {
            ui.weak("Checking this file…");
            return;
        };
        if self.profiles.ui(ui, &state.open.stage.lint.sheets, commands) {
            return;
        }
        if findings.is_empty() {
            nothing(ui, state);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                suppressed_ui(ui, state, &Filter::default(), commands);
                weight_problems_ui(ui, state, &Filter::default(), commands);
            });
            return;
        }
        let hint = "Filter by code, title or message";
        filter_field(ui, &mut self.filter, "Filter findings", hint);
        let wanted = Filter::new(&self.filter);
        let all = findings.iter().enumerate();
        self.shown = all.filter(|(_, f)| matches(f, &wanted)).map(|(i, _)| i).collect();
        self.copy_buttons(ui, state);
        repaired_line(ui, &LintStatus::for_stage(&state.open.stage));
        ui.add_space(4.0);
        if self.shown.is_empty() {
            ui.weak("No matching findings");
        }
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            self.rows(ui, state, commands);
            suppressed_ui(ui, state, &wanted, commands);
            weight_problems_ui(ui, state, &wanted, commands);
        });
    }

    fn copy_buttons(&self, ui: &mut Ui, state: &AppState) {
        let shown: Vec<&Finding> = self.shown.iter().map(|&i| &state.open.stage.lint.list()[i]).collect();
        ui.horizontal(|ui| {
            let hint = "Copy the findings below";
            if ui.button("Copy as text").on_hover_text(hint).clicked() {
                ui.copy_text(shown.iter().map(|f| text(f) + "\n").collect());
            }
            let hint = "Copy the findings below as rigscope check --json writes them";
            if ui.button("Copy as JSON").on_hover_text(hint).clicked() {
                let hidden = state.open.stage.lint.list().len() - shown.len();
                ui.copy_text(file_json(
                    &state.open.stage.document.source.full_name(),
                    Ok(&shown),
                    [hidden, 0],
                    &[],
                    &state.open.stage.lint.suppressed,
                    &[],
                ));
            }
        });
    }

    fn rows(&mut self, ui: &mut Ui, state: &AppState, commands: &mut Commands) {
        ui.spacing_mut().item_spacing.y = 2.0;
        let list = state.open.stage.lint.list();
        let status = LintStatus::for_stage(&state.open.stage);
        let (mut severity, mut room) = (None, MAX_ROWS);
        for of_code in self.shown.chunk_by(|&a, &b| is_same_kind(&list[a], &list[b])) {
            let first = &list[of_code[0]];
            if severity.replace(first.severity) != Some(first.severity) {
                let shown = self.shown.iter().map(|&i| &list[i]);
                heading(
                    ui,
                    first.severity,
                    shown.filter(|f| f.severity == first.severity && status.is_left(f)).count(),
                );
            }
            let is_selected_in = of_code.iter().any(|&index| state.open.stage.view.selected_finding() == Some(index));
            let is_group = of_code.len() > 1;
            if is_group && !group(ui, of_code.iter().map(|&index| &list[index]), &status, is_selected_in) {
                continue;
            }
            for &index in of_code.iter().take(room) {
                let is_selected = state.open.stage.view.selected_finding() == Some(index);
                let response = row(ui, &list[index], &status, is_group, is_selected);
                commands.push_if(response.clicked(), Command::SelectFinding((!is_selected).then_some(index)));
                if is_selected {
                    if std::mem::take(&mut self.scroll_to_selected) {
                        response.scroll_to_me(None);
                    }
                    selected_ui(ui, &list[index], state, commands);
                }
            }
            if let Some(more @ 1..) = of_code.len().checked_sub(room) {
                ui.weak(format!("{more} more; use the filter to find them."));
            }
            room = room.saturating_sub(of_code.len());
        }
    }
}

fn suppressed_ui(ui: &mut Ui, state: &AppState, wanted: &Filter, commands: &mut Commands) {
    let suppressed = state.open.stage.lint.suppressed.iter();
    let shown: Vec<&SuppressedFinding> =
        suppressed.filter(|s| matches(&s.finding, wanted) || wanted.is_in(&s.reason)).collect();
    if shown.is_empty() {
        return;
    }
    ui.add_space(6.0);
    let title = RichText::new(format!("Suppressed by the file  {}", grouped(shown.len()))).weak();
    CollapsingHeader::new(title).id_salt("suppressed").show_unindented(ui, |ui| {
        for SuppressedFinding { finding, reason } in shown.iter().take(MAX_ROWS) {
            let said = RichText::new(format!("{}  {}", finding.id(), finding.message)).weak();
            let hint = format!("{}\nClick to see where", finding.code.title());
            if ui.add(Label::new(said).sense(Sense::click())).on_hover_text(hint).clicked() {
                commands.push(Command::ShowPlace(finding.target.clone()));
            }
            ui.indent("reason", |ui| ui.label(reason));
        }
    });
}

fn is_same_kind(a: &Finding, b: &Finding) -> bool {
    (a.severity, a.code, a.rule.as_ref().map(|rule| &rule.id))
        == (b.severity, b.code, b.rule.as_ref().map(|rule| &rule.id))
}

fn selected_ui(ui: &mut Ui, finding: &Finding, state: &AppState, commands: &mut Commands) {
    details(ui, finding);
    repair(ui, finding, state, commands);
    if finding.rule.is_none() {
        explanation(ui, finding.code);
    }
}

/// Draws the header of a group of findings with the same code. Returns whether the group is expanded.
fn group<'a>(
    ui: &mut Ui,
    findings: impl ExactSizeIterator<Item = &'a Finding> + Clone,
    status: &LintStatus<'_>,
    is_selected_in: bool,
) -> bool {
    /// Groups with no more findings than this are initially expanded.
    const FEW: usize = 6;
    let Some(first) = findings.clone().next() else { return true };
    let id = Id::unique(("findings", first.id()));
    let mut open = CollapsingState::load_with_default_open(ui.ctx(), id, findings.len() <= FEW);
    if is_selected_in {
        open.set_open(true);
    }
    let left = findings.filter(|finding| status.is_left(finding)).count();
    let (icon, color) = theme::severity_icon(first.severity, ui.visuals());
    let (rect, response) = ui.allocate_exact_size(Vec2::new(ui.available_width(), theme::ROW_HEIGHT), Sense::click());
    let name = format!("{}: {}", first.code.title(), grouped(left));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    if response.clicked() {
        open.toggle(ui);
    }
    theme::paint_row(ui, rect, &response, false);
    let visuals = ui.visuals();
    let (ink, weak) = (visuals.text_color(), visuals.weak_text_color());
    let (left_edge, right_edge, middle) = (rect.left() + 6.0, rect.right() - 6.0, rect.center().y);
    let at_left = |x: f32, text: &str, font: FontId, color: Color32| {
        ui.painter().text(pos2(x, middle), Align2::LEFT_CENTER, text, font, color).right()
    };
    let icon_color = if left == 0 { weak } else { color };
    at_left(left_edge, icon, FontId::proportional(13.0), icon_color);
    let title_at = at_left(left_edge + 20.0, &first.id(), FontId::monospace(11.0), weak) + 6.0;
    let count = format!("{}  {}", grouped(left), if open.is_open() { "⏷" } else { "⏵" });
    let font = FontId::proportional(13.0);
    let count = ui.painter().text(pos2(right_edge, middle), Align2::RIGHT_CENTER, count, font.clone(), weak);
    let title = shortened(ui, first.code.title(), count.left() - 8.0 - title_at, &TextStyle::Body);
    at_left(title_at, &title, font, ink);
    let is_open = open.is_open();
    open.store(ui.ctx());
    let hint = if is_open { "Click to hide these findings" } else { "Click to list these findings" };
    response.on_hover_text(format!("{}\n{hint}", first.code.title()));
    is_open
}

fn matches(finding: &Finding, wanted: &Filter) -> bool {
    wanted.is_in(&finding.id()) || wanted.is_in(finding.code.title()) || wanted.is_in(&finding.message)
}

fn stopped(ui: &mut Ui, commands: &mut Commands) {
    ui.weak("The check of this file was stopped.");
    commands.push_if(ui.button("Re-run").clicked(), Command::request::<LintPlan>(true));
}

fn nothing(ui: &mut Ui, state: &AppState) {
    let rig = state.open.stage.rig();
    ui.heading("Nothing found");
    ui.add_space(4.0);
    let text = format!(
        "{} lint codes checked in {}, {}, {} vertices and {}.",
        Code::ALL.iter().filter(|code| !code.is_on_request()).count(),
        counted(rig.joint_count(), "joint"),
        counted(rig.skins.len(), "skin"),
        grouped(rig.vertex_count()),
        counted(rig.clips.len(), "clip")
    );
    ui.weak(text);
}

fn repaired_line(ui: &mut Ui, status: &LintStatus<'_>) {
    let repaired = repaired(status);
    if repaired.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.strong(format!("{} left", grouped(status.left().count())));
        for (side, said) in repaired {
            let hint = "Fixed on this side, not in the file. Save with File > Export weights";
            let said = RichText::new(said).color(theme::side_text(side, ui.visuals()));
            ui.label(said).on_hover_text(hint);
        }
    });
}

fn heading(ui: &mut Ui, severity: Severity, count: usize) {
    let name = match severity {
        Severity::Error => "Errors",
        Severity::Warning => "Warnings",
        Severity::Note => "Notes",
    };
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.strong(name);
        ui.weak(grouped(count));
    });
}

/// Draws a finding, struck through if a side repairs it. In a group, omits icon and code, which the group's header
/// shows.
fn row(ui: &mut Ui, finding: &Finding, status: &LintStatus<'_>, is_in_group: bool, is_selected: bool) -> Response {
    let visuals = ui.visuals();
    let (icon, color) = theme::severity_icon(finding.severity, visuals);
    let weak = visuals.weak_text_color();
    let (icon_color, ink, strikethrough) = if status.is_left(finding) {
        (color, visuals.text_color(), Stroke::NONE)
    } else {
        let ink = if is_selected { visuals.text_color() } else { weak };
        // The line is fainter than the text, so that the text stays readable.
        (weak, ink, Stroke::new(1.0, ink.gamma_multiply(0.6)))
    };
    let mut job = LayoutJob::default();
    if !is_in_group {
        let font_id = FontId::monospace(11.0);
        let code = TextFormat { font_id, color: weak, valign: Align::Center, ..TextFormat::default() };
        job.append(&format!("{}  ", finding.id()), 0.0, code);
    }
    let font_id = FontId::proportional(13.0);
    job.append(&finding.message, 0.0, TextFormat { font_id, color: ink, strikethrough, ..TextFormat::default() });
    let on = Side::ALL.into_iter().filter(|side| status.is_repaired_on(*side, finding));
    let repaired = on.map(|side| format!("Fixed on {side:?}. ")).collect::<Vec<_>>().concat();
    let name = format!("{repaired}{} {}", finding.id(), finding.message);
    let icon = (if is_in_group { "" } else { icon }, icon_color);
    let response = theme::text_row(ui, job, Some(icon), Sense::click(), (&name, is_selected));
    let hint = if is_selected { "Click or Esc to deselect it" } else { "Click to see where, why and what to do" };
    response.on_hover_text(format!("{}\n{repaired}{hint}", finding.code.title()))
}

fn below_row(ui: &mut Ui, texts: impl FnOnce(&mut Ui)) {
    let frame = egui::Frame::new().inner_margin(egui::Margin { left: 26, right: 6, top: 2, bottom: 8 });
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        texts(ui);
    });
}

fn details(ui: &mut Ui, finding: &Finding) {
    below_row(ui, |ui| {
        for (title, text) in [("Why it matters", finding.why()), ("What to do", finding.advice())] {
            titled(ui, title, text);
        }
        if let Some(note) = marked_fraction(finding) {
            ui.label(RichText::new(note).small().weak());
        }
    });
}

fn explanation(ui: &mut Ui, code: Code) {
    let is_said = |text: &str| [code.why(), code.advice()].contains(&text);
    below_row(ui, |ui| {
        CollapsingHeader::new("What it means and how to fix it").id_salt(code).show_unindented(ui, |ui| {
            for (heading, text) in code.sections().into_iter().filter(|(_, text)| !is_said(text)) {
                titled(ui, heading, &text.replace('`', ""));
            }
        });
    });
}

fn titled(ui: &mut Ui, title: &str, text: &str) {
    ui.label(RichText::new(title).small().weak());
    ui.label(text);
}

fn repair(ui: &mut Ui, finding: &Finding, state: &AppState, commands: &mut Commands) {
    let Some(repair) = repair_for(finding.code) else { return skeleton_repair(ui, finding, state, commands) };
    let is_asked = state.open.stage.view.sides.a.weights.repairs().contains(&repair);
    ui.horizontal(|ui| {
        ui.add_space(26.0);
        if is_asked {
            ui.label(RichText::new(progress_of_repair(state)).small().weak());
        } else {
            let hint = "Fix this on side A; save with File > Export weights";
            commands.push_if(ui.button("Fix").on_hover_text(hint).clicked(), Command::RepairWeights(repair));
        }
    });
}

fn skeleton_repair(ui: &mut Ui, finding: &Finding, state: &AppState, commands: &mut Commands) {
    let Some(action) = skeleton_fix(finding.code) else { return };
    ui.horizontal(|ui| {
        ui.add_space(26.0);
        actions::button_called(ui, action, "Fix", state, commands);
    });
}

fn progress_of_repair(state: &AppState) -> String {
    match WeightChoice::state(&state.open.stage, Side::A) {
        ChoiceState::Missing(problem) => format!("Not fixed: {problem}"),
        ChoiceState::Awaited => "Being fixed on side A.".to_owned(),
        ChoiceState::Own | ChoiceState::Shown(_) => "Fixed on side A. Save with File > Export weights.".to_owned(),
    }
}

fn marked_fraction(finding: &Finding) -> Option<String> {
    let crate::analysis::lint::Target::Primitive { vertices, .. } = &finding.target else { return None };
    let (first, all) = (vertices.first().len(), vertices.count());
    (first < all).then(|| format!("The first {} of {} vertices are marked.", grouped(first), grouped(all)))
}
