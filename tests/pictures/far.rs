//! Rigs far from the file's origin: posed, skinned and drawn as at the origin, and reported in file coordinates.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::Path;
use std::sync::Arc;

use common::command::rigscope;
use common::golden::{difference, tolerance};
use common::gpu::{Still, assert_gpu_equals_cpu, random_pose, with_scene, with_scene_and_renderer};
use common::rigs;
use glam::{Affine3, DVec3, Quat, Vec2, Vec3};
use rigscope::export::rig_glb;
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::posing::{IkChain, SolverInputs, Symmetry};
use rigscope::rig::{
    Channel, Clip, ClipMoment, FileCamera, Hierarchy, Interpolation, MeshInstance, NodeDescription, NodeIndex, Pose,
    Posed, Property, Rig, RigData, Skin, Trs, bind_pose, bounds, evaluate, world_from_node,
};
use rigscope::skinning::{Method, Skinner, Skinning};
use rigscope::stage::{BuiltIn, Document, Session, Source};
use rigscope::state::{AfterLoad, AppState, Command, JobResult, PathUse, Settings};
use rigscope::view::{Side, View};
use serde_json::Value;

const SIZE: [u32; 2] = [160, 120];

fn figure() -> Arc<Rig> {
    Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap().rig
}

fn at(x: f32, y: f32, z: f32) -> Trs {
    Trs { translation: Vec3::new(x, y, z), ..Trs::IDENTITY }
}

/// Returns transforms of nodes above a character, which place it 10 km away: a single node, a chain whose offsets add
/// up, and nodes with scale or rotation.
fn ways() -> Vec<(&'static str, Vec<Trs>)> {
    let centimetres = Trs { scale: Vec3::splat(0.01), ..at(100.25, 0.0, 0.0) };
    let turned = Trs { rotation: Quat::from_rotation_y(0.7), ..at(3000.0, -20.0, 7000.0) };
    vec![
        ("one node", vec![at(10_000.0, 0.0, 0.0)]),
        ("odd numbers", vec![at(-7071.123, 100.7, 7071.77)]),
        ("a chain", vec![at(5000.3, 0.0, 0.0), at(4999.9, 3.0, 0.0)]),
        ("under scale", vec![centimetres, at(987_654.3, 0.0, 12_345.6)]),
        ("under a turn", vec![turned, at(6000.1, 0.0, 500.7)]),
    ]
}

/// Returns the rig below additional nodes, each the child of the previous one.
fn below(rig: &Rig, above: &[Trs]) -> RigData {
    let added = above.len();
    let hierarchy = &rig.hierarchy;
    let mut nodes: Vec<NodeDescription> =
        (0..added).map(|i| NodeDescription::new(format!("above {i}"), vec![i + 1], above[i])).collect();
    let roots = hierarchy.nodes().filter(|&node| hierarchy.parent(node).is_none());
    nodes[added - 1].children = roots.map(|node| node.index() + added).collect();
    nodes.extend(hierarchy.nodes().map(|node| NodeDescription {
        name: hierarchy.name(node).to_owned(),
        children: hierarchy.children(node).iter().map(|child| child.index() + added).collect(),
        rest: *hierarchy.rest(node),
        matrix: Some(*hierarchy.rest_local(node)),
        is_helper: false,
    }));
    let moved = |node: NodeIndex| NodeIndex(node.0 + added as u32);
    let joints = |skin: &Skin| skin.joints.iter().copied().map(moved).collect();
    let channel = |channel: &Channel| Channel { node: moved(channel.node), ..channel.clone() };
    let clip = |clip: &Clip| Clip { channels: clip.channels.iter().map(channel).collect(), ..clip.clone() };
    RigData {
        hierarchy: Hierarchy::new(&nodes).unwrap(),
        skins: rig.skins.iter().map(|skin| Skin { joints: joints(skin), ..skin.clone() }).collect(),
        instances: rig.instances.iter().map(|i| MeshInstance { node: moved(i.node), ..i.clone() }).collect(),
        clips: rig.clips.iter().map(clip).collect(),
        cameras: rig.cameras.iter().map(|c| FileCamera { node: moved(c.node), ..c.clone() }).collect(),
        human_bones: rig.human_bones.iter().map(|(node, name)| (moved(*node), name.clone())).collect(),
        ..RigData::clone(rig)
    }
}

