use std::sync::Arc;

use glam::{Affine3, DQuat, Quat, Vec3, Vec3Swizzles as _};
use proptest::prelude::*;

use super::proof::prove_in;
use super::*;
use rigscope_core::jobs::Progress;
use rigscope_core::matching::Scheme;
use rigscope_core::rig::testing::{any_rigid, any_rotation, any_tree, any_vector, build_chain, chain, skinned};
use rigscope_core::rig::{
    Channel, Clip, Constraint, ConstraintKind, CoordSet, Hierarchy, Image, Influences, Interpolation, Material,
    MaterialIndex, Mesh, MeshInstance, MorphTarget, NodeDescription, NodeIndex, PointUnit, Primitive, Property,
    RigData, Skin, Suppression, SuppressionTarget, Texture, Trs, Wrap,
};

const POSES: usize = 12;

fn proof(old: &Arc<Rig>, refitted: &Refitted) -> Proof {
    let pairing = Pairing::with_refitted(old, refitted);
    prove_in([old, &refitted.rig], &pairing, POSES, &Progress::default()).unwrap()
}

fn refit(rig: &Arc<Rig>, operations: &[Operation]) -> Result<Refitted, RefitError> {
    super::refit(rig, operations, &Job::default())
}

fn reason(result: Result<Refitted, RefitError>) -> String {
    result.unwrap_err().to_string()
}

/// Vertices between the joints, each with three influences.
fn primitive(joint_count: usize, positions: &[Vec3]) -> Primitive {
    let count = joint_count as u16;
    let joints = (0..positions.len() as u16).flat_map(|v| [v % count, (v + 1) % count, (v * 7 + 3) % count]).collect();
    let weights = positions.iter().flat_map(|_| [0.5, 0.3, 0.2]).collect();
    let offsets = positions.iter().map(|p| p.yzx() * 0.1).collect();
    Primitive {
        positions: positions.to_vec(),
        normals: Some(positions.iter().map(|p| p.normalize_or(Vec3::Y)).collect()),
        influences: Some(Influences::new(3, joints, weights)),
        morph_targets: vec![MorphTarget { positions: offsets, ..MorphTarget::default() }],
        points: (0..positions.len() as u32).collect(),
        ..Primitive::default()
    }
}

/// A rig with two skins that share joints, a mesh on a node, and a clip.
fn rig_with(hierarchy: Hierarchy, points: &[Vec3], offset: Affine3, keys: &[Quat], moves_root: bool) -> RigData {
    let worlds = rigscope_core::rig::testing::world_at_rest(&hierarchy);
    let all: Vec<NodeIndex> = hierarchy.nodes().skip(2).collect();
    let half: Vec<NodeIndex> = all.iter().copied().step_by(2).collect();
    let skin = |joints: Vec<NodeIndex>, offset: Affine3| {
        let inverse_bind = joints.iter().map(|joint| worlds[joint.index()].inverse() * offset).collect();
        Skin { joints, inverse_bind, ..Skin::default() }
    };
    let meshes = [all.len(), half.len(), 1].map(|joints| {
        let mut primitives = vec![primitive(joints, points)];
        if joints == 1 {
            primitives[0].influences = None;
        }
        Mesh { primitives, ..Mesh::default() }
    });
    let last = *all.last().unwrap();
    let instance = |node, mesh, skin| MeshInstance { node, mesh, skin, morph_weights: vec![0.25] };
    let animated = all[1];
    let rotation = |node, interpolation, values: Vec<f32>| {
        Channel::new(node, Property::Rotation, interpolation, [0.0, 0.5, 1.0], values)
    };
    let linear = keys.iter().flat_map(Quat::to_array).collect::<Vec<f32>>();
    let spline = keys.iter().flat_map(|q| [Quat::IDENTITY * 0.1, *q, *q * 0.2].map(|q| q.to_array())).flatten();
    let times = [0.0, 0.5, 1.0];
    let values = points.iter().cycle().take(3).flat_map(Vec3::to_array).collect::<Vec<f32>>();
    let mut channels = vec![
        rotation(animated, Interpolation::Linear, linear.clone()),
        rotation(last, Interpolation::CubicSpline, spline.collect()),
        Channel::new(animated, Property::Translation, Interpolation::Linear, times, values),
        Channel::new(
            last,
            Property::Scale,
            Interpolation::Step,
            times,
            [1.0_f32, 1.5, 0.5].into_iter().flat_map(|s| [s; 3]).collect(),
        ),
    ];
    if moves_root {
        channels.push(rotation(NodeIndex(1), Interpolation::Step, linear));
    }
    RigData {
        skins: vec![skin(all, Affine3::IDENTITY), skin(half, offset)],
        meshes: meshes.into(),
        instances: vec![
            instance(NodeIndex(0), 0, Some(0)),
            instance(NodeIndex(0), 1, Some(1)),
            instance(last, 2, None),
        ],
        clips: vec![Clip { duration_secs: 1.0, channels, ..Clip::default() }],
        hierarchy,
        ..RigData::default()
    }
}

fn any_rig() -> impl Strategy<Value = Arc<Rig>> {
    let scale = prop::sample::select(vec![1.0_f32, 1.0, 1.0, 1.0, 0.5, 2.5]);
    let rest = (any_rigid(1.0), scale).prop_map(|(rigid, scale)| Trs { scale: Vec3::splat(scale), ..rigid });
    let points = prop::collection::vec(any_vector(2.0), 24);
    let offset = (any_rigid(1.0), any::<bool>()).prop_map(
        |(rigid, is_moved)| {
            if is_moved { rigid.to_affine() } else { Affine3::IDENTITY }
        },
    );
    (any_tree(7..14, rest), points, offset, prop::collection::vec(any_rotation(), 3), any::<bool>()).prop_map(
        |(hierarchy, points, offset, keys, moves_root)| {
            Arc::new(Rig::new(rig_with(hierarchy, &points, offset, &keys, moves_root)))
        },
    )
}

