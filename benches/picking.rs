//! Times a click on a tube with a million vertices, two million triangles and 64 joints: in a new pose, and again in the same pose.

#[path = "common/tube.rs"]
mod tube;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{Quat, Vec3};
use rigscope::rig::{NodeIndex, Trs};
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{AppState, Command, Settings};
use rigscope::view::{Ray, Side};

fn picking(criterion: &mut Criterion) {
    let document = Document::new(Source::BuiltIn(BuiltIn::Tube), tube::tube(1000), Vec::new());
    let mut state = AppState::new(document, Settings::default());
    let ray = Ray { origin: Vec3::new(20.0, 9.0, 0.1), direction: Vec3::NEG_Y };
    let mut click = |angle: Option<f32>| {
        if let Some(angle) = angle {
            let user_local = Trs::from_rotation(Quat::from_rotation_x(angle));
            state.apply(Command::Edit { node: NodeIndex(40), user_local });
            state.open.stage.refresh();
        }
        state.apply(Command::PickSkin { side: Side::A, ray, adds: false });
        assert!(state.open.stage.view.active_joint().is_some(), "the ray meets the tube");
    };
    let mut angle = 0.0;
    criterion.bench_function("click on a skin posed anew", |bencher| {
        bencher.iter(|| {
            angle += 0.01;
            click(Some(angle));
        });
    });
    criterion.bench_function("click again in the same pose", |bencher| bencher.iter(|| click(None)));
}

criterion_group!(benches, picking);
criterion_main!(benches);
