use std::sync::Arc;

use glam::{Affine3, DVec3, Quat, Vec3};

use rigscope_core::matching::VertexPairs;
use rigscope_core::rig::{
    Channel, Clip, ClipMoment, Hierarchy, Influences, Interpolation, Mesh, MeshInstance, MirrorAxis, MorphTarget,
    NodeDescription, NodeIndex, PointFrame, PointGroup, PointSpace, PointUnit, Pose, Posed, Primitive, Property, Rig,
    RigData, Skin, StoredInfluences, Trs, UpAxis, evaluate,
};
use rigscope_core::skinning::Skinner;

use super::*;

/// Number of vertices.
const VERTICES: usize = 240;

/// A pseudo-random number from -1 to 1.
fn random(seed: usize) -> f32 {
    let mixed = (seed as u32).wrapping_mul(2_654_435_761).wrapping_add(974_711);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(2_246_822_519);
    ((mixed ^ (mixed >> 13)) % 20_001) as f32 / 10_000.0 - 1.0
}

fn vector(seed: usize) -> Vec3 {
    Vec3::new(random(seed * 3), random(seed * 3 + 1), random(seed * 3 + 2))
}

fn turn(seed: usize, angle: f32) -> Quat {
    Quat::from_axis_angle(vector(seed).normalize_or(Vec3::X), angle)
}

/// Six joints under a scaled and turned node. Children come before parents in the file, a node between them is no
/// joint, and one joint is scaled.
fn nodes() -> Vec<NodeDescription> {
    let at = |x: f32, y: f32, seed: usize| Trs {
        translation: Vec3::new(x, y, 0.1),
        rotation: turn(seed, 0.4),
        ..Trs::IDENTITY
    };
    let scaled = |trs: Trs, scale: f32| Trs { scale: Vec3::splat(scale), ..trs };
    vec![
        NodeDescription::new("tip", vec![], at(0.0, 0.5, 1)),
        NodeDescription::new("top", vec![3], scaled(at(0.2, 0.3, 2), 1.5)),
        NodeDescription::new("mesh", vec![], scaled(at(0.7, -0.2, 3), 1.3)),
        NodeDescription::new("helper", vec![6], at(0.1, 0.2, 4)),
        NodeDescription::new("low", vec![1, 7], at(0.0, 0.4, 5)),
        NodeDescription::new("root", vec![8, 2], scaled(at(0.3, 0.1, 6), 0.8)),
        NodeDescription::new("arm", vec![0], at(0.1, 0.4, 7)),
        NodeDescription::new("side", vec![], at(-0.5, 0.2, 8)),
        NodeDescription::new("hips", vec![4], at(0.0, 0.6, 9)),
    ]
}

/// Joints by their number in the file, in another order than nodes.
const JOINTS: [usize; 6] = [8, 0, 4, 6, 1, 7];

fn rig_with(edit: impl FnOnce(&mut RigData)) -> Arc<Rig> {
    rig_of(VERTICES, edit)
}

fn rig_of(count: usize, edit: impl FnOnce(&mut RigData)) -> Arc<Rig> {
    let hierarchy = Hierarchy::new(&nodes()).unwrap();
    let joints: Vec<NodeIndex> = JOINTS.map(|source| hierarchy.by_source(source).unwrap()).to_vec();
    let bind = |at: usize| {
        let bind = Affine3::from_rotation_translation(turn(at + 20, 0.9), vector(at + 30));
        bind.inverse()
    };
    let inverse_bind = (0..joints.len()).map(bind).collect();
    let positions: Vec<Vec3> = (0..count).map(|v| vector(v + 50)).collect();
    let (mut joints_of, mut weights_of) = (Vec::new(), Vec::new());
    let (mut stored_joints, mut stored_weights) = (Vec::new(), Vec::new());
    for vertex in 0..count {
        let weight = |slot: usize| if vertex % 3 > 0 && slot > 3 { 0.0 } else { 0.1 + random(vertex * 7 + slot).abs() };
        let mut slots: Vec<(u16, f32)> = (0..6).map(|slot| (((vertex + slot) % 6) as u16, weight(slot))).collect();
        stored_joints.extend(slots.iter().map(|(joint, _)| *joint));
        stored_weights.extend(slots.iter().map(|(_, weight)| *weight));
        let sum: f32 = slots.iter().map(|(_, weight)| weight).sum();
        slots.sort_by(|a, b| b.1.total_cmp(&a.1));
        joints_of.extend(slots.iter().map(|(joint, _)| *joint));
        weights_of.extend(slots.iter().map(|(_, weight)| weight / sum));
    }
    // Two slots more, as in a file with two sets.
    let vertices = (0..count as u32).collect();
    let offsets = (0..count).map(|v| vector(v + 900) * 0.2).collect();
    let primitive = Primitive {
        positions,
        normals: Some((0..count).map(|v| vector(v + 500).normalize_or(Vec3::Y)).collect()),
        influences: Some(Influences::new(6, joints_of, weights_of)),
        stored_influences: Some(StoredInfluences::new(6, vertices, stored_joints, stored_weights)),
        morph_targets: vec![MorphTarget { positions: offsets, ..MorphTarget::default() }],
        points: (0..count as u32).collect(),
        ..Primitive::default()
    };
    let node = |source: usize| hierarchy.by_source(source).unwrap();
    let keys = |seed: usize| [turn(seed, 0.5), -turn(seed + 1, 1.4), turn(seed, -0.8)].map(|q| q.to_array()).concat();
    let times = [0.0, 0.7, 1.5];
    let cubic: Vec<f32> = (0..27).map(|at| random(at + 77)).collect();
    let channels = vec![
        Channel::new(node(4), Property::Rotation, Interpolation::Linear, times, keys(40)),
        Channel::new(node(7), Property::Rotation, Interpolation::Linear, times, keys(60)),
        Channel::new(node(8), Property::Translation, Interpolation::CubicSpline, times, cubic),
    ];
    let mut data = RigData {
        skins: vec![Skin { joints, inverse_bind, ..Skin::default() }],
        meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
        instances: vec![MeshInstance { node: node(2), mesh: 0, skin: Some(0), morph_weights: vec![0.7] }],
        clips: vec![Clip { channels, duration_secs: 1.5, authored_rate: Some(30.0), ..Clip::default() }],
        hierarchy,
        is_gltf: true,
        ..RigData::default()
    };
    edit(&mut data);
    Arc::new(Rig::new(data))
}

