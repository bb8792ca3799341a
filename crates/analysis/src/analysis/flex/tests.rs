//! Tests of whole bend tests on rigs whose results are known.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Affine3, Quat};

use super::anatomy::Anatomy;
use super::contacts::ContactSurface;
use super::intersect::intersect;
use super::tree::{MIXED, TreeFit};
use super::*;
use crate::analysis::Topology;
use crate::analysis::measure::SurfaceSize;
use crate::analysis::motion::{MotionJob, MovedSide, motions};
use glam::Vec3;
use rigscope_core::findings::Code;
use rigscope_core::rig::testing::skinned;
use rigscope_core::rig::{
    Channel, Clip, Hierarchy, Influences, NodeDescription, Primitive, Property, RigData, Skin, Trs, evaluate,
    node_names,
};
use rigscope_core::skinning::{Method, Skinning, palettes};
use rigscope_core::view::PerSide;

const RINGS: u32 = 41;
const SIDES: u32 = 12;

/// Returns a tube of radius 0.5 along y from -2 to 2, closed at both ends, with the joints `root` and `bend` at 0. `weight`
/// returns the weight of `bend` at a height.
fn tube(weight: impl Fn(f32) -> f32) -> Rig {
    let height = |ring: u32| 4.0 * ring as f32 / (RINGS - 1) as f32 - 2.0;
    let mut positions = vec![Vec3::NEG_Y * 2.0, Vec3::Y * 2.0];
    for ring in 0..RINGS {
        positions.extend((0..SIDES).map(|side| {
            let angle = std::f32::consts::TAU * side as f32 / SIDES as f32;
            Vec3::new(0.5 * angle.cos(), height(ring), 0.5 * angle.sin())
        }));
    }
    let at = |ring: u32, side: u32| 2 + ring * SIDES + side % SIDES;
    let mut indices = Vec::new();
    for side in 0..SIDES {
        indices.extend([0, at(0, side), at(0, side + 1), 1, at(RINGS - 1, side + 1), at(RINGS - 1, side)]);
        for ring in 0..RINGS - 1 {
            let [a, b, c, d] = [at(ring, side), at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1)];
            indices.extend([a, c, b, b, c, d]);
        }
    }
    let weights = positions.iter().flat_map(|position| [1.0 - weight(position.y), weight(position.y)]).collect();
    let joints = positions.iter().flat_map(|_| [0, 1]).collect();
    let influences = Some(Influences::new(2, joints, weights));
    let mut data = skinned(
        Hierarchy::new(&[
            NodeDescription::new("root", vec![1], Trs::from_translation(Vec3::NEG_Y * 2.0)),
            NodeDescription::new("bend", vec![], Trs::from_translation(Vec3::Y * 2.0)),
        ])
        .unwrap(),
        Primitive { positions, indices, influences, ..Primitive::default() },
    );
    data.skins[0].inverse_bind = vec![Affine3::from_translation(Vec3::Y * 2.0), Affine3::IDENTITY];
    Rig::new(data)
}

fn hard() -> Rig {
    tube(|y| f32::from(u8::from(y > 0.0)))
}

fn smooth() -> Rig {
    tube(|y| f32::midpoint(y, 1.0).clamp(0.0, 1.0))
}

fn skinner(rig: Rig) -> Arc<Skinner> {
    Arc::new(Skinner::new(&Arc::new(rig), &Skinning::new(Method::Lbs)).unwrap())
}

fn report(rig: Rig, options: &FlexOptions) -> (Arc<Skinner>, FlexReport) {
    let skinner = skinner(rig);
    let report = flex(&skinner, options, &Progress::default()).unwrap();
    (skinner, report)
}

fn value(report: &FlexReport, measure: FlexMeasure) -> f32 {
    let values = report.poses.iter().filter_map(|result| result.measures[measure as usize]);
    values.map(|measured| measured.value).fold(measure.ideal(), f32::max)
}

/// Returns options that bend the tube's joint by an angle.
fn bent(degrees: f32) -> FlexOptions {
    let range = |axis, range| RangeOverride { joints: Pattern::new("*"), axis, range };
    FlexOptions {
        ranges: vec![range(FlexAxis::Flexion, [0.0, degrees]), range(FlexAxis::Twist, [0.0; 2])],
        ..FlexOptions::default()
    }
}

