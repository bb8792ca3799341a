//! Properties of skinning: the laws in `docs/mathematics.md`, for every method, through the public interface.
//!
//! Cases in which only rounding decides are left out, such as a joint that is rotated half a turn from the pivot, whose
//! sign is arbitrary. Normals are not compared if the blend is nearly singular, because they have no direction then.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::f32::consts::{PI, TAU};
use std::ops::Range;
use std::sync::Arc;

use glam::{Affine3, DAffine3, DMat3, DQuat, DVec3, Mat3, Quat, Vec3, Vec4};
use proptest::prelude::*;
use rigscope::rig::{
    Hierarchy, Influences, Mesh, MeshInstance, NodeDescription, NodeIndex, Pose, Posed, Primitive, PrimitiveIndex, Rig,
    RigData, Skin, Trs, evaluate,
};
use rigscope::skinning::{Deformed, JointTransform, Method, Palette, SkinPose, Skinner, Surface, deform, palettes};

const METHODS: [Method; 7] = [
    Method::Lbs,
    Method::Dqs,
    Method::Blend(0.35),
    Method::Blend(0.5),
    Method::DqsCompensated,
    Method::Cor,
    Method::Sclerp,
];

/// Inputs of skinning for a joint: `T_j` (world from skin), and its bind position.
#[derive(Clone, Copy, Debug)]
struct Joint {
    matrix: Affine3,
    bind_position: Vec3,
}

/// Returns the palette. The bone of each joint ends at the bind position of the next joint.
fn palette(joints: &[Joint]) -> Palette {
    let next = joints.iter().cycle().skip(1);
    let bones =
        joints.iter().zip(next).map(|(j, next)| [j, next].map(|end| j.matrix.transform_point3(end.bind_position)));
    let transforms: Vec<_> = joints.iter().map(|j| JointTransform::new(j.matrix, j.bind_position)).collect();
    Palette::from(transforms).with_bones(bones.collect())
}

/// Creates points with normals and equal influences.
fn primitive(positions: &[Vec3], normals: &[Vec3], slots: &[(u16, f32)]) -> Primitive {
    let each = |_: &Vec3| slots.iter();
    Primitive {
        positions: positions.to_vec(),
        normals: Some(normals.to_vec()),
        influences: Some(Influences::new(
            slots.len(),
            positions.iter().flat_map(each).map(|s| s.0).collect(),
            positions.iter().flat_map(each).map(|s| s.1).collect(),
        )),
        ..Primitive::default()
    }
}

fn skin(joints: &[Joint], slots: &[(u16, f32)], positions: &[Vec3], normals: &[Vec3], method: Method) -> Deformed {
    skin_surface(joints, palette(joints), primitive(positions, normals, slots), method)
}

/// Skins a surface that is part of a larger body with equal influences. The body's only triangle connects the first
/// three joints, so the centre of rotation is there.
fn skin_surface(joints: &[Joint], palette: Palette, surface: Primitive, method: Method) -> Deformed {
    let corners: Vec<Vec3> = joints.iter().take(3).map(|j| j.bind_position).collect();
    let slots: Vec<(u16, f32)> =
        surface.influences.iter().flat_map(|i| i.vertex(0)).map(|(joint, weight)| (joint as u16, weight)).collect();
    let indices = if corners.len() == 3 { vec![0, 1, 2] } else { vec![0; 3] };
    let body = Primitive { indices, ..primitive(&corners, &corners, &slots) };
    let hierarchy = Hierarchy::new(&vec![NodeDescription::default(); joints.len()]).unwrap();
    let skin = Skin {
        joints: hierarchy.nodes().collect(),
        inverse_bind: vec![Affine3::IDENTITY; joints.len()],
        ..Skin::default()
    };
    let mesh = Mesh { primitives: vec![surface, body], ..Mesh::default() };
    let instance = MeshInstance { node: NodeIndex(0), mesh: 0, skin: Some(0), morph_weights: Vec::new() };
    let (skins, meshes, instances) = (vec![skin], vec![mesh], vec![instance]);
    let rig = Arc::new(Rig::new(RigData { hierarchy, skins, meshes, instances, ..RigData::default() }));
    let mut deformed = Deformed::default();
    let skinner = Skinner::new(&rig, &method.into()).unwrap();
    let pose = SkinPose { posed: &Posed::default(), palettes: &[Arc::new(palette)] };
    skinner.deform_into(PrimitiveIndex { instance: 0, primitive: 0 }, pose, &mut deformed);
    deformed
}

