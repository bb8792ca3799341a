//! Headless images compared with the golden images in `tests/golden`.

use crate::common;

use std::sync::Arc;

use common::golden::{Tolerance, assert_golden, difference, path, tolerance};
use common::gpu::{Still, turned, with_scene_and_renderer};
use common::rigs;
use glam::{Quat, Vec3};
use rigscope::import::{Job, import_bytes};
use rigscope::rig::{ClipMoment, NodeIndex, Pose, PrimitiveIndex, Rig, RigData, Trs};
use rigscope::skinning::Method;
use rigscope::stage::BuiltIn;
use rigscope::view::{BoneStyle, Display, HiddenItems, ShadingMode, VertexSet, View};

const SIZE: [u32; 2] = [320, 240];

pub(crate) fn twisted_tube() -> Still {
    let rig = rigs::twisted_tube(0.8);
    let pose = turned(&rig, NodeIndex(1), Quat::from_rotation_z(0.35) * Quat::from_rotation_x(2.6));
    Still::new(&rig, pose)
}

fn clay(still: &Still, method: Method) -> View {
    let mut view = still.view(method, SIZE);
    view.display.shading = ShadingMode::Clay;
    view.display.bones = false;
    view
}

#[test]
fn a_twisted_tube_collapses_under_linear_blending() {
    with_scene_and_renderer(|scene, renderer| {
        let still = twisted_tube();
        let picture = still.draw(scene, &clay(&still, Method::Lbs), SIZE);
        assert_golden("tube_lbs", &picture, renderer);
    });
}

#[test]
fn a_twisted_tube_keeps_its_volume_under_dual_quaternions() {
    with_scene_and_renderer(|scene, renderer| {
        let still = twisted_tube();
        let picture = still.draw(scene, &clay(&still, Method::Dqs), SIZE);
        assert_golden("tube_dqs", &picture, renderer);
    });
}

#[test]
fn selected_vertices_are_yellow_dots_over_the_skin_that_follow_the_pose() {
    with_scene_and_renderer(|scene, renderer| {
        let still = twisted_tube();
        let count = still.rig.meshes[0].primitives[0].positions.len() as u32;
        let part = PrimitiveIndex { instance: 0, primitive: 0 };
        // A third of the tube's length, all around.
        let vertices = (count / 3..2 * count / 3).collect::<Vec<_>>().into();
        let view = View { vertices: vec![VertexSet { part, vertices }], ..clay(&still, Method::Lbs) };
        assert_golden("selected_vertices", &still.draw(scene, &view, SIZE), renderer);
    });
}

#[test]
fn bones_lie_over_the_skin_in_their_colours() {
    with_scene_and_renderer(|scene, renderer| {
        let rig = rigs::six_influences();
        let still = Still::new(&rig, turned(&rig, NodeIndex(2), Quat::from_rotation_z(0.5)));
        let mut view = still.view(Method::Lbs, SIZE);
        view.display.shading = ShadingMode::Clay;
        view.selected = vec![NodeIndex(3)];
        view.hovered = Some(NodeIndex(1));
        assert_golden("bones_in_front", &still.draw(scene, &view, SIZE), renderer);
    });
}

#[test]
fn each_style_of_bones_hides_less_of_the_skin_than_the_one_before() {
    with_scene_and_renderer(|scene, _| {
        let still = Still::new(&rigs::six_influences(), Pose::rest(&rigs::six_influences().hierarchy));
        let mut view = still.view(Method::Lbs, SIZE);
        view.display.bones = false;
        let without = still.draw(scene, &view, SIZE);
        view.display.bones = true;
        let hidden = BoneStyle::ALL.map(|style| {
            view.display.bone_style = style;
            let picture = still.draw(scene, &view, SIZE);
            picture.pixels().zip(without.pixels()).filter(|(a, b)| a != b).count()
        });
        assert!(hidden[0] > hidden[1] && hidden[1] > hidden[2] && hidden[2] > 100, "{hidden:?}");
    });
}