#[test]
fn a_hard_switch_of_weights_folds_and_a_smooth_one_does_not() {
    let (_, of_hard) = report(hard(), &bent(60.0));
    let (_, of_smooth) = report(smooth(), &bent(60.0));
    assert!(value(&of_hard, FlexMeasure::Folds) > 0.01, "{}", value(&of_hard, FlexMeasure::Folds));
    assert_eq!(value(&of_smooth, FlexMeasure::Folds), 0.0);
    // The chord of the outer side: rings 0.1 apart at radius 0.5 open by 2 * 0.5 * sin(30°) around the hinge.
    let stretch = value(&of_hard, FlexMeasure::Stretch);
    assert!((4.0..8.0).contains(&stretch), "{stretch}");
    assert!(value(&of_smooth, FlexMeasure::Stretch) < 2.0);
}

/// Twisted by an angle a, a ring with equal weights shrinks to cos(a / 2) of its radius: to nothing at 180°.
#[test]
fn a_twist_of_half_a_turn_pinches_and_loses_volume() {
    let range = |axis, range| RangeOverride { joints: Pattern::new("*"), axis, range };
    let options = |degrees| FlexOptions {
        ranges: vec![range(FlexAxis::Flexion, [0.0; 2]), range(FlexAxis::Twist, [0.0, degrees])],
        ..FlexOptions::default()
    };
    let (_, half) = report(smooth(), &options(180.0));
    let (_, little) = report(smooth(), &options(20.0));
    assert!(value(&half, FlexMeasure::VolumeLoss) > 0.2, "{}", value(&half, FlexMeasure::VolumeLoss));
    assert!(half.poses.iter().any(|result| result.measurements.min_area_ratio < 0.2));
    assert!(value(&little, FlexMeasure::VolumeLoss) < 0.02);
    assert_eq!(value(&little, FlexMeasure::Pinched), 0.0);
}

#[test]
fn the_volume_of_a_pose_is_that_of_the_surface() {
    let (skinner, report) = report(smooth(), &bent(80.0));
    let rig = skinner.rig();
    assert_eq!(report.poses.len(), 2, "80° and half of it");
    for result in &report.poses {
        let posed = evaluate(rig, None, &result.pose.pose(rig));
        let surfaces = skinner.deform(&posed);
        let size = SurfaceSize::new(rig, &Topology::new(rig), &palettes(rig, &posed), &surfaces);
        assert!((size.volume - result.measurements.volume).abs() < 1e-9, "{}", result.pose.name);
    }
}

/// The tree, the exclusion of rigid pairs and of rest pairs find what a loop over all pairs finds.
#[test]
fn new_pairs_are_those_of_a_loop_over_all_pairs() {
    let skinner = skinner(hard());
    let rig = skinner.rig();
    let plan = FlexPlan::new(rig, &bent(100.0).ranges);
    let prepared = FlexRest::new(&skinner);
    let bench = FlexBench::new(&skinner, &prepared, &plan, &Progress::default()).unwrap();
    for pose in &plan.poses {
        let found = bench.pairs(pose, &mut FlexBuffers::default());
        let posed = skinner.deform(&evaluate(rig, None, &pose.pose(rig)));
        let (now, rest) = (&posed[0][0].positions, &rig.meshes[0].primitives[0].positions);
        let triangles = rig.meshes[0].primitives[0].indices.as_chunks::<3>().0;
        let corners = |t: usize, positions: &[Vec3]| triangles[t].map(|v| positions[v as usize]);
        let mut near: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for triangle in triangles {
            for &vertex in triangle {
                near.entry(vertex).or_default().extend(triangle);
            }
        }
        let ring = |points: &[u32; 3]| points.iter().flat_map(|point| near[point].clone()).collect::<BTreeSet<_>>();
        let rings: Vec<BTreeSet<u32>> = triangles.iter().map(ring).collect();
        let all = (0..triangles.len()).flat_map(|a| (a + 1..triangles.len()).map(move |b| [a, b]));
        let expected = all.filter(|&[a, b]| {
            rings[a].is_disjoint(&rings[b])
                && intersect(corners(a, now), corners(b, now))
                && !intersect(corners(a, rest), corners(b, rest))
        });
        let expected: Vec<[u32; 2]> = expected.map(|pair| pair.map(|triangle| triangle as u32)).collect();
        assert!(!expected.is_empty());
        assert_eq!(found, expected, "{}", pose.name);
    }
}

