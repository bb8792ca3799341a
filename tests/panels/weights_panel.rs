//! Weights in the panels: their source on each side, computing them, and their results.

use crate::program;

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use program::{Program, program, program_with, texts_painted};
use rigscope::analysis::lint::Code;
use rigscope::import::Job;
use rigscope::rig::{Influences, Rig, RigData};
use rigscope::skinning::Method;
use rigscope::stage::{
    BendTestPlan, BuiltIn, ChoiceState, Derived, DerivedKind, Document, RigChoice, Source, WeightProblemPlan,
    WeightStatisticsPlan,
};
use rigscope::state::{Action, Command, JobResult, PathUse, SidePanel};
use rigscope::view::{Overlay, Side};
use rigscope::weights::{Recipe, Repair, WeightChoice, Weighting};

type Hands = Harness<'static, Program>;

fn hands() -> Hands {
    let mut hands = program(BuiltIn::Tube);
    act(&mut hands, Command::SetSidePanel(SidePanel::Compare));
    hands
}

fn act(hands: &mut Hands, command: Command) {
    hands.state_mut().apply(command);
    hands.run();
}

fn click(hands: &mut Hands, label: &str) {
    hands.get_by_label(label).click();
    settle(hands);
}

/// Runs only a few frames, because a spinner requests frames forever while something is computed.
fn settle(hands: &mut Hands) {
    hands.run_steps(8);
}

fn made(hands: &mut Hands) {
    hands.state_mut().state.open.stage.compute_pending(&Job::default());
    hands.state_mut().state.open.stage.refresh();
    hands.run();
}

fn choice(hands: &Hands, side: Side) -> WeightChoice {
    hands.state().state.open.stage.view.sides[side].weights.clone()
}

fn recipe(hands: &Hands, side: Side) -> Recipe {
    let WeightChoice::Computed(recipe) = choice(hands, side) else { panic!("the file's weights") };
    recipe
}

fn says(hands: &Hands, text: &str) -> bool {
    texts_painted(hands).iter().any(|painted| painted.contains(text))
}

#[test]
fn weights_of_a_side_are_chosen_waited_for_and_taken_back() {
    let mut hands = hands();
    click(&mut hands, "Weights of B");
    click(&mut hands, Weighting::Rigid.spec().title);
    assert_eq!(recipe(&hands, Side::B).weighting, Weighting::Rigid);
    assert!(choice(&hands, Side::A).is_file() && says(&hands, "The file's weights are shown meanwhile"));
    made(&mut hands);
    assert!(says(&hands, "Computed in ") && hands.state().state.open.stage.weighted(Side::B).is_some());
    act(&mut hands, Command::Do(Action::Undo));
    assert!(choice(&hands, Side::B).is_file());
}

#[test]
fn cancelled_weights_are_undone_and_failed_ones_can_be_retried() {
    let mut hands = hands();
    click(&mut hands, "Weights of A");
    click(&mut hands, Weighting::Closest.spec().title);
    click(&mut hands, "Cancel the weights of A");
    assert!(choice(&hands, Side::A).is_file() && !says(&hands, "The file's weights are shown meanwhile"));
    act(&mut hands, Command::UsePath(PathUse::TransferWeights(Side::A), "nowhere.glb".into()));
    made(&mut hands);
    assert!(says(&hands, "The file's weights are shown."));
    click(&mut hands, "Compute the weights of A again");
    assert!(matches!(WeightChoice::state(&hands.state().state.open.stage, Side::A), ChoiceState::Awaited));
}

#[test]
fn settings_of_a_recipe_are_steps_of_their_own_and_stay_with_another_method() {
    let mut hands = hands();
    act(&mut hands, Command::SetWeights(Side::A, WeightChoice::Computed(Recipe::default())));
    made(&mut hands);
    click(&mut hands, "Weight settings");
    let arm = hands.state().node("Near");
    act(&mut hands, Command::Select(Some(arm)));
    for label in [
        "Cells of A: 128",
        "Smoothing of A: 2",
        "Prune under of A: 0.01",
        "Influences of A: All",
        "Symmetric weights of A",
        "Leave out Near",
    ] {
        click(&mut hands, label);
        made(&mut hands);
    }
    let kept = recipe(&hands, Side::A);
    let refinement = kept.refinement;
    assert_eq!((kept.cells, kept.left_out.as_deref()), (Some(128), Some(&["Near".to_owned()][..])));
    assert_eq!(
        (refinement.smoothing, refinement.prune, refinement.max, refinement.is_symmetric),
        (2, 0.01, None, true)
    );
    assert_eq!(hands.state().state.open.history.len(), 7);
    click(&mut hands, "Include Near on A");
    assert_eq!(recipe(&hands, Side::A).left_out, Some(Vec::new()));
    made(&mut hands);
    click(&mut hands, "Weights of A");
    click(&mut hands, Weighting::Rigid.spec().title);
    assert_eq!(recipe(&hands, Side::A).refinement, refinement);
}

