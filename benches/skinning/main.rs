//! The CPU kernels and forward kinematics beside what they are measured against, and a table of the ratios.

#[path = "../common/mod.rs"]
mod common;
mod rivals;

use std::hint::black_box;

use common::{Contestant, shortest};
use criterion::{Criterion, Throughput, criterion_group};
use glam::{Affine3, Affine3A, Mat4, Quat, Vec3};
use rayon::{ThreadPool, ThreadPoolBuilder};
use rigscope::rig::{Hierarchy, Influences, NodeDescription, Pose, Trs, forward_kinematics_into};
use rigscope::skinning::{Deformed, JointTransform, Method, Palette, Surface, skin_into};
use rivals::{PlainDual, PlainLinear, move_bytes, padded_kinematics, plain_kinematics};

const JOINTS: u16 = 64;

/// A surface of scattered influences, four a vertex, and where its skinned form goes.
struct Scene {
    palette: Palette,
    influences: Influences,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Scene {
    /// `scale` of a joint by its number.
    fn new(vertices: usize, scale: impl Fn(u16) -> Vec3) -> Self {
        let joint = |j: u16| {
            let turn = Quat::from_axis_angle(Vec3::new(0.36, 0.48, 0.8), f32::from(j) * 0.1);
            let at = Vec3::new(f32::from(j) * 0.01, 0.1, 0.0);
            JointTransform::new(Affine3::from_scale_rotation_translation(scale(j), turn, at), Vec3::X * 0.1)
        };
        let scattered = |i: usize| (i.wrapping_mul(2_654_435_761) >> 7) as u16 % JOINTS;
        let joints: Vec<_> = (0..JOINTS).map(joint).collect();
        let bones = joints.iter().map(|j| [Vec3::ZERO, Vec3::X].map(|end| j.matrix.transform_point3(end))).collect();
        Self {
            palette: Palette { joints, bones },
            influences: Influences::new(
                4,
                (0..vertices * 4).map(scattered).collect(),
                [0.4, 0.3, 0.2, 0.1].repeat(vertices),
            ),
            positions: (0..vertices).map(|i| Vec3::new(i as f32 * 1e-5, 0.5, 0.25)).collect(),
            normals: vec![Vec3::Y; vertices],
        }
    }

    fn target(&self) -> Deformed {
        let zeros = || vec![Vec3::ZERO; self.positions.len()];
        Deformed { positions: zeros(), normals: Some(zeros()), tangents: None }
    }

    fn skin(&self, method: Method, out: &mut Deformed) {
        let surface = Surface { positions: &self.positions, normals: Some(&self.normals), tangents: None };
        skin_into(method, black_box(&self.palette), &self.influences, surface, out);
    }

    /// Floor, plain LBS, LBS, plain DQS, DQS.
    fn contestants(&self) -> [Contestant<'_>; 5] {
        let (linear, dual) = (PlainLinear::new(&self.palette), PlainDual::new(&self.palette));
        let [mut a, mut b, mut c, mut d, mut e] = [(); 5].map(|()| self.target());
        let Self { influences, positions, normals, .. } = self;
        [
            Contestant::new("a loop that only moves the bytes", move || {
                move_bytes(black_box(influences), positions, normals, &mut a);
            }),
            Contestant::new("LBS by plain glam", move || {
                linear.skin(black_box(influences), positions, normals, &mut b);
            }),
            Contestant::new("LBS", move || self.skin(Method::Lbs, &mut c)),
            Contestant::new("DQS by plain glam", move || dual.skin(black_box(influences), positions, normals, &mut d)),
            Contestant::new("DQS", move || self.skin(Method::Dqs, &mut e)),
        ]
    }
}

fn threads(count: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(count).build().expect("threads can be started")
}

fn skinning(c: &mut Criterion) {
    let single = threads(1);
    for (label, vertices) in [("100 thousand", 100_000), ("1 million", 1_000_000)] {
        let scene = Scene::new(vertices, |_| Vec3::ONE);
        let centimetres = Scene::new(vertices, |_| Vec3::splat(0.01));
        let stretched = Scene::new(vertices, |j| Vec3::new(1.1, 1.0, 0.9) * (1.0 + f32::from(j) * 0.01));
        let mut group = c.benchmark_group(format!("{label} vertices, 64 joints, 4 influences"));
        group.throughput(Throughput::Elements(vertices as u64)).sample_size(20);
        for mut contestant in scene.contestants() {
            group.bench_function(contestant.name, |b| single.install(|| b.iter(&mut contestant.run)));
        }
        for (name, scene) in [("DQS, all joints of one scale", &centimetres), ("DQS in two phases", &stretched)] {
            let mut out = scene.target();
            group.bench_function(name, |b| single.install(|| b.iter(|| scene.skin(Method::Dqs, &mut out))));
        }
        group.finish();
    }
}

/// A chain in which every joint is turned.
struct Chain {
    hierarchy: Hierarchy,
    local: Vec<Affine3>,
    pose: Pose,
}

impl Chain {
    fn new(joints: usize) -> Self {
        let node = |i: usize| NodeDescription {
            children: if i + 1 < joints { vec![i + 1] } else { Vec::new() },
            rest: Trs { translation: Vec3::Y * 0.1, rotation: Quat::from_rotation_z(0.02), ..Trs::IDENTITY },
            ..NodeDescription::default()
        };
        let hierarchy = Hierarchy::new(&(0..joints).map(node).collect::<Vec<_>>()).expect("a chain is a tree");
        let local = hierarchy.nodes().map(|n| *hierarchy.rest_local(n)).collect();
        let mut pose = Pose::rest(&hierarchy);
        for node in hierarchy.nodes() {
            pose.set_user_local(node, Trs::from_rotation(Quat::from_rotation_x(0.1)));
        }
        Self { hierarchy, local, pose }
    }

