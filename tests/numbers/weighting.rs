//! Weights computed from meshes and bones: the shapes that they follow, and meshes of every kind.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::sync::Arc;

use glam::{Affine3, Vec3};
use proptest::prelude::*;
use rigscope::jobs::Progress;
use rigscope::rig::{
    Hierarchy, Influences, Mesh, MeshInstance, NodeDescription, NodeIndex, Primitive, Rig, RigData, Skin,
};
use rigscope::weights::{Body, Recipe, WeightResult, Weighting, compute, helpers, leak, leak_score};

use common::rigs::{Node, node, skinned};

/// Adds a box with its faces divided into squares. Faces don't share vertices.
fn cuboid(primitive: &mut Primitive, low: Vec3, high: Vec3, squares: usize) {
    for (axis, side) in (0..3).flat_map(|axis| [(axis, low), (axis, high)]) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let first = primitive.positions.len();
        for (r, c) in (0..=squares).flat_map(|r| (0..=squares).map(move |c| (r, c))) {
            let share = |at: usize| at as f32 / squares as f32;
            let mut corner = side;
            corner[u] = low[u] + (high[u] - low[u]) * share(c);
            corner[v] = low[v] + (high[v] - low[v]) * share(r);
            primitive.positions.push(corner);
        }
        for (r, c) in (0..squares).flat_map(|r| (0..squares).map(move |c| (r, c))) {
            let at = |r: usize, c: usize| (first + r * (squares + 1) + c) as u32;
            let [a, b, d, e] = [at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c)];
            primitive.indices.extend(if side == high { [a, b, d, a, d, e] } else { [a, d, b, a, e, d] });
        }
    }
}

/// Creates a rig in which every vertex follows the first joint.
fn rig(nodes: &[Node], mut primitive: Primitive) -> Arc<Rig> {
    let vertices = primitive.positions.len();
    primitive.influences = Some(Influences::new(1, vec![0; vertices], vec![1.0; vertices]));
    skinned(nodes, None, primitive, Vec::new())
}

/// Returns a chain of three joints along y, from 0 to 2.
fn chain() -> Vec<Node> {
    vec![node("root", None, Vec3::ZERO), node("middle", Some(0), Vec3::Y), node("tip", Some(1), Vec3::Y)]
}

fn computed(rig: &Rig, weighting: Weighting, cells: Option<u16>) -> WeightResult {
    let recipe = Recipe { weighting, cells, left_out: Some(Vec::new()), ..Recipe::default() };
    compute(rig, &recipe, &Progress::default()).unwrap()
}

fn weights(computed: &WeightResult) -> &Influences {
    computed.weights.get(0, 0).unwrap()
}

/// Returns what is wrong with computed weights, if anything.
fn fault(rig: &Rig, computed: &WeightResult) -> Option<String> {
    let influences = weights(computed);
    if influences.len() != rig.meshes[0].primitives[0].positions.len() {
        return Some(format!("{} vertices", influences.len()));
    }
    let of_vertex = |vertex: usize| {
        let sum: f64 = influences.vertex(vertex).map(|(_, weight)| f64::from(weight)).sum();
        let is_right =
            influences.vertex(vertex).all(|(joint, weight)| weight >= 0.0 && joint < rig.skins[0].joints.len());
        (!is_right || (sum - 1.0).abs() > 1e-6)
            .then(|| format!("vertex {vertex}: {:?}", influences.vertex(vertex).collect::<Vec<_>>()))
    };
    (0..influences.len()).find_map(of_vertex)
}

/// Creates a palm with two fingers. The gap between them is slightly wider than two voxels of 1/20.
fn hand() -> Arc<Rig> {
    let mut primitive = Primitive::default();
    let gap = 0.1001;
    cuboid(&mut primitive, Vec3::new(0.0, -1.0, 0.0), Vec3::new(0.8 + gap, 0.05, 0.4), 10);
    for left in [0.0, 0.4 + gap] {
        cuboid(&mut primitive, Vec3::new(left, 0.0, 0.0), Vec3::new(left + 0.4, 3.0, 0.4), 16);
    }
    let nodes = [
        node("palm", None, Vec3::new(0.45, -0.9, 0.2)),
        node("index", Some(0), Vec3::new(-0.25, 0.9, 0.0)),
        node("index tip", Some(1), Vec3::Y * 1.5),
        node("middle", Some(0), Vec3::new(0.25 + gap / 2.0, 0.9, 0.0)),
        node("middle tip", Some(3), Vec3::Y * 1.5),
    ];
    rig(&nodes, primitive)
}

