//! Metrics of rigs whose differences are known in closed form.

use glam::{Affine3, Vec3};

use super::*;
use crate::analysis::flex::seeded_poses;
use rigscope_core::rig::testing::{skinned, world_at_rest};
use rigscope_core::rig::{Hierarchy, Influences, NodeDescription, Primitive, Rig, Trs, evaluate};
use rigscope_core::skinning::palettes;

const RINGS: u32 = 21;
const SIDES: u32 = 4;
const RADIUS: f32 = 0.2;
/// Longest side of the body, metres.
const HEIGHT: f32 = 2.0;

/// Returns a square prism along y from 0 to 2, with a chain of joints at these positions. `weights` has the weight of
/// each joint at a height.
fn body(joints: &[(&str, Vec3)], weights: impl Fn(f32) -> Vec<f32>) -> Arc<Rig> {
    let height = |ring: u32| HEIGHT * ring as f32 / (RINGS - 1) as f32;
    let corner = |side: u32| [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)][side as usize];
    let positions: Vec<Vec3> = (0..RINGS * SIDES)
        .map(|at| {
            let (x, z) = corner(at % SIDES);
            Vec3::new(RADIUS * x, height(at / SIDES), RADIUS * z)
        })
        .collect();
    let at = |ring: u32, side: u32| ring * SIDES + side % SIDES;
    let mut indices = Vec::new();
    for (ring, side) in (0..RINGS - 1).flat_map(|ring| (0..SIDES).map(move |side| (ring, side))) {
        let [a, b, c, d] = [at(ring, side), at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1)];
        indices.extend([a, c, b, b, c, d]);
    }
    let rows = positions.iter().flat_map(|position| weights(position.y)).collect();
    let slots = positions.iter().flat_map(|_| 0..joints.len() as u16).collect();
    let node = |at: usize| {
        let (name, place) = joints[at];
        let parent = at.checked_sub(1).map_or(Vec3::ZERO, |parent| joints[parent].1);
        NodeDescription::new(name, (at + 1..joints.len()).take(1).collect(), Trs::from_translation(place - parent))
    };
    let hierarchy = Hierarchy::new(&(0..joints.len()).map(node).collect::<Vec<_>>()).unwrap();
    let influences = Some(Influences::new(joints.len(), slots, rows));
    let binds = world_at_rest(&hierarchy).iter().map(Affine3::inverse).collect();
    let mut data = skinned(hierarchy, Primitive { positions, indices, influences, ..Primitive::default() });
    data.skins[0].inverse_bind = binds;
    Arc::new(Rig::new(data))
}

fn halves(y: f32) -> Vec<f32> {
    if y > 1.0 { vec![0.0, 1.0, 0.0] } else { vec![1.0, 0.0, 0.0] }
}

const JOINTS: [(&str, Vec3); 3] = [("a", Vec3::ZERO), ("b", Vec3::Y), ("c", Vec3::new(0.0, 2.0, 0.0))];

fn reference() -> Arc<Rig> {
    body(&JOINTS, halves)
}

fn metrics(judged: &Arc<Rig>, tolerance: Option<f64>) -> RiggingMetricsJson {
    rigging_metrics([judged, &reference()], "right", tolerance, &Progress::default()).unwrap().unwrap()
}

fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() < 2e-6, "{a} and {b}");
}