fn rig() -> Arc<Rig> {
    rig_with(|_| ())
}

struct Scene {
    rig: Arc<Rig>,
    pose: Pose,
    posed: Posed,
    moment: Option<ClipMoment>,
    skinning: Skinning,
}

impl Scene {
    /// A pose with large angles, or a moment of the clip.
    fn new(rig: Arc<Rig>, method: Method, has_clip: bool, angle: f32) -> Self {
        let mut pose = Pose::rest(&rig.hierarchy);
        for (at, &joint) in rig.skins[0].joints.iter().enumerate().filter(|_| !has_clip) {
            pose.set_user_local(joint, Trs::from_rotation(turn(at + 11, angle * (0.6 + 0.4 * random(at)))));
        }
        let moment = has_clip.then(|| ClipMoment::new(0, 0.31));
        let posed = evaluate(&rig, moment, &pose);
        Self { rig, pose, posed, moment, skinning: Skinning::new(method) }
    }

    fn raw(&self) -> RawRig<'_> {
        RawRig::new(&self.rig, (&self.pose, &self.posed, self.moment), &self.skinning)
    }

    /// Returns the points under some variants of mistakes.
    fn points(&self, changes: &[fn(&mut Pipeline)]) -> Vec<DVec3> {
        let mut pipeline = usual_pipeline(&self.skinning).unwrap();
        for change in changes {
            change(&mut pipeline);
        }
        let vertices: Vec<(usize, u32)> = (0..VERTICES as u32).map(|vertex| (0, vertex)).collect();
        self.raw().points(&pipeline, &vertices)
    }

    fn diagnosis(&self, points: Vec<DVec3>) -> Diagnosis {
        self.diagnosis_of(&PointFrame::from_positions(points))
    }

    fn diagnosis_of(&self, points: &PointFrame) -> Diagnosis {
        let input = DiagnosisInput {
            rig: &self.rig,
            pose: &self.pose,
            posed: &self.posed,
            moment: self.moment,
            skinning: &self.skinning,
            points,
            points_at_rest: None,
        };
        diagnose(&input, &Progress::default()).unwrap().unwrap()
    }
}

fn single(points: Vec<DVec3>) -> Vec<DVec3> {
    points.into_iter().map(|point| point.as_vec3().as_dvec3()).collect()
}

fn skinned(rig: &Arc<Rig>, posed: &Posed, skinning: &Skinning) -> Vec<DVec3> {
    let deformed = Skinner::new(rig, skinning).unwrap().deform(posed);
    deformed.into_iter().flatten().flat_map(|part| part.positions).map(Vec3::as_dvec3).collect()
}

/// Scenes in which each mistake has an effect: each method, in a pose and in a clip, with small and large angles.
fn scenes() -> Vec<Scene> {
    let rig = rig();
    vec![
        Scene::new(Arc::clone(&rig), Method::Lbs, false, 0.8),
        Scene::new(Arc::clone(&rig), Method::Lbs, true, 0.0),
        Scene::new(Arc::clone(&rig), Method::Dqs, false, 0.8),
        Scene::new(rig, Method::Dqs, false, 5.5),
    ]
}

#[test]
fn without_mistakes_the_pipeline_agrees_with_the_skinner() {
    for scene in scenes() {
        let (own, theirs) = (scene.points(&[]), skinned(&scene.rig, &scene.posed, &scene.skinning));
        for (vertex, (own, theirs)) in own.iter().zip(&theirs).enumerate() {
            assert!(own.distance(*theirs) < 2e-5, "{:?} {vertex}: {own} {theirs}", scene.skinning.method);
        }
    }
}

#[test]
fn every_mistake_is_named() {
    let scenes = scenes();
    for mistake in MISTAKES.iter().filter(|mistake| !mistake.variants.is_empty()) {
        let has_effect = |scene: &&Scene| {
            let (right, wrong) = (scene.points(&[]), scene.points(&mistake.variants[..1]));
            right.iter().zip(&wrong).any(|(a, b)| a.distance(*b) > 1e-4)
        };
        // Weights that are normalised on import stay normalised.
        let Some(scene) = scenes.iter().find(has_effect) else {
            assert_eq!(mistake.id, "normalised");
            continue;
        };
        let diagnosis = scene.diagnosis(single(scene.points(&mistake.variants[..1])));
        let best = diagnosis.best().unwrap_or_else(|| panic!("{}: {:?}", mistake.id, diagnosis.explanations[0]));
        let named: Vec<_> = std::iter::once(best).chain(diagnosis.tied()).map(Explanation::ids).collect();
        assert!(named.contains(&vec![mistake.id]), "{}: {named:?}, {:?}", mistake.id, best.residual);
        assert!(best.residual.max < 2e-6 && !diagnosis.is_right(), "{}: {:?}", mistake.id, best.residual);
    }
}

