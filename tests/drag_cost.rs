//! A drag costs the processor what the joints ask for, however many vertices the graphics card moves. `benches/posing.rs` tells the time.

#[path = "common/allocations.rs"]
mod allocations;
#[path = "../benches/common/tube.rs"]
mod tube;

use allocations::allocated;
use glam::Quat;
use rigscope::rig::{NodeIndex, PosedJoint, Trs};
use rigscope::state::{AppState, BuiltIn, Command, Document, Settings, Source};

/// Bytes that a move of the mouse allocates, once the drag is under way.
fn bytes_of_a_move(sides: usize) -> u64 {
    let document = Document::new(Source::BuiltIn(BuiltIn::Tube), tube::tube_of(sides, 1000, 200), Vec::new());
    let mut state = AppState::new(document, Settings::default());
    state.apply(Command::BeginEdit);
    let mut turned = |i: u8| {
        let user_local = Trs::from_rotation(Quat::from_rotation_x(0.01 * f32::from(i)));
        state.apply(Command::EditMany(vec![PosedJoint { node: NodeIndex(100), user_local }]));
        state.refresh();
    };
    (1..=3).for_each(&mut turned);
    allocated(|| turned(4)).1
}

#[test]
fn a_drag_does_not_look_at_vertices() {
    let (few, many) = (bytes_of_a_move(3), bytes_of_a_move(100));
    assert!(few > 0, "the count sees a move");
    assert!(many <= few + few / 10, "a move allocates {few} bytes with 3,000 vertices, {many} with 100,000");
}
