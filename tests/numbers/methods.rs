//! Methods that fix the artefacts of LBS and DQS, compared with simple references and tested for their purpose; and the
//! settings of all methods.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed helper is a failed test, and a test says what it measured"
)]

use crate::common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::gpu::{Still, random_pose, turned};
use common::rigs;
use glam::{DMat4, DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::rig::{Influences, NodeIndex, Pose, PrimitiveIndex, Rig, RigData};
use rigscope::skinning::{
    Antipodality, Centers, Deformed, DualQuat, InfluenceLimit, JointMethod, JointTransform, Method, Normals, Palette,
    RigSkinning, ScaleHandling, SkinPose, Skinner, Skinning, UnsupportedSkinning, WeightPrecision, Weld,
    antipodal_vertices, deform_some,
};
use rigscope::stage::{BuiltIn, Document, Source};

/// The only primitive, in rigs with a single one.
const PART: PrimitiveIndex = PrimitiveIndex { instance: 0, primitive: 0 };

fn built_in(built_in: BuiltIn) -> Arc<Rig> {
    Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap().rig
}

fn node(rig: &Rig, name: &str) -> NodeIndex {
    rig.hierarchy.node_named(name).unwrap()
}

fn positions(still: &Still, skinning: impl Into<Skinning>) -> Vec<Vec3> {
    let skinner = Skinner::new(&still.rig, &skinning.into()).unwrap();
    skinner.deform(still.posed()).into_iter().flatten().flat_map(|deformed| deformed.positions).collect()
}

fn largest_distance(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// Returns the tube with its middle joint rotated about an axis.
fn tube(axis: Vec3, degrees: f32) -> Still {
    let rig = built_in(BuiltIn::Tube);
    let pose = turned(&rig, node(&rig, "Middle"), Quat::from_axis_angle(axis, degrees.to_radians()));
    Still::new(&rig, pose)
}

fn bent_elbow(degrees: f32) -> Still {
    let rig = built_in(BuiltIn::Figure);
    let pose = turned(&rig, node(&rig, "LeftLowerArm"), Quat::from_rotation_x(degrees.to_radians()));
    Still::new(&rig, pose)
}

#[test]
fn a_tube_that_lbs_wraps_like_a_candy_keeps_its_radius_by_each_cure() {
    let (rest, twisted) = (tube(Vec3::X, 0.0), tube(Vec3::X, 170.0));
    let middle = rest.posed().world_from_node[node(&rest.rig, "Middle").index()].translation;
    let radii = |positions: Vec<Vec3>| positions.into_iter().map(|p| (p - middle).with_x(0.0).length());
    let narrowest = |method: Method| {
        let ratios = radii(positions(&twisted, method)).zip(radii(positions(&rest, method)));
        ratios.filter(|(_, rest)| *rest > 1e-3).map(|(posed, rest)| posed / rest).fold(f32::MAX, f32::min)
    };
    assert!(narrowest(Method::Lbs) < 0.1);
    for method in [Method::Cor, Method::DqsCompensated, Method::Sclerp] {
        let ratio = narrowest(method);
        assert!(ratio > 0.95, "{method}: {ratio}");
    }
    let apart = largest_distance(&positions(&twisted, Method::Dqs), &positions(&twisted, Method::DqsCompensated));
    assert!(apart < 1e-5, "under pure twist there is nothing to compensate, {apart}");
}

/// Returns the largest increase of the skin's distance from the bones, relative to rest, among vertices that follow
/// `joint`.
fn bulge(still: &Still, joint: &str, method: Method) -> f32 {
    let rest = Still::new(&still.rig, Pose::rest(&still.rig.hierarchy));
    let joint = node(&still.rig, joint);
    let slot = still.rig.skins[0].joints.iter().position(|&j| j == joint).unwrap();
    let all = still.rig.primitives().filter_map(|(_, p)| p.influences.as_ref());
    let follows = all.flat_map(|i| (0..i.len()).map(|v| i.vertex(v).any(|(j, weight)| j == slot && weight > 0.0)));
    let follows: Vec<bool> = follows.collect();
    let from_bones = |still: &Still| {
        let bones = still.palettes()[0].bones.clone();
        let nearest = move |p: Vec3| bones.iter().map(|&bone| distance(bone, p)).fold(f32::MAX, f32::min);
        let skin = positions(still, method).into_iter().zip(&follows).filter(|(_, follows)| **follows);
        skin.map(|(p, _)| nearest(p)).collect::<Vec<_>>()
    };
    from_bones(still).iter().zip(from_bones(&rest)).map(|(posed, rest)| posed - rest).fold(0.0, f32::max)
}

fn distance([head, tail]: [Vec3; 2], p: Vec3) -> f32 {
    let share = (p - head).dot(tail - head) / (tail - head).length_squared();
    p.distance(head.lerp(tail, share.clamp(0.0, 1.0)))
}

/// Returns the distance from a segment, by sampling many of its points.
fn sampled_distance([head, tail]: [Vec3; 2], p: Vec3) -> f32 {
    (0..=200).map(|i| head.lerp(tail, i as f32 / 200.0).distance(p)).fold(f32::MAX, f32::min)
}

#[test]
fn a_bent_limb_bulges_less_without_bulge_and_by_centres_than_by_dqs() {
    for (name, still) in [("Middle", tube(Vec3::Z, 120.0)), ("LeftLowerArm", bent_elbow(120.0))] {
        let [dqs, free, central] = [Method::Dqs, Method::DqsCompensated, Method::Cor].map(|m| bulge(&still, name, m));
        println!("{name}: DQS {dqs}, without bulge {free}, centres {central}");
        assert!(dqs > 0.003, "{name}: there is a bulge to cure, {dqs}");
        assert!(free < 0.4 * dqs, "{name}: {free} of {dqs}");
        assert!(central < 0.5 * dqs, "{name}: {central} of {dqs}");
    }
}

/// Returns `s(w, u)` of the paper, summed over all pairs of joints.
fn similarity(w: &[f64], u: &[f64]) -> f64 {
    let mut sum = 0.0;
    for j in 0..w.len() {
        for k in (0..w.len()).filter(|k| *k != j) {
            sum += w[j] * w[k] * u[j] * u[k] * (-((w[j] * u[k] - w[k] * u[j]) / 0.1).powi(2)).exp();
        }
    }
    sum
}

fn dense(influences: &Influences, vertex: usize, joints: usize) -> Vec<f64> {
    let mut weights = vec![0.0; joints];
    influences.vertex(vertex).for_each(|(joint, weight)| weights[joint] += f64::from(weight));
    weights
}

#[test]
fn centers_are_those_of_a_sum_over_all_triangles() {
    for (rig, step) in [(built_in(BuiltIn::Tube), 397), (rigs::six_influences(), 7)] {
        let primitive = &rig.meshes[0].primitives[0];
        let influences = primitive.influences.as_ref().unwrap();
        let joints = influences.joint_count();
        let weights: Vec<_> = (0..influences.len()).map(|v| dense(influences, v, joints)).collect();
        let centers = Centers::new(&rig, &Progress::default()).unwrap();
        let mut compared = 0;
        for vertex in (0..influences.len()).step_by(step) {
            let (mut sum, mut mass) = (DVec3::ZERO, 0.0);
            for t in primitive.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|i| t[i] as usize);
                let [p, q, r] = [a, b, c].map(|v| primitive.positions[v].as_dvec3());
                let mean: Vec<f64> =
                    (0..joints).map(|j| (weights[a][j] + weights[b][j] + weights[c][j]) / 3.0).collect();
                let share = similarity(&weights[vertex], &mean) * (q - p).cross(r - p).length();
                sum += share * (p + q + r) / 3.0;
                mass += share;
            }
            let found = centers.primitive(0, 0)[vertex];
            let expected = if mass > 0.0 { (sum / mass).as_vec3() } else { primitive.positions[vertex] };
            assert!(found.distance(expected) < 1e-3 * rig.size(), "vertex {vertex}: {found}, expected {expected}");
            compared += usize::from(mass > 0.0);
        }
        assert!(compared > 10, "{compared} vertices have a centre");
    }
}