/// Keys with three digits.
#[test]
fn a_sampler_that_holds_rounded_keys_is_named() {
    let rounded = |key: f32| (key * 1000.0).round() / 1000.0;
    let rig = rig_with(|data| {
        let joints = [4, 7].map(|source| data.hierarchy.by_source(source).unwrap());
        let keys = |seed: usize| [turn(seed, 0.5), turn(seed + 1, 1.4), turn(seed, -0.8)].map(|q| q.to_array());
        let channel = |(at, node): (usize, NodeIndex)| {
            let keys: Vec<f32> = keys(40 + at * 20).concat().into_iter().map(rounded).collect();
            Channel::new(node, Property::Rotation, Interpolation::Linear, [0.0, 0.7, 1.5], keys)
        };
        data.clips[0].channels = joints.into_iter().enumerate().map(channel).collect();
    });
    let scene = Scene::new(rig, Method::Lbs, true, 0.0);
    for id in ["step-for-linear", "quat-wxyz"] {
        let points = scene.points(&[Mistake::with_id(id).unwrap().variants[0]]);
        assert_ne!(points, scene.points(&[]));
        assert_eq!(scene.diagnosis(single(points)).best().map(Explanation::ids), Some(vec![id]));
    }
    let (own, theirs) = (scene.points(&[]), skinned(&scene.rig, &scene.posed, &scene.skinning));
    assert!(farthest(&own, &theirs) < 2e-5, "{}", farthest(&own, &theirs));
}

fn stretched(node: NodeDescription) -> NodeDescription {
    match node.name.as_str() {
        "low" | "top" => NodeDescription { rest: Trs { scale: Vec3::new(1.0, 3.0, 0.4), ..node.rest }, ..node },
        _ => node,
    }
}

/// The pose turns joints whose scale differs by axis: `R S U` has shear.
#[test]
fn misread_rotations_keep_the_shear_of_posed_joints() {
    let uneven = rig_with(|data| {
        data.hierarchy = Hierarchy::new(&nodes().into_iter().map(stretched).collect::<Vec<_>>()).unwrap();
    });
    let scene = Scene::new(uneven, Method::Lbs, false, 0.8);
    // The same by hand: each rotation of the pose inverted, those of the file kept.
    let mut pose = scene.pose.clone();
    for &joint in &scene.rig.skins[0].joints {
        let user = *pose.user_local(joint);
        pose.set_user_local(joint, Trs { rotation: user.rotation.inverse(), ..user });
    }
    let posed = evaluate(&scene.rig, None, &pose);
    let diagnosis = scene.diagnosis(skinned(&scene.rig, &posed, &scene.skinning));
    assert_eq!(diagnosis.best().map(Explanation::ids), Some(vec!["quat-conjugate"]), "{:?}", diagnosis.explanations[0]);
}

/// Nodes that state no rotation, by matrix or by default, have no quaternion to misread.
#[test]
fn rotations_are_misread_only_in_nodes_that_have_one() {
    let edited = |edit: fn(&mut Trs)| {
        rig_with(move |data| {
            let edited = |node: NodeDescription| {
                let mut rest = node.rest;
                if matches!(node.name.as_str(), "root" | "side") {
                    rest.rotation = Quat::IDENTITY;
                } else {
                    edit(&mut rest);
                }
                NodeDescription { rest, ..node }
            };
            data.hierarchy = Hierarchy::new(&nodes().into_iter().map(edited).collect::<Vec<_>>()).unwrap();
        })
    };
    let scene = Scene::new(edited(|_| ()), Method::Lbs, false, 0.8);
    let wrong = edited(|rest| rest.rotation = Quat::from_array([3, 0, 1, 2].map(|at| rest.rotation.to_array()[at])));
    let mut pose = scene.pose.clone();
    for &joint in &scene.rig.skins[0].joints {
        let user = *pose.user_local(joint);
        let turned = Quat::from_array([3, 0, 1, 2].map(|at| user.rotation.to_array()[at]));
        pose.set_user_local(joint, Trs { rotation: turned, ..user });
    }
    for pose in [&scene.pose, &pose] {
        let posed = evaluate(&wrong, None, pose);
        let diagnosis = scene.diagnosis(skinned(&wrong, &posed, &scene.skinning));
        assert_eq!(diagnosis.best().map(Explanation::ids), Some(vec!["quat-wxyz"]), "{:?}", diagnosis.explanations[0]);
    }
}

/// A clip whose quaternions are misread, in nodes that are read right otherwise.
#[test]
fn quaternions_of_clips_are_misread_on_their_own() {
    let scene =
        Scene { pose: Scene::new(rig(), Method::Lbs, false, 0.6).pose, ..Scene::new(rig(), Method::Lbs, true, 0.0) };
    let posed = evaluate(&scene.rig, scene.moment, &scene.pose);
    let scene = Scene { posed, ..scene };
    let wrong = rig_with(|data| {
        for channel in data.clips[0].channels.iter_mut().filter(|channel| channel.property == Property::Rotation) {
            channel.values = channel.values.chunks_exact(4).flat_map(|q| [-q[0], -q[1], -q[2], q[3]]).collect();
        }
    });
    let posed = evaluate(&wrong, scene.moment, &scene.pose);
    let diagnosis = scene.diagnosis(skinned(&wrong, &posed, &scene.skinning));
    assert_eq!(diagnosis.best().map(Explanation::ids), Some(vec!["quat-conjugate"]), "{:?}", diagnosis.explanations[0]);
}

impl Scene {
    /// Returns what the points of another rig are named as, in the same pose and at the same moment.
    fn named(&self, wrong: &Arc<Rig>) -> Option<Vec<&'static str>> {
        let posed = evaluate(wrong, self.moment, &self.pose);
        let diagnosis = self.diagnosis(skinned(wrong, &posed, &self.skinning));
        diagnosis.best().map(Explanation::ids)
    }
}