fn any_vector(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

fn any_unit() -> impl Strategy<Value = Vec3> {
    any_vector(1.0).prop_filter("too short", |v| v.length() > 0.1).prop_map(Vec3::normalize_or_zero)
}

fn any_rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0_f32..1.0)
        .prop_filter("too short", |q| Vec4::from(*q).length() > 0.3)
        .prop_map(|q| Quat::from_array(q).normalize())
}

fn any_rigid() -> impl Strategy<Value = Affine3> {
    (any_rotation(), any_vector(2.0)).prop_map(|(q, t)| Affine3::from_rotation_translation(q, t))
}

fn any_rigid_joint() -> impl Strategy<Value = Joint> {
    (any_rigid(), any_vector(1.0)).prop_map(|(matrix, bind_position)| Joint { matrix, bind_position })
}

/// Generates transforms with two rotations and a scale between them, which stretch and shear. One in four mirrors.
fn any_joint() -> impl Strategy<Value = Joint> {
    (any_rigid(), any_rotation(), prop::array::uniform3(0.5_f32..2.0), 0..4, any_vector(1.0)).prop_map(
        |(rigid, q, s, mirror, bind_position)| {
            let s = Vec3::from(s) * if mirror == 0 { Vec3::new(-1.0, 1.0, 1.0) } else { Vec3::ONE };
            let matrix = rigid * Affine3::from_mat3(Mat3::from_quat(q) * Mat3::from_diagonal(s));
            Joint { matrix, bind_position }
        },
    )
}

/// Generates units from a hundredth of a metre to a kilometre.
fn any_unit_of_length() -> impl Strategy<Value = f32> {
    (-2.0_f32..3.0).prop_map(|power| 10.0_f32.powf(power))
}

/// Generates weights of four joints that sum to 1, heaviest first, as import sorts them.
fn any_weights() -> impl Strategy<Value = Vec<(u16, f32)>> {
    (prop::array::uniform4(0.05_f32..1.0), Just([0_u16, 1, 2, 3]).prop_shuffle()).prop_map(|(mut weights, joints)| {
        weights.sort_by(|a, b| b.total_cmp(a));
        let sum: f32 = weights.iter().sum();
        joints.into_iter().zip(weights.map(|w| w / sum)).collect()
    })
}

/// Returns whether only rounding decides the sign of a joint's quaternion relative to the pivot.
fn hangs_by_a_hair(joints: &[Joint], slots: &[(u16, f32)]) -> bool {
    let transforms = palette(joints).joints;
    let real = |slot: &(u16, f32)| transforms[usize::from(slot.0)].rigid.real;
    slots.iter().any(|slot| real(&slots[0]).dot(real(slot)).abs() < 5e-3)
}

/// Asserts that positions differ by less than `bound`. If `has_normals`, also asserts that normals have unit length and
/// differ by less than ten times `bound`.
fn near(a: &Deformed, b: &Deformed, bound: f32, has_normals: bool) -> Result<(), TestCaseError> {
    for (a, b) in a.positions.iter().zip(&b.positions) {
        prop_assert!(a.distance(*b) < bound, "positions {a} and {b}");
    }
    for (a, b) in a.normals.iter().flatten().zip(b.normals.iter().flatten()).filter(|_| has_normals) {
        prop_assert!(a.distance(*b) < 10.0 * bound, "normals {a} and {b}");
        prop_assert!((a.length() - 1.0).abs() < 1e-5, "the normal {a} is no unit");
    }
    Ok(())
}

fn moved(deformed: &Deformed, by: &Affine3) -> Deformed {
    let turn = by.matrix3;
    Deformed {
        positions: deformed.positions.iter().map(|&p| by.transform_point3(p)).collect(),
        normals: deformed.normals.as_ref().map(|n| n.iter().map(|&n| turn * n).collect()),
        tangents: None,
    }
}