#[test]
fn results_are_ordered_and_the_same_in_every_run() {
    let (_, first) = report(hard(), &FlexOptions::default());
    let (_, second) = report(hard(), &FlexOptions::default());
    assert_eq!(first, second);
    assert!(first.poses.is_sorted_by(|a, b| a.severity >= b.severity));
    assert!(flex(&skinner(hard()), &FlexOptions::default(), &Progress::cancelled()).is_none());
}

#[test]
fn findings_name_the_joint_and_a_good_export_is_not_worse_than_itself() {
    let (skinner, bad) = report(hard(), &bent(150.0));
    let (_, good) = report(smooth(), &bent(60.0));
    let rig = skinner.rig();
    let codes: Vec<Code> = flex_findings(&bad, rig, &FlexLimits::default()).iter().map(|f| f.code).collect();
    assert!(codes.contains(&Code::FlexStretch), "{codes:?}");
    assert_eq!(flex_findings(&good, rig, &FlexLimits::default()), []);
    let record = FlexRecord::new(&good, rig);
    assert_eq!(worse_than(&good, rig, &record, 0.1), []);
    let worse = worse_than(&bad, rig, &record, 0.1);
    assert!(worse.iter().all(|finding| finding.code == Code::FlexWorse) && !worse.is_empty());
    assert_eq!(worse_than(&bad, rig, &FlexRecord::default(), 0.1), [], "joints that the older version lacks");
    let json = FlexJson::new(&good, 1, &|node| rig.hierarchy.name(node).to_owned());
    assert_eq!(json.poses.len(), 1);
    let text = format!("{{\"file\":\"a/b.glb\",\"flex\":{}}}", serde_json::to_string(&json).unwrap());
    let read = FlexRecord::from_json(&text, "b.glb").unwrap();
    assert_eq!(worse_than(&good, rig, &read, 0.1), [], "numbers survive rounding");
    assert!(FlexRecord::from_json("{}", "b.glb").is_err());
    assert!(FlexRecord::from_json(&format!("{text}\n{text}"), "c.glb").unwrap_err().contains("c.glb"));
}

/// Joints of a humanoid as names, parents and positions. `arm` is the direction of the left arm at rest.
fn humanoid(arm: Vec3) -> Rig {
    let mirrored = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
    let mut joints: Vec<(String, Option<usize>, Vec3)> = vec![
        ("hips".into(), None, Vec3::Y),
        ("spine".into(), Some(0), Vec3::Y * 1.2),
        ("head".into(), Some(1), Vec3::Y * 1.6),
    ];
    for (side, mirror) in [("left", false), ("right", true)] {
        let place = |v: Vec3| if mirror { mirrored(v) } else { v };
        let shoulder = Vec3::new(0.2, 1.5, 0.0);
        let first = joints.len();
        let limb = [
            ("UpperArm", 1, shoulder),
            ("LowerArm", first, shoulder + arm * 0.3),
            ("Hand", first + 1, shoulder + arm * 0.6),
            ("UpperLeg", 0, Vec3::new(0.1, 0.9, 0.0)),
            ("LowerLeg", first + 3, Vec3::new(0.1, 0.5, 0.0)),
            ("Foot", first + 4, Vec3::new(0.1, 0.1, 0.0)),
            ("Toes", first + 5, Vec3::new(0.1, 0.0, 0.15)),
        ];
        joints.extend(limb.map(|(name, parent, at)| (format!("{side}{name}"), Some(parent), place(at))));
    }
    let node = |(number, (name, parent, at)): (usize, &(String, Option<usize>, Vec3))| {
        let children = (0..joints.len()).filter(|&child| joints[child].1 == Some(number)).collect();
        let above = parent.map_or(Vec3::ZERO, |parent| joints[parent].2);
        NodeDescription::new(name, children, Trs::from_translation(*at - above))
    };
    let nodes: Vec<NodeDescription> = joints.iter().enumerate().map(node).collect();
    let hierarchy = Hierarchy::new(&nodes).unwrap();
    let all: Vec<NodeIndex> = hierarchy.nodes().collect();
    let skin = Skin { inverse_bind: vec![Affine3::IDENTITY; all.len()], joints: all, ..Skin::default() };
    Rig::new(RigData { hierarchy, skins: vec![skin], ..RigData::default() })
}