#[test]
fn centers_of_rotation_search_shows_progress_and_can_be_cancelled() {
    let rig = built_in(BuiltIn::Figure);
    let progress = Progress::default();
    let all = Centers::new(&rig, &progress).unwrap();
    let (done, of) = progress.steps();
    assert!(done == of && of > rig.vertex_count(), "{done} of {of}");
    assert_eq!(Centers::new(&rig, &Progress::default()).unwrap(), all, "the same each time");
    assert_eq!(Centers::new(&rig, &Progress::cancelled()), None);
}

#[test]
fn rigid_joints_turn_each_vertex_about_its_center() {
    let rig = rigs::six_influences();
    let centers = Centers::new(&rig, &Progress::default()).unwrap();
    let primitive = &rig.meshes[0].primitives[0];
    for degrees in [30.0_f32, 75.0] {
        let pose = turned(&rig, NodeIndex(1), Quat::from_rotation_y(degrees.to_radians()));
        let still = Still::new(&rig, pose);
        let found = positions(&still, Method::Cor);
        for (vertex, &rest) in primitive.positions.iter().enumerate() {
            let center = centers.primitive(0, 0)[vertex].as_dvec3();
            let influences: Vec<_> = primitive.influences.as_ref().unwrap().vertex(vertex).collect();
            let joint = |j: usize| still.palettes()[0].joints[j].matrix.as_daffine3();
            let moved =
                influences.iter().map(|&(j, w)| joint(j).transform_point3(center) * f64::from(w)).sum::<DVec3>();
            let turn = |j: usize| DQuat::from_mat3(&joint(j).matrix3);
            let sum = influences.iter().fold(DQuat::from_array([0.0; 4]), |sum, &(j, w)| {
                let sign = turn(influences[0].0).dot(turn(j)).signum();
                sum + turn(j) * (sign * f64::from(w))
            });
            let expected = sum.normalize() * (rest.as_dvec3() - center) + moved;
            assert!(found[vertex].as_dvec3().distance(expected) < 1e-5, "vertex {vertex}");
        }
    }
}

