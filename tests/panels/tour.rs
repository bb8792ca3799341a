//! The guided tour: every step shows what its text describes, and leaving the tour restores the previous state.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use glam::Quat;
use rigscope::analysis::measure::VertexLocation;
use rigscope::import::Job;
use rigscope::rig::Trs;
use rigscope::skinning::{Method, Skinning};
use rigscope::stage::{BuiltIn, CurrentRequest, DerivedKind, DiagnosisPlan, Document, RequestState, Source};
use rigscope::state::{Action, AfterLoad, AppState, Command, JobResult, Request, STEPS, Settings};
use rigscope::view::{Layout, Overlay, PerSide, Side};

fn document(built_in: BuiltIn) -> Document {
    Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap()
}

/// Applies a command, and opens the character that it requests.
fn apply(state: &mut AppState, command: Command) -> Option<Request> {
    match state.apply(command) {
        Some(Request::Load { source: Source::BuiltIn(character), then, .. }) => {
            state.receive(JobResult::Document(Box::new(document(character)), then))
        }
        other => other,
    }
}

/// Returns the built-in figure in the middle of a work session.
fn busy() -> AppState {
    let mut state = AppState::new(document(BuiltIn::Figure), Settings::default());
    let arm = state.open.stage.rig().hierarchy.nodes().nth(11).unwrap();
    state.apply(Command::Select(Some(arm)));
    let user_local = Trs { rotation: Quat::from_rotation_x(0.7), ..Trs::IDENTITY };
    state.apply(Command::Edit { node: arm, user_local });
    state.apply(Command::Do(Action::TogglePin));
    state.apply(Command::SetClip(Some(1)));
    state.apply(Command::Seek(0.25));
    state.apply(Command::Do(Action::LayoutGhost));
    state.apply(Command::SetSkinning(Side::B, Skinning::new(Method::Blend(0.3))));
    state.apply(Command::SetMethod(Method::Dqs));
    state.apply(Command::Orbit { yaw: 0.3, pitch: 0.1 });
    state.open.stage.probes.places.push(VertexLocation { instance: 0, primitive: 0, vertex: 77 });
    state
}

#[test]
fn leaving_the_tour_at_any_step_gives_everything_back() {
    for last in 0..STEPS.len() {
        let mut state = busy();
        let before = (
            state.open.snapshot().session().to_json(),
            state.open.stage.view.clone(),
            state.open.stage.playback.clone(),
        );
        let (rig, probes) = (std::sync::Arc::clone(state.open.stage.rig()), state.open.stage.probes.clone());
        apply(&mut state, Command::Do(Action::StartTour));
        for step in 0..=last {
            apply(&mut state, Command::GoToTourStep(step));
            // Tries out things, as a user would during the tour.
            state.apply(Command::Do(Action::NextMethod));
            state.apply(Command::Do(Action::ToggleGrid));
            state.apply(Command::Orbit { yaw: 1.0, pitch: 0.0 });
            let joint = state.open.stage.rig().hierarchy.nodes().nth(1).unwrap();
            state.apply(Command::Edit { node: joint, user_local: Trs::from_rotation(Quat::from_rotation_y(1.0)) });
        }
        assert_eq!(apply(&mut state, Command::Do(Action::LeaveTour)), None);
        assert!(state.tour.is_none() && std::sync::Arc::ptr_eq(state.open.stage.rig(), &rig));
        assert_eq!(
            (
                state.open.snapshot().session().to_json(),
                state.open.stage.view.clone(),
                state.open.stage.playback.clone()
            ),
            before
        );
        assert_eq!((state.settings.method, state.open.stage.document.pins.len()), (Method::Dqs, 1));
        assert_eq!(state.open.stage.probes, probes);
        assert!(state.open.saved.is_edited(&state.open.stage));
        // Undoes the methods of A and B, the pin, and the pose.
        for _ in 0..4 {
            assert!(state.open.stage.pose().is_any_posed(), "the steps of before are still there to be undone");
            state.apply(Command::Do(Action::Undo));
        }
        assert!(!state.open.stage.pose().is_any_posed(), "the steps of before are still there to be undone");
    }
}

#[test]
fn every_step_finds_its_joints_and_shows_its_sides() {
    let mut state = AppState::new(document(BuiltIn::Figure), Settings::default());
    assert_eq!((STEPS.len(), STEPS.iter().filter(|step| step.quiz.is_some()).count()), (13, 3));
    apply(&mut state, Command::Do(Action::StartTour));
    for (number, step) in STEPS.iter().enumerate() {
        apply(&mut state, Command::GoToTourStep(number));
        assert_eq!(state.tour.as_ref().map(rigscope::state::Tour::step), Some(number));
        assert_eq!(state.open.stage.document.source, Source::BuiltIn(step.character), "{}", step.title);
        let hierarchy = &state.open.stage.rig().hierarchy;
        let posed = hierarchy.nodes().filter(|&n| !state.open.stage.pose().user_local(n).is_identity());
        let posed: Vec<&str> = posed.map(|n| hierarchy.name(n)).collect();
        let mut turned: Vec<&str> = step.turns.iter().map(|t| t.0).collect();
        turned.sort_unstable_by_key(|name| hierarchy.node_named(name));
        assert_eq!(posed, turned, "{}", step.title);
        assert_eq!(
            state.open.stage.view.active_joint().map_or("", |n| hierarchy.name(n)),
            step.joint,
            "{}",
            step.title
        );
        let PerSide { a, b } = &state.open.stage.view.sides;
        assert_eq!((a.options.overlay, b.skinning.method), (step.overlay, step.b));
        assert_eq!(state.open.stage.view.compare.layout, step.layout);
        assert!(!state.open.saved.is_edited(&state.open.stage), "a pose of the tour is nobody's work");
    }
    assert!(STEPS.iter().any(|s| s.layout == Layout::Wipe) && STEPS.iter().any(|s| s.overlay == Some(Overlay::Weight)));
}