/// Returns whether normals have a direction. They have none if a blended matrix is nearly singular, or if the methods
/// give opposite normals.
fn has_normals(joints: &[Joint], slots: &[(u16, f32)], position: Vec3, normal: Vec3) -> bool {
    let transforms = palette(joints).joints;
    let blend = |part: fn(&JointTransform) -> Mat3| {
        slots.iter().fold(Mat3::ZERO, |sum, &(j, w)| sum + part(&transforms[usize::from(j)]) * w).determinant()
    };
    let [lbs, dqs] = Method::ALL.map(|method| skin(joints, slots, &[position], &[normal], method).normals.unwrap()[0]);
    blend(|j| j.matrix.matrix3).abs() > 0.02 && blend(|j| j.stretch_axes).abs() > 0.02 && lbs.dot(dqs) > -0.9
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_motion_after_skinning_is_a_motion_of_the_joints(joints in prop::array::uniform4(any_joint()), slots in any_weights(),
        frame in any_rigid(), p in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        let has_normals = has_normals(&joints, &slots, p, n);
        let carried = joints.map(|j| Joint { matrix: frame * j.matrix, ..j });
        for method in METHODS {
            let inside = skin(&joints, &slots, &[p], &[n], method);
            near(&skin(&carried, &slots, &[p], &[n], method), &moved(&inside, &frame), 1e-4, has_normals)?;
        }
    }

    #[test]
    fn where_the_model_stood_when_it_was_bound_does_not_matter(joints in prop::array::uniform4(any_joint()), slots in any_weights(),
        frame in any_rigid(), p in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        let has_normals = has_normals(&joints, &slots, p, n);
        // The same model bound elsewhere. `frame` moves skin space, so T_j first undoes it.
        let carried = joints.map(|j| Joint {
            matrix: j.matrix * frame.inverse(),
            bind_position: frame.transform_point3(j.bind_position),
        });
        for method in METHODS {
            let there = skin(&carried, &slots, &[frame.transform_point3(p)], &[frame.matrix3 * n], method);
            near(&there, &skin(&joints, &slots, &[p], &[n], method), 1e-4, has_normals)?;
        }
    }

    #[test]
    fn the_unit_of_skin_space_does_not_matter(joints in prop::array::uniform4(any_joint()), slots in any_weights(), unit in any_unit_of_length(),
        p in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        let has_normals = has_normals(&joints, &slots, p, n);
        let carried = joints.map(|j| Joint {
            matrix: j.matrix * Affine3::from_scale(Vec3::splat(unit.recip())),
            bind_position: j.bind_position * unit,
        });
        for method in METHODS {
            let there = skin(&carried, &slots, &[p * unit], &[n], method);
            near(&there, &skin(&joints, &slots, &[p], &[n], method), 1e-4, has_normals)?;
        }
    }

    #[test]
    fn the_unit_of_the_world_does_not_matter(joints in prop::array::uniform4(any_joint()), slots in any_weights(), unit in any_unit_of_length(),
        p in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        let has_normals = has_normals(&joints, &slots, p, n);
        let frame = Affine3::from_scale(Vec3::splat(unit));
        let carried = joints.map(|j| Joint { matrix: frame * j.matrix, ..j });
        for method in METHODS {
            let mut found = skin(&carried, &slots, &[p], &[n], method);
            found.positions[0] /= unit;
            near(&found, &skin(&joints, &slots, &[p], &[n], method), 1e-4, has_normals)?;
        }
    }

    #[test]
    fn a_character_in_another_unit_inside_and_out_is_the_same(joints in prop::array::uniform4(any_rigid_joint()), slots in any_weights(),
        unit in any_unit_of_length(), p in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        let has_normals = has_normals(&joints, &slots, p, n);
        // The joints are still rigid, but all lengths are scaled.
        let carried = joints.map(|j| Joint {
            matrix: Affine3 { translation: j.matrix.translation * unit, ..j.matrix },
            bind_position: j.bind_position * unit,
        });
        for method in METHODS {
            let mut found = skin(&carried, &slots, &[p * unit], &[n], method);
            found.positions[0] /= unit;
            near(&found, &skin(&joints, &slots, &[p], &[n], method), 2e-5, has_normals)?;
        }
    }

    #[test]
    fn a_stretch_of_skin_space_that_all_joints_share_is_one_of_the_mesh(joints in prop::array::uniform4(any_rigid_joint()), slots in any_weights(),
        stretch in any_joint(), p in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        // Also shears, rotates and moves; one in four mirrors.
        let stretch = stretch.matrix;
        let back = stretch.as_daffine3().inverse().as_affine3();
        let carried = joints.map(|j| Joint {
            matrix: (j.matrix.as_daffine3() * stretch.as_daffine3()).as_affine3(),
            bind_position: back.transform_point3(j.bind_position),
        });
        let (there, turned) = (stretch.transform_point3(p), (back.matrix3.transpose() * n).normalize_or_zero());
        let has_normals = has_normals(&carried, &slots, p, n);
        let size = joints.iter().map(|j| j.matrix.transform_point3(there).length()).fold(there.length().max(1.0), f32::max);
        for method in METHODS {
            let found = skin(&carried, &slots, &[p], &[n], method);
            let expected = skin(&joints, &slots, &[there], &[turned], method);
            near(&found, &expected, 2e-6 * size, has_normals)?;
        }
    }

    #[test]
    fn a_figure_mirrored_as_a_whole_is_the_mirrored_figure(joints in prop::array::uniform4(any_joint()), slots in any_weights(),
        frame in any_rigid(), p in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        let has_normals = has_normals(&joints, &slots, p, n);
        let mirror = frame * Affine3::from_scale(Vec3::new(1.0, -1.0, 1.0)) * frame.inverse();
        let carried = joints.map(|j| Joint { matrix: mirror * j.matrix, ..j });
        for method in METHODS {
            let inside = skin(&joints, &slots, &[p], &[n], method);
            near(&skin(&carried, &slots, &[p], &[n], method), &moved(&inside, &mirror), 1e-4, has_normals)?;
        }
    }

    #[test]
    fn one_influence_is_exactly_its_joint(joint in any_joint(), other in any_joint(), p in any_vector(1.0), n in any_unit()) {
        // Includes scale, shear and mirroring, with a single slot or with an additional empty one.
        for slots in [vec![(0, 1.0)], vec![(0, 1.0), (1, 0.0)]] {
            for method in METHODS {
                let found = skin(&[joint, other], &slots, &[p], &[n], method);
                let expected = joint.matrix.transform_point3(p);
                prop_assert!(found.positions[0].distance(expected) < 2e-5, "{method}: {} {expected}", found.positions[0]);
                let normal = (joint.matrix.matrix3.inverse().transpose() * n).normalize_or_zero();
                prop_assert!(found.normals.unwrap()[0].distance(normal) < 1e-4);
            }
        }
    }

    #[test]
    fn means_of_rigid_joints_move_rigidly(joints in prop::array::uniform4(any_rigid_joint()), slots in any_weights(),
        corner in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        // Points with the same influences that form a right-handed frame remain right-handed.
        let points = [corner, corner + Vec3::X, corner + Vec3::Y, corner + Vec3::Z];
        for method in [Method::Dqs, Method::Cor, Method::Sclerp] {
            let found = skin(&joints, &slots, &points, &[n; 4], method);
            let edges = Mat3::from_cols(
                found.positions[1] - found.positions[0],
                found.positions[2] - found.positions[0],
                found.positions[3] - found.positions[0],
            );
            let rotation = Mat3::from_quat(Quat::from_mat3(&edges).normalize());
            prop_assert!(edges.abs_diff_eq(rotation, 1e-4), "{method}: {edges}");
            prop_assert!(found.normals.unwrap()[0].distance(edges * n) < 1e-4, "the normal turns along");
        }
    }

    #[test]
    fn the_sign_of_a_quaternion_means_nothing(joints in prop::array::uniform4(any_joint()), slots in any_weights(),
        minus in prop::array::uniform4(any::<bool>()), p in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        let has_normals = has_normals(&joints, &slots, p, n);
        let plain = palette(&joints);
        let mut signed = plain.clone();
        for (joint, _) in signed.joints.iter_mut().zip(minus).filter(|(_, minus)| *minus) {
            *joint = joint.with_opposite_sign();
        }
        let point = primitive(&[p], &[n], &slots);
        for method in METHODS {
            let [signed, plain] = [&signed, &plain].map(|p| skin_surface(&joints, p.clone(), point.clone(), method));
            near(&signed, &plain, 1e-6, has_normals)?;
        }
    }

    #[test]
    fn the_order_of_the_influences_behind_the_pivot_means_nothing(joints in prop::array::uniform4(any_joint()), slots in any_weights(),
        p in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        let has_normals = has_normals(&joints, &slots, p, n);
        let [a, b, c, d] = [slots[0], slots[1], slots[2], slots[3]];
        for method in METHODS {
            let sorted = skin(&joints, &slots, &[p], &[n], method);
            for other in [[a, d, c, b], [a, c, d, b], [a, b, d, c]] {
                near(&skin(&joints, &other, &[p], &[n], method), &sorted, 2e-5, has_normals)?;
            }
        }
    }

    #[test]
    fn a_mirrored_character_is_skinned_as_the_mirror_image(joints in prop::array::uniform4(any_joint()), slots in any_weights(),
        p in any_vector(1.0), n in any_unit()) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        let has_normals = has_normals(&joints, &slots, p, n);
        let mirror = Affine3::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let other_side = joints.map(|j| Joint {
            matrix: mirror * j.matrix * mirror,
            bind_position: mirror.transform_point3(j.bind_position),
        });
        for method in METHODS {
            let here = skin(&joints, &slots, &[p], &[n], method);
            let there = skin(&other_side, &slots, &[mirror.transform_point3(p)], &[mirror.matrix3 * n], method);
            near(&there, &moved(&here, &mirror), 1e-4, has_normals)?;
        }
    }

    #[test]
    fn a_joint_that_mirrors_mirrors_exactly(joint in any_rigid_joint(), points in prop::collection::vec(any_vector(1.0), 1..5), w in 0.05_f32..0.95) {
        // Two joints have the same mirroring transform and bind position. No intermediate blend may turn it into a
        // rotation.
        let mirror = Affine3::from_scale(Vec3::new(1.0, -1.0, 1.0));
        let mirroring = Joint { matrix: joint.matrix * mirror, ..joint };
        let slots = if w < 0.5 { [(1, 1.0 - w), (0, w)] } else { [(0, w), (1, 1.0 - w)] };
        let normals = vec![Vec3::Y; points.len()];
        for method in METHODS {
            let found = skin(&[mirroring, mirroring], &slots, &points, &normals, method);
            for (found, &p) in found.positions.iter().zip(&points) {
                prop_assert!(found.distance(mirroring.matrix.transform_point3(p)) < 1e-5);
            }
            prop_assert!(found.normals.unwrap()[0].distance(mirroring.matrix.matrix3 * Vec3::Y) < 1e-5);
        }
    }

    #[test]
    fn tangents_stay_in_the_surface_and_on_their_side(joints in prop::array::uniform4(any_joint()), slots in any_weights(),
        n in any_unit(), side in prop::bool::ANY) {
        prop_assume!(!hangs_by_a_hair(&joints, &slots));
        let t = n.any_orthonormal_vector();
        let w = if side { 1.0 } else { -1.0 };
        // Two more points define the surface: one along the tangent, one along the bitangent.
        let points = [Vec3::ZERO, t, n.cross(t) * w];
        let surface = Primitive { tangents: Some(vec![t.extend(w); 3]), ..primitive(&points, &[n; 3], &slots) };
        let directed = [Method::Lbs, Method::Dqs, Method::Cor, Method::Sclerp];
        for method in directed.into_iter().filter(|_| has_normals(&joints, &slots, Vec3::ZERO, n)) {
            let found = skin_surface(&joints, palette(&joints), surface.clone(), method);
            let (normal, tangent) = (found.normals.unwrap()[0], found.tangents.unwrap()[0]);
            let [along, across] = [1, 2].map(|i| found.positions[i] - found.positions[0]);
            prop_assert!(tangent.truncate().distance(along.normalize_or_zero()) < 1e-3, "{method}: {tangent} {along}");
            prop_assert!(tangent.truncate().dot(normal).abs() < 1e-3, "{method}: {tangent} {normal}");
            let bitangent = normal.cross(tangent.truncate()) * tangent.w;
            prop_assert!(bitangent.dot(across) > 0.0, "{method}: {bitangent} {across}");
        }
    }

    #[test]
    fn bound_as_it_stands_nothing_moves(rest in prop::collection::vec((any_rigid(), prop::array::uniform3(0.5_f32..2.0)), 4), slots in any_weights(),
        positions in prop::collection::vec(any_vector(1.0), 1..6)) {
        let rig = bound_at_rest(&rest, &slots, &positions);
        let posed = evaluate(&rig, None, &Pose::rest(&rig.hierarchy));
        let palette = &palettes(&rig, &posed)[0];
        for method in METHODS {
            let found = deform(&rig.meshes[0].primitives[0], palette, &[], method);
            for (found, p) in found.positions.iter().zip(&positions) {
                prop_assert!(found.distance(*p) < 2e-4, "{method}: {found} {p}");
            }
        }
    }

    #[test]
    fn a_twisted_ring_follows_its_closed_form(degrees in 1.0_f32..178.0, w in 0.0_f32..1.0, share in 0.0_f32..1.0, side in 0.0..TAU) {
        let angle = degrees.to_radians();
        let [lbs, dqs, mixed] = [Method::Lbs, Method::Dqs, Method::Blend(share)].map(|m| ring_point(angle, w, side, m));
        // Positions on the ring, in the plane perpendicular to the axis, are treated as complex numbers.
        let radius = (w * w + (1.0 - w) * (1.0 - w) + 2.0 * w * (1.0 - w) * angle.cos()).max(0.0).sqrt();
        let turn = (w * angle.sin()).atan2((1.0 - w) + w * angle.cos());
        let expected = on_circle(side + turn) * radius;
        prop_assert!(lbs.distance(expected) < 2e-6, "LBS {lbs} {expected}");
        let turn = 2.0 * (w * (angle * 0.5).sin()).atan2((1.0 - w) + w * (angle * 0.5).cos());
        prop_assert!(dqs.distance(on_circle(side + turn)) < 2e-6, "DQS {dqs}");
        prop_assert!((dqs.length() - 1.0).abs() < 2e-6, "its radius stays");
        prop_assert!(mixed.distance(lbs * (1.0 - share) + dqs * share) < 2e-6, "between the two");
    }

    #[test]
    fn the_twisted_ring_turns_and_narrows_steadily(degrees in 5.0_f32..175.0, v in 0.0_f32..1.0, w in 0.0_f32..1.0) {
        let angle = degrees.to_radians();
        let (v, w) = if v < w { (v, w) } else { (w, v) };
        prop_assume!(w - v > 1e-3);
        let turn = |p: Vec3| p.z.atan2(p.y).rem_euclid(TAU);
        for method in METHODS {
            let [before, after] = [v, w].map(|w| ring_point(angle, w, 0.0, method));
            // At the start the rotation is 0, which rounding may turn into almost 360°.
            let before_turn = if v < 1e-3 { 0.0 } else { turn(before) };
            prop_assert!(before_turn <= turn(after) + 1e-5 && turn(after) <= angle + 1e-5, "{method}: {before_turn} {}", turn(after));
            // The closer to the middle, the narrower the ring. Swapping the weights gives the same radius.
            let swapped = ring_point(angle, 1.0 - w, 0.0, method);
            prop_assert!((swapped.length() - after.length()).abs() < 3e-6, "{method}: {swapped} {after}");
            let (near_middle, far) = if (v - 0.5).abs() < (w - 0.5).abs() { (before, after) } else { (after, before) };
            prop_assert!(near_middle.length() <= far.length() + 3e-6, "{method}: {near_middle} {far}");
        }
        // At the narrowest point, LBS scales the ring by the cosine of half the angle.
        let middle = ring_point(angle, 0.5, 0.0, Method::Lbs).length();
        prop_assert!((middle - (angle * 0.5).cos()).abs() < 2e-6);
    }
}

