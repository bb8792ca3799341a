//! The graphics path: skinning on the GPU compared with the CPU, closed forms, and when images are drawn again.

use crate::common;

use std::sync::Arc;

use common::glb;
use common::golden::{Tolerance, difference, tolerance};
use common::gpu::{
    Still, assert_gpu_equals_cpu, assert_skinner_agrees, random_pose, turned, with_scene, with_scene_and_renderer,
};
use common::rigs;
use glam::{Quat, Vec3, Vec4};
use rigscope::import::{Job, import_bytes};
use rigscope::render::{Headless, Scene, SkinningDevice};
use rigscope::rig::{Influences, Material, MaterialIndex, NodeIndex, Pose, Primitive, Rig, RigData};
use rigscope::skinning::{
    Antipodality, Deformed, InfluenceLimit, JointMethod, Method, Normals, RecomputedNormals, ScaleHandling, Skinner,
    Skinning, WeightPrecision, deform,
};
use rigscope::stage::BuiltIn;
use rigscope::view::ShadingMode;
use serde_json::json;

const SIZE: [u32; 2] = [256, 256];

fn assert_all_rigs_agree(scene: &mut Scene) {
    for (name, rig) in rigs::all() {
        assert_gpu_equals_cpu(scene, name, &Still::new(&rig, Pose::rest(&rig.hierarchy)));
        for seed in 1..=12 {
            let still = Still::new(&rig, random_pose(&rig, seed));
            assert_gpu_equals_cpu(scene, &format!("{name}, pose {seed}"), &still);
        }
    }
}

#[test]
fn the_card_skins_as_the_cpu_does() {
    with_scene(assert_all_rigs_agree);
}

#[test]
fn so_it_does_with_opengl_es() {
    let headless = Headless::embedded().expect("Mesa's software device has OpenGL ES 3");
    let mut scene = headless.scene().unwrap();
    assert_all_rigs_agree(&mut scene);
    let still = twisted(&rigs::twisted_tube(0.8), 90.0);
    let mut view = still.view(Method::Dqs, [32, 32]);
    view.display.wireframe = true;
    let picture = still.draw(&mut scene, &view, [32, 32]);
    assert!(picture.get_pixel(16, 16).0[0] > 100, "the tube is in the middle");
}

/// Returns every method and setting, alone and in combinations.
fn ways(rig: &Rig) -> Vec<Skinning> {
    let dqs = Skinning::new(Method::Dqs);
    let limited = |count, renormalizes, precision| InfluenceLimit { count, renormalizes, precision };
    let every_other = [JointMethod::Dqs, JointMethod::Lbs].into_iter().cycle();
    let by_joint: Vec<_> = rig.hierarchy.nodes().step_by(2).zip(every_other).collect();
    let unchecked = Antipodality::Unchecked;
    let settings = [
        Skinning { scale: ScaleHandling::Drop, ..dqs.clone() },
        Skinning { scale: ScaleHandling::AboutJoints, ..dqs.clone() },
        Skinning { scale: ScaleHandling::AboutJoints, ..Skinning::new(Method::Sclerp) },
        Skinning { antipodality: unchecked, ..dqs.clone() },
        Skinning { scale: ScaleHandling::Drop, antipodality: unchecked, ..Skinning::new(Method::Cor) },
        Skinning { normals: Normals::Recomputed, ..Skinning::default() },
        Skinning { by_joint: by_joint.clone(), ..Skinning::default() },
        Skinning { by_joint: by_joint.clone(), ..Skinning::new(Method::Blend(0.4)) },
        Skinning { by_joint, ..Skinning::new(Method::WeightedBlend) },
        Skinning { scale: ScaleHandling::AboutJoints, antipodality: unchecked, ..Skinning::new(Method::WeightedBlend) },
        Skinning { influences: limited(Some(2), true, WeightPrecision::Float), ..dqs.clone() },
        Skinning { influences: limited(Some(1), false, WeightPrecision::Float), ..Skinning::default() },
        Skinning { influences: limited(None, true, WeightPrecision::Bits8), ..Skinning::new(Method::DqsCompensated) },
        Skinning { influences: limited(Some(4), false, WeightPrecision::Bits8), ..Skinning::default() },
        Skinning { influences: limited(Some(8), true, WeightPrecision::Bits16), ..Skinning::new(Method::Sclerp) },
    ];
    let methods = [Method::WeightedBlend, Method::DqsCompensated, Method::Cor, Method::Sclerp].map(Skinning::new);
    methods.into_iter().chain(settings).collect()
}