#[test]
fn the_mistakes_to_guess_are_those_that_the_diagnosis_names() {
    let mut state = AppState::new(document(BuiltIn::Figure), Settings::default());
    apply(&mut state, Command::Do(Action::StartTour));
    for (number, step) in STEPS.iter().enumerate() {
        apply(&mut state, Command::GoToTourStep(number));
        let Some(quiz) = &step.quiz else {
            assert!(state.open.stage.view.sides.b.file.is_open(), "{}", step.title);
            continue;
        };
        assert!(state.open.stage.points_on(Side::B).is_some(), "{}", step.title);
        assert_eq!(state.open.stage.side_name(Side::B), "Points, the engine");
        assert_eq!(quiz.answers.iter().filter(|answer| answer.is_right).count(), 1);
        apply(&mut state, Command::Do(Action::DiagnosePoints));
        let wanted = DerivedKind::new::<DiagnosisPlan>().wanted(&state.open.stage).unwrap();
        state.receive(JobResult::Derived(wanted.run(&Job::default())));
        let RequestState::Known { value: diagnosis, .. } = DiagnosisPlan::state(&state.open.stage) else {
            panic!("no diagnosis")
        };
        assert_eq!(diagnosis.best().unwrap().ids(), [quiz.mistake], "{}", diagnosis.summary());
        assert_eq!(diagnosis.tied().count(), 0, "{}", diagnosis.summary());
        // The answer is kept until the next step.
        assert_eq!(state.tour.as_ref().unwrap().answer(), None);
        apply(&mut state, Command::AnswerTour(1));
        assert_eq!(state.tour.as_ref().unwrap().answer(), Some(1));
    }
    apply(&mut state, Command::GoToTourStep(0));
    assert_eq!(state.tour.as_ref().unwrap().answer(), None);
    apply(&mut state, Command::Do(Action::LeaveTour));
    assert!(state.open.stage.view.sides.b.file.is_open());
}

#[test]
fn tour_restores_its_changes_and_keeps_the_users() {
    let mut state = AppState::new(document(BuiltIn::Tube), Settings::default());
    apply(&mut state, Command::Do(Action::ToggleGrid));
    let (settings, display) = (state.settings.clone(), state.open.stage.view.display);
    apply(&mut state, Command::Do(Action::StartTour));
    for action in [Action::ToggleGrid, Action::ToggleWireframe, Action::ToggleBonesInFront, Action::NextMethod] {
        apply(&mut state, Command::Do(action));
        assert_eq!(state.settings, settings, "{action:?}");
    }
    apply(&mut state, Command::Do(Action::LeaveTour));
    assert_eq!((&state.settings, state.open.stage.view.display), (&settings, display));
}

#[test]
fn the_keys_of_files_go_through_the_tour_and_stop_at_its_ends() {
    let mut state = AppState::new(document(BuiltIn::Tube), Settings::default());
    apply(&mut state, Command::Do(Action::StartTour));
    let at = |state: &AppState| state.tour.as_ref().unwrap().step();
    apply(&mut state, Command::Do(Action::PreviousFile));
    assert_eq!(at(&state), 0);
    for _ in 0..STEPS.len() + 3 {
        apply(&mut state, Command::Do(Action::NextFile));
    }
    assert_eq!(at(&state), STEPS.len() - 1);
    apply(&mut state, Command::Do(Action::PreviousFile));
    assert_eq!(at(&state), STEPS.len() - 2);
}

#[test]
fn a_character_that_comes_after_the_tour_was_left_changes_nothing() {
    let mut state = busy();
    assert!(matches!(
        state.apply(Command::Do(Action::StartTour)),
        Some(Request::Load { then: AfterLoad::Tour(0), .. })
    ));
    state.apply(Command::Do(Action::LeaveTour));
    state.receive(JobResult::Document(Box::new(document(BuiltIn::Figure)), AfterLoad::Tour(0)));
    assert!(state.tour.is_none() && state.open.stage.pose().is_any_posed());
}

#[test]
fn closing_or_opening_during_the_tour_asks_about_the_pose_of_before() {
    for command in [Command::Do(Action::Quit), Command::Open(Source::BuiltIn(BuiltIn::Tube))] {
        let mut state = busy();
        apply(&mut state, Command::Do(Action::StartTour));
        assert_eq!(apply(&mut state, command), None);
        assert!(state.tour.is_none() && state.question.is_some());
        assert!(state.open.stage.pose().is_any_posed());
    }
}
