//! Names and axes of joints, written over the picture.

use egui::{Align2, FontId, Painter, Pos2, Rect, Stroke, Ui, vec2};
use glam::Vec3;

use super::area::Area;
use super::theme;
use crate::rig::NodeIndex;
use crate::state::AppState;
use crate::view::NamesShown;

/// Length of an axis, points.
const AXIS: f32 = 16.0;
/// More names nobody reads at once.
const MOST_NAMES: usize = 200;

/// Draws what the display options ask for.
pub fn paint(ui: &Ui, view: &Area, state: &AppState) {
    let display = state.open.view.display;
    if !display.bones {
        return;
    }
    let painter = ui.painter().with_clip_rect(view.rect);
    if display.axes {
        joints(state).for_each(|joint| axes(&painter, view, state, joint));
    }
    match display.names {
        NamesShown::Hovered => {}
        NamesShown::Selected => names(ui, &painter, view, state, state.open.view.selected.iter().rev().copied()),
        NamesShown::All => {
            let mut all: Vec<NodeIndex> = joints(state).collect();
            let depth = |joint: &NodeIndex| (origin(state, *joint) - view.lens.eye).dot(view.lens.forward);
            all.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
            names(ui, &painter, view, state, state.open.view.selected.iter().rev().copied().chain(all));
        }
    }
}

/// Those whose bones are shown, each once.
fn joints(state: &AppState) -> impl Iterator<Item = NodeIndex> {
    let mut last = None;
    state.bones().iter().map(|bone| bone.joint).filter(move |joint| last.replace(*joint) != Some(*joint))
}

fn origin(state: &AppState, joint: NodeIndex) -> Vec3 {
    state.posed().world_from_node[joint.index()].translation
}

fn axes(painter: &Painter, view: &Area, state: &AppState, joint: NodeIndex) {
    let world = state.posed().world_from_node[joint.index()];
    let length = AXIS * view.lens.world_per_point(world.translation);
    let Some(from) = view.lens.project(world.translation) else { return };
    for (axis, color) in [world.matrix3.x_axis, world.matrix3.y_axis, world.matrix3.z_axis].into_iter().zip(theme::AXES)
    {
        let end = world.translation + axis.normalize_or_zero() * length;
        if let Some(to) = view.lens.project(end) {
            painter.line_segment([view.to_screen(from), view.to_screen(to)], Stroke::new(1.5, color));
        }
    }
}

/// Those that come first have room; what would lie over them is left out.
fn names(ui: &Ui, painter: &Painter, view: &Area, state: &AppState, joints: impl Iterator<Item = NodeIndex>) {
    let mut taken: Vec<Rect> = Vec::new();
    for joint in joints {
        let Some(at) = view.lens.project(origin(state, joint)).map(|p| view.to_screen(p)) else { continue };
        if taken.len() >= MOST_NAMES || !view.rect.contains(at) {
            continue;
        }
        let is_selected = state.open.view.selected.contains(&joint);
        let visuals = ui.visuals();
        let color = if is_selected { theme::selection_text(visuals) } else { visuals.text_color() };
        let name = state.rig().hierarchy.name(joint);
        let galley = painter.layout_no_wrap(name.to_owned(), FontId::proportional(11.0), color);
        let rect = Align2::LEFT_CENTER.anchor_size(at + vec2(9.0, 0.0), galley.size()).expand2(vec2(3.0, 1.0));
        if taken.iter().any(|other| other.intersects(rect)) {
            continue;
        }
        painter.rect_filled(rect, 3.0, visuals.window_fill.gamma_multiply(0.8));
        painter.galley(Pos2::new(rect.left() + 3.0, rect.top() + 1.0), galley, color);
        taken.push(rect);
    }
}
