//! One row of the tree: its picture and its menu.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Color32, FontId, Rect, Stroke, StrokeKind, Ui, Vec2, pos2};

use super::super::actions::menu_item;
use super::super::counts::grouped;
use super::super::theme;
use super::name::fitted;
use super::rows::OutlinerRow;
use crate::rig::{NodeIndex, Rig};
use crate::state::{Action, AppState, Command};

/// What can be done with the selected joints, and with the name of this one.
pub fn menu(ui: &mut Ui, node: NodeIndex, state: &AppState, commands: &mut Vec<Command>) {
    for action in [Action::ResetJoint, Action::ResetSubtree] {
        menu_item(ui, action, state, commands);
    }
    ui.separator();
    for action in [Action::CopyPose, Action::PastePose, Action::PasteMirrored, Action::MirrorJoints] {
        menu_item(ui, action, state, commands);
    }
    ui.separator();
    for action in [Action::SelectSubtree, Action::FrameSelected, Action::ToggleIsolated, Action::TogglePin] {
        menu_item(ui, action, state, commands);
    }
    ui.separator();
    let hierarchy = &state.rig().hierarchy;
    for (label, text) in [("Copy name", hierarchy.name(node).to_owned()), ("Copy path", hierarchy.path(node))] {
        if ui.button(label).on_hover_text(&text).clicked() {
            ui.copy_text(text);
            ui.close();
        }
    }
}

/// What a node is, what it moves, and where it is.
pub fn hint(node: NodeIndex, state: &AppState) -> String {
    let rig = state.rig();
    let kind = match (rig.hierarchy.is_helper(node), rig.is_joint(node)) {
        (true, _) => "Helper that holds a scale; the file has no such node",
        (false, true) => "Joint",
        (false, false) => "Node, not a joint",
    };
    let bone = rig.human_bone(node).map_or_else(String::new, |bone| format!(", {bone} in VRM"));
    let posed = if state.pose().is_posed(node) { ", posed" } else { "" };
    let moved = match rig.moved_vertices(node) {
        0 if !rig.is_joint(node) => String::new(),
        1 => "\nMoves 1 vertex".to_owned(),
        count => format!("\nMoves {} vertices", grouped(count)),
    };
    format!("{kind}{bone}{posed}{moved}\n{}", rig.hierarchy.path(node))
}

/// Draws a row; what of its name a filter found is marked.
pub fn paint(
    ui: &Ui,
    row: OutlinerRow,
    rect: Rect,
    indent: f32,
    filter: &str,
    response: &egui::Response,
    state: &AppState,
) {
    let visuals = ui.visuals();
    let is_active = state.selected() == Some(row.node);
    let is_selected = state.open.view.selected.contains(&row.node);
    let fill = if is_selected {
        visuals.selection.bg_fill
    } else if response.hovered() || state.open.view.hovered == Some(row.node) {
        visuals.widgets.hovered.bg_fill
    } else {
        Color32::TRANSPARENT
    };
    ui.painter().rect_filled(rect, 4.0, fill);
    let color = if is_active {
        theme::selection_text(visuals)
    } else if state.rig().is_joint(row.node) || state.rig().skins.is_empty() {
        visuals.text_color()
    } else {
        visuals.weak_text_color()
    };
    let is_pinned = state.open.pinned.contains(&row.node);
    let is_posed = state.pose().is_posed(row.node);
    let marks = if is_pinned {
        26.0
    } else if is_posed {
        14.0
    } else {
        2.0
    };
    let left = indent + 16.0;
    let mut text = name_text(ui, row, filter, rect.right() - marks - left, color, state.rig());
    if let Some(bone) = state.rig().human_bone(row.node) {
        let format =
            TextFormat { font_id: FontId::proportional(11.0), color: visuals.weak_text_color(), ..Default::default() };
        text.append(bone, 6.0, format);
    }
    text.wrap = TextWrapping::truncate_at_width((rect.right() - marks - left).max(24.0));
    let galley = ui.painter().layout_job(text);
    ui.painter().galley(pos2(left, rect.center().y - galley.size().y * 0.5), galley, color);
    if is_pinned {
        let square = Rect::from_center_size(pos2(rect.right() - 20.0, rect.center().y), Vec2::splat(6.0));
        ui.painter().rect_stroke(square, 1.0, Stroke::new(1.5, theme::PIN), StrokeKind::Middle);
    }
    if is_posed {
        ui.painter().circle_filled(pos2(rect.right() - 8.0, rect.center().y), 3.0, visuals.text_color());
    }
}

/// The name as far as there is room for it: what the rows above say already is dimmed, what the filter found is marked.
fn name_text(ui: &Ui, row: OutlinerRow, filter: &str, room: f32, color: Color32, rig: &Rig) -> LayoutJob {
    let font = FontId::proportional(13.0);
    let (label, start) = row.label(&rig.hierarchy);
    let dimmed = 0..start + row.shared;
    let found = found_in(&label, filter).unwrap_or(0..0);
    let pieces = ui.fonts_mut(|fonts| fitted(&label, dimmed.end, room, |c| fonts.glyph_width(&font, c)));
    let plain = TextFormat::simple(font, color);
    let weak = TextFormat { color: ui.visuals().weak_text_color(), ..plain.clone() };
    let mut text = LayoutJob::default();
    let mut end = 0;
    for piece in pieces {
        if piece.start > end {
            text.append("…", 0.0, weak.clone());
        }
        end = piece.end;
        let mut cuts =
            [piece.start, dimmed.end, found.start, found.end, piece.end].map(|at| at.clamp(piece.start, end));
        cuts.sort_unstable();
        for part in cuts.windows(2).map(|cut| cut[0]..cut[1]).filter(|part| !part.is_empty()) {
            let mut format = if dimmed.contains(&part.start) { weak.clone() } else { plain.clone() };
            if found.contains(&part.start) {
                format.background = theme::SELECTION.gamma_multiply(0.35);
            }
            text.append(&label[part], 0.0, format);
        }
    }
    text
}

/// Where a name has the filter's text, upper and lower case alike; bytes.
fn found_in(name: &str, filter: &str) -> Option<Range<usize>> {
    let wanted: Vec<char> = filter.chars().flat_map(char::to_lowercase).collect();
    let starts = name.char_indices().map(|(at, _)| at).filter(|_| !wanted.is_empty());
    starts.into_iter().find_map(|start| {
        let mut rest = wanted.as_slice();
        for (at, c) in name[start..].char_indices() {
            for lower in c.to_lowercase() {
                rest = rest.strip_prefix(&[lower])?;
                if rest.is_empty() {
                    return Some(start..start + at + c.len_utf8());
                }
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::found_in;

    #[test]
    fn a_filter_is_found_whatever_its_case() {
        let cases = [
            ("LeftLowerArm", "lower", Some("Lower")),
            ("LeftLowerArm", "ARM", Some("Arm")),
            ("ÄrmelÄ", "ä", Some("Ä")),
            ("İstanbul", "stan", Some("stan")),
            ("aab", "ab", Some("ab")),
            ("Hips", "", None),
            ("Hips", "arm", None),
        ];
        for (name, filter, found) in cases {
            assert_eq!(found_in(name, filter).map(|range| &name[range]), found, "{filter} in {name}");
        }
    }
}
