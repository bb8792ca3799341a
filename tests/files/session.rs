//! Sessions: saving and resuming, rejecting broken ones, and the prompt before an edited pose would be lost.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::node;

use std::path::Path;

use common::environment_map::{environment_map, evening};
use glam::Quat;
use proptest::prelude::*;
use rigscope::import::Job;
use rigscope::posing::{AxisLimit, JointLimits};
use rigscope::rig::{PosedJoint, Trs};
use rigscope::skinning::{Antipodality, InfluenceLimit, JointMethod, Method, Normals, Skinning, WeightPrecision};
use rigscope::stage::{BuiltIn, DerivedKind, Document, EnvironmentPlan, RigChoice, Session, SessionError, Source};
use rigscope::state::{
    Action, AfterLoad, AppState, Command, ConfirmAnswer, JobResult, NoticeKind, PathUse, Request, SavedViewCommand,
    Settings, WindowRequest,
};
use rigscope::view::{
    Display, Environment, Layout, Lighting, Overlay, ShadingMode, ShownPose, Side, SideOptions, Wipe,
};
use rigscope::weights::{Recipe, WeightChoice, WeightRefinement, Weighting};

fn document(built_in: BuiltIn) -> Document {
    Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap()
}

fn state() -> AppState {
    AppState::new(document(BuiltIn::Figure), Settings::default())
}

fn turn(state: &mut AppState, angle: f32) {
    let user_local = Trs { rotation: Quat::from_rotation_x(angle), ..Trs::IDENTITY };
    let node = node(state, "LeftLowerArm");
    state.apply(Command::Edit { node, user_local });
}

/// Returns the built-in figure in the middle of a work session.
fn busy() -> AppState {
    let mut state = state();
    turn(&mut state, 0.7);
    let arm = node(&state, "LeftLowerArm");
    state.apply(Command::Select(Some(arm)));
    let bend = AxisLimit::Limited { min: 0.0, max: 1.5 };
    let limits = JointLimits { axes: [bend, AxisLimit::Locked(0.0), AxisLimit::Free], ..JointLimits::default() };
    state.apply(Command::SetLimits { node: arm, limits });
    state.apply(Command::SetClip(Some(1)));
    state.apply(Command::Seek(0.25));
    state.apply(Command::SetMethod(Method::Dqs));
    let limited = InfluenceLimit { count: Some(2), precision: WeightPrecision::Bits8, ..InfluenceLimit::default() };
    let by_joint = vec![(arm, JointMethod::Dqs)];
    let b = Skinning { antipodality: Antipodality::Unchecked, influences: limited, by_joint, ..Skinning::default() };
    state.apply(Command::SetSkinning(Side::B, b));
    state.apply(Command::SetLayout(Layout::Wipe));
    state.apply(Command::SetWipe(Wipe { angle: 0.4, offset: -0.1 }));
    state.apply(Command::SetOverlay(Side::B, Some(Overlay::Distance)));
    let options = SideOptions { pose: ShownPose::Rest, ..state.open.stage.view.sides.b.options };
    state.apply(Command::SetSideOptions(Side::B, options));
    state.apply(Command::Orbit { yaw: 0.3, pitch: 0.1 });
    state.apply(Command::Do(Action::ToggleGrid));
    state
}

/// Applies a command, and runs all file jobs that it requests.
fn apply(state: &mut AppState, command: Command) -> Option<Request> {
    let mut request = state.apply(command);
    while let Some(Request::Disk(job)) = request {
        request = state.receive(job.run());
    }
    request
}

fn go_on(session: Session) -> AppState {
    let mut state = state();
    let document = Box::new(document(BuiltIn::Figure));
    state.receive(JobResult::Document(document, AfterLoad::Restore(Box::new(session))));
    state
}

#[test]
fn a_session_goes_on_where_it_was() {
    let before = busy();
    let json = before.open.snapshot().session().to_json();
    let mut after = go_on(Session::parse(json.as_bytes()).unwrap());
    assert_eq!(after.open.stage.pose(), before.open.stage.pose());
    assert_eq!(after.open.stage.playback, before.open.stage.playback);
    assert_eq!(after.open.stage.view.selected, before.open.stage.view.selected);
    assert_eq!(
        (after.open.stage.view.camera, &after.open.stage.view.sides),
        (before.open.stage.view.camera, &before.open.stage.view.sides)
    );
    assert_eq!(after.open.stage.view.compare, before.open.stage.view.compare, "layout and line");
    assert_eq!(after.open.stage.view.display, before.open.stage.view.display);
    assert!(after.open.stage.document.limits.iter().eq(before.open.stage.document.limits.iter()), "limits go along");
    assert_eq!(after.open.stage.document.limits.iter().count(), 1);
    assert!(after.open.saved.is_edited(&after.open.stage), "it still is not in a file of its own");
    assert_eq!(after.open.snapshot().session().to_json(), json);
    after.apply(Command::Do(Action::Undo));
    assert!(!after.open.stage.pose().is_any_posed(), "one step back");
}

