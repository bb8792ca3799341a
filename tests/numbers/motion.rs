//! Motion of the skin: each frame equals a separate measurement of its pose, closed forms hold over time, and planted
//! faults are found in the right place.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::measure::{RADIUS, STRAIGHT, over_ramp, radius_ratio, weight};

use std::f32::consts::PI;
use std::sync::Arc;

use common::clips::{clip, rotations, translations};
use common::rigs::{self, node, skinned};
use glam::{Quat, Vec3};
use rigscope::analysis::Topology;
use rigscope::analysis::motion::{ClipMotion, MotionJob, Motions, motions};
use rigscope::analysis::sides::{SideMeasurer, measure};
use rigscope::analysis::twist::{Axes, RotationKind, TestRotation, TwistTest, sweep};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::rig::{Clip, Influences, NodeIndex, Pose, Primitive, Rig, RigData, Trs, evaluate};
use rigscope::skinning::{Method, Skinner, Skinning};
use rigscope::stage::{BuiltIn, Document, MeasurePlan, Source, Stage};
use rigscope::view::{PerSide, ShownFile, ShownPose, Side};

/// Returns a stage that shows a rig with LBS on side A and DQS on side B.
fn stage(rig: Rig) -> Stage {
    by_both(Document::new(Source::BuiltIn(BuiltIn::Tube), rig, Vec::new()))
}

fn by_both(document: Document) -> Stage {
    let mut stage = Stage::new(document);
    for (side, method) in [(Side::A, Method::Lbs), (Side::B, Method::Dqs)] {
        stage.set_skinning(side, Skinning::new(method)).unwrap();
    }
    stage.refresh();
    stage
}

fn skinners(stage: &Stage) -> PerSide<Arc<Skinner>> {
    PerSide::from_fn(|side| Arc::new(Skinner::new(&stage.actor(side).rig, &stage.skinning_on(side)).unwrap()))
}

fn job(stage: &Stage, rate: Option<f32>) -> MotionJob {
    stage.motion_job(skinners(stage), (0..stage.rig().clips.len()).collect(), rate)
}

fn measured(stage: &Stage, rate: Option<f32>) -> Motions {
    motions(&job(stage, rate), &Progress::default()).unwrap()
}

fn with_clips(rig: &Rig, clips: Vec<Clip>) -> Rig {
    rig.clone().with_clips(clips)
}

fn built_in(built_in: BuiltIn) -> Rig {
    import_bytes(built_in.bytes(), &Job::default()).unwrap().rig
}

fn named(rig: &Rig, name: &str) -> NodeIndex {
    rig.hierarchy.node_named(name).unwrap()
}

/// Asserts that each frame of each clip equals a separate measurement of its pose.
fn assert_as_each_pose(stage: &mut Stage, what: &str) {
    let found = measured(stage, None);
    let mut measurer = SideMeasurer::default();
    let skinners = skinners(stage);
    for motion in &found.clips {
        stage.set_clip(Some(motion.clip));
        for (frame, &time_secs) in motion.times_secs.iter().enumerate() {
            stage.playback.pause_at(time_secs, &stage.document.rig);
            stage.refresh();
            let pose =
                measurer.measure(&MeasurePlan::new(stage).job(skinners.clone(), 0), &Progress::default()).unwrap();
            let at = format!("{what}, clip {} at {time_secs} s", motion.clip);
            assert_eq!(motion.distances[frame], pose.distance, "{at}");
            for side in Side::ALL {
                let volume = motion.sides[side].volume[frame];
                assert_eq!(volume.to_bits(), pose.sizes[side].volume.to_bits(), "{at}: volume of {side:?}");
            }
        }
        assert_eq!(motion.distances.len(), motion.times_secs.len());
    }
    assert!(!found.clips.is_empty(), "{what}");
}

#[test]
fn every_frame_is_what_the_sides_measure_in_its_pose_to_the_bit() {
    assert_as_each_pose(&mut stage(built_in(BuiltIn::Tube)), "tube");
    for (name, rig) in rigs::all() {
        let last = rig.hierarchy.nodes().last().unwrap();
        let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 2.0);
        let moved = with_clips(&rig, vec![clip("turn", vec![rotations(last, &[(0.0, Quat::IDENTITY), (0.2, turn)])])]);
        assert_as_each_pose(&mut stage(moved), name);
    }
}

