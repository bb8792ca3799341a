//! Two sides in one image: each one looks like it would alone, and is in the right place.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::pictures::twisted_tube;

use std::sync::Arc;
use std::time::Duration;

use common::golden::{assert_golden, difference, tolerance};
use common::gpu::{Still, assert_skinner_agrees, with_scene, with_scene_and_renderer};
use common::rigs;
use glam::{Vec2, Vec3};
use image::RgbaImage;
use image::imageops::crop_imm;
use rigscope::actor::{Actor, Counterparts};
use rigscope::jobs::Progress;
use rigscope::matching::NodeMatch;
use rigscope::render::{FrameInput, Scene, SkinningDevice};
use rigscope::rig::{NodeIndex, Pose, PrimitiveIndex, Rig, Trs};
use rigscope::skinning::{Method, Skinner};
use rigscope::view::{Compare, Ghost, Layout, ShadingMode, VertexSet, View, Wipe};
use rigscope::weights::{Recipe, Weighting, compute};

const SIZE: [u32; 2] = [320, 240];

/// Half the width of the dividing line, points, rounded up.
const LINE: f32 = 4.0;

fn at_rest(still: &Still) -> Still {
    Still::new(&still.rig, Pose::rest(&still.rig.hierarchy))
}

/// Returns a clay view without bones, ground and shadow, which belong only to side A.
fn bare(still: &Still, method: Method, size: [u32; 2]) -> View {
    let mut view = still.view(method, size);
    (view.display.shading, view.display.bones, view.display.grid) = (ShadingMode::Clay, false, false);
    view
}

/// Returns a view that compares LBS with DQS in a layout.
fn compared(still: &Still, layout: Layout) -> View {
    let view = bare(still, Method::Lbs, SIZE);
    View { compare: Compare { layout, ..Compare::default() }, ..view }
}

fn with_other(scene: &mut Scene, still: &Still, other: &Still, view: &View) -> RgbaImage {
    draw_b(scene, still, (&other.actor, other.version), view)
}

fn draw_b(scene: &mut Scene, still: &Still, (b, version): (&Actor, u64), view: &View) -> RgbaImage {
    let mut frame = still.frame(view, SIZE);
    frame.actors[1].actor = b;
    scene.draw(&FrameInput { version: u64::MAX - version, ..frame }).unwrap();
    scene.pixels().unwrap()
}

fn size_of(picture: &RgbaImage) -> Vec2 {
    Vec2::new(picture.width() as f32, picture.height() as f32)
}

#[test]
fn each_side_of_a_wipe_is_that_side_alone() {
    with_scene(|scene| {
        let still = twisted_tube();
        let marked = |view: View| View {
            marked: vec![VertexSet {
                part: PrimitiveIndex { instance: 0, primitive: 0 },
                vertices: (0..1300).step_by(90).collect(),
            }],
            ..view
        };
        for wireframe in [false, true] {
            let [a, b] = Method::ALL.map(|method| {
                let mut view = marked(bare(&still, method, SIZE));
                view.display.wireframe = wireframe;
                still.draw(scene, &view, SIZE)
            });
            for (angle, offset) in [(0.0, 0.0), (0.8, 0.1), (-2.5, -0.05), (1.57, 0.02)] {
                let mut view = marked(compared(&still, Layout::Wipe));
                view.display.wireframe = wireframe;
                let wipe = Wipe { angle, offset };
                view.compare.wipe = wipe;
                let picture = still.draw(scene, &view, SIZE);
                let mut compared = [0; 2];
                for (x, y, pixel) in picture.enumerate_pixels() {
                    let distance = wipe.distance(Vec2::new(x as f32 + 0.5, y as f32 + 0.5), size_of(&picture));
                    if distance.abs() > LINE {
                        let alone = if distance < 0.0 { &a } else { &b };
                        assert_eq!(pixel, alone.get_pixel(x, y), "{wipe:?} at {x}, {y}");
                        compared[usize::from(distance < 0.0)] += 1;
                    }
                }
                assert!(compared.iter().all(|n| *n > 5000), "{compared:?}");
            }
        }
    });
}

