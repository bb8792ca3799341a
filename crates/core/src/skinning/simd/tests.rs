use glam::{Affine3, Quat, Vec3};
use proptest::prelude::*;

use super::super::{dqs, lbs};
use super::*;
use crate::rig::Influences;
use crate::rig::testing::{any_rotation, any_vector};
use crate::skinning::summing::BlendOptions;
use crate::skinning::{JointTransform, Palette, ScaleHandling, Scaling};

const JOINTS: usize = 5;

fn summing(stretch: Stretch) -> BlendOptions {
    BlendOptions { stretch, checks_signs: true }
}

#[derive(Clone, Copy, Debug)]
enum Scales {
    Rigid,
    Alike(f32),
    ByJoint,
    Apart,
}

/// Generates a random joint, which may be stretched and mirrored with [`Scales::Apart`].
fn any_joint(scales: Scales) -> impl Strategy<Value = JointTransform> {
    let scale = prop::array::uniform3(prop_oneof![0.3_f32..2.0, -2.0_f32..-0.3]).prop_map(Vec3::from);
    (any_rotation(), scale, any_vector(3.0), any_vector(1.0)).prop_map(move |(rotation, scale, translation, bind)| {
        let scale = match scales {
            Scales::Rigid => Vec3::ONE,
            Scales::Alike(scale) => Vec3::splat(scale),
            Scales::ByJoint => Vec3::splat(scale.x),
            Scales::Apart => scale,
        };
        JointTransform::new(Affine3::from_scale_rotation_translation(scale, rotation, translation), bind)
    })
}

fn any_palette(scales: Scales) -> impl Strategy<Value = Palette> {
    prop::collection::vec(any_joint(scales), JOINTS).prop_map(Palette::from)
}

#[derive(Clone, Debug)]
struct Skinned {
    joints: Vec<u16>,
    weights: Vec<f32>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    per_vertex: usize,
}