#[test]
fn a_pose_on_top_the_rest_pose_and_another_file_count_as_in_each_pose() {
    let figure = || by_both(Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap());
    let mut posed = figure();
    let elbow = named(posed.rig(), "LeftLowerArm");
    let mut pose = Pose::rest(&posed.rig().hierarchy);
    pose.set_user_local(elbow, Trs::from_rotation(Quat::from_rotation_y(1.2)));
    posed.edit_pose(|own| *own = pose);
    posed.view.sides.b.options.pose = ShownPose::Rest;
    posed.refresh();
    let only = |stage: &mut Stage| {
        let found = motions(&stage.motion_job(skinners(stage), vec![1], Some(5.0)), &Progress::default()).unwrap();
        let ClipMotion { times_secs, distances, .. } = &found.clips[0];
        stage.set_clip(Some(1));
        for (time, distance) in times_secs.iter().zip(distances) {
            stage.playback.pause_at(*time, &stage.document.rig);
            stage.refresh();
            let pose = measure(&MeasurePlan::new(stage).job(skinners(stage), 0), &Progress::default()).unwrap();
            assert_eq!(*distance, pose.distance, "at {time} s");
        }
        assert!(distances.iter().any(|distance| distance.max > 1e-4));
    };
    only(&mut posed);
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.glb");
    std::fs::write(&other, BuiltIn::Figure.bytes()).unwrap();
    let mut beside = figure();
    beside.compare_with(ShownFile::file_at(&other));
    beside.compute_pending(&Job::default());
    beside.set_skinning(Side::B, Skinning::new(Method::Dqs)).unwrap();
    beside.refresh();
    assert!(beside.other_on(Side::B).is_some());
    only(&mut beside);
}

#[test]
fn clips_of_real_files_are_what_each_pose_measures_to_the_bit() {
    let Some(samples) = common::samples() else { return };
    for path in ["CesiumMan", "Fox"].map(|name| samples.join(format!("khronos/{name}/{name}.glb"))) {
        if path.is_file() {
            let document = Document::open(&Source::parse(&path).unwrap(), &Job::default()).unwrap();
            assert_as_each_pose(&mut by_both(document), &path.display().to_string());
        }
    }
}

#[test]
fn a_tube_twisted_evenly_loses_its_volume_by_the_formula() {
    let rig = built_in(BuiltIn::Tube);
    let middle = named(&rig, "Middle");
    let rest = rig.hierarchy.rest(middle).rotation;
    let keys = [0.0_f32, 1.0, 2.0].map(|time| (time, rest * Quat::from_rotation_x(time * PI / 2.0)));
    let alone = Rig::clone(&rig).with_clips(vec![clip("even", vec![rotations(middle, &keys)])]);
    let stage = stage(alone);
    let number = stage.rig().clips.len() - 1;
    let found = motions(&stage.motion_job(skinners(&stage), vec![number], Some(18.0)), &Progress::default()).unwrap();
    let motion = &found.clips[0];
    assert_eq!(motion.times_secs.len(), 37);
    let whole = std::f64::consts::PI * (RADIUS.powi(2) * 2.0 * STRAIGHT + 4.0 / 3.0 * RADIUS.powi(3));
    for (frame, &time) in motion.times_secs.iter().enumerate() {
        let angle = f64::from(time) * std::f64::consts::FRAC_PI_2;
        let lost =
            over_ramp(|x| std::f64::consts::PI * RADIUS.powi(2) * (1.0 - radius_ratio(weight(x), angle).powi(2)));
        let [lbs, dqs] = Side::ALL.map(|side| motion.sides[side].volume[frame]);
        assert!((lbs / (whole - lost) - 1.0).abs() < 0.01 && (dqs / whole - 1.0).abs() < 0.01, "at {time} s");
        // The middle ring shrinks by the cosine of half the angle. A triangle there shrinks by this factor in one or
        // both directions.
        let shrunk = (angle / 2.0).cos() as f32;
        let smallest = motion.sides.a.min_area_ratio[frame];
        assert!(
            smallest < shrunk + 0.02 && smallest > shrunk * shrunk - 0.02,
            "{smallest} beside {shrunk} at {time} s"
        );
    }
    let worst = found.worst_frame(0).unwrap();
    assert_eq!(worst.frame, 36, "LBS loses most at the end, at 180°");
    assert!(worst.loss.a > 0.1 && worst.loss.b < 0.01, "{worst:?}");
}