#[test]
fn bones_are_drawn_however_far_a_pose_takes_them() {
    with_scene_and_renderer(|scene, _| {
        let rig = rigs::six_influences();
        let rig = Arc::new(Rig::new(RigData { instances: Vec::new(), ..RigData::clone(&rig) }));
        let view = Still::new(&rig, Pose::rest(&rig.hierarchy)).view(Method::Lbs, SIZE);
        let forward = view.camera.rotation() * Vec3::NEG_Z;
        for sizes in [5.0, 300.0] {
            let mut pose = Pose::rest(&rig.hierarchy);
            let roots = rig.hierarchy.nodes().filter(|node| rig.hierarchy.parent(*node).is_none());
            let translation = forward * sizes * view.camera.scene_size;
            roots.for_each(|root| pose.set_user_local(root, Trs { translation, ..Trs::IDENTITY }));
            let still = Still::new(&rig, pose);
            let [with, without] = [true, false].map(|bones| {
                let display = Display { bones, grid: false, ..view.display };
                still.draw(scene, &View { display, ..view.clone() }, SIZE)
            });
            let drawn = with.pixels().zip(without.pixels()).filter(|(a, b)| a != b).count();
            assert!(drawn > 20, "{drawn} pixels at {sizes} sizes");
        }
    });
}

#[test]
fn a_hidden_material_is_not_drawn_and_casts_no_shadow() {
    with_scene_and_renderer(|scene, _| {
        let rig = rigs::boxes_of_every_alpha();
        let mut rest = RigData::clone(&rig);
        // Only the glass and the wall behind it.
        rest.meshes[0].primitives.drain(..2);
        let [mut all, rest] = [rig, Arc::new(Rig::new(rest))].map(|rig| Still::new(&rig, Pose::rest(&rig.hierarchy)));
        let mut view = all.view(Method::Lbs, SIZE);
        view.display.bones = false;
        view.display.wireframe = true;
        let whole = all.draw(scene, &view, SIZE);
        all.actor.hidden = Arc::new(HiddenItems { materials: [Some(0), Some(1)].into(), ..HiddenItems::default() });
        let picture = all.draw(scene, &view, SIZE);
        assert_ne!(picture, whole);
        let tolerance = Tolerance { per_channel: 2, pixels: 40 };
        assert_eq!(difference(&rest.draw(scene, &view, SIZE), &picture, tolerance), None);
    });
}

#[test]
fn a_ground_that_is_shown_later_has_the_shadow_of_the_pose() {
    with_scene_and_renderer(|scene, _| {
        let tube = twisted_tube();
        let mut view = tube.view(Method::Lbs, SIZE);
        view.display.grid = false;
        tube.draw(scene, &view, SIZE);
        view.display.grid = true;
        let later = tube.draw(scene, &view, SIZE);
        let at_once = Still::new(&tube.rig, tube.pose.clone()).draw(scene, &view, SIZE);
        assert!(later == at_once);
    });
}

#[test]
fn wires_lie_on_a_light_scene() {
    with_scene_and_renderer(|scene, renderer| {
        let still = twisted_tube();
        let mut view = clay(&still, Method::Dqs);
        view.display.wireframe = true;
        view.display.is_dark = false;
        assert_golden("wires_light", &still.draw(scene, &view, SIZE), renderer);
    });
}

#[test]
fn the_figure_stands_on_its_ground_with_its_bones() {
    with_scene_and_renderer(|scene, renderer| {
        let figure = import_bytes(BuiltIn::Figure.bytes(), &Job::default()).expect("the figure opens");
        let rig = Arc::new(figure.rig);
        let still = Still::at(&rig, Some(ClipMoment::new(0, 0.4)), Pose::rest(&rig.hierarchy));
        assert_golden("figure", &still.draw(scene, &still.view(Method::Dqs, SIZE), SIZE), renderer);
    });
}

#[test]
fn a_texture_covers_fully_in_part_or_by_its_alpha() {
    with_scene_and_renderer(|scene, renderer| {
        let rig = rigs::boxes_of_every_alpha();
        let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
        let mut view = still.view(Method::Lbs, SIZE);
        view.display.bones = false;
        assert_golden("textures_and_alpha", &still.draw(scene, &view, SIZE), renderer);
    });
}

