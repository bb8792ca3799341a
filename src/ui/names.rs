//! Names that are shortened to fit a width. The prefix shared with other names, which is dimmed, is shortened first,
//! then the middle. A tooltip shows the whole name. Characters that would break a line or reverse its direction are
//! escaped.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Button, Color32, Galley, Response, Role, Sense, TextStyle, Ui, WidgetInfo};

use super::theme;
use crate::fonts::{drawn, may_be_right_to_left};
use crate::rig::{Hierarchy, NodeIndex, Rig, prefix_length};
use crate::text::escaped;

/// Returns a node's path for a tooltip. Replaces the start of a long path with an ellipsis.
pub(super) fn path_hint(hierarchy: &Hierarchy, node: NodeIndex) -> String {
    const MAX_NAMES: usize = 16;
    let mut above = hierarchy.ancestors(node);
    let mut names: Vec<Cow<'_, str>> =
        above.by_ref().take(MAX_NAMES - 1).map(|above| drawn(hierarchy.name(above))).collect();
    names.extend(above.next().map(|_| Cow::Borrowed("…")));
    names.reverse();
    names.push(drawn(hierarchy.name(node)));
    names.join("/")
}

#[derive(Clone)]
pub(super) struct Name<'a> {
    whole: &'a str,
    text: Cow<'a, str>,
    /// Length of the prefix that `text` shares with other names, bytes.
    common: usize,
    /// Byte range of `text` that matches a filter.
    found: Range<usize>,
}

impl<'a> Name<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self::marked(text, 0, 0..0)
    }

    pub(super) fn among(text: &'a str, prefix: &str) -> Self {
        Self::marked(text, prefix_length(text, prefix), 0..0)
    }

    pub(super) fn for_node(node: NodeIndex, rig: &'a Rig) -> Self {
        Self::among(rig.hierarchy.name(node), rig.joint_prefix())
    }

    /// Creates a name with a shared prefix of `common` bytes. The byte range `found` is highlighted.
    pub(super) fn marked(whole: &'a str, common: usize, found: Range<usize>) -> Self {
        let text = drawn(whole);
        let [common, start, end] = match &text {
            Cow::Borrowed(_) => [common, found.start, found.end],
            // Right-to-left text is reordered, so byte positions don't match.
            Cow::Owned(_) if whole.contains(may_be_right_to_left) => [0; 3],
            // Escaping makes the text longer, so byte positions shift.
            Cow::Owned(_) => [common, found.start, found.end].map(|at| escaped(&whole[..at]).len()),
        };
        Self { whole, text, common, found: start..end }
    }

    pub(super) fn galley(&self, ui: &Ui, room: f32, format: &TextFormat) -> Arc<Galley> {
        let mut sum = room;
        loop {
            let galley = ui.painter().layout_job(self.job(ui, sum, format));
            let over = galley.size().x - room;
            // Shaped text may be slightly wider than the sum of its glyph widths, so this retries with less width.
            if over <= 0.0 || sum <= 0.0 {
                return galley;
            }
            sum -= over.max(1.0);
        }
    }

    fn job(&self, ui: &Ui, room: f32, plain: &TextFormat) -> LayoutJob {
        let pieces =
            ui.fonts_mut(|fonts| fitted(&self.text, self.common, room, |c| fonts.glyph_width(&plain.font_id, c)));
        let weak = TextFormat { color: ui.visuals().weak_text_color(), ..plain.clone() };
        let mut text = LayoutJob::default();
        text.wrap.max_width = f32::INFINITY;
        let mut end = 0;
        for piece in pieces {
            if piece.start > end {
                text.append("…", 0.0, weak.clone());
            }
            end = piece.end;
            let mut cuts = [piece.start, self.common, self.found.start, self.found.end, piece.end]
                .map(|at| at.clamp(piece.start, end));
            cuts.sort_unstable();
            for part in cuts.windows(2).map(|cut| cut[0]..cut[1]).filter(|part| !part.is_empty()) {
                let mut format = if part.start < self.common { weak.clone() } else { plain.clone() };
                if self.found.contains(&part.start) {
                    format.background = theme::SELECTION.gamma_multiply(0.35);
                }
                text.append(&self.text[part], 0.0, format);
            }
        }
        text
    }

    pub(super) fn label(&self, ui: &mut Ui) -> Response {
        let color = ui.visuals().text_color();
        self.label_in(ui, &TextStyle::Body, color)
    }

    pub(super) fn label_in(&self, ui: &mut Ui, style: &TextStyle, color: Color32) -> Response {
        let galley = self.galley(ui, ui.available_width(), &TextFormat::simple(style.resolve(ui.style()), color));
        let (rect, response) = ui.allocate_exact_size(galley.size(), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, self.whole));
        ui.painter().galley(rect.min, galley, color);
        response
    }

    pub(super) fn button(&self, ui: &mut Ui, is_chosen: bool) -> Response {
        let room = ui.available_width() - 2.0 * ui.spacing().button_padding.x;
        let visuals = ui.visuals();
        let color = if is_chosen { visuals.selection.stroke.color } else { visuals.text_color() };
        let galley = self.galley(ui, room, &TextFormat::simple(TextStyle::Button.resolve(ui.style()), color));
        ui.add(Button::selectable(is_chosen, galley)).accessible_name(self.whole)
    }
}

