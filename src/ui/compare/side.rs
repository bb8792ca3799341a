use egui::{ComboBox, ProgressBar, Response, RichText, Slider, Ui};

use super::switch::method_menu;
use super::{points, skeleton, weights};
use crate::rig::NodeIndex;
use crate::skinning::{
    Antipodality, InfluenceLimit, JointMethod, Method, Normals, ScaleHandling, Skinning, WeightPrecision,
};
use crate::stage::CentersPlan;
use crate::state::{AppState, Command, Commands};
use crate::ui::inspector::FieldEdit;
use crate::ui::names::Name;
use crate::ui::theme;
use crate::view::{ShownPose, Side};

pub(super) fn ui(ui: &mut Ui, side: Side, state: &AppState, commands: &mut Commands) {
    if state.open.stage.points_on(side).is_some() {
        ui.horizontal(|ui| {
            name(ui, side);
            ui.label("Points of another program");
        });
        weights::ui(ui, side, state, commands);
        points::ui(ui, side, state, commands);
        return;
    }
    let current = &state.open.stage.view.sides[side].skinning;
    let mut skinning = current.clone();
    ui.horizontal(|ui| {
        name(ui, side);
        let menu = ComboBox::from_id_salt("method").width(ui.available_width() - 8.0).truncate();
        let shown = menu.selected_text(skinning.method.full_name());
        shown
            .show_ui(ui, |ui| method_menu(ui, side, state, commands))
            .response
            .accessible_name(format!("Method of {side:?}"));
    });
    if state.open.stage.authored == Some(state.open.stage.view.sides[side].skinning.method) {
        ui.weak("File default").on_hover_text("The method that the file asks for");
    }
    if state.open.stage.awaits_centers(side) {
        waiting(ui, side, state, &mut skinning.method);
    }
    let mut edit = FieldEdit::default();
    if let Method::Blend(share) = &mut skinning.method {
        edit = FieldEdit::new(&[blend_slider(ui, share)]);
    }
    skeleton::ui(ui, side, state, commands);
    weights::ui(ui, side, state, commands);
    options(ui, side, state, commands);
    ui.collapsing(RichText::new("Settings").weak(), |ui| settings(ui, side, &mut skinning));
    ui.collapsing(RichText::new("Engine limits").weak(), |ui| influences(ui, side, &mut skinning.influences));
    ui.collapsing(RichText::new("By joint").weak(), |ui| by_joint(ui, state, &mut skinning));
    edit.changed = skinning != *current;
    edit.emit(|| Command::SetSkinning(side, skinning), commands);
}

fn name(ui: &mut Ui, side: Side) {
    ui.label(RichText::new(format!("{side:?}")).strong().size(15.0).color(theme::side_text(side, ui.visuals())));
}

fn waiting(ui: &mut Ui, side: Side, state: &AppState, method: &mut Method) {
    ui.weak(state.open.stage.method_name(side));
    ui.horizontal(|ui| {
        let done = state.open.stage.progress.get::<CentersPlan>().unwrap_or_default();
        ui.add(ProgressBar::new(done).desired_height(4.0).desired_width(120.0));
        let cancel = ui.small_button("Cancel").accessible_name(format!("Cancel the method of {side:?}"));
        if cancel.on_hover_text("Stop computing centres of rotation and keep LBS").clicked() {
            *method = state.open.stage.skinned(side).skinning.method;
        }
    });
}

fn blend_slider(ui: &mut Ui, share: &mut f32) -> Response {
    let mut percent = *share * 100.0;
    let slider = Slider::new(&mut percent, 0.0..=100.0).suffix(" % DQS").fixed_decimals(0).trailing_fill(true);
    let slider = ui.add(slider).on_hover_text("Blend from LBS to DQS");
    if slider.changed() {
        *share = percent / 100.0;
    }
    slider
}

/// Draws the controls for how a side is shown.
fn options(ui: &mut Ui, side: Side, state: &AppState, commands: &mut Commands) {
    let current = state.open.stage.view.sides[side].options;
    let mut options = current;
    let mut is_rest = options.pose == ShownPose::Rest;
    let hint = format!("Compare the rest pose on {side:?} with the current pose");
    let shown = ui.checkbox(&mut is_rest, "Show rest pose on this side").on_hover_text(hint);
    shown.accessible_name(format!("Rest pose on {side:?}"));
    options.pose = is_rest.into();
    commands.push_if(options != current, Command::SetSideOptions(side, options));
}