fn on_circle(angle: f32) -> Vec3 {
    Vec3::new(0.0, angle.cos(), angle.sin())
}

/// Returns a point on a ring of radius 1 about x, after twisting the second of two joints on the axis. `w` is the
/// weight of this joint.
fn ring_point(angle: f32, w: f32, side: f32, method: Method) -> Vec3 {
    let joint = |turn| Joint { matrix: Affine3::from_quat(Quat::from_rotation_x(turn)), bind_position: Vec3::X * turn };
    let slots = if w > 0.5 { [(1, w), (0, 1.0 - w)] } else { [(0, 1.0 - w), (1, w)] };
    let p = on_circle(side);
    skin(&[joint(0.0), joint(angle)], &slots, &[p], &[p], method).positions[0]
}

/// Creates a chain of four joints that are bound at rest, with moderate scales.
fn bound_at_rest(rest: &[(Affine3, [f32; 3])], slots: &[(u16, f32)], positions: &[Vec3]) -> Rig {
    let nodes: Vec<NodeDescription> = rest
        .iter()
        .enumerate()
        .map(|(i, (rigid, scale))| NodeDescription {
            children: if i + 1 < rest.len() { vec![i + 1] } else { Vec::new() },
            rest: Trs { scale: Vec3::from(*scale), ..Trs::from_affine(rigid) },
            ..NodeDescription::default()
        })
        .collect();
    let hierarchy = Hierarchy::new(&nodes).unwrap();
    let joints: Vec<NodeIndex> = hierarchy.nodes().collect();
    let mut world = Affine3::IDENTITY;
    let mut inverse_bind = Vec::new();
    for &joint in &joints {
        world *= *hierarchy.rest_local(joint);
        inverse_bind.push(world.as_daffine3().inverse().as_affine3());
    }
    let normals = vec![Vec3::Y; positions.len()];
    let mesh = Mesh { primitives: vec![primitive(positions, &normals, slots)], ..Mesh::default() };
    let instance = MeshInstance { node: NodeIndex(0), mesh: 0, skin: Some(0), morph_weights: Vec::new() };
    Rig::new(RigData {
        hierarchy,
        skins: vec![Skin { joints, inverse_bind, ..Skin::default() }],
        meshes: vec![mesh],
        instances: vec![instance],
        ..RigData::default()
    })
}