fn rig_with_channels(edit: impl Fn(&mut Channel)) -> Arc<Rig> {
    rig_with(|data| data.clips[0].channels.iter_mut().for_each(edit))
}

#[test]
fn samplers_of_cubic_splines_are_named() {
    let scene = Scene::new(rig(), Method::Lbs, true, 0.0);
    // Zero tangents: key k is in-tangent, value, out-tangent.
    let smooth = rig_with_channels(|channel| {
        if channel.interpolation == Interpolation::CubicSpline {
            channel.values.chunks_exact_mut(9).for_each(|key| (0..3).chain(6..9).for_each(|at| key[at] = 0.0));
        }
    });
    assert_eq!(scene.named(&smooth), Some(vec!["cubic-tangents"]));
    let held = rig_with_channels(|channel| {
        if channel.interpolation == Interpolation::CubicSpline {
            channel.values = channel.values.chunks_exact(9).flat_map(|key| &key[3..6]).copied().collect();
        }
        channel.interpolation = Interpolation::Step;
    });
    assert_eq!(scene.named(&held), Some(vec!["step-for-linear"]));
}

#[test]
fn normalised_lerp_is_not_the_long_way() {
    let keys = [turn(40, 0.9), turn(41, 1.4), turn(42, 0.8)].map(|q| if q.w < 0.0 { -q } else { q });
    let with_keys = |keys: [Quat; 3]| {
        rig_with(|data| {
            data.clips[0].channels.truncate(1);
            data.clips[0].channels[0].values = keys.map(|key| key.to_array()).concat();
        })
    };
    let scene = Scene::new(with_keys(keys), Method::Lbs, true, 0.0);
    assert!(keys[0].dot(keys[1]) > 0.0);
    // Constant keys of the value at 0.31 s, between 0 s and 0.7 s.
    let lerped = (keys[0] * (1.0 - 0.31 / 0.7) + keys[1] * (0.31 / 0.7)).normalize();
    assert_eq!(scene.named(&with_keys([lerped; 3])), Some(vec!["nlerp-for-slerp"]));
}

/// Parents of the frame before, of one level or of all levels.
#[test]
fn children_that_are_updated_before_their_parents_use_the_frame_before() {
    let scene = Scene::new(rig(), Method::Lbs, true, 0.0);
    let hierarchy = &scene.rig.hierarchy;
    let posed_before =
        |frames: usize| evaluate(&scene.rig, Some(ClipMoment::new(0, 0.31 - frames as f32 / 30.0)), &scene.pose);
    let world = |node: NodeIndex, adds_up: bool| {
        let parents = std::iter::successors(Some(node), |node| hierarchy.parent(*node)).enumerate();
        let locals = parents.map(|(level, node)| {
            let frames = if adds_up { level } else { level.min(1) };
            posed_before(frames).clip_local[node.index()]
        });
        locals.reduce(|below, local| local * below).unwrap()
    };
    for adds_up in [false, true] {
        let mut posed = scene.posed.clone();
        for node in hierarchy.nodes() {
            posed.world_from_node[node.index()] = world(node, adds_up);
        }
        let diagnosis = scene.diagnosis(skinned(&scene.rig, &posed, &scene.skinning));
        let best = diagnosis.best().map(Explanation::ids);
        assert_eq!(best, Some(vec!["child-before-parent"]), "{adds_up} {:?}", diagnosis.explanations[0]);
    }
}

/// Conversions from matrices to quaternions differ in their signs.
#[test]
fn unchecked_signs_are_fitted_to_the_points() {
    for (scene, expected) in [(&scenes()[2], &["antipodality"][..]), (&scenes()[0], &["dqs-for-lbs", "antipodality"])] {
        let mut raw = scene.raw();
        raw.signs = vec![vec![false, true, true, false, true, false]];
        let vertices: Vec<(usize, u32)> = raw.vertices().collect();
        let unchecked = Pipeline {
            method: pipeline::Blend::DualQuaternion,
            signs: pipeline::Signs::Fitted,
            ..usual_pipeline(&scene.skinning).unwrap()
        };
        let diagnosis = scene.diagnosis(single(raw.points(&unchecked, &vertices)));
        let best = diagnosis.best().unwrap();
        assert_eq!((best.ids(), best.pipeline.signs), (expected.to_vec(), pipeline::Signs::Fitted));
        assert!(best.residual.max < 2e-6, "{:?}", best.residual);
    }
}

/// Among mistakes that give the same points, conventions come first.
#[test]
fn z_up_is_named_before_other_mistakes_that_give_the_same_points() {
    // Without the root, which lays the character down, it stands.
    let lying = rig_with(|data| {
        let edited = |node: NodeDescription| {
            let rest = match node.name.as_str() {
                "root" => Trs::from_rotation(Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2)),
                "helper" => Trs::IDENTITY,
                _ => node.rest,
            };
            NodeDescription { rest, ..node }
        };
        data.hierarchy = Hierarchy::new(&nodes().into_iter().map(edited).collect::<Vec<_>>()).unwrap();
    });
    let scene = Scene::new(lying, Method::Lbs, false, 0.8);
    let diagnosis = scene.diagnosis(single(scene.points(&[Mistake::with_id("z-up").unwrap().variants[0]])));
    assert_eq!(diagnosis.best().map(Explanation::ids), Some(vec!["z-up"]));
    assert!(diagnosis.tied().any(|tied| tied.ids() == ["skip-non-joints"]), "{:?}", diagnosis.explanations[1]);
}