fn settings(ui: &mut Ui, side: Side, skinning: &mut Skinning) {
    let blends_motions = skinning.method != Method::Lbs;
    ui.add_enabled_ui(blends_motions, |ui| {
        choice(
            ui,
            side,
            "Scale of joints",
            &mut skinning.scale,
            &[
                (ScaleHandling::TwoPhase, "Two phases", "Blend scale linearly, then rotations: independent of units"),
                (ScaleHandling::AboutJoints, "About the joints", "As Blender: breaks if the root joint is scaled"),
                (ScaleHandling::Drop, "Dropped", "Ignore scale, as simple implementations do"),
            ],
        );
        choice(
            ui,
            side,
            "Antipodality check",
            &mut skinning.antipodality,
            &[
                (Antipodality::Checked, "On", "Flip quaternions to match the heaviest joint's sign"),
                (Antipodality::Unchecked, "Off", "No sign check: some vertices spin the long way round"),
            ],
        );
    })
    .response
    .on_disabled_hover_text("LBS uses no quaternions");
    choice(
        ui,
        side,
        "Normals",
        &mut skinning.normals,
        &[
            (Normals::Transformed, "Transformed", "Transform the file's normals by the inverse transpose"),
            (Normals::Recomputed, "Recomputed", "From the triangles of the posed mesh"),
        ],
    );
}

fn choice<T: Copy + PartialEq>(ui: &mut Ui, side: Side, label: &str, value: &mut T, choices: &[(T, &str, &str)]) {
    ui.horizontal(|ui| {
        ui.label(label);
        let text = choices.iter().find(|c| c.0 == *value).map_or("", |c| c.1);
        let width = (ui.available_width() - 8.0).clamp(40.0, 140.0);
        let combo = ComboBox::from_id_salt(label).width(width).truncate().selected_text(text);
        let shown = combo.show_ui(ui, |ui| {
            for (choice, name, hint) in choices {
                ui.selectable_value(value, *choice, *name).on_hover_text(*hint);
            }
        });
        shown.response.accessible_name(format!("{label} of {side:?}"));
    });
}

fn influences(ui: &mut Ui, side: Side, limit: &mut InfluenceLimit) {
    ui.horizontal_wrapped(|ui| {
        ui.label("Influences");
        for (count, text) in [(Some(1), "1"), (Some(2), "2"), (Some(4), "4"), (Some(8), "8"), (None, "All")] {
            ui.selectable_value(&mut limit.count, count, text)
                .on_hover_text("Influences kept per vertex, largest first");
        }
    });
    let hint = "Renormalise the remaining weights to sum to 1";
    ui.checkbox(&mut limit.renormalizes, "Renormalise").on_hover_text(hint);
    choice(
        ui,
        side,
        "Weights",
        &mut limit.precision,
        &[
            (WeightPrecision::Float, "As in the file", "No rounding"),
            (WeightPrecision::Bits16, "16 bit", "The nearest multiple of 1/65535"),
            (WeightPrecision::Bits8, "8 bit", "The nearest multiple of 1/255"),
        ],
    );
}

fn by_joint(ui: &mut Ui, state: &AppState, skinning: &mut Skinning) {
    let Some(node) = state.open.stage.view.active_joint() else {
        ui.weak("Select a joint to set its method.");
        return;
    };
    Name::for_node(node, state.open.stage.rig()).label(ui).on_hover_text(state.open.stage.rig().hierarchy.name(node));
    ui.horizontal_wrapped(|ui| {
        let own = skinning.by_joint.iter().find(|(n, _)| *n == node).map(|(_, method)| *method);
        for (method, text) in [(None, "As the side"), (Some(JointMethod::Lbs), "LBS"), (Some(JointMethod::Dqs), "DQS")]
        {
            if ui.selectable_label(own == method, text).clicked() {
                set_joint(skinning, node, method);
            }
        }
    });
    if !skinning.by_joint.is_empty() {
        let count = crate::ui::counts::counted(skinning.by_joint.len(), "joint");
        if ui.button(format!("Clear {count}")).on_hover_text("Use the side's method for all joints").clicked() {
            skinning.by_joint.clear();
        }
    }
}

fn set_joint(skinning: &mut Skinning, node: NodeIndex, method: Option<JointMethod>) {
    let at = skinning.by_joint.binary_search_by_key(&node, |(n, _)| *n);
    match (at, method) {
        (Ok(at), Some(method)) => skinning.by_joint[at].1 = method,
        (Ok(at), None) => drop(skinning.by_joint.remove(at)),
        (Err(at), Some(method)) => skinning.by_joint.insert(at, (node, method)),
        (Err(_), None) => {}
    }
}