#[test]
fn a_bulge_is_drawn_back_joint_by_joint() {
    let still = tube(Vec3::Z, 110.0);
    let palette = &still.palettes()[0];
    let primitive = &still.rig.meshes[0].primitives[0];
    let by = |method: Method| {
        Skinner::new(&still.rig, &method.into()).unwrap().deform(still.posed())[0].swap_remove(0).positions
    };
    let (dqs, found) = (by(Method::Dqs), by(Method::DqsCompensated));
    let mut moved = 0;
    for vertex in (0..dqs.len()).step_by(7) {
        let mut expected = dqs[vertex];
        for (joint, weight) in primitive.influences.as_ref().unwrap().vertex(vertex) {
            let bone = palette.bones[joint];
            let alone = palette.joints[joint].matrix.transform_point3(primitive.positions[vertex]);
            let excess = sampled_distance(bone, dqs[vertex]) - sampled_distance(bone, alone);
            let nearest = (0..=200).map(|i| bone[0].lerp(bone[1], i as f32 / 200.0));
            let nearest = nearest.min_by(|a, b| a.distance(dqs[vertex]).total_cmp(&b.distance(dqs[vertex]))).unwrap();
            expected += (nearest - dqs[vertex]).normalize_or_zero() * excess.max(0.0) * weight;
        }
        assert!(found[vertex].distance(expected) < 2e-4 * still.rig.size(), "vertex {vertex}");
        moved += usize::from(expected.distance(dqs[vertex]) > 2e-3 * still.rig.size());
    }
    assert!(moved > 5, "{moved} vertices are drawn back");
}

/// Returns the matrix logarithm: repeated square roots until the matrix is near 1, then the power series.
fn matrix_log(matrix: DMat4) -> DMat4 {
    let mut root = matrix;
    for _ in 0..20 {
        let (mut y, mut z) = (root, DMat4::IDENTITY);
        for _ in 0..12 {
            (y, z) = ((y + z.inverse()) * 0.5, (z + y.inverse()) * 0.5);
        }
        root = y;
    }
    let x = root - DMat4::IDENTITY;
    (x - x * x * 0.5 + x * x * x * (1.0 / 3.0)) * f64::from(1 << 20)
}