#[test]
fn binds_from_rest_are_named_with_a_wrong_lookup() {
    let scene = &scenes()[0];
    let binds = [pipeline::Bind::FromRest, pipeline::Bind::FromRestOfLookup];
    let changes: [[fn(&mut Pipeline); 2]; 2] = [
        [|p| p.lookup = pipeline::Lookup::Nodes, |p| p.bind = pipeline::Bind::FromRest],
        [|p| p.lookup = pipeline::Lookup::Nodes, |p| p.bind = pipeline::Bind::FromRestOfLookup],
    ];
    for (changes, bind) in changes.iter().zip(binds) {
        let diagnosis = scene.diagnosis(single(scene.points(changes)));
        let best = diagnosis.best().unwrap();
        assert_eq!(best.ids(), ["node-for-joint", "ibm-from-rest"]);
        assert_eq!(best.pipeline.bind, bind);
    }
}

#[test]
fn two_mistakes_are_named_together() {
    let scene = &scenes()[0];
    for pair in [["z-up", "ibm-inverted"], ["quat-conjugate", "centimetres"], ["scale-dropped", "one-influence"]] {
        let changes = pair.map(|id| Mistake::with_id(id).unwrap().variants[0]);
        let diagnosis = scene.diagnosis(single(scene.points(&changes)));
        let mut ids = diagnosis.best().unwrap().ids();
        ids.sort_unstable();
        let mut pair = pair.to_vec();
        pair.sort_unstable();
        assert_eq!(ids, pair);
    }
}

/// More vertices than mistakes are tried on: every second one.
#[test]
fn mistakes_in_a_large_mesh_are_ranked_by_all_vertices() {
    let scene = Scene::new(rig_of(70_000, |_| ()), Method::Lbs, false, 0.8);
    let raw = scene.raw();
    let vertices: Vec<(usize, u32)> = raw.vertices().collect();
    let points = |id: &str| {
        let mut pipeline = usual_pipeline(&scene.skinning).unwrap();
        Mistake::with_id(id).unwrap().variants[0](&mut pipeline);
        raw.points(&pipeline, &vertices)
    };
    let [conjugate, missing] = ["quat-conjugate", "ibm-missing"].map(points);
    // The vertices that are tried first have more of the one mistake, and all together more of the other.
    let is_conjugate = |at: usize| at.is_multiple_of(2) && at / 2 % 5 < 3;
    let mixed = (0..vertices.len()).map(|at| if is_conjugate(at) { conjugate[at] } else { missing[at] }).collect();
    let diagnosis = scene.diagnosis(mixed);
    assert_eq!(diagnosis.explanations[0].ids(), ["ibm-missing"], "{:?}", &diagnosis.explanations[..3]);
}

#[test]
fn right_points_are_never_accused() {
    for scene in scenes() {
        let right = skinned(&scene.rig, &scene.posed, &scene.skinning);
        let noisy = |size: f64| {
            let noise = |(at, point): (usize, &DVec3)| *point + vector(at + 4000).as_dvec3() * size;
            right.iter().enumerate().map(noise).collect::<Vec<_>>()
        };
        let half = right.iter().map(|p| DVec3::from_array(p.to_array().map(joints::half_rounded))).collect();
        for points in [right.clone(), noisy(1e-6), noisy(1e-5), noisy(2e-4), half] {
            let diagnosis = scene.diagnosis(points);
            assert!(
                diagnosis.is_right(),
                "{:?} {:?}",
                diagnosis.best().map(Explanation::ids),
                diagnosis.explanations[0].residual
            );
        }
    }
}

type DataEdit = fn(&mut RigData);

/// A rig with the mistake in its data, skinned by the usual kernels.
#[test]
fn mistakes_in_the_data_are_named_from_the_points_of_the_skinner() {
    let scene = Scene::new(rig(), Method::Lbs, false, 0.8);
    let edits: [(&str, DataEdit); 4] = [
        ("ibm-missing", |data| data.skins[0].inverse_bind = vec![Affine3::IDENTITY; 6]),
        ("ibm-inverted", |data| data.skins[0].inverse_bind.iter_mut().for_each(|bind| *bind = bind.inverse())),
        ("morph-missing", |data| data.instances[0].morph_weights = vec![0.0]),
        ("scale-dropped", |data| {
            let unscaled =
                |node: NodeDescription| NodeDescription { rest: Trs { scale: Vec3::ONE, ..node.rest }, ..node };
            data.hierarchy = Hierarchy::new(&nodes().into_iter().map(unscaled).collect::<Vec<_>>()).unwrap();
        }),
    ];
    for (id, edit) in edits {
        let wrong = rig_with(edit);
        let posed = evaluate(&wrong, None, &scene.pose);
        let diagnosis = scene.diagnosis(skinned(&wrong, &posed, &scene.skinning));
        assert_eq!(diagnosis.best().map(Explanation::ids), Some(vec![id]));
    }
    let dqs = Skinning::new(Method::Dqs);
    let diagnosis = scene.diagnosis(skinned(&scene.rig, &scene.posed, &dqs));
    assert_eq!(diagnosis.best().unwrap().sentence("LBS"), "Your points are DQS, not LBS");
}

