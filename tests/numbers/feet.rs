//! Feet on the floor: slides are measured. Feet on a treadmill don't slide, and neither does a foot that stands still
//! while the body moves.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::sync::Arc;

use common::clips::{clip, translations};
use common::rigs::{Node, box_primitive, node, skinned};
use glam::Vec3;
use rigscope::analysis::feet::{ClipFeet, clip_feet, feet};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::rig::{Channel, Influences, NodeIndex, Primitive, Rig};
use rigscope::skinning::{Skinner, Skinning};
use rigscope::stage::BuiltIn;

const RATE: f32 = 30.0;

fn nodes() -> [Node; 5] {
    [
        node("hips", None, Vec3::Y),
        node("leftLowerLeg", Some(0), Vec3::X * 0.2),
        node("leftFoot", Some(1), Vec3::Y * -0.9),
        node("rightLowerLeg", Some(0), Vec3::X * -0.2),
        node("rightFoot", Some(3), Vec3::Y * -0.9),
    ]
}

/// Creates two boxes that stand on the floor, each one a foot at the end of a leg of 0.9 m.
pub fn walker() -> Arc<Rig> {
    let mut both = Primitive::default();
    for side in [0.2, -0.2] {
        let first = both.positions.len() as u32;
        let mut one = box_primitive(Vec3::new(0.05, 0.1, 0.1));
        one.positions.iter_mut().for_each(|position| *position += Vec3::new(side, 0.1, 0.0));
        both.positions.extend(one.positions);
        both.indices.extend(one.indices.iter().map(|vertex| vertex + first));
    }
    let joints = (0..16).map(|vertex| if vertex < 8 { 2 } else { 4 }).collect();
    both.influences = Some(Influences::new(1, joints, vec![1.0; 16]));
    skinned(&nodes(), None, both, Vec::new())
}

fn at(rig: &Rig, name: &str) -> NodeIndex {
    rig.hierarchy.node_named(name).unwrap()
}

/// Moves a node from its rest position, with a key for each frame of one second.
pub fn moved(rig: &Rig, name: &str, by: impl Fn(f32) -> Vec3) -> Channel {
    let node = at(rig, name);
    let rest = rig.hierarchy.rest(node).translation;
    let keys: Vec<(f32, Vec3)> = (0..=30).map(|key| key as f32 / RATE).map(|time| (time, rest + by(time))).collect();
    translations(node, &keys)
}

/// Measures the left and right foot over a clip.
fn walked(channels: impl FnOnce(&Rig) -> Vec<Channel>) -> ClipFeet {
    let rig = walker();
    let clips = vec![clip("clip", channels(&rig))];
    let rig = Arc::new(rig.as_ref().clone().with_clips(clips));
    let skinner = Skinner::new(&rig, &Skinning::default()).unwrap();
    let found = feet(&rig);
    assert_eq!(found, [at(&rig, "leftFoot"), at(&rig, "rightFoot")]);
    let mut all = clip_feet(&skinner, &found, &[0], Some(RATE), &Progress::default()).unwrap();
    all.pop().unwrap()
}

fn near(found: f32, expected: f32) -> bool {
    (found - expected).abs() <= 2e-3 * expected.abs().max(0.05)
}

#[test]
fn foot_sliding_three_millimetres_a_frame_is_measured() {
    let found = walked(|rig| vec![moved(rig, "rightFoot", |time| Vec3::Z * 0.003 * time * RATE)]);
    let [left, right] = &found.feet[..] else { panic!() };
    assert_eq!((left.mean_skate, left.contacts.len(), left.contact_fraction), (0.0, 1, 1.0));
    assert!(near(right.mean_skate, 0.09) && near(right.worst_skate, 0.09), "{right:?}");
    let [contact] = right.contacts[..] else { panic!("{right:?}") };
    assert!(near(contact.slide, 0.09) && contact.start_secs == 0.0, "30 steps of 3 mm: {right:?}");
    assert!(found.ground.length() < 1e-4 && !found.travel.moves, "{found:?}");
    assert_eq!(right.sliding_fraction, 0.0, "below 0.1 m/s");
    let faster = walked(|rig| vec![moved(rig, "rightFoot", |time| Vec3::Z * 0.2 * time)]);
    assert_eq!((faster.feet[0].sliding_fraction, faster.feet[1].sliding_fraction), (0.0, 1.0));
    assert!(near(faster.feet[1].mean_slide(), 0.2), "{faster:?}");
}

