//! The work of the processor during a drag depends on the number of joints, but not on the number of vertices that the
//! graphics card skins. `benches/posing.rs` measures the time.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common::allocations;
use crate::tube;

use allocations::allocated;
use glam::Quat;
use rigscope::rig::{Hierarchy, NodeDescription, NodeIndex, PosedJoint, Rig, RigData, Trs};
use rigscope::stage::{BuiltIn, Document, Session, Source};
use rigscope::state::{AfterLoad, AppState, Command, JobResult, Settings};

/// Returns the number of bytes that a mouse move allocates during a drag.
fn bytes_of_a_move(sides: usize) -> u64 {
    let document = Document::new(Source::BuiltIn(BuiltIn::Tube), tube::build_tube(sides, 1000, 200), Vec::new());
    let mut state = AppState::new(document, Settings::default());
    state.apply(Command::BeginEdit);
    let mut turned = |i: u8| {
        let user_local = Trs::from_rotation(Quat::from_rotation_x(0.01 * f32::from(i)));
        state.apply(Command::EditMany(vec![PosedJoint { node: NodeIndex(100), user_local }]));
        state.open.stage.refresh();
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

/// Creates a chain of joints with the same name, so that files must identify them by more than the name.
fn namesakes(joints: usize) -> Document {
    let node = |joint: usize| {
        NodeDescription::new("joint", if joint + 1 < joints { vec![joint + 1] } else { Vec::new() }, Trs::IDENTITY)
    };
    let hierarchy = Hierarchy::new(&(0..joints).map(node).collect::<Vec<_>>()).unwrap();
    let rig = Rig::new(RigData { hierarchy, ..RigData::default() });
    Document::new(Source::BuiltIn(BuiltIn::Tube), rig, Vec::new())
}

/// Returns the number of bytes allocated to write the session of a chain with all joints rotated, and to restore the
/// session.
fn bytes_of_a_session(joints: usize) -> u64 {
    let mut state = AppState::new(namesakes(joints), Settings::default());
    let user_local = Trs::from_rotation(Quat::from_rotation_x(0.5));
    let turned = state.open.stage.rig().hierarchy.nodes().map(|node| PosedJoint { node, user_local }).collect();
    state.apply(Command::EditMany(turned));
    let (json, to_write) = allocated(|| state.open.snapshot().session().to_json());
    let session = Box::new(Session::parse(json.as_bytes()).unwrap());
    let mut again = AppState::new(namesakes(joints), Settings::default());
    let document = Box::new(again.open.stage.document.clone());
    let ((), to_read) = allocated(|| _ = again.receive(JobResult::Document(document, AfterLoad::Restore(session))));
    assert!(again.open.stage.pose() == state.open.stage.pose(), "each joint by its own name");
    to_write + to_read
}

#[test]
fn a_session_costs_what_its_joints_ask_for_though_all_have_one_name() {
    let (few, many) = (bytes_of_a_session(1000), bytes_of_a_session(10_000));
    assert!(many < 15 * few, "a session of 1,000 joints allocates {few} bytes, one of 10,000 {many}");
}
