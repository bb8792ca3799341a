//! A drag that is going on: keys and pointer in, commands out.

use egui::{Event, Key, Ui};
use glam::Vec2;

use super::super::area::Area;
use crate::gizmo::{Drag, DragChange, Handle, Modifiers, Targets, Tool};
use crate::rig::NodeIndex;
use crate::state::{AppState, Command};
use crate::view::Lens;

/// A drag, and the joints that it changes.
pub struct RunningDrag {
    drag: Drag,
    targets: Targets,
    selected: Vec<NodeIndex>,
    /// While Ctrl is held, in the tool's unit.
    snap: f32,
    /// Pulls the active joint's chain instead of moving it.
    pulls: bool,
    /// What the pose has already.
    applied: DragChange,
}

impl RunningDrag {
    /// Takes a handle; `None` where the joint is behind the eye.
    pub fn start(handle: Handle, targets: Targets, state: &AppState, lens: &Lens, pressed_at: Vec2) -> Option<Self> {
        let drag = Drag::start(handle, targets.frame(), lens, pressed_at)?;
        let posing = state.settings.posing;
        Some(Self {
            applied: drag.change(),
            drag,
            targets,
            selected: state.open.view.selected.clone(),
            snap: snap(posing.tool, state.rig().size()),
            pulls: posing.ik && posing.tool == Tool::Move,
        })
    }

    /// False once other joints are selected.
    pub fn is_of(&self, state: &AppState) -> bool {
        self.selected == state.open.view.selected
    }

    /// For the picture.
    pub fn drag(&self) -> &Drag {
        &self.drag
    }

    /// Axis keys and typed numbers.
    pub fn take_keys(&mut self, ui: &Ui) {
        let events = ui.input(|i| i.events.clone());
        for event in events {
            match event {
                Event::Text(text) => text.chars().for_each(|c| _ = self.drag.typed().push(c)),
                Event::Key { key: Key::Backspace, pressed: true, .. } => self.drag.typed().backspace(),
                Event::Key { key, pressed: true, repeat: false, .. } => {
                    if let Some(axis) = [Key::X, Key::Y, Key::Z].iter().position(|k| *k == key) {
                        self.drag.constrain(axis);
                    }
                }
                _ => {}
            }
        }
    }

    /// What the pointer has changed since the last frame.
    pub fn follow(&mut self, ui: &Ui, view: &Area) -> Option<Command> {
        let (pos, held) = ui.input(|i| (i.pointer.latest_pos(), i.modifiers));
        let modifiers = Modifiers { snap: held.command.then_some(self.snap), fine: held.shift };
        let change = self.drag.update(&view.lens, view.to_view(pos?), modifiers);
        if change == std::mem::replace(&mut self.applied, change) {
            return None;
        }
        match (change, self.selected.last()) {
            (DragChange::Move { by, .. }, Some(&node)) if self.pulls => {
                Some(Command::Pull { node, target: self.targets.frame().origin + by })
            }
            _ => Some(Command::EditMany(self.targets.changed(change, &self.drag.frame().axes))),
        }
    }
}

/// 15°; the power of ten under a tenth of the character, metres; a tenth.
fn snap(tool: Tool, size: f32) -> f32 {
    match tool {
        Tool::Rotate => 15.0_f32.to_radians(),
        Tool::Move => 10.0_f32.powf((size * 0.1).log10().floor()),
        Tool::Scale => 0.1,
    }
}
