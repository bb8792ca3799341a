use egui::Ui;

use crate::posing::{MirrorOrigin, MirrorPlane, Plane};
use crate::state::{AppState, Command, Commands, PosingOptions};

const AXES: [&str; 3] = ["X", "Y", "Z"];

pub(super) const HINT: &str = "Plane for mirroring poses: detected, or normal to a world axis";

pub(super) fn name(state: &AppState) -> String {
    match (state.settings.posing.mirror, state.open.symmetry.plane()) {
        (MirrorPlane::Across { axis, .. }, _) => format!("Mirror {}", AXES[usize::from(axis).min(2)]),
        (MirrorPlane::Auto, Some(plane)) => format!("Mirror {} (auto)", across(plane)),
        (MirrorPlane::Auto, None) => "Mirror auto".to_owned(),
    }
}

fn across(plane: Plane) -> &'static str {
    let along = plane.normal.abs().to_array().map(|x| x > 0.999);
    along.iter().position(|&is_it| is_it).map_or("askew", |axis| AXES[axis])
}

pub(super) fn menu(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let posing = state.settings.posing;
    let (chosen, origin) = match posing.mirror {
        MirrorPlane::Auto => (None, MirrorOrigin::default()),
        MirrorPlane::Across { axis, through } => (Some(axis), through),
    };
    let mut choose = |ui: &mut Ui, mirror: MirrorPlane, name: &str, hint: &str| {
        let is_clicked = ui.radio(posing.mirror == mirror, name).on_hover_text(hint).clicked();
        commands.push_and_close(is_clicked, Command::SetPosing(PosingOptions { mirror, ..posing }), ui);
    };
    choose(ui, MirrorPlane::Auto, "Auto", "Between left and right joints by name, or the best fit");
    for (axis, name) in (0..).zip(AXES) {
        let hint = format!("Mirror along {name}");
        choose(ui, MirrorPlane::Across { axis, through: origin }, name, &hint);
    }
    let Some(axis) = chosen else { return };
    ui.separator();
    for (through, name, hint) in [
        (MirrorOrigin::Root, "Through the root", "The plane goes through the topmost joint at rest"),
        (MirrorOrigin::World, "Through the origin", "The plane goes through the world's origin"),
    ] {
        choose(ui, MirrorPlane::Across { axis, through }, name, hint);
    }
}