/// Returns the direction from a joint to another one in a pose of the plan.
fn direction(rig: &Rig, pose: &str, [from, to]: [&str; 2]) -> Vec3 {
    let plan = FlexPlan::new(rig, &[]);
    let names = || plan.poses.iter().map(|pose| &pose.name).collect::<Vec<_>>();
    let found = plan.poses.iter().find(|known| known.name == pose).unwrap_or_else(|| panic!("{pose}: {:?}", names()));
    let posed = evaluate(rig, None, &found.pose(rig));
    let place = |name: &str| posed.world_from_node[rig.hierarchy.node_named(name).unwrap().index()].translation;
    (place(to) - place(from)).normalize_or_zero()
}

#[test]
fn angles_are_anatomical_whatever_the_rest_pose() {
    for arm in [Vec3::X, Vec3::new(1.0, -1.0, 0.0).normalize_or_zero(), Vec3::new(0.2, -1.0, 0.0).normalize_or_zero()] {
        let rig = humanoid(arm);
        assert_eq!(rig.front(), Vec3::Z);
        for (side, out) in [("left", Vec3::X), ("right", Vec3::NEG_X)] {
            let [upper, lower, hand, thigh, knee, foot] =
                ["UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"].map(|name| format!("{side}{name}"));
            let points = |pose: String, bone: [&str; 2], expected: Vec3| {
                let found = direction(&rig, &pose, bone);
                assert!(found.distance(expected) < 1e-3, "{pose}: {found}, not {expected}, with the arm along {arm}");
            };
            let turned = |degrees: f32, from: Vec3, to: Vec3| {
                let angle = degrees.to_radians();
                from * angle.cos() + to * angle.sin()
            };
            let arm_bone = [upper.as_str(), lower.as_str()];
            points(format!("{upper} flexion 120°"), arm_bone, turned(120.0, Vec3::NEG_Y, Vec3::Z));
            points(format!("{upper} abduction 120°"), arm_bone, turned(120.0, Vec3::NEG_Y, out));
            points(format!("{upper} flexion -60°"), arm_bone, turned(-60.0, Vec3::NEG_Y, Vec3::Z));
            points(format!("{thigh} flexion 120°"), [&thigh, &knee], turned(120.0, Vec3::NEG_Y, Vec3::Z));
            points(format!("{knee} flexion 135°"), [&knee, &foot], turned(135.0, Vec3::NEG_Y, Vec3::NEG_Z));
            points("T".into(), arm_bone, out);
            points("A".into(), [&lower, &hand], turned(45.0, Vec3::NEG_Y, out));
            // Forearms swing forward from an arm that is lifted at rest.
            let forward = direction(&rig, &format!("{lower} flexion 75°"), [&lower, &hand]);
            assert!(forward.z > 0.9, "{forward}");
        }
    }
}

#[test]
fn a_rig_whose_legs_do_not_point_down_has_no_anatomical_poses() {
    let standing = humanoid(Vec3::X);
    assert!(Anatomy::new(&standing).bones().next().is_some());
    let lying = Trs::from_rotation(Quat::from_rotation_x(1.5));
    let nodes: Vec<NodeDescription> = standing
        .hierarchy
        .nodes()
        .map(|node| {
            let rest = *standing.hierarchy.rest(node);
            let rest = if standing.hierarchy.parent(node).is_none() { lying } else { rest };
            let children = standing.hierarchy.children(node).iter().map(|child| child.index()).collect();
            NodeDescription::new(standing.hierarchy.name(node), children, rest)
        })
        .collect();
    let rig = Rig::new(RigData {
        hierarchy: Hierarchy::new(&nodes).unwrap(),
        skins: standing.skins.clone(),
        ..RigData::default()
    });
    assert!(Anatomy::new(&rig).bones().next().is_none());
    assert!(
        FlexPlan::new(&rig, &[]).poses.iter().all(|pose| pose.kind == FlexPoseKind::Joint && pose.source.is_none())
    );
}

