//! Results of checking a character against a platform profile: a badge for the rank, and bars with values and limits.

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, ComboBox, CornerRadius, FontId, Response, RichText, ScrollArea, Sense, Ui, Vec2, pos2, vec2,
};

use super::theme;
use crate::analysis::lint::rules::{ProfileReport, RuleOutcome, RuleResult};
use crate::analysis::lint::{Severity, Target};
use crate::state::{Command, Commands};

#[derive(Default)]
pub(super) struct ProfileView {
    /// Name of the chosen profile; `None` shows the findings.
    chosen: Option<String>,
}

const FINDINGS: &str = "Findings";
/// Maximum height of the profile list, points. All built-in profiles fit into it.
const LIST_HEIGHT: f32 = 500.0;
const BAR: Vec2 = vec2(64.0, 6.0);

impl ProfileView {
    /// Draws the profile chooser and the chosen profile. Returns whether a profile is shown instead of the findings.
    pub(super) fn ui(&mut self, ui: &mut Ui, sheets: &[ProfileReport], commands: &mut Commands) -> bool {
        if sheets.is_empty() {
            return false;
        }
        ui.horizontal(|ui| {
            let shown = self.chosen.clone().unwrap_or_else(|| FINDINGS.to_owned());
            let list = ComboBox::from_id_salt("profile").selected_text(shown).width(140.0).height(LIST_HEIGHT);
            let list = list.show_ui(ui, |ui| {
                ui.selectable_value(&mut self.chosen, None, FINDINGS);
                for sheet in sheets {
                    let label = format!("{}   {}", sheet.profile, sheet.verdict());
                    ui.selectable_value(&mut self.chosen, Some(sheet.profile.clone()), label)
                        .on_hover_text(&sheet.title);
                }
            });
            list.response
                .accessible_name("Profile")
                .on_hover_text("Show findings, or check against a platform profile");
            if let Some(sheet) = self.sheet(sheets) {
                badge(ui, sheet);
            }
        });
        let Some(sheet) = self.sheet(sheets) else { return false };
        ui.label(RichText::new(&sheet.title).small().weak());
        ui.add_space(4.0);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for row in &sheet.rows {
                rule(ui, sheet, row, commands);
            }
        });
        true
    }

    fn sheet<'a>(&self, sheets: &'a [ProfileReport]) -> Option<&'a ProfileReport> {
        sheets.iter().find(|sheet| Some(&sheet.profile) == self.chosen.as_ref())
    }
}

fn color(ui: &Ui, sheet: &ProfileReport, rank: usize, severity: Severity) -> Color32 {
    let visuals = ui.visuals();
    match rank {
        0 => visuals.hyperlink_color,
        rank if rank + 1 < sheet.ranks.len() => theme::severity_icon(Severity::Warning, visuals).1,
        _ => theme::severity_icon(severity, visuals).1,
    }
}

fn badge(ui: &mut Ui, sheet: &ProfileReport) {
    let ink = if sheet.is_undecided() {
        theme::severity_icon(Severity::Warning, ui.visuals()).1
    } else {
        color(ui, sheet, sheet.rank, Severity::Error)
    };
    let reason = sheet.reason();
    let text = RichText::new(sheet.verdict()).strong().color(ink);
    let frame = egui::Frame::new().stroke(egui::Stroke::new(1.0, ink)).corner_radius(8.0);
    let shown = frame.inner_margin(egui::Margin::symmetric(8, 2)).show(ui, |ui| ui.label(text));
    if !reason.is_empty() {
        shown.response.on_hover_text(reason);
    }
}