#[test]
fn an_identical_rig_is_perfect() {
    let found = metrics(&reference(), None);
    let JointMetricsJson { precision, recall, iou, cd_j2j, cd_j2b, cd_b2b, .. } = found.joints;
    assert_eq!([precision, recall, iou, cd_j2j, cd_j2b, cd_b2b], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let weights = found.weights.unwrap();
    assert_eq!([weights.precision, weights.recall, weights.l1], [1.0, 1.0, 0.0]);
    assert_eq!([weights.mean_deformation, weights.max_deformation], [Some(0.0); 2]);
    assert_eq!((weights.vertices, weights.reference_vertices), ((RINGS * SIDES) as usize, (RINGS * SIDES) as usize));
    assert_eq!((found.unit_m, weights.poses), (f64::from(HEIGHT), 10));
}

/// A section through the prism is a square: along 16 rays, the distance to its sides is r / cos(a) for the angle a to
/// the nearest axis.
#[test]
fn the_tolerance_is_half_the_local_shape_diameter() {
    let rig = reference();
    let skeleton = Skeleton::new(&rig, |node| Vec3::Y * node.index() as f32);
    let radii = RestTriangles::new(&rig).unwrap().radii(&skeleton, f64::from(HEIGHT), &Progress::default()).unwrap();
    let turns = [0.0_f64, 22.5, 45.0, 22.5].map(|angle| 1.0 / angle.to_radians().cos());
    let radius = f64::from(RADIUS) * turns.iter().sum::<f64>() / 4.0;
    // The first ray has any angle, so the mean over 16 of them is only near to that of these angles.
    let middle = radii[1] * f64::from(HEIGHT);
    assert!((middle / radius - 1.0).abs() < 0.02, "{middle} and {radius}");
    // Nothing is around the last joint, at the open end.
    assert_eq!(radii[2], 0.05);
}

#[test]
fn a_shifted_joint_has_the_distances_of_geometry() {
    let shift = 0.1_f32;
    let mut joints = JOINTS;
    joints[1].1.x = shift;
    let judged = body(&joints, halves);
    let found = metrics(&judged, Some(0.06)).joints;
    let unit = f64::from(HEIGHT);
    assert_eq!([found.precision, found.recall, found.iou], [1.0; 3]);
    let d = f64::from(shift);
    // The joint's distance to the straight chain is d, and that of the right joint to the bent chain d / √(1 + d²).
    let to_bent = d / d.hypot(1.0);
    assert_near(found.cd_j2j, d / 3.0 / unit);
    assert_near(found.cd_j2b, f64::midpoint(d, to_bent) / 3.0 / unit);
    // Along both bones, distances grow from 0 to the largest: half of it on average.
    assert!((found.cd_b2b * unit - f64::midpoint(d, to_bent) / 2.0).abs() < 5e-4, "{}", found.cd_b2b);
    let strict = metrics(&judged, Some(0.04)).joints;
    assert_eq!((strict.matched, strict.extra, strict.missing), (2, vec!["b".to_owned()], vec!["b".to_owned()]));
    assert_near(strict.iou, 2.0 / 3.0);
}

#[test]
fn a_missing_joint_lowers_recall_alone() {
    let judged = body(&JOINTS[..2], |y| halves(y)[..2].to_vec());
    let found = metrics(&judged, None);
    let joints = found.joints;
    assert_eq!((joints.count, joints.reference_count, joints.matched), (2, 3, 2));
    assert_near(joints.precision, 1.0);
    assert_near(joints.recall, 2.0 / 3.0);
    assert_near(joints.iou, 0.8);
    // Only the last joint is away from the others, by a bone.
    assert_near(joints.cd_j2j, 1.0 / 3.0 / 2.0 / f64::from(HEIGHT));
    assert_eq!(joints.missing, ["c"]);
    assert_eq!(found.weights.unwrap().l1, 0.0);
}

#[test]
fn a_joint_has_one_partner_and_chains_of_partners_give_way() {
    let judged = body(&[("x", Vec3::Y * 0.5), ("y", Vec3::Y * 1.5)], |_| vec![1.0, 0.0]);
    let found = metrics(&judged, Some(0.25)).joints;
    assert_eq!((found.matched, found.extra.len(), found.missing.len()), (2, 0, 1));
}

#[test]
fn moved_weights_have_their_norm_and_their_deformation() {
    let moved = 0.25;
    let judged = body(&JOINTS, |y| if y > 1.95 { vec![moved, 1.0 - moved, 0.0] } else { halves(y) });
    let found = metrics(&judged, None).weights.unwrap();
    let count = f64::from(RINGS * SIDES);
    assert_near(found.l1, f64::from(2.0 * moved) * f64::from(SIDES) / count);
    assert_near(found.precision, (count / (count + f64::from(SIDES)) * 1e6).round() / 1e6);
    assert_eq!(found.recall, 1.0);
    // A vertex moves by the weight times the distance between where both joints would put it.
    let rig = reference();
    let (mut sum, mut max) = (0.0, 0.0_f32);
    for pose in seeded_poses(&rig, 10, 0) {
        let palettes = palettes(&rig, &evaluate(&rig, None, &pose));
        let joints = &palettes[0].joints;
        for position in rig.meshes[0].primitives[0].positions.iter().filter(|position| position.y > 1.95) {
            let [a, b] = [0, 1].map(|joint: usize| joints[joint].matrix.transform_point3(*position));
            let distance = moved * a.distance(b);
            (sum, max) = (sum + f64::from(distance), max.max(distance));
        }
    }
    let [found_mean, found_max] = [found.mean_deformation, found.max_deformation].map(Option::unwrap);
    assert!((found_max - f64::from(max / HEIGHT)).abs() < 1e-5, "{found_max}");
    assert!((found_mean - sum / 10.0 / count / f64::from(HEIGHT)).abs() < 1e-6);
}

#[test]
fn nothing_to_compare_is_explained() {
    let bare = Arc::new(Rig::new(rigscope_core::rig::RigData::default()));
    let problem = |a: &Arc<Rig>, b: &Arc<Rig>| rigging_metrics([a, b], "", None, &Progress::default()).unwrap_err();
    assert!(problem(&bare, &reference()).contains("the rig has no joints"));
    assert!(problem(&reference(), &bare).contains("the reference has no joints"));
}

#[test]
fn another_unit_does_not_count() {
    let larger = body(&JOINTS.map(|(name, place)| (name, place * 100.0)), halves);
    assert_near(metrics(&larger, None).joints.cd_j2j, 0.0);
}