/// Joints with the same name have separate records.
#[test]
fn two_joints_of_one_name_are_compared_each_with_itself() {
    let (skinner, good) = report(smooth(), &bent(60.0));
    let rig = skinner.rig();
    let [own, other] = [[0.9, 0.2], [0.2, 0.9]].map(|losses| {
        let mut report = good.clone();
        let joint = |(node, loss): (NodeIndex, f32)| {
            let mut joint = good.joints[0].clone();
            joint.joint = node;
            let measured = Measured { value: loss, joint: Some(node), vertex: None };
            joint.worst[0] = Some(JointWorst { measured, pose: None });
            joint
        };
        report.joints = rig.hierarchy.nodes().zip(losses).map(joint).collect();
        report
    });
    let same = Rig::new(RigData {
        hierarchy: Hierarchy::new(&[
            NodeDescription::new("Bone", vec![1], Trs::IDENTITY),
            NodeDescription::new("Bone", vec![], Trs::IDENTITY),
        ])
        .unwrap(),
        ..RigData::default()
    });
    let record = FlexRecord::new(&own, &same);
    assert_eq!(worse_than(&own, &same, &record, 0.1), []);
    assert_eq!(worse_than(&other, &same, &record, 0.1).len(), 1);
}

#[test]
fn names_of_poses_are_unique_and_every_joint_pose_turns_one_joint() {
    let plan = FlexPlan::new(&humanoid(Vec3::X), &[]);
    let mut names: Vec<&str> = plan.poses.iter().map(|pose| pose.name.as_str()).collect();
    assert!(plan.poses.len() > 80, "{}", plan.poses.len());
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), plan.poses.len());
    for pose in plan.poses.iter().filter(|pose| pose.kind == FlexPoseKind::Joint) {
        let [(node, rotation)] = pose.turns[..] else { panic!("{}", pose.name) };
        assert_eq!(pose.joint, Some(node));
        assert!(rotation.is_normalized() && rotation.angle_between(Quat::IDENTITY) < 3.2);
    }
}