#[test]
fn the_palette_knows_the_weights_of_each_side() {
    let mut hands = hands();
    hands.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
    hands.run();
    hands.event(egui::Event::Text("weights of b: rigid".to_owned()));
    hands.run();
    hands.key_press(Key::Enter);
    settle(&mut hands);
    assert_eq!(recipe(&hands, Side::B).weighting, Weighting::Rigid);
}

#[test]
fn overlay_shows_the_weights_of_its_side() {
    let mut hands = hands();
    act(
        &mut hands,
        Command::SetWeights(
            Side::B,
            WeightChoice::Computed(Recipe { weighting: Weighting::Rigid, ..Recipe::default() }),
        ),
    );
    made(&mut hands);
    let values = |hands: &mut Hands, overlay: Overlay| {
        let near = hands.state().node("Near");
        act(hands, Command::Select(Some(near)));
        for side in Side::ALL {
            act(hands, Command::SetOverlay(side, Some(overlay)));
        }
        hands.state_mut().measure();
        Side::ALL.map(|side| {
            let painted = &hands
                .state()
                .state
                .open
                .stage
                .measured
                .painted(&hands.state().state.open.stage.view, side)
                .unwrap()
                .values;
            let rigscope::view::Values::Scalars { parts, .. } = &**painted else { panic!("colours") };
            parts.concat()
        })
    };
    let [a, b] = values(&mut hands, Overlay::Weight);
    assert!(b.iter().all(|w| *w == 0.0 || *w == 1.0) && a.iter().any(|w| *w > 0.1 && *w < 0.9));
    let [a, b] = values(&mut hands, Overlay::WeightDifference);
    assert!(a == b && a.iter().any(|d| *d > 0.1) && a.iter().all(|d| (0.0..=2.0).contains(d)));
    let [a, b] = values(&mut hands, Overlay::WeightSteepness);
    let most = |values: &[f32]| values.iter().copied().fold(0.0, f32::max);
    assert!(most(&b) > 1.5 * most(&a), "a rigid change is as steep as can be: {} {}", most(&a), most(&b));
}

#[test]
fn weights_chosen_on_b_offer_their_difference_and_the_legend_names_it() {
    let mut hands = program(BuiltIn::Tube);
    act(&mut hands, Command::SetSidePanel(SidePanel::Compare));
    assert!(hands.query_by_label("Show weight difference").is_none());
    let rigid = WeightChoice::Computed(Recipe { weighting: Weighting::Rigid, ..Recipe::default() });
    act(&mut hands, Command::SetWeights(Side::B, rigid));
    made(&mut hands);
    for title in ["Weight difference", "Nothing"] {
        hands.get_by_label("Show weight difference").click();
        hands.run();
        let chosen = |side: &str| hands.get_by_label(&format!("Overlay on {side}")).value();
        assert_eq!(["A", "B"].map(chosen), [Some(title.to_owned()), Some(title.to_owned())]);
    }
    assert!(hands.state().state.open.history.undo_label().unwrap().starts_with("Weights of B"), "a preview is no step");
}