    /// Plain glam with `Mat4`, with `Affine3A`, ours; each many times over, since one pass is shorter than a clock can tell.
    fn contestants(&self, repeat: usize) -> [Contestant<'_>; 3] {
        let mat4s: Vec<Mat4> = self.local.iter().map(|a| Mat4::from(*a)).collect();
        let affine3as: Vec<Affine3A> = self.local.iter().map(|a| Affine3A::from(*a)).collect();
        let mut mat4_world = vec![Mat4::IDENTITY; mat4s.len()];
        let mut affine3a_world = vec![Affine3A::IDENTITY; mat4s.len()];
        let mut world = vec![Affine3::IDENTITY; mat4s.len()];
        let Self { hierarchy, local, pose } = self;
        [
            Contestant::new("kinematics by plain glam, Mat4", move || {
                for _ in 0..repeat {
                    plain_kinematics(black_box(hierarchy), &mat4s, pose, &mut mat4_world);
                    black_box(&mat4_world);
                }
            }),
            Contestant::new("kinematics by plain glam, Affine3A", move || {
                for _ in 0..repeat {
                    padded_kinematics(black_box(hierarchy), &affine3as, pose, &mut affine3a_world);
                    black_box(&affine3a_world);
                }
            }),
            Contestant::new("forward kinematics", move || {
                for _ in 0..repeat {
                    forward_kinematics_into(black_box(hierarchy), local, pose, &mut world);
                    black_box(&world);
                }
            }),
        ]
    }
}

fn kinematics(c: &mut Criterion) {
    let mut group = c.benchmark_group("forward kinematics");
    for joints in [64, 1000] {
        let chain = Chain::new(joints);
        group.throughput(Throughput::Elements(joints as u64)).sample_size(20);
        for mut contestant in chain.contestants(1) {
            group.bench_function(format!("{}, chain of {joints}", contestant.name), |b| b.iter(&mut contestant.run));
        }
    }
    group.finish();
}

/// Skinning on one thread, at each size.
fn skinning_ratios() {
    let single = threads(1);
    for (title, vertices, rounds) in [("100 thousand vertices", 100_000, 300), ("1 million vertices", 1_000_000, 40)] {
        common::head(&format!("{title}, 64 joints, 4 influences, positions and normals, 1 thread"));
        let scene = Scene::new(vertices, |_| Vec3::ONE);
        let mut contestants = scene.contestants();
        let times = single.install(|| shortest(rounds, &mut contestants));
        let &[floor, plain_linear, linear, plain_dual, dual] = times.as_slice() else { return };
        common::line("LBS", "a loop that only moves the bytes", [linear, floor], 1.25);
        common::line("LBS", "plain glam, Affine3A", [linear, plain_linear], 0.85);
        common::line("DQS", "LBS", [dual, linear], 2.2);
        common::line("DQS", "plain glam", [dual, plain_dual], 0.6);
    }
}

/// What the cures cost, on one thread.
fn cure_ratios() {
    common::head("100 thousand vertices, 64 joints, 4 influences, positions and normals, 1 thread: other methods");
    let scene = Scene::new(100_000, |_| Vec3::ONE);
    let methods = [Method::Lbs, Method::Blend(0.5), Method::Cor, Method::DqsBulge, Method::Sclerp];
    let mut contestants = methods.map(|method| {
        let (scene, mut out) = (&scene, scene.target());
        Contestant::new(method.label(), move || scene.skin(method, &mut out))
    });
    let times = threads(1).install(|| shortest(20, &mut contestants));
    for (method, time) in methods.iter().zip(&times).skip(1) {
        common::line(method.label(), "LBS", [*time, times[0]], None);
    }
}

fn thread_ratios() {
    common::head("1 million vertices, threads");
    let scene = Scene::new(1_000_000, |_| Vec3::ONE);
    let (single, pair) = (threads(1), threads(2));
    for (method, name) in [(Method::Lbs, "LBS, 2 threads"), (Method::Dqs, "DQS, 2 threads")] {
        let (mut a, mut b) = (scene.target(), scene.target());
        let mut contestants = [
            Contestant::new("1 thread", || single.install(|| scene.skin(method, &mut a))),
            Contestant::new("2 threads", || pair.install(|| scene.skin(method, &mut b))),
        ];
        let times = shortest(40, &mut contestants);
        common::line(name, "1 thread", [times[1], times[0]], 0.65);
    }
}

fn kinematics_ratios() {
    common::head("Forward kinematics of a chain, every joint turned");
    let (short, long) = (Chain::new(64), Chain::new(1000));
    let mut contestants: Vec<_> = short.contestants(1000).into_iter().chain(long.contestants(64)).collect();
    let times = shortest(100, &mut contestants);
    let &[mat4, affine3a, ours, _, long_affine3a, long_ours] = times.as_slice() else { return };
    common::line("64 joints", "plain glam, Mat4", [ours, mat4], 0.8);
    common::line("a joint of 1,000", "a joint of 64", [long_ours, ours], 1.2);
    common::line(
        "a joint of 1,000, glam's Affine3A",
        "a joint of 64, glam's Affine3A",
        [long_affine3a, affine3a],
        None,
    );
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = skinning, kinematics
}

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
    // Not where the benches are only tried, as `cargo test` does.
    if std::env::args().any(|a| a == "--bench") {
        skinning_ratios();
        cure_ratios();
        thread_ratios();
        kinematics_ratios();
    }
}