fn any_motion(angle: f32) -> impl Strategy<Value = DualQuat> {
    (prop::array::uniform3(-1.0_f32..1.0), 0.0..angle, prop::array::uniform3(-2.0_f32..2.0)).prop_map(
        |(axis, angle, t)| {
            let axis = Vec3::from(axis).try_normalize().unwrap_or(Vec3::X);
            DualQuat::from_rotation_translation(Quat::from_axis_angle(axis, angle), Vec3::from(t))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_mean_of_two_is_on_the_screw_between_them(a in any_motion(1.5), b in any_motion(1.5), w in 0.01_f32..0.99) {
        let expected = DualQuat::sclerp(&a, &b, w);
        for b in [b, -b] {
            let mean = DualQuat::mean(&[(a, 1.0 - w), (b, w)]);
            prop_assert!(mean.to_affine().abs_diff_eq(expected.to_affine(), 2e-5), "{mean:?} {expected:?}");
        }
    }

    #[test]
    fn from_the_mean_the_motions_lie_in_no_direction(motions in prop::collection::vec((any_motion(1.0), 0.1_f32..1.0), 3..6)) {
        let mean = DualQuat::mean(&motions);
        let matrix = |q: &DualQuat| DMat4::from(q.to_affine().as_daffine3());
        let sum: f32 = motions.iter().map(|m| m.1).sum();
        let logs = motions.iter().map(|(q, w)| matrix_log(matrix(&mean).inverse() * matrix(q)) * f64::from(*w / sum));
        let left = logs.fold(DMat4::ZERO, |sum, log| sum + log);
        prop_assert!(left.to_cols_array().iter().all(|x| x.abs() < 2e-5), "{left}");
        let linear = DualQuat::blend(&motions);
        prop_assert!(linear.rotation().angle_between(mean.rotation()) < 0.15, "DLB is near");
    }
}

#[test]
fn a_skin_on_two_joints_by_sclerp_moves_along_the_screw() {
    let rig = rigs::twisted_tube(0.8);
    let still = Still::new(&rig, random_pose(&rig, 4));
    let primitive = &rig.meshes[0].primitives[0];
    let found = positions(&still, Skinning { scale: ScaleHandling::Drop, ..Skinning::new(Method::Sclerp) });
    for (vertex, &rest) in primitive.positions.iter().enumerate() {
        let slots: Vec<_> = primitive.influences.as_ref().unwrap().vertex(vertex).filter(|s| s.1 > 0.0).collect();
        let motion = |slot: usize| still.palettes()[0].joints[slots[slot].0].motion_at_scale(1.0);
        let screw = if slots.len() > 1 { DualQuat::sclerp(&motion(0), &motion(1), slots[1].1) } else { motion(0) };
        assert!(found[vertex].distance(screw.transform_point(rest)) < 2e-5, "vertex {vertex}");
    }
}

#[test]
fn dropped_scale_leaves_rigid_motions() {
    let rig = rigs::twisted_tube(0.8);
    let still = Still::new(&rig, random_pose(&rig, 2));
    let rigid = Palette::from(
        still.palettes()[0]
            .joints
            .iter()
            .map(|j| JointTransform::new(j.motion_at_scale(1.0).to_affine(), Vec3::ZERO))
            .collect::<Vec<_>>(),
    );
    for method in [Method::Dqs, Method::Sclerp] {
        let skinner = |scale| Skinner::new(&rig, &Skinning { scale, ..Skinning::new(method) }).unwrap();
        let dropped = skinner(ScaleHandling::Drop).deform(still.posed())[0][0].positions.clone();
        let mut plain = Deformed::default();
        skinner(ScaleHandling::TwoPhase).deform_into(
            PART,
            SkinPose { palettes: &[Arc::new(rigid.clone())], ..still.skin_pose() },
            &mut plain,
        );
        assert!(largest_distance(&dropped, &plain.positions) < 1e-5, "{method}");
        let both = skinner(ScaleHandling::TwoPhase).deform(still.posed())[0][0].positions.clone();
        assert!(largest_distance(&dropped, &both) > 0.01, "{method}: the pose scales");
    }
}

#[test]
fn unchecked_signs_spike_at_the_vertices_that_are_named() {
    let rig = rigs::twisted_tube(0.8);
    let mut still = Still::new(&rig, turned(&rig, NodeIndex(1), Quat::from_rotation_z(0.5)));
    let palettes = Arc::make_mut(&mut still.actor.pose.palettes);
    let palette = Arc::make_mut(&mut palettes[0]);
    palette.joints[1] = palette.joints[1].with_opposite_sign();
    let influences = rig.meshes[0].primitives[0].influences.as_ref().unwrap();
    let flipped = antipodal_vertices(&still.palettes()[0], influences);
    let by = |antipodality| {
        let skinner = Skinner::new(&rig, &Skinning { antipodality, ..Skinning::new(Method::Dqs) }).unwrap();
        let mut deformed = Deformed::default();
        skinner.deform_into(PART, still.skin_pose(), &mut deformed);
        deformed.positions
    };
    let (checked, unchecked) = (by(Antipodality::Checked), by(Antipodality::Unchecked));
    let apart = |v: usize| checked[v].distance(unchecked[v]);
    let moved: Vec<u32> = (0..checked.len()).filter(|&v| apart(v) > 1e-5).map(|v| v as u32).collect();
    assert!(!flipped.is_empty() && moved.iter().all(|v| flipped.contains(v)), "{moved:?} {flipped:?}");
    assert!(moved.iter().any(|&v| apart(v as usize) > 0.2), "a spike");
    assert!(antipodal_vertices(&Still::new(&rig, Pose::rest(&rig.hierarchy)).palettes()[0], influences).is_empty());
}

#[test]
fn a_joints_own_method_counts_by_its_weight() {
    let still = bent_elbow(120.0);
    let lower = node(&still.rig, "LeftLowerArm");
    let with = |method: Method, by_joint: Vec<_>| positions(&still, Skinning { by_joint, ..Skinning::new(method) });
    let all = |own: JointMethod| still.rig.hierarchy.nodes().map(|n| (n, own)).collect::<Vec<_>>();
    let [lbs, dqs] = Method::ALL.map(|m| with(m, Vec::new()));
    assert!(largest_distance(&with(Method::Dqs, all(JointMethod::Lbs)), &lbs) < 1e-6);
    assert!(largest_distance(&with(Method::Blend(0.3), all(JointMethod::Dqs)), &dqs) < 1e-6);
    let mixed = with(Method::Lbs, vec![(lower, JointMethod::Dqs)]);
    let slot = still.rig.skins[0].joints.iter().position(|&j| j == lower).unwrap();
    let primitives = still.rig.primitives().filter_map(|(_, p)| p.influences.as_ref());
    let shares = primitives
        .flat_map(|i| (0..i.len()).map(|v| i.vertex(v).filter(|(j, _)| *j == slot).map(|(_, w)| w).sum::<f32>()));
    let expected: Vec<Vec3> = shares.zip(lbs.iter().zip(&dqs)).map(|(share, (l, d))| l.lerp(*d, share)).collect();
    assert!(largest_distance(&mixed, &expected) < 1e-6);
    assert!(largest_distance(&mixed, &lbs) > 1e-3);
}

#[test]
fn limits_that_lose_nothing_change_no_bit_and_others_do() {
    let still = bent_elbow(90.0);
    let with = |count, precision| {
        let influences = InfluenceLimit { count, renormalizes: true, precision };
        positions(&still, Skinning { influences, ..Skinning::new(Method::Dqs) })
    };
    let all = positions(&still, Method::Dqs);
    assert_eq!(with(Some(8), WeightPrecision::Float), all);
    for (count, precision) in [(Some(1), WeightPrecision::Float), (None, WeightPrecision::Bits8)] {
        let apart = largest_distance(&with(count, precision), &all);
        assert!(apart > 1e-4 && apart < 0.1 * still.rig.size(), "{count:?} {precision:?}: {apart}");
    }
    let apart = largest_distance(&with(None, WeightPrecision::Bits16), &all);
    assert!(apart > 0.0 && apart < 1e-4, "16 bits: {apart}");
}

#[test]
fn normals_made_anew_follow_the_surface_and_keep_seams_closed() {
    let recomputed = |method| Skinning { normals: Normals::Recomputed, ..Skinning::new(method) };
    let still = bent_elbow(100.0);
    let skinner = Skinner::new(&still.rig, &recomputed(Method::Lbs)).unwrap();
    let deformed = &skinner.deform(still.posed())[0][0];
    let primitive = &still.rig.meshes[0].primitives[0];
    let normals = deformed.normals.as_ref().unwrap();
    assert_eq!(*normals, Weld::new(primitive).normals(&primitive.indices, &deformed.positions));
    let key = |v: usize| {
        [primitive.positions[v], primitive.normals.as_ref().unwrap()[v]].map(|x| x.to_array().map(f32::to_bits))
    };
    let mut places = BTreeMap::<_, Vec<Vec3>>::new();
    (0..primitive.positions.len()).for_each(|v| places.entry(key(v)).or_default().push(normals[v]));
    assert!(places.values().flatten().all(|n| (n.length() - 1.0).abs() < 1e-5));
    assert!(places.values().all(|normals| normals.iter().all(|n| *n == normals[0])), "seams stay closed");
    assert!(places.len() < primitive.positions.len(), "there are seams");
}

#[test]
fn normals_made_anew_show_the_outside_of_mirrored_parts() {
    let rig = rigs::mirrored_joint();
    let still = Still::new(&rig, Pose::rest(&rig.hierarchy));
    let [old, new] = [Normals::Transformed, Normals::Recomputed].map(|normals| {
        let skinner = Skinner::new(&rig, &Skinning { normals, ..Skinning::default() }).unwrap();
        skinner.deform(still.posed())[0][0].normals.clone().unwrap()
    });
    // Excludes the region where the tube is folded.
    let is_far = |v: &usize| rig.meshes[0].primitives[0].positions[*v].x.abs() > 0.2;
    let agreements: Vec<f32> = (0..old.len()).filter(is_far).map(|v| old[v].dot(new[v])).collect();
    assert!(agreements.len() > 10 && agreements.iter().all(|a| *a > 0.5), "{agreements:?}");
}

#[test]
fn a_few_vertices_go_where_they_go_among_all() {
    let still = bent_elbow(100.0);
    let by_joint = vec![(node(&still.rig, "LeftLowerArm"), JointMethod::Dqs)];
    let influences = InfluenceLimit { count: Some(2), ..InfluenceLimit::default() };
    let ways = [
        Skinning::new(Method::Cor),
        Skinning::new(Method::DqsCompensated),
        Skinning { by_joint, influences, ..Skinning::default() },
    ];
    let vertices: Vec<u32> = (0..still.rig.meshes[0].primitives[0].positions.len() as u32).rev().step_by(11).collect();
    for way in ways {
        let skinner = Skinner::new(&still.rig, &way).unwrap();
        let (all, mut positions) = (skinner.deform(still.posed())[0][0].positions.clone(), Deformed::default());
        let some_by = |skinning| deform_some(&still.rig, PART, &vertices, still.skin_pose(), skinning);
        let some = some_by(RigSkinning { skinning: &way, centers: skinner.centers() });
        let expected: Vec<Vec3> = vertices.iter().map(|&v| all[v as usize]).collect();
        assert!(largest_distance(&some, &expected) < 1e-6, "{way:?}");
        skinner.deform_positions_into(PART, still.skin_pose(), &mut positions);
        assert_eq!((positions.positions, positions.normals), (all, None));
        let otherwise = some_by(RigSkinning { skinning: &Skinning::default(), centers: None });
        assert!(largest_distance(&some, &otherwise) > 1e-3);
    }
}

#[test]
fn unsupported_skinning_is_rejected_with_a_reason() {
    let plain = rigs::flat_box(1.0);
    let refused = |rig: &Arc<Rig>, skinning: Skinning| Skinner::new(rig, &skinning).unwrap_err();
    assert_eq!(refused(&plain, Method::Cor.into()), UnsupportedSkinning::NoSkin(Method::Cor));
    assert!(refused(&plain, Method::Sclerp.into()).to_string().contains("choose LBS"));
    for method in [Method::Lbs, Method::Dqs, Method::Blend(0.2)] {
        assert!(Skinner::new(&plain, &method.into()).is_ok());
    }
    let tube = rigs::twisted_tube(0.8);
    let by_joint = vec![(NodeIndex(1), JointMethod::Dqs)];
    assert_eq!(
        refused(&tube, Skinning { by_joint, ..Skinning::new(Method::Cor) }),
        UnsupportedSkinning::ByJoint(Method::Cor)
    );
    let mut meshes = tube.meshes.clone();
    for primitive in &mut meshes[0].primitives {
        primitive.points = (0..primitive.positions.len() as u32).collect();
        primitive.indices.clear();
    }
    let points = Arc::new(Rig::new(RigData { meshes, ..RigData::clone(&tube) }));
    assert_eq!(refused(&points, Method::Cor.into()), UnsupportedSkinning::NoTriangles);
    assert!(Skinner::new(&points, &Method::DqsCompensated.into()).is_ok());
}
