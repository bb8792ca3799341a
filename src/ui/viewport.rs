use egui::{Align2, CursorIcon, FontId, Modifiers, PointerButton, Rect, Response, Sense, Ui, Vec2, vec2};
use glam::Vec2 as Point;

use super::actions::{menu_items, menu_toggle};
use super::area::{Area, ViewInput};
use super::box_selection::BoxSelection;
use super::{
    axis_widget, compare, joint_marks, limit_arcs, look_at_target, notices, outliner, pins, probe, shading,
    spring_marks, toolbar, twist,
};
use crate::fonts::drawn;
use crate::gizmo::Tool;
use crate::rig::NodeIndex;
use crate::stage::VertexClick;
use crate::state::{
    Action, AppState, Command, Commands, MenuTarget, Preset, joints_at, unmatched_joint_name, unmatched_joint_notice,
};
use crate::view::{Camera, Layout, Ray, Side, View};

#[derive(Default)]
pub(super) struct Viewport {
    camera_drag: Option<CameraDrag>,
    gizmo: super::gizmo::GizmoView,
    last_click: Option<Point>,
    selection: BoxSelection,
    notices: notices::NoticeArea,
    wipe: compare::WipeHandle,
    pointed_at: Option<PointedAt>,
    /// True if the last press of the right button cancelled no drag, so that its click opens the context menu.
    opens_menu: bool,
    /// Index of the area under the pointer; during a drag, the area where the drag began.
    active: usize,
}

/// Arguments of [`Command::PointAt`].
#[derive(PartialEq)]
struct PointedAt {
    cursor: Point,
    side: Side,
    version: u64,
    camera: Camera,
}

#[derive(Clone, Copy, PartialEq)]
enum CameraDrag {
    Orbit,
    Pan,
    Zoom,
    /// Rotates the environment light instead of the camera.
    Light,
}

/// Camera rotation per point of pointer motion, radians.
const ORBIT_SPEED: f32 = 0.008;
const WHEEL_SPEED: f32 = 0.0022;

impl Viewport {
    /// Returns whether a handle, the wipe line or a box is dragged. During such a drag, the viewport handles the keys.
    pub(super) fn owns_keys(&self) -> bool {
        self.gizmo.is_dragging() || self.selection.is_running() || self.wipe.is_dragging()
    }

    pub(super) fn transform(&mut self, tool: Tool) {
        self.gizmo.transform(tool);
    }

