//! Tests that overlays shown for a while give way to the chosen ones, and that only these are saved.

use std::path::Path;

use crate::analysis::sides::measure;
use crate::export::rig_glb;
use crate::import::Job;
use crate::jobs::Progress;
use crate::rig::{Influences, NodeIndex, Rig, RigData};
use crate::skinning::Skinner;
use crate::stage::{BuiltIn, ChangePlan, ChangeState, DerivedKind, Document, MeasurePlan, Preview, Session};
use crate::state::tour::STEPS;
use crate::state::{Action, AfterLoad, AppState, Choices, Command, JobResult, PathUse, Settings, SidePanel};
use crate::view::{Layout, Overlay, PerSide, Shading, ShadingMode, Side, Values};
use crate::weights::{Recipe, WeightChoice, Weighting};

fn state() -> AppState {
    AppState::new(Document::built_in(BuiltIn::Tube), Settings::default())
}

fn joint(state: &AppState) -> NodeIndex {
    state.open.stage.rig().skins[0].joints[1]
}

/// Returns the overlays that A and B show.
fn shown(state: &mut AppState) -> [Option<Overlay>; 2] {
    state.open.stage.refresh();
    Side::ALL.map(|side| state.open.stage.view.overlay(side))
}

fn edited() -> AppState {
    let mut state = state();
    state.apply(Command::SetOverlay(Side::A, Some(Overlay::AreaStretch)));
    state.apply(Command::SetRange(&[Side::A], Some([-1.0, 1.0])));
    state.apply(Command::Do(Action::ToggleWeightEditing));
    state
}

const WEIGHT: [Option<Overlay>; 2] = [Some(Overlay::Weight), None];
const CHOSEN: [Option<Overlay>; 2] = [Some(Overlay::AreaStretch), None];

#[test]
fn the_weights_of_the_chosen_joint_are_seen_while_weights_are_edited() {
    let mut state = edited();
    assert_eq!(shown(&mut state), CHOSEN, "no joint is chosen");
    state.apply(Command::Select(Some(joint(&state))));
    assert_eq!(shown(&mut state), WEIGHT);
    assert_eq!(state.open.stage.view.range(Side::A), None);
    let choices = Choices::from_stage(&state.open.stage);
    assert_eq!(choices.sides.a.options.overlay, CHOSEN[0], "which undo and sessions keep");
    assert_eq!(state.open.stage.still().view.overlay(Side::A), CHOSEN[0], "which exports show");
    assert_eq!(state.open.stage.pictured().view.overlay(Side::A), WEIGHT[0], "which images of the viewport show");
    state.apply(Command::Select(None));
    assert_eq!(shown(&mut state), CHOSEN);
    state.apply(Command::Select(Some(joint(&state))));
    state.apply(Command::Do(Action::Undo));
    assert_eq!(shown(&mut state), WEIGHT, "only the range was undone");
    state.apply(Command::Do(Action::ClearSelection));
    assert!(!state.open.stage.editing.is_on, "Esc leaves the mode");
    assert_eq!(shown(&mut state), CHOSEN);
    state.apply(Command::Do(Action::Redo));
    assert_eq!(state.open.stage.view.range(Side::A), Some([-1.0, 1.0]));
}

#[test]
fn a_reload_keeps_the_preview_and_another_file_ends_it() {
    let mut state = edited();
    state.apply(Command::Select(Some(joint(&state))));
    let document = || Box::new(Document::built_in(BuiltIn::Tube));
    state.receive(JobResult::Document(document(), AfterLoad::Reload { is_asked: true }));
    assert_eq!(shown(&mut state), WEIGHT);
    state.receive(JobResult::Document(document(), AfterLoad::Show));
    assert_eq!(shown(&mut state), CHOSEN, "no joint is chosen there");
    state.apply(Command::Select(Some(joint(&state))));
    assert_eq!(shown(&mut state), WEIGHT, "weights are still edited");
}