#[test]
fn nothing_fits_other_points_and_only_the_vertices_that_differ_are_described() {
    let scene = Scene::new(rig(), Method::Lbs, false, 0.8);
    let other = (0..VERTICES).map(|v| vector(v + 7000).as_dvec3()).collect();
    assert!(scene.diagnosis(other).best().is_none());
    let four = scene.points(&[|p| p.weights = pipeline::WeightChoice::HeaviestFour { normalises: true }]);
    let right = scene.points(&[]);
    let pushed = four.iter().zip(&right).map(|(a, b)| if a.distance(*b) > 1e-4 { *a + DVec3::X } else { *b }).collect();
    let diagnosis = scene.diagnosis(pushed);
    let said = diagnosis.disagreement.as_deref().unwrap_or_default();
    assert!(diagnosis.best().is_none() && said.contains("all have more than four influences"), "{said}");
    // Whatever they have, a mistake doesn't make it clearer.
    let noisy = right.iter().enumerate().map(|(at, p)| *p + vector(at + 4000).as_dvec3() * 0.1).collect();
    let diagnosis = scene.diagnosis(noisy);
    assert_eq!(diagnosis.explanations[0].ids(), [""; 0]);
    assert!(diagnosis.summary().contains("they are nearest to the right ones"), "{}", diagnosis.summary());
    let not_finite = vec![DVec3::NAN; VERTICES];
    assert!(scene.diagnosis(not_finite).best().is_none());
}

#[test]
fn normals_by_the_matrix_are_named() {
    let uneven = rig_with(|data| {
        data.hierarchy = Hierarchy::new(&nodes().into_iter().map(stretched).collect::<Vec<_>>()).unwrap();
    });
    let scene = Scene::new(uneven, Method::Lbs, false, 0.8);
    let vertices: Vec<(usize, u32)> = (0..VERTICES as u32).map(|vertex| (0, vertex)).collect();
    for (by_matrix, expected) in [(true, vec!["normals-by-matrix"]), (false, vec![])] {
        let normals = Some(scene.raw().normals(&Pipeline::default(), by_matrix, &vertices));
        let group = PointGroup { primitive: None, positions: scene.points(&[]), normals };
        let diagnosis = scene.diagnosis_of(&PointFrame { groups: vec![group], number: None });
        assert_eq!(diagnosis.best().map(Explanation::ids), Some(expected));
    }
}

#[test]
fn points_are_matched_by_primitive_by_count_and_at_rest() {
    let scene = Scene::new(rig(), Method::Lbs, false, 0.8);
    let points = scene.points(&[]);
    let group = |primitive, count: usize| PointGroup { primitive, positions: points[..count].to_vec(), normals: None };
    let frame = |group| PointFrame { groups: vec![group], number: None };
    let by = |frame: &PointFrame, rest: Option<&PointFrame>| {
        let input = DiagnosisInput {
            rig: &scene.rig,
            pose: &scene.pose,
            posed: &scene.posed,
            moment: None,
            skinning: &scene.skinning,
            points: frame,
            points_at_rest: rest,
        };
        diagnose(&input, &Progress::default()).map(|found| found.unwrap())
    };
    assert_eq!(by(&frame(group(Some((2, 0)), VERTICES)), None).unwrap().matched_by, "node and primitive");
    assert!(by(&frame(group(None, VERTICES)), None).unwrap().is_right());
    assert!(by(&frame(group(Some((2, 1)), VERTICES)), None).unwrap_err().contains("No primitive"));
    assert!(by(&frame(group(Some((2, 0)), 9)), None).unwrap_err().contains("9 points"));
    assert!(by(&frame(group(None, 9)), None).unwrap_err().contains("--points-rest"));
    let at_rest = Scene::new(Arc::clone(&scene.rig), Method::Lbs, false, 0.0).points(&[]);
    let reversed = |points: &[DVec3]| PointFrame::from_positions(points.iter().rev().copied().collect());
    let found = by(&reversed(&points), Some(&reversed(&at_rest))).unwrap();
    assert!(found.is_right() && found.matched_by == "positions at rest");
    let primitive = &scene.rig.meshes[0].primitives[0];
    let morphed = primitive.positions.iter().zip(&primitive.morph_targets[0].positions);
    let bound: Vec<DVec3> = morphed.map(|(position, offset)| (*position + *offset * 0.7).as_dvec3()).collect();
    let found = by(&reversed(&points), Some(&reversed(&bound))).unwrap();
    assert!(found.is_right() && found.matched_by == "positions in the bind pose");
}

impl Scene {
    /// Returns the rig of points that are read with these frames.
    fn points_rig(&self, frames: &[PointFrame]) -> Result<PointsRig, String> {
        let input = PointsInput {
            open: &self.rig,
            pose: &self.pose,
            moment: self.moment,
            frames,
            unit: None,
            up: None,
            memory_limit: 1 << 20,
        };
        points_rig(&input, &Progress::default()).map(Option::unwrap)
    }
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn a_rig_of_points_has_them_as_vertices_in_any_space() {
    let scene = Scene::new(rig(), Method::Lbs, false, 0.5);
    let expected = skinned(&scene.rig, &scene.posed, &scene.skinning);
    let metre = PointSpace::default();
    let centimetre: PointUnit = "cm".parse().unwrap();
    for space in [
        metre,
        PointSpace { unit: centimetre, ..metre },
        PointSpace { up: UpAxis::Z, ..metre },
        PointSpace { mirror: Some(MirrorAxis::X), ..metre },
        PointSpace { unit: "in".parse().unwrap(), up: UpAxis::Z, mirror: Some(MirrorAxis::Z) },
    ] {
        // The inverse of `PointSpace::point`: its columns are orthogonal.
        let columns = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| space.direction(axis));
        let written = |p: &DVec3| DVec3::from_array(columns.map(|column| column.dot(*p))) / space.unit.metres();
        let frame = PointFrame::from_positions(expected.iter().map(written).collect());
        let points = scene.points_rig(&[frame]).unwrap();
        assert_eq!(points.space, space, "{:?}", points.info);
        let rest = evaluate(&points.rig, None, &Pose::rest(&points.rig.hierarchy));
        let shown = skinned(&Arc::new(points.rig), &rest, &Skinning::default());
        assert!(farthest(&shown, &expected) < 1e-5, "{space:?}: {}", farthest(&shown, &expected));
        assert_eq!((points.matching, points.warnings), (VertexPairs::InOrder, Vec::new()));
    }
}

