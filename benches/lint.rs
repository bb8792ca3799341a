//! Times lint on a tube with a million vertices, two million triangles and 64 joints.

#[path = "common/tube.rs"]
mod tube;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rigscope::analysis::lint::lint;
use rigscope::jobs::Progress;

fn million_vertices(c: &mut Criterion) {
    let rig = tube::tube(1000);
    let mut group = c.benchmark_group("lint");
    group.throughput(Throughput::Elements(rig.vertex_count() as u64));
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    group.bench_function("a million vertices", |b| b.iter(|| lint(black_box(&rig), &Progress::default())));
    group.finish();
}

criterion_group!(benches, million_vertices);
criterion_main!(benches);
