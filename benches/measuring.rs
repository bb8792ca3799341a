//! Times live measurements, the twist test on a tube with 100,000 vertices, and the ranking of the built-in figure's joints.

#[path = "common/tube.rs"]
mod tube;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::Quat;
use rigscope::analysis::sides::SideMeasurer;
use rigscope::analysis::twist::{TestRange, rank};
use rigscope::analysis::{Topology, field};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::posing::Limits;
use rigscope::rig::{NodeIndex, Pose, Trs, evaluate};
use rigscope::skinning::{Method, Skinner, Skinning};
use rigscope::stage::{BuiltIn, Document, MeasurePlan, Source};
use rigscope::state::{AppState, Command, Settings};
use rigscope::view::{Overlay, PerSide};

/// Times deforming and measuring both sides in a new pose, without and with overlays.
fn live(criterion: &mut Criterion) {
    let document = Document::new(Source::BuiltIn(BuiltIn::Tube), tube::tube(100), Vec::new());
    let mut state = AppState::new(document, Settings::default());
    let user_local = Trs::from_rotation(Quat::from_rotation_x(2.0));
    state.apply(Command::Edit { node: NodeIndex(40), user_local });
    state.open.stage.refresh();
    let skinners = PerSide::from(Method::ALL)
        .map(|m| Arc::new(Skinner::new(state.open.stage.rig(), &Skinning::new(m)).expect("it suits")));
    let mut measurer = SideMeasurer::default();
    let mut group = criterion.benchmark_group("measure 100,000 vertices");
    let overlays =
        [None, Some([Overlay::Distance, Overlay::Determinant]), Some([Overlay::NormalDeviation, Overlay::AreaStretch])];
    for overlays in overlays {
        let mut job = MeasurePlan::new(&state.open.stage).job(skinners.clone(), 0);
        for (side, overlay) in job.sides.iter_mut().zip(overlays.into_iter().flatten()) {
            side.overlay = Some(overlay);
        }
        let name = overlays.map_or_else(|| "numbers alone".to_owned(), |o| o.map(Overlay::title).join(" and "));
        group.bench_function(name, |b| b.iter(|| measurer.measure(black_box(&job), &Progress::default())));
    }
    group.bench_function("determinants alone", |b| {
        b.iter(|| field::determinant(state.open.stage.rig(), &state.open.stage.characters.pose().palettes));
    });
    group.finish();
}

fn ranks(criterion: &mut Criterion) {
    let rig = import_bytes(BuiltIn::Figure.bytes(), &Job::default()).expect("the figure opens").rig;
    let pose = Pose::rest(&rig.hierarchy);
    let posed = evaluate(&rig, None, &pose);
    let mut group = criterion.benchmark_group("rank");
    group.sample_size(10);
    let run = || {
        rank(&rig, &Topology::new(&rig), (&posed, &pose), (TestRange::Full, &Limits::default()), &Progress::default())
    };
    group.bench_function("all joints of the figure", |b| b.iter(run));
    group.finish();
}

criterion_group!(benches, live, ranks);
criterion_main!(benches);
