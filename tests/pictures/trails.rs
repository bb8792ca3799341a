//! Trails of a clip in the viewport.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::sync::Arc;

use common::golden::assert_golden;
use common::gpu::with_scene_and_renderer;
use common::walker::Walker;
use glam::{Vec2, Vec3};
use image::RgbaImage;
use rigscope::analysis::measure::VertexLocation;
use rigscope::import::Job;
use rigscope::rig::{NodeIndex, Rig};
use rigscope::skinning::Method;
use rigscope::stage::{BuiltIn, Document, Source, Stage};
use rigscope::studio::Studio;
use rigscope::view::{Layout, ShadingMode, Side};

const SIZE: [u32; 2] = [360, 300];

/// Returns the waving figure with trails of some joints, without bones and grid.
fn waving(joints: &[&str]) -> Stage {
    let document = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
    let mut stage = Stage::new(document);
    let hierarchy = &stage.rig().hierarchy;
    let named = |name: &&str| hierarchy.node_named(name).unwrap();
    stage.view.selected = joints.iter().map(named).collect();
    let wave = stage.rig().clips.iter().position(|clip| clip.name == "wave");
    stage.set_clip(wave);
    stage.playback.pause_at(0.8, &stage.document.rig);
    stage.aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let display = &mut stage.view.display;
    (display.bones, display.grid, display.shading, display.trails) = (false, false, ShadingMode::Clay, true);
    stage.refresh();
    stage.frame_all();
    stage
}

fn renderer() -> String {
    let mut name = String::new();
    with_scene_and_renderer(|_, renderer| renderer.clone_into(&mut name));
    name
}

fn draw(stage: &Stage) -> RgbaImage {
    Studio::new(None).unwrap().picture(stage, SIZE).unwrap()
}

#[test]
fn the_trail_of_a_hand_is_bright_up_to_the_present() {
    let stage = waving(&["RightUpperArm", "RightHand"]);
    assert_golden("trails", &draw(&stage), &renderer());
}

#[test]
fn a_trail_lies_on_the_places_of_its_joint_and_grows_brighter_with_time() {
    let mut stage = waving(&["RightHand"]);
    let lens = stage.view.camera.lens(Vec2::from(SIZE.map(|side| side as f32)));
    let trails = Arc::clone(stage.trails.get(Side::A).unwrap());
    let [begin, end] = [&trails.moments[0], trails.moments.last().unwrap()].map(|moment| moment.time_secs);
    let yellow = |picture: &RgbaImage, point: &Vec3| {
        let at = lens.project(*point).unwrap();
        let [r, g, b, _] = picture.get_pixel(at.x as u32, at.y as u32).0;
        i32::from(r) + i32::from(g) - 2 * i32::from(b)
    };
    let [at_start, at_end] = [begin, end].map(|time| {
        stage.playback.pause_at(time, &stage.document.rig);
        stage.view.display.trails = true;
        stage.refresh();
        let with = draw(&stage);
        stage.view.display.trails = false;
        stage.refresh();
        let without = draw(&stage);
        let points = &trails.joints[0].points;
        points.iter().map(|point| yellow(&with, point) - yellow(&without, point)).sum::<i32>()
    });
    assert!(at_start > 500 && at_end > at_start + 1000, "{at_start} {at_end}");
}

#[test]
fn probes_have_a_trail_on_each_side_and_a_joint_one() {
    let mut stage = waving(&["RightHand"]);
    let vertices = stage.rig().meshes[0].primitives[0].positions.len();
    stage.probes.places = vec![VertexLocation { instance: 0, primitive: 0, vertex: vertices / 2 }];
    stage.view.sides.b.skinning.method = Method::Dqs;
    stage.view.compare.is_clay = true;
    for layout in Layout::ALL {
        stage.set_layout(layout);
        stage.view.display.trails = true;
        stage.refresh();
        let with = draw(&stage);
        stage.view.display.trails = false;
        stage.refresh();
        assert_ne!(with, draw(&stage), "{layout:?}");
    }
}

#[test]
fn the_roots_path_lies_on_the_ground_however_far_it_goes() {
    let walker = Rig::clone(&Walker::default().rig());
    let mut stage = Stage::new(Document::new(Source::BuiltIn(BuiltIn::Figure), walker, Vec::new()));
    stage.set_clip(Some(0));
    stage.view.display.root_path = true;
    stage.view.selected = vec![NodeIndex(0)];
    stage.aspect = SIZE[0] as f32 / SIZE[1] as f32;
    stage.playback.pause_at(0.5 * stage.playback.duration_secs(stage.rig()), &stage.document.rig);
    stage.refresh();
    stage.frame_all();
    assert_golden("root_path", &draw(&stage), &renderer());
}
