use std::fmt::Debug;

use egui::{Align2, Color32, FontId, Mesh, Painter, Pos2, Shape, Stroke, Ui, Vec2, Visuals, vec2};

use super::super::area::Area;
use super::super::theme;
use crate::gizmo::rotate::{self, RotateDrag, RotateHandle};
use crate::gizmo::{Drag, GizmoFrame, Handle, HandleMark, HandleShape, Tool, scale, translate};

pub(super) fn handles(ui: &Ui, view: &Area, tool: Tool, frame: &GizmoFrame, hovered: Option<Handle>) {
    let painter = ui.painter().with_clip_rect(view.rect);
    let visuals = ui.visuals();
    match tool {
        Tool::Rotate => {
            let active = if let Some(Handle::Rotate(handle)) = hovered { Some(handle) } else { None };
            rings(&painter, view, frame, active, false, visuals);
        }
        Tool::Move => {
            let active = if let Some(Handle::Move(handle)) = hovered { Some(handle) } else { None };
            marks(&painter, view, &translate::outline(frame, &view.lens), active, false, visuals, arrow);
        }
        Tool::Scale => {
            let active = if let Some(Handle::Scale(handle)) = hovered { Some(handle) } else { None };
            marks(&painter, view, &scale::outline(frame, &view.lens), active, false, visuals, cube);
        }
    }
}

pub(super) fn drag(ui: &Ui, view: &Area, drag: &Drag) {
    let painter = ui.painter().with_clip_rect(view.rect);
    let (visuals, frame) = (ui.visuals(), drag.frame());
    let mut number_at = *frame;
    match drag {
        Drag::Rotate(turn) => {
            sector(&painter, view, turn, visuals);
            rings(&painter, view, frame, Some(turn.handle()), true, visuals);
        }
        Drag::Move(way) => {
            let ends = [frame.origin, frame.origin + way.translation()].map(|p| view.lens.project(p));
            if let [Some(from), Some(to)] = ends {
                let ends = [view.to_screen(from), view.to_screen(to)];
                painter.line_segment(ends, Stroke::new(1.5, theme::selection_text(visuals)));
                painter.circle_filled(ends[0], 3.0, theme::selection_text(visuals).gamma_multiply(0.6));
            }
            number_at.origin += way.translation();
            let outline = translate::outline(&number_at, &view.lens);
            marks(&painter, view, &outline, Some(way.handle()), true, visuals, arrow);
        }
        Drag::Scale(factor) => {
            let outline = scale::outline(frame, &view.lens);
            marks(&painter, view, &outline, Some(factor.handle()), true, visuals, cube);
        }
    }
    label(ui, &painter, view, &number_at, &reading(drag));
}

/// Formats the value of a drag, such as "X 42.0°", "Y 0.120 m" or "×1.50".
pub(super) fn reading(drag: &Drag) -> String {
    // Adding 0 turns -0 into 0.
    match drag {
        Drag::Rotate(turn) => {
            let degrees = turn.rotation().angle.to_degrees() + 0.0;
            format!("{}{degrees:.1}°", axis_text(turn.handle()))
        }
        Drag::Move(way) => format!("{}{:.3} m", axis_text(way.handle()), way.distance() + 0.0),
        Drag::Scale(factor) => format!("{}×{:.2}", axis_text(factor.handle()), factor.factor()),
    }
}

/// Returns the axes of a handle, such as "X " or "YZ "; an empty string if the handle has no axes.
fn axis_text(handle: impl Debug) -> String {
    let name = format!("{handle:?}");
    if name.len() > 2 { String::new() } else { name.to_uppercase() + " " }
}

/// Returns the colour of a handle. A plane handle has the colour of the axis along its normal.
fn color(handle: impl Debug, visuals: &Visuals) -> Color32 {
    match axis_text(handle).trim_end() {
        "X" | "YZ" => theme::AXIS_X,
        "Y" | "ZX" => theme::AXIS_Y,
        "Z" | "XY" => theme::AXIS_Z,
        _ if visuals.dark_mode => Color32::from_gray(0xE0),
        _ => Color32::from_gray(0x50),
    }
}

/// Draws the tip of a handle's shaft, given both ends of the shaft.
type DrawTip = fn(&Painter, Pos2, Pos2, Color32);

fn arrow(painter: &Painter, from: Pos2, to: Pos2, color: Color32) {
    let along = (to - from).normalized();
    let across = along.rot90() * 5.0;
    let tip = vec![to + along * 7.0, to - along * 7.0 + across, to - along * 7.0 - across];
    painter.add(Shape::convex_polygon(tip, color, Stroke::NONE));
}

fn cube(painter: &Painter, _: Pos2, to: Pos2, color: Color32) {
    painter.rect_filled(egui::Rect::from_center_size(to, Vec2::splat(10.0)), 1.0, color);
}

