//! Seams of clips: closed forms of turning bones, travels that are taken out, planted spikes.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use common::clips::{clip, rotations, translations};
use common::rigs::{node, skinned, tube_primitive};
use glam::{Quat, Vec3};
use rigscope::analysis::seams::{Seam, seams};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::rig::{Channel, NodeIndex, Rig};
use rigscope::skinning::{Skinner, Skinning};
use rigscope::stage::BuiltIn;

const BONE: NodeIndex = NodeIndex(0);
/// Of the tube about the axis along which it lies, and from the middle to its rim.
const RADIUS: f32 = 0.25;
const RIM: f32 = 1.030_776_4;

/// A tube along x from -1 to 1 that follows one bone at its middle.
fn tube() -> Arc<Rig> {
    let nodes = [node("bone", None, Vec3::ZERO), node("tip", Some(0), Vec3::X)];
    skinned(&nodes, None, tube_primitive(20, 16, |_| vec![(0, 1.0)]), Vec::new())
}

fn seam(rig: &Rig, channels: Vec<Channel>, rate: f32) -> Seam {
    let rig = Arc::new(rig.clone().with_clips(vec![clip("clip", channels)]));
    let number = rig.clips.len() - 1;
    let skinner = Skinner::new(&rig, &Skinning::default()).unwrap();
    let mut found = seams(&skinner, &[number], Some(rate), &Progress::default()).unwrap();
    found.pop().unwrap().unwrap()
}

/// Keys at `rate` a second, for so many seconds.
fn keys<T>(rate: f32, secs: f32, value: impl Fn(f32) -> T) -> Vec<(f32, T)> {
    (0..=(rate * secs).round() as usize).map(|key| key as f32 / rate).map(|time| (time, value(time))).collect()
}

fn turned(turn: impl Fn(f32) -> f32) -> Vec<Channel> {
    vec![rotations(BONE, &keys(30.0, 2.0, |time| Quat::from_rotation_z(turn(time))))]
}

fn near(found: f32, expected: f32) -> bool {
    (found - expected).abs() <= 2e-3 * expected.abs().max(0.02)
}

#[test]
fn a_bone_that_goes_round_evenly_has_a_seam_like_any_other_frame() {
    let seam = seam(&tube(), turned(|time| TAU * time / 2.0), 30.0);
    assert!(seam.gap.unwrap().1 < 1e-4 && seam.turn_gap.unwrap().1 < 2e-3, "{seam:?}");
    assert!(seam.skin_gap.max < 1e-4);
    let step = TAU / 60.0;
    // A chord of the rim's circle a frame, which turns by a step from frame to frame.
    let speed = 2.0 * RIM * (step / 2.0).sin() * 30.0;
    let change = 2.0 * speed * (step / 2.0).sin();
    assert!(near(seam.jump.unwrap().change, change), "{:?} {change}", seam.jump);
    assert!(near(seam.ratio, 1.0), "{}", seam.ratio);
    assert!(seam.turn_jump.unwrap().1 < 0.02, "{:?}", seam.turn_jump);
    assert!(seam.spikes.is_empty() && !seam.travel.moves);
    assert_eq!((seam.frames, seam.keys.keys, seam.keys.spare_keys > 50), (61, 61, true));
}

#[test]
fn a_clip_that_stops_half_way_has_the_gap_of_half_a_turn() {
    // About the tube's own axis, which no travel takes out.
    let channels = vec![rotations(BONE, &keys(30.0, 2.0, |time| Quat::from_rotation_x(PI * time / 2.0)))];
    let seam = seam(&tube(), channels, 30.0);
    assert!(near(seam.turn_gap.unwrap().1, PI) && near(seam.skin_gap.max as f32, 2.0 * RADIUS), "{seam:?}");
    assert!(near(seam.ratio, 1.0) || seam.ratio > 1.0);
}

#[test]
fn a_turn_there_and_back_is_closed_and_jumps_by_twice_its_speed() {
    let seam = seam(&tube(), turned(|time| 0.5 * (1.0 - (1.0 - time).abs())), 30.0);
    assert!(seam.turn_gap.unwrap().1 < 1e-3 && seam.skin_gap.max < 1e-4, "{seam:?}");
    assert!(near(seam.turn_jump.unwrap().1, 1.0), "from 0.5 rad/s back to 0.5 rad/s forth: {:?}", seam.turn_jump);
    assert!(near(seam.jump.unwrap().change, 2.0 * 0.5 * RIM), "{:?}", seam.jump);
    assert!(seam.ratio > 30.0, "{}", seam.ratio);
}