impl Skinned {
    fn by(
        &self,
        palette: &Palette,
        kernel: impl FnOnce(&mut VertexChunk<'_>) -> usize,
    ) -> (Vec<Vec3>, Vec<Vec3>, usize) {
        let mut skinned = (vec![Vec3::NAN; self.positions.len()], vec![Vec3::NAN; self.normals.len()]);
        let influences = Influences::new(self.per_vertex, self.joints.clone(), self.weights.clone());
        let done = kernel(&mut VertexChunk {
            per_vertex: self.per_vertex,
            joints: JointSlots::new(palette, &influences),
            weights: &self.weights,
            positions: &self.positions,
            normals: &self.normals,
            centers: &[],
            dq_weights: &[],
            skinned_positions: &mut skinned.0,
            skinned_normals: &mut skinned.1,
        });
        (skinned.0, skinned.1, done)
    }
}

fn any_surface() -> impl Strategy<Value = Skinned> {
    let sizes = (1_usize..=9, 0_usize..40, any::<bool>());
    sizes.prop_flat_map(|(per_vertex, count, has_normals)| {
        let slots = prop::collection::vec((0..JOINTS as u16, 0.05_f32..1.0), count * per_vertex);
        let vectors = prop::collection::vec((any_vector(2.0), any_vector(1.0)), count);
        (slots, vectors).prop_map(move |(slots, vectors)| {
            let mut weights: Vec<f32> = slots.iter().map(|s| s.1).collect();
            for weights in weights.chunks_mut(per_vertex) {
                weights.sort_by(|a, b| b.total_cmp(a));
                let sum: f32 = weights.iter().sum();
                for weight in weights {
                    *weight /= sum;
                }
            }
            Skinned {
                joints: slots.iter().map(|s| s.0).collect(),
                weights,
                positions: vectors.iter().map(|v| v.0).collect(),
                normals: if has_normals { vectors.iter().map(|v| v.1).collect() } else { Vec::new() },
                per_vertex,
            }
        })
    })
}

/// Returns whether rounding decides a sign: nearly orthogonal quaternions or a nearly singular matrix.
fn hangs_by_a_hair(palette: &Palette, surface: &Skinned, vertex: usize) -> bool {
    let slots = vertex * surface.per_vertex..(vertex + 1) * surface.per_vertex;
    let (joints, weights) = (&surface.joints[slots.clone()], &surface.weights[slots]);
    let real = |joint: u16| palette.joints[usize::from(joint)].rigid.real;
    let is_near_zero = |x: f32| x.abs() < 1e-3;
    joints.iter().any(|&joint| is_near_zero(real(joints[0]).dot(real(joint))))
        || is_near_zero(lbs::blended_matrix(palette, joints, weights).matrix3.determinant())
        || is_near_zero(dqs::blended_stretch(palette, joints, weights, Stretch::ByStretch).matrix3.determinant())
}

fn agree(
    palette: &Palette,
    surface: &Skinned,
    fast: (Vec<Vec3>, Vec<Vec3>, usize),
    plain: &(Vec<Vec3>, Vec<Vec3>, usize),
) -> Result<(), TestCaseError> {
    let (positions, normals, done) = fast;
    let count = surface.positions.len();
    prop_assert_eq!(done, if surface.per_vertex <= MAX_SLOTS && count >= LANES { count } else { 0 });
    for vertex in (0..done).filter(|&v| !hangs_by_a_hair(palette, surface, v)) {
        prop_assert!(positions[vertex].distance(plain.0[vertex]) < 1e-5, "{} {}", positions[vertex], plain.0[vertex]);
        // After an almost singular matrix, short normals have few accurate digits.
        let is_short = surface.normals.get(vertex).is_some_and(|n| n.length() < 0.05);
        if !is_short && let (Some(a), Some(b)) = (normals.get(vertex), plain.1.get(vertex)) {
            prop_assert!(a.distance(*b) < 1e-3, "{a} {b}");
        }
    }
    prop_assert!(positions[done..].iter().all(|p| p.is_nan()), "the rest is left to the portable kernel");
    Ok(())
}

proptest! {
    #[test]
    fn linear_blending_agrees_with_the_portable_kernel(palette in any_palette(Scales::Apart), surface in any_surface()) {
        let plain = surface.by(&palette, |chunk| { lbs::skin_portably(&palette, chunk.rest(0)); 0 });
        if let Some(set) = Avx2::detect() {
            agree(&palette, &surface, surface.by(&palette, |chunk| set.linear_blend(chunk)), &plain)?;
        }
    }

    #[test]
    fn dual_quaternions_of_joints_that_scale_agree_with_the_portable_kernel(palette in any_palette(Scales::Apart), surface in any_surface()) {
        prop_assert_eq!(palette.scaling(), Scaling::NonUniform);
        for stretch in [Stretch::ByStretch, Stretch::AboutJoints, Stretch::Dropped] {
            let plain = surface.by(&palette, |chunk| { dqs::skin_portably(&palette, summing(stretch), chunk.rest(0)); 0 });
            if let Some(set) = Avx2::detect() {
                let fast = surface.by(&palette, |chunk| set.dual_quaternion(stretch, chunk));
                agree(&palette, &surface, fast, &plain)?;
            }
        }
    }

    #[test]
    fn dual_quaternions_of_joints_that_scale_without_stretching_agree_with_the_portable_kernel(palette in any_palette(Scales::ByJoint), surface in any_surface()) {
        prop_assert_eq!(palette.scaling(), Scaling::ByJoint);
        let plain = surface.by(&palette, |chunk| { dqs::skin_portably(&palette, summing(Stretch::ByScale), chunk.rest(0)); 0 });
        if let Some(set) = Avx2::detect() {
            let by = |stretch| surface.by(&palette, |chunk| set.dual_quaternion(stretch, chunk));
            let fast = by(Stretch::ByScale);
            agree(&palette, &surface, fast.clone(), &plain)?;
            agree(&palette, &surface, by(Stretch::ByStretch), &fast)?;
        }
    }

    #[test]
    fn dual_quaternions_of_one_scale_agree_with_the_portable_kernel(palette in prop_oneof![any_palette(Scales::Rigid),
        any_palette(Scales::Alike(0.01)), any_palette(Scales::Alike(-2.0))], surface in any_surface()) {
        let stretch = Stretch::new(ScaleHandling::TwoPhase, palette.scaling());
        prop_assert!(matches!(stretch, Stretch::Uniform(_)), "{stretch:?}");
        let plain = surface.by(&palette, |chunk| { dqs::skin_portably(&palette, summing(stretch), chunk.rest(0)); 0 });
        if let Some(set) = Avx2::detect() {
            let by = |stretch| surface.by(&palette, |chunk| set.dual_quaternion(stretch, chunk));
            let fast = by(stretch);
            agree(&palette, &surface, fast.clone(), &plain)?;
            agree(&palette, &surface, by(Stretch::ByScale), &fast)?;
            agree(&palette, &surface, by(Stretch::ByStretch), &fast)?;
        }
    }
}

#[test]
fn zero_directions_and_zero_weights_match_the_portable_kernel() {
    let turned = Affine3::from_rotation_translation(Quat::from_rotation_z(1.0), Vec3::X);
    let flat = Affine3::from_scale(Vec3::new(1.0, 0.0, 0.0));
    for matrix in [turned, flat] {
        let palette = Palette::from(vec![JointTransform::new(matrix, Vec3::ZERO); 2]);
        let stretch = Stretch::new(ScaleHandling::TwoPhase, palette.scaling());
        let surface = Skinned {
            joints: [1, 0].repeat(16),
            weights: vec![0.0; 32],
            positions: vec![Vec3::Y; 16],
            normals: [Vec3::ZERO, Vec3::Y, Vec3::NAN, Vec3::INFINITY, Vec3::X, Vec3::Z, -Vec3::Y, Vec3::MAX].repeat(2),
            per_vertex: 2,
        };
        let plain = surface.by(&palette, |chunk| {
            dqs::skin_portably(&palette, summing(stretch), chunk.rest(0));
            0
        });
        if let Some(set) = Avx2::detect() {
            let fast = surface.by(&palette, |chunk| set.dual_quaternion(stretch, chunk));
            for (a, b) in fast.1.iter().zip(&plain.1) {
                assert!(a.abs_diff_eq(*b, 1e-6), "{a} {b}");
            }
            let is_near = |(a, b): (&Vec3, &Vec3)| a.abs_diff_eq(*b, 1e-6);
            assert!(fast.0.iter().zip(&plain.0).all(is_near), "the pivot's motion is left");
        }
    }
}

#[test]
fn no_digits_are_lost_to_a_unit() {
    // A rig in centimetres under a node that converts to metres; joint scales differ slightly.
    let joint = |j: u16| {
        let number = f32::from(j);
        let (scale, turn) =
            (Vec3::new(1.0, 1.1, 0.9) * 0.01 * (1.0 + 0.1 * number), Quat::from_rotation_z(0.3 * number));
        let matrix = Affine3::from_scale_rotation_translation(scale, turn, Vec3::new(0.2, number, 0.1));
        JointTransform::new(matrix, Vec3::new(100.0 * number, 50.0, -30.0))
    };
    let palette = Palette::from((0..4).map(joint).collect::<Vec<_>>());
    let surface = Skinned {
        joints: [2, 0, 3, 1].repeat(16),
        weights: [0.4, 0.3, 0.2, 0.1].repeat(16),
        positions: (0..16_u8).map(|v| Vec3::new(f32::from(v) * 20.0, 170.0, -10.0)).collect(),
        normals: Vec::new(),
        per_vertex: 4,
    };
    let plain = surface.by(&palette, |chunk| {
        dqs::skin_portably(&palette, summing(Stretch::ByStretch), chunk.rest(0));
        0
    });
    if let Some(set) = Avx2::detect() {
        let fast = surface.by(&palette, |chunk| set.dual_quaternion(Stretch::ByStretch, chunk));
        let far = fast.0.iter().zip(&plain.0).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(far < 2e-6, "{far} m of about 4");
    }
}