#[test]
fn numbers_of_both_sides_stand_beside_each_other_and_a_click_selects_the_joint() {
    let mut hands = program(BuiltIn::Tube);
    act(&mut hands, Command::SetSidePanel(SidePanel::Skin));
    let rigid = WeightChoice::Computed(Recipe { weighting: Weighting::Rigid, ..Recipe::default() });
    act(&mut hands, Command::SetWeights(Side::B, rigid));
    made(&mut hands);
    click(&mut hands, "Weight statistics");
    for _ in Side::ALL {
        let wanted = DerivedKind::new::<WeightStatisticsPlan>().wanted(&hands.state().state.open.stage).unwrap();
        hands.state_mut().receive(JobResult::Derived(wanted.run(&Job::default())));
    }
    settle(&mut hands);
    assert!(
        WeightStatisticsPlan::wanted(&hands.state().state.open.stage).is_none() && says(&hands, "Influences, mean")
    );
    let energies =
        Side::ALL.map(|side| hands.state().state.open.stage.side_value::<WeightStatisticsPlan>(side).unwrap().energy);
    assert!(energies.iter().all(|energy| says(&hands, &format!("{energy:.1}"))) && energies[0] < energies[1]);
    let rows = |hands: &Hands| {
        let rows = hands.query_all_by_label_contains(", moves ");
        let mut rows: Vec<(f32, String)> =
            rows.map(|row| (row.rect().top(), row.accesskit_node().label().unwrap())).collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>()
    };
    let by_name = rows(&hands);
    assert!(by_name.is_sorted() && by_name.len() == 4, "{by_name:?}");
    click(&mut hands, "Sort by Joint");
    assert!(rows(&hands).iter().eq(by_name.iter().rev()));
    click(&mut hands, &by_name[0]);
    let selected = hands.state().state.open.stage.view.active_joint().unwrap();
    assert!(by_name[0].starts_with(hands.state().state.open.stage.rig().hierarchy.name(selected)));
    click(&mut hands, "Copy as CSV");
    click(&mut hands, "Copy as JSON");
    let copied = &hands.state().copied;
    assert!(copied[0].starts_with("joint,vertices,") && copied[0].lines().count() == 5);
    assert!(copied[1].contains("\"file\":\"builtin:tube\""), "{}", copied[1]);
}

#[test]
fn a_finding_about_weights_is_put_right_by_a_button() {
    let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    let mut meshes = tube.rig.meshes.clone();
    for primitive in meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let count = primitive.positions.len();
        primitive.influences = Some(Influences::new(2, vec![1; 2 * count], vec![0.5; 2 * count]));
    }
    let rig = Arc::new(Rig::new(RigData { meshes, ..RigData::clone(&tube.rig) }));
    let mut hands = program_with(Document { rig, ..tube });
    hands.state_mut().lint();
    let twice =
        hands.state().state.open.stage.lint.list().iter().position(|finding| finding.code == Code::RepeatedJoint);
    act(&mut hands, Command::SetSidePanel(SidePanel::Lint));
    act(&mut hands, Command::SelectFinding(twice));
    click(&mut hands, "Fix");
    assert_eq!(choice(&hands, Side::A), WeightChoice::Repaired(vec![Repair::Merge]));
    made(&mut hands);
    let own = hands.state().state.open.stage.actor(Side::A).rig.meshes[0].primitives[0].influences.clone().unwrap();
    assert!((0..own.len()).all(|vertex| own.vertex(vertex).filter(|(_, weight)| *weight > 0.0).eq([(1, 1.0)])));
    assert!(says(&hands, "Fixed on side A"));
    assert!(hands.state().state.can(Action::ExportWeights));
    act(&mut hands, Command::Do(Action::Undo));
    assert!(choice(&hands, Side::A).is_file() && !hands.state().state.can(Action::ExportWeights));
}

/// Returns the tube with two faults: the vertices at each end follow the joint of the other end.
fn faulty_tube() -> Document {
    let tube = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).expect("the tube opens");
    let mut meshes = tube.rig.meshes.clone();
    let primitive = &mut meshes[0].primitives[0];
    let own = primitive.influences.clone().expect("the tube has weights");
    let along = (primitive.positions[0] - primitive.positions[own.len() - 1]).abs().max_position();
    let by_place = |a: &usize, b: &usize| primitive.positions[*a][along].total_cmp(&primitive.positions[*b][along]);
    let ends = [(0..own.len()).min_by(by_place).expect("vertices"), (0..own.len()).max_by(by_place).expect("vertices")];
    let (mut joints, mut weights) = (own.joints().to_vec(), own.weights().to_vec());
    for [end, other] in [ends, [ends[1], ends[0]]] {
        for vertex in (0..own.len()).filter(|&vertex| primitive.positions[vertex] == primitive.positions[end]) {
            let slots = vertex * own.per_vertex()..(vertex + 1) * own.per_vertex();
            joints[slots.clone()].fill(own.vertex(other).next().expect("an influence").0 as u16);
            weights[slots.clone()].fill(0.0);
            weights[slots.start] = 1.0;
        }
    }
    primitive.influences = Some(Influences::new(own.per_vertex(), joints, weights));
    let rig = Arc::new(Rig::new(RigData { meshes, ..RigData::clone(&tube.rig) }));
    Document { rig, ..tube }
}

