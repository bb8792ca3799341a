//! Framing uses what is drawn, and ignores joints that move nothing.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::sync::Arc;

use glam::{Affine3, Vec3};
use rigscope::import::Job;
use rigscope::rig::{Hierarchy, NodeDescription, Rig, RigData, Trs};
use rigscope::stage::{BuiltIn, Document, Source, Stage};
use rigscope::state::{AppState, Settings};
use rigscope::view::Camera;

use crate::common;

/// Returns the camera of a new window, and the camera that frames an image.
fn cameras(document: &Document) -> [Camera; 2] {
    let state = AppState::new(document.clone(), Settings::default());
    let mut stage = Stage::new(document.clone());
    stage.frame_from([Some(30.0), Some(10.0)], [640, 480]);
    [state.open.stage.view.camera, stage.view.camera]
}

/// Returns the tube with a distant joint in its skin that moves no vertex.
fn with_pole_target() -> Document {
    let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    let old = &tube.rig.hierarchy;
    let mut nodes: Vec<NodeDescription> = (0..old.len())
        .map(|source| old.by_source(source).unwrap())
        .map(|node| NodeDescription {
            name: old.name(node).to_owned(),
            children: old.children(node).iter().map(|child| old.source(*child)).collect(),
            rest: *old.rest(node),
            ..NodeDescription::default()
        })
        .collect();
    let rest = Trs { translation: Vec3::new(0.0, 3.0, 20.0), ..Trs::IDENTITY };
    nodes.push(NodeDescription { name: "Pole".to_owned(), rest, ..NodeDescription::default() });
    let mut parts = RigData::clone(&tube.rig);
    parts.hierarchy = Hierarchy::new(&nodes).unwrap();
    let pole = parts.hierarchy.by_source(nodes.len() - 1).unwrap();
    parts.skins[0].joints.push(pole);
    parts.skins[0].inverse_bind.push(Affine3::IDENTITY);
    Document { rig: Arc::new(Rig::new(parts)), ..tube }
}

#[test]
fn a_joint_far_off_that_moves_no_vertex_changes_no_framing() {
    let plain = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    assert_eq!(cameras(&with_pole_target()), cameras(&plain));
}

#[test]
fn the_case_with_a_pole_target_is_framed_as_the_one_without() {
    let Some(cases) = common::cases() else { return };
    let [with, without] = ["f01_with_pole_target.glb", "f01_without.glb"]
        .map(|name| Document::open(&Source::File(cases.join(name)), &Job::default()).unwrap());
    for (a, b) in cameras(&with).into_iter().zip(cameras(&without)) {
        let is_same =
            (a.distance - b.distance).abs() < 1e-3 * b.distance && a.target.distance(b.target) < 1e-3 * b.distance;
        assert!(is_same, "{a:?} is not {b:?}");
    }
}