fn rule(ui: &mut Ui, sheet: &ProfileReport, row: &RuleResult, commands: &mut Commands) {
    let rank = row.rank();
    // Shows the limits of the next better rank, or of the best rank if the character has it.
    let better = rank.unwrap_or(0).saturating_sub(1);
    let has = match (&row.outcome, &row.reading) {
        (RuleOutcome::Unknown(why), _) => why.clone(),
        (_, Some(reading)) => {
            let may = row.rule.limits.describe(row.rule.measure, better);
            format!("{} / {may}", row.rule.measure.number(reading.value))
        }
        (_, None) => "nothing to measure".to_owned(),
    };
    let response = line(ui, sheet, row, &has, better);
    let target = row.reading.as_ref().map(|reading| &reading.target).filter(|target| **target != Target::File);
    let mut hint = row.rule.why.clone().unwrap_or_else(|| row.rule.measure.about().to_owned());
    if let Some(reading) = row.reading.as_ref().filter(|reading| !reading.detail.is_empty()) {
        hint.push('\n');
        hint.push_str(&reading.detail);
    }
    if target.is_some() {
        hint += "\nClick to see where";
    }
    if let Some(target) = target.filter(|_| response.clicked()) {
        commands.push(Command::ShowPlace(target.clone()));
    }
    response.on_hover_text(hint);
    if rank.is_some_and(|rank| rank > 0) {
        let detail = row.reading.as_ref().map_or("", |reading| &reading.detail);
        let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
        let advice = RichText::new(format!("{}{detail}", row.rule.advice())).small().weak();
        egui::Frame::new()
            .inner_margin(egui::Margin { left: 12, ..Default::default() })
            .show(ui, |ui| ui.label(advice));
    }
}

fn line(ui: &mut Ui, sheet: &ProfileReport, row: &RuleResult, has: &str, better: usize) -> Response {
    const HEIGHT: f32 = 24.0;
    const FURTHER: f32 = 16.0;
    const PADDING: f32 = 6.0;
    let rank = row.rank();
    let ink = if rank.is_some() { ui.visuals().text_color() } else { ui.visuals().weak_text_color() };
    let width = ui.available_width();
    let room = width - 3.0 * PADDING - BAR.x;
    let laid_out = |text: &str, max_width: f32| {
        let mut job = LayoutJob::simple_singleline(text.to_owned(), FontId::proportional(13.0), ink);
        job.wrap = TextWrapping::truncate_at_width(max_width);
        ui.painter().layout_job(job)
    };
    let (title, value) = (laid_out(&row.rule.name, width - 2.0 * PADDING), laid_out(has, room));
    let further = if title.size().x + 2.0 * PADDING + value.size().x > room { FURTHER } else { 0.0 };
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT + further), Sense::click());
    let rank_name = rank.and_then(|rank| sheet.ranks.get(rank)).map_or("unknown", String::as_str);
    let name = format!("{}: {has}, {rank_name}", row.rule.name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    theme::paint_row(ui, rect, &response, false);
    let visuals = ui.visuals();
    let (first, last) = (rect.top() + HEIGHT / 2.0, rect.bottom() - HEIGHT / 2.0);
    let painter = ui.painter().with_clip_rect(rect);
    let bar = egui::Rect::from_min_size(pos2(rect.right() - PADDING - BAR.x, last - BAR.y / 2.0), BAR);
    let value_at = pos2(bar.left() - PADDING - value.size().x, last - value.size().y / 2.0);
    painter.galley(pos2(rect.left() + PADDING, first - title.size().y / 2.0), title, ink);
    painter.galley(value_at, value, ink);
    if let (Some(rank), Some(share)) = (rank, row.share(better)) {
        let round = CornerRadius::same(3);
        painter.rect_filled(bar, round, visuals.widgets.noninteractive.bg_stroke.color);
        let width = BAR.x * share.clamp(0.0, 1.0) as f32;
        let filled = egui::Rect::from_min_size(bar.min, vec2(width, BAR.y));
        painter.rect_filled(filled, round, color(ui, sheet, rank, row.rule.severity));
    } else if let Some(rank) = rank {
        let (sign, ink) = if rank == 0 { ("✔", ink) } else { ("✖", color(ui, sheet, rank, row.rule.severity)) };
        painter.text(bar.center(), Align2::CENTER_CENTER, sign, FontId::proportional(13.0), ink);
    }
    response
}