    pub(super) fn status(&self, state: &AppState) -> Option<String> {
        self.gizmo.status(state)
    }

    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        state: &AppState,
        commands: &mut Commands,
        paint: &mut dyn FnMut(&mut Ui, Rect),
    ) {
        let rect = ui.available_rect_before_wrap();
        if rect.width() < 2.0 || rect.height() < 2.0 {
            return;
        }
        let response = ui.allocate_rect(rect, Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Viewport"));
        paint(ui, rect);
        let areas = areas(rect, &state.open.stage.view);
        let aspect = areas[0].rect.width() / areas[0].rect.height();
        commands.push_if((aspect - state.open.stage.aspect).abs() > 1e-4, Command::SetAspect(aspect));
        let view = &areas[self.follow_pointer(ui, &areas)];
        if ui.input(|i| i.pointer.button_pressed(PointerButton::Secondary)) {
            self.opens_menu = !self.owns_keys();
        }
        zoom(ui, view, &response, commands);
        // While probing or editing weights, clicks pick the skin, not the handles in front of it.
        let input = ViewInput { ui, view, response: &response, state };
        let is_editing = state.open.stage.editing.is_on && !self.gizmo.is_dragging();
        let is_probing = is_editing || state.open.stage.probes.is_on && !self.gizmo.is_dragging();
        let is_on_handle = !is_probing && self.gizmo.update(input, commands);
        if is_on_handle {
            // Handles react only to drags. Clicking a handle picks the joint behind it.
            if response.clicked_by(PointerButton::Primary) && !self.gizmo.consumes_click() {
                self.pick(input, commands);
            }
        } else if !self.wipe.update(input, commands) {
            if !self.selection.update(input, commands) {
                self.camera(input, commands);
            }
            self.point_at(input, commands);
            if ui.input(|i| i.modifiers.alt) && !state.open.stage.probes.is_on {
                click_skin(input, commands, |side, ray, held| {
                    // Picks the joint with the largest weight.
                    Command::PickSkin { side, ray, adds: held.shift || held.command }
                });
            } else if is_editing {
                let takes_piece = response.double_clicked_by(PointerButton::Primary);
                click_skin(input, commands, |side, ray, held| {
                    let click = VertexClick { adds: held.shift || held.command, takes_piece };
                    Command::ClickVertex { side, ray, click }
                });
            } else if state.open.stage.probes.is_on && response.clicked_by(PointerButton::Primary) {
                click_skin(input, commands, |side, ray, held| Command::ProbeAt { side, ray, adds: held.shift });
            } else {
                self.pick(input, commands);
            }
        }
        self.context_menu(input, commands);
        self.wipe.paint(ui, view, state);
        for area in &areas {
            spring_marks::paint(ui, area, state);
            joint_marks::paint(ui, area, state);
            limit_arcs::paint(ui, area, state);
            pins::paint(ui, area, state);
            twist::paint_axes(ui, area, state);
            probe::paint(ui, area, state);
            look_at_target::ui(ui, area, state, commands);
            if !is_probing {
                self.gizmo.paint(ui, area, state);
            }
        }
        self.selection.paint(ui, view);
        value_tag(ui, view, &response, state);
        axis_widget::ui(ui, areas.last().unwrap_or(view), commands);
        let rects = [areas[0].rect, areas.last().unwrap_or(view).rect];
        let left = shading::ui(ui, rect, state, commands);
        compare::paint_labels(ui, rects, left, state);
        let tools = toolbar::ui(ui, rects[0], state, commands);
        let above = compare::legend_ui(ui, rects, tools, state, commands);
        no_mesh(ui, rect, state);
        self.notices.ui(ui, rect, above, state, commands);
    }

    /// Requests the overlay value under the pointer, if the pointer or the values have changed.
    fn point_at(&mut self, input: ViewInput<'_>, commands: &mut Commands) {
        let ViewInput { view, response, state, .. } = input;
        let is_still =
            self.camera_drag.is_none() && !state.open.stage.playback.is_playing && !state.open.stage.view.is_dragging;
        let cursor = view.cursor(response).filter(|_| is_still);
        let asked = cursor.and_then(|cursor| {
            let side = view.side_at(cursor, &state.open.stage.view.compare);
            let version = state.open.stage.measured.painted(&state.open.stage.view, side)?.version;
            Some(PointedAt { cursor, side, version, camera: state.open.stage.view.camera })
        });
        if asked == self.pointed_at {
            return;
        }
        let pointer = asked.as_ref().map(|a| (a.side, skin_ray(view, state, a.cursor)));
        commands.push(Command::PointAt(pointer));
        self.pointed_at = asked;
    }

    /// Returns the index of the active area. During a drag, this is the area where the drag began.
    fn follow_pointer(&mut self, ui: &Ui, areas: &[Area]) -> usize {
        let (pointer, moves_on) =
            ui.input(|i| (i.pointer.latest_pos(), !i.pointer.any_down() || i.pointer.any_pressed()));
        if let Some(at) = pointer.filter(|_| moves_on).and_then(|p| areas.iter().position(|a| a.rect.contains(p))) {
            self.active = at;
        }
        self.active = self.active.min(areas.len() - 1);
        self.active
    }

    fn camera(&mut self, ViewInput { ui, view, response, state }: ViewInput<'_>, commands: &mut Commands) {
        let viewport = view.lens.viewport;
        if response.drag_started() {
            self.camera_drag = camera_drag(ui, state.settings.shortcuts.preset);
        }
        if !response.dragged() {
            self.camera_drag = None;
        }
        let delta = response.drag_delta();
        if let Some(drag) = self.camera_drag.filter(|_| delta != Vec2::ZERO) {
            commands.push(match drag {
                CameraDrag::Orbit => Command::Orbit { yaw: -delta.x * ORBIT_SPEED, pitch: delta.y * ORBIT_SPEED },
                CameraDrag::Pan => Command::Pan { delta: Point::new(delta.x, delta.y), viewport_height: viewport.y },
                CameraDrag::Light => Command::TurnLight(delta.x * ORBIT_SPEED),
                CameraDrag::Zoom => {
                    Command::Zoom { factor: ((delta.y - delta.x) * 0.005).exp(), cursor: viewport * 0.5, viewport }
                }
            });
        }
    }

    /// Opens the menu of the joint under the pointer on a right click without a drag; over nothing, that of the view.
    fn context_menu(&self, ViewInput { view, response, state, .. }: ViewInput<'_>, commands: &mut Commands) {
        let is_clicked = response.secondary_clicked();
        if is_clicked && !self.opens_menu {
            return;
        }
        if let Some(cursor) = view.cursor(response).filter(|_| is_clicked) {
            let side = view.side_at(cursor, &state.open.stage.view.compare);
            let bones = state.open.stage.view.display.bones.then_some(&state.open.stage.actor(side).bones);
            let joint = bones.and_then(|bones| joints_at(bones, &view.lens, cursor).first().copied());
            let target = joint.map_or_else(|| MenuTarget::Skin(side, skin_ray(view, state, cursor)), MenuTarget::Joint);
            commands.push(Command::OpenMenu(target));
        }
        let joint = state.open.menu_joint.filter(|joint| joint.index() < state.open.stage.rig().hierarchy.len());
        response.context_menu(|ui| match joint {
            Some(joint) => {
                ui.strong(drawn(state.open.stage.rig().hierarchy.name(joint)));
                outliner::joint_menu(ui, joint, state, commands);
            }
            None => view_menu(ui, state, commands),
        });
    }

    fn pick(&mut self, ViewInput { ui, view, response, state }: ViewInput<'_>, commands: &mut Commands) {
        let is_pickable = state.open.stage.view.display.bones && self.camera_drag.is_none();
        let Some(cursor) = view.cursor(response).filter(|_| is_pickable) else { return };
        let side = view.side_at(cursor, &state.open.stage.view.compare);
        let joints = joints_at(&state.open.stage.actor(side).bones, &view.lens, cursor);
        if let Some(&hovered) = joints.first() {
            commands.push(Command::Hover(Some(hovered)));
            ui.set_cursor_icon(CursorIcon::PointingHand);
            name_tag(ui, view, cursor, state.open.stage.rig().hierarchy.name(hovered));
        } else if let Some(&lone) = joints_at(&state.open.stage.actor(side).unmatched_bones, &view.lens, cursor).first()
        {
            name_tag(ui, view, cursor, &unmatched_joint_name(&state.open.stage, side, lone).unwrap_or_default());
            let is_clicked = response.clicked_by(PointerButton::Primary);
            commands.extend(
                unmatched_joint_notice(&state.open.stage, side, lone).filter(|_| is_clicked).map(Command::Notify),
            );
        }
        if response.clicked_by(PointerButton::Primary) {
            let adds = ui.input(|i| i.modifiers.shift || i.modifiers.command);
            if let Some(&first) = joints.first().filter(|_| adds) {
                commands.push(Command::ToggleSelected(first));
            } else if let Some(next) = self.next_under_cursor(cursor, &joints, state.open.stage.view.active_joint()) {
                commands.push(Command::Select(Some(next)));
            }
            self.last_click = Some(cursor);
        }
    }

    /// Returns the joint under the cursor. Repeated clicks cycle through the joints behind it.
    fn next_under_cursor(&self, cursor: Point, joints: &[NodeIndex], selected: Option<NodeIndex>) -> Option<NodeIndex> {
        let is_again = self.last_click.is_some_and(|last| last.distance(cursor) < 4.0);
        let at = joints.iter().position(|j| Some(*j) == selected).filter(|_| is_again);
        match at {
            Some(at) => joints.get((at + 1) % joints.len()).copied(),
            None => joints.first().copied(),
        }
    }
}

