use egui::text::TextFormat;
use egui::{Align2, FontId, Painter, Pos2, Rect, Stroke, Ui, vec2};
use glam::Affine3;

use super::area::Area;
use super::names::Name;
use super::theme;
use crate::rig::NodeIndex;
use crate::state::AppState;
use crate::view::{Layout, Side, VisibleNames};

const AXIS: f32 = 16.0;
const MAX_NAMES: usize = 200;
const MAX_NAME_WIDTH: f32 = 200.0;

#[derive(Clone, Copy)]
struct JointOnScreen<'a> {
    joint: NodeIndex,
    world: &'a Affine3,
    at: Pos2,
}

pub(super) fn paint(ui: &Ui, view: &Area, state: &AppState) {
    let display = state.open.stage.view.display;
    if !display.bones {
        return;
    }
    let painter = ui.painter().with_clip_rect(view.rect);
    let selected = || {
        sides(view, state)
            .flat_map(|side| placed(view, state, side, state.open.stage.view.selected.iter().rev().copied()))
    };
    let all = || sides(view, state).flat_map(|side| placed(view, state, side, joints(state, side)));
    if display.axes {
        all().for_each(|placed| axes(&painter, view, placed));
    }
    match display.names {
        VisibleNames::Hovered => {}
        VisibleNames::Selected => names(ui, &painter, view, state, selected()),
        VisibleNames::All => {
            let mut all: Vec<JointOnScreen<'_>> = all().collect();
            let depth = |placed: &JointOnScreen<'_>| (placed.world.translation - view.lens.eye).dot(view.lens.forward);
            all.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
            names(ui, &painter, view, state, selected().chain(all));
        }
    }
}

fn sides(view: &Area, state: &AppState) -> impl Iterator<Item = Side> {
    let is_shared = state.open.stage.view.compare.shown_layout() == Layout::Wipe;
    let other = Some(Side::B).filter(|_| is_shared);
    std::iter::once(view.side).chain(other)
}

fn joints(state: &AppState, side: Side) -> impl Iterator<Item = NodeIndex> {
    let mut last = None;
    state
        .open
        .stage
        .actor(side)
        .bones
        .iter()
        .map(|bone| bone.joint)
        .filter(move |joint| last.replace(*joint) != Some(*joint))
}

/// Projects joints to the screen. Skips joints that the wipe hides.
fn placed<'a>(
    view: &Area,
    state: &'a AppState,
    side: Side,
    joints: impl Iterator<Item = NodeIndex>,
) -> impl Iterator<Item = JointOnScreen<'a>> {
    joints.filter_map(move |joint| {
        let world = state.open.stage.actor(side).world_from(joint)?;
        let point = view.lens.project(world.translation)?;
        let is_here = view.side_at(point, &state.open.stage.view.compare) == side;
        is_here.then(|| JointOnScreen { joint, world, at: view.to_screen(point) })
    })
}

fn axes(painter: &Painter, view: &Area, JointOnScreen { world, at, .. }: JointOnScreen<'_>) {
    let length = AXIS * view.lens.world_per_point(world.translation);
    for (axis, color) in [world.matrix3.x_axis, world.matrix3.y_axis, world.matrix3.z_axis].into_iter().zip(theme::AXES)
    {
        let end = world.translation + axis.normalize_or_zero() * length;
        if let Some(to) = view.lens.project(end) {
            painter.line_segment([at, view.to_screen(to)], Stroke::new(1.5, color));
        }
    }
}

/// Draws names in order. Skips a name that would overlap an earlier one.
fn names<'a>(
    ui: &Ui,
    painter: &Painter,
    view: &Area,
    state: &AppState,
    placed: impl Iterator<Item = JointOnScreen<'a>>,
) {
    let mut taken: Vec<Rect> = Vec::new();
    for JointOnScreen { joint, at, .. } in placed {
        if taken.len() >= MAX_NAMES || !view.rect.contains(at) {
            continue;
        }
        let is_selected = state.open.stage.view.selected.contains(&joint);
        let visuals = ui.visuals();
        let color = if is_selected { theme::selection_text(visuals) } else { visuals.text_color() };
        let format = TextFormat::simple(FontId::proportional(11.0), color);
        let galley = Name::for_node(joint, state.open.stage.rig()).galley(ui, MAX_NAME_WIDTH, &format);
        let rect = Align2::LEFT_CENTER.anchor_size(at + vec2(9.0, 0.0), galley.size()).expand2(vec2(3.0, 1.0));
        if taken.iter().any(|other| other.intersects(rect)) {
            continue;
        }
        painter.rect_filled(rect, 3.0, visuals.window_fill.gamma_multiply(0.8));
        painter.galley(Pos2::new(rect.left() + 3.0, rect.top() + 1.0), galley, color);
        taken.push(rect);
    }
}
