//! Tests that each side has its own weights, that choosing weights is an undo step, and that the cache is limited.

use std::sync::Arc;

use crate::import::Job;
use crate::jobs::Progress;
use crate::rig::{Influences, Rig, StoredInfluences, WeightSet};
use crate::skinning::Method;
use crate::stage::{
    BuiltIn, CentersPlan, ChoiceState, Derived, DerivedResult, Document, MAX_KEPT, MeasurePlan, RigChoice, Source,
    WeightPlan,
};
use crate::state::{
    Action, AfterLoad, AppState, Command, ConfirmAnswer, ExportKind, JobResult, NoticeKind, PathUse, Request, Settings,
    WindowRequest,
};
use crate::view::Side;
use crate::weights::{Recipe, Repair, WeightChoice, WeightRefinement, Weighting};

fn document() -> Document {
    Document::built_in(BuiltIn::Tube)
}

fn state() -> AppState {
    AppState::new(document(), Settings::default())
}

fn computed(weighting: Weighting) -> WeightChoice {
    WeightChoice::Computed(Recipe { weighting, ..Recipe::default() })
}

fn choose(state: &mut AppState, side: Side, choice: WeightChoice) {
    state.apply(Command::SetWeights(side, choice));
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
}

fn is_rigid(rig: &Rig) -> bool {
    let influences = rig.primitives().filter_map(|(_, primitive)| primitive.influences.as_ref());
    influences.flat_map(Influences::weights).all(|weight| *weight == 0.0 || *weight == 1.0)
}

#[test]
fn a_side_shows_the_weights_of_the_file_until_its_own_are_made() {
    let mut state = state();
    let version = state.open.stage.characters.version();
    state.apply(Command::SetWeights(Side::B, computed(Weighting::Rigid)));
    state.open.stage.refresh();
    assert!(matches!(WeightChoice::state(&state.open.stage, Side::B), ChoiceState::Awaited));
    assert!(Arc::ptr_eq(&state.open.stage.shown(Side::B).actor.rig, state.open.stage.rig()));
    let plan = WeightPlan::wanted(&state.open.stage).unwrap();
    let made = plan.run(&Job::default());
    let mut of_another = plan.clone();
    of_another.rig = Arc::new(Rig::clone(&plan.rig));
    state.receive(JobResult::Derived(DerivedResult::new(of_another, made.clone())));
    assert!(
        matches!(WeightChoice::state(&state.open.stage, Side::B), ChoiceState::Awaited),
        "those of another character are not taken"
    );
    state.receive(JobResult::Derived(DerivedResult::new(plan, made)));
    state.open.stage.refresh();
    assert!(is_rigid(&state.open.stage.actor(Side::B).rig) && !is_rigid(&state.open.stage.actor(Side::A).rig));
    assert!(
        WeightChoice::awaited(&state.open.stage).is_none() && state.open.stage.characters.version() != version,
        "the picture is drawn again"
    );
    let plan = MeasurePlan::new(&state.open.stage);
    assert!(
        Arc::ptr_eq(&plan.sides.b.skinned.rig, &state.open.stage.actor(Side::B).rig)
            && Arc::ptr_eq(&plan.sides.a.skinned.rig, state.open.stage.rig())
    );
}

#[test]
fn choosing_weights_is_a_step_and_going_back_makes_nothing_anew() {
    let mut state = state();
    choose(&mut state, Side::B, computed(Weighting::Rigid));
    let rigid = Arc::clone(&state.open.stage.actor(Side::B).rig);
    assert_eq!(state.open.history.undo_label(), Some("Weights of B: Rigid"));
    choose(&mut state, Side::B, computed(Weighting::Rigid));
    assert_eq!(state.open.history.len(), 1, "the same again is no step");
    state.apply(Command::Do(Action::Undo));
    state.open.stage.refresh();
    assert!(Arc::ptr_eq(&state.open.stage.actor(Side::B).rig, state.open.stage.rig()));
    state.apply(Command::Do(Action::Redo));
    state.open.stage.refresh();
    assert!(
        Arc::ptr_eq(&state.open.stage.actor(Side::B).rig, &rigid) && WeightChoice::awaited(&state.open.stage).is_none()
    );
    state.apply(Command::Do(Action::SwapSides));
    state.open.stage.refresh();
    assert!(
        Arc::ptr_eq(&state.open.stage.actor(Side::A).rig, &rigid)
            && Arc::ptr_eq(&state.open.stage.actor(Side::B).rig, state.open.stage.rig())
    );
}