#[test]
fn weight_problem_is_shown_in_its_worst_pose_and_the_old_pose_returns() {
    let mut hands = program_with(faulty_tube());
    act(&mut hands, Command::SetSidePanel(SidePanel::Compare));
    let near = hands.state().node("Near");
    let user_local = rigscope::rig::Trs::from_rotation(glam::Quat::from_rotation_x(0.2));
    act(&mut hands, Command::Edit { node: near, user_local });
    let (before, steps) = (hands.state().state.open.stage.pose().clone(), hands.state().state.open.history.len());
    click(&mut hands, "Weight problems");
    let wanted = DerivedKind::new::<WeightProblemPlan>().wanted(&hands.state().state.open.stage).unwrap();
    let done = wanted.run(&Job::default());
    hands.state_mut().receive(JobResult::Derived(done));
    settle(&mut hands);
    assert!(
        DerivedKind::new::<WeightProblemPlan>().wanted(&hands.state().state.open.stage).is_none(),
        "both sides have one rig"
    );
    let rows = |hands: &Hands| {
        let rows = hands.query_all_by_label_contains(" On A");
        rows.map(|row| row.accesskit_node().label().unwrap()).collect::<Vec<_>>()
    };
    let all = rows(&hands);
    assert!(all.len() >= 2, "{all:?}");
    for (index, row) in all[..2].iter().enumerate() {
        click(&mut hands, row);
        let open = &hands.state().state.open;
        let problem = &open.stage.side_value::<WeightProblemPlan>(Side::A).unwrap().list[index];
        assert_eq!(*open.stage.pose(), problem.pose(open.stage.rig()));
        assert_eq!(open.stage.view.marked.len(), problem.primitives.len());
        assert_eq!(open.stage.view.active_joint(), problem.joints.first().copied());
        assert_eq!(open.history.len(), steps + 1, "from one region to the next is one step");
    }
    act(&mut hands, Command::Do(Action::Undo));
    assert_eq!(*hands.state().state.open.stage.pose(), before);
    click(&mut hands, &all[0]);
    assert_ne!(*hands.state().state.open.stage.pose(), before);
    click(&mut hands, &all[0]);
    let open = &hands.state().state.open;
    assert!(
        *open.stage.pose() == before
            && open.stage.view.marked.is_empty()
            && open.stage.view.selected_weight_problem(Side::A).is_none()
    );
}

#[test]
fn a_row_of_the_bend_test_shows_its_pose_and_returns() {
    let mut hands = program_with(faulty_tube());
    let before = hands.state().state.open.stage.pose().clone();
    act(&mut hands, Command::Do(Action::TestBend));
    settle(&mut hands);
    assert!(hands.query_by_label("Cancel the bend test").is_some());
    let wanted = DerivedKind::new::<BendTestPlan>().wanted(&hands.state().state.open.stage).unwrap();
    let done = wanted.run(&Job::default());
    hands.state_mut().receive(JobResult::Derived(done));
    settle(&mut hands);
    assert!(says(&hands, "A: LBS") && !says(&hands, "From before the last change"));
    let rows: Vec<String> =
        hands.query_all_by_label_contains(": stretch ").map(|row| row.accesskit_node().label().unwrap()).collect();
    assert!(rows.len() >= 2 && rows[0].contains("limit 8.0 times"), "{rows:?}");
    click(&mut hands, &rows[0]);
    assert_ne!(*hands.state().state.open.stage.pose(), before);
    click(&mut hands, &rows[0]);
    assert_eq!(*hands.state().state.open.stage.pose(), before);
    act(&mut hands, Command::SetSkinning(Side::A, Method::Dqs.into()));
    settle(&mut hands);
    assert!(says(&hands, "From before the last change"));
    act(&mut hands, Command::Do(Action::TestBend));
    click(&mut hands, "Cancel the bend test");
    assert!(DerivedKind::new::<BendTestPlan>().wanted(&hands.state().state.open.stage).is_none());
}