pub(super) fn body(ui: &Ui, color: Color32) -> TextFormat {
    TextFormat::simple(TextStyle::Body.resolve(ui.style()), color)
}

/// Shortens the middle of a text to a width in points. Used for text in a single colour, such as menu entries.
pub(super) fn shortened(ui: &Ui, text: &str, room: f32, style: &TextStyle) -> String {
    let font = style.resolve(ui.style());
    let text = drawn(text);
    let [head, tail] = ui.fonts_mut(|fonts| fitted(&text, 0, room, |c| fonts.glyph_width(&font, c)));
    if head.end == text.len() { text.into_owned() } else { format!("{}…{}", &text[head], &text[tail]) }
}

/// Fraction of the width used for the start of a name. It is small, because names differ more often at their ends.
const HEAD: f32 = 1.0 / 3.0;

/// Returns the byte ranges of a name's start and end that fit into a width. Shortens the shared prefix first, then the
/// middle.
fn fitted(name: &str, common: usize, room: f32, mut width: impl FnMut(char) -> f32) -> [Range<usize>; 2] {
    let widths: Vec<(usize, f32)> = name.char_indices().map(|(at, c)| (at, width(c))).collect();
    let ellipsis = width('…');
    if widths.iter().map(|(_, w)| w).sum::<f32>() <= room {
        return [0..name.len(), name.len()..name.len()];
    }
    let taken = |mut left: f32, widths: &mut dyn Iterator<Item = &(usize, f32)>| {
        widths
            .take_while(|(_, w)| {
                left -= w;
                left >= 0.0
            })
            .count()
    };
    let at = |i: usize| widths.get(i).map_or(name.len(), |(at, _)| *at);
    let tail = at(widths.len() - taken(room - ellipsis, &mut widths.iter().rev()));
    if common > 0 && tail <= common {
        return [tail..name.len(), name.len()..name.len()];
    }
    let gaps = if common > 0 { 2.0 } else { 1.0 };
    let left = room - gaps * ellipsis;
    let first = widths.partition_point(|(at, _)| *at < common);
    let kept = &widths[first..];
    let head = taken(left * HEAD, &mut kept.iter());
    let used: f32 = kept[..head].iter().map(|(_, w)| w).sum();
    let tail = taken(left - used, &mut kept.iter().rev());
    [common..at(first + head), at(widths.len() - tail)..name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, common: usize, letters: f32) -> String {
        let mut text = String::new();
        let mut end = 0;
        for piece in fitted(name, common, letters, |_| 1.0) {
            if piece.start > end {
                text.push('…');
            }
            text.push_str(&name[piece.clone()]);
            end = piece.end;
        }
        text
    }

    #[test]
    fn a_long_name_loses_the_beginning_of_what_is_common_and_then_its_middle() {
        assert_eq!(shown("J_Bip_L_UpperArm", 8, 16.0), "J_Bip_L_UpperArm");
        assert_eq!(shown("J_Bip_L_UpperArm", 8, 12.0), "…_L_UpperArm");
        assert_eq!(shown("J_Bip_L_UpperArm", 8, 9.0), "…UpperArm");
        assert_eq!(shown("J_Bip_L_UpperArm", 8, 8.0), "…Up…rArm");
        assert_eq!(shown("LeftHandIndex3", 0, 9.0), "Le…Index3");
        assert_eq!(shown("Ärmelärmel", 0, 5.0), "Ä…mel");
        assert_eq!(shown("Hips", 0, 0.0), "…");
    }

    #[test]
    fn no_more_is_lost_than_must_be() {
        let name = "Skeleton_arm_joint_R__3_";
        assert_eq!(shown(name, name.len() - 2, 23.0), "…eleton_arm_joint_R__3_");
        assert_eq!(shown(name, name.len() - 2, 10.0), "…int_R__3_");
        assert_eq!(shown(name, 0, 10.0), "Ske…_R__3_");
    }
}