#[test]
fn cancelled_weights_go_back_to_what_was_and_their_step_is_none() {
    let mut state = state();
    choose(&mut state, Side::A, computed(Weighting::Rigid));
    let rigid = Arc::clone(&state.open.stage.actor(Side::A).rig);
    let cancelled_in_the_list_of_jobs = |state: &mut AppState| {
        let plan = WeightPlan::wanted(&state.open.stage).unwrap();
        state.receive(JobResult::Derived(DerivedResult::new(plan, None)));
    };
    let ways: [&dyn Fn(&mut AppState); 2] =
        [&|state| _ = state.apply(Command::CancelWeights(Side::A)), &cancelled_in_the_list_of_jobs];
    for cancel in ways {
        state.apply(Command::SetWeights(Side::A, computed(Weighting::Closest)));
        cancel(&mut state);
        assert!(
            Arc::ptr_eq(&state.open.stage.actor(Side::A).rig, &rigid)
                && WeightChoice::awaited(&state.open.stage).is_none()
        );
        let history = &state.open.history;
        assert_eq!((history.undo_label(), history.redo_label()), (Some("Weights of A: Rigid"), None));
        assert!(!state.open.snapshot().session().to_json().contains("closest"), "no later start makes them");
    }
}

#[test]
fn weights_cancelled_after_further_steps_go_back_by_a_step_of_their_own() {
    let mut state = state();
    state.apply(Command::SetWeights(Side::B, computed(Weighting::Rigid)));
    state.apply(Command::SetMethod(Method::Dqs));
    state.apply(Command::CancelWeights(Side::B));
    assert!(
        state.open.stage.view.sides.b.weights.is_file() && state.open.stage.view.sides.a.skinning.method == Method::Dqs
    );
    assert_eq!((state.open.history.len(), state.open.history.undo_label()), (3, Some("Weights of B: File")));
}

#[test]
fn made_weights_are_not_lost_without_a_question() {
    let mut state = state();
    let open = || Command::Open(Source::BuiltIn(BuiltIn::Figure));
    choose(&mut state, Side::B, computed(Weighting::Rigid));
    assert!(
        !state.open.saved.is_edited(&state.open.stage),
        "those to compare with are computed again when they are chosen again"
    );
    state.apply(Command::Do(Action::SwapSides));
    assert!(
        state.open.saved.has_unsaved_weights(&state.open.stage, Side::A)
            && !state.open.saved.has_unsaved_weights(&state.open.stage, Side::B)
    );
    assert!(state.apply(open()).is_none() && state.question.is_some());
    let Some(Request::Window(WindowRequest::PickPath(asked))) = state.apply(Command::Answer(ConfirmAnswer::Save))
    else {
        panic!()
    };
    assert_eq!(asked.purpose, PathUse::SaveSession, "a pose file has no weights");
    state.apply(Command::Answer(ConfirmAnswer::Cancel));
    assert!(state.open.saved.are_weights_edited(&state.open.stage));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.glb");
    let Some(Request::Export(saving)) = state.apply(Command::UsePath(PathUse::Export(ExportKind::Weights), path))
    else {
        panic!()
    };
    state.receive(saving.run(&Job::default()).unwrap());
    assert!(!state.open.saved.is_edited(&state.open.stage), "they are in a file");
    assert!(matches!(state.apply(open()), Some(Request::Load { .. })));
}

#[test]
fn computed_weights_of_a_recovered_session_are_not_asked_about_but_edits_are() {
    let mut state = state();
    choose(&mut state, Side::A, computed(Weighting::Rigid));
    let session = state.open.snapshot().session();
    let mut restored = |session| {
        state.receive(JobResult::Document(Box::new(document()), AfterLoad::Restore(Box::new(session))));
        state.apply(Command::Answer(ConfirmAnswer::Discard));
        state.open.saved.are_weights_edited(&state.open.stage)
    };
    assert!(restored(session.clone()), "a session that was opened is unsaved work");
    assert!(!restored(session.recovered()));
}

#[test]
fn weights_of_another_file_on_side_a_are_not_written_as_those_of_the_open_one() {
    let folder = tempfile::tempdir().unwrap();
    let [other, path] = ["other.glb", "weights.glb"].map(|name| folder.path().join(name));
    std::fs::write(&other, BuiltIn::Figure.bytes()).unwrap();
    let mut state = state();
    state.apply(Command::UsePath(PathUse::CompareWith, other));
    state.open.stage.compute_pending(&Job::default());
    state.apply(Command::Do(Action::SwapSides));
    assert_eq!(state.obstacle(Action::ExportWeights), Some("Side A shows another file"));
    assert!(state.apply(Command::UsePath(PathUse::Export(ExportKind::Weights), path)).is_none());
    let told = state.notices.dismiss().unwrap();
    assert!(told.kind == NoticeKind::Error && told.text.contains("side A shows other.glb, not tube"), "{told:?}");
    state.apply(Command::Do(Action::StopComparing));
    assert!(
        Side::ALL.into_iter().all(|side| state.open.stage.view.sides[side].weights.is_file()),
        "on whichever side it is"
    );
}