#[test]
fn each_half_of_a_split_is_that_side_in_a_picture_of_half_the_width() {
    with_scene_and_renderer(|scene, renderer| {
        let still = twisted_tube();
        let half = [SIZE[0] / 2, SIZE[1]];
        let mut view = compared(&still, Layout::SideBySide);
        view.display.bones = true;
        let picture = still.draw(scene, &view, SIZE);
        // Excludes the dividing line.
        let width = half[0] - LINE as u32;
        for (method, left, first) in [(Method::Lbs, 0, 0), (Method::Dqs, half[0], LINE as u32)] {
            let mut alone = View { compare: Compare::default(), ..view.clone() };
            alone.sides.a.skinning = method.into();
            let alone = still.draw(scene, &alone, half);
            let in_alone = crop_imm(&alone, first, 0, width, half[1]).to_image();
            let in_picture = crop_imm(&picture, left + first, 0, width, half[1]).to_image();
            assert_eq!(difference(&in_picture, &in_alone, tolerance(renderer)), None, "{method}");
        }
    });
}

/// Returns the twisted tube, and the same rig with closest-bone weights.
fn with_own_weights() -> (Still, Arc<Rig>) {
    let still = twisted_tube();
    let recipe = Recipe { weighting: Weighting::Closest, ..Recipe::default() };
    let made = compute(&still.rig, &recipe, &Progress::default()).unwrap();
    let weighted = Arc::new(still.rig.with_weights(&made.weights));
    (still, weighted)
}

#[test]
fn a_side_with_weights_of_its_own_is_drawn_as_a_rig_that_has_them() {
    with_scene(|scene| {
        let (still, weighted) = with_own_weights();
        let alone = Still::new(&weighted, still.pose.clone());
        for device in SkinningDevice::ALL {
            scene.set_skinning_device(device);
            for wireframe in [false, true] {
                let shown = |mut view: View| {
                    view.display.wireframe = wireframe;
                    // The highlight depends on the weights: it separates the skin of the joint from the rest.
                    view.hovered = Some(NodeIndex(1));
                    view
                };
                let a = still.draw(scene, &shown(bare(&still, Method::Lbs, SIZE)), SIZE);
                let b = alone.draw(scene, &shown(bare(&still, Method::Dqs, SIZE)), SIZE);
                let view = shown(compared(&still, Layout::Wipe));
                let mut frame = still.frame(&view, SIZE);
                let actor = Actor { rig: Arc::clone(&weighted), ..still.actor.clone() };
                frame.actors[1].actor = &actor;
                scene.draw(&frame).unwrap();
                let picture = scene.pixels().unwrap();
                let mut compared = [0; 2];
                for (x, y, pixel) in picture.enumerate_pixels() {
                    let distance =
                        Wipe::default().distance(Vec2::new(x as f32 + 0.5, y as f32 + 0.5), size_of(&picture));
                    if distance.abs() > LINE {
                        let side = usize::from(distance > 0.0);
                        assert_eq!(pixel, [&a, &b][side].get_pixel(x, y), "on the {device}, at {x}, {y}");
                        compared[side] += usize::from(a.get_pixel(x, y) != b.get_pixel(x, y));
                    }
                }
                assert!(compared.iter().all(|n| *n > 500), "the sides differ: {compared:?}");
            }
        }
    });
}

#[test]
fn weights_of_a_side_draw_like_cpu_skinning() {
    with_scene(|scene| {
        let (still, weighted) = with_own_weights();
        for method in Method::ALL {
            let skinner = Skinner::new(&weighted, &method.into()).unwrap();
            assert_skinner_agrees(scene, "weights of a side", &still, &skinner);
        }
        // Back to the weights of the file.
        let skinner = Skinner::new(&still.rig, &Method::Lbs.into()).unwrap();
        assert_skinner_agrees(scene, "weights of the file", &still, &skinner);
    });
}

#[test]
fn b_shown_in_place_of_a_is_b_alone() {
    with_scene(|scene| {
        let still = twisted_tube();
        let mut b = still.view(Method::Dqs, SIZE);
        let mut blinking = still.view(Method::Lbs, SIZE);
        blinking.compare.is_blinking = true;
        assert!(still.draw(scene, &blinking, SIZE) == still.draw(scene, &b, SIZE), "with bones, ground and shadow");
        let rest = at_rest(&still);
        (b.display.bones, blinking.display.bones) = (false, false);
        assert!(with_other(scene, &still, &rest, &blinking) == rest.draw(scene, &b, SIZE), "in another pose too");
    });
}