fn far(rig: &Rig, above: &[Trs]) -> Arc<Rig> {
    Arc::new(Rig::new(below(rig, above)))
}

/// Returns the rig at the origin, with only the scales and rotations of the nodes above it.
fn near(rig: &Rig, above: &[Trs]) -> Arc<Rig> {
    far(rig, &above.iter().map(|trs| Trs { translation: Vec3::ZERO, ..*trs }).collect::<Vec<_>>())
}

/// Returns the world position of the rig's origin, computed in double precision from the file's numbers.
fn place(above: &[Trs]) -> DVec3 {
    above.iter().rev().fold(DVec3::ZERO, |point, trs| {
        // Matrices are built in single precision.
        let Affine3 { matrix3, .. } = Trs { translation: Vec3::ZERO, ..*trs }.to_affine();
        matrix3.as_dmat3() * point + trs.translation.as_dvec3()
    })
}

/// Returns the figure's pose for a rig with `above` additional nodes above the figure.
fn carried(pose: &Pose, rig: &Rig, above: usize) -> Pose {
    let mut carried = Pose::rest(&rig.hierarchy);
    for node in rig.hierarchy.nodes().skip(above) {
        carried.set_user_local(node, *pose.user_local(NodeIndex(node.0 - above as u32)));
    }
    carried
}

fn skinned(rig: &Arc<Rig>, posed: &Posed, method: Method) -> Vec<Vec3> {
    let skinner = Skinner::new(rig, &Skinning::new(method)).unwrap();
    skinner.deform(posed).into_iter().flatten().flat_map(|part| part.positions).collect()
}

/// Returns the largest distance between points of a distant rig, relative to its origin, and points of the rig at the
/// origin.
fn off(rig: &Rig, far: &[Vec3], origin: DVec3, near: &[Vec3]) -> f64 {
    assert_eq!(far.len(), near.len());
    let pairs = far.iter().zip(near);
    pairs.map(|(f, n)| (rig.hierarchy.in_file(*f) - origin).distance(n.as_dvec3())).fold(0.0, f64::max)
}

#[test]
fn a_rig_ten_kilometres_away_is_posed_and_skinned_as_at_the_origin() {
    let figure = figure();
    for (name, above) in ways() {
        let (far, near, origin) = (far(&figure, &above), near(&figure, &above), place(&above));
        assert_ne!(far.hierarchy.anchor(), DVec3::ZERO, "{name}");
        assert_eq!(far.hierarchy.anchor(), far.hierarchy.anchor().as_vec3().as_dvec3(), "{name}: exact");
        assert_eq!(near.hierarchy.anchor(), DVec3::ZERO);
        let rest_size = f64::from(near.size());
        assert!((f64::from(far.size()) - rest_size).abs() < 1e-6 * rest_size);
        for seed in 1..4 {
            let [there, here] = [&far, &near].map(|rig| {
                let pose = carried(&random_pose(&figure, seed), rig, above.len());
                (evaluate(rig, None, &pose), pose)
            });
            // Random poses stretch the rig.
            let size = rest_size.max(f64::from(bounds(&near, &here.0).diagonal()));
            for node in near.hierarchy.nodes().skip(above.len()) {
                let [f, n] = [&there, &here].map(|(posed, _)| posed.world_from_node[node.index()]);
                let apart = off(&far, &[f.translation], origin, &[n.translation]);
                assert!(apart < 1e-6 * size, "{name}, {node:?}: {apart}");
                let (posed, pose) = &there;
                let frame = posed.world_before_user(&far.hierarchy, node);
                let made = frame * pose.user_local(node).to_affine();
                assert!(made.translation.distance(f.translation) < 1e-6 * size as f32, "{name}, frame of {node:?}");
                let one = world_from_node(&far.hierarchy, &posed.clip_local, pose, node);
                assert!(one.translation.distance(f.translation) < 1e-6 * size as f32, "{name}, {node:?} alone");
            }
            for method in [Method::Lbs, Method::Dqs] {
                let apart = off(&far, &skinned(&far, &there.0, method), origin, &skinned(&near, &here.0, method));
                assert!(apart < 1e-6 * size, "{name}, {method:?}: {apart} of {size}");
            }
        }
    }
}