/// Returns the largest weight that joints of one finger have on the other finger, at some distance from the palm.
fn across(rig: &Rig, influences: &Influences) -> f32 {
    let positions = rig.meshes[0].primitives[0].positions.iter().enumerate();
    let of_vertex = |(vertex, position): (usize, &Vec3)| {
        let own = if position.x < 0.45 { [1, 2] } else { [3, 4] };
        let foreign = influences.vertex(vertex).filter(|(joint, _)| *joint != 0 && !own.contains(joint));
        foreign.map(|(_, weight)| weight).fold(0.0, f32::max)
    };
    positions.filter(|(_, position)| position.y > 1.0).map(of_vertex).fold(0.0, f32::max)
}

#[test]
fn a_finger_does_not_drag_its_neighbour_across_a_gap_of_two_cells() {
    let hand = hand();
    let voxel = computed(&hand, Weighting::Voxel, Some(80));
    assert_eq!((fault(&hand, &voxel), voxel.notes.as_slice()), (None, [].as_slice()));
    assert!(across(&hand, weights(&voxel)) <= 0.01, "{}", across(&hand, weights(&voxel)));
    let closest = computed(&hand, Weighting::Closest, None);
    assert!(across(&hand, weights(&closest)) > 0.2, "{}", across(&hand, weights(&closest)));

    let leaks = [Weighting::Voxel, Weighting::Closest].map(|weighting| {
        let made = hand.with_weights(&computed(&hand, weighting, Some(80)).weights);
        let body = &Body::from_rig(&made, |_| false)[0];
        let leak = leak(body, &body.shares(&made), Some(80), &Progress::default()).unwrap();
        assert_eq!(leak.len(), body.points.len());
        leak_score(&leak)
    });
    assert!(leaks[0] < 1e-3 && leaks[1] > 0.05, "{leaks:?}");
}

#[test]
fn a_limb_without_a_hint_of_its_size_is_followed_too() {
    let hand = hand();
    let voxel = computed(&hand, Weighting::Voxel, None);
    assert_eq!(fault(&hand, &voxel), None);
    assert!(across(&hand, weights(&voxel)) <= 0.01, "{}", across(&hand, weights(&voxel)));
}

/// Returns broken meshes with their names, and part of the expected warning, if any.
fn odd_rigs() -> Vec<(&'static str, Arc<Rig>, Option<&'static str>)> {
    let limb = |change: &dyn Fn(&mut Primitive)| {
        let mut primitive = Primitive::default();
        cuboid(&mut primitive, Vec3::new(-0.3, -0.2, -0.3), Vec3::new(0.3, 2.2, 0.3), 8);
        change(&mut primitive);
        primitive
    };
    let plain = || limb(&|_| ());
    let mut shells = Primitive::default();
    for at in 0..6_u8 {
        let low = Vec3::new(-0.3, f32::from(at) * 0.5, -0.3);
        cuboid(&mut shells, low, low + Vec3::new(0.6, 0.3, 0.6), 3);
    }
    cuboid(&mut shells, Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.4, 0.4, 0.4), 2);
    let mut pieces = Primitive::default();
    for at in 0..1000_u16 {
        let turn = f32::from(at) * 2.4;
        let low = Vec3::new(turn.cos() * 0.2, f32::from(at) * 0.002, turn.sin() * 0.2);
        cuboid(&mut pieces, low, low + 0.15, 1);
    }
    let triangle =
        Primitive { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], indices: vec![0, 1, 2], ..Primitive::default() };
    let coincident = [node("a", None, Vec3::Y), node("b", Some(0), Vec3::ZERO), node("c", Some(1), Vec3::ZERO)];
    let outside =
        [node("a", None, Vec3::Y), node("far", Some(0), Vec3::new(900.0, 0.0, 0.0)), node("out", None, Vec3::X * 3.0)];
    let huge = limb(&|primitive| primitive.positions.iter_mut().for_each(|position| *position *= 1e30));
    let bad = limb(&|primitive| {
        primitive.positions[3] = Vec3::NAN;
        primitive.positions[9].y = f32::INFINITY;
    });
    let ground = limb(&|primitive| {
        cuboid(primitive, Vec3::new(-5000.0, -0.3, -5000.0), Vec3::new(5000.0, -0.2, 5000.0), 1);
    });
    vec![
        ("plain", rig(&chain(), plain()), None),
        ("unconnected shells", rig(&chain(), shells), Some("no joint reaches")),
        ("open", rig(&chain(), limb(&|primitive| primitive.indices.truncate(4 * 8 * 8 * 6))), None),
        (
            "inside out",
            rig(&chain(), limb(&|p| p.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|t| t.swap(1, 2)))),
            None,
        ),
        ("hole", rig(&chain(), limb(&|primitive| primitive.indices.truncate(primitive.indices.len() - 6))), None),
        ("a thousand pieces", rig(&chain(), pieces), None),
        ("a triangle", rig(&chain(), triangle), None),
        ("coincident joints", rig(&coincident, plain()), None),
        ("joints outside", rig(&outside, plain()), Some("outside the mesh")),
        ("no triangles", rig(&chain(), limb(&|primitive| primitive.indices.clear())), Some("no triangles")),
        ("huge", rig(&chain(), huge), None),
        ("not finite", rig(&chain(), bad), None),
        ("enormous beside tiny", rig(&chain(), ground), None),
        ("flat", rig(&chain(), limb(&|p| p.positions.iter_mut().for_each(|position| position.z = 0.0))), None),
        ("a point", rig(&chain(), limb(&|p| p.positions.fill(Vec3::ONE))), None),
    ]
}