#[test]
fn regions_keep_in_every_frame_what_the_twist_test_finds() {
    let rig = built_in(BuiltIn::Tube);
    let middle = named(&rig, "Middle");
    let pose = Pose::rest(&rig.hierarchy);
    let posed = evaluate(&rig, None, &pose);
    let axes = Axes { twist: Vec3::X, bend: Vec3::Z };
    let keys =
        [0.0_f32, 1.0].map(|time| (time, rig.hierarchy.rest(middle).rotation * Quat::from_rotation_x(time * 3.0)));
    let stage = stage(rig.clone().with_clips(vec![clip("even", vec![rotations(middle, &keys)])]));
    let number = stage.rig().clips.len() - 1;
    let found = motions(&stage.motion_job(skinners(&stage), vec![number], Some(10.0)), &Progress::default()).unwrap();
    let motion = &found.clips[0];
    let turn = |time: &f32| TestRotation { motion: RotationKind::Twist, angle: 3.0 * time };
    let turns: Vec<TestRotation> = motion.times_secs.iter().map(turn).collect();
    let shared = Arc::new(rig);
    let by = [Method::Lbs, Method::Dqs].map(|method| Skinner::new(&shared, &Skinning::new(method)).unwrap());
    let test = TwistTest { joint: middle, axes, turns };
    let swept = sweep(&[&by[0], &by[1]], &Topology::new(&shared), &posed, &pose, &test, &Progress::default()).unwrap();
    let at = found.joints.a.iter().position(|&joint| joint == middle).unwrap();
    for (frame, row) in swept.rows.iter().enumerate() {
        for (side, loss) in Side::ALL.into_iter().zip(&row.losses) {
            let ratio = motion.sides[side].regions[frame * found.joints[side].len() + at];
            assert!((ratio - loss.volume_ratio).abs() < 1e-4, "{ratio} {} at {frame}", loss.volume_ratio);
        }
    }
}

/// Creates a strip of 1 m squares in the XY plane. Its last two vertices follow the second joint.
fn strip() -> Rig {
    let squares = 40_u32;
    let corner = |v: u32| Vec3::new((v / 2) as f32, (v % 2) as f32, 0.0);
    let square = |s: u32| [2 * s, 2 * s + 2, 2 * s + 3, 2 * s, 2 * s + 3, 2 * s + 1];
    let count = 2 * squares + 2;
    let primitive = Primitive {
        positions: (0..count).map(corner).collect(),
        indices: (0..squares).flat_map(square).collect(),
        influences: Some(Influences::new(
            1,
            (0..count).map(|v| u16::from(v + 2 >= count)).collect(),
            vec![1.0; count as usize],
        )),
        ..Primitive::default()
    };
    let nodes = [node("base", None, Vec3::ZERO), node("end", Some(0), Vec3::X * squares as f32)];
    Rig::clone(&skinned(&nodes, None, primitive, Vec::new()))
}

#[test]
fn triangles_that_are_pushed_through_are_flipped_and_have_their_area_left() {
    let rig = strip();
    let (start, end) = (Vec3::X * 40.0, Vec3::X * 38.0);
    let pushed = translations(NodeIndex(1), &[(0.0, start), (1.0, end)]);
    let whole = rotations(NodeIndex(0), &[(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(3.0))]);
    let found =
        measured(&stage(rig.with_clips(vec![clip("pushed", vec![pushed]), clip("whole", vec![whole])])), Some(8.0));
    let [pushed, whole] = &found.clips[..] else { panic!() };
    for side in Side::ALL {
        let of = &pushed.sides[side];
        for (frame, time) in pushed.times_secs.iter().enumerate() {
            // The last square has a width of |1 - 2t|.
            let width = (1.0 - 2.0 * time).abs();
            assert!((of.min_area_ratio[frame] - width).abs() < 1e-5, "{} at {time}", of.min_area_ratio[frame]);
            assert_eq!(of.flipped[frame], if *time > 0.5 { 2 } else { 0 }, "at {time}");
        }
        let of = &whole.sides[side];
        assert!(of.flipped.iter().all(|&count| count == 0), "what turns as a whole is not flipped");
        assert!(of.min_area_ratio.iter().all(|ratio| (ratio - 1.0).abs() < 1e-4));
    }
    assert_eq!((found.worst_frame(0), found.worst_frame(1)), (None, None), "a sheet has no volume to lose");
}

#[test]
fn a_rig_that_mirrors_as_a_whole_is_not_flipped() {
    let rig = rigs::mirrored_joint();
    let still = rotations(NodeIndex(0), &[(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_y(1.0))]);
    let found = measured(&stage(with_clips(&rig, vec![clip("turned", vec![still])])), Some(4.0));
    assert!(found.clips[0].sides.iter().all(|side| side.flipped.iter().all(|&count| count == 0)));
}

#[test]
fn the_clip_that_loses_most_comes_first_with_its_joint_and_time() {
    let rig = built_in(BuiltIn::Tube);
    let far = named(&rig, "Far");
    let rest = rig.hierarchy.rest(far).rotation;
    let twisted = |name: &str, degrees: f32| {
        let keys = [(0.0, 0.0), (1.0, degrees), (2.0, 0.0)];
        clip(
            name,
            vec![rotations(far, &keys.map(|(t, d): (f32, f32)| (t, rest * Quat::from_rotation_x(d.to_radians()))))],
        )
    };
    let parts = RigData {
        clips: vec![twisted("little", 20.0), twisted("much", 170.0), clip("none", Vec::new())],
        ..RigData::clone(&rig)
    };
    let found = measured(&stage(Rig::new(parts)), None);
    let ranking = found.ranking();
    assert_eq!(ranking.iter().map(|(clip, _)| *clip).collect::<Vec<_>>(), [1, 0, 2]);
    let worst = ranking[0].1.unwrap();
    assert_eq!(found.clips[1].times_secs[worst.frame], 1.0);
    assert_eq!(worst.joint, far);
    assert!(worst.loss.a > 0.1 && worst.loss.a > 4.0 * worst.loss.b, "{worst:?}");
    assert_eq!(found.clips[2].times_secs, [0.0], "a clip without keys is its one pose");
}

