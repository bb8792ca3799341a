use glam::{Affine3, Vec3};

use super::*;
use crate::rig::{Hierarchy, Influences, Mesh, MeshInstance, NodeDescription, Primitive, RigData, Skin, Trs};

/// Builds a rig of sibling joints under one root, at rest in bind pose, with one mesh with two slots per vertex.
fn rig(joints: &[(&str, Vec3)], positions: Vec<Vec3>, indices: Vec<u32>, slots: &[[(u16, f32); 2]]) -> Rig {
    let mut nodes: Vec<NodeDescription> =
        joints.iter().map(|(name, at)| NodeDescription::new(*name, Vec::new(), Trs::from_translation(*at))).collect();
    nodes.push(NodeDescription { children: (0..joints.len()).collect(), ..NodeDescription::default() });
    let hierarchy = Hierarchy::new(&nodes).unwrap();
    let node = |source| hierarchy.by_source(source).unwrap();
    let skin = Skin {
        joints: (0..joints.len()).map(node).collect(),
        inverse_bind: joints.iter().map(|(_, at)| Affine3::from_translation(-*at)).collect(),
        ..Skin::default()
    };
    let (joints, weights) = slots.iter().flatten().copied().unzip();
    let influences = Some(Influences::new(2, joints, weights));
    let mesh = Mesh {
        primitives: vec![Primitive { positions, influences, indices, ..Primitive::default() }],
        ..Mesh::default()
    };
    let instances =
        vec![MeshInstance { node: node(nodes.len() - 1), mesh: 0, skin: Some(0), morph_weights: Vec::new() }];
    Rig::new(RigData { hierarchy, skins: vec![skin], meshes: vec![mesh], instances, ..RigData::default() })
}

fn judged(rig: &Rig) -> WeightStatistics {
    weight_statistics(rig, StoredWeights::default(), &Progress::default()).unwrap()
}

/// A strip of squares, one unit wide, in the xy plane from `-half` to `half` along x.
fn strip(half: f32, columns: u32) -> (Vec<Vec3>, Vec<u32>) {
    let at = |column: u32| -half + 2.0 * half * column as f32 / columns as f32;
    let positions = (0..=columns).flat_map(|c| [Vec3::new(at(c), 0.0, 0.0), Vec3::new(at(c), 1.0, 0.0)]).collect();
    let square = |c: u32| [2 * c, 2 * c + 2, 2 * c + 1, 2 * c + 1, 2 * c + 2, 2 * c + 3];
    (positions, (0..columns).flat_map(square).collect())
}

const PAIR: [(&str, Vec3); 2] = [("hand_L", Vec3::X), ("hand_R", Vec3::NEG_X)];

fn even(positions: &[Vec3], half: f32) -> Vec<[(u16, f32); 2]> {
    let share = |p: &Vec3| (p.x + half) / (2.0 * half);
    positions.iter().map(|p| [(0, share(p)), (1, 1.0 - share(p))]).collect()
}

#[test]
fn an_even_fall_has_the_energy_of_width_by_length() {
    for (half, columns) in [(0.5, 1), (2.0, 8)] {
        let (positions, indices) = strip(half, columns);
        let slots = even(&positions, half);
        let found = judged(&rig(&PAIR, positions, indices, &slots));
        let expected = f64::from(1.0 / (2.0 * half));
        for row in &found.joints {
            assert!((row.energy - expected).abs() < 1e-6, "{row:?}");
        }
        assert!((found.energy - 2.0 * expected).abs() < 1e-6);
        assert_eq!((found.vertices, found.without), (2 * columns as usize + 2, 0));
        assert!(found.sum_error < 1e-6);
    }
}

#[test]
fn joints_are_counted_by_what_they_move() {
    let (positions, indices) = strip(1.0, 2);
    let slots = even(&positions, 1.0);
    let found = judged(&rig(&PAIR, positions, indices, &slots));
    let row = |row: &JointWeightStatistics| (row.vertices, row.weight_sum, row.largest, row.components, row.islands);
    assert_eq!(found.joints.iter().map(row).collect::<Vec<_>>(), [(4, 3.0, 1.0, 1, 0); 2]);
    assert_eq!(found.influences, Some(InfluenceStatistics { mean: 8.0 / 6.0, p99: 2, max: 2 }));
}

#[test]
fn a_region_in_two_pieces_of_one_surface_has_an_island_and_on_two_surfaces_none() {
    let (positions, indices) = strip(2.0, 4);
    let slots: Vec<[(u16, f32); 2]> =
        positions.iter().map(|p| [(u16::from(p.x.abs() < 0.5 || p.x == -1.0), 1.0), (0, 0.0)]).collect();
    let of = |indices: Vec<u32>| {
        let found = judged(&rig(&PAIR, positions.clone(), indices, &slots));
        (found.islands, found.joints.iter().map(|row| (row.components, row.islands)).collect::<Vec<_>>())
    };
    assert_eq!(of(indices.clone()), (1, vec![(2, 1), (1, 0)]));
    let cut = [&indices[..6], &indices[18..]].concat();
    assert_eq!(of(cut), (0, vec![(2, 0), (1, 0)]), "points of no triangle make no piece");
}

#[test]
fn symmetric_weights_have_error_zero_and_disjoint_ones_two() {
    let (positions, indices) = strip(2.0, 4);
    let slots = even(&positions, 2.0);
    let balance = |slots| judged(&rig(&PAIR, positions.clone(), indices.clone(), slots)).balance.unwrap();
    let even = balance(&slots);
    assert!(even.mean_error < 1e-6 && even.largest_error < 1e-6 && even.matched_fraction == 1.0, "{even:?}");
    let one_sided = vec![[(0, 1.0), (1, 0.0)]; positions.len()];
    assert_eq!(balance(&one_sided), WeightSymmetry { mean_error: 2.0, largest_error: 2.0, matched_fraction: 1.0 });
    let alone = judged(&rig(&PAIR[..1], positions, indices, &one_sided));
    assert_eq!(alone.balance, None);
}

#[test]
fn stored_faults_are_kept_and_a_cancelled_job_returns_none() {
    let (positions, indices) = strip(1.0, 1);
    let slots = even(&positions, 1.0);
    let rig = rig(&PAIR, positions, indices, &slots);
    let stored = StoredWeights { sum_error: 0.75, without: 3 };
    let found = weight_statistics(&rig, stored, &Progress::default()).unwrap();
    assert_eq!((found.sum_error, found.without), (0.75, 3));
    assert_eq!(weight_statistics(&rig, stored, &Progress::cancelled()), None);
    let nothing = judged(&Rig::default());
    assert_eq!((nothing.vertices, nothing.influences, nothing.joints.len()), (0, None, 0));
}

#[test]
fn tables_have_a_line_for_each_joint_and_names_that_need_it_are_quoted() {
    let (positions, indices) = strip(0.5, 1);
    let slots = even(&positions, 0.5);
    let found = judged(&rig(&PAIR, positions, indices, &slots));
    let names = ["a,b".to_owned(), "c".to_owned()];
    let row = WeightNumbersJson::new(&found, names.to_vec());
    let csv = row.csv();
    assert_eq!(
        csv,
        "joint,vertices,weight_sum,largest,energy,components,islands\n\"a,b\",2,2,1,1,1,0\nc,2,2,1,1,1,0\n"
    );
    let json = serde_json::to_value(&row).unwrap();
    assert_eq!(json["joints"][1]["joint"], "c");
    assert_eq!((&json["energy"], &json["symmetry"]["matched_fraction"]), (&2.0.into(), &1.0.into()));
}