fn any_operation() -> impl Strategy<Value = Operation> {
    let axis = |axis: usize, is_negative: bool| SignedAxis { axis, is_negative };
    let unit = |to: &str, from: &str| UnitChange { to: to.parse().unwrap(), from: Some(from.parse().unwrap()) };
    prop::sample::select(vec![
        Operation::PoseAsRest(RestPose::Bind),
        Operation::PoseAsRest(RestPose::Clip { clip: "0".to_owned(), time_secs: 0.3 }),
        Operation::ResetBinds,
        Operation::FreezeScale,
        Operation::FreezeRoot,
        Operation::ToUnit(unit("cm", "m")),
        Operation::ToUnit(unit("m", "in")),
        Operation::Up(UpChange { to: axis(1, false), from: Some(axis(2, false)) }),
        Operation::Up(UpChange { to: axis(2, true), from: Some(axis(0, false)) }),
        Operation::DropUnused { keep: Vec::new() },
        Operation::MergeSkins,
        Operation::AddRoot("Root".to_owned()),
        Operation::LimitInfluences(2),
    ])
}

#[test]
fn operations_are_texts_that_are_read_again() {
    let pose = r#"pose-as-rest={"version":1,"joints":{"Hips":{"rotation":[0.0,0.0,1.0,0.0]}}}"#;
    let texts = [
        pose,
        "pose-as-rest=t",
        "pose-as-rest=a@b@0.5",
        "reset-binds",
        "to-unit=cm",
        "to-unit=m:0.3",
        "up=y:-z",
        "rename=mixamo",
        r#"rename={"a":"b, c"}"#,
        "drop-unused",
        "drop-unused=*_end,x",
        "add-root=my=root",
        "limit-influences=4",
        "add-twist=Left=Arm=3",
        "attach=C:\\a=b.glb",
        "attach=b.glb:no-joints",
    ];
    for text in texts {
        let operation: Operation = text.parse().unwrap();
        let again: Operation = operation.to_string().parse().unwrap();
        assert_eq!((operation.clone(), operation.name()), (again, text.split('=').next().unwrap()), "{text}");
    }
    for (text, problem) in [
        ("freeze", "there is no operation \"freeze\""),
        ("to-unit=parsec", "give m, cm"),
        ("up=w", "give x, y or z"),
        ("limit-influences=0", "1 to 255"),
        ("add-twist=Arm", "give JOINT=N"),
        ("add-twist=Arm=9", "N from 1 to 8"),
        ("rename=maya", "give vrm-1"),
        ("pose-as-rest=nothing.json", "nothing.json"),
        ("attach=", "give the path"),
        ("rename={\"a\":1}", "invalid type"),
    ] {
        let error = text.parse::<Operation>().unwrap_err();
        assert!(error.contains(problem), "{text}: {error}");
    }
    assert!(OPERATIONS.iter().all(|spec| spec.name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
}

proptest! {
    #[test]
    fn any_chain_of_operations_keeps_the_skin_or_says_that_it_changes(rig in any_rig(),
        operations in prop::collection::vec(any_operation(), 1..5)) {
        if let Ok(refitted) = refit(&rig, &operations) {
            let proof = proof(&rig, &refitted);
            prop_assert!(proof.holds() || refitted.changes_skin, "{operations:?}: {}", proof.summary());
        }
    }

    #[test]
    fn scale_is_frozen_and_unfrozen_by_its_inverse(rig in any_rig()) {
        let frozen = refit(&rig, &[Operation::FreezeScale]).unwrap();
        for node in frozen.rig.hierarchy.nodes().filter(|node| frozen.rig.is_joint(*node)) {
            prop_assert!((frozen.rig.hierarchy.rest(node).scale - 1.0).abs().max_element() < 1e-4);
        }
        let there: PointUnit = "cm".parse().unwrap();
        let and_back = [(there, PointUnit::METRE), (PointUnit::METRE, there)];
        let changes = and_back.map(|(to, from)| Operation::ToUnit(UnitChange { to, from: Some(from) }));
        let back = refit(&rig, &changes).unwrap();
        let proof = proof(&rig, &back);
        prop_assert!(proof.holds() && (back.map.scale() - 1.0).abs() < 1e-9, "{}", proof.summary());
    }
}

fn named_chain(names: &[&str]) -> Hierarchy {
    let node = |at: usize| {
        let children = (at + 1..names.len()).take(1).collect();
        NodeDescription::new(names[at], children, Trs::from_translation(Vec3::Y * 0.5))
    };
    Hierarchy::new(&(0..names.len()).map(node).collect::<Vec<_>>()).unwrap()
}

#[test]
fn a_changed_skin_is_measured() {
    let hierarchy = chain(3, Trs::from_translation(Vec3::Y));
    let rig = Arc::new(Rig::new(skinned(hierarchy, primitive(3, &[Vec3::X, Vec3::Y, Vec3::Z]))));
    let limited = refit(&rig, &[Operation::LimitInfluences(1)]).unwrap();
    assert!(limited.changes_skin && !proof(&rig, &limited).holds());
    // One moved vertex is enough, and is named.
    let mut data = (**rig).clone();
    data.meshes[0].primitives[0].positions[1] += Vec3::X * 1e-3;
    let moved = Refitted { rig: Arc::new(Rig::new(data)), ..Refitted::unchanged(Arc::clone(&rig)) };
    let found = proof(&rig, &moved);
    assert!(!found.holds() && found.skin.place.starts_with("vertex 1 "), "{}", found.summary());
    assert!((found.skin.max_m - 1e-3).abs() < 2e-4 && found.joints.max_m == 0.0, "{}", found.summary());
}

#[test]
fn what_is_not_a_number_is_no_proof() {
    let hierarchy = chain(2, Trs::IDENTITY);
    let rig = Arc::new(Rig::new(skinned(hierarchy, primitive(2, &[Vec3::X, Vec3::Y]))));
    let mut data = (**rig).clone();
    data.skins[0].inverse_bind[0].translation.x = f32::NAN;
    let broken = Refitted { rig: Arc::new(Rig::new(data)), ..Refitted::unchanged(Arc::clone(&rig)) };
    assert!(!proof(&rig, &broken).holds());
}

#[test]
fn the_scale_of_an_armature_goes_into_its_joints() {
    let armature = Trs { scale: Vec3::splat(0.01), rotation: Quat::from_rotation_x(-1.5), translation: Vec3::ZERO };
    let joint = Trs::from_translation(Vec3::new(0.0, 100.0, 0.0));
    let hierarchy = build_chain(&[armature, Trs::IDENTITY, joint, joint]);
    let data = rig_with(hierarchy, &[Vec3::X, Vec3::Y, Vec3::Z], Affine3::IDENTITY, &[Quat::IDENTITY; 3], false);
    let rig = Arc::new(Rig::new(data));
    let frozen = refit(&rig, &[Operation::FreezeScale]).unwrap();
    assert_eq!(frozen.notes.len(), 1);
    let rest = |node: u32| *frozen.rig.hierarchy.rest(NodeIndex(node));
    assert_eq!((rest(0).scale, rest(0).rotation), (Vec3::ONE, armature.rotation));
    assert!(rest(3).translation.abs_diff_eq(Vec3::Y, 1e-6));
    assert!(proof(&rig, &frozen).holds());
    let rooted = refit(&rig, &[Operation::FreezeRoot]).unwrap();
    assert!(rooted.rig.hierarchy.rest(NodeIndex(0)).is_identity() && proof(&rig, &rooted).holds());
}

#[test]
fn an_uneven_scale_is_refused_by_name() {
    let uneven = Trs { scale: Vec3::new(1.0, 2.0, 1.0), ..Trs::from_translation(Vec3::Y) };
    let rig = Arc::new(Rig::new(skinned(chain(2, uneven), primitive(2, &[Vec3::X]))));
    assert!(reason(refit(&rig, &[Operation::FreezeScale])).starts_with("freeze-scale: "));
}

#[test]
fn behaviours_that_depend_on_the_rest_pose_are_not_broken() {
    let mut data = skinned(chain(3, Trs::from_translation(Vec3::Y)), primitive(3, &[Vec3::X]));
    data.constraints =
        vec![Constraint { node: NodeIndex(2), source: NodeIndex(1), kind: ConstraintKind::Rotation, weight: 1.0 }];
    let turn = Quat::from_rotation_x(1.0).to_array().to_vec();
    let channels = vec![Channel::linear(NodeIndex(1), Property::Rotation, [0.0], turn)];
    data.clips = vec![Clip { channels, ..Clip::default() }];
    let rig = Arc::new(Rig::new(data));
    let pose = RestPose::Clip { clip: "0".to_owned(), time_secs: 0.0 };
    assert!(reason(refit(&rig, &[Operation::PoseAsRest(pose)])).contains("constraint"));
    let up = UpChange { to: SignedAxis::named("y").unwrap(), from: SignedAxis::named("z") };
    assert!(proof(&rig, &refit(&rig, &[Operation::Up(up)]).unwrap()).holds(), "roots may turn");
}

#[test]
fn a_pose_becomes_the_rest_pose_and_clips_hold_what_they_left_there() {
    let hierarchy =
        build_chain(&[Trs::IDENTITY, Trs::IDENTITY, Trs::from_translation(Vec3::Y), Trs::from_translation(Vec3::Y)]);
    let keys = [0.0, 0.5, 1.0].map(Quat::from_rotation_z);
    let rig = Arc::new(Rig::new(rig_with(hierarchy, &[Vec3::X, Vec3::Y, Vec3::Z], Affine3::IDENTITY, &keys, false)));
    let pose = RestPose::Clip { clip: "0".to_owned(), time_secs: 1.0 };
    let posed = refit(&rig, &[Operation::PoseAsRest(pose)]).unwrap();
    assert_ne!(posed.rig.hierarchy.rest(NodeIndex(3)), rig.hierarchy.rest(NodeIndex(3)));
    assert!(posed.rig.clips[0].channels.len() >= rig.clips[0].channels.len());
    assert!(proof(&rig, &posed).holds());
    assert_eq!(posed.rig.skins[0].inverse_bind, rig.skins[0].inverse_bind);
    let bound = posed.and(&Operation::ResetBinds, &Job::default()).unwrap();
    let worlds = rest_worlds(&bound.rig);
    for (joint, bind) in bound.rig.skins[0].joints.iter().zip(&bound.rig.skins[0].inverse_bind) {
        let t = worlds[joint.index()].as_affine3() * *bind;
        assert!(t.abs_diff_eq(Affine3::IDENTITY, 1e-4), "{t:?}");
    }
}

#[test]
fn skins_stay_in_their_space_when_they_are_bound_anew() {
    let armature = Trs { scale: Vec3::splat(0.01), rotation: Quat::from_rotation_x(-1.5), translation: Vec3::X };
    let joint = Trs::from_translation(Vec3::new(0.0, 100.0, 0.0));
    let hierarchy = build_chain(&[Trs::IDENTITY, armature, joint, joint, joint, joint]);
    let keys = [0.0, 0.5, 1.0].map(Quat::from_rotation_z);
    let points = [Vec3::X, Vec3::Y, Vec3::Z].map(|p| p * 100.0);
    let mut data = rig_with(hierarchy, &points, Affine3::IDENTITY, &keys, false);
    // As many programs do, the skins are bound in the armature's space.
    let above = rest_worlds(&Rig::new(data.clone()))[1].as_affine3();
    data.skins.iter_mut().flat_map(|skin| &mut skin.inverse_bind).for_each(|bind| *bind *= above);
    let rig = Arc::new(Rig::new(data));
    let unchanged = refit(&rig, &[Operation::ResetBinds]).unwrap();
    assert!(unchanged.notes[0].ends_with("new binds of 0 joints") && !unchanged.changes_skin, "{:?}", unchanged.notes);
    let pose = RestPose::Clip { clip: "0".to_owned(), time_secs: 1.0 };
    let posed = refit(&rig, &[Operation::PoseAsRest(pose)]).unwrap().rig;
    let bound = refit(&posed, &[Operation::ResetBinds]).unwrap().rig;
    let worlds = rest_worlds(&bound);
    for (joint, bind) in bound.skins[0].joints.iter().zip(&bound.skins[0].inverse_bind) {
        let found = worlds[joint.index()].as_affine3() * *bind;
        assert!(found.abs_diff_eq(above, 1e-3), "{found:?}");
    }
    assert_eq!(bound.skins[0].inverse_bind[0], posed.skins[0].inverse_bind[0]);
    assert_ne!(bound.skins[0].inverse_bind, posed.skins[0].inverse_bind);
    assert!(farthest(&shown(&bound, 0, None), &shown(&posed, 0, None)) < 1e-4);
}

#[test]
fn motion_below_a_large_scale_is_kept_however_small_it_is() {
    let large = Trs { scale: Vec3::splat(2e5), ..Trs::IDENTITY };
    let small = Trs { scale: Vec3::splat(5e-6), ..Trs::IDENTITY };
    let hierarchy = build_chain(&[Trs::IDENTITY, Trs::IDENTITY, large, small, Trs::from_translation(Vec3::Y)]);
    let mut data = rig_with(hierarchy, &cloud(6), Affine3::IDENTITY, &[Quat::IDENTITY; 3], false);
    let values = [Vec3::ZERO, Vec3::X * 8e-7].into_iter().flat_map(|v| v.to_array()).collect();
    data.clips[0].channels = vec![Channel::linear(NodeIndex(3), Property::Translation, [0.0, 1.0], values)];
    let rig = Arc::new(Rig::new(data));
    let pose = RestPose::Clip { clip: "0".to_owned(), time_secs: 1.0 };
    let posed = refit(&rig, &[Operation::PoseAsRest(pose)]).unwrap();
    let proof = proof(&rig, &posed);
    assert!(proof.holds(), "{}", proof.summary());
}

#[test]
fn names_follow_a_scheme_or_a_table_and_stay_unique() {
    let hierarchy = named_chain(&[
        "Hips",
        "Spine",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "RightUpLeg",
        "RightLeg",
        "RightFoot",
        "prop",
    ]);
    let rig = Arc::new(Rig::new(skinned(hierarchy, primitive(9, &[Vec3::X]))));
    let names = |refitted: &Refitted| {
        let hierarchy = &refitted.rig.hierarchy;
        hierarchy.nodes().map(|node| hierarchy.name(node).to_owned()).collect::<Vec<_>>()
    };
    let vrm = refit(&rig, &[Operation::Rename(Renaming::Scheme(Scheme::Vrm))]).unwrap();
    assert_eq!(names(&vrm)[..3], ["hips", "spine", "leftUpperLeg"]);
    let few = Arc::new(Rig::new(skinned(named_chain(&["Hips", "Spine", "tail"]), primitive(3, &[Vec3::X]))));
    assert!(reason(refit(&few, &[Operation::Rename(Renaming::Scheme(Scheme::Vrm))])).contains("only 2 humanoid bones"));
    assert!(vrm.notes[0].contains("prop") && proof(&rig, &vrm).holds(), "{:?}", vrm.notes);
    let table = Renaming::from_csv("prop, tail\nnone,x\n").unwrap();
    let tabled = refit(&rig, &[Operation::Rename(table)]).unwrap();
    assert_eq!(names(&tabled)[8], "tail");
    assert!(tabled.notes[0].contains("none"), "{:?}", tabled.notes);
    let clash = Renaming::from_csv("prop,Spine").unwrap();
    assert!(reason(refit(&rig, &[Operation::Rename(clash)])).contains("both be named \"Spine\""));
    for (text, problem) in [("a", "row 1 has 1 cell"), ("a,b\na,c", "row 2 gives"), ("a,", "no new name")] {
        assert!(Renaming::from_csv(text).unwrap_err().contains(problem), "{text}");
    }
}

#[test]
fn only_joints_that_nothing_needs_are_removed() {
    let hierarchy = named_chain(&["Hips", "Spine", "Head", "Head_end", "Head_end_end"]);
    let mut data = skinned(hierarchy, primitive(3, &[Vec3::X, Vec3::Y, Vec3::Z]));
    data.human_bones = vec![(NodeIndex(2), "head".to_owned())];
    let rig = Arc::new(Rig::new(data));
    let dropped = refit(&rig, &[Operation::DropUnused { keep: Vec::new() }]).unwrap();
    assert_eq!((dropped.rig.hierarchy.len(), dropped.rig.skins[0].joints.len()), (3, 3));
    assert_eq!(dropped.map.node(NodeIndex(4)), None);
    assert!(proof(&rig, &dropped).holds());
    let kept = refit(&rig, &[Operation::DropUnused { keep: vec![Pattern::new("*_end")] }]).unwrap();
    assert_eq!(kept.rig.hierarchy.len(), 5);
    let rooted = dropped.and(&Operation::AddRoot("Root".to_owned()), &Job::default()).unwrap();
    assert_eq!((rooted.rig.hierarchy.len(), rooted.rig.skins[0].joints.len()), (4, 4));
    assert_eq!(rooted.rig.human_bones[0].1, "head");
    assert_eq!(rooted.rig.hierarchy.name(rooted.rig.human_bones[0].0), "Head");
    assert!(proof(&rig, &rooted).holds());
    assert!(reason(rooted.and(&Operation::AddRoot("Hips".to_owned()), &Job::default())).contains("already a node"));
}

#[test]
fn extras_follow_their_nodes() {
    let hierarchy = named_chain(&["Hips", "Head_end", "Spine", "Head"]);
    let mut data = skinned(hierarchy, primitive(4, &[Vec3::X, Vec3::Y, Vec3::Z]));
    // Without weights of its own and without joints below it, the last joint is unused.
    data.meshes[0].primitives[0].influences = Some(Influences::new(1, vec![0, 1, 2], vec![1.0; 3]));
    data.extras.nodes =
        data.hierarchy.nodes().map(|n| (n.index(), format!("\"{}\"", data.hierarchy.name(n)))).collect();
    let suppression = |node: NodeIndex| Suppression {
        place: SuppressionTarget::Node(data.hierarchy.source(node)),
        code: data.hierarchy.name(node).to_owned(),
        reason: String::new(),
    };
    data.suppressions = data.hierarchy.nodes().map(suppression).collect();
    let rig = Arc::new(Rig::new(data));
    let operations = [Operation::DropUnused { keep: Vec::new() }, Operation::AddRoot("Root".to_owned())];
    let changed = refit(&rig, &operations).unwrap().rig;
    assert_eq!((changed.hierarchy.len(), changed.extras.nodes.len()), (4, 3));
    for (node, text) in &changed.extras.nodes {
        let node = changed.hierarchy.by_source(*node).unwrap();
        assert_eq!(*text, format!("\"{}\"", changed.hierarchy.name(node)));
    }
    // The suppression of the removed joint is removed too.
    assert_eq!(changed.suppressions.len(), 3);
    for Suppression { place, code, .. } in &changed.suppressions {
        let SuppressionTarget::Node(node) = *place else { panic!("{place:?}") };
        assert_eq!(code, changed.hierarchy.name(changed.hierarchy.by_source(node).unwrap()));
    }
}

#[test]
fn files_are_paired_by_names_rest_or_binds() {
    let hierarchy = build_chain(&[
        Trs::IDENTITY,
        Trs::from_translation(Vec3::Y),
        Trs::from_translation(Vec3::Y),
        Trs::from_translation(Vec3::Y),
    ]);
    let points: Vec<Vec3> = (0..24).map(|at| Vec3::new(at as f32 * 0.1, (at * at % 17) as f32 * 0.2, 0.3)).collect();
    let keys = [0.0, 0.5, 1.0].map(Quat::from_rotation_z);
    let rig = Arc::new(Rig::new(rig_with(hierarchy, &points, Affine3::IDENTITY, &keys, false)));
    let clip = RestPose::Clip { clip: "0".to_owned(), time_secs: 1.0 };
    for operation in [Operation::FreezeScale, Operation::PoseAsRest(clip), Operation::MergeSkins] {
        let other = refit(&rig, std::slice::from_ref(&operation)).unwrap().rig;
        let pairing = Pairing::between(&rig, &other, &Progress::default()).unwrap().unwrap();
        let found = prove_in([&rig, &other], &pairing, POSES, &Progress::default()).unwrap();
        assert!(found.holds(), "{operation:?}: {}", found.summary());
    }
    let other = refit(&rig, &[Operation::LimitInfluences(1)]).unwrap().rig;
    let pairing = Pairing::between(&rig, &other, &Progress::default()).unwrap().unwrap();
    assert!(!prove_in([&rig, &other], &pairing, POSES, &Progress::default()).unwrap().holds());
}

/// A figure, or clothes for it: a hip with a spine and two legs, and `extra` joints below the hip. Each
/// joint moves the vertices at its origin; `turn` is the rotation of all joints' axes.
fn figure(extra: &[&str], turn: Quat, bent: Quat, points: &[Vec3]) -> RigData {
    let mut named = vec![
        ("Hips", None, Vec3::Y),
        ("Spine", Some(0), Vec3::new(0.0, 1.3, 0.0)),
        ("Head", Some(1), Vec3::new(0.0, 1.7, 0.1)),
        ("LeftUpLeg", Some(0), Vec3::new(0.1, 0.9, 0.0)),
        ("RightUpLeg", Some(0), Vec3::new(-0.1, 0.9, 0.0)),
    ];
    for (number, name) in extra.iter().enumerate() {
        let above = if number == 0 { 0 } else { named.len() - 1 };
        named.push((name, Some(above), Vec3::new(0.05, 0.8 - 0.2 * number as f32, -0.3)));
    }
    let inverse = turn.inverse();
    let describe = |(number, (name, above, place)): (usize, &(&str, Option<usize>, Vec3))| {
        let children = (0..named.len()).filter(|child| named[*child].1 == Some(number)).collect();
        let rest = match above {
            None => Trs { translation: *place, rotation: turn, ..Trs::IDENTITY },
            Some(above) => Trs::from_translation(inverse * (*place - named[*above].2)),
        };
        NodeDescription::new(*name, children, rest)
    };
    let mut nodes: Vec<NodeDescription> = named.iter().enumerate().map(describe).collect();
    let bound = Hierarchy::new(&nodes).unwrap();
    let inverse_bind = rigscope_core::rig::testing::world_at_rest(&bound).iter().map(Affine3::inverse).collect();
    nodes[1].rest.rotation = bent;
    let mut data = skinned(Hierarchy::new(&nodes).unwrap(), primitive(named.len(), points));
    data.skins[0].inverse_bind = inverse_bind;
    data.instances[0].morph_weights = vec![0.0];
    data
}

/// Places of the vertices of an instance by linear blend skinning at rest, after `turned` is applied to a node.
fn shown(rig: &Rig, instance: usize, turned: Option<(&str, Quat)>) -> Vec<Vec3> {
    let mut pose = Pose::rest(&rig.hierarchy);
    if let Some((name, rotation)) = turned {
        let node = rig.hierarchy.node_named(name).unwrap();
        // A rotation about the axes of the world.
        let axes = Quat::from_mat3(&rest_worlds(rig)[node.index()].as_affine3().matrix3);
        pose.set_user_local(node, Trs::from_rotation(axes.inverse() * rotation * axes));
    }
    let posed = evaluate(rig, None, &pose);
    let instance = &rig.instances[instance];
    let skin = &rig.skins[instance.skin.unwrap()];
    let matrix = |(joint, bind): (&NodeIndex, &Affine3)| (posed.world_from_node[joint.index()] * *bind).as_daffine3();
    let matrices: Vec<_> = skin.joints.iter().zip(&skin.inverse_bind).map(matrix).collect();
    let primitive = &rig.meshes[instance.mesh].primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    let placed = |(vertex, p): (usize, &Vec3)| {
        surface::blended(influences, vertex, &matrices).transform_point3(p.as_dvec3()).as_vec3()
    };
    primitive.positions.iter().enumerate().map(placed).collect()
}

fn attached(body: &Arc<Rig>, outfit: RigData) -> Result<Refitted, RefitError> {
    attach::attach(body, &Rig::new(outfit), true)
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn cloud(count: usize) -> Vec<Vec3> {
    (0..count).map(|at| Vec3::new(0.1 * (at % 3) as f32, 0.2 * at as f32, 0.07 * (at % 5) as f32)).collect()
}

#[test]
fn clothes_are_attached_where_they_were_and_follow_the_body() {
    let (points, clothes) = (cloud(9), cloud(14));
    let still = Quat::IDENTITY;
    let mut data = figure(&[], still, still, &points);
    data.materials = vec![Material::default()];
    let body = Arc::new(Rig::new(data));
    for turn in [still, Quat::from_rotation_x(0.7)] {
        let mut outfit = figure(&["Skirt", "Skirt end"], turn, still, &clothes);
        let image = Image { width: 1, height: 1, rgba: vec![255; 4].into() };
        let texture = |image| Texture {
            image,
            wrap: [Wrap::Repeat; 2],
            is_nearest: false,
            coords: CoordSet::First,
            transform: None,
        };
        outfit.images = vec![image.clone(), image];
        outfit.full_images = [(1, vec![7].into())].into();
        let named = |name: &str, texture| Material { name: name.to_owned(), texture, ..Material::default() };
        outfit.materials = vec![named("unused", Some(texture(0))), named("cloth", Some(texture(1)))];
        outfit.meshes[0].primitives[0].material = Some(MaterialIndex(1));
        outfit.extras.materials = [(1, "1".to_owned())].into();
        outfit.extras.nodes = [(5, "2".to_owned())].into();
        outfit.extras.primitives = [((0, 0), "3".to_owned())].into();
        outfit.clips = vec![Clip::default()];
        outfit.meshes.push(Mesh::default());
        let hat = MeshInstance { node: NodeIndex(2), mesh: 1, skin: None, morph_weights: Vec::new() };
        outfit.instances.push(hat);
        outfit.constraints =
            vec![Constraint { node: NodeIndex(5), source: NodeIndex(1), kind: ConstraintKind::Rotation, weight: 1.0 }];
        let original = Rig::new(outfit.clone()).without_behaviours();
        let found = attached(&body, outfit).unwrap();
        let rig = &found.rig;
        assert!(proof(&body, &found).holds() && !found.changes_skin);
        assert_eq!((rig.meshes.len(), rig.skins.len(), rig.instances.len(), rig.clips.len()), (2, 2, 2, 0));
        assert_eq!((rig.skins[0].inverse_bind.clone(), rig.meshes[1].source), (body.skins[0].inverse_bind.clone(), 1));
        assert!(farthest(&shown(rig, 1, None), &shown(&original, 0, None)) < 1e-5);
        for (joint, angle) in [("Spine", 0.5), ("LeftUpLeg", -1.0), ("Skirt", 0.8), ("Skirt end", 1.2)] {
            let turned = Some((joint, Quat::from_rotation_z(angle)));
            let difference = farthest(&shown(rig, 1, turned), &shown(&original, 0, turned));
            assert!(difference < 1e-5, "{joint}: {difference}");
        }
        let skirt = rig.hierarchy.node_named("Skirt").unwrap();
        assert_eq!(rig.hierarchy.path(skirt), "Hips/Skirt");
        assert_eq!(rig.extras.nodes, [(rig.hierarchy.source(skirt), "2".to_owned())].into());
        // Of the materials and images, those that are used follow the body's.
        assert_eq!((rig.materials.len(), rig.images.len(), rig.full_images.len()), (2, 1, 1));
        assert_eq!(rig.meshes[1].primitives[0].material, Some(MaterialIndex(1)));
        assert_eq!((&*rig.materials[1].name, rig.materials[1].texture.as_ref().unwrap().image), ("cloth", 0));
        assert_eq!(rig.extras.materials, [(1, "1".to_owned())].into());
        assert_eq!(rig.extras.primitives, [((1, 0), "3".to_owned())].into());
        assert!(rig.meshes[1].primitives[0].morph_targets.len() == 1);
        let expected = "attach: 1 mesh, 5 of 7 joints matched; added 2 nodes: Skirt";
        assert!(
            found.notes[0].starts_with(expected)
                && found.notes[0].ends_with("without its clips, constraints, 1 mesh without a skin (Head)"),
            "{:?}",
            found.notes
        );
    }
}

#[test]
fn weights_of_joints_that_the_body_lacks_go_to_the_joint_above() {
    let (points, clothes) = (cloud(9), cloud(14));
    let still = Quat::IDENTITY;
    let body = Arc::new(Rig::new(figure(&[], still, still, &points)));
    let outfit = Rig::new(figure(&["Skirt", "Skirt end"], still, still, &clothes));
    let found = attach::attach(&body, &outfit, false).unwrap();
    let rig = &found.rig;
    assert!(proof(&body, &found).holds() && !found.changes_skin);
    let added: Vec<&str> = rig.hierarchy.nodes().skip(body.hierarchy.len()).map(|n| rig.hierarchy.name(n)).collect();
    assert_eq!((added.len(), rig.skins[1].joints.len()), (1, 5), "one node with the mesh: {added:?}");
    assert!(farthest(&shown(rig, 1, None), &shown(&outfit, 0, None)) < 1e-5);
    for joint in ["Spine", "LeftUpLeg", "Hips"] {
        let turned = Some((joint, Quat::from_rotation_z(0.6)));
        // The outfit's skirt follows the hips, so it is as if the skirt was not moved.
        assert!(farthest(&shown(rig, 1, turned), &shown(&outfit, 0, turned)) < 1e-5, "{joint}");
    }
    let influences = rig.meshes[1].primitives[0].influences.as_ref().unwrap();
    for vertex in 0..influences.len() {
        let of_vertex: Vec<(usize, f32)> = influences.vertex(vertex).filter(|(_, weight)| *weight > 0.0).collect();
        let joints: std::collections::BTreeSet<usize> = of_vertex.iter().map(|(joint, _)| *joint).collect();
        assert!(joints.len() == of_vertex.len() && joints.iter().all(|joint| *joint < 5), "{of_vertex:?}");
        assert!((of_vertex.iter().map(|(_, weight)| weight).sum::<f32>() - 1.0).abs() < 1e-6);
    }
    let expected = "attach: 1 mesh, 5 of 7 joints matched; gave the weights of 2 joints to joints above: Skirt";
    assert!(found.notes[0].starts_with(expected), "{:?}", found.notes);
}

#[test]
fn outfits_are_read_within_the_memory_limit_and_until_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("outfit.glb");
    let body = Arc::new(Rig::new(figure(&[], Quat::IDENTITY, Quat::IDENTITY, &cloud(9))));
    let file = rigscope_io::export::rig_glb(&body, &Progress::default()).unwrap();
    std::fs::write(&path, file.bytes).unwrap();
    let operations = [format!("attach={}", path.display()).parse().unwrap()];
    assert_eq!(refit(&body, &operations).unwrap().rig.meshes.len(), 2);
    let short = Job::with_memory_limit(1000);
    assert!(reason(super::refit(&body, &operations, &short)).contains("limit"));
    let job = Job::default();
    job.progress.cancel();
    assert_eq!(super::refit(&body, &operations, &job).unwrap_err(), RefitError::Cancelled);
    let none = ["attach=nothing.glb".parse().unwrap()];
    assert!(reason(refit(&body, &none)).contains("nothing.glb"));
}

#[test]
fn clothes_in_another_rest_pose_or_unit_follow_each_joint() {
    let (points, clothes) = (cloud(9), cloud(12));
    let still = Quat::IDENTITY;
    let body = Arc::new(Rig::new(figure(&[], still, still, &points)));
    let in_body = Rig::new(figure(&["Skirt"], still, still, &clothes));
    // The spine is bent at rest, but the binds are the same: bent straight, the clothes are as on the body.
    let bent = attached(&body, figure(&["Skirt"], still, Quat::from_rotation_z(0.8), &clothes)).unwrap();
    assert!(bent.notes[0].contains("the rest poses differ, by 0."), "{:?}", bent.notes);
    assert!(farthest(&shown(&bent.rig, 1, None), &shown(&in_body, 0, None)) < 1e-5);
    assert!(proof(&body, &bent).holds());
    let mut large = Arc::new(Rig::new(figure(&["Skirt"], still, still, &clothes)));
    let unit = UnitChange { to: "cm".parse().unwrap(), from: Some("m".parse().unwrap()) };
    large = refit(&large, &[Operation::ToUnit(unit)]).unwrap().rig;
    let scaled = attached(&body, (**large).clone()).unwrap();
    for turned in [None, Some(("Skirt", Quat::from_rotation_x(0.4))), Some(("Spine", Quat::from_rotation_x(0.4)))] {
        let difference = farthest(&shown(&scaled.rig, 1, turned), &shown(&in_body, 0, turned));
        assert!(difference < 1e-4, "{turned:?}: {difference}");
    }
}

#[test]
fn what_does_not_fit_the_body_is_not_attached() {
    let still = Quat::IDENTITY;
    let body = Arc::new(Rig::new(figure(&[], still, still, &cloud(9))));
    let mut bare = figure(&[], still, still, &cloud(9));
    bare.instances.clear();
    assert!(reason(attached(&body, bare)).contains("no skinned mesh"));
    let hierarchy = named_chain(&["a1", "b2", "c3", "d4"]);
    assert!(reason(attached(&body, skinned(hierarchy, primitive(4, &cloud(4))))).contains("have a counterpart"));
}

/// A closed tube along +Y, around a bone of 1 m and the joint at its end, with `sides` vertices per ring.
fn tube() -> Arc<Rig> {
    const RINGS: u32 = 41;
    const SIDES: u32 = 24;
    let hierarchy = named_chain(&["Root", "Forearm", "Hand"]);
    let mut data = skinned(hierarchy, Primitive::default());
    let worlds = rigscope_core::rig::testing::world_at_rest(&data.hierarchy);
    data.skins[0].inverse_bind = worlds.iter().map(Affine3::inverse).collect();
    // From the forearm's origin at 1 m over the hand's at 1.5 m.
    let ring = |at: u32| 1.0 + 0.8 * at as f32 / (RINGS - 1) as f32;
    let point = |at: u32, side: u32| {
        let angle = std::f32::consts::TAU * side as f32 / SIDES as f32;
        Vec3::new(0.05 * angle.cos(), ring(at), 0.05 * angle.sin())
    };
    let mut positions: Vec<Vec3> = (0..RINGS).flat_map(|at| (0..SIDES).map(move |side| point(at, side))).collect();
    let hand = |y: f32| ((y - 1.45) / 0.1).clamp(0.0, 1.0);
    let ends = [Vec3::Y * ring(0), Vec3::Y * ring(RINGS - 1)];
    positions.extend(ends);
    let weights = positions.iter().flat_map(|p| [1.0 - hand(p.y), hand(p.y)]).collect();
    let joints = positions.iter().flat_map(|_| [1, 2]).collect();
    let vertex = |at: u32, side: u32| at * SIDES + side % SIDES;
    let mut indices = Vec::new();
    for side in 0..SIDES {
        for at in 0..RINGS - 1 {
            let [a, b, c, d] =
                [(at, side), (at, side + 1), (at + 1, side), (at + 1, side + 1)].map(|(r, s)| vertex(r, s));
            indices.extend([a, c, b, b, c, d]);
        }
        let [first, last] = [RINGS * SIDES, RINGS * SIDES + 1];
        indices.extend([first, vertex(0, side), vertex(0, side + 1)]);
        indices.extend([last, vertex(RINGS - 1, side + 1), vertex(RINGS - 1, side)]);
    }
    data.meshes[0].primitives[0] =
        Primitive { positions, indices, influences: Some(Influences::new(2, joints, weights)), ..Primitive::default() };
    Arc::new(Rig::new(data))
}

#[test]
fn helpers_share_the_twist_and_keep_volume() {
    let rig = tube();
    // "... keeps AFTER % of its radius instead of BEFORE %, and DQS % with DQS"
    let losses = |count: u8| {
        let twisted = refit(&rig, &[Operation::AddTwist { joint: "Forearm".to_owned(), count }]).unwrap();
        assert!(twisted.changes_skin && twisted.rig.constraints.len() == usize::from(count));
        let rest = twisted.rig.hierarchy.len();
        assert_eq!(rest, 3 + usize::from(count));
        let words: Vec<f64> =
            twisted.notes[0].split(' ').filter_map(|word| word.trim_matches(',').parse().ok()).collect();
        let [.., after, before, dqs] = words[..] else { panic!("{}", twisted.notes[0]) };
        [after, before, dqs]
    };
    let [[one, before, dqs], [two, ..], [four, ..]] = [1, 2, 4].map(losses);
    // Half-way between two joints that differ by an angle, a point keeps the cosine of half of it.
    let kept = |joints: f64| 100.0 * (45.0 / joints).to_radians().cos();
    for (found, joints) in [(before, 1.0), (one, 2.0), (two, 3.0), (four, 5.0)] {
        assert!((found - kept(joints)).abs() <= 1.5, "{joints}: {found}, not {}", kept(joints));
    }
    assert!(dqs >= 99.0, "{dqs}");
    // Bends and rests don't change: only the twist is shared.
    let twisted = refit(&rig, &[Operation::AddTwist { joint: "Forearm".to_owned(), count: 2 }]).unwrap();
    let pairing = Pairing::with_refitted(&rig, &twisted);
    let at_rest = prove_in([&rig, &twisted.rig], &pairing, 0, &Progress::default()).unwrap();
    assert!(at_rest.holds(), "{}", at_rest.summary());
    for (joint, problem) in [("Arm", "there is no joint"), ("Hand", "no joint that moves skin follows")] {
        let refused = refit(&rig, &[Operation::AddTwist { joint: joint.to_owned(), count: 1 }]);
        assert!(reason(refused).contains(problem), "{joint}");
    }
}

#[test]
fn clips_turn_helpers_like_their_constraints() {
    let mut data = (**tube()).clone();
    let hand = data.hierarchy.node_named("Hand").unwrap();
    let turns = [(0.0, 0.0), (1.4, 0.4), (-0.8, -0.6)]
        .map(|(roll, bend)| (Quat::from_rotation_y(roll) * Quat::from_rotation_x(bend)).to_array());
    let channel = |interpolation, values: Vec<f32>| {
        Channel::new(hand, Property::Rotation, interpolation, [0.0, 0.5, 1.0], values)
    };
    let spline = turns.iter().flat_map(|turn| [[0.1, 0.3, 0.0, 0.0], *turn, [0.0, 0.2, 0.1, 0.0]]).flatten().collect();
    let channels = [
        channel(Interpolation::Linear, turns.concat()),
        channel(Interpolation::Step, turns.concat()),
        channel(Interpolation::CubicSpline, spline),
        Channel::linear(hand, Property::Translation, [0.0], vec![0.0, 0.5, 0.0]),
    ];
    let clip = |channel| Clip { duration_secs: 1.0, channels: vec![channel], ..Clip::default() };
    data.clips = channels.map(clip).into();
    let twisted = refit(&Arc::new(Rig::new(data)), &[Operation::AddTwist { joint: "Forearm".to_owned(), count: 2 }]);
    let twisted = twisted.unwrap();
    assert!(twisted.notes[0].contains("vertices; keys in 3 clips; with"), "{:?}", twisted.notes);
    let counts: Vec<usize> = twisted.rig.clips.iter().map(|clip| clip.channels.len()).collect();
    assert_eq!(counts, [3, 3, 3, 1]);
    let without = Arc::new((*twisted.rig).clone().without_behaviours());
    for number in 0..3 {
        for step in 0..=200 {
            let moment = Some(ClipMoment::new(number, step as f32 / 200.0));
            let [a, b] = [&twisted.rig, &without].map(|rig| evaluate(rig, moment, &Pose::rest(&rig.hierarchy)));
            for helper in ["Forearm twist 1", "Forearm twist 2"] {
                let node = without.hierarchy.node_named(helper).unwrap().index();
                let (a, b) = (a.world_from_node[node], b.world_from_node[node]);
                assert!(a.abs_diff_eq(b, 2e-5), "clip {number}, step {step}, {helper}: {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_rotation_of_axes_is_the_shortest() {
    let [y, z] = ["y", "z"].map(|name| SignedAxis::named(name).unwrap().unit().as_dvec3());
    assert!((DQuat::from_rotation_arc(z, y) * z).abs_diff_eq(y, 1e-12));
    assert_eq!(SignedAxis::named("w"), None);
}