#[test]
fn colours_of_vertices_tint_a_bent_tube() {
    with_scene_and_renderer(|scene, renderer| {
        let rig = rigs::colored_tube();
        let still = Still::new(&rig, turned(&rig, NodeIndex(1), Quat::from_rotation_z(0.7)));
        let mut view = still.view(Method::Dqs, SIZE);
        view.display.bones = false;
        assert_golden("vertex_colors", &still.draw(scene, &view, SIZE), renderer);
    });
}

#[test]
fn different_image_fails_the_golden_comparison() {
    with_scene_and_renderer(|scene, renderer| {
        let still = twisted_tube();
        let right = still.draw(scene, &clay(&still, Method::Lbs), SIZE);
        let wrong = still.draw(scene, &clay(&still, Method::Dqs), SIZE);
        assert_eq!(difference(&right, &right, tolerance(renderer)), None);
        assert!(difference(&right, &wrong, tolerance(renderer)).is_some(), "the other method passes for this one");
        let mut nearly = still.view(Method::Lbs, SIZE);
        nearly.display = clay(&still, Method::Lbs).display;
        nearly.camera.orbit(0.02, 0.0);
        let nearly = still.draw(scene, &nearly, SIZE);
        assert!(difference(&right, &nearly, tolerance(renderer)).is_some(), "a degree beside passes");
        assert!(path("tube_lbs").is_file(), "the pictures are kept");
    });
}

#[test]
fn a_picture_in_motion_has_fewer_samples_and_refined_it_has_them_all() {
    with_scene_and_renderer(|scene, _| {
        let still = twisted_tube();
        let view = clay(&still, Method::Lbs);
        let kept = still.draw(scene, &view, SIZE);
        assert!(!scene.is_rough() && !scene.refine(&still.frame(&view, SIZE)).unwrap(), "nothing to refine");

        scene.set_samples_in_motion(Some(1));
        let mut orbited = view.clone();
        orbited.camera.orbit(0.3, 0.0);
        still.draw(scene, &orbited, SIZE);
        let rough = still.draw(scene, &view, SIZE);
        assert!(scene.is_rough());
        assert!(rough.as_raw() != kept.as_raw(), "edges are not smoothed");
        assert!(!scene.draw(&still.frame(&view, SIZE)).unwrap(), "drawing it again does not refine it");
        assert!(!scene.refine(&still.frame(&orbited, SIZE)).unwrap(), "another frame is no refinement");
        assert!(scene.refine(&still.frame(&view, SIZE)).unwrap());
        assert!(!scene.is_rough());
        assert!(scene.pixels().unwrap().as_raw() == kept.as_raw(), "the picture that is kept");
    });
}

/// Returns a sample at a time of its first clip.
#[cfg(feature = "fbx")]
fn fbx_in_motion(file: &str, time_secs: f32) -> Option<Still> {
    let path = common::samples()?.join(file);
    let imported = rigscope::import::import_file(&path, &Job::default()).unwrap_or_else(|e| panic!("{file}: {e}"));
    let rig = Arc::new(imported.rig);
    let rest = Pose::rest(&rig.hierarchy);
    Some(Still::at(&rig, Some(ClipMoment::new(0, time_secs)), rest))
}

#[cfg(feature = "fbx")]
#[test]
fn a_fox_out_of_an_fbx_file_runs_in_its_fur() {
    let Some(still) = fbx_in_motion("fbx/blender42_Fox.fbx", 0.375) else { return };
    with_scene_and_renderer(|scene, renderer| {
        let mut view = still.view(Method::Lbs, SIZE);
        view.display.bones = false;
        assert_golden("fbx_fox", &still.draw(scene, &view, SIZE), renderer);
    });
}

#[cfg(feature = "fbx")]
#[test]
fn a_man_out_of_an_fbx_file_walks_over_his_bones() {
    let Some(still) = fbx_in_motion("fbx/blender42_CesiumMan.fbx", 2.0 / 3.0) else { return };
    with_scene_and_renderer(|scene, renderer| {
        let mut view = still.view(Method::Dqs, SIZE);
        view.display.shading = ShadingMode::Clay;
        assert_golden("fbx_man", &still.draw(scene, &view, SIZE), renderer);
    });
}