/// Creates the figure below a node that a clip moves by a metre, `offset` metres away.
fn walking(interpolation: Interpolation, offset: f32) -> Arc<Rig> {
    let mut parts = below(&figure(), &[at(offset, 0.0, 0.0)]);
    let keys = [[0.0, 0.0, 0.0], [0.25, 0.0625, 0.5], [1.0, 0.0, 0.0]].map(|[x, y, z]| [x + offset, y, z]);
    let tangent = [0.5, 0.25, -0.125];
    let values = if interpolation == Interpolation::CubicSpline {
        keys.iter().flat_map(|key| [tangent, *key, tangent]).flatten().collect()
    } else {
        keys.concat()
    };
    let channel = Channel::new(NodeIndex(0), Property::Translation, interpolation, [0.0, 0.7, 2.0], values);
    parts.clips = vec![Clip { channels: vec![channel], duration_secs: 2.0, ..Clip::default() }];
    Arc::new(Rig::new(parts))
}

#[test]
fn a_clip_that_moves_the_root_ten_kilometres_away_does_not_tremble() {
    const AWAY: f32 = 10_000.0;
    for interpolation in [Interpolation::Linear, Interpolation::CubicSpline, Interpolation::Step] {
        let (far, near) = (walking(interpolation, AWAY), walking(interpolation, 0.0));
        for step in 0..=60 {
            let moment = Some(ClipMoment::new(0, step as f32 / 30.0));
            let [there, here] = [&far, &near].map(|rig| {
                let posed = evaluate(rig, moment, &Pose::rest(&rig.hierarchy));
                skinned(rig, &posed, Method::Lbs)
            });
            let apart = off(&far, &there, DVec3::X * f64::from(AWAY), &here);
            assert!(apart < 1e-6 * f64::from(near.size()), "{interpolation:?}, step {step}: {apart}");
        }
    }
}

fn view_from(still: &Still, grid: bool) -> View {
    let mut view = still.view(Method::Dqs, SIZE);
    view.display.grid = grid;
    view
}

#[test]
fn far_away_a_rig_is_skinned_by_the_card_and_drawn_as_at_the_origin() {
    let figure = figure();
    with_scene_and_renderer(|scene, renderer| {
        for (name, above) in ways() {
            let (far, near) = (far(&figure, &above), near(&figure, &above));
            let [far, near] =
                [&far, &near].map(|rig| Still::new(rig, carried(&random_pose(&figure, 3), rig, above.len())));
            let [there, here] = [&far, &near].map(|still| still.draw(scene, &view_from(still, false), SIZE));
            assert_eq!(difference(&here, &there, tolerance(renderer)), None, "{name}");
        }
        let tube = self::far(&rigs::six_influences(), &ways()[2].1);
        assert_gpu_equals_cpu(scene, "a tube", &Still::new(&tube, random_pose(&tube, 2)));
        // The coarsest grid lines are ten metres apart, so the grid looks the same at both positions.
        let [here, there] = [at(10_000.0, 0.0, 10_000.0), at(20_000.0, 0.0, -10_010.0)].map(|above| {
            let rig = far(&figure, &[above]);
            let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
            still.draw(scene, &view_from(&still, true), SIZE)
        });
        assert_eq!(difference(&here, &there, tolerance(renderer)), None, "the ground");
    });
}