#[test]
fn an_overlay_chosen_by_hand_wins_until_weights_are_edited_again() {
    let mut state = edited();
    state.apply(Command::Select(Some(joint(&state))));
    state.apply(Command::SetOverlay(Side::B, Some(Overlay::Distance)));
    assert_eq!(shown(&mut state), [WEIGHT[0], Some(Overlay::Distance)], "the other side's is no objection");
    state.apply(Command::Shade(Shading::Mode(ShadingMode::Textured)));
    assert_eq!(shown(&mut state), [None; 2]);
    state.apply(Command::Do(Action::Undo));
    assert_eq!(shown(&mut state)[0], CHOSEN[0]);
    for _ in 0..2 {
        state.apply(Command::Do(Action::ToggleWeightEditing));
    }
    assert_eq!(shown(&mut state)[0], WEIGHT[0]);
    state.apply(Command::SetRange(&[Side::A], Some([0.0, 0.5])));
    state.apply(Command::Do(Action::ToggleWeightEditing));
    assert_eq!(shown(&mut state)[0], WEIGHT[0], "who sets its range chooses it");
    assert_eq!(state.open.stage.view.range(Side::A), Some([0.0, 0.5]));
}

/// Writes the tube with every vertex rigid to its heaviest joint, one vertex moved, and the triangles in another order.
fn write_changed(path: &Path) {
    let Document { rig, .. } = Document::built_in(BuiltIn::Tube);
    let mut parts: RigData = (**rig).clone();
    let primitive = &mut parts.meshes[0].primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    let heaviest = (0..influences.len()).map(|vertex| influences.vertex(vertex).next().unwrap().0 as u16).collect();
    primitive.influences = Some(Influences::new(1, heaviest, vec![1.0; influences.len()]));
    primitive.positions[7].x += 0.02;
    primitive.indices.rotate_right(3);
    rig_glb(&Rig::new(parts), &Progress::default()).unwrap().write(path).unwrap();
}

fn comparing(path: &Path) -> AppState {
    let mut state = state();
    state.apply(Command::UsePath(PathUse::CompareWith, path.to_owned()));
    assert_eq!(state.open.stage.compute_pending(&Job::default()), [""; 0]);
    let changes = DerivedKind::new::<ChangePlan>().wanted(&state.open.stage).unwrap();
    state.receive(JobResult::Derived(changes.run(&Job::default())));
    state.open.stage.refresh();
    state
}

fn selected_change(state: &AppState) -> Option<usize> {
    if let ChangeState::Found(_, selected) = ChangeState::new(&state.open.stage) { selected } else { None }
}

/// Returns the index of the first change of a kind.
fn change(state: &AppState, kind: &str) -> usize {
    let ChangeState::Found(diff, _) = ChangeState::new(&state.open.stage) else {
        panic!("{:?}", ChangeState::new(&state.open.stage))
    };
    let index = diff.changes.iter().position(|change| change.kind.name() == kind && change.place.is_some());
    index.unwrap_or_else(|| panic!("no {kind}: {:?}", diff.changes))
}

#[test]
fn a_selected_change_shows_the_difference_that_it_is_about() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.glb");
    write_changed(&path);
    let mut state = comparing(&path);
    let both = |overlay| [Some(overlay); 2];
    state.apply(Command::ShowChange(Some(change(&state, "vertices moved"))));
    assert_eq!(shown(&mut state), both(Overlay::Distance));
    state.apply(Command::ShowChange(Some(change(&state, "weights"))));
    assert_eq!(shown(&mut state), both(Overlay::WeightDifference));
    state.apply(Command::ShowChange(None));
    assert_eq!(shown(&mut state), [None; 2]);
    let leave: [fn(&mut AppState); 3] = [
        |state| _ = state.apply(Command::Do(Action::ClearSelection)),
        |state| _ = state.apply(Command::SetSidePanel(SidePanel::Skin)),
        |state| _ = state.apply(Command::Do(Action::Undo)),
    ];
    for leave in leave {
        state.apply(Command::SetSidePanel(SidePanel::Changes));
        state.apply(Command::ShowChange(Some(change(&state, "weights"))));
        assert_eq!(shown(&mut state), both(Overlay::WeightDifference));
        leave(&mut state);
        assert_eq!((shown(&mut state), selected_change(&state)), ([None; 2], None));
    }
}