#[test]
fn separate_surfaces_of_one_joint_are_layers_and_distant_joints_are_contacts() {
    let skinner = skinner(hard());
    let rig = skinner.rig();
    let prepared = FlexRest::new(&skinner);
    let surface = prepared.surface();
    let contacts = |above: [Option<NodeIndex>; 2]| {
        let progress = Progress::default();
        let all = ContactSurface::new(surface, rig.hierarchy.nodes().collect(), above.into(), &progress).unwrap();
        let posed = skinner.deform(&evaluate(rig, None, &FlexPlan::new(rig, &bent(100.0).ranges).poses[1].pose(rig)));
        let points = (posed[0][0].positions.as_slice(), vec![MIXED; surface.len()]);
        all.contacts(surface, (points.0, &points.1), &mut TreeFit::default(), &progress).unwrap()
    };
    let kinds = |found: Vec<Contact>| {
        let of_two = found.iter().filter(|contact| contact.joints[0] != contact.joints[1]);
        of_two.map(|contact| contact.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(contacts([None, Some(NodeIndex(0))])), [ContactKind::Fold]);
    assert_eq!(kinds(contacts([None, None])), [ContactKind::Contact]);
}

#[test]
fn the_area_of_a_contact_has_each_triangle_once() {
    let skinner = skinner(hard());
    let rig = skinner.rig();
    let prepared = FlexRest::new(&skinner);
    let (surface, progress) = (prepared.surface(), Progress::default());
    let above = vec![None, Some(NodeIndex(0))];
    let all = ContactSurface::new(surface, rig.hierarchy.nodes().collect(), above, &progress).unwrap();
    let posed = skinner.deform(&evaluate(rig, None, &FlexPlan::new(rig, &bent(60.0).ranges).poses[1].pose(rig)));
    let groups = vec![MIXED; surface.len()];
    let points = (posed[0][0].positions.as_slice(), groups.as_slice());
    let pairs = all.new_pairs(surface, points, &mut TreeFit::default(), &progress).unwrap();
    let contacts = all.contacts(surface, points, &mut TreeFit::default(), &progress).unwrap();
    let between = contacts.iter().find(|contact| contact.joints == [0, 1].map(NodeIndex)).unwrap();
    let of_both = |pair: &&[u32; 2]| all.owners[pair[0] as usize] != all.owners[pair[1] as usize];
    let triangles: BTreeSet<u32> = pairs.iter().filter(of_both).flatten().copied().collect();
    assert!(triangles.len() < 2 * between.count, "some triangles meet several others");
    let area: f64 = triangles.iter().map(|&triangle| f64::from(all.areas[triangle as usize])).sum();
    let expected = (area / all.owned.iter().sum::<f64>()) as f32;
    assert!((between.fraction - expected).abs() < 1e-6, "{} is not {expected}", between.fraction);
}

/// Returns a humanoid with a triangle at each joint, which follows the joint that `followed` returns.
fn humanoid_with_skin(followed: impl Fn(NodeIndex) -> NodeIndex) -> Rig {
    let bare = humanoid(Vec3::X);
    let rest = evaluate(&bare, None, &rigscope_core::rig::Pose::rest(&bare.hierarchy));
    let mut primitive = Primitive::default();
    let mut joints = Vec::new();
    for node in bare.hierarchy.nodes() {
        let at = rest.world_from_node[node.index()].translation;
        let first = primitive.positions.len() as u32;
        primitive.positions.extend([at, at + Vec3::X * 0.05, at + Vec3::Y * 0.05]);
        primitive.indices.extend([first, first + 1, first + 2]);
        joints.extend([followed(node).index() as u16; 3]);
    }
    primitive.influences = Some(Influences::new(1, joints, vec![1.0; primitive.positions.len()]));
    let inverse_bind = bare.hierarchy.nodes().map(|node| rest.world_from_node[node.index()].inverse()).collect();
    let mut data = skinned(bare.hierarchy.clone(), primitive);
    data.skins[0].inverse_bind = inverse_bind;
    Rig::new(data)
}

#[test]
fn a_thigh_that_follows_the_other_leg_is_elsewhere() {
    let bare = humanoid(Vec3::X);
    let [left, right] = ["leftUpperLeg", "rightUpperLeg"].map(|name| bare.hierarchy.node_named(name).unwrap());
    let elsewhere = |rig: Rig| {
        let (skinner, found) = report(rig, &FlexOptions::default());
        let findings = flex_findings(&found, skinner.rig(), &FlexLimits::default());
        let named = findings.into_iter().filter(|finding| finding.code == Code::FlexElsewhere);
        named.filter_map(|finding| finding.spot).collect::<Vec<_>>()
    };
    assert!(elsewhere(humanoid_with_skin(|node| node)).is_empty());
    let bound = humanoid_with_skin(|node| if node == left { right } else { node });
    assert_eq!(elsewhere(bound), ["rightUpperLeg elsewhere"]);
    let swapped = |node| {
        if node == left {
            right
        } else if node == right {
            left
        } else {
            node
        }
    };
    assert_eq!(elsewhere(humanoid_with_skin(swapped)).len(), 2);
}

/// A limb without weights is inert; a prop that its helper holds is no skin.
#[test]
fn a_hand_without_weights_is_inert() {
    let hand = humanoid(Vec3::X).hierarchy.node_named("leftHand").unwrap();
    let inert = |rig: Rig| report(rig, &FlexOptions::default()).1.inert;
    assert_eq!(inert(humanoid_with_skin(|node| node)), []);
    let (skinner, found) =
        report(humanoid_with_skin(|node| if node == hand { NodeIndex(0) } else { node }), &FlexOptions::default());
    assert_eq!(found.inert, [hand]);
    let codes: Vec<Code> =
        flex_findings(&found, skinner.rig(), &FlexLimits::default()).iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&Code::FlexInert), "{codes:?}");
    let rig = skinner.rig();
    assert_eq!(worse_than(&found, rig, &FlexRecord::new(&found, rig), 0.1), [], "it was inert before");
    let json = FlexJson::new(&found, 0, &|node| node_names(&rig.hierarchy)[node.index()].clone());
    let text = format!("{{\"file\":\"a.glb\",\"flex\":{}}}", serde_json::to_string(&json).unwrap());
    assert_eq!(worse_than(&found, rig, &FlexRecord::from_json(&text, "a.glb").unwrap(), 0.1), []);
    let mut moved = FlexRecord::new(&found, rig);
    moved.inert.clear();
    let worse = worse_than(&found, rig, &moved, 0.1);
    assert!(worse.iter().any(|finding| finding.message.contains("any more")), "{worse:?}");
}