#[test]
fn orbiting_and_panning_far_away_skin_nothing_again() {
    let rig = far(&figure(), &[at(10_000.0, 0.0, 0.0)]);
    with_scene(|scene| {
        let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
        let mut view = view_from(&still, true);
        still.draw(scene, &view, SIZE);
        let before = scene.skinning_runs();
        for step in 0..4 {
            view.camera.orbit(0.2, 0.05);
            view.camera.pan(Vec2::new(3.0, step as f32), 100.0);
            assert!(scene.draw(&still.frame(&view, SIZE)).unwrap(), "another picture");
        }
        assert_eq!(scene.skinning_runs(), before);
    });
}

#[test]
fn a_rig_of_a_millimetre_and_one_of_ten_kilometres_are_drawn_alike_wherever_they_are() {
    let figure = figure();
    let sized = |size: f32, place: Vec3| {
        let scale = Vec3::splat(size / figure.size());
        let rig = far(&figure, &[Trs { translation: place, scale, ..Trs::IDENTITY }]);
        Still::new(&rig, Pose::rest(&rig.hierarchy))
    };
    with_scene_and_renderer(|scene, renderer| {
        let usual = sized(2.0, Vec3::ZERO);
        let wanted = usual.draw(scene, &view_from(&usual, false), SIZE);
        for size in [1e-3, 1e4] {
            for place in [Vec3::ZERO, Vec3::new(1e4, 0.0, -1e4), Vec3::new(0.0, 1e7, 0.0)] {
                let still = sized(size, place);
                let picture = still.draw(scene, &view_from(&still, false), SIZE);
                assert_eq!(difference(&wanted, &picture, tolerance(renderer)), None, "{size} m at {place}");
            }
        }
    });
}

/// Returns the coordinates in the lines that begin with `key`.
fn lines_of<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = DVec3> + 'a {
    let numbers = move |line: &str| -> Vec<f64> { line[key.len()..].split(' ').map(|n| n.parse().unwrap()).collect() };
    text.lines().filter(move |line| line.starts_with(key)).map(move |line| DVec3::from_slice(&numbers(line)[..3]))
}

#[test]
fn written_positions_use_the_files_coordinates() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let above = [at(10_000.3, 0.0, 0.0), at(0.0, 5.7, -3000.1)];
    let (far, near, origin) = (far(&figure(), &above), near(&figure(), &above), place(&above));
    rig_glb(&far, &Progress::default()).unwrap().write(path("far.glb").as_ref()).unwrap();
    let read = |name: &str| import_bytes(&std::fs::read(path(name)).unwrap(), &Job::default()).unwrap().rig;
    let again = read("far.glb");
    let nodes = |rig: &Rig| rig.hierarchy.nodes().map(|node| *rig.hierarchy.rest(node)).collect::<Vec<_>>();
    assert_eq!((nodes(&again), again.hierarchy.anchor()), (nodes(&far), far.hierarchy.anchor()));

    let expected = skinned(&near, &evaluate(&near, None, &Pose::rest(&near.hierarchy)), Method::Lbs);
    let assert_there = |name: &str, found: &[DVec3]| {
        assert_eq!(found.len(), expected.len(), "{name}");
        for (found, expected) in found.iter().zip(&expected) {
            assert!((*found - origin).distance(expected.as_dvec3()) < 2e-6, "{name}: {found}, {expected}");
        }
    };
    for name in ["out.json", "out.obj", "out.ply", "out.glb"] {
        rigscope(&["bake", &path("far.glb"), "-o", &path(name)]).ok();
    }
    let json: Value = serde_json::from_slice(&std::fs::read(path("out.json")).unwrap()).unwrap();
    let parts = json["primitives"].as_array().unwrap().iter();
    let places = parts.flat_map(|part| serde_json::from_value::<Vec<DVec3>>(part["positions"].clone()).unwrap());
    assert_there("JSON", &places.collect::<Vec<_>>());
    let obj = std::fs::read_to_string(path("out.obj")).unwrap();
    assert_there("OBJ", &lines_of(&obj, "v ").collect::<Vec<_>>());
    let glb = read("out.glb");
    let rest = evaluate(&glb, None, &Pose::rest(&glb.hierarchy));
    let placed: Vec<DVec3> =
        skinned(&Arc::new(glb.clone()), &rest, Method::Lbs).iter().map(|p| glb.hierarchy.in_file(*p)).collect();
    assert_there("GLB", &placed);
    let ply = std::fs::read(path("out.ply")).unwrap();
    let end = b"end_header\n";
    let body = ply.windows(end.len()).position(|window| window == end).unwrap() + end.len();
    let header = std::str::from_utf8(&ply[..body]).unwrap();
    let width: usize = header.lines().take_while(|line| !line.starts_with("element face")).map(ply_width).sum();
    let place = |vertex: usize| {
        DVec3::from_array([0, 8, 16].map(|at| {
            let start = body + vertex * width + at;
            f64::from_le_bytes(ply[start..start + 8].try_into().unwrap())
        }))
    };
    assert_there("PLY", &(0..expected.len()).map(place).collect::<Vec<_>>());

    let told: Value = serde_json::from_str(&rigscope(&["info", &path("far.glb"), "--json"]).ok().stdout).unwrap();
    let [min, max] = ["min", "max"].map(|end| serde_json::from_value::<DVec3>(told["extents"][end].clone()).unwrap());
    let bounds = near.rest_bounds();
    for (found, expected) in [(min, bounds.min), (max, bounds.max)] {
        assert!((found - origin).distance(expected.as_dvec3()) < 2e-3, "{found}, {expected}");
    }
}