#[test]
fn a_ghost_of_the_same_tints_and_no_more() {
    with_scene(|scene| {
        let still = twisted_tube();
        let mut view = compared(&still, Layout::Ghost);
        view.sides.b = view.sides.a.clone();
        let ghost = still.draw(scene, &view, SIZE);
        let alone = still.draw(scene, &bare(&still, Method::Lbs, SIZE), SIZE);
        let teal = [0x2E, 0xC4, 0xB6];
        let mut tinted = 0;
        for (x, y, pixel) in ghost.enumerate_pixels() {
            let before = alone.get_pixel(x, y);
            for (channel, teal) in teal.into_iter().enumerate() {
                let (before, after) = (before.0[channel], pixel.0[channel]);
                assert!(before.abs_diff(after) < 45, "{x}, {y}: {before} became {after}");
                // The rims are lighter than teal.
                let is_towards = after.abs_diff(teal) <= before.abs_diff(teal) + 24;
                assert!(is_towards, "{x}, {y}: {before} became {after}, away from {teal}");
            }
            tinted += u32::from(before.0[0] > pixel.0[0] + 3);
        }
        assert!(tinted > 3000, "{tinted}");
    });
}

#[test]
fn a_ghost_is_strong_before_what_it_lies_over_and_faint_behind() {
    let rig = rigs::twisted_tube(0.8);
    let rest = Still::new(&rig, Pose::rest(&rig.hierarchy));
    with_scene(|scene| {
        let mut view = compared(&rest, Layout::Ghost);
        (view.camera.yaw, view.camera.pitch) = (0.0, 0.0);
        let alone = View { compare: Compare::default(), ..view.clone() };
        let tint = |picture: &RgbaImage| {
            let [r, g, ..] = picture.get_pixel(SIZE[0] / 2, SIZE[1] / 2).0;
            i32::from(g) - i32::from(r)
        };
        let none = tint(&rest.draw(scene, &alone, SIZE));
        let [before, behind] = [0.1, -0.1].map(|z| {
            let mut pose = Pose::rest(&rig.hierarchy);
            pose.set_user_local(NodeIndex(0), Trs { translation: Vec3::Z * z, ..Trs::IDENTITY });
            tint(&with_other(scene, &rest, &Still::new(&rig, pose), &view)) - none
        });
        assert!((3..12).contains(&behind) && before > 3 * behind, "{before} {behind}");
    });
}

#[test]
fn another_file_comes_slice_by_slice_and_the_picture_is_the_same_in_the_end() {
    with_scene(|scene| {
        let still = twisted_tube();
        let other = other_version(&still.pose);
        let view = compared(&still, Layout::SideBySide);
        let whole = beside_version(scene, &still, &other, &view);
        still.draw(scene, &view, SIZE);
        scene.limit_uploads(Duration::ZERO);
        let empty = beside_version(scene, &still, &other, &view);
        assert!(scene.is_interrupted() && scene.is_uploading(), "no frame waits for all of it");
        assert!(empty != whole, "a file that is on its way is not drawn");
        scene.limit_uploads(Duration::from_micros(200));
        let mut frames = 0;
        while scene.is_interrupted() || scene.is_uploading() {
            beside_version(scene, &still, &other, &view);
            frames += 1;
            assert!(frames < 10_000, "it goes on with each frame");
        }
        assert!(beside_version(scene, &still, &other, &view) == whole);
    });
}

/// Returns the tube with a waist and other weights, as another file in the same pose.
fn other_version(pose: &Pose) -> Still {
    let mut parts = (**rigs::twisted_tube(0.4)).clone();
    for position in &mut parts.meshes[0].primitives[0].positions {
        let waist = 1.0 - 0.5 * (-20.0 * position.x * position.x).exp();
        (position.y, position.z) = (position.y * waist, position.z * waist);
    }
    Still::new(&Arc::new(Rig::new(parts)), pose.clone())
}

fn beside_version(scene: &mut Scene, still: &Still, other: &Still, view: &View) -> RgbaImage {
    let others = other.rig.hierarchy.len();
    let is_of_both = |node: &NodeIndex| node.index() < others;
    let nodes = still.rig.hierarchy.nodes().map(|node| Some(node).filter(is_of_both)).collect();
    let counterparts = Some(Arc::new(Counterparts::from_nodes(NodeMatch::known(nodes, others))));
    let actor = Actor { counterparts, ..other.actor.clone() };
    draw_b(scene, still, (&actor, other.version), view)
}