#[test]
fn every_method_weights_whole_meshes_or_gives_a_reason() {
    for (name, rig, told) in odd_rigs() {
        for weighting in Weighting::ALL {
            let computed = computed(&rig, weighting, None);
            assert_eq!(fault(&rig, &computed), None, "{name} by {}", weighting.spec().name);
            let notes = &computed.notes;
            if let Some(told) = told.filter(|_| weighting == Weighting::Voxel) {
                assert!(notes.iter().any(|note| note.contains(told)), "{name}: {notes:?}");
            }
        }
    }
}

#[test]
fn shells_with_joints_inside_and_meshes_with_holes_are_weighted_as_whole_ones_are() {
    let of = |name: &str| odd_rigs().into_iter().find(|(other, ..)| *other == name).unwrap().1;
    let [plain, hole, turned] =
        ["plain", "hole", "inside out"].map(|name| weights(&computed(&of(name), Weighting::Voxel, Some(48))).clone());
    assert_eq!(plain, turned);
    let apart = |other: &Influences| {
        let of_vertex = |vertex: usize| {
            let share = |of: &Influences, joint: usize| {
                of.vertex(vertex).filter(|(j, _)| *j == joint).map(|(_, w)| w).sum::<f32>()
            };
            (0..3).map(|joint| (share(&plain, joint) - share(other, joint)).abs()).fold(0.0, f32::max)
        };
        (0..plain.len()).map(of_vertex).fold(0.0, f32::max)
    };
    assert!(apart(&hole) < 0.01, "{}", apart(&hole));
}

#[test]
fn excessive_cell_count_is_reduced_with_a_note() {
    let (_, plain, _) = odd_rigs().swap_remove(0);
    let computed = computed(&plain, Weighting::Voxel, Some(u16::MAX));
    assert_eq!(fault(&plain, &computed), None);
    assert!(computed.notes.iter().any(|note| note.contains("too long")), "{:?}", computed.notes);
}

#[test]
fn a_cancelled_job_ends_without_weights() {
    let hand = hand();
    for weighting in Weighting::ALL {
        let recipe = Recipe { weighting, ..Recipe::default() };
        assert_eq!(compute(&hand, &recipe, &Progress::cancelled()), None);
    }
    let body = &Body::from_rig(&hand, |_| false)[0];
    assert_eq!(leak(body, &body.shares(&hand), None, &Progress::cancelled()), None);
}

#[test]
fn helpers_are_detected_by_name_and_never_include_all_joints() {
    let nodes = [
        node("arm", None, Vec3::ZERO),
        node("arm_twist", Some(0), Vec3::Y * 0.5),
        node("hand", Some(0), Vec3::Y),
        node("ik_hand", None, Vec3::X),
        node("spare", None, Vec3::X),
        node("roll", Some(0), Vec3::Y * 0.2),
    ];
    let mut primitive = Primitive::default();
    cuboid(&mut primitive, Vec3::splat(-0.3), Vec3::splat(0.3), 4);
    let vertices = primitive.positions.len();
    // Arm and hand have the largest weights. The roll helper has a fifth, and the twist helper almost nothing.
    primitive.influences =
        Some(Influences::new(4, [0, 2, 5, 1].repeat(vertices), [0.5, 0.3, 0.1999, 0.0001].repeat(vertices)));
    let given = skinned(&nodes, None, primitive.clone(), Vec::new());
    let names = |rig: &Rig| helpers(rig).iter().map(|h| rig.hierarchy.name(h.node).to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&given), ["arm_twist", "ik_hand", "spare"]);
    assert!(helpers(&given).iter().all(|helper| helper.reason.ends_with('.')));
    let automatic = compute(&given, &Recipe::default(), &Progress::default()).unwrap();
    assert!(weights(&automatic).joints().iter().all(|joint| [0, 2, 5].contains(joint)), "helpers get no weight");

    let untouched = rig(&nodes, primitive);
    assert_eq!(
        names(&untouched),
        ["arm_twist", "roll", "ik_hand"],
        "where one joint has all weight, nothing is said of the others"
    );
    let only = [node("ik_a", None, Vec3::ZERO), node("ik_b", Some(0), Vec3::Y)];
    let all = skinned(&only, None, given.meshes[0].primitives[0].clone(), Vec::new());
    let all = Rig::new(RigData {
        meshes: rig(&only, all.meshes[0].primitives[0].clone()).meshes.clone(),
        ..RigData::clone(&all)
    });
    assert!(helpers(&all).len() < 2, "never all joints");
}