/// Returns the number of bytes of a property in a PLY header.
fn ply_width(line: &str) -> usize {
    match line.split(' ').collect::<Vec<_>>()[..] {
        ["property", "double", _] => 8,
        ["property", "float", _] => 4,
        ["property", "uchar", _] => 1,
        _ => 0,
    }
}

#[test]
fn posing_far_away_is_posing_at_the_origin() {
    let figure = figure();
    let above = [at(5000.3, 0.0, 0.0), at(4999.9, 3.0, 1000.7)];
    let (far, near, origin) = (far(&figure, &above), near(&figure, &above), place(&above));
    let hand = far.hierarchy.node_named("LeftHand").unwrap();
    let posed_by = |rig: &Rig, origin: DVec3| {
        let rest = Pose::rest(&rig.hierarchy);
        let posed = evaluate(rig, None, &rest);
        let chain = IkChain::new(&rig.hierarchy, hand, 2, |_| false).unwrap();
        let stand = SolverInputs { hierarchy: &rig.hierarchy, clip_local: &posed.clip_local, bend: Vec3::Z };
        let target = rig.hierarchy.from_file(origin + DVec3::new(0.4, 1.5, 0.3));
        let mut pulled = rest.clone();
        pulled.set_joints(chain.solve_toward(stand, &rest, target, |_, user_local| user_local));
        let end = evaluate(rig, None, &pulled).world_from_node[hand.index()].translation;
        assert!(end.distance(target) < 1e-3, "{end} {target}");
        let mirrored = Symmetry::find(rig).unwrap().mirrored_pose(&rig.hierarchy, &pulled);
        let bound = bind_pose(rig, &posed.clip_local, &rest).pose;
        let places = |pose: &Pose| -> Vec<Vec3> {
            let world = evaluate(rig, None, pose).world_from_node;
            rig.skins[0].joints.iter().map(|joint| world[joint.index()].translation).collect()
        };
        (places(&mirrored), places(&bound))
    };
    let (there, here) = (posed_by(&far, origin), posed_by(&near, DVec3::ZERO));
    assert!(off(&far, &there.0, origin, &here.0) < 2e-5, "{}", off(&far, &there.0, origin, &here.0));
    // The bind positions are near the file's origin, kilometres away from where the distant rig has full precision.
    assert!(off(&far, &there.1, DVec3::ZERO, &here.1) < 4e-3, "{}", off(&far, &there.1, DVec3::ZERO, &here.1));
}