/// The fraction depends on the distance over which the weights change, not on the resolution of the mesh.
#[test]
fn weights_that_change_within_a_short_distance_are_abrupt() {
    let fraction = |rig: Rig| value_of_joint(&report(rig, &bent(60.0)).1, FlexMeasure::Abrupt);
    assert!(fraction(hard()) > 0.99, "a switch between two rings, 0.1 m apart at a radius of 0.5 m");
    assert_eq!(fraction(smooth()), 0.0);
    // The middle of the change is half-way between two rings.
    let fading = |width: f32| tube(move |y| ((y - 0.05) / width + 0.5).clamp(0.0, 1.0));
    assert!(fraction(fading(0.12)) > 0.99 && fraction(fading(0.18)) == 0.0, "30 % of the radius are 0.15 m");
    // A joint that only twists does not fold.
    let range = |axis, range| RangeOverride { joints: Pattern::new("*"), axis, range };
    let twisted = FlexOptions {
        ranges: vec![range(FlexAxis::Flexion, [0.0; 2]), range(FlexAxis::Twist, [0.0, 90.0])],
        ..FlexOptions::default()
    };
    assert_eq!(value_of_joint(&report(hard(), &twisted).1, FlexMeasure::Abrupt), 0.0);
    let (skinner, found) = report(hard(), &bent(60.0));
    let findings = flex_findings(&found, skinner.rig(), &FlexLimits::default());
    let abrupt = findings.iter().find(|finding| finding.code == Code::FlexAbrupt).unwrap();
    assert!(abrupt.message.starts_with("\"bend\": the weights change abruptly along 100 %"), "{}", abrupt.message);
}

/// Separate parts that follow one joint each have no boundary.
#[test]
fn rigid_parts_are_not_abrupt() {
    let whole = hard();
    let primitive = &whole.meshes[0].primitives[0];
    let side = |vertex: u32| primitive.positions[vertex as usize].y > 0.0;
    let is_whole = |triangle: &[u32; 3]| triangle.iter().all(|&v| side(v)) || !triangle.iter().any(|&v| side(v));
    let indices: Vec<u32> =
        primitive.indices.as_chunks::<3>().0.iter().filter(|triangle| is_whole(triangle)).copied().flatten().collect();
    assert!(indices.len() < primitive.indices.len());
    let mut data = skinned(whole.hierarchy.clone(), Primitive { indices, ..primitive.clone() });
    data.skins[0].inverse_bind.clone_from(&whole.skins[0].inverse_bind);
    let (_, found) = report(Rig::new(data), &bent(60.0));
    assert!(!found.joints.is_empty());
    assert_eq!(value_of_joint(&found, FlexMeasure::Abrupt), 0.0);
}

/// Rigid parts that touch at rest don't pull each other along.
#[test]
fn rigid_parts_that_touch_do_not_stretch() {
    let whole = hard();
    let own = &whole.meshes[0].primitives[0];
    let count = own.positions.len() as u32;
    let is_above = |triangle: &[u32; 3]| triangle.iter().any(|&vertex| own.positions[vertex as usize].y > 1e-6);
    let triangles = own.indices.as_chunks::<3>().0.iter();
    // Triangles above the hinge have vertices of their own, which follow the second joint.
    let indices = triangles.flat_map(|t| if is_above(t) { t.map(|vertex| vertex + count) } else { *t }).collect();
    let positions = own.positions.repeat(2);
    let joints = (0..2 * count).map(|vertex| u16::from(vertex >= count)).collect();
    let influences = Some(Influences::new(1, joints, vec![1.0; 2 * count as usize]));
    let mut data = skinned(whole.hierarchy.clone(), Primitive { positions, indices, influences, ..own.clone() });
    data.skins[0].inverse_bind.clone_from(&whole.skins[0].inverse_bind);
    let (_, found) = report(Rig::new(data), &bent(60.0));
    assert_eq!(value(&found, FlexMeasure::Stretch), 1.0);
}