/// Creates a triangle and a skin for each list of joints. All joints are children of the first one, at the same
/// position.
fn crowd(joints_of_skins: &[Vec<usize>]) -> Rig {
    let nodes = joints_of_skins.iter().flatten().max().unwrap() + 1;
    let mut descriptions = vec![NodeDescription::default(); nodes];
    descriptions[0].children = (1..nodes).collect();
    let hierarchy = Hierarchy::new(&descriptions).unwrap();
    let skin = |joints: &Vec<usize>| {
        let joints: Vec<NodeIndex> = joints.iter().map(|&joint| hierarchy.by_source(joint).unwrap()).collect();
        Skin { inverse_bind: vec![Affine3::IDENTITY; joints.len()], joints, ..Skin::default() }
    };
    let triangle = |joints: &Vec<usize>| Primitive {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        indices: vec![0, 1, 2],
        influences: Some(Influences::new(1, vec![0, 0, (joints.len() - 1) as u16], vec![1.0; 3])),
        ..Primitive::default()
    };
    let instance = |skin| MeshInstance { node: NodeIndex(0), mesh: skin, skin: Some(skin), morph_weights: Vec::new() };
    Rig::new(RigData {
        skins: joints_of_skins.iter().map(skin).collect(),
        meshes: joints_of_skins.iter().map(|j| Mesh { primitives: vec![triangle(j)], ..Mesh::default() }).collect(),
        instances: (0..joints_of_skins.len()).map(instance).collect(),
        hierarchy,
        ..RigData::default()
    })
}

#[test]
fn a_body_has_as_many_bones_as_a_vertex_can_name_and_no_more() {
    let full = crowd(&[(0..1 << 16).collect()]);
    let bodies = Body::from_rig(&full, |_| false);
    assert_eq!(bodies[0].bones.len(), 1 << 16);
    assert_eq!(bodies[0].shares(&full).row(2).collect::<Vec<_>>(), [(u16::MAX, 1.0)]);
    let second = |last: usize| crowd(&[(0..40_000).collect(), std::iter::once(0).chain(40_000..last).collect()]);
    let bones = |rig: &Rig| Body::from_rig(rig, |_| false).iter().map(|body| body.bones.len()).collect::<Vec<_>>();
    assert_eq!(bones(&second(1 << 16)), [1 << 16]);
    assert_eq!(bones(&second((1 << 16) + 1)), [40_000, 25_538], "together they would be one too many");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn weights_of_any_soup_are_shares_and_the_same_on_any_number_of_threads(
        corners in prop::collection::vec(prop::array::uniform3(-1.0_f32..1.0), 3..90),
        joints in prop::collection::vec(prop::array::uniform3(-0.8_f32..0.8), 1..7),
        stretch in prop::array::uniform3(0.01_f32..20.0),
    ) {
        let mut primitive = Primitive { positions: corners.iter().map(|c| Vec3::from(*c) * Vec3::from(stretch)).collect(), ..Primitive::default() };
        primitive.indices = (0..primitive.positions.len() as u32 / 3 * 3).collect();
        let at = |joint: usize| Vec3::from(joints[joint]);
        let nodes: Vec<Node> = (0..joints.len())
            .map(|j| node("joint", j.checked_sub(1), if j == 0 { at(0) } else { at(j) - at(j - 1) }))
            .collect();
        let soup = rig(&nodes, primitive);
        for weighting in Weighting::ALL {
            let [one, two] = [1, 2].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| computed(&soup, weighting, Some(24)))
            });
            prop_assert_eq!(fault(&soup, &one), None);
            prop_assert_eq!(one, two);
        }
    }
}

#[test]
fn where_a_body_lies_does_not_matter() {
    let at = |offset: Vec3| {
        let mut primitive = Primitive::default();
        cuboid(&mut primitive, Vec3::new(-0.3, -0.2, -0.3) + offset, Vec3::new(0.3, 2.2, 0.3) + offset, 8);
        let mut nodes = chain();
        nodes[0].rest.translation = offset;
        weights(&computed(&rig(&nodes, primitive), Weighting::Voxel, None)).clone()
    };
    let (here, there) = (at(Vec3::ZERO), at(Vec3::new(64.0, -32.0, 16.0)));
    let largest = here.weights().iter().zip(there.weights()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(largest < 0.02, "{largest}");
}
