//! The rotation gizmo on the screen: from pointer and keys to edits of `Ul_j`, and its picture.

use egui::{
    Align2, Color32, CursorIcon, Event, FontId, Key, Mesh, PointerButton, Pos2, Response, Shape, Stroke, Ui, vec2,
};
use glam::Affine3;

use super::theme;
use super::viewport::Area;
use crate::gizmo::rotate::{Drag, Handle, Rotation, hit, outline, turned};
use crate::gizmo::{Frame, Modifiers};
use crate::rig::{NodeIndex, Trs};
use crate::state::{AppState, Command};

/// The drag that is going on, and the handle under the pointer.
#[derive(Default)]
pub struct GizmoView {
    running: Option<Running>,
    hovered: Option<Handle>,
}

struct Running {
    drag: Drag,
    node: NodeIndex,
    at_start: Trs,
    world_before_user: Affine3,
    /// What the pose has already.
    applied: Rotation,
}

/// Step of the angle while Ctrl is held, radians.
const SNAP: f32 = 15.0 * std::f32::consts::PI / 180.0;

impl GizmoView {
    /// True while a handle is being dragged.
    pub fn is_dragging(&self) -> bool {
        self.running.is_some()
    }

    /// Follows pointer and keys; true where they belong to the gizmo and to nothing under it.
    pub fn update(
        &mut self,
        ui: &Ui,
        view: &Area,
        response: &Response,
        state: &AppState,
        commands: &mut Vec<Command>,
    ) -> bool {
        if self.running.as_ref().is_some_and(|r| state.selected() != Some(r.node)) {
            self.running = None;
        }
        if self.running.is_some() {
            self.go_on(ui, view, commands);
            return true;
        }
        let Some((node, frame)) = frame(view, state) else { return false };
        let is_orbiting = ui.input(|i| i.modifiers.alt);
        let at = |pos: Pos2| hit(&frame, &view.lens, view.to_view(pos)).filter(|_| !is_orbiting);
        let is_free = !ui.input(|i| i.pointer.any_down());
        self.hovered = response.hover_pos().filter(|_| is_free || self.hovered.is_some()).and_then(at);
        if response.drag_started_by(PointerButton::Primary) {
            let pressed_at = ui.input(|i| i.pointer.press_origin());
            if let Some((handle, pos)) = pressed_at.and_then(|p| Some((at(p)?, p))) {
                self.running = start(view, state, node, &frame, handle, pos);
                if self.running.is_some() {
                    commands.push(Command::BeginEdit);
                    self.go_on(ui, view, commands);
                    return true;
                }
            }
        }
        let is_on_ring = self.hovered.is_some_and(|h| h != Handle::Trackball);
        if is_on_ring {
            ui.set_cursor_icon(CursorIcon::Grab);
        }
        // A ring wins over a bone under it; inside the rings a click selects and only a drag turns.
        is_on_ring && !response.dragged() && ui.input(|i| i.smooth_scroll_delta().y == 0.0)
    }

    fn go_on(&mut self, ui: &Ui, view: &Area, commands: &mut Vec<Command>) {
        let Some(running) = &mut self.running else { return };
        let (is_cancelled, is_released) = ui.input(|i| {
            (
                i.key_pressed(Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary),
                !i.pointer.button_down(PointerButton::Primary),
            )
        });
        if is_cancelled {
            commands.push(Command::CancelEdit);
            self.running = None;
            return;
        }
        ui.set_cursor_icon(CursorIcon::Grabbing);
        running.take_keys(ui);
        if let Some(user_local) = running.follow(ui, view) {
            commands.push(Command::Edit { node: running.node, user_local });
        }
        if is_released {
            commands.push(Command::EndEdit);
            self.running = None;
        }
    }

    /// Draws the handles of the selected joint, or those of the drag.
    pub fn paint(&self, ui: &Ui, view: &Area, state: &AppState) {
        let Some((_, frame)) = frame(view, state) else { return };
        let painter = ui.painter().with_clip_rect(view.rect);
        if let Some(running) = &self.running {
            let frame = running.drag.frame();
            paint_sector(&painter, view, &running.drag);
            paint_rings(&painter, view, frame, Some(running.drag.handle()), true, ui.visuals().dark_mode);
            paint_label(ui, &painter, view, frame, &running.drag);
        } else {
            paint_rings(&painter, view, &frame, self.hovered, false, ui.visuals().dark_mode);
        }
    }
}

impl Running {
    /// Axis keys and typed degrees.
    fn take_keys(&mut self, ui: &Ui) {
        let events = ui.input(|i| i.events.clone());
        for event in events {
            match event {
                Event::Text(text) => text.chars().for_each(|c| _ = self.drag.typed.push(c)),
                Event::Key { key: Key::Backspace, pressed: true, .. } => self.drag.typed.backspace(),
                Event::Key { key, pressed: true, repeat: false, .. } => {
                    if let Some(handle) = axis_of(key) {
                        self.drag.constrain(handle);
                    }
                }
                _ => {}
            }
        }
    }