#[test]
fn of_many_weights_those_shown_and_the_newest_are_kept() {
    let mut state = state();
    let pruned = |prune| {
        let refinement = WeightRefinement { prune, ..WeightRefinement::default() };
        WeightChoice::Computed(Recipe { refinement, ..Recipe::default() })
    };
    choose(&mut state, Side::A, computed(Weighting::Rigid));
    for step in 1..=2 * MAX_KEPT {
        choose(&mut state, Side::B, pruned(step as f32 * 0.01));
    }
    let is_kept = |choice: &WeightChoice| state.open.stage.weights.get(choice).is_some();
    assert!(is_kept(&computed(Weighting::Rigid)) && is_kept(&pruned(2.0 * MAX_KEPT as f32 * 0.01)));
    assert!(!is_kept(&pruned(0.01)));
    let kept = (1..=2 * MAX_KEPT).filter(|step| is_kept(&pruned(*step as f32 * 0.01)));
    assert_eq!(kept.count(), 1 + MAX_KEPT);
}

#[test]
fn centres_of_rotation_are_those_of_the_weights_that_a_side_shows() {
    let mut state = state();
    for side in Side::ALL {
        state.apply(Command::SetSkinning(side, Method::Cor.into()));
    }
    choose(&mut state, Side::B, computed(Weighting::Closest));
    assert!(CentersPlan::wanted(&state.open.stage).is_none());
    assert_ne!(state.open.stage.centers(Side::A), state.open.stage.centers(Side::B));
}

#[test]
fn reading_the_file_again_keeps_the_choice_and_another_file_has_its_own_weights() {
    let mut state = state();
    choose(&mut state, Side::B, computed(Weighting::Rigid));
    state.receive(JobResult::Document(Box::new(document()), AfterLoad::Reload { is_asked: true }));
    assert_eq!(
        WeightChoice::awaited(&state.open.stage),
        Some(&computed(Weighting::Rigid)),
        "they are made for the file as it is now"
    );
    state.receive(JobResult::Document(Box::new(document()), AfterLoad::Show));
    state.apply(Command::Answer(ConfirmAnswer::Discard));
    assert!(state.open.stage.view.sides.b.weights.is_file() && WeightChoice::awaited(&state.open.stage).is_none());
}

#[test]
fn faults_are_put_right_on_side_a_one_after_the_other() {
    let mut state = state();
    state.apply(Command::RepairWeights(Repair::Limit));
    state.apply(Command::RepairWeights(Repair::Prune));
    assert_eq!(state.open.stage.view.sides.a.weights, WeightChoice::Repaired(vec![Repair::Prune, Repair::Limit]));
    assert_eq!(state.open.stage.compute_pending(&Job::default()), [""; 0], "the tube has no such faults");
    assert!(state.open.stage.weighted(Side::A).is_some());
}

#[test]
fn weights_of_another_file_are_carried_over_or_missed_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.glb");
    let mut state = state();
    state.apply(Command::UsePath(PathUse::TransferWeights(Side::B), path.clone()));
    let told = state.open.stage.compute_pending(&Job::default());
    assert!(
        matches!(WeightChoice::state(&state.open.stage, Side::B), ChoiceState::Missing(why) if why.contains("other.glb")),
        "{told:?}"
    );
    std::fs::write(&path, BuiltIn::Tube.bytes()).unwrap();
    state.apply(Command::UsePath(PathUse::TransferWeights(Side::B), path));
    state.open.stage.compute_pending(&Job::default());
    let (own, carried) =
        (WeightSet::from_rig(state.open.stage.rig()), WeightSet::from_rig(&state.open.stage.actor(Side::B).rig));
    for ((_, _, own), (_, _, carried)) in own.iter().zip(carried.iter()) {
        for vertex in 0..own.len() {
            let of = |influences: &Influences| {
                let mut row: Vec<(usize, f32)> =
                    influences.vertex(vertex).filter(|(_, weight)| *weight > 0.01).collect();
                row.sort_by_key(|(joint, _)| *joint);
                row
            };
            let (own, carried) = (of(own), of(carried));
            assert!(own.iter().zip(&carried).all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 0.02), "{vertex}");
        }
    }
    let title = state.open.history.undo_label().unwrap();
    assert!(title.contains("other.glb"), "{title}");
}