#[test]
fn weight_problems_appear_in_lint_after_the_search_with_the_same_text() {
    let mut hands = program_with(faulty_tube());
    hands.state_mut().lint();
    act(&mut hands, Command::SetSidePanel(SidePanel::Lint));
    assert!(
        says(&hands, "Weight problems")
            && DerivedKind::new::<WeightProblemPlan>().wanted(&hands.state().state.open.stage).is_none()
    );
    click(&mut hands, "Find weight problems");
    let done =
        DerivedKind::new::<WeightProblemPlan>().wanted(&hands.state().state.open.stage).unwrap().run(&Job::default());
    hands.state_mut().receive(JobResult::Derived(done));
    settle(&mut hands);
    let rows = |hands: &Hands| {
        let rows = hands.query_all_by_label_contains(" On A");
        rows.map(|row| row.accesskit_node().label().unwrap()).collect::<Vec<_>>()
    };
    let in_lint = rows(&hands);
    act(&mut hands, Command::SetSidePanel(SidePanel::Compare));
    click(&mut hands, "Weight problems");
    assert!(!in_lint.is_empty() && rows(&hands) == in_lint);
    act(&mut hands, Command::SetSidePanel(SidePanel::Lint));
    click(&mut hands, &in_lint[0]);
    let open = &hands.state().state.open;
    let problem = open.stage.side_value::<WeightProblemPlan>(Side::A).unwrap().list[0].clone();
    assert_eq!(*open.stage.pose(), problem.pose(open.stage.rig()));
    assert_eq!(open.stage.view.selected_weight_problem(Side::A), Some(0));
    // The vertices of the problem can be selected for editing.
    act(&mut hands, Command::Do(Action::ToggleWeightEditing));
    hands.state_mut().prepare_edit();
    act(&mut hands, Command::Do(Action::SelectFindingVertices));
    let open = &hands.state().state.open;
    let mesh = open.stage.editing.mesh().unwrap();
    let vertices = problem.primitives.iter().flat_map(|(part, list)| list.first().iter().map(move |v| (part, *v)));
    let of_region: std::collections::BTreeSet<u32> = vertices
        .map(|(part, vertex)| {
            let placed = &open.stage.rig().instances[part.instance];
            mesh.primitive_points(placed.mesh, part.primitive).nth(vertex as usize).unwrap()
        })
        .collect();
    assert!(open.stage.editing.selected().iter().eq(of_region));
    act(&mut hands, Command::Do(Action::Undo));
    assert!(!hands.state().state.open.stage.pose().is_any_posed(), "undo takes the pose back");
}

#[test]
fn notes_of_refined_weights_are_shown_in_full() {
    let mut hands = hands();
    let refinement = rigscope::weights::WeightRefinement { is_symmetric: true, ..Default::default() };
    act(&mut hands, Command::SetWeights(Side::A, WeightChoice::Refined(refinement)));
    made(&mut hands);
    let note = hands.state().state.open.stage.weighted(Side::A).unwrap().notes[0].clone();
    assert!(says(&hands, &note), "{note}");
}

#[test]
fn weights_are_edited_by_hand_in_the_skin_panel() {
    let mut hands = program(BuiltIn::Tube);
    hands.key_press(Key::V);
    settle(&mut hands);
    assert!(hands.state().state.open.stage.editing.is_on && says(&hands, "Preparing the mesh."));
    hands.state_mut().prepare_edit();
    settle(&mut hands);
    assert!(says(&hands, "Click the skin"));
    click(&mut hands, Action::InvertVertices.spec().name);
    let count = hands.state().state.open.stage.editing.vertices();
    assert!(count > 1000 && says(&hands, "vertices selected") && says(&hands, "Mean weight by joint"));
    let middle = hands.state().node("Middle");
    act(&mut hands, Command::Select(Some(middle)));
    click(&mut hands, "Lock Near");
    assert_eq!(hands.state().state.open.stage.editing.locked.len(), 1);
    click(&mut hands, "Locked Near");
    click(&mut hands, Action::RigidToJoint.spec().name);
    assert!(choice(&hands, Side::A).title().ends_with(" edited") && says(&hands, "Edited so far: "));
    act(&mut hands, Command::Do(Action::Undo));
    assert!(choice(&hands, Side::A).is_file());
    act(&mut hands, Command::SetSidePanel(SidePanel::Compare));
    click(&mut hands, "Weights of B");
    assert!(hands.query_by_label("Transfer weights from file…").is_some());
    assert!(hands.query_by_label("Compare with file…").is_some());
}