#[test]
fn a_clip_correction_names_its_file_relative_to_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.session.json");
    let correction = r#"{"file": "walk.glb", "rotations": {"LeftLowerArm": [0.0, 0.0, 1.0, 0.0]}}"#;
    let json = format!(
        r#"{{"version": 1, "source": "builtin:figure", "clips_from": ["walk.glb"], "clip_corrections": [{correction}]}}"#
    );
    std::fs::write(&path, json).unwrap();
    let mut state = state();
    Session::read(&path).unwrap().restore(&mut state.open.stage);
    let corrected = state.open.stage.document.clip_corrections.get(&Source::File(folder.path().join("walk.glb")));
    assert_eq!(corrected.iter().map(|(joint, _)| joint).collect::<Vec<_>>(), [node(&state, "LeftLowerArm")]);
}

#[test]
fn shading_and_lighting_round_trip_through_a_session() {
    let mut state = state();
    for (shading, environment) in ShadingMode::ALL.into_iter().zip(Environment::ALL.into_iter().cycle()) {
        let light = Lighting { environment, angle: -0.75, exposure: 1.5, backdrop: true };
        let display = Display { shading, light, ..state.open.stage.view.display };
        state.apply(Command::SetDisplay(display));
        let json = state.open.snapshot().session().to_json();
        assert_eq!(go_on(Session::parse(json.as_bytes()).unwrap()).open.stage.view.display, display);
    }
}

#[test]
fn session_without_lighting_uses_the_default() {
    let json = br#"{"version":1,"source":"builtin:figure","display":{"shading":"clay","light":{"exposure":2.0}}}"#;
    let display = go_on(Session::parse(json).unwrap()).open.stage.view.display;
    assert_eq!(
        (display.shading, display.light),
        (ShadingMode::Clay, Lighting { exposure: 2.0, ..Lighting::default() })
    );
}

#[test]
fn a_pose_in_a_session_file_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.json");
    let mut state = busy();
    apply(&mut state, Command::UsePath(PathUse::SaveSession, path.clone()));
    assert!(!state.open.saved.is_edited(&state.open.stage), "{:?}", state.notices);
    let opened = go_on(Session::read(&path).unwrap());
    assert!(opened.open.stage.pose().is_any_posed() && !opened.open.saved.is_edited(&opened.open.stage));
}