#[test]
fn every_method_and_setting_is_on_the_card_as_on_the_cpu() {
    with_scene(|scene| {
        for (name, rig) in rigs::all() {
            let skinners = ways(&rig).into_iter().filter_map(|way| Skinner::new(&rig, &way).ok());
            for skinner in skinners {
                for seed in 1..=3 {
                    let still = Still::new(&rig, random_pose(&rig, seed));
                    assert_skinner_agrees(scene, &format!("{name}, pose {seed}"), &still, &skinner);
                }
            }
        }
    });
}

/// Returns a rig without joints that looks like a deformed surface.
fn frozen(rig: &Rig, surface: &Deformed) -> Arc<Rig> {
    let (mut meshes, mut instances) = (rig.meshes.clone(), rig.instances.clone());
    let primitive = &mut meshes[0].primitives[0];
    let stands_at = rig.hierarchy.rest_local(instances[0].node).translation;
    primitive.positions = surface.positions.iter().map(|p| p - stands_at).collect();
    primitive.normals.clone_from(&surface.normals);
    primitive.influences = None;
    instances[0].skin = None;
    Arc::new(Rig::new(RigData { meshes, instances, ..RigData::clone(rig) }))
}

#[test]
fn a_bent_tube_is_shaded_by_its_recomputed_normals_and_by_no_others() {
    with_scene_and_renderer(|scene, renderer| {
        let rig = rigs::twisted_tube(0.5);
        let still = Still::new(&rig, turned(&rig, NodeIndex(1), Quat::from_rotation_z(1.9)));
        let skinning = Skinning { normals: Normals::Recomputed, ..Skinning::default() };
        let mut view = still.view(Method::Lbs, SIZE);
        view.sides.a.skinning = skinning.clone();
        (view.display.bones, view.display.grid, view.display.shading) = (false, false, ShadingMode::Clay);
        let surfaces = Skinner::new(&rig, &skinning).unwrap().deform(still.posed());
        let normals = RecomputedNormals::new(&surfaces, 7);
        let mut draw = |still: &Still, normals: Option<&RecomputedNormals>| {
            let mut frame = still.frame(&view, SIZE);
            frame.actors[0].normals = normals;
            let is_new = scene.draw(&frame).unwrap();
            (scene.pixels().unwrap(), is_new)
        };
        let (transformed, _) = draw(&still, None);
        let (recomputed, _) = draw(&still, Some(&normals));
        assert!(!draw(&still, Some(&normals)).1, "the same normals are no other picture");
        let near = tolerance(renderer);
        let visibly = Tolerance { per_channel: 4, pixels: 300 };
        assert!(difference(&transformed, &recomputed, visibly).is_some(), "the fold is shaded otherwise");
        let frozen = frozen(&rig, &surfaces[0][0]);
        let frozen = Still::new(&frozen, Pose::rest(&frozen.hierarchy));
        assert_eq!(difference(&draw(&frozen, None).0, &recomputed, near), None);
        assert_eq!(difference(&draw(&still, None).0, &transformed, near), None, "without them all is as before");
    });
}

fn twisted(rig: &Arc<Rig>, degrees: f32) -> Still {
    Still::new(rig, turned(rig, NodeIndex(1), Quat::from_rotation_x(degrees.to_radians())))
}

/// Returns the radius of the middle ring relative to rest, on the CPU and on the GPU.
fn ring_ratios(scene: &mut Scene, still: &Still, method: Method) -> [f32; 2] {
    let primitive = &still.rig.meshes[0].primitives[0];
    let middle: Vec<usize> =
        (0..primitive.positions.len()).filter(|&v| primitive.positions[v].x.abs() < 1e-6).collect();
    assert!(!middle.is_empty(), "the tube has a ring in the middle");
    let view = still.view(method, [8, 8]);
    scene.set_skinning_device(SkinningDevice::Gpu);
    let gpu = scene.skinned(&still.frame(&view, [8, 8])).expect("the tube is small").remove(0).remove(0);
    let cpu = deform(primitive, &still.palettes()[0], &[], method);
    [cpu, gpu].map(|deformed| {
        let radius = |p: Vec3| p.y.hypot(p.z);
        middle.iter().map(|&v| radius(deformed.positions[v]) / 0.25).sum::<f32>() / middle.len() as f32
    })
}

