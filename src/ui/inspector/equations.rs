use egui::collapsing_header::{CollapsingState, paint_default_icon};
use egui::{ComboBox, FontId, Id, Label, RichText, Sense, TextStyle, Ui};

use super::matrix_text::{json, line, rows, text};
use super::terms::{SkinJoint, Term, residual, skins_with_joint, terms};
use crate::rig::{NodeIndex, Rig};
use crate::state::{AppState, Commands};
use crate::ui::names;
use crate::ui::split_row::split_row;

pub(super) const HINT: &str = "W_j = W_parent * L_j * Ul_j\nT_j = W_j * IB_j, IB_j = inverse(B_j)\nC_j replaces L_j where a constraint rotates the joint";

#[derive(Default)]
pub(super) struct Equations {
    skin: usize,
}

impl Equations {
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &AppState, node: NodeIndex) {
        let rig = state.open.stage.rig();
        let places: Vec<SkinJoint> =
            skins_with_joint(rig, node).map(|(skin, joint)| SkinJoint { skin, joint }).collect();
        if places.len() > 1 {
            self.skin_chooser(ui, rig, &places);
        }
        let place = places.iter().find(|p| p.skin == self.skin).or(places.first()).copied();
        let name = rig.hierarchy.name(node);
        for term in terms(state, node, place) {
            let is_open = matches!(term.symbol, "C_j" | "Ul_j" | "W_j");
            term_ui(ui, &term, name, is_open);
        }
        if let Some(place) = place {
            residual_ui(ui, rig, node, place);
        }
    }

    /// Draws the menu for choosing a skin. Each skin has its own `B_j`.
    fn skin_chooser(&mut self, ui: &mut Ui, rig: &Rig, places: &[SkinJoint]) {
        let chosen = places.iter().find(|p| p.skin == self.skin).unwrap_or(&places[0]);
        let name = |place: &SkinJoint| match rig.skins[place.skin].name.as_str() {
            "" => format!("skin {}, joint {}", place.skin, place.joint),
            name => format!("skin {} {name}, joint {}", place.skin, place.joint),
        };
        ui.horizontal(|ui| {
            ui.weak("B and T of");
            let text = names::shortened(ui, &name(chosen), ui.available_width() - 28.0, &TextStyle::Button);
            ComboBox::from_id_salt("skin of the equations")
                .selected_text(text)
                .width(ui.available_width())
                .truncate()
                .show_ui(ui, |ui| {
                    for place in places {
                        ui.selectable_value(&mut self.skin, place.skin, name(place));
                    }
                })
                .response
                .accessible_name("Skin")
                .on_hover_text("Each skin has its own bind matrix for this joint");
        });
    }
}

fn term_ui(ui: &mut Ui, term: &Term, joint: &str, is_open: bool) {
    let id = Id::unique(("equation", term.symbol));
    let mut open = CollapsingState::load_with_default_open(ui.ctx(), id, is_open);
    let title = |ui: &mut Ui, _: &mut Commands| {
        open.show_toggle_button(ui, paint_default_icon);
        let symbol = Label::new(RichText::new(term.symbol).monospace().strong()).sense(Sense::click());
        if ui.add(symbol).on_hover_text(term.meaning).clicked() {
            open.toggle(ui);
        }
        let space = Label::new(RichText::new(term.space).small().weak()).truncate();
        ui.add(space).on_hover_text(format!("{}: takes points of the second space to the first", term.space));
    };
    split_row(ui, &mut Commands::default(), title, |ui, _| copy_buttons(ui, term, joint));
    open.show_body_unindented(ui, |ui| numbers(ui, term));
    open.store(ui.ctx());
}

fn copy_buttons(ui: &mut Ui, term: &Term, joint: &str) {
    ui.spacing_mut().item_spacing.x = 2.0;
    for (name, what, write) in
        [("Text", "as text", text as fn(&Term, &str) -> String), ("JSON", "as JSON, with all digits", json)]
    {
        let button = egui::Button::new(RichText::new(name).small()).frame_when_inactive(false);
        let response = ui.add(button).on_hover_text(format!("Copy {} {what}", term.symbol));
        if response.accessible_name(format!("Copy {} as {}", term.symbol, name)).clicked() {
            ui.copy_text(write(term, joint));
        }
    }
}

/// Draws a term, in a font size at which four numbers of eight characters and a letter fit into the width.
fn numbers(ui: &mut Ui, term: &Term) {
    const CHARACTERS: f32 = 37.0;
    const WIDTH: f32 = 0.61;
    let size = (ui.available_width() / (CHARACTERS * WIDTH)).clamp(7.0, 11.5);
    let mono = |text: String| RichText::new(text).font(FontId::monospace(size));
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = (size * 1.4).round();
    let mut row = |letter: &str, values: &[f32], hint: &str| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.add(Label::new(mono(format!("{letter:<2}")).weak()).extend()).on_hover_text(hint);
            ui.add(Label::new(mono(line(values))).extend()).on_hover_text(hint);
        });
    };
    for values in rows(&term.matrix) {
        row("", &values, "First three rows of the matrix; the last column is the translation");
    }
    row("t", &term.trs.translation.to_array(), "Translation x y z, metres");
    row("r", &term.trs.rotation.to_array(), "Rotation as a quaternion x y z w");
    row("s", &term.trs.scale.to_array(), "Scale x y z");
    let scale = term.trs.scale.abs().max_element();
    let is_sheared = !term.trs.to_affine().abs_diff_eq(term.matrix, 1e-4 * (1.0 + scale));
    if is_sheared {
        let text = "Sheared: translation, rotation and scale are approximate.";
        ui.label(RichText::new(text).small().color(ui.visuals().warn_fg_color));
    }
    ui.add_space(4.0);
}

fn residual_ui(ui: &mut Ui, rig: &Rig, node: NodeIndex, place: SkinJoint) {
    let text = match residual(rig, node, place) {
        None => "IB_j has no inverse".to_owned(),
        Some(r) => format!("{:.4} m  {:.2}°  ×{:.4}", r.distance, r.angle.to_degrees(), 1.0 + r.stretch),
    };
    let hint =
        "Rest pose relative to the bind pose: distance, angle and scale of T_j at rest. Zero if they are the same";
    ui.horizontal_wrapped(|ui| {
        ui.weak("Rest vs. bind");
        ui.label(RichText::new(text).monospace());
    })
    .response
    .on_hover_text(hint);
}