#[test]
fn minimal_session_opens_with_defaults() {
    let session = Session::parse(br#"{"version":1,"source":"builtin:figure","from":"a later version"}"#).unwrap();
    let state = go_on(session);
    assert!(!state.open.saved.is_edited(&state.open.stage));
    assert_eq!(state.open.stage.view.camera, self::state().open.stage.view.camera, "everything is framed");
}

#[test]
fn both_sides_come_through_a_session() {
    let mut state = busy();
    let written = |state: &AppState| state.open.snapshot().session().to_json();
    state.apply(Command::Do(Action::SwapSides));
    let again = go_on(Session::parse(written(&state).as_bytes()).unwrap());
    assert_eq!(again.open.stage.view.sides, state.open.stage.view.sides);
}

#[test]
fn weights_of_a_side_are_kept_by_their_recipe_and_made_again() {
    let mut state = busy();
    let refinement = WeightRefinement { smoothing: 2, max: None, ..WeightRefinement::default() };
    let recipe = Recipe {
        weighting: Weighting::Rigid,
        is_asymmetric: true,
        left_out: Some(vec!["LeftHand".to_owned()]),
        refinement,
        cells: Some(40),
    };
    state.apply(Command::SetWeights(Side::B, WeightChoice::Computed(recipe)));
    let json = state.open.snapshot().session().to_json();
    let mut again = go_on(Session::parse(json.as_bytes()).unwrap());
    assert_eq!(again.open.stage.view.sides, state.open.stage.view.sides);
    assert!(WeightChoice::awaited(&again.open.stage).is_some());
    assert_eq!(again.open.stage.compute_pending(&Job::default()), [""; 0]);
    assert!(again.open.stage.weighted(Side::B).is_some());
    let later = json.replace("\"rigid\"", "\"by-magic\"");
    let notice = go_on(Session::parse(later.as_bytes()).unwrap()).notices.dismiss().unwrap();
    assert!(notice.text.contains("Ignored unknown session entry \"compare.b.weights\""), "{notice:?}");
}

#[test]
fn another_file_comes_through_a_session_beside_weights_for_the_open_one() {
    let other = std::path::absolute("other.glb").unwrap();
    let mut state = state();
    state.apply(Command::UsePath(PathUse::CompareWith, other.clone()));
    let json = state.open.snapshot().session().to_json();
    let again = go_on(Session::parse(json.as_bytes()).unwrap());
    assert_eq!(
        (again.open.stage.view.sides.b.file.file(), &again.open.stage.view.sides.b.weights),
        (Some(&*other), &WeightChoice::File)
    );

    let rigid = WeightChoice::Computed(Recipe { weighting: Weighting::Rigid, ..Recipe::default() });
    state.apply(Command::SetWeights(Side::B, rigid.clone()));
    assert!(state.open.stage.view.sides.b.file.is_open(), "weights are those of the open file");
    state.apply(Command::UsePath(PathUse::CompareWith, other.clone()));
    let json = state.open.snapshot().session().to_json();
    let mut again = go_on(Session::parse(json.as_bytes()).unwrap());
    assert_eq!(
        (again.open.stage.view.sides.b.file.file(), &again.open.stage.view.sides.b.weights),
        (Some(&*other), &rigid)
    );
    again.apply(Command::Do(Action::StopComparing));
    assert!(WeightChoice::awaited(&again.open.stage).is_some(), "once it is left, the weights are those of before");
}

#[test]
fn sessions_that_are_none_are_refused_with_a_reason() {
    for (json, reason) in [
        ("", "EOF"),
        ("[]", "Not a session file"),
        (r#"{"version":1}"#, "missing field `source`"),
        (r#"{"version":1,"source":"builtin:horse"}"#, "no built-in character"),
        (r#"{"version":2,"shape":"another"}"#, "reads version 1. Save the session again"),
        (r#"{"version":1,"source":"a.glb","compare":{"a":{"method":"magic"}}}"#, "Not a session file"),
    ] {
        let problem = Session::parse(json.as_bytes()).unwrap_err().to_string();
        assert!(problem.contains(reason), "{json}: {problem}");
    }
    assert!(matches!(Session::read("/nowhere/s.json".as_ref()), Err(SessionError::Read(_))));
}

#[test]
fn numbers_and_names_that_fit_nothing_are_left_out() {
    let json = r##"{"version":1,"source":"builtin:figure","selected":["Tail","#99999"],
        "pose":{"version":1,"joints":{"Tail":{"translation":[1,0,0]}}},
        "camera":{"distance":-1e30,"target":[1e30,0,0]},"clip":{"name":"Swim","index":7,"time_secs":-1e30}}"##;
    let mut state = go_on(Session::parse(json.as_bytes()).unwrap());
    assert!(
        state.open.stage.view.selected.is_empty()
            && !state.open.stage.pose().is_any_posed()
            && state.open.stage.playback.clip.is_none()
    );
    assert_eq!(state.open.stage.view.camera, self::state().open.stage.view.camera);
    let notice = state.notices.dismiss().unwrap();
    assert!(notice.kind == NoticeKind::Warning && notice.text.contains("\"Tail\""), "{notice:?}");
}

#[test]
fn a_broken_session_file_leaves_what_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.json");
    std::fs::write(&path, b"{\"version\":1,\"source\":").unwrap();
    let mut state = busy();
    let pose = state.open.stage.pose().clone();
    assert_eq!(apply(&mut state, Command::UsePath(PathUse::OpenSession, path)), None);
    assert_eq!(*state.open.stage.pose(), pose);
    assert!(state.notices.newest().unwrap().text.contains("The session was not opened"));
}

/// Loads the environment map, as the program does in the background.
fn read_light(state: &mut AppState) {
    let wanted = DerivedKind::new::<EnvironmentPlan>().wanted(&state.open.stage).unwrap();
    state.receive(JobResult::Derived(wanted.run(&Job::default())));
    assert!(DerivedKind::new::<EnvironmentPlan>().wanted(&state.open.stage).is_none());
}

fn lit_by(state: &AppState) -> (Option<&Path>, Option<&Path>) {
    let file = &state.open.stage.view.environment_file;
    (file.wanted.as_deref(), file.shown.as_ref().map(|map| map.path()))
}

#[test]
fn an_environment_map_is_kept_by_sessions_and_settings_and_a_built_in_environment_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let (sky, other) = (evening(folder.path()), environment_map(folder.path(), "other.hdr", |_, _| [9, 9, 9, 128]));
    let mut state = state();
    assert_eq!(state.apply(Command::UsePath(PathUse::OpenEnvironment, sky.clone())), None);
    assert_eq!((lit_by(&state), &state.settings.environment_file), ((Some(&*sky), None), &None));
    read_light(&mut state);
    assert_eq!((lit_by(&state), &state.settings.environment_file), ((Some(&*sky), Some(&*sky)), &Some(sky.clone())));
    assert!(state.inputs().contains(&sky), "it is not written over");
    let json = state.open.snapshot().session().to_json();

    state.apply(Command::UsePath(PathUse::OpenEnvironment, other.clone()));
    assert_eq!(lit_by(&state), (Some(&*other), Some(&*sky)), "what is shown stays until the other is read");
    read_light(&mut state);
    state.apply(Command::SetEnvironment(Environment::Outdoor));
    assert_eq!((lit_by(&state), &state.settings.environment_file), ((None, None), &None));
    assert_eq!(state.settings.display.light.environment, Environment::Outdoor);
    assert!(!state.open.snapshot().session().to_json().contains("environment_file"));

    let mut after = go_on(Session::parse(json.as_bytes()).unwrap());
    read_light(&mut after);
    assert_eq!(lit_by(&after), (Some(&*sky), Some(&*sky)));
    let anew = AppState::new(document(BuiltIn::Tube), after.settings.clone());
    assert_eq!(lit_by(&anew), (Some(&*sky), None), "the next start reads it again");
    after.receive(JobResult::Document(Box::new(document(BuiltIn::Tube)), AfterLoad::Show));
    assert_eq!(lit_by(&after), (Some(&*sky), Some(&*sky)), "another file is lit by it too");
}

#[test]
fn missing_or_broken_environment_map_is_reported_and_the_light_stays() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.hdr");
    std::fs::write(&broken, b"#?RADIANCE\n\n-Y 2 +X 4\n").unwrap();
    let json = r#"{"version":1,"source":"builtin:figure","environment_file":"gone.hdr"}"#;
    let path = folder.path().join("s.json");
    std::fs::write(&path, json).unwrap();
    let mut state = go_on(Session::read(&path).unwrap());
    assert_eq!(lit_by(&state).0, Some(&*folder.path().join("gone.hdr")), "relative to the session");
    read_light(&mut state);
    let told = |state: &mut AppState| state.notices.dismiss().unwrap().text;
    let text = told(&mut state);
    assert!(text.starts_with("The light was not changed: ") && text.contains("gone.hdr"), "{text}");
    assert_eq!((lit_by(&state), &state.settings.environment_file), ((None, None), &None));

    let sky = evening(folder.path());
    state.apply(Command::UsePath(PathUse::OpenEnvironment, sky.clone()));
    read_light(&mut state);
    state.apply(Command::UsePath(PathUse::OpenEnvironment, broken));
    read_light(&mut state);
    let text = told(&mut state);
    assert!(text.contains("it ends in row 1 of 2") && text.contains("broken.hdr"), "{text}");
    assert_eq!((lit_by(&state), &state.settings.environment_file), ((Some(&*sky), Some(&*sky)), &Some(sky.clone())));
}

#[test]
fn saved_pose_or_session_is_reported_with_path_and_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = busy();
    for (name, begin) in [("a.pose.json", "The pose was saved as "), ("a.session.json", "The session was saved as ")] {
        let path = folder.path().join(name);
        let purpose = if name.contains("pose") { PathUse::SavePose } else { PathUse::SaveSession };
        apply(&mut state, Command::UsePath(purpose, path.clone()));
        let told = state.notices.dismiss().unwrap();
        let size = rigscope::files::byte_count(std::fs::metadata(&path).unwrap().len());
        assert_eq!((told.kind, told.text), (NoticeKind::Done, format!("{begin}{} ({size}).", path.display())));
    }
}

