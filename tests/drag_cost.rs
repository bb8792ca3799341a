//! A drag costs the processor what the joints ask for, however many vertices the graphics card moves.

#[path = "../benches/common/tube.rs"]
mod tube;

use std::time::{Duration, Instant};

use glam::Quat;
use rigscope::rig::{NodeIndex, Trs};
use rigscope::state::{AppState, BuiltIn, Command, Document, Settings, Source};

/// The shortest time that a move of the mouse takes, of many.
fn move_time(sides: usize) -> Duration {
    let document = Document::new(Source::BuiltIn(BuiltIn::Tube), tube::tube_of(sides, 1000, 200), Vec::new());
    let mut state = AppState::new(document, Settings::default());
    state.apply(Command::BeginEdit);
    let mut turned = |i: u8| {
        let start = Instant::now();
        let user_local = Trs::from_rotation(Quat::from_rotation_x(0.01 * f32::from(i)));
        state.apply(Command::EditMany(vec![(NodeIndex(100), user_local)]));
        state.refresh();
        start.elapsed()
    };
    (1..=50).map(&mut turned).min().unwrap_or_default()
}

#[test]
fn a_drag_does_not_look_at_vertices() {
    let (few, many) = (move_time(3), move_time(100));
    let ratio = many.as_secs_f64() / few.as_secs_f64();
    assert!(ratio < 3.0, "with 100,000 vertices a move takes {ratio:.1} times what it takes with 3,000");
}