/// Skins a vertex with dual quaternions by the formulas in `docs/mathematics.md`, step by step, in double precision.
fn exact_dqs(joints: &[Joint], slots: &[(u16, f32)], p: DVec3) -> DVec3 {
    let split = |&(joint, weight): &(u16, f32)| {
        let Joint { matrix, bind_position } = joints[usize::from(joint)];
        let (matrix, bind) = (matrix.as_daffine3(), bind_position.as_dvec3());
        // Newton iteration for the nearest rotation.
        let near = |r: DMat3, _| (r + r.inverse().transpose()) * 0.5;
        let rotation = (0..40).fold(matrix.matrix3 * matrix.matrix3.determinant().signum(), near);
        (rotation, rotation.transpose() * matrix.matrix3, bind, matrix.transform_point3(bind), f64::from(weight))
    };
    let split: Vec<_> = slots.iter().map(split).collect();
    let own: DMat3 = split.iter().map(|(_, stretch, .., weight)| *stretch * *weight).sum();
    let stretched: DVec3 = split.iter().map(|(_, s, x, _, weight)| (*s * (p - *x) + own * *x) * *weight).sum();
    let pivot = DQuat::from_mat3(&split[0].0);
    let (mut real, mut dual) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    for (rotation, _, bind, bound, weight) in &split {
        let q = DQuat::from_mat3(rotation);
        let weight = if pivot.dot(q) < 0.0 { -weight } else { *weight };
        let moved = *bound - *rotation * (own * *bind);
        real += q * weight;
        dual += DQuat::from_xyzw(moved.x, moved.y, moved.z, 0.0) * q * (0.5 * weight);
    }
    let (real, dual) = (real * real.length().recip(), dual * real.length().recip());
    real * stretched + (dual * real.conjugate()).xyz() * 2.0
}