#[test]
fn a_path_is_relative_to_the_session_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.json");
    std::fs::write(&path, br#"{"version":1,"source":"rig.glb"}"#).unwrap();
    assert_eq!(Session::read(&path).unwrap().source, Source::File(folder.path().join("rig.glb")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_change_of_one_byte_makes_a_session_that_panics(at in 0_usize..4000, byte: u8) {
        let mut json = busy().open.snapshot().session().to_json().into_bytes();
        let at = at % json.len();
        json[at] = byte;
        if let Ok(session) = Session::parse(&json) {
            go_on(session);
        }
    }
}

fn tube() -> Command {
    Command::Open(Source::BuiltIn(BuiltIn::Tube))
}

#[test]
fn only_an_edited_pose_is_asked_about() {
    let mut state = state();
    assert!(state.apply(tube()).is_some(), "nothing to lose");
    turn(&mut state, 0.7);
    assert_eq!(state.apply(tube()), None);
    assert!(!state.question.as_ref().unwrap().is_about_closing());
    assert_eq!(state.apply(Command::Answer(ConfirmAnswer::Cancel)), None);
    assert!(state.question.is_none() && state.open.saved.is_edited(&state.open.stage));
    state.apply(Command::Do(Action::Undo));
    assert!(state.apply(tube()).is_some(), "taken back");
    state.apply(Command::Do(Action::Redo));
    let source = Source::BuiltIn(BuiltIn::Figure);
    let again =
        Request::Load { source, scene: Some(0), clips_from: Vec::new(), then: AfterLoad::Reload { is_asked: true } };
    assert_eq!(state.apply(Command::Do(Action::Reload)), Some(again), "the pose stays");
    state.apply(Command::Do(Action::ResetAll));
    assert_eq!(state.apply(Command::Do(Action::Quit)), Some(Request::Window(WindowRequest::Quit)), "reset");
}

#[test]
fn every_way_to_open_or_close_asks() {
    let source = || Source::BuiltIn(BuiltIn::Tube);
    let session = Session::parse(br#"{"version":1,"source":"builtin:tube"}"#).unwrap();
    let mut state = state();
    state.apply(Command::OpenAll(vec![Source::BuiltIn(BuiltIn::Figure), source()], AfterLoad::Show));
    turn(&mut state, 0.7);
    for command in [
        Command::Open(source()),
        Command::OpenAll(vec![source()], AfterLoad::Show),
        Command::OpenSession(Box::new(session)),
        Command::Do(Action::NextFile),
        Command::Do(Action::PreviousFile),
        Command::Do(Action::Quit),
    ] {
        let told = format!("{command:?}");
        assert_eq!(state.apply(command), None, "{told}");
        assert!(state.question.is_some(), "{told}");
        state.apply(Command::Answer(ConfirmAnswer::Cancel));
    }
    state.receive(JobResult::Document(Box::new(document(BuiltIn::Tube)), AfterLoad::Show));
    assert!(state.question.is_some(), "a file that was on its way while the pose was edited");
}

#[test]
fn show_me_leaves_a_built_in_character_without_a_question_and_a_file_with_one() {
    let mut state = state();
    turn(&mut state, 0.7);
    let show_me = || Command::ShowMe(rigscope::state::ShowMe::CandyWrapper);
    assert!(show_me().leaves_edited_pose(&state.open));
    let Some(Request::Load { then, .. }) = state.apply(show_me()) else { panic!("the tube is read") };
    state.receive(JobResult::Document(Box::new(document(BuiltIn::Tube)), then));
    assert_eq!(
        (state.open.stage.document.source.clone(), state.question.is_some()),
        (Source::BuiltIn(BuiltIn::Tube), false)
    );
    assert!(state.notices.dismiss().unwrap().text.contains("Restore last session"));
    let source = Source::File("folder/arm.glb".into());
    let mut state = AppState::new(Document { source, ..document(BuiltIn::Figure) }, Settings::default());
    turn(&mut state, 0.7);
    assert!(!show_me().leaves_edited_pose(&state.open));
    assert_eq!(state.apply(show_me()), None);
    assert!(state.question.is_some());
}

#[test]
fn an_edit_made_while_the_pose_is_written_is_not_taken_as_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = state();
    turn(&mut state, 0.7);
    let Some(Request::Disk(job)) = state.apply(Command::UsePath(PathUse::SavePose, folder.path().join("p.json")))
    else {
        panic!("nothing is to be written")
    };
    turn(&mut state, 0.9);
    state.receive(job.run());
    assert!(state.open.saved.is_edited(&state.open.stage));
    state.apply(Command::Do(Action::Undo));
    assert!(!state.open.saved.is_edited(&state.open.stage), "this is what is in the file");
}

#[test]
fn a_pose_written_while_the_tour_begins_is_saved_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = state();
    turn(&mut state, 0.7);
    let Some(Request::Disk(job)) = state.apply(Command::UsePath(PathUse::SavePose, folder.path().join("p.json")))
    else {
        panic!("nothing is to be written")
    };
    let Some(Request::Load { then, .. }) = state.apply(Command::Do(Action::StartTour)) else { panic!("no tour") };
    state.receive(JobResult::Document(Box::new(document(BuiltIn::Tube)), then));
    state.receive(job.run());
    state.apply(Command::Do(Action::LeaveTour));
    assert!(!state.open.saved.is_edited(&state.open.stage));
}

#[test]
fn discard_goes_on_and_asks_no_second_time() {
    let mut state = state();
    turn(&mut state, 0.7);
    state.apply(tube());
    assert!(matches!(state.apply(Command::Answer(ConfirmAnswer::Discard)), Some(Request::Load { .. })));
    state.receive(JobResult::Document(Box::new(document(BuiltIn::Tube)), AfterLoad::Show));
    assert!(state.question.is_none());
    assert_eq!(state.open.stage.document.source, Source::BuiltIn(BuiltIn::Tube));
}

#[test]
fn edits_during_loading_ask_before_they_are_lost() {
    let mut state = state();
    turn(&mut state, 0.7);
    state.apply(tube());
    state.apply(Command::Answer(ConfirmAnswer::Discard));
    turn(&mut state, 0.9);
    state.receive(JobResult::Document(Box::new(document(BuiltIn::Tube)), AfterLoad::Show));
    assert!(state.question.is_some());
    assert_eq!(state.open.stage.document.source, Source::BuiltIn(BuiltIn::Figure));
    state.apply(Command::Answer(ConfirmAnswer::Discard));
    assert_eq!(state.open.stage.document.source, Source::BuiltIn(BuiltIn::Tube));
}

#[test]
fn save_asks_where_and_goes_on_once_the_file_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = state();
    turn(&mut state, 0.7);
    state.apply(Command::Do(Action::Quit));
    assert!(
        matches!(state.apply(Command::Answer(ConfirmAnswer::Save)), Some(Request::Window(WindowRequest::PickPath(asked))) if asked.purpose == PathUse::SavePose)
    );
    assert_eq!(apply(&mut state, Command::UsePath(PathUse::SavePose, "/nowhere/p.json".into())), None);
    assert!(
        state.question.is_some() && state.open.saved.is_edited(&state.open.stage),
        "not written, so nothing is lost"
    );
    assert_eq!(
        apply(&mut state, Command::UsePath(PathUse::SavePose, folder.path().join("p.json"))),
        Some(Request::Window(WindowRequest::Quit))
    );
    assert!(!state.open.saved.is_edited(&state.open.stage) && state.question.is_none());
    turn(&mut state, 0.9);
    assert!(state.open.saved.is_edited(&state.open.stage));
    apply(&mut state, Command::UsePath(PathUse::OpenPose, folder.path().join("p.json")));
    assert!(!state.open.saved.is_edited(&state.open.stage));
}