#[test]
fn a_side_with_another_file_is_that_file_alone() {
    with_scene_and_renderer(|scene, renderer| {
        let still = twisted_tube();
        let other = other_version(&still.pose);
        for device in SkinningDevice::ALL {
            scene.set_skinning_device(device);
            let alone = View { compare: Compare::default(), ..compared(&still, Layout::Single) };
            let [a, b] = [&still, &other].map(|shown| shown.draw(scene, &alone, SIZE));
            assert!(a != b, "the versions differ");
            let mut view = compared(&still, Layout::Wipe);
            view.sides.b.skinning = view.sides.a.skinning.clone();
            let wipe = beside_version(scene, &still, &other, &view);
            let line = size_of(&wipe).x as u32 / 2;
            for (x, y, pixel) in wipe.enumerate_pixels().filter(|(x, ..)| x.abs_diff(line) > LINE as u32) {
                let side = if x < line { &a } else { &b };
                assert_eq!(pixel, side.get_pixel(x, y), "{device:?} at {x}, {y}");
            }
            assert_eq!(still.draw(scene, &alone, SIZE), a, "the other file is gone with its side");
        }
        let mut view = compared(&still, Layout::Wipe);
        view.display.grid = true;
        view.sides.b.skinning = view.sides.a.skinning.clone();
        assert_golden("wipe_of_versions", &beside_version(scene, &still, &other, &view), renderer);
    });
}

/// Returns a rig at rest that is marked as posed at the joint that `still` poses.
fn marked_as(still: &Still, rig: &Arc<Rig>) -> Still {
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_user_local(NodeIndex(1), *still.pose.user_local(NodeIndex(1)));
    Still { pose, ..Still::new(rig, Pose::rest(&rig.hierarchy)) }
}

#[test]
fn a_side_with_another_file_has_its_bones_and_a_side_at_rest_those_of_rest() {
    with_scene(|scene| {
        let still = twisted_tube();
        let [other, rest] = [&rigs::six_influences(), &still.rig].map(|rig| marked_as(&still, rig));
        let shown = |layout| {
            let mut view = compared(&still, layout);
            view.display.bones = true;
            view.sides.b.skinning = view.sides.a.skinning.clone();
            view
        };
        let draw_version = |scene: &mut Scene, view: &View| beside_version(scene, &still, &other, view);
        let draw_rest = |scene: &mut Scene, view: &View| with_other(scene, &still, &rest, view);
        let a = still.draw(scene, &shown(Layout::Single), SIZE);
        let check = |scene: &mut Scene, beside: &Still, draw: &dyn Fn(&mut Scene, &View) -> RgbaImage| {
            let b = beside.draw(scene, &shown(Layout::Single), SIZE);
            let mut view = shown(Layout::Wipe);
            let wipe = draw(scene, &view);
            let line = size_of(&wipe).x as u32 / 2;
            for (x, y, pixel) in wipe.enumerate_pixels().filter(|(x, ..)| x.abs_diff(line) > LINE as u32) {
                assert_eq!(pixel, if x < line { &a } else { &b }.get_pixel(x, y), "at {x}, {y}");
            }
            view.compare.is_blinking = true;
            assert_eq!(draw(scene, &view), b, "held, B is shown alone");
        };
        check(scene, &other, &draw_version);
        check(scene, &rest, &draw_rest);
    });
}

#[test]
fn each_layout_of_the_sides_looks_as_in_its_stored_picture() {
    with_scene_and_renderer(|scene, renderer| {
        let still = twisted_tube();
        let mut check = |name: &str, change: &dyn Fn(&mut View)| {
            let mut view = compared(&still, Layout::Single);
            view.display.grid = true;
            change(&mut view);
            assert_golden(name, &still.draw(scene, &view, SIZE), renderer);
        };
        check("wipe", &|view| {
            view.compare.layout = Layout::Wipe;
            view.compare.wipe = Wipe { angle: 0.785, offset: 0.0 };
        });
        check("split_light", &|view| {
            view.compare.layout = Layout::SideBySide;
            (view.display.is_dark, view.display.bones) = (false, true);
            view.camera.distance *= 1.8;
        });
        check("ghost", &|view| view.compare.layout = Layout::Ghost);
        check("ghost_outline_light", &|view| {
            (view.compare.layout, view.compare.ghost) = (Layout::Ghost, Ghost::Outline);
            view.display.is_dark = false;
        });
    });
}
