use egui::{Event, Key, PointerButton, Ui};
use glam::Vec2;

use super::super::area::Area;
use super::paint::reading;
use crate::fonts::drawn;
use crate::gizmo::{AxisLock, Drag, DragChange, DragKey, DragStep, Handle, KeyedDrag, Modifiers, Targets, Tool};
use crate::rig::NodeIndex;
use crate::state::{AppState, Command};
use crate::view::Lens;

pub(super) struct RunningDrag {
    keyed: KeyedDrag,
    targets: Targets,
    selected: Vec<NodeIndex>,
    /// Pointer position at the start of the drag, points in the view.
    cursor: Vec2,
    /// Snapping step while Ctrl is held, in the tool's unit.
    snap: f32,
    /// True to move the active joint's chain with IK, false to move only the joint.
    uses_ik: bool,
    /// Change that has already been applied to the pose.
    applied: DragChange,
}

impl RunningDrag {
    /// Starts a drag of a handle. Returns `None` if the joint is behind the camera.
    pub(super) fn by_pointer(
        handle: Handle,
        targets: Targets,
        state: &AppState,
        lens: &Lens,
        pressed_at: Vec2,
    ) -> Option<Self> {
        let drag = Drag::start(handle, targets.frame(), lens, pressed_at)?;
        let tool = state.settings.posing.tool;
        Some(Self::new(KeyedDrag::by_pointer(drag), tool, targets, state, pressed_at))
    }

    /// Starts a drag without a handle. Returns `None` if the active joint is behind the camera.
    pub(super) fn by_keys(
        tool: Tool,
        targets: Targets,
        state: &AppState,
        lens: &Lens,
        cursor: Option<Vec2>,
    ) -> Option<Self> {
        let cursor = cursor.or(targets.frame().center(lens))?;
        let drag = Drag::start(tool.free_handle(), targets.frame(), lens, cursor)?;
        Some(Self::new(KeyedDrag::by_keys(drag), tool, targets, state, cursor))
    }

    fn new(keyed: KeyedDrag, tool: Tool, targets: Targets, state: &AppState, cursor: Vec2) -> Self {
        Self {
            applied: keyed.drag().change(),
            keyed,
            targets,
            selected: state.open.stage.view.selected.clone(),
            cursor,
            snap: snap(tool, state.open.stage.rig().size()),
            uses_ik: state.settings.posing.ik && tool == Tool::Move,
        }
    }

    /// Returns whether the drag belongs to the open edit and the selected joints.
    pub(super) fn is_for(&self, state: &AppState) -> bool {
        self.selected == state.open.stage.view.selected && state.open.stage.view.is_dragging
    }

    pub(super) fn drag(&self) -> &Drag {
        self.keyed.drag()
    }

    pub(super) fn is_by_keys(&self) -> bool {
        self.keyed.lock().is_some()
    }

    pub(super) fn take_keys(&mut self, ui: &Ui) -> DragStep {
        let steps = ui.input(|i| i.events.iter().flat_map(|event| self.take(event)).collect::<Vec<_>>());
        if !steps.is_empty() {
            // Repaints so that a typed number takes effect without pointer motion.
            ui.ctx().request_repaint();
        }
        steps.into_iter().find(|step| *step != DragStep::Continue).unwrap_or(DragStep::Continue)
    }

    fn take(&mut self, event: &Event) -> Vec<DragStep> {
        let keys = match event {
            Event::Text(text) => text.chars().map(DragKey::Typed).collect(),
            Event::PointerButton { button: PointerButton::Primary, pressed: true, .. } if self.is_by_keys() => {
                vec![DragKey::Enter]
            }
            Event::PointerButton { button: PointerButton::Secondary, pressed: true, .. } => vec![DragKey::Escape],
            Event::Key { key: Key::Backspace, pressed: true, .. } => vec![DragKey::Backspace],
            Event::Key { key, pressed: true, repeat: false, .. } => match key {
                Key::X => vec![DragKey::Axis(0)],
                Key::Y => vec![DragKey::Axis(1)],
                Key::Z => vec![DragKey::Axis(2)],
                Key::Enter => vec![DragKey::Enter],
                Key::Escape => vec![DragKey::Escape],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        keys.into_iter().map(|key| self.keyed.press(key)).collect()
    }

    pub(super) fn follow(&mut self, ui: &Ui, view: &Area) -> Option<Command> {
        let (pos, held) = ui.input(|i| (i.pointer.latest_pos(), i.modifiers));
        let modifiers = Modifiers { snap: held.command.then_some(self.snap), fine: held.shift };
        let cursor = pos.map_or(self.cursor, |pos| view.to_view(pos));
        let change = self.keyed.drag_mut().update(&view.lens, cursor, modifiers);
        if change == std::mem::replace(&mut self.applied, change) {
            return None;
        }
        match (change, self.selected.last()) {
            (DragChange::Move { by, .. }, Some(&node)) if self.uses_ik => {
                Some(Command::Pull { node, target: self.targets.frame().origin + by })
            }
            _ => Some(Command::EditMany(self.targets.changed(change, self.drag().frame()))),
        }
    }

    /// Describes a keyboard drag, such as "Rotate Hand about global X: 45°". Returns `None` for a mouse drag.
    pub(super) fn status(&self, state: &AppState) -> Option<String> {
        let lock = self.keyed.lock()?;
        let (verb, along, unit) = match self.drag() {
            Drag::Rotate(_) => ("Rotate", "about", "°"),
            Drag::Move(_) if self.uses_ik => ("IK", "along", " m"),
            Drag::Move(_) => ("Move", "along", " m"),
            Drag::Scale(_) => ("Scale", "along", ""),
        };
        let what = match self.selected.as_slice() {
            [node] => drawn(state.open.stage.rig().hierarchy.name(*node)).into_owned(),
            several => format!("{} joints", several.len()),
        };
        let space = |is_own: bool| match (is_own, self.drag(), state.settings.orientation) {
            (_, Drag::Scale(_), _) => "local".to_owned(),
            (false, ..) => "global".to_owned(),
            (true, _, orientation) => format!("{:?}", orientation.beside_world()).to_lowercase(),
        };
        let axis = |axis: usize| ["X", "Y", "Z"][axis];
        let bound = match lock {
            AxisLock::Free => String::new(),
            AxisLock::World(number) => format!(" {along} {} {}", space(false), axis(number)),
            AxisLock::Own(number) => format!(" {along} {} {}", space(true), axis(number)),
        };
        let typed = self.drag().typed();
        let value = if typed.is_empty() { reading(self.drag()) } else { format!("{typed}{unit}") };
        Some(format!("{verb} {what}{bound}: {value}"))
    }
}

/// Returns the snapping step of a tool: 15° in radians for rotation; the largest power of ten up to a tenth of the
/// character's size, in metres, for moving; 0.1 for scale.
fn snap(tool: Tool, size: f32) -> f32 {
    match tool {
        Tool::Rotate => 15.0_f32.to_radians(),
        Tool::Move => 10.0_f32.powf((size * 0.1).log10().floor()),
        Tool::Scale => 0.1,
    }
}