    fn follow(&mut self, ui: &Ui, view: &Area) -> Option<Trs> {
        let (pos, held) = ui.input(|i| (i.pointer.latest_pos(), i.modifiers));
        let modifiers = Modifiers { snap: held.command.then_some(SNAP), fine: held.shift };
        let rotation = self.drag.update(&view.lens, view.to_view(pos?), modifiers);
        let is_new = rotation != std::mem::replace(&mut self.applied, rotation);
        is_new.then(|| turned(&self.at_start, &self.world_before_user, rotation.quat()))
    }
}

fn axis_of(key: Key) -> Option<Handle> {
    match key {
        Key::X => Some(Handle::X),
        Key::Y => Some(Handle::Y),
        Key::Z => Some(Handle::Z),
        _ => None,
    }
}

fn frame(view: &Area, state: &AppState) -> Option<(NodeIndex, Frame)> {
    let node = state.selected()?;
    let world = &state.posed().world_from_node[node.index()];
    let before = state.posed().world_before_user(&state.rig().hierarchy, node);
    Some((node, Frame::new(state.settings.orientation, world, &before, &view.lens)))
}

fn start(
    view: &Area,
    state: &AppState,
    node: NodeIndex,
    frame: &Frame,
    handle: Handle,
    pressed_at: Pos2,
) -> Option<Running> {
    let drag = Drag::start(handle, frame, &view.lens, view.to_view(pressed_at))?;
    Some(Running {
        applied: drag.rotation(),
        drag,
        node,
        at_start: *state.pose().user_local(node),
        world_before_user: state.posed().world_before_user(&state.rig().hierarchy, node),
    })
}

fn color(handle: Handle, is_dark: bool) -> Color32 {
    match handle {
        Handle::X => theme::AXIS_X,
        Handle::Y => theme::AXIS_Y,
        Handle::Z => theme::AXIS_Z,
        Handle::View | Handle::Trackball if is_dark => Color32::from_gray(0xE0),
        Handle::View | Handle::Trackball => Color32::from_gray(0x50),
    }
}

fn paint_rings(
    painter: &egui::Painter,
    view: &Area,
    frame: &Frame,
    active: Option<Handle>,
    is_dragging: bool,
    is_dark: bool,
) {
    let mut rings = outline(frame, &view.lens);
    // The ring in use is drawn over the others.
    rings.sort_by_key(|r| Some(r.handle) == active);
    for ring in rings {
        let is_active = Some(ring.handle) == active;
        if ring.handle == Handle::Trackball {
            if let Some(center) = frame.center(&view.lens).filter(|_| is_active) {
                let fill = color(ring.handle, is_dark).gamma_multiply(0.10);
                painter.circle_filled(view.to_screen(center), frame.radius * 0.8, fill);
            }
            continue;
        }
        let strength = match (is_dragging, is_active) {
            (true, false) => 0.15,
            _ if ring.handle == Handle::View && !is_active => 0.45,
            _ => 1.0,
        };
        let color = if is_active { theme::SELECTION } else { color(ring.handle, is_dark) };
        for piece in ring.pieces {
            let points: Vec<Pos2> = piece.points.into_iter().map(|p| view.to_screen(p)).collect();
            let shade = if piece.front { 1.0 } else { 0.3 };
            let width = if is_active { 3.5 } else { 2.5 };
            painter.add(Shape::line(points, Stroke::new(width, color.gamma_multiply(strength * shade))));
        }
    }
}

/// The angle turned, as a fan from where the ring was taken.
fn paint_sector(painter: &egui::Painter, view: &Area, drag: &Drag) {
    let Some(sector) = drag.sector(&view.lens) else { return };
    let fill = theme::SELECTION.gamma_multiply(0.22);
    let center = view.to_screen(sector.center);
    for _ in 0..sector.turns.min(3) {
        painter.add(fan(center, sector.disc.iter().map(|p| view.to_screen(*p)), fill.gamma_multiply(0.5)));
    }
    painter.add(fan(center, sector.arc.iter().map(|p| view.to_screen(*p)), fill));
    for end in [sector.arc.first(), sector.arc.last()].into_iter().flatten() {
        painter.line_segment([center, view.to_screen(*end)], Stroke::new(1.5, theme::SELECTION));
    }
}

/// A fan of triangles: a sector may be concave, so no convex polygon will do.
pub fn fan(center: Pos2, rim: impl Iterator<Item = Pos2>, fill: Color32) -> Shape {
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

fn paint_label(ui: &Ui, painter: &egui::Painter, view: &Area, frame: &Frame, drag: &Drag) {
    let Some(at) = frame.label(&view.lens) else { return };
    // 0 and not -0.
    let degrees = drag.rotation().angle.to_degrees() + 0.0;
    let axis = match drag.handle() {
        Handle::X => "X ",
        Handle::Y => "Y ",
        Handle::Z => "Z ",
        Handle::View | Handle::Trackball => "",
    };
    let text = format!("{axis}{degrees:.1}°");
    let color = ui.visuals().strong_text_color();
    let galley = painter.layout_no_wrap(text, FontId::proportional(15.0), color);
    let rect = Align2::CENTER_CENTER.anchor_size(view.to_screen(at), galley.size());
    painter.rect_filled(rect.expand2(vec2(8.0, 4.0)), 6.0, ui.visuals().window_fill.gamma_multiply(0.92));
    painter.galley(rect.min, galley, color);
}