#[test]
fn a_reload_keeps_what_was_saved_and_what_was_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = state();
    turn(&mut state, 0.7);
    apply(&mut state, Command::UsePath(PathUse::SavePose, folder.path().join("p.json")));
    state.receive(JobResult::Document(Box::new(document(BuiltIn::Figure)), AfterLoad::Reload { is_asked: true }));
    assert!(!state.open.saved.is_edited(&state.open.stage));
    turn(&mut state, 0.9);
    state.receive(JobResult::Document(Box::new(document(BuiltIn::Figure)), AfterLoad::Reload { is_asked: true }));
    assert!(state.open.saved.is_edited(&state.open.stage));
}

#[test]
fn a_session_renders_the_picture_that_its_options_make() {
    let folder = tempfile::tempdir().unwrap();
    let mut state = state();
    turn(&mut state, 0.7);
    apply(&mut state, Command::UsePath(PathUse::SavePose, folder.path().join("pose.json")));
    state.apply(Command::SetMethod(Method::Dqs));
    state.apply(Command::SetDisplay(Display { bones: false, ..Display::default() }));
    state.apply(Command::SetAspect(1.6));
    state.open.stage.refresh();
    state.apply(Command::Do(Action::FrameAll));
    apply(&mut state, Command::UsePath(PathUse::SaveSession, folder.path().join("s.json")));
    let recomputed = Skinning { normals: Normals::Recomputed, ..Skinning::new(Method::Dqs) };
    state.apply(Command::SetSkinning(Side::A, recomputed));
    apply(&mut state, Command::UsePath(PathUse::SaveSession, folder.path().join("normals.json")));
    state.apply(Command::SetSkinning(Side::A, Method::Dqs.into()));
    state.apply(Command::SetLayout(Layout::Wipe));
    state.apply(Command::SetSkinning(Side::B, Method::Lbs.into()));
    for side in Side::ALL {
        state.apply(Command::SetOverlay(side, Some(Overlay::Distance)));
    }
    apply(&mut state, Command::UsePath(PathUse::SaveSession, folder.path().join("wipe.json")));
    state.open.stage.view.camera.yaw = 30.0_f32.to_radians();
    state.open.stage.view.camera.distance *= 0.4;
    apply(&mut state, Command::UsePath(PathUse::SaveSession, folder.path().join("near.json")));
    let render = |arguments: &[&str], out: &str| {
        let status = std::process::Command::new(rigscope_tests::program())
            .current_dir(folder.path())
            .arg("render")
            .args(arguments)
            .args(["-o", out, "--size", "320x200"])
            .status();
        assert!(status.unwrap().success(), "{arguments:?}");
        image::open(folder.path().join(out)).unwrap()
    };
    let by_session = render(&["--session", "s.json"], "session.png");
    let by_options = render(&["builtin:figure", "--pose", "pose.json", "--method", "dqs"], "options.png");
    let at_rest = render(&["builtin:figure", "--method", "dqs"], "rest.png");
    assert!(by_session == by_options);
    assert!(by_session != at_rest, "the test can fail");
    assert!(by_session != render(&["--session", "normals.json"], "normals.png"), "normals are made anew");
    let by_session = render(&["--session", "wipe.json"], "session.png");
    let options =
        ["--pose", "pose.json", "--method", "dqs", "--compare", "wipe", "--with", "lbs", "--overlay", "distance"];
    let by_options = render(&[&["builtin:figure"], &options[..]].concat(), "options.png");
    assert!(by_session == by_options, "sides, line and painted values too");
    let near = render(&["--session", "near.json"], "near.png");
    assert!(near == render(&["--session", "near.json", "--yaw", "30"], "turned.png"), "a turn does not frame anew");
    assert!(near != render(&["--session", "near.json", "--yaw", "40"], "turned.png"));
}