#[test]
fn frames_of_points_are_shown_at_the_frames_of_the_clip() {
    let scene = Scene::new(rig(), Method::Lbs, true, 1.0);
    let rate = scene.rig.frame_rate(0);
    let at = |frame: u32| {
        let posed = evaluate(&scene.rig, Some(ClipMoment::new(0, rate.time_secs(frame))), &scene.pose);
        skinned(&scene.rig, &posed, &scene.skinning)
    };
    let frames: Vec<PointFrame> = (0..46).map(|frame| PointFrame::from_positions(at(frame))).collect();
    let points = scene.points_rig(&frames).unwrap();
    let rig = Arc::new(points.rig);
    assert_eq!(rig.clips.len(), 1, "{:?}", points.info);
    for frame in [0, 1, 17, 45] {
        for late in [0.0, 0.9 / rate.per_sec] {
            let moment = ClipMoment::new(0, rate.time_secs(frame) + late);
            let shown = skinned(&rig, &evaluate(&rig, Some(moment), &Pose::rest(&rig.hierarchy)), &Skinning::default());
            assert!(farthest(&shown, &at(frame)) < 1e-5, "frame {frame}: {}", farthest(&shown, &at(frame)));
        }
    }
    // Another number of frames is that of the clip that is shown.
    let some = scene.points_rig(&frames[..9]).unwrap();
    assert_eq!(some.rig.clips.len(), 1);
    assert!(some.warnings[0].starts_with("There are 9 frames of points, but"), "{:?}", some.warnings);
    // Numbers from 1 on count from 0; others are those of the clip.
    let numbered = |first: i64, frames: &[PointFrame]| {
        let frames = (first..).zip(frames).map(|(number, frame)| PointFrame { number: Some(number), ..frame.clone() });
        Arc::new(scene.points_rig(&frames.collect::<Vec<_>>()).unwrap().rig)
    };
    for (rig, frame) in [(numbered(1, &frames), 17), (numbered(10, &frames[10..20]), 17), (numbered(0, &frames), 17)] {
        let posed = evaluate(&rig, Some(ClipMoment::new(0, rate.time_secs(frame))), &Pose::rest(&rig.hierarchy));
        assert!(farthest(&skinned(&rig, &posed, &Skinning::default()), &at(frame)) < 1e-5);
    }
    let unshown = Scene { moment: None, ..Scene::new(rig_with(|_| ()), Method::Lbs, true, 1.0) };
    let some = unshown.points_rig(&frames[..9]).unwrap();
    assert_eq!(some.warnings, ["Frame 0 of 9 is shown: no clip has as many frames"]);
    let short = PointFrame::from_positions(at(0)[1..].to_vec());
    let problem = scene.points_rig(&[frames[0].clone(), short]).unwrap_err();
    assert!(problem.starts_with("Frame 1 has 239 points, but frame 0 has 240 points"), "{problem}");
    let problem = scene.points_rig(&vec![frames[0].clone(); 138]).unwrap_err();
    assert!(problem.contains("138 frames of 240 points are too many to show"), "{problem}");
}

#[test]
fn triangles_of_a_mirrored_mesh_are_reversed() {
    let rig = rig_with(|data| {
        let primitive = &mut data.meshes[0].primitives[0];
        (primitive.influences, primitive.stored_influences) = (None, None);
        (primitive.indices, primitive.points) = (vec![0, 1, 2], Vec::new());
        data.instances[0].skin = None;
    });
    for (x, indices) in [(1.0, [0, 1, 2]), (-1.0, [0, 2, 1])] {
        let mut scene = Scene::new(Arc::clone(&rig), Method::Lbs, false, 0.5);
        let mirrored = Trs { scale: Vec3::new(x, 1.0, 1.0), ..Trs::IDENTITY };
        scene.pose.set_user_local(rig.instances[0].node, mirrored);
        scene.posed = evaluate(&rig, None, &scene.pose);
        let frame = PointFrame::from_positions(skinned(&rig, &scene.posed, &scene.skinning));
        assert_eq!(scene.points_rig(&[frame]).unwrap().rig.meshes[0].primitives[0].indices, indices);
    }
}

#[test]
fn points_of_one_of_two_meshes_leave_the_other_out() {
    let two = rig_with(|data| {
        let mut other = data.meshes[0].clone();
        other.primitives[0].positions.truncate(9);
        other.primitives[0].normals = None;
        other.primitives[0].influences = None;
        other.primitives[0].stored_influences = None;
        other.primitives[0].morph_targets.clear();
        other.primitives[0].points.truncate(9);
        data.meshes.insert(0, Mesh { source: 1, ..other });
        data.instances[0].mesh = 1;
        let mesh_node = data.instances[0].node;
        data.instances.insert(0, MeshInstance { node: mesh_node, mesh: 0, skin: None, morph_weights: Vec::new() });
    });
    let scene = Scene::new(two, Method::Lbs, false, 1.0);
    let mut all = skinned(&scene.rig, &scene.posed, &scene.skinning);
    let given = all.split_off(9);
    let points = scene.points_rig(&[PointFrame::from_positions(given)]).unwrap();
    assert_eq!(points.rig.vertex_count(), VERTICES, "{:?}", points.info);
    let VertexPairs::ByPlace { to_second, to_first } = points.matching else { panic!("in order") };
    assert!(to_second[..9].iter().all(|&to| to == u32::MAX));
    assert!((0..).zip(&to_first).all(|(at, &to)| to == at + 9 && to_second[to as usize] == at));
}