/// Creates four joints along a leg of 1.2 m, each with a different rotation, and points around it, in skin space. Skin
/// space has `per_metre` units per metre and is stretched by `shared`. Each joint stretches by `own` about its bind
/// position.
fn leg(per_metre: f64, shared: DMat3, own: impl Fn(u16) -> DMat3) -> ([Joint; 4], Vec<Vec3>) {
    let skin_from_metres = DAffine3::from_mat3((DMat3::IDENTITY * per_metre.recip() * shared).inverse());
    let joint = |j: u16| {
        let (number, bind) = (f64::from(j), DVec3::new(0.1, 0.4 * f64::from(j), -0.05));
        let turn = DQuat::from_axis_angle(DVec3::new(0.36, 0.48, 0.8), 1.7 * number - 0.7);
        let moved = DAffine3::from_rotation_translation(turn, DVec3::new(0.3, 0.35 * number, 0.1 * number));
        let stretched = DAffine3::from_mat3(own(j)) * DAffine3::from_translation(-bind);
        Joint {
            matrix: (moved * stretched * skin_from_metres.inverse()).as_affine3(),
            bind_position: skin_from_metres.transform_point3(bind).as_vec3(),
        }
    };
    let point = |i: i32| {
        let (sine, cosine) = (0.7 * f64::from(i)).sin_cos();
        skin_from_metres.transform_point3(DVec3::new(0.1 + 0.15 * cosine, 0.03 * f64::from(i), 0.15 * sine)).as_vec3()
    };
    ([0, 1, 2, 3].map(joint), (0..41).map(point).collect())
}