#[test]
fn a_twisted_tube_narrows_by_the_cosine_of_half_the_angle_or_not_at_all() {
    let rig = rigs::twisted_tube(0.8);
    with_scene(|scene| {
        for degrees in [0.0, 30.0, 60.0, 90.0, 120.0, 150.0, 179.0, 180.0_f32] {
            let still = twisted(&rig, degrees);
            let cosine = (degrees.to_radians() * 0.5).cos();
            for ratio in ring_ratios(scene, &still, Method::Lbs) {
                assert!((ratio - cosine).abs() < 1e-5, "LBS at {degrees}: {ratio}, expected {cosine}");
            }
            for ratio in ring_ratios(scene, &still, Method::Dqs) {
                assert!((ratio - 1.0).abs() < 1e-5, "DQS at {degrees}: {ratio}");
            }
            // In the middle ring the weights are equal, so both methods rotate it by the same angle, and blends stay on
            // the same radius.
            for share in [0.0, 0.25, 0.8, 1.0] {
                let expected = (1.0 - share) * cosine + share;
                for ratio in ring_ratios(scene, &still, Method::Blend(share)) {
                    assert!(
                        (ratio - expected).abs() < 1e-5,
                        "{share} of DQS at {degrees}: {ratio}, expected {expected}"
                    );
                }
            }
        }
    });
}

#[test]
fn a_picture_is_drawn_again_only_when_it_shows_something_else() {
    let rig = rigs::twisted_tube(0.8);
    let (still, moved) = (twisted(&rig, 40.0), twisted(&rig, 50.0));
    with_scene(|scene| {
        let size = [40, 30];
        let view = still.view(Method::Lbs, size);
        assert!(scene.pixels().is_err(), "nothing is drawn yet");
        assert!(scene.draw(&still.frame(&view, size)).unwrap(), "the first picture");
        assert!(!scene.draw(&still.frame(&view, size)).unwrap(), "nothing changed");
        let mut other = view.clone();
        other.sides.a.skinning.method = Method::Dqs;
        assert!(scene.draw(&still.frame(&other, size)).unwrap(), "another method");
        for share in [0.3, 0.4] {
            other.sides.a.skinning.method = Method::Blend(share);
            assert!(scene.draw(&still.frame(&other, size)).unwrap(), "another mix of methods");
        }
        assert!(!scene.draw(&still.frame(&other, size)).unwrap(), "the same mix");
        other.camera.orbit(0.1, 0.0);
        assert!(scene.draw(&still.frame(&other, size)).unwrap(), "another camera");
        other.hovered = Some(NodeIndex(1));
        assert!(scene.draw(&still.frame(&other, size)).unwrap(), "another joint under the pointer");
        assert!(scene.draw(&moved.frame(&other, size)).unwrap(), "another pose");
        assert!(scene.draw(&moved.frame(&other, [41, 30])).unwrap(), "another size");
        assert_eq!(scene.pixels().unwrap().dimensions(), (41, 30));
        assert!(!scene.draw(&moved.frame(&other, [41, 30])).unwrap(), "nothing changed again");
        assert!(!scene.draw(&moved.frame(&other, [0, 30])).unwrap(), "no picture of no size");
        let reloaded = Arc::new((*rig).clone());
        let reloaded = Still { rig: reloaded, ..moved };
        assert!(scene.draw(&reloaded.frame(&other, [41, 30])).unwrap(), "another rig");
    });
}

#[test]
fn a_picture_too_large_for_the_driver_is_refused_and_the_next_one_drawn() {
    let still = twisted(&rigs::twisted_tube(0.8), 0.0);
    with_scene(|scene| {
        let view = still.view(Method::Lbs, [32, 32]);
        let error = scene.draw(&still.frame(&view, [1 << 20, 32])).unwrap_err();
        assert!(error.to_string().contains("1048576"), "{error}");
        assert!(scene.draw(&still.frame(&view, [32, 32])).unwrap());
    });
}