/// Draws the context menu of the view: framing and what is drawn.
fn view_menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    menu_items(ui, &[Action::FrameAll, Action::FrameSelected, Action::PastePose], state, commands);
    ui.separator();
    let display = state.open.stage.view.display;
    for (action, is_on) in [
        (Action::ToggleBones, display.bones),
        (Action::ToggleBonesInFront, display.bones_in_front),
        (Action::ToggleAxes, display.axes),
        (Action::ToggleGrid, display.grid),
        (Action::ToggleWireframe, display.wireframe),
        (Action::ToggleClay, state.open.stage.view.is_clay()),
        (Action::ToggleOrthographic, state.open.stage.view.camera.is_orthographic),
    ] {
        menu_toggle(ui, action, is_on, commands);
    }
}

/// Zooms about the pointer on wheel or pinch input, except during drags.
fn zoom(ui: &Ui, view: &Area, response: &Response, commands: &mut Commands) {
    let Some(cursor) = view.cursor(response).filter(|_| !response.dragged()) else { return };
    let (scroll, pinch) = ui.input(|i| (i.smooth_scroll_delta().y, i.zoom_delta()));
    let factor = (-scroll * WHEEL_SPEED).exp() / pinch;
    commands.push_if((factor - 1.0).abs() > 1e-5, Command::Zoom { factor, cursor, viewport: view.lens.viewport });
}

