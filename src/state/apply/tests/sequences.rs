//! Tests random sequences of commands: nothing panics, undo restores the start, and a session restores the state.

use proptest::prelude::*;

use super::*;

fn command(number: usize, state: &mut AppState) -> Command {
    match SAMPLES.get(number) {
        Some((_, sample)) => sample(state),
        None => Command::Do(ACTIONS[number - SAMPLES.len()].action),
    }
}

fn is_posed_alike(one: &AppState, other: &AppState) -> bool {
    let worlds = [one, other].map(|state| state.open.stage.actor(Side::A).pose.posed.world_from_node.iter());
    let [ones, others] = worlds;
    ones.zip(others).all(|(one, other)| one.abs_diff_eq(*other, 1e-3))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_is_undone_to_the_start_done_again_and_kept_by_a_session(
        numbers in prop::collection::vec(0..SAMPLES.len() + ACTIONS.len(), 1..24),
    ) {
        let mut state = state();
        let mut told = Vec::new();
        for number in numbers {
            let command = command(number, &mut state);
            told.push(format!("{command:?}"));
            state.apply(command);
            state.open.stage.refresh();
        }
        // Ends any drag.
        state.apply(Command::EndEdit);
        while state.open.history.done() < state.open.history.len() {
            state.apply(Command::Do(Action::Redo));
        }
        state.open.stage.refresh();
        let end = choices(&state);
        let mut again = again(&state);
        again.open.stage.refresh();
        prop_assert!(is_same(&choices(&again), &end), "a session is something else after {told:#?}");
        prop_assert!(is_posed_alike(&again, &state), "a session is posed otherwise after {told:#?}");

        while state.open.history.done() > 0 {
            state.apply(Command::Do(Action::Undo));
        }
        let start = AppState::new(document(), Settings::default());
        prop_assert_eq!(choices(&state), choices(&start), "not undone: {:#?}", told);
        while state.open.history.done() < state.open.history.len() {
            state.apply(Command::Do(Action::Redo));
        }
        prop_assert_eq!(choices(&state), end, "not done again: {:#?}", told);
    }
}