#[test]
fn mirrored_parts_show_their_outside() {
    with_scene(|scene| {
        // The box is symmetric, so its mirror image looks the same.
        let [mirrored, plain] = [rigs::flat_box(-1.0), rigs::flat_box(1.0)].map(|rig| {
            let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
            let mut view = still.view(Method::Lbs, [64, 64]);
            view.display.bones = false;
            view.camera.pitch = 0.6;
            still.draw(scene, &view, [64, 64])
        });
        let tolerance = common::golden::Tolerance { per_channel: 2, pixels: 4 };
        assert_eq!(common::golden::difference(&mirrored, &plain, tolerance), None);
    });
}

/// Creates a red sheet that faces +z, single-sided or double-sided.
fn sheet(flip: f32, is_double_sided: bool) -> Arc<Rig> {
    let mirrored = rigs::flat_box(flip);
    let mut meshes = mirrored.meshes.clone();
    let primitive = &mut meshes[0].primitives[0];
    primitive.indices = vec![4, 5, 7, 4, 7, 6];
    primitive.material = Some(MaterialIndex(0));
    let base_color = Vec4::new(1.0, 0.0, 0.0, 1.0);
    let materials = vec![Material { base_color, is_double_sided, is_unlit: true, ..Material::default() }];
    Arc::new(Rig::new(RigData { meshes, materials, ..RigData::clone(&mirrored) }))
}

#[test]
fn a_sheet_of_one_side_is_not_seen_from_behind_mirrored_or_not() {
    with_scene(|scene| {
        let mut red = |rig: &Arc<Rig>, yaw: f32| {
            let still = Still::new(rig, Pose::rest(&rig.hierarchy));
            let mut view = still.view(Method::Lbs, [64, 64]);
            (view.display.bones, view.display.grid) = (false, false);
            (view.camera.yaw, view.camera.pitch) = (yaw, 0.0);
            still.draw(scene, &view, [64, 64]).pixels().filter(|p| p.0[0] > 150 && p.0[1] < 100).count()
        };
        let (front, back) = (0.4, 0.4 + std::f32::consts::PI);
        for flip in [1.0, -1.0] {
            let (one_sided, two_sided) = (sheet(flip, false), sheet(flip, true));
            assert!(red(&one_sided, front) > 200, "{flip}: the front is seen");
            assert_eq!(red(&one_sided, back), 0, "{flip}: the back is not");
            assert!(red(&two_sided, back) > 100, "{flip}: of two sides both are");
        }
    });
}

/// Creates three joints in a row, and vertices for lines and points that each follow one joint.
fn strokes() -> Arc<Rig> {
    let positions = vec![Vec3::NEG_X, Vec3::ZERO, Vec3::X];
    let influences = Some(Influences::new(1, vec![0, 1, 2], vec![1.0; 3]));
    let primitive = Primitive { positions, influences, material: Some(MaterialIndex(0)), ..Primitive::default() };
    let nodes =
        [rigs::node("a", None, Vec3::NEG_X), rigs::node("b", Some(0), Vec3::X), rigs::node("c", Some(1), Vec3::X)];
    let red = Material { base_color: Vec4::new(1.0, 0.0, 0.0, 1.0), ..Material::default() };
    rigs::skinned(&nodes, None, primitive, vec![red])
}

#[test]
fn lines_and_points_are_drawn_and_follow_their_joints() {
    let with = |change: fn(&mut Primitive)| {
        let mut meshes = strokes().meshes.clone();
        change(&mut meshes[0].primitives[0]);
        Arc::new(Rig::new(RigData { meshes, ..RigData::clone(&strokes()) }))
    };
    let lines = with(|p| p.lines = vec![0, 1, 1, 2]);
    let points = with(|p| p.points = vec![0, 1, 2]);
    with_scene(|scene| {
        let mut red = |rig: &Arc<Rig>, degrees: f32| {
            let still = Still::new(rig, turned(rig, NodeIndex(1), Quat::from_rotation_y(degrees.to_radians())));
            assert_gpu_equals_cpu(scene, "strokes", &still);
            let mut view = still.view(Method::Dqs, [64, 64]);
            (view.display.grid, view.display.bones) = (false, false);
            let picture = still.draw(scene, &view, [64, 64]);
            picture.pixels().filter(|p| p.0[0] > 150 && p.0[1] < 100).count()
        };
        let (straight, bent) = (red(&lines, 0.0), red(&lines, 180.0));
        assert!(straight > 30 && bent < straight * 2 / 3, "{straight} {bent}");
        // Three round dots. After the rotation, the last one is at the position of the first one.
        let (three, two) = (red(&points, 0.0), red(&points, 180.0));
        assert!((30..90).contains(&three) && two < three * 4 / 5, "{three} {two}");
    });
}