#[test]
fn a_pose_is_suggested_in_which_tied_mistakes_differ() {
    let scene = Scene::new(rig(), Method::Lbs, false, 0.0);
    let from_rest: fn(&mut Pipeline) = |p| p.bind = pipeline::Bind::FromRest;
    let points = PointFrame::from_positions(single(scene.points(&[from_rest])));
    let suggested = |diagnosis: &Diagnosis| {
        let input = DiagnosisInput {
            rig: &scene.rig,
            pose: &scene.pose,
            posed: &scene.posed,
            moment: None,
            skinning: &scene.skinning,
            points: &points,
            points_at_rest: None,
        };
        suggested_pose(&input, diagnosis)
    };
    // As if the second explanation gave the same points.
    let mut diagnosis = scene.diagnosis_of(&points);
    diagnosis.explanations[1].is_tied = true;
    let other = diagnosis.explanations[1].ids();
    let pose = suggested(&diagnosis).unwrap();
    let posed = evaluate(&scene.rig, None, &pose);
    let again = Scene { rig: Arc::clone(&scene.rig), pose, posed, moment: None, skinning: scene.skinning.clone() };
    let found = again.diagnosis(single(again.points(&[from_rest])));
    assert_eq!(found.best().map(Explanation::ids), Some(vec!["ibm-from-rest"]));
    assert!(found.tied().all(|tied| tied.ids() != other), "{other:?}");
    // Both mistakes always drop the same influences here, so no pose tells them apart.
    let first_four = Mistake::with_id("first-four").unwrap().variants[0];
    let diagnosis = scene.diagnosis(single(scene.points(&[first_four])));
    assert!(diagnosis.tied().count() > 0 && suggested(&diagnosis).is_none());
}

#[test]
fn matrices_are_named_whatever_their_layout() {
    let scene = Scene::new(rig(), Method::Lbs, false, 0.8);
    let points = PointFrame::default();
    let input = DiagnosisInput {
        rig: &scene.rig,
        pose: &scene.pose,
        posed: &scene.posed,
        moment: None,
        skinning: &scene.skinning,
        points: &points,
        points_at_rest: None,
    };
    let skin = &scene.rig.skins[0];
    let world = |joint: &NodeIndex| scene.posed.world_from_node[joint.index()];
    let numbers = |matrix: Affine3| glam::Mat4::from(matrix).to_cols_array().map(f64::from);
    let by_rows = |matrix: Affine3| glam::Mat4::from(matrix).transpose().to_cols_array().map(f64::from);
    let palette = || skin.joints.iter().zip(&skin.inverse_bind).map(|(joint, bind)| world(joint) * *bind);
    let other_side = skin.joints.iter().zip(&skin.inverse_bind).map(|(joint, bind)| *bind * world(joint));
    let cases: [(Vec<[f64; 16]>, _, _, _); 4] = [
        (palette().map(numbers).collect(), None, true, true),
        (palette().map(by_rows).collect(), None, true, false),
        (skin.joints.iter().map(|joint| by_rows(world(joint))).collect(), None, false, false),
        (other_side.map(numbers).collect(), Some("ibm-side"), true, true),
    ];
    for (matrices, id, is_skinning, is_by_columns) in cases {
        let found = diagnose_matrices(&MatricesInput::from(&input), &matrices).unwrap();
        let named = (found.mistake.map(|mistake| mistake.id), found.is_skinning, found.is_by_columns);
        assert_eq!(named, (id, is_skinning, is_by_columns));
        assert!(found.fits() && found.joints.is_empty() == id.is_none(), "{found:?}");
    }
    // One joint turned by 30° about its origin, moved by 0.25 m and scaled by 2 along its first axis.
    let turned = Affine3::from_scale_rotation_translation(
        glam::Vec3::new(2.0, 1.0, 1.0),
        glam::Quat::from_rotation_z(30_f32.to_radians()),
        glam::Vec3::Y * 0.25,
    );
    let scale = |joint: &NodeIndex| world(joint).matrix3.y_axis.length();
    for is_skinning in [true, false] {
        let mut matrices: Vec<Affine3> = skin.joints.iter().map(world).collect();
        matrices[3] *= turned;
        if is_skinning {
            matrices.iter_mut().zip(&skin.inverse_bind).for_each(|(matrix, bind)| *matrix *= *bind);
        }
        let matrices: Vec<[f64; 16]> = matrices.into_iter().map(numbers).collect();
        let found = diagnose_matrices(&MatricesInput::from(&input), &matrices).unwrap();
        assert_eq!((found.is_skinning, found.wrong_joints().count(), found.errors.len()), (is_skinning, 1, 6));
        let worst = found.errors[0];
        assert_eq!(worst.node, skin.joints[3]);
        assert!((worst.distance - f64::from(0.25 * scale(&skin.joints[3]))).abs() < 1e-4, "{worst:?}");
        assert!((worst.angle.to_degrees() - 30.0).abs() < 1e-2, "{worst:?}");
        assert!((worst.scale - 1.0).abs() < 1e-4, "{worst:?}");
    }
    let mut matrices: Vec<[f64; 16]> = palette().map(numbers).collect();
    matrices[2][5] = f64::NAN;
    let found = diagnose_matrices(&MatricesInput::from(&input), &matrices).unwrap();
    assert_eq!((found.errors[0].node, found.wrong_joints().count()), (skin.joints[2], 1));
    assert!(!found.fits() && found.errors[0].angle.is_infinite() && found.errors[0].distance.is_infinite());
    assert!(diagnose_matrices(&MatricesInput::from(&input), &[[0.0; 16]]).unwrap_err().contains("6 joints"));
}