#[test]
fn way_over_the_floor_and_heading_are_taken_out() {
    let straight = |time: f32| Vec3::new(time, 0.1 * (TAU * time).sin(), -2.0 * time);
    let walk = seam(&tube(), vec![translations(BONE, &keys(30.0, 2.0, straight))], 30.0);
    assert!(walk.travel.moves && near(walk.travel.distance, 20.0_f32.sqrt()), "{:?}", walk.travel);
    assert!(walk.gap.unwrap().1 < 1e-4 && walk.jump.unwrap().change < 0.01, "{walk:?}");
    // Once round a quarter of a circle, looking along it.
    let place = |time: f32| Vec3::new(3.0 * (time * 0.785).sin(), 0.0, 3.0 * (time * 0.785).cos());
    let round = vec![
        translations(BONE, &keys(30.0, 2.0, place)),
        rotations(BONE, &keys(30.0, 2.0, |time| Quat::from_rotation_y(time * 0.785))),
    ];
    let round = seam(&tube(), round, 30.0);
    assert!(near(round.travel.turn, 1.57), "{:?}", round.travel);
    assert!(round.gap.unwrap().1 < 1e-4 && round.turn_gap.unwrap().1 < 2e-3, "{round:?}");
    assert!(near(round.ratio, 1.0), "the way bends there as it does anywhere: {}", round.ratio);
    // Up is no way over the floor.
    let lift = seam(&tube(), vec![translations(BONE, &keys(30.0, 2.0, |time| Vec3::Y * time))], 30.0);
    assert!(!lift.travel.moves && near(lift.gap.unwrap().1, 2.0), "{lift:?}");
}

#[test]
fn a_frame_that_is_off_is_a_spike_and_a_swing_is_none() {
    let swing = |time: f32| 0.8 * (TAU * time).sin();
    let planted = |time: f32| swing(time) + if (time - 0.7).abs() < 0.01 { 0.3 } else { 0.0 };
    assert_eq!(seam(&tube(), turned(swing), 30.0).spikes, []);
    let found = seam(&tube(), turned(planted), 30.0).spikes;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(near(found[0].time_secs, 0.7) && found[0].times > 6.0);
    // A chord of 0.3 rad at the rim, less what the swing bends there.
    assert!((found[0].offset - 0.3 * RIM).abs() < 0.04, "{found:?}");
    let step = |time: f32| if time < 0.7 { 0.0 } else { 0.5 };
    assert_eq!(seam(&tube(), turned(step), 30.0).spikes, [], "what stays where it went is no spike");
}

#[test]
fn clips_of_the_figure_go_on_where_they_end() {
    let rig = Arc::new(import_bytes(BuiltIn::Figure.bytes(), &Job::default()).unwrap().rig);
    let skinner = Skinner::new(&rig, &Skinning::default()).unwrap();
    let clips: Vec<usize> = (0..rig.clips.len()).collect();
    let found = seams(&skinner, &clips, None, &Progress::default()).unwrap();
    for seam in found.iter().flatten() {
        let name = &rig.clips[seam.clip].name;
        assert!(seam.skin_gap.max < 1e-3 && seam.spikes.is_empty(), "{name}: {seam:?}");
        assert!(seam.keys.keys > seam.keys.spare_keys, "{name}");
    }
    assert_eq!(found.iter().flatten().count(), clips.len());
    assert_eq!(seams(&skinner, &clips, None, &Progress::cancelled()), None);
}

#[test]
fn a_clip_of_two_frames_has_no_seam() {
    let rig = tube();
    let rig = Arc::new(
        rig.as_ref()
            .clone()
            .with_clips(vec![clip("two", vec![translations(BONE, &[(0.0, Vec3::ZERO), (0.03, Vec3::X)])])]),
    );
    let skinner = Skinner::new(&rig, &Skinning::default()).unwrap();
    assert_eq!(seams(&skinner, &[0], Some(30.0), &Progress::default()), Some(vec![None]));
}