fn value_of_joint(report: &FlexReport, measure: FlexMeasure) -> f32 {
    let values = report.joints.iter().filter_map(|joint| joint.worst[measure as usize]);
    values.map(|worst| worst.measured.value).fold(0.0, f32::max)
}

/// If several joints move, a joint without a limit hides no other joint.
#[test]
fn a_joint_without_a_limit_does_not_hide_another_one() {
    let clip = FlexPose {
        name: "both".into(),
        kind: FlexPoseKind::Clip,
        joint: None,
        axis: None,
        angle: 0.0,
        source: None,
        turns: Vec::new(),
        moment: None,
    };
    let measured = |joint: u32, value: f32| Measured { value, joint: Some(NodeIndex(joint)), vertex: None };
    let mut measurements = FlexMeasurements::default();
    measurements.measures[FlexMeasure::Stretch as usize] = vec![measured(0, 20.0), measured(1, 9.0)];
    let rig = hard();
    let limits = |limit| FlexLimits {
        overrides: vec![JointLimitOverride { joints: Pattern::new("root"), measure: FlexMeasure::Stretch, limit }],
        ..FlexLimits::default()
    };
    let found = |limits: &FlexLimits| result(&rig, clip.clone(), measurements.clone(), limits);
    let relaxed = found(&limits(f32::INFINITY));
    assert_eq!(relaxed.worst_value(), Some((FlexMeasure::Stretch, measured(1, 9.0))));
    assert!(relaxed.is_fault());
    assert_eq!(relaxed.summary(&rig, &FlexLimits::default()), "stretch 9.0 times, limit 8.0 times (RIG193)");
    assert_eq!(found(&FlexLimits::default()).worst_value(), Some((FlexMeasure::Stretch, measured(0, 20.0))));
    let all = joints(&rig, &[relaxed], &[], &FlexLimits::default());
    assert_eq!(all.len(), 2, "both joints have a value");
}

/// The frame of a clip is the one in which [`crate::analysis::motion`] finds the largest loss.
#[test]
fn a_clip_is_tested_in_its_worst_frame() {
    let turn = |degrees: f32| Quat::from_rotation_y(degrees.to_radians()).to_array();
    let turns = [turn(0.0), turn(150.0), turn(20.0)].concat();
    let channel = Channel::linear(NodeIndex(1), Property::Rotation, [0.0, 0.7, 2.0], turns);
    let clip = Clip { channels: vec![channel], duration_secs: 2.0, ..Clip::default() };
    let rig = Rig::new(RigData { clips: vec![clip], ..RigData::clone(&smooth()) });
    let (skinner, found) = report(rig, &FlexOptions { has_clips: true, ..bent(30.0) });
    let clips: Vec<&FlexResult> = found.poses.iter().filter(|r| r.pose.kind == FlexPoseKind::Clip).collect();
    let [FlexResult { pose: FlexPose { moment: Some(moment), .. }, measures, .. }] = clips[..] else { panic!() };
    let side = MovedSide {
        skinner: Arc::clone(&skinner),
        pose: rigscope_core::rig::Pose::rest(&skinner.rig().hierarchy),
        clips: vec![Some(0)],
    };
    let job = MotionJob {
        rig: Arc::clone(skinner.rig()),
        clips: vec![0],
        rate: None,
        sides: PerSide { a: side.clone(), b: side },
        versions: None,
    };
    let motions = motions(&job, &Progress::default()).unwrap();
    let worst = motions.worst_frame(0).unwrap();
    assert_eq!(moment.time_secs, motions.clips[0].times_secs[worst.frame]);
    assert!((moment.time_secs - 0.7).abs() < 0.02, "{}", moment.time_secs);
    assert_eq!(measures[FlexMeasure::VolumeLoss as usize].unwrap().value, worst.loss.a);
}