/// Half a second on the floor, backwards at 1 m/s, then half a second through the air.
pub fn stride(time: f32) -> Vec3 {
    let time = time.rem_euclid(1.0);
    if time <= 0.5 {
        Vec3::Z * (0.25 - time)
    } else {
        Vec3::new(0.0, 0.3 * (1.0 - (4.0 * time - 3.0).abs()), time - 0.75)
    }
}

#[test]
fn a_treadmill_does_not_slide() {
    let found = walked(|rig| vec![moved(rig, "leftFoot", stride), moved(rig, "rightFoot", |time| stride(time + 0.5))]);
    assert!(!found.travel.moves && near(found.ground.y, -1.0) && found.ground.x.abs() < 1e-4, "{found:?}");
    for foot in &found.feet {
        assert!(foot.mean_slide() < 1e-3, "{foot:?}");
        assert!((0.4..0.6).contains(&foot.contact_fraction), "{foot:?}");
    }
}

#[test]
fn in_a_clip_that_travels_feet_stand_where_the_floor_is() {
    let planted = |time: f32| Vec3::Z * -time;
    let body = |rig: &Rig| moved(rig, "hips", |time| Vec3::Z * time);
    let stands = walked(|rig| vec![body(rig), moved(rig, "leftFoot", planted), moved(rig, "rightFoot", planted)]);
    assert!(stands.travel.moves && near(stands.root_speed, 1.0), "{stands:?}");
    assert!(stands.feet.iter().all(|foot| foot.mean_skate < 1e-3), "{stands:?}");
    let dragged = walked(|rig| vec![body(rig)]);
    assert!(dragged.feet.iter().all(|foot| near(foot.mean_skate, 1.0) && foot.sliding_fraction == 1.0), "{dragged:?}");
    assert!(dragged.feet.iter().all(|foot| near(foot.mean_slide(), 1.0)), "a foot that is never lifted: {dragged:?}");
}

#[test]
fn contact_with_the_largest_slide_is_reported_with_its_start() {
    // Ten steps in contact, sliding by 1 mm per step; ten in the air; ten in contact, sliding by 2 mm per step.
    let slides = |time: f32| {
        let frame = (time * RATE).round();
        let way = frame.min(10.0) + 2.0 * (frame - 20.0).max(0.0);
        Vec3::new(0.0, if (10.5..19.5).contains(&frame) { 0.2 } else { 0.0 }, 0.001 * way)
    };
    let found = walked(|rig| vec![moved(rig, "rightFoot", slides)]);
    let right = &found.feet[1];
    assert_eq!(right.contacts.len(), 2, "{right:?}");
    let worst = right.worst_contact().unwrap();
    assert!((worst.slide - 0.02).abs() < 1e-3 && (worst.start_secs - 20.0 / RATE).abs() < 0.04, "{right:?}");
    assert!((right.mean_slide() - 0.015).abs() < 1e-3, "the mean of both: {right:?}");
}

#[test]
fn sinking_and_floating_soles_are_measured_in_metres() {
    let found =
        walked(|rig| vec![moved(rig, "leftFoot", |_| Vec3::Y * -0.02), moved(rig, "rightFoot", |_| Vec3::Y * -0.01)]);
    let [left, right] = &found.feet[..] else { panic!() };
    assert!(near(found.floor, 0.0) && near(left.sinks, 0.02) && near(right.sinks, 0.01), "{found:?}");
    assert!(near(left.floats, -0.02) && near(right.floats, -0.01), "{found:?}");
    let high = walked(|rig| vec![moved(rig, "rightFoot", |_| Vec3::Y * 0.03)]);
    assert_eq!(
        (high.feet[1].contacts.len(), high.feet[1].contact_fraction),
        (0, 0.0),
        "more than 2.5 cm over the floor"
    );
}

