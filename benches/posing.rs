//! Processor time of one mouse move during a drag, compared with the time available per frame.

mod common;
#[path = "common/tube.rs"]
mod tube;

use std::time::Duration;

use common::{Contestant, head, line, shortest};
use glam::{Quat, Vec3};
use rigscope::rig::{NodeIndex, PosedJoint, Rig, Trs};
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{AppState, Command, PosingOptions, Settings};

/// Time available for everything except drawing, in a frame of 16.7 ms.
const BUDGET: Duration = Duration::from_millis(2);

/// Returns the state in the middle of a drag.
fn dragged(rig: Rig, posing: PosingOptions) -> AppState {
    let document = Document::new(Source::BuiltIn(BuiltIn::Tube), rig, Vec::new());
    let mut state = AppState::new(document, Settings { posing, ..Settings::default() });
    state.apply(Command::BeginEdit);
    state
}

fn turn(state: &mut AppState, angle: f32) {
    let user_local = Trs::from_rotation(Quat::from_rotation_x(angle));
    state.apply(Command::EditMany(vec![PosedJoint { node: NodeIndex(100), user_local }]));
    state.open.stage.refresh();
}

fn pull(state: &mut AppState, by: f32) {
    state.apply(Command::Pull { node: NodeIndex(100), target: Vec3::new(99.0, by.sin(), by.cos()) });
    state.open.stage.refresh();
}

fn main() {
    let mut one = dragged(tube::build_tube(100, 1000, 200), PosingOptions::default());
    let mut chain =
        dragged(tube::build_tube(100, 1000, 200), PosingOptions { chain_bones: 8, ..PosingOptions::default() });
    let mut many = dragged(tube::build_tube(10, 10_000, 10_000), PosingOptions::default());
    let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
    let mut moves = [
        Contestant::new("a joint of 200 turns", || {
            a += 0.01;
            turn(&mut one, a);
        }),
        Contestant::new("IK pulls 8 bones of 200", || {
            b += 0.01;
            pull(&mut chain, b);
        }),
        Contestant::new("a joint of 10,000 turns", || {
            c += 0.01;
            turn(&mut many, c);
        }),
    ];
    let times = shortest(200, &mut moves);
    head("A move of the mouse in a drag, 100,000 vertices: edit, forward kinematics, palettes");
    for (of, time) in moves.iter().zip(times) {
        line(of.name, "2 ms of a frame", [time, BUDGET], 1.0);
    }
}
