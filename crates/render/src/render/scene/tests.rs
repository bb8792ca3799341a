mod faults;
mod fine;
mod light;
mod many;
mod panes;
mod samples;

use glam::Quat;
use three_d::{ClearState, Interpolation, Texture2D, Wrapping};

use super::*;
use crate::render::Headless;
use crate::render::gl::gl_calls::count_calls;
use rigscope_core::actor::{Actor, SharedPose};
use rigscope_core::rig::testing::on_one_node;
use rigscope_core::rig::{Influences, NodeIndex, Pose, Primitive, Rig, RigData, Trs, evaluate};
use rigscope_core::view::View;

#[test]
fn scenes_move_between_threads() {
    fn is_send<T: Send>() {}
    is_send::<Scene>();
}

#[test]
fn a_rig_without_anything_is_an_empty_picture_and_paint_copies_it_into_its_rectangle() {
    let headless = Headless::new().unwrap();
    let mut scene = headless.scene().unwrap();
    let (actor, pose, view) = (Actor::default(), Pose::default(), View::default());
    assert!(scene.draw(&FrameInput::for_actor(&actor, (&pose, &view), [16, 8])).unwrap());
    let picture = scene.pixels().unwrap();

    let (nearest, clamp) = (Interpolation::Nearest, Wrapping::ClampToEdge);
    let screen = Texture2D::new_empty::<[u8; 4]>(&scene.context, 20, 12, nearest, nearest, None, clamp, clamp);
    let target = screen.as_color_target(None);
    target.clear(ClearState::color(1.0, 0.0, 0.0, 1.0));
    target
        .write::<RenderError>(|| {
            scene.paint([3, 2, 16, 8]);
            Ok(())
        })
        .unwrap();
    let pixels: Vec<[u8; 4]> = target.read();
    let at = |x: usize, from_top: usize| pixels[from_top * 20 + x];
    assert_eq!(at(2, 5), [255, 0, 0, 255], "left of the rectangle");
    assert_eq!(at(3, 2), picture.get_pixel(0, 0).0, "its top left corner");
    assert_eq!(at(18, 9), picture.get_pixel(15, 7).0, "its bottom right corner");
    assert_eq!(at(18, 10), [255, 0, 0, 255], "below it");
}

const PARTS: usize = 200;

fn many_parts() -> Arc<Rig> {
    let is_skinned = |part: usize| part.is_multiple_of(2);
    let triangle = |part: usize| Primitive {
        positions: [Vec3::ZERO, Vec3::X, Vec3::Y].map(|p| 0.01 * (p + Vec3::X * part as f32)).to_vec(),
        indices: vec![0, 1, 2],
        influences: is_skinned(part).then(|| Influences::new(1, vec![0; 3], vec![1.0; 3])),
        ..Primitive::default()
    };
    let instances: Vec<_> = (0..PARTS).map(|mesh| (mesh, is_skinned(mesh).then_some(0))).collect();
    Arc::new(Rig::new(on_one_node((0..PARTS).map(|part| vec![triangle(part)]).collect(), &instances)))
}

fn draw(scene: &mut Scene, rig: &Arc<Rig>, pose: &Pose, view: &View, version: u64) {
    let actor = Actor { hidden: Arc::new(view.hidden.clone()), ..posed_actor(rig, pose) };
    let frame = FrameInput { version, ..still(&actor, pose, view) };
    assert!(scene.draw(&frame).expect("it draws"));
}

fn posed_actor(rig: &Arc<Rig>, pose: &Pose) -> Actor {
    Actor::new(rig, SharedPose::new(rig, evaluate(rig, None, pose)))
}

fn still<'a>(actor: &'a Actor, pose: &'a Pose, view: &'a View) -> FrameInput<'a> {
    FrameInput::for_actor(actor, (pose, view), [64, 48])
}