#[test]
fn limits_are_a_step_of_undo_and_are_not_lost_without_a_question() {
    let mut state = state();
    let arm = node(&state, "LeftLowerArm");
    let locked = JointLimits { axes: [AxisLimit::Locked(0.0); 3], ..JointLimits::default() };
    state.apply(Command::SetLimits { node: arm, limits: locked });
    assert_eq!(
        state.open.history.undo_label(),
        Some("Limit LeftLowerArm X locked at 0°, Y locked at 0°, Z locked at 0°")
    );
    assert!(state.open.saved.is_edited(&state.open.stage) && !state.open.saved.is_pose_edited(&state.open.stage));
    state.apply(Command::Do(Action::Undo));
    assert!(state.open.stage.document.limits.get(arm).is_none() && !state.open.saved.is_edited(&state.open.stage));
    state.apply(Command::Do(Action::Redo));
    assert_eq!(state.apply(Command::Do(Action::Quit)), None, "first a question");
    assert!(
        matches!(state.apply(Command::Answer(ConfirmAnswer::Save)), Some(Request::Window(WindowRequest::PickPath(asked))) if asked.purpose == PathUse::SaveSession)
    );
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        apply(&mut state, Command::UsePath(PathUse::SaveSession, folder.path().join("session.json"))),
        Some(Request::Window(WindowRequest::Quit))
    );
    assert!(!state.open.saved.is_edited(&state.open.stage));
    state.apply(Command::BeginEdit);
    for angle in [0.1, 0.2] {
        let limits = JointLimits { axes: [AxisLimit::Locked(angle), AxisLimit::Free, AxisLimit::Free], ..locked };
        state.apply(Command::SetLimits { node: arm, limits });
    }
    state.apply(Command::CancelEdit);
    assert_eq!(state.open.stage.document.limits.get(arm), Some(&locked), "a drag of a field is cancelled as a whole");
}

