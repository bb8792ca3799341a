//! The CPU kernels beside a loop that only moves their bytes, and forward kinematics, in one run.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Affine3, Quat, Vec3};
use rigscope::rig::{Hierarchy, Influences, NodeDescription, Pose, Trs, forward_kinematics};
use rigscope::skinning::{JointTransform, Palette, dual_quaternion_skinning, linear_blend_skinning};

const JOINTS: u16 = 64;
const VERTICES: usize = 100_000;

fn palette() -> Palette {
    let joint = |j: u16| {
        let turn = Quat::from_axis_angle(Vec3::new(0.36, 0.48, 0.8), f32::from(j) * 0.1);
        let matrix = Affine3::from_rotation_translation(turn, Vec3::new(f32::from(j) * 0.01, 0.1, 0.0));
        JointTransform::new(matrix, Vec3::ZERO)
    };
    Palette { joints: (0..JOINTS).map(joint).collect() }
}

/// Four joints a vertex, scattered over the palette.
fn influences() -> Influences {
    let joint = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7) as u16 % JOINTS;
    Influences::new(4, (0..VERTICES * 4).map(joint).collect(), [0.4, 0.3, 0.2, 0.1].repeat(VERTICES))
}

/// Reads the 48 bytes of a vertex (position, normal, joints, weights) and writes its 24, as a kernel must.
fn move_bytes(influences: &Influences, positions: &[Vec3], normals: &[Vec3]) -> (Vec<Vec3>, Vec<Vec3>) {
    let vertices = positions.iter().zip(normals);
    let bound = influences.joints().chunks_exact(4).zip(influences.weights().chunks_exact(4));
    vertices
        .zip(bound)
        .map(|((&p, &n), (j, w))| {
            let joints: u16 = j.iter().fold(0, |a, &b| a ^ b);
            (p + Vec3::splat(w.iter().sum()), n + Vec3::splat(f32::from(joints)))
        })
        .unzip()
}

fn skinning(c: &mut Criterion) {
    let (palette, influences) = (palette(), influences());
    let positions: Vec<Vec3> = (0..VERTICES).map(|i| Vec3::new(i as f32 * 1e-5, 0.5, 0.25)).collect();
    let normals = vec![Vec3::Y; VERTICES];
    let mut group = c.benchmark_group("skinning, 64 joints, 4 influences");
    group.throughput(Throughput::Elements(VERTICES as u64));
    group.bench_function("floor: the same bytes", |b| {
        b.iter(|| move_bytes(black_box(&influences), &positions, &normals));
    });
    group.bench_function("LBS", |b| {
        b.iter(|| linear_blend_skinning(black_box(&palette), &influences, &positions, &normals));
    });
    group.bench_function("DQS", |b| {
        b.iter(|| dual_quaternion_skinning(black_box(&palette), &influences, &positions, &normals));
    });
    group.finish();
}

fn chain(joints: usize) -> Hierarchy {
    let node = |i: usize| NodeDescription {
        children: if i + 1 < joints { vec![i + 1] } else { Vec::new() },
        rest: Trs { translation: Vec3::Y * 0.1, ..Trs::IDENTITY },
        ..NodeDescription::default()
    };
    Hierarchy::new(&(0..joints).map(node).collect::<Vec<_>>()).unwrap_or_default()
}

fn kinematics(c: &mut Criterion) {
    let mut group = c.benchmark_group("forward kinematics");
    for joints in [64, 1000] {
        let hierarchy = chain(joints);
        let local: Vec<Affine3> = hierarchy.nodes().map(|n| *hierarchy.rest_local(n)).collect();
        let mut pose = Pose::rest(&hierarchy);
        for node in hierarchy.nodes() {
            pose.set_user_local(node, Trs::from_rotation(Quat::from_rotation_x(0.1)));
        }
        group.throughput(Throughput::Elements(joints as u64));
        group.bench_function(format!("chain of {joints}"), |b| {
            b.iter(|| forward_kinematics(black_box(&hierarchy), &local, &pose));
        });
    }
    group.finish();
}

criterion_group!(benches, skinning, kinematics);
criterion_main!(benches);