/// Returns the document of a file with the figure below a node.
fn opened(folder: &Path, name: &str, above: Trs) -> Document {
    let path = folder.join(name);
    rig_glb(&far(&figure(), &[above]), &Progress::default()).unwrap().write(&path).unwrap();
    Document::open(&Source::File(path), &Job::default()).unwrap()
}

#[test]
fn sessions_and_files_read_again_keep_the_place_of_the_camera_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let open = || opened(folder.path(), "here.glb", at(10_000.3, 0.0, 0.0));
    let mut state = AppState::new(open(), Settings::default());
    state.apply(Command::Orbit { yaw: 0.3, pitch: 0.1 });
    state.open.stage.view.camera.target += Vec3::splat(0.123_456);
    let place = |state: &AppState| state.open.stage.rig().hierarchy.in_file(state.open.stage.view.camera.target);
    let before = place(&state);
    assert!((before.x - 10_000.3).abs() < 2.0, "{before}");

    let json = state.open.snapshot().session().to_json();
    let written: Value = serde_json::from_str(&json).unwrap();
    let target: DVec3 = serde_json::from_value(written["camera"]["target"].clone()).unwrap();
    assert!(target.distance(before) < 1e-3, "{target}");
    let session = Box::new(Session::parse(json.as_bytes()).unwrap());
    let mut again = AppState::new(open(), Settings::default());
    again.receive(JobResult::Document(Box::new(open()), AfterLoad::Restore(session)));
    assert!(place(&again).distance(before) < 1e-6, "{} {before}", place(&again));

    let moved = opened(folder.path(), "moved.glb", at(10_064.0, 0.0, 0.0));
    assert_ne!(moved.rig.hierarchy.anchor(), state.open.stage.rig().hierarchy.anchor());
    state.receive(JobResult::Document(Box::new(moved), AfterLoad::Reload { is_asked: true }));
    assert!(place(&state).distance(before) < 1e-4, "{} {before}", place(&state));
}

#[test]
fn another_file_on_a_side_stands_in_the_same_world() {
    let folder = tempfile::tempdir().unwrap();
    let other = opened(folder.path(), "other.glb", at(10_064.0, 0.0, 3.0));
    let Source::File(path) = other.source.clone() else { panic!("a file") };
    for (x, apart) in [(10_000.0, 64.0), (0.0, 10_064.0)] {
        let open = opened(folder.path(), "open.glb", at(x, 0.0, 3.0));
        assert_ne!(open.rig.hierarchy.anchor(), other.rig.hierarchy.anchor());
        let mut state = AppState::new(open, Settings::default());
        state.apply(Command::UsePath(PathUse::CompareWith, path.clone()));
        assert_eq!(state.open.stage.compute_pending(&Job::default()), [""; 0]);
        state.open.stage.refresh();
        let [a, b] = [Side::A, Side::B].map(|side| state.open.stage.actor(side).rig.rest_bounds().center());
        assert!((b - a).distance(Vec3::X * apart) < 2e-3, "{a} {b}");
    }
}

#[test]
fn numbers_that_nothing_can_be_far_from_neither_panic_nor_hang() {
    let tube = rigs::twisted_tube(0.8);
    let nowhere = [1e30, -3e38, f32::MAX, f32::MIN_POSITIVE, 1e-30, f32::NAN, f32::INFINITY];
    with_scene(|scene| {
        for number in nowhere {
            for above in [vec![at(number, 0.0, 0.0)], vec![at(number, number, 1.0), at(-number, 0.0, number)]] {
                let rig = far(&tube, &above);
                assert!(rig.hierarchy.anchor().is_finite(), "{number}");
                let still = Still::new(&rig, random_pose(&rig, 1));
                let view = still.view(Method::Dqs, [16, 16]);
                still.draw(scene, &view, [16, 16]);
                let frame = still.posed().world_before_user(&rig.hierarchy, NodeIndex(1));
                assert!(frame.is_finite() || !number.is_normal() || number.abs() > 1e29, "{number}");
            }
        }
    });
}