#[test]
fn a_frame_in_which_soles_dip_does_not_move_the_floor() {
    let dip = |time: f32| Vec3::Y * if (time - 0.5).abs() < 1.5 / RATE { -0.2 } else { 0.0 };
    let dipping = walked(|rig| vec![moved(rig, "leftFoot", dip), moved(rig, "rightFoot", dip)]);
    assert!(!dipping.is_doubtful() && near(dipping.floor, 0.0) && dipping.is_floor_at_rest, "{dipping:?}");
    // A character that stands higher than at rest, for example on a box.
    let raised = |_| Vec3::Y * 0.4;
    let on_box = walked(|rig| vec![moved(rig, "leftFoot", raised), moved(rig, "rightFoot", raised)]);
    assert!(near(on_box.floor, 0.4) && !on_box.is_floor_at_rest, "{on_box:?}");
}

#[test]
fn a_clip_in_which_feet_hardly_stand_is_doubtful() {
    let flies = |time: f32| Vec3::new(0.0, 0.3 * (1.0 - (2.0 * time - 1.0).abs()), 2.0 * time);
    let flying = walked(|rig| {
        vec![moved(rig, "hips", |time| Vec3::Z * time), moved(rig, "leftFoot", flies), moved(rig, "rightFoot", flies)]
    });
    assert!(flying.is_doubtful(), "{flying:?}");
}

/// Slides of the left and the right foot in each clip of the file, mm.
#[test]
fn known_slides_are_measured_and_the_swing_is_none() {
    let Some(cases) = common::cases() else { return };
    let rig =
        Arc::new(rigscope::import::import_file(&cases.join("feet_known_slides.glb"), &Job::default()).unwrap().rig);
    let skinner = Skinner::new(&rig, &Skinning::default()).unwrap();
    let clips: Vec<usize> = (0..rig.clips.len()).collect();
    let found = clip_feet(&skinner, &feet(&rig), &clips, None, &Progress::default()).unwrap();
    assert_eq!(found.len(), 11);
    for clip in &found {
        let name = rig.clips[clip.clip].name.as_str();
        // Feet that slide equally look as if they were on a treadmill.
        let expected = match name {
            "travel both 40" => [40.0, 40.0],
            _ if name.contains("L slides40") => [40.0, 0.0],
            _ => [0.0, 0.0],
        };
        for (foot, expected) in clip.feet.iter().zip(expected) {
            let slides: Vec<f32> = foot.contacts.iter().map(|contact| contact.slide * 1e3).collect();
            assert_eq!(slides.len(), 2, "{name}: the stances alone, that across the seam once: {foot:?}");
            assert!(slides.iter().all(|slide| (slide - expected).abs() < 1.5), "{name}: {slides:?}");
        }
        assert!(!clip.is_doubtful(), "{name}");
        if name.contains("L slides40") {
            assert_eq!(clip.worst_foot().unwrap().0.foot, at(&rig, "LeftFoot"), "{name}");
        }
    }
}

#[test]
fn skate_fades_with_height() {
    // The height H is 2.5 cm. At half of H, a vertex counts with a factor of 2 - 2^(1/2).
    let found = walked(|rig| vec![moved(rig, "rightFoot", |time| Vec3::new(0.0, 0.0125, 0.3 * time))]);
    assert!(near(found.feet[1].mean_skate, 0.3 * (2.0 - 2.0_f32.sqrt())), "{found:?}");
}

#[test]
fn the_figure_walks_in_place_and_stands_when_idle() {
    let rig = Arc::new(import_bytes(BuiltIn::Figure.bytes(), &Job::default()).unwrap().rig);
    let skinner = Skinner::new(&rig, &Skinning::default()).unwrap();
    let clips: Vec<usize> = (0..rig.clips.len()).collect();
    let found = clip_feet(&skinner, &feet(&rig), &clips, None, &Progress::default()).unwrap();
    let of = |name: &str| found.iter().find(|feet| rig.clips[feet.clip].name == name).unwrap();
    let (idle, walk) = (of("idle"), of("walk"));
    assert_eq!((idle.feet.len(), walk.feet.len()), (2, 2));
    assert!(!idle.is_doubtful() && !walk.is_doubtful());
    assert!(idle.feet.iter().all(|foot| foot.contact_fraction > 0.99 && foot.mean_skate < 0.02), "{idle:?}");
    assert!(walk.ground.length() > 0.3 && walk.feet.iter().all(|foot| foot.contact_fraction < 0.9), "{walk:?}");
    assert_eq!(clip_feet(&skinner, &feet(&rig), &clips, None, &Progress::cancelled()), None);
}
