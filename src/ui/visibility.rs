use std::collections::BTreeSet;

use egui::{RichText, Ui};

use super::counts::grouped;
use super::names::{self, Name};
use super::split_row::split_row;
use crate::rig::Rig;
use crate::state::{AppState, Command, Commands};
use crate::view::{HiddenItems, material, material_name, mesh_name};

#[derive(Clone, Copy, PartialEq)]
enum Hideable {
    Mesh(usize),
    Material(Option<usize>),
}

impl Hideable {
    fn name(self, rig: &Rig) -> String {
        match self {
            Self::Mesh(index) => mesh_name(rig, index),
            Self::Material(index) => material_name(rig, index),
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Mesh(_) => "mesh",
            Self::Material(_) => "material",
        }
    }

    fn is_hidden(self, hidden: &HiddenItems) -> bool {
        match self {
            Self::Mesh(index) => hidden.meshes.contains(&index),
            Self::Material(index) => hidden.materials.contains(&index),
        }
    }

    fn toggled(self, hidden: &HiddenItems) -> HiddenItems {
        let mut hidden = hidden.clone();
        match self {
            Self::Mesh(index) if !hidden.meshes.remove(&index) => _ = hidden.meshes.insert(index),
            Self::Material(index) if !hidden.materials.remove(&index) => _ = hidden.materials.insert(index),
            Self::Mesh(_) | Self::Material(_) => {}
        }
        hidden
    }

    fn all_shown(self, hidden: &HiddenItems) -> HiddenItems {
        match self {
            Self::Mesh(_) => HiddenItems { meshes: BTreeSet::new(), ..hidden.clone() },
            Self::Material(_) => HiddenItems { materials: BTreeSet::new(), ..hidden.clone() },
        }
    }

    fn alone(self, all: &[Self], hidden: &HiddenItems) -> HiddenItems {
        let others = all.iter().filter(|other| **other != self);
        others.fold(self.all_shown(hidden), |hidden, other| other.toggled(&hidden))
    }
}

pub(super) fn ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let rig = state.open.stage.rig();
    let meshes: Vec<Hideable> = (0..rig.instances.len()).map(Hideable::Mesh).collect();
    let mut materials: Vec<Hideable> =
        rig.primitives().map(|(_, primitive)| Hideable::Material(material(primitive))).collect();
    materials.sort_by_key(|part| if let Hideable::Material(index) = part { *index } else { None });
    materials.dedup();
    for (title, items) in [("Meshes", meshes), ("Materials", materials)] {
        if let Some(first) = items.first() {
            ui.add_space(8.0);
            heading(ui, title, first.all_shown(&state.open.stage.view.hidden), state, commands);
        }
        for part in &items {
            row(ui, *part, &items, state, commands);
        }
    }
}

fn heading(ui: &mut Ui, title: &str, all_shown: HiddenItems, state: &AppState, commands: &mut Commands) {
    let name = format!("Show all {}", title.to_lowercase());
    let label = |ui: &mut Ui, _: &mut Commands| _ = ui.strong(title);
    split_row(ui, commands, label, |ui, commands| {
        let button = egui::Button::new(RichText::new("Show all").small()).frame_when_inactive(false);
        let are_hidden = all_shown != state.open.stage.view.hidden;
        if ui.add_enabled(are_hidden, button).on_hover_text(&name).accessible_name(&name).clicked() {
            commands.push(Command::Hide { hidden: all_shown, label: name });
        }
    });
}

fn row(ui: &mut Ui, part: Hideable, all: &[Hideable], state: &AppState, commands: &mut Commands) {
    let (rig, hidden) = (state.open.stage.rig(), &state.open.stage.view.hidden);
    let (name, kind) = (part.name(rig), part.kind());
    let is_hidden = part.is_hidden(hidden);
    let mut is_shown = !is_hidden;
    let checkbox = |ui: &mut Ui, commands: &mut Commands| {
        let color = if is_hidden { ui.visuals().weak_text_color() } else { ui.visuals().text_color() };
        let spacing = ui.spacing();
        let room = ui.available_width() - spacing.icon_width - spacing.icon_spacing;
        let text = Name::new(&name).galley(ui, room, &names::body(ui, color));
        let response = ui.checkbox(&mut is_shown, text).accessible_name(&name).on_hover_text(hint(part, rig));
        if response.changed() {
            let label = format!("{} {name}", if is_hidden { "Show" } else { "Hide" });
            commands.push(Command::Hide { hidden: part.toggled(hidden), label });
        }
    };
    split_row(ui, commands, checkbox, |ui, commands| {
        if all.len() < 2 {
            return;
        }
        let alone = part.alone(all, hidden);
        let is_alone = *hidden == alone;
        let button = egui::Button::selectable(is_alone, RichText::new("Only").small());
        let response = ui.add(button).on_hover_text(format!("Show this {kind} alone, or all again"));
        if response.accessible_name(format!("Only {name}")).clicked() {
            let hidden = if is_alone { part.all_shown(hidden) } else { alone };
            let label = if is_alone { format!("Show all, not {name} alone") } else { format!("Show {name} alone") };
            commands.push(Command::Hide { hidden, label });
        }
    });
}

fn hint(part: Hideable, rig: &Rig) -> String {
    let items = rig.parts().zip(rig.primitives()).filter(|(place, (_, primitive))| match part {
        Hideable::Mesh(index) => place.instance == index,
        Hideable::Material(index) => material(primitive) == index,
    });
    let vertices: usize = items.map(|(_, (_, primitive))| primitive.positions.len()).sum();
    format!("{}: {} vertices. Click to hide or show it", part.name(rig), grouped(vertices))
}