/// Draws axis handles and plane handles.
fn marks<H: Copy + PartialEq + Debug>(
    painter: &Painter,
    view: &Area,
    marks: &[HandleMark<H>],
    active: Option<H>,
    is_dragging: bool,
    visuals: &Visuals,
    draw_tip: DrawTip,
) {
    let (others, used): (Vec<_>, Vec<_>) = marks.iter().partition(|mark| Some(mark.handle) != active);
    for mark in others.into_iter().chain(used) {
        let is_active = Some(mark.handle) == active;
        let strength = if is_dragging && !is_active { 0.15 } else { 1.0 };
        let color = if is_active { theme::selection_text(visuals) } else { color(mark.handle, visuals) };
        let color = color.gamma_multiply(strength);
        match &mark.shape {
            HandleShape::Shaft([from, to]) => {
                let [from, to] = [view.to_screen(*from), view.to_screen(*to)];
                painter.line_segment([from, to], Stroke::new(if is_active { 3.5 } else { 2.5 }, color));
                draw_tip(painter, from, to, color);
            }
            HandleShape::Area(corners) => {
                let corners = corners.iter().map(|p| view.to_screen(*p)).collect();
                let fill = color.gamma_multiply(if is_active { 0.5 } else { 0.25 });
                painter.add(Shape::convex_polygon(corners, fill, Stroke::new(1.5, color)));
            }
        }
    }
}

fn rings(
    painter: &egui::Painter,
    view: &Area,
    frame: &GizmoFrame,
    active: Option<RotateHandle>,
    is_dragging: bool,
    visuals: &Visuals,
) {
    let mut rings = rotate::outline(frame, &view.lens);
    rings.sort_by_key(|r| Some(r.handle) == active);
    for ring in rings {
        let is_active = Some(ring.handle) == active;
        if ring.handle == RotateHandle::Trackball {
            if let Some(center) = frame.center(&view.lens).filter(|_| is_active) {
                let fill = color(ring.handle, visuals).gamma_multiply(0.10);
                painter.circle_filled(view.to_screen(center), frame.radius * 0.8, fill);
            }
            continue;
        }
        let strength = match (is_dragging, is_active) {
            (true, false) => 0.15,
            _ if ring.handle == RotateHandle::View && !is_active => 0.45,
            _ => 1.0,
        };
        let color = if is_active { theme::selection_text(visuals) } else { color(ring.handle, visuals) };
        for arc in ring.arcs {
            let points: Vec<Pos2> = arc.points.into_iter().map(|p| view.to_screen(p)).collect();
            let shade = if arc.is_near { 1.0 } else { 0.3 };
            let width = if is_active { 3.5 } else { 2.5 };
            painter.add(Shape::line(points, Stroke::new(width, color.gamma_multiply(strength * shade))));
        }
    }
}

fn sector(painter: &egui::Painter, view: &Area, drag: &RotateDrag, visuals: &Visuals) {
    let Some(sector) = drag.sector(&view.lens) else { return };
    let fill = theme::selection_text(visuals).gamma_multiply(0.22);
    let center = view.to_screen(sector.center);
    for _ in 0..sector.turns.min(3) {
        painter.add(fan(center, sector.disc.iter().map(|p| view.to_screen(*p)), fill.gamma_multiply(0.5)));
    }
    painter.add(fan(center, sector.arc.iter().map(|p| view.to_screen(*p)), fill));
    for end in [sector.arc.first(), sector.arc.last()].into_iter().flatten() {
        painter.line_segment([center, view.to_screen(*end)], Stroke::new(1.5, theme::selection_text(visuals)));
    }
}

/// Fills a sector with a triangle fan, because a sector may be concave.
pub(crate) fn fan(center: Pos2, rim: impl Iterator<Item = Pos2>, fill: Color32) -> Shape {
    let mut mesh = Mesh::default();
    mesh.colored_vertex(center, fill);
    for (i, point) in rim.enumerate() {
        mesh.colored_vertex(point, fill);
        if i > 0 {
            mesh.add_triangle(0, i as u32, i as u32 + 1);
        }
    }
    Shape::mesh(mesh)
}

fn label(ui: &Ui, painter: &Painter, view: &Area, frame: &GizmoFrame, text: &str) {
    let Some(at) = frame.label(&view.lens) else { return };
    let color = ui.visuals().strong_text_color();
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(15.0), color);
    let rect = Align2::CENTER_CENTER.anchor_size(view.to_screen(at), galley.size());
    painter.rect_filled(rect.expand2(vec2(8.0, 4.0)), 6.0, ui.visuals().window_fill.gamma_multiply(0.92));
    painter.galley(rect.min, galley, color);
}