#[test]
fn the_file_is_written_with_the_weights_of_side_a() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("weights.glb");
    let mut state = state();
    assert!(
        state.apply(Command::UsePath(PathUse::Export(ExportKind::Weights), path.clone())).is_none(),
        "side A shows the file's"
    );
    choose(&mut state, Side::A, computed(Weighting::Rigid));
    let Some(Request::Export(saving)) =
        state.apply(Command::UsePath(PathUse::Export(ExportKind::Weights), path.clone()))
    else {
        panic!()
    };
    let Some(JobResult::WeightsWritten { notice, .. }) = saving.run(&Job::default()) else { panic!() };
    assert_eq!(notice.kind, NoticeKind::Done, "{}", notice.text);
    let written = Document::open(&Source::File(path), &Job::default()).unwrap();
    assert!(is_rigid(&written.rig) && written.rig.joint_count() == state.open.stage.rig().joint_count());
}

/// Returns the tube with one vertex whose stored weights sum to 0.5.
fn stored_by_halves() -> Document {
    let mut document = document();
    let mut rig = (**document.rig).clone();
    let vertex = 100_u32;
    let primitive = &mut rig.meshes[0].primitives[0];
    let own: Vec<(usize, f32)> = primitive.influences.as_ref().unwrap().vertex(vertex as usize).collect();
    let joints = own.iter().map(|(joint, _)| u16::try_from(*joint).unwrap()).collect();
    let weights = own.iter().map(|(_, weight)| weight / 2.0).collect();
    primitive.stored_influences = Some(StoredInfluences::new(own.len(), vec![vertex], joints, weights));
    document.rig = Arc::new(Rig::new(rig));
    document
}

fn sum_of_weights(rig: &Rig) -> f32 {
    rig.meshes[0].primitives[0].influences.as_ref().unwrap().vertex(100).map(|(_, weight)| weight).sum()
}

#[test]
fn weights_as_stored_follow_undo_swapping_a_session_and_another_file() {
    let mut state = AppState::new(stored_by_halves(), Settings::default());
    let sums = |state: &AppState| Side::ALL.map(|side| sum_of_weights(&state.open.stage.actor(side).rig));
    choose(&mut state, Side::B, WeightChoice::Stored);
    assert_eq!(sums(&state), [1.0, 0.5]);
    for (action, expected) in [
        (Action::Undo, [1.0, 1.0]),
        (Action::Redo, [1.0, 0.5]),
        (Action::SwapSides, [0.5, 1.0]),
        (Action::SwapSides, [1.0, 0.5]),
    ] {
        state.apply(Command::Do(action));
        state.open.stage.refresh();
        assert_eq!(sums(&state), expected, "{action:?}");
    }
    let session = state.open.snapshot().session();
    let mut restored = AppState::new(stored_by_halves(), Settings::default());
    restored.receive(JobResult::Document(Box::new(stored_by_halves()), AfterLoad::Restore(Box::new(session))));
    restored.open.stage.compute_pending(&Job::default());
    restored.open.stage.refresh();
    assert_eq!((sums(&restored), &restored.open.stage.view.sides.b.weights), ([1.0, 0.5], &WeightChoice::Stored));
    // Side B first shows a comparison file, then the open file's own weights.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.glb");
    crate::export::rig_glb(&document().rig, &Progress::default()).unwrap().write(&path).unwrap();
    state.apply(Command::UsePath(PathUse::CompareWith, path));
    assert_eq!(state.open.stage.compute_pending(&Job::default()), [""; 0]);
    state.open.stage.refresh();
    assert_eq!(sums(&state), [1.0, 1.0]);
    choose(&mut state, Side::B, WeightChoice::Stored);
    assert_eq!(sums(&state), [1.0, 0.5]);
    for _ in 0..2 {
        state.apply(Command::Do(Action::Undo));
        state.open.stage.compute_pending(&Job::default());
        state.open.stage.refresh();
    }
    assert_eq!(sums(&state), [1.0, 0.5], "both steps undone");
    // A newly opened file does not use weights of the previous file.
    state.receive(JobResult::Document(Box::new(document()), AfterLoad::Show));
    state.open.stage.compute_pending(&Job::default());
    state.open.stage.refresh();
    assert_eq!(sums(&state), [1.0, 1.0]);
}