/// Returns the built-in figure below a node with this scale.
fn scaled_figure(scale: f32) -> Arc<Rig> {
    let (mut json, bin) = glb::split(BuiltIn::Figure.bytes());
    let roots = json["scenes"][0]["nodes"].clone();
    let nodes = json["nodes"].as_array_mut().expect("a list");
    let top = nodes.len();
    nodes.push(json!({"scale": [scale, scale, scale], "children": roots}));
    json["scenes"][0]["nodes"] = json!([top]);
    Arc::new(
        import_bytes(&glb::container(json.to_string().as_bytes(), bin), &Job::default()).expect("the figure opens").rig,
    )
}

/// In centimetres, or with a scale at the root: framing, bones, grid, shadow and clip planes adapt to the size.
#[test]
fn a_rig_of_any_scale_looks_the_same() {
    with_scene_and_renderer(|scene, renderer| {
        let mut picture = |scale| {
            let rig = scaled_figure(scale);
            let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
            let view = still.view(Method::Dqs, [256, 256]);
            assert!(view.display.bones && view.display.grid);
            still.draw(scene, &view, [256, 256])
        };
        let metres = picture(1.0);
        for scale in [0.01, 100.0, 1e-4, 1e4] {
            let Tolerance { per_channel, pixels } = tolerance(renderer);
            // Numbers of another magnitude are rounded differently, which changes some pixels on edges.
            let near = Tolerance { per_channel, pixels: 10 * pixels };
            assert_eq!(difference(&metres, &picture(scale), near), None, "scale {scale}");
        }
    });
}

#[test]
fn emitted_light_is_added_to_lit_surfaces_and_unlit_ones_show_their_colour_alone() {
    let grey = |emission: Vec3, is_unlit: bool| {
        let material =
            Material { base_color: Vec4::new(0.2, 0.2, 0.2, 1.0), emission, is_unlit, ..Material::default() };
        let mut meshes = rigs::flat_box(1.0).meshes.clone();
        meshes[0].primitives[0].material = Some(MaterialIndex(0));
        Arc::new(Rig::new(RigData { meshes, materials: vec![material], ..RigData::clone(&rigs::flat_box(1.0)) }))
    };
    with_scene(|scene| {
        let mut middle = |rig: &Arc<Rig>| {
            let still = Still::new(rig, Pose::rest(&rig.hierarchy));
            let view = still.view(Method::Lbs, [32, 32]);
            still.draw(scene, &view, [32, 32]).get_pixel(16, 16).0
        };
        let red = Vec3::X * 0.5;
        let (dark, glowing) = (middle(&grey(Vec3::ZERO, false)), middle(&grey(red, false)));
        assert!(glowing[0] > dark[0] + 40 && glowing[1].abs_diff(dark[1]) < 20, "{dark:?} {glowing:?}");
        assert_eq!(middle(&grey(red, true)), middle(&grey(Vec3::ZERO, true)));
        // 0.2, encoded as sRGB.
        assert!(middle(&grey(red, true))[0].abs_diff(124) < 3);
    });
}

#[test]
fn glass_mixes_with_what_is_behind_it_alone() {
    let rig = rigs::glass_before_stone();
    let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
    with_scene(|scene| {
        let size = [64, 64];
        let mut view = still.view(Method::Lbs, size);
        view.display.bones = false;
        view.display.grid = false;
        (view.camera.yaw, view.camera.pitch) = (0.0, 0.0);
        let [r, _, b, _] = still.draw(scene, &view, size).get_pixel(32, 32).0;
        assert!(r > 80 && b > 80, "red stone through blue glass: {r}, {b}");
        view.camera.yaw = std::f32::consts::PI;
        let [r, _, b, _] = still.draw(scene, &view, size).get_pixel(32, 32).0;
        assert!(r > 180 && b < 120, "the stone hides the glass: {r}, {b}");
    });
}