#[test]
fn the_weights_of_two_files_are_compared_vertex_by_vertex() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.glb");
    write_changed(&path);
    let mut state = comparing(&path);
    state.apply(Command::ShowChange(Some(change(&state, "weights"))));
    state.open.stage.refresh();
    let stage = &state.open.stage;
    let skinner = |side| Skinner::new(&stage.actor(side).rig, &stage.skinning_on(side)).unwrap().into();
    let measured = measure(&MeasurePlan::new(stage).job(PerSide::from_fn(skinner), 1), &Progress::default()).unwrap();
    for side in Side::ALL {
        let Values::Scalars { parts, .. } = &*measured.overlays[side].as_ref().unwrap().values else { panic!() };
        let rig = &stage.actor(side).rig;
        assert_eq!(parts[0].len(), rig.vertex_count());
        let [least, most] = measured.extremes[side].unwrap();
        assert!(least < 0.01 && (0.5..=1.1).contains(&most), "{least} to {most}");
    }
}

#[test]
fn weights_chosen_on_b_offer_their_difference() {
    let mut state = state();
    assert!(!state.open.stage.view.has_weight_difference());
    let rigid = WeightChoice::Computed(Recipe { weighting: Weighting::Rigid, ..Recipe::default() });
    state.apply(Command::SetWeights(Side::B, rigid));
    assert!(state.open.stage.view.has_weight_difference());
    assert_eq!(shown(&mut state), [None; 2], "which is only offered");
    state.apply(Command::ShowWeightDifference(true));
    assert_eq!(shown(&mut state), [Some(Overlay::WeightDifference); 2]);
    state.apply(Command::ShowWeightDifference(false));
    assert_eq!(shown(&mut state), [None; 2]);
    state.apply(Command::ShowWeightDifference(true));
    state.apply(Command::SetWeights(Side::B, WeightChoice::File));
    assert_eq!(shown(&mut state), [None; 2]);
    assert_ne!(state.open.stage.previews.shown(), Some(Preview::WeightDifference));
}

#[test]
fn the_range_of_a_shared_legend_keeps_the_difference_on_both_sides() {
    let mut state = state();
    state.apply(Command::SetLayout(Layout::Wipe));
    state.apply(Command::SetOverlay(Side::B, Some(Overlay::AreaStretch)));
    state.apply(Command::SetWeights(Side::B, WeightChoice::Computed(Recipe::default())));
    state.apply(Command::ShowWeightDifference(true));
    assert_eq!(shown(&mut state), [Some(Overlay::WeightDifference); 2]);
    state.apply(Command::SetRange(&[Side::A, Side::B], Some([0.0, 0.5])));
    assert_eq!(shown(&mut state), [Some(Overlay::WeightDifference); 2]);
    assert_eq!(Side::ALL.map(|side| state.open.stage.view.range(side)), [Some([0.0, 0.5]); 2]);
}

#[test]
fn a_preview_without_an_overlay_hides_none() {
    let mut state = state();
    state.apply(Command::SetWeights(Side::B, WeightChoice::Computed(Recipe::default())));
    state.apply(Command::ShowWeightDifference(true));
    state.apply(Command::Do(Action::ToggleWeightEditing));
    assert_eq!(shown(&mut state), [Some(Overlay::WeightDifference); 2], "no joint is chosen");
    assert_eq!(state.open.stage.previews.shown(), Some(Preview::WeightDifference));
}

#[test]
fn a_session_with_selected_vertices_edits_weights_and_does_not_probe() {
    let mut state = edited();
    state.apply(Command::Select(Some(joint(&state))));
    let json = state.open.snapshot().session().to_json();
    let vertices = r#""edit_weights":{"vertices":[{"mesh":0,"name":"Tube","primitive":0,"runs":[[0,2]]}]}"#;
    let json = json.replacen('{', &format!("{{{vertices},"), 1);
    let session = Session::parse(json.as_bytes()).unwrap();
    let mut again = self::state();
    again.apply(Command::Do(Action::ToggleProbe));
    again.open.restore_session(&session);
    assert!(again.open.stage.editing.is_on && !again.open.stage.probes.is_on);
    assert_eq!(shown(&mut again), WEIGHT);
}

#[test]
fn steps_of_the_tour_show_their_own_overlay() {
    let mut state = edited();
    state.apply(Command::Select(Some(joint(&state))));
    let step = STEPS.iter().find(|step| step.overlay.is_some_and(|overlay| overlay != Overlay::Weight)).unwrap();
    state.open.take_tour_step(step);
    assert_eq!(state.open.stage.view.overlay(Side::A), step.overlay);
}