#[test]
#[expect(clippy::print_stdout, reason = "shows the table")]
fn dual_quaternions_are_exact_in_five_units_and_three_stretches() {
    let maya = DMat3::from_diagonal(DVec3::new(11.59, 8.06, 6.46));
    let none: fn(u16) -> DMat3 = |_| DMat3::IDENTITY;
    let own: fn(u16) -> DMat3 = |j| {
        let turn = DMat3::from_rotation_z(f64::from(j));
        turn * DMat3::from_diagonal(DVec3::new(1.4, 1.0, 0.7) + f64::from(j) * 0.1) * turn.transpose()
    };
    let stretches = [("none", DMat3::IDENTITY, none), ("shared", maya, none), ("of each joint", DMat3::IDENTITY, own)];
    let units =
        [("millimetres", 1000.0), ("centimetres", 100.0), ("inches", 39.37), ("metres", 1.0), ("kilometres", 1e-3)];
    let slots = [(1_u16, 0.4_f32), (2, 0.3), (0, 0.2), (3, 0.1)];
    let exact = |joints: &[Joint], points: &[Vec3]| -> Vec<DVec3> {
        points.iter().map(|p| exact_dqs(joints, &slots, p.as_dvec3())).collect()
    };
    let apart = |found: &[DVec3], expected: &[DVec3]| {
        found.iter().zip(expected).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
    };
    for (stretch, shared, own) in stretches {
        let (joints, points) = leg(1.0, DMat3::IDENTITY, own);
        let in_metres = exact(&joints, &points);
        for (unit, per_metre) in units {
            let (joints, points) = leg(per_metre, shared, own);
            let exact = exact(&joints, &points);
            let found = skin(&joints, &slots, &points, &points, Method::Dqs).positions;
            let found: Vec<DVec3> = found.into_iter().map(Vec3::as_dvec3).collect();
            let [off, other] = [apart(&found, &exact), apart(&exact, &in_metres)];
            println!("stretch {stretch:13} {unit:11} {off:.1e} m from exact, exact {other:.1e} m from plain metres");
            assert!(off < 1e-6, "stretch {stretch}, {unit}: {off} m from double precision");
            assert!(other < 1e-6, "stretch {stretch}, {unit}: {other} m from the plain leg in metres");
        }
    }
}

