//! Seams of clips: closed forms for rotating bones, travel that is removed, and planted spikes.

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
use rigscope::rig::{Channel, Interpolation, NodeIndex, Property, Rig, RigData};
use rigscope::skinning::{Skinner, Skinning};
use rigscope::stage::BuiltIn;

pub const BONE: NodeIndex = NodeIndex(0);
/// Radius of the tube, metres.
const RADIUS: f32 = 0.25;
/// Distance of the rim from the tube's middle, metres.
pub const RIM: f32 = 1.030_776_4;

/// Creates a tube along x from -1 to 1 that follows one bone at its middle.
pub fn tube() -> Arc<Rig> {
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

/// Returns keys over `secs` seconds, `rate` keys per second.
pub fn keys<T>(rate: f32, secs: f32, value: impl Fn(f32) -> T) -> Vec<(f32, T)> {
    (0..=(rate * secs).round() as usize).map(|key| key as f32 / rate).map(|time| (time, value(time))).collect()
}

pub fn turned(turn: impl Fn(f32) -> f32) -> Vec<Channel> {
    vec![rotations(BONE, &keys(30.0, 2.0, |time| Quat::from_rotation_z(turn(time))))]
}

fn near(found: f32, expected: f32) -> bool {
    (found - expected).abs() <= 2e-3 * expected.abs().max(0.02)
}

#[test]
fn a_skeleton_without_a_mesh_has_a_seam() {
    let rig = Rig::new(RigData { hierarchy: tube().hierarchy.clone(), ..RigData::default() });
    let seam = seam(&rig, turned(|time| time), 30.0);
    assert!(near(seam.rotation_gap.unwrap().1, 2.0) && seam.jump.is_none(), "{seam:?}");
}

#[test]
fn time_before_the_first_key_is_no_part_of_the_seam() {
    let swing = |start: f32| {
        vec![rotations(
            BONE,
            &keys(30.0, 2.0, |time| Quat::from_rotation_z((TAU * time / 2.0).sin()))
                .into_iter()
                .map(|(time, turn)| (time + start, turn))
                .collect::<Vec<_>>(),
        )]
    };
    let [now, late] = [0.0, 8.0].map(|start| seam(&tube(), swing(start), 30.0));
    assert_eq!((late.frames, now.frames), (61, 61));
    assert!(near(late.jump.unwrap().change, now.jump.unwrap().change), "{late:?} {now:?}");
    assert!(near(late.ratio, now.ratio), "{} {}", late.ratio, now.ratio);
}

#[test]
fn a_bone_that_goes_round_evenly_has_a_seam_like_any_other_frame() {
    let seam = seam(&tube(), turned(|time| TAU * time / 2.0), 30.0);
    assert!(seam.gap.unwrap().1 < 1e-4 && seam.rotation_gap.unwrap().1 < 2e-3, "{seam:?}");
    assert!(seam.skin_gap.max < 1e-4);
    let step = TAU / 60.0;
    // In each frame, the rim moves along a chord of its circle. The direction of the chord rotates by `step` from frame
    // to frame.
    let speed = 2.0 * RIM * (step / 2.0).sin() * 30.0;
    let change = 2.0 * speed * (step / 2.0).sin();
    assert!(near(seam.jump.unwrap().change, change), "{:?} {change}", seam.jump);
    assert!(near(seam.ratio, 1.0), "{}", seam.ratio);
    assert!(seam.rotation_jump.unwrap().1 < 0.02, "{:?}", seam.rotation_jump);
    assert!(seam.spikes.is_empty() && !seam.travel.moves);
    assert_eq!((seam.frames, seam.keys.keys, seam.keys.spare_keys > 50), (61, 61, true));
}

#[test]
fn a_clip_that_stops_half_way_has_the_gap_of_half_a_turn() {
    // Rotates about the tube's own axis. Removing the travel doesn't undo this rotation.
    let channels = vec![rotations(BONE, &keys(30.0, 2.0, |time| Quat::from_rotation_x(PI * time / 2.0)))];
    let seam = seam(&tube(), channels, 30.0);
    assert!(near(seam.rotation_gap.unwrap().1, PI) && near(seam.skin_gap.max as f32, 2.0 * RADIUS), "{seam:?}");
    assert!(near(seam.ratio, 1.0) || seam.ratio > 1.0);
}

#[test]
fn a_turn_there_and_back_is_closed_and_jumps_by_twice_its_speed() {
    let seam = seam(&tube(), turned(|time| 0.5 * (1.0 - (1.0 - time).abs())), 30.0);
    assert!(seam.rotation_gap.unwrap().1 < 1e-3 && seam.skin_gap.max < 1e-4, "{seam:?}");
    assert!(
        near(seam.rotation_jump.unwrap().1, 1.0),
        "from 0.5 rad/s back to 0.5 rad/s forth: {:?}",
        seam.rotation_jump
    );
    assert!(near(seam.jump.unwrap().change, 2.0 * 0.5 * RIM), "{:?}", seam.jump);
    assert!(seam.ratio > 30.0, "{}", seam.ratio);
}

#[test]
fn way_over_the_floor_and_heading_are_taken_out() {
    let straight = |time: f32| Vec3::new(time, 0.1 * (TAU * time).sin(), -2.0 * time);
    let walk = seam(&tube(), vec![translations(BONE, &keys(30.0, 2.0, straight))], 30.0);
    assert!(walk.travel.moves && near(walk.travel.distance, 20.0_f32.sqrt()), "{:?}", walk.travel);
    assert!(walk.gap.unwrap().1 < 1e-4 && walk.jump.unwrap().change < 0.01, "{walk:?}");
    // Moves along a quarter of a circle, facing along the path.
    let place = |time: f32| Vec3::new(3.0 * (time * 0.785).sin(), 0.0, 3.0 * (time * 0.785).cos());
    let round = vec![
        translations(BONE, &keys(30.0, 2.0, place)),
        rotations(BONE, &keys(30.0, 2.0, |time| Quat::from_rotation_y(time * 0.785))),
    ];
    let round = seam(&tube(), round, 30.0);
    assert!(near(round.travel.turn, 1.57), "{:?}", round.travel);
    assert!(round.gap.unwrap().1 < 1e-4 && round.rotation_gap.unwrap().1 < 2e-3, "{round:?}");
    assert!(near(round.ratio, 1.0), "the way bends there as it does anywhere: {}", round.ratio);
    // Vertical motion isn't travel over the floor.
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
    // Chord of 0.3 rad at the rim, minus the curvature of the swing.
    assert!((found[0].offset - 0.3 * RIM).abs() < 0.04, "{found:?}");
    let step = |time: f32| if time < 0.7 { 0.0 } else { 0.5 };
    assert_eq!(seam(&tube(), turned(step), 30.0).spikes, [], "what stays where it went is no spike");
}

/// Rotates two bones about z: one that moves the tube, and one at its tip that moves nothing.
fn carried(bone: impl Fn(f32) -> f32, tip: impl Fn(f32) -> f32) -> Seam {
    let turns = |node, turn: &dyn Fn(f32) -> f32| {
        rotations(NodeIndex(node), &keys(30.0, 2.0, |time| Quat::from_rotation_z(turn(time))))
    };
    seam(&tube(), vec![turns(0, &bone), turns(1, &tip)], 30.0)
}

#[test]
fn a_joint_that_turns_there_and_back_is_a_spike_though_it_moves_no_vertex() {
    let swing = |time: f32| 0.8 * (TAU * time).sin();
    let planted = |by: f32| move |time: f32| if (time - 0.7).abs() < 0.01 { by } else { 0.0 };
    let found = carried(swing, |time| 0.2 * (TAU * time).cos() + planted(0.5)(time));
    assert_eq!(found.spikes, [], "no vertex follows the tip");
    let [spike] = found.rotation_spikes[..] else { panic!("{found:?}") };
    assert!(spike.joint == NodeIndex(1) && near(spike.time_secs, 0.7) && spike.times > 6.0, "{spike:?}");
    assert!((spike.angle - 0.5).abs() < 0.02, "less what the swing turns there: {spike:?}");
    assert_eq!(carried(swing, planted(0.09)).rotation_spikes, [], "less than 0.1 rad");
    let of_bone = carried(|time| swing(time) + planted(0.3)(time), |_| 0.0);
    let joints: Vec<NodeIndex> = of_bone.rotation_spikes.iter().map(|spike| spike.joint).collect();
    assert_eq!(joints, [BONE], "what the bone carries along does not turn beside it");
    assert_eq!(of_bone.spikes.len(), 1);
    assert_eq!(carried(swing, |time| if time < 0.7 { 0.0 } else { 0.5 }).rotation_spikes, [], "a step is no spike");
}

#[test]
fn a_spline_that_overshoots_between_its_keys_is_a_spike_of_the_frames_between() {
    // All keys are at rest, one for every two frames. The tangents between two of them swing the joint away and back
    // within two frames.
    let still = Quat::IDENTITY.to_array();
    let keys = 7;
    let times: Vec<f32> = (0..keys).map(|key| key as f32 * 2.0 / 30.0).collect();
    let mut values = Vec::new();
    for key in 0..keys {
        // Between two keys with opposite tangents, the curve rises to 0.25 times the tangent times the interval.
        let tangent = if key == 3 { [0.0, 0.0, 12.0, 0.0] } else { [0.0; 4] };
        let back = if key == 4 { [0.0, 0.0, -12.0, 0.0] } else { [0.0; 4] };
        values.extend(back.into_iter().chain(still).chain(tangent));
    }
    let spline = Channel::new(BONE, Property::Rotation, Interpolation::CubicSpline, times, values);
    let found = seam(&tube(), vec![spline], 30.0);
    let [spike] = found.rotation_spikes[..] else { panic!("{found:?}") };
    assert!(near(spike.time_secs, 7.0 / 30.0), "between the keys at 6 and 8 thirtieths: {spike:?}");
}

#[test]
fn a_spike_is_found_whatever_the_rate() {
    for keyed in [24.0, 30.0, 7.3] {
        let off = (0.7_f32 * keyed).round() / keyed;
        let place = |time: f32| Vec3::Y * (0.02 * (PI * time).sin() + if time == off { 0.05 } else { 0.0 });
        let channel = translations(BONE, &keys(keyed, 2.0, place));
        for asked in [keyed, 30.0, 60.0] {
            let found = seam(&tube(), vec![channel.clone()], asked).spikes;
            let [spike] = found[..] else { panic!("keys {keyed} a second, measured at {asked}: {found:?}") };
            assert!((spike.offset - 0.05).abs() < 0.01 && (spike.time_secs - off).abs() < 1e-3, "{spike:?}");
        }
    }
}

#[test]
fn channels_that_never_change_are_counted() {
    let still = rotations(NodeIndex(1), &keys(30.0, 2.0, |_| Quat::from_rotation_z(0.3)));
    let flipped =
        rotations(NodeIndex(1), &keys(30.0, 2.0, |time| Quat::IDENTITY * if time < 1.0 { 1.0 } else { -1.0 }));
    let found = seam(&tube(), [turned(|time| time), vec![still, flipped]].concat(), 30.0);
    assert_eq!((found.keys.channels, found.keys.constant_channels), (3, 2), "a change of sign turns nothing");
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
