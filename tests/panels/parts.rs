//! Hidden meshes and materials: in the list, in undo, when picking, in framing, in sessions and in images.

use crate::common;
use crate::program;

use std::collections::BTreeSet;

use common::rigs::box_primitive;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use program::{Program, program_with};
use rigscope::rig::{
    Hierarchy, Material, MaterialIndex, Mesh, MeshInstance, NodeDescription, NodeIndex, Primitive, Rig, RigData, Trs,
};
use rigscope::stage::{Document, Session, Source};
use rigscope::state::{Action, AfterLoad, Command, JobResult, SidePanel};
use rigscope::view::{HiddenItems, Ray, Side};

/// Returns two boxes far from each other, each with its own material: a sword and a shield.
fn armed() -> Document {
    let materials = ["steel", "wood"].map(|name| Material { name: name.to_owned(), ..Material::default() });
    let node = |(name, x): (&str, f32)| {
        NodeDescription::new(name, Vec::new(), Trs { translation: Vec3::X * x, ..Trs::IDENTITY })
    };
    let boxed = |material: usize| Mesh {
        primitives: vec![Primitive { material: Some(MaterialIndex(material)), ..box_primitive(Vec3::splat(0.5)) }],
        ..Mesh::default()
    };
    let placed =
        |at: usize| MeshInstance { node: NodeIndex(at as u32), mesh: at, skin: None, morph_weights: Vec::new() };
    let rig = Rig::new(RigData {
        hierarchy: Hierarchy::new(&[("sword", 0.0), ("shield", 20.0)].map(node)).unwrap_or_default(),
        meshes: vec![boxed(0), boxed(1)],
        instances: vec![placed(0), placed(1)],
        materials: materials.to_vec(),
        ..RigData::default()
    });
    Document::new(Source::File("armed.glb".into()), rig, Vec::new())
}

fn program() -> Harness<'static, Program> {
    let mut harness = program_with(armed());
    harness.state_mut().apply(Command::SetSidePanel(SidePanel::Skin));
    harness.run();
    harness
}

fn click(harness: &mut Harness<'static, Program>, label: &str) {
    harness.get_by_label(label).click();
    harness.run();
}

fn hidden<'a>(harness: &'a Harness<'static, Program>) -> &'a HiddenItems {
    &harness.state().state.open.stage.view.hidden
}

#[test]
fn a_mesh_is_hidden_by_a_click_and_is_back_by_undo() {
    let mut harness = program();
    harness.get_by_role_and_label(egui::accesskit::Role::CheckBox, "shield").click();
    harness.run();
    assert_eq!(hidden(&harness).meshes, BTreeSet::from([1]));
    assert_eq!(harness.state().state.open.history.undo_label(), Some("Hide shield"));
    harness.state_mut().apply(Command::Do(Action::Undo));
    assert!(hidden(&harness).is_empty());
    harness.state_mut().apply(Command::Do(Action::Redo));
    assert_eq!(hidden(&harness).meshes, BTreeSet::from([1]));
    harness.run();
    click(&mut harness, "Show all meshes");
    assert!(hidden(&harness).is_empty());
    assert_eq!(harness.state().state.open.history.len(), 2);
}

#[test]
fn a_mesh_or_a_material_is_shown_alone_and_all_again() {
    let mut harness = program();
    click(&mut harness, "Only sword");
    assert_eq!(hidden(&harness).meshes, BTreeSet::from([1]));
    click(&mut harness, "Only shield");
    assert_eq!(hidden(&harness).meshes, BTreeSet::from([0]));
    click(&mut harness, "Only shield");
    assert!(hidden(&harness).is_empty());
    click(&mut harness, "Only wood");
    assert_eq!(*hidden(&harness), HiddenItems { materials: [Some(0)].into(), ..HiddenItems::default() });
}

#[test]
fn hidden_meshes_are_neither_picked_nor_framed() {
    let mut harness = program();
    let down = Ray { origin: Vec3::new(20.0, 5.0, 0.0), direction: Vec3::NEG_Y };
    let picked = |harness: &mut Harness<'static, Program>| {
        harness.state_mut().apply(Command::Select(None));
        harness.state_mut().apply(Command::PickSkin { side: Side::A, ray: down, adds: false });
        harness.state().state.open.stage.view.active_joint()
    };
    let framed = |harness: &mut Harness<'static, Program>| {
        harness.state_mut().apply(Command::Do(Action::FrameAll));
        harness.state().state.open.stage.view.camera.target.x
    };
    assert_eq!(picked(&mut harness), Some(harness.state().node("shield")));
    assert!((5.0..15.0).contains(&framed(&mut harness)), "between both");
    for only in ["sword", "steel"] {
        click(&mut harness, &format!("Only {only}"));
        assert!(picked(&mut harness).is_none() && framed(&mut harness).abs() < 0.5, "{only}");
        click(&mut harness, &format!("Only {only}"));
    }
}

#[test]
fn session_hides_by_name_and_reports_missing_items() {
    let mut harness = program();
    click(&mut harness, "Only sword");
    click(&mut harness, "Only wood");
    let kept = hidden(&harness).clone();
    let json = harness.state().state.open.snapshot().session().to_json();
    let restore = |json: &str| {
        let session = Session::parse(json.as_bytes()).map(Box::new);
        let mut harness = program_with(armed());
        if let Ok(session) = session {
            let document = Box::new(armed());
            harness.state_mut().receive(JobResult::Document(document, AfterLoad::Restore(session)));
        }
        harness
    };
    let same = restore(&json);
    assert_eq!((hidden(&same), same.state().state.notices.newest().map(|n| n.text.lines().count())), (&kept, Some(1)));
    let other = restore(&json.replace("shield", "spear"));
    assert_eq!(hidden(&other).meshes, BTreeSet::new());
    let told = other.state().state.notices.newest().map(|n| n.text.clone()).unwrap_or_default();
    assert!(told.contains("mesh \"spear\""), "{told}");
}