#[test]
fn losses_over_clips_do_not_depend_on_the_order_of_vertices_and_triangles() {
    let turn = |joint: u32| {
        let turned = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 1.5);
        clip("turn", vec![rotations(NodeIndex(joint), &[(0.0, Quat::IDENTITY), (0.2, turned)])])
    };
    let mut all: Vec<Rig> = (1..4).map(|seed| with_clips(&rigs::spotted_tube(seed), vec![turn(1), turn(2)])).collect();
    all.extend(common::samples().map(|samples| {
        rigscope::import::import_file(&samples.join("khronos/Fox/Fox.glb"), &Job::default()).unwrap().rig
    }));
    for rig in all {
        let [before, after] = [rig.clone(), rigs::reordered(&rig, 5)].map(|rig| measured(&stage(rig), Some(5.0)));
        assert_eq!(before.joints, after.joints);
        for (before, after) in before.clips.iter().zip(&after.clips) {
            for side in Side::ALL {
                let lists =
                    |clip: &ClipMotion| [clip.sides[side].regions.clone(), clip.sides[side].uncertainties.clone()];
                for (before, after) in lists(before).concat().into_iter().zip(lists(after).concat()) {
                    let is_same =
                        (before - after).abs() < 1e-5 * before.abs().max(1.0) || before.is_nan() && after.is_nan();
                    assert!(is_same, "{before} {after}");
                }
            }
        }
    }
}

#[test]
fn region_too_thin_to_measure_is_listed_separately_and_ranks_no_clip() {
    let rig = rigs::belted_tube();
    let belt = named(&rig, "Belt");
    let keys = [(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_x(2.8))];
    let found = measured(&stage(with_clips(&rig, vec![clip("twist", vec![rotations(belt, &keys)])])), Some(4.0));
    let thin = found.too_thin();
    assert_eq!(thin[0].joint, belt, "{thin:?}");
    assert!(thin[0].frame > 0 && thin[0].loss > 0.3 && thin[0].uncertainty > 0.5 * thin[0].loss, "{thin:?}");
    let worst = found.worst_frame(0).unwrap();
    assert!(worst.uncertainty.a <= (0.5 * worst.loss.a).max(0.05), "{worst:?}");
}

#[test]
fn no_clip_of_the_samples_is_led_by_what_its_rims_swamp() {
    let Some(samples) = common::samples() else { return };
    for file in ["khronos/Fox/Fox.glb", "khronos/CesiumMan/CesiumMan.glb"] {
        let document = Document::open(&Source::parse(samples.join(file)).unwrap(), &Job::default()).unwrap();
        let found = measured(&by_both(document), Some(5.0));
        for worst in (0..found.clips.len()).filter_map(|clip| found.worst_frame(clip)) {
            assert!(worst.uncertainty.a <= (0.5 * worst.loss.a).max(0.05), "{file}: {worst:?}");
        }
    }
}

#[test]
fn numbers_do_not_depend_on_the_cores_and_cancelling_ends_it() {
    let stage = stage(built_in(BuiltIn::Tube));
    let job = job(&stage, Some(10.0));
    let progress = Progress::default();
    let on = |threads: usize, progress: &Progress| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| motions(&job, progress))
    };
    let one = on(1, &progress).unwrap();
    let frames: usize = one.clips.iter().map(|clip| clip.times_secs.len()).sum();
    assert_eq!(progress.steps(), (frames, frames));
    assert_eq!(Some(one), on(3, &Progress::default()));
    assert_eq!(motions(&job, &Progress::cancelled()), None);
}

#[test]
fn a_folder_of_samples_is_measured_whatever_is_in_it() {
    let Some(samples) = common::samples() else { return };
    for path in common::files_below(&samples.join("khronos"), &["glb", "gltf"]) {
        let Ok(document) = Document::open(&Source::parse(&path).unwrap(), &Job::default()) else { continue };
        if document.rig.vertex_count() > 50_000 {
            continue;
        }
        let stage = by_both(document);
        let found = measured(&stage, Some(2.0));
        assert_eq!(found.clips.len(), stage.rig().clips.len(), "{}", path.display());
    }
}
