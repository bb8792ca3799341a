//! Times all weighting methods on the built-in figure and on a tube with a million vertices. Copying the input and
//! output gives a lower bound.

#[path = "common/tube.rs"]
mod tube;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::rig::Rig;
use rigscope::stage::BuiltIn;
use rigscope::weights::{Body, Recipe, Weighting, compute, leak};

fn methods(criterion: &mut Criterion, name: &str, rig: &Rig) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    group.bench_function("copy of positions, triangles and weights", |b| {
        b.iter(|| {
            let parts = rig.primitives().map(|(_, p)| (p.positions.clone(), p.indices.clone(), p.influences.clone()));
            black_box(parts.collect::<Vec<_>>())
        });
    });
    for weighting in Weighting::ALL {
        let recipe = Recipe { weighting, ..Recipe::default() };
        group.bench_function(weighting.spec().name, |b| {
            b.iter(|| compute(black_box(rig), &recipe, &Progress::default()));
        });
    }
    let bodies = Body::from_rig(rig, |_| false);
    let shares: Vec<_> = bodies.iter().map(|body| (body, body.shares(rig))).collect();
    group.bench_function("leak of the file's weights", |b| {
        b.iter(|| shares.iter().map(|(body, own)| leak(body, own, None, &Progress::default())).collect::<Vec<_>>());
    });
    group.finish();
}

fn weighting(criterion: &mut Criterion) {
    let figure = import_bytes(BuiltIn::Figure.bytes(), &Job::default()).expect("the figure opens").rig;
    methods(criterion, "weights of the figure", &figure);
    methods(criterion, "weights of a million vertices", &tube::tube(1000));
}

criterion_group!(benches, weighting);
criterion_main!(benches);
