//! Tests of images with several characters and panes: number of GPU objects, and independence of the panes.

use super::*;
use crate::render::{PaneContent, PaneInput};
use rigscope_core::actor::Counterparts;
use rigscope_core::view::{Backdrop, Ghost, Layout, PerSide, Wipe};

const SIZE: [u32; 2] = [64, 48];

/// OpenGL functions that create objects, each with the function that deletes them.
const KEPT: [[&str; 2]; 3] = [
    ["glGenBuffers", "glDeleteBuffers"],
    ["glGenTextures", "glDeleteTextures"],
    ["glGenVertexArrays", "glDeleteVertexArrays"],
];

fn other(rig: &Arc<Rig>, turned: f32) -> Actor {
    let mut pose = Pose::rest(&rig.hierarchy);
    pose.set_user_local(NodeIndex(0), Trs::from_rotation(Quat::from_rotation_y(turned)));
    Actor { counterparts: Some(Arc::new(Counterparts::default())), ..posed_actor(rig, &pose) }
}

fn row() -> (Arc<Rig>, Pose, View) {
    let rig = many_parts();
    let (pose, mut view) = (Pose::rest(&rig.hierarchy), View::default());
    (view.camera.target, view.camera.distance) = (Vec3::X, 3.0);
    view.compare.layout = Layout::Wipe;
    (rig, pose, view)
}

#[test]
fn a_character_on_both_sides_is_there_once_and_gone_when_neither_shows_it() {
    let headless = Headless::new().expect("Mesa's software device is enough");
    for device in SkinningDevice::ALL {
        let mut scene = headless.scene().expect("a scene");
        scene.set_skinning_device(device);
        let (rig, pose, view) = row();
        let open = posed_actor(&rig, &pose);
        let other = other(&Arc::new(Rig::clone(&rig)), 0.4);
        let mut version = 0;
        let mut draw = |[a, b]: [&Actor; 2]| {
            version += 1;
            count_calls(|| {
                let mut frame = FrameInput { version, ..FrameInput::for_actor(&open, (&pose, &view), SIZE) };
                (frame.actors[0].actor, frame.actors[1].actor) = (a, b);
                assert!(scene.draw(&frame).expect("it draws"));
            })
        };
        draw([&open, &open]);
        let steps = [[&open, &other], [&other, &other], [&other, &open], [&open, &open]].map(&mut draw);
        let count = |step: usize, call| steps[step].get(call).copied().unwrap_or(0);
        assert!(count(0, "glGenBuffers") >= 2, "the other is uploaded: {:?}", steps[0]);
        let [uploading, sharing] = [0, 1].map(|step| count(step, "glBufferSubData"));
        assert!(sharing < uploading, "the other is there already: {sharing} and {uploading} writes");
        for [makes, deletes] in KEPT {
            let [made, deleted] =
                [makes, deletes].map(|call| (0..steps.len()).map(|step| count(step, call)).sum::<usize>());
            assert_eq!(made, deleted, "{makes} on the {device}");
        }
    }
}

#[test]
fn each_of_many_panes_is_what_its_actors_are_in_a_picture_of_their_own() {
    let headless = Headless::new().expect("Mesa's software device is enough");
    let mut scene = headless.scene().expect("a scene");
    let (rig, pose, mut view) = row();
    (view.display.grid, view.display.bones, view.backdrop) = (false, true, Backdrop::White);
    let open = posed_actor(&rig, &pose);
    let others = [0.5, -0.5].map(|turned| other(&Arc::new(Rig::clone(&rig)), turned));
    let pair = |a, b| PerSide { a, b };
    let all = [
        ([0, 0], PaneContent::One(2)),
        ([1, 0], PaneContent::Wipe(pair(0, 1), Wipe { angle: 0.3, offset: 0.02 })),
        ([2, 0], PaneContent::Ghost(pair(1, 2), Ghost::Translucent)),
        ([1, 1], PaneContent::Ghost(pair(0, 2), Ghost::Outline)),
        ([2, 2], PaneContent::One(0)),
    ];
    let mut version = 0;
    let mut draw = |size: [u32; 2], panes: Vec<PaneInput>| {
        version += 1;
        let frame = FrameInput::for_actor(&open, (&pose, &view), size);
        let mut frame = FrameInput { panes, version, ..frame };
        frame.actors.push(frame.actors[0].clone());
        (frame.actors[1].actor, frame.actors[2].actor) = (&others[0], &others[1]);
        scene.draw(&frame).expect("it draws");
        scene.pixels().expect("it was drawn")
    };
    let pane = |([column, row], shows): ([u32; 2], PaneContent)| PaneInput {
        origin: [column * SIZE[0], row * SIZE[1]],
        size: SIZE,
        shows,
    };
    let together = draw(SIZE.map(|side| 3 * side), all.map(pane).to_vec());
    let mut seen = std::collections::BTreeSet::new();
    for (place, shows) in all {
        let alone = draw(SIZE, vec![PaneInput { origin: [0; 2], size: SIZE, shows }]);
        let [left, top] = [place[0] * SIZE[0], (2 - place[1]) * SIZE[1]];
        // Excludes the dividing lines between panes, 3.5 points on each side. In the rest, vertex positions may round
        // differently.
        let inner = alone.enumerate_pixels().filter(|(x, ..)| (4..SIZE[0] - 4).contains(x));
        let is_far = |(x, y, pixel): &(u32, u32, &image::Rgba<u8>)| {
            let other = together.get_pixel(left + x, top + y);
            pixel.0.iter().zip(other.0).any(|(a, b)| a.abs_diff(b) > 3)
        };
        let far: Vec<_> = inner.filter(is_far).map(|(x, y, _)| [x, y]).collect();
        assert!(far.len() <= 2, "{shows:?} at {far:?}");
        assert!(seen.insert(alone.into_raw()), "{shows:?} is none of the others");
    }
    let empty = image::imageops::crop_imm(&together, 0, 0, SIZE[0], SIZE[1]).to_image();
    assert!(empty.pixels().all(|pixel| pixel.0 == [255; 4]), "where no pane is there is nothing");
}
