//! Times the CPU kernels against simpler loops, and prints a table of ratios.

#[path = "../common/mod.rs"]
mod common;
mod rivals;

use std::hint::black_box;

use common::{Contestant, shortest};
use criterion::{Criterion, Throughput, criterion_group};
use glam::{Affine3, Quat, Vec3};
use rayon::{ThreadPool, ThreadPoolBuilder};
use rigscope::rig::Influences;
use rigscope::skinning::{Deformed, JointTransform, Method, Palette, Surface, skin_into};
use rivals::{PlainDual, PlainLinear, move_bytes};

const JOINTS: u16 = 64;

/// A surface with four random influences per vertex.
struct Scene {
    palette: Palette,
    influences: Influences,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Scene {
    /// `scale` returns a joint's scale for its index.
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
            palette: Palette::from(joints).with_bones(bones),
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

    fn floor(&self) -> Contestant<'_> {
        let mut out = self.target();
        Contestant::new("a loop that only moves the bytes", move || {
            move_bytes(black_box(&self.influences), &self.positions, &self.normals, &mut out);
        })
    }

    /// Returns the floor, plain LBS, LBS, plain DQS and DQS.
    fn contestants(&self) -> [Contestant<'_>; 5] {
        let (linear, dual) = (PlainLinear::new(&self.palette), PlainDual::new(&self.palette));
        let [mut b, mut c, mut d, mut e] = [(); 4].map(|()| self.target());
        let Self { influences, positions, normals, .. } = self;
        [
            self.floor(),
            Contestant::new("LBS by plain glam", move || {
                linear.skin(black_box(influences), positions, normals, &mut b);
            }),
            Contestant::new("LBS", move || self.skin(Method::Lbs, &mut c)),
            Contestant::new("DQS by plain glam", move || dual.skin(black_box(influences), positions, normals, &mut d)),
            Contestant::new("DQS", move || self.skin(Method::Dqs, &mut e)),
        ]
    }
}

/// Returns a uniform scale that differs per joint.
fn scales(joint: u16) -> Vec3 {
    Vec3::splat(1.0 + f32::from(joint) * 0.01)
}

/// Returns a non-uniform scale that differs per joint.
fn stretches(joint: u16) -> Vec3 {
    Vec3::new(1.1, 1.0, 0.9) * scales(joint)
}

fn threads(count: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(count).build().expect("threads can be started")
}

fn skinning(c: &mut Criterion) {
    let single = threads(1);
    for (label, vertices) in [("100 thousand", 100_000), ("1 million", 1_000_000)] {
        let scene = Scene::new(vertices, |_| Vec3::ONE);
        let centimetres = Scene::new(vertices, |_| Vec3::splat(0.01));
        let (scaled, stretched) = (Scene::new(vertices, scales), Scene::new(vertices, stretches));
        let mut group = c.benchmark_group(format!("{label} vertices, 64 joints, 4 influences"));
        group.throughput(Throughput::Elements(vertices as u64)).sample_size(20);
        for mut contestant in scene.contestants() {
            group.bench_function(contestant.name, |b| single.install(|| b.iter(&mut contestant.run)));
        }
        let scenes = [
            ("DQS, all joints of one scale", &centimetres),
            ("DQS, each joint its own scale", &scaled),
            ("DQS, each joint its own stretch", &stretched),
        ];
        for (name, scene) in scenes {
            let mut out = scene.target();
            group.bench_function(name, |b| single.install(|| b.iter(|| scene.skin(Method::Dqs, &mut out))));
        }
        group.finish();
    }
}

/// Compares the kernels on one thread, for each size.
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

/// Compares joints with different scales and stretches.
fn scale_ratios() {
    common::head("100 thousand vertices, 64 joints, 4 influences, positions and normals, 1 thread: scale");
    let (scaled, stretched) = (Scene::new(100_000, scales), Scene::new(100_000, stretches));
    let [mut a, mut b, mut c] = [(); 3].map(|()| stretched.target());
    let mut contestants = [
        stretched.floor(),
        Contestant::new("LBS", || stretched.skin(Method::Lbs, &mut a)),
        Contestant::new("DQS, each joint its own scale", || scaled.skin(Method::Dqs, &mut b)),
        Contestant::new("DQS, each joint its own stretch", || stretched.skin(Method::Dqs, &mut c)),
    ];
    let times = threads(1).install(|| shortest(300, &mut contestants));
    let &[floor, linear, scaled, stretched] = times.as_slice() else { return };
    common::line("DQS, each joint its own scale", "LBS", [scaled, linear], 1.9);
    common::line("DQS, each joint its own stretch", "LBS", [stretched, linear], None);
    common::line("DQS, each joint its own stretch", "a loop that only moves the bytes", [stretched, floor], None);
}

/// Compares the methods that fix artefacts of LBS and DQS, on one thread.
fn cure_ratios() {
    common::head("100 thousand vertices, 64 joints, 4 influences, positions and normals, 1 thread: other methods");
    let scene = Scene::new(100_000, |_| Vec3::ONE);
    let methods = [Method::Lbs, Method::Blend(0.5), Method::Cor, Method::DqsCompensated, Method::Sclerp];
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

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1));
    targets = skinning
}

fn main() {
    benches();
    Criterion::default().configure_from_args().final_summary();
    // Skips the tables under `cargo test`, which only checks that benches run.
    if std::env::args().any(|a| a == "--bench") {
        skinning_ratios();
        scale_ratios();
        cure_ratios();
        thread_ratios();
    }
}