const ASKING_OR_MAKING: [&str; 8] = [
    "glGenBuffers",
    "glGenFramebuffers",
    "glGenTextures",
    "glGenVertexArrays",
    "glGetIntegerv",
    "glGetUniformLocation",
    "glIsEnabled",
    "glLinkProgram",
];

#[test]
fn a_picture_of_many_parts_takes_few_calls_and_makes_and_asks_nothing() {
    let headless = Headless::new().expect("Mesa's software device is enough");
    // Calls per primitive for drawing, both shadows and skinning. Everything else takes a few hundred calls.
    let devices = [
        (SkinningDevice::Cpu, 18 * PARTS),
        (SkinningDevice::Feedback, 25 * PARTS),
        (SkinningDevice::Compute, 25 * PARTS),
    ];
    for (device, max_when_posed) in devices {
        let mut scene = headless.scene().expect("a scene");
        scene.set_skinning_device(device);
        let (rig, mut view) = (many_parts(), View::default());
        (view.camera.target, view.camera.distance) = (Vec3::X, 6.0);
        let mut pose = Pose::rest(&rig.hierarchy);
        draw(&mut scene, &rig, &pose, &view, 0);
        view.camera.orbit(0.3, 0.1);
        let orbiting = count_calls(|| draw(&mut scene, &rig, &pose, &view, 0));
        let mut close = view.clone();
        close.camera.distance = 0.2;
        let near = count_calls(|| draw(&mut scene, &rig, &pose, &close, 0));
        let drawn = near.get("glDrawElements").copied().unwrap_or(0);
        assert!(
            drawn < PARTS * 3 / 4,
            "{drawn} parts are drawn of what is mostly out of the picture: {:?}",
            view.camera
        );
        pose.set_user_local(NodeIndex(0), Trs::from_rotation(Quat::from_rotation_y(0.2)));
        let posing = count_calls(|| draw(&mut scene, &rig, &pose, &view, 1));
        for (calls, draws, limit) in [(orbiting, PARTS, 7 * PARTS), (posing, 3 * PARTS, max_when_posed)] {
            assert_eq!(calls["glDrawElements"], draws, "on the {device}");
            let all: usize = calls.values().sum();
            assert!(all < limit, "{all} calls on the {device}: {calls:#?}");
            let wasted: Vec<_> = ASKING_OR_MAKING.iter().filter(|&call| calls.contains_key(call)).collect();
            assert!(wasted.is_empty(), "{wasted:?} on the {device}");
        }
    }
}

#[test]
fn vertices_are_skinned_as_asked_for_with_one_barrier_and_look_the_same() {
    let headless = Headless::new().expect("Mesa's software device is enough");
    let (rig, mut view) = (many_parts(), View::default());
    (view.camera.target, view.camera.distance) = (Vec3::X, 6.0);
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_user_local(NodeIndex(0), Trs::from_rotation(Quat::from_rotation_y(0.2)));
    let mut pictures = Vec::new();
    for device in [SkinningDevice::Compute, SkinningDevice::Feedback, SkinningDevice::Gpu] {
        let mut scene = headless.scene().expect("a scene");
        scene.set_skinning_device(device);
        let calls = count_calls(|| draw(&mut scene, &rig, &pose, &view, 0));
        let count = |name: &str| calls.get(name).copied().unwrap_or_default();
        let [computed, captured] = ["glDispatchCompute", "glBeginTransformFeedback"].map(count);
        let is_compute = device != SkinningDevice::Feedback;
        assert_eq!((computed > 0, captured > 0), (is_compute, !is_compute), "by {device}: {calls:?}");
        assert_eq!(count("glMemoryBarrier"), usize::from(is_compute), "by {device}");
        let actor = posed_actor(&rig, &pose);
        pictures.push(scene.skinned(&still(&actor, &pose, &view)).unwrap().concat());
    }
    let [computed, captured, _] = &pictures[..] else { panic!("three pictures") };
    for (a, b) in computed.iter().zip(captured) {
        let apart = a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(apart <= 1e-6, "{apart}");
    }
}