fn camera_drag(ui: &Ui, preset: Preset) -> Option<CameraDrag> {
    ui.input(|i| {
        let is_down = |b| i.pointer.button_down(b);
        if is_down(PointerButton::Secondary) {
            Some(match (i.modifiers.alt, i.modifiers.shift) {
                (true, _) => CameraDrag::Zoom,
                (false, true) => CameraDrag::Light,
                (false, false) => CameraDrag::Pan,
            })
        } else if is_down(PointerButton::Middle) {
            Some(if preset == Preset::Blender && !i.modifiers.shift { CameraDrag::Orbit } else { CameraDrag::Pan })
        } else if is_down(PointerButton::Primary) {
            Some(CameraDrag::Orbit)
        } else {
            None
        }
    })
}

pub(super) fn camera_drags(preset: Preset) -> [(&'static str, &'static str); 4] {
    let (orbit, pan) = match preset {
        Preset::Blender => ("Middle drag; drag on empty space; Alt + drag anywhere", "Shift + middle drag; right drag"),
        Preset::Viewer | Preset::Maya => {
            ("Drag on empty space; Alt + drag anywhere", "Right or middle drag; Shift or Alt + middle drag")
        }
    };
    [
        ("Orbit", orbit),
        ("Pan", pan),
        ("Zoom to the pointer", "Wheel; Alt + right drag"),
        ("Turn the light on materials", "Shift + right drag"),
    ]
}

fn name_tag(ui: &Ui, view: &Area, cursor: Point, name: &str) {
    let at = view.to_screen(cursor) + vec2(14.0, 14.0);
    let text = ui.painter().layout_no_wrap(
        drawn(name).into_owned(),
        FontId::proportional(12.0),
        ui.visuals().strong_text_color(),
    );
    let background = Rect::from_min_size(at, text.size()).expand2(vec2(6.0, 3.0));
    ui.painter().rect_filled(background, 4.0, ui.visuals().window_fill.gamma_multiply(0.92));
    ui.painter().galley(at, text, ui.visuals().text_color());
}

fn click_skin(
    ViewInput { ui, view, response, state }: ViewInput<'_>,
    commands: &mut Commands,
    command: impl FnOnce(Side, Ray, Modifiers) -> Command,
) {
    let is_clicked = response.clicked_by(PointerButton::Primary);
    let Some(cursor) = view.cursor(response).filter(|_| is_clicked) else { return };
    let side = view.side_at(cursor, &state.open.stage.view.compare);
    commands.push(command(side, skin_ray(view, state, cursor), ui.input(|i| i.modifiers)));
}

/// Returns the world-space ray under the pointer. It starts in front of all visible geometry.
fn skin_ray(view: &Area, state: &AppState, cursor: Point) -> Ray {
    let mut ray = view.lens.ray(cursor);
    if view.lens.is_orthographic {
        // An orthographic camera also shows geometry behind its position.
        let camera = &state.open.stage.view.camera;
        ray.origin -= ray.direction * (camera.scene_size + camera.distance) * 2.0;
    }
    ray
}

fn value_tag(ui: &Ui, view: &Area, response: &Response, state: &AppState) {
    if let (Some(pointed), Some(cursor)) = (&state.open.pointed, view.cursor(response)) {
        name_tag(ui, view, cursor + Point::new(0.0, 20.0), &pointed.text);
    }
}

fn areas(rect: Rect, view: &View) -> Vec<Area> {
    let parts = match view.compare.layout {
        Layout::SideBySide => {
            let (left, right) = rect.split_left_right_at_fraction(0.5);
            vec![(left, Side::A), (right, Side::B)]
        }
        _ => vec![(rect, view.compare.leading())],
    };
    let lens = |rect: Rect| view.camera.lens(Point::new(rect.width(), rect.height()));
    parts.into_iter().map(|(rect, side)| Area { rect, lens: lens(rect), side }).collect()
}

fn no_mesh(ui: &Ui, rect: Rect, state: &AppState) {
    if state.open.stage.rig().instances.is_empty() {
        let message = "This file has no mesh: its bones are shown.";
        let color = ui.visuals().weak_text_color();
        let at = rect.center_bottom() - vec2(0.0, 24.0);
        ui.painter().text(at, Align2::CENTER_CENTER, message, FontId::proportional(13.0), color);
    }
}