#[test]
fn a_large_surface_in_many_pieces_is_skinned_as_in_one() {
    let turned = |x: f32| Affine3::from_mat3(Mat3::from_rotation_x(x) * (1.0 + x));
    let palette = Palette::from([0.0, 0.5, 1.0].map(|x| JointTransform::new(turned(x), Vec3::ZERO)).to_vec());
    // The last range of vertices isn't a multiple of the kernel's group size, but is not smaller than a group. Smaller
    // ranges use another kernel, which rounds differently.
    let positions: Vec<Vec3> =
        (0..50_019).map(|i| Vec3::new(i as f32 * 1e-4, (i % 7) as f32, (i % 11) as f32)).collect();
    let normals: Vec<Vec3> = positions.iter().map(|p| (*p + Vec3::Y).normalize_or_zero()).collect();
    let skinned = |method: Method, range: Range<usize>| {
        let joints = range.clone().flat_map(|i| [(i % 3) as u16, ((i + 1) % 3) as u16]).collect();
        let influences = Influences::new(2, joints, [0.75, 0.25].repeat(range.len()));
        let surface =
            Surface { positions: &positions[range.clone()], normals: Some(&normals[range]), ..Surface::default() };
        rigscope::skinning::skin(method, &palette, &influences, surface)
    };
    for method in METHODS {
        let whole = skinned(method, 0..positions.len());
        for first in (0..positions.len()).step_by(1000) {
            let range = first..positions.len().min(first + 1000);
            let piece = skinned(method, range.clone());
            assert_eq!(piece.positions, whole.positions[range.clone()], "{method}, from vertex {first}");
            assert_eq!(piece.normals.unwrap(), whole.normals.as_ref().unwrap()[range]);
        }
    }
}

#[test]
fn linear_blends_of_rigid_joints_are_not_rigid() {
    // Shows that the property of DQS is not trivial: with the other method, the same joints don't have it.
    let turned = Joint { matrix: Affine3::from_quat(Quat::from_rotation_x(0.9 * PI)), bind_position: Vec3::ZERO };
    let straight = Joint { matrix: Affine3::IDENTITY, ..turned };
    let points = [Vec3::ZERO, Vec3::Y];
    let length = |method| {
        let found = skin(&[straight, turned], &[(0, 0.5), (1, 0.5)], &points, &points, method).positions;
        found[0].distance(found[1])
    };
    assert!((length(Method::Dqs) - 1.0).abs() < 1e-6);
    assert!(length(Method::Lbs) < 0.2);
    assert!((length(Method::Blend(0.5)) - f32::midpoint(length(Method::Lbs), 1.0)).abs() < 1e-6);
}