#[test]
fn undo_labels_of_several_joints_name_the_edit() {
    let mut state = state();
    let nodes = ["LeftLowerArm", "RightLowerArm", "Head"].map(|name| node(&state, name));
    let edits =
        |user_local: Trs| Command::EditMany(nodes.iter().map(|&node| PosedJoint { node, user_local }).collect());
    let turned = Trs::from_rotation(Quat::from_rotation_x(0.5));
    let moved = Trs { translation: glam::Vec3::X, ..turned };
    let labels: Vec<String> = [turned, moved, Trs { scale: glam::Vec3::splat(2.0), ..moved }, Trs::IDENTITY]
        .into_iter()
        .map(|trs| {
            state.apply(edits(trs));
            state.open.history.undo_label().unwrap().to_owned()
        })
        .collect();
    assert_eq!(labels, ["Rotate 3 joints 29°", "Move 3 joints 1 m", "Scale 3 joints ×2", "Edit 3 joints"]);
}

#[test]
fn a_pose_dropped_with_a_character_is_for_that_one() {
    let folder = tempfile::tempdir().unwrap();
    let pose = folder.path().join("pose.json");
    std::fs::write(&pose, r#"{"version":1,"joints":{"Middle":{"rotation":[1,0,0,0]}}}"#).unwrap();
    let tube = Source::BuiltIn(BuiltIn::Tube);
    let both = || Command::OpenAll(vec![tube.clone()], AfterLoad::Pose(vec![pose.clone()]));
    let mut state = state();
    turn(&mut state, 0.7);
    assert_eq!(state.apply(both()), None, "first a question");
    let Some(Request::Load { source, then, .. }) = state.apply(Command::Answer(ConfirmAnswer::Discard)) else {
        panic!("the character is read");
    };
    assert_eq!((source, &then), (tube.clone(), &AfterLoad::Pose(vec![pose.clone()])));
    assert!(!state.open.stage.pose().is_posed(node(&state, "Head")), "the open one is left alone");
    let Some(Request::Disk(job)) = state.receive(JobResult::Document(Box::new(document(BuiltIn::Tube)), then)) else {
        panic!("its pose is read")
    };
    state.receive(job.run());
    assert!(state.open.stage.pose().is_posed(node(&state, "Middle")));
    assert_eq!(state.open.history.undo_label(), Some("Open pose"));
    let Some(Request::Load { then, .. }) = state.apply(Command::Open(tube)) else { panic!("the character is read") };
    assert_eq!(then, AfterLoad::Show, "what was asked for after it has no pose");
}

fn view_names(state: &AppState) -> Vec<&str> {
    state.open.stage.view.saved.iter().map(|view| view.name.as_str()).collect()
}

#[test]
fn saved_views_and_what_the_camera_goes_with_come_back_with_the_session() {
    let mut state = busy();
    state.apply(Command::Do(Action::SaveView));
    state.apply(Command::Do(Action::ToggleFollow));
    state.apply(Command::Orbit { yaw: 1.0, pitch: 0.0 });
    state.apply(Command::Do(Action::ToggleOrthographic));
    state.apply(Command::Do(Action::SaveView));
    let (json, kept, camera) =
        (state.open.snapshot().session().to_json(), state.open.stage.view.saved.clone(), state.open.stage.view.camera);
    assert_eq!(kept.iter().map(|view| view.follows.as_deref()).collect::<Vec<_>>(), [None, Some("LeftLowerArm")]);
    let mut restored = go_on(Session::parse(json.as_bytes()).unwrap());
    assert_eq!((&restored.open.stage.view.saved, restored.open.stage.view.camera), (&kept, camera));
    assert_eq!(restored.open.stage.camera_tie.joint(), state.open.stage.camera_tie.joint());
    restored.apply(Command::SavedView(SavedViewCommand::Show("View 1".to_owned())));
    assert_eq!((restored.open.stage.view.camera, restored.open.stage.camera_tie.joint()), (kept[0].camera, None));
    restored.apply(Command::SavedView(SavedViewCommand::Show("View 2".to_owned())));
    assert_eq!(
        (restored.open.stage.view.camera, restored.open.stage.camera_tie.joint()),
        (kept[1].camera, state.open.stage.camera_tie.joint())
    );
}

#[test]
fn an_empty_list_of_views_is_no_complaint() {
    let mut json: serde_json::Value = serde_json::from_str(&state().open.snapshot().session().to_json()).unwrap();
    for list in ["views", "pins", "clips_from"] {
        json[list] = serde_json::json!([]);
    }
    let told = go_on(Session::parse(json.to_string().as_bytes()).unwrap()).notices.dismiss().unwrap();
    assert_eq!(told.kind, NoticeKind::Done, "{}", told.text);
}

#[test]
fn saved_views_are_renamed_replaced_and_deleted_and_each_is_a_step_of_undo() {
    let mut state = state();
    let apply = |state: &mut AppState, command| _ = state.apply(Command::SavedView(command));
    for _ in 0..2 {
        state.apply(Command::Do(Action::SaveView));
    }
    apply(&mut state, SavedViewCommand::Rename("View 1".to_owned(), " Face ".to_owned()));
    apply(&mut state, SavedViewCommand::Rename("View 2".to_owned(), "Face".to_owned()));
    assert_eq!(view_names(&state), ["Face", "View 2"], "no two of one name");
    state.apply(Command::Orbit { yaw: 0.4, pitch: 0.0 });
    apply(&mut state, SavedViewCommand::Replace("Face".to_owned()));
    assert_eq!(state.open.stage.view.saved[0].camera, state.open.stage.view.camera);
    apply(&mut state, SavedViewCommand::Delete("View 2".to_owned()));
    assert_eq!((view_names(&state), state.open.history.undo_label()), (vec!["Face"], Some("Delete View 2")));
    for names in [vec!["Face", "View 2"], vec!["Face", "View 2"], vec!["View 1", "View 2"], vec!["View 1"], vec![]] {
        state.apply(Command::Do(Action::Undo));
        assert_eq!(view_names(&state), names);
    }
    (0..5).for_each(|_| _ = state.apply(Command::Do(Action::Redo)));
    assert_eq!(view_names(&state), ["Face"]);
    apply(&mut state, SavedViewCommand::Show("Back".to_owned()));
    let told = state.notices.newest().cloned().unwrap();
    assert_eq!(
        (told.kind, told.text.as_str()),
        (NoticeKind::Warning, "There is no view \"Back\"; the session has Face")
    );
}

#[test]
fn broken_saved_views_are_reported_and_valid_ones_stay() {
    let mut json: serde_json::Value = serde_json::from_str(&busy().open.snapshot().session().to_json()).unwrap();
    let camera = json["camera"].clone();
    let mut flat = camera.clone();
    flat["distance"] = 0.0.into();
    let view = |name: &str, camera: &serde_json::Value| serde_json::json!({"name": name, "camera": camera});
    json["views"] = serde_json::json!([view("Good", &camera), view("Good", &camera), view("Flat", &flat)]);
    json["camera_tie"] = serde_json::json!({"joint": "Tail"});
    let state = go_on(Session::parse(json.to_string().as_bytes()).unwrap());
    assert_eq!((view_names(&state), state.open.stage.camera_tie.joint()), (vec!["Good"], None));
    let told = state.notices.newest().unwrap().text.clone();
    for wanted in ["view \"Good\"", "view \"Flat\"", "\"Tail\""] {
        assert!(told.contains(wanted), "{told}");
    }
}

#[test]
fn restored_session_mentions_a_pose_only_if_there_is_one() {
    let told = |before: &AppState| go_on(before.open.snapshot().session().recovered()).notices.dismiss().unwrap().text;
    let mut before = state();
    before.apply(Command::SetMethod(Method::Dqs));
    assert!(!told(&before).contains("Your pose of"));
    turn(&mut before, 0.4);
    assert!(told(&before).contains("Your pose of"));
}
