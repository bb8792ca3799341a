//! The lint panel, operated by widget names.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::program;

use std::collections::BTreeSet;

use common::character::{Character, vertex};
use egui::epaint::text::ByteRangeExt as _;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use program::{Program, texts_painted};
use rigscope::analysis::lint::{Finding, SuppressedFinding, Target};
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::project::findings;
use rigscope::skinning::{RigSkinning, SkinPose};
use rigscope::stage::{BuiltIn, DerivedResult, Document, LintResult, LintStatus, Source};
use rigscope::state::{Action, AfterLoad, Command, JobResult, SidePanel};
use rigscope::view::{Overlay, Side, Values};
use rigscope::weights::{Repair, WeightChoice};
use serde_json::json;

fn selected(program: &Program) -> Option<&str> {
    program.state.open.stage.view.active_joint().map(|n| program.state.open.stage.rig().hierarchy.name(n))
}

fn document(character: Character) -> Document {
    let imported = import_bytes(&character.builder().build(), &Job::default()).unwrap();
    Document::new(Source::File("faulty.glb".into()), imported.rig, imported.warnings)
}

/// Returns a character with an error, two warnings and a note.
fn faulty() -> Document {
    let mut character = Character::default();
    character.weigh(0, [0; 4], [2.0, 0.0, 0.0, 0.0]);
    character.weigh(vertex(22, 0), [3, 0, 0, 0], [0.7, 0.3, 0.0, 0.0]);
    character.nodes[5]["scale"] = json!([1, 2, 1]);
    character.nodes[0]["translation"] = json!([1, 0, 0]);
    document(character)
}

fn program(document: Document) -> Harness<'static, Program> {
    let mut program = Program { lints: true, ..Program::new(document) };
    program.lint();
    program.harness([1440.0, 900.0])
}

fn press(harness: &mut Harness<'_, Program>, key: Key) {
    harness.key_press(key);
    harness.run();
}

fn click(harness: &mut Harness<'_, Program>, label: &str) {
    harness.get_by_label_contains(label).click();
    harness.run();
}

#[test]
fn failed_lint_is_reported_and_can_be_retried() {
    let mut harness = Program::new(faulty()).harness([1440.0, 900.0]);
    harness.state_mut().apply(Command::SetSidePanel(SidePanel::Lint));
    let rig = harness.state().state.open.stage.rig().clone();
    assert!(harness.state().state.open.stage.lint.is_awaited(&harness.state().state.open.stage.requests));
    harness.state_mut().receive(JobResult::Derived(DerivedResult::findings(rig, None)));
    harness.run();
    assert!(harness.query_by_label_contains("was stopped").is_some());
    assert!(
        !harness.state().state.open.stage.lint.is_awaited(&harness.state().state.open.stage.requests),
        "nobody begins it again"
    );
    click(&mut harness, "Re-run");
    assert!(harness.state().state.open.stage.lint.is_awaited(&harness.state().state.open.stage.requests));
    assert!(harness.query_by_label_contains("Checking this file").is_some());
}

#[test]
fn findings_are_counted_on_the_tab_and_in_the_status_bar_and_stand_over_nothing() {
    let mut harness = program(faulty());
    assert!(harness.query_by_label("Lint 4").is_some(), "the tab counts them");
    assert!(harness.query_by_label_contains("RIG010").is_none(), "no text appears twice");
    harness.get_by_label_contains("4 findings").click();
    harness.run();
    assert!(harness.state().shows(SidePanel::Lint));
    assert!(harness.query_by_label_contains("RIG010").is_some());
    press(&mut harness, Key::L);
    assert!(harness.state().shows(SidePanel::Joint), "the key goes back");
}

/// Returns the messages of findings that are struck out.
fn struck_out(harness: &Harness<'_, Program>) -> Vec<String> {
    fn texts(shape: &egui::Shape, found: &mut Vec<String>) {
        match shape {
            egui::Shape::Text(text) => {
                let job = &text.galley.job;
                let struck = job.sections.iter().filter(|section| section.format.strikethrough != egui::Stroke::NONE);
                found.extend(struck.map(|section| job.text[section.byte_range.as_usize()].to_owned()));
            }
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut found));
    found
}

fn make_weights(harness: &mut Harness<'_, Program>) {
    harness.state_mut().state.open.stage.compute_pending(&Job::default());
    harness.state_mut().state.open.stage.refresh();
    harness.run();
}

#[test]
fn fixed_findings_are_struck_through_and_not_counted() {
    let mut harness = program(faulty());
    harness.state_mut().apply(Command::SetSidePanel(SidePanel::Lint));
    harness.run();
    let says = |harness: &Harness<'_, Program>, text: &str| texts_painted(harness).iter().any(|said| said == text);
    let is_as_in_the_file = |harness: &Harness<'_, Program>| {
        let counts = ["Lint 4", "⛔ 4 findings"].iter().all(|label| harness.query_by_label(label).is_some());
        counts && struck_out(harness).is_empty() && harness.query_by_label_contains("1 fixed on").is_none()
    };
    assert!(is_as_in_the_file(&harness));
    click(&mut harness, "RIG010");
    harness.get_by_label("Fix").click();
    harness.run_steps(4);
    assert!(is_as_in_the_file(&harness) && says(&harness, "Being fixed on side A."), "nothing is made yet");
    make_weights(&mut harness);
    for label in ["Lint 3", "⚠ 3 findings", "3 left", "1 fixed on A"] {
        assert!(harness.query_by_label(label).is_some(), "{label}");
    }
    let struck = struck_out(&harness);
    assert!(struck.len() == 1 && struck[0].contains("Tube"), "{struck:?}");
    assert!(harness.query_by_label_contains("Fixed on A. RIG010").is_some());
    harness.get_by_label("⚠ 3 findings").hover();
    harness.run();
    assert!(harness.query_by_label_contains("2 warnings, 1 note; 1 fixed on A. Click").is_some());
    harness.state_mut().apply(Command::Do(Action::Undo));
    harness.run();
    assert!(is_as_in_the_file(&harness));
    harness.state_mut().apply(Command::SetWeights(Side::B, WeightChoice::Repaired(vec![Repair::Normalize])));
    make_weights(&mut harness);
    assert!(harness.query_by_label("Lint 3").is_some() && harness.query_by_label("1 fixed on B").is_some());
    harness.state_mut().apply(Command::SetWeights(Side::B, WeightChoice::File));
    harness.run();
    assert!(is_as_in_the_file(&harness));
}

#[test]
fn the_overlay_of_findings_paints_what_is_left_on_its_side() {
    let mut harness = program(faulty());
    for side in Side::ALL {
        harness.state_mut().apply(Command::SetOverlay(side, Some(Overlay::Findings)));
    }
    let painted = |harness: &mut Harness<'_, Program>, side: Side| {
        harness.state_mut().measure();
        harness.run();
        let open = &harness.state().state.open;
        let Values::Scalars { parts, .. } = &*open.stage.measured.painted(&open.stage.view, side).unwrap().values
        else {
            panic!("no numbers")
        };
        let vertices = |finding: &Finding| match &finding.target {
            Target::Primitive { vertices, .. } => vertices.first().to_vec(),
            _ => Vec::new(),
        };
        let status = LintStatus::for_stage(&open.stage);
        let is_left = |finding: &&Finding| !status.is_repaired_on(side, finding);
        let left: BTreeSet<u32> = open.stage.lint.list().iter().filter(is_left).flat_map(vertices).collect();
        let marked: BTreeSet<u32> =
            (0..).zip(parts.iter().flatten()).filter(|(_, v)| **v > 0.0).map(|(n, _)| n).collect();
        (left, marked)
    };
    let (left, before) = painted(&mut harness, Side::A);
    assert_eq!(before, left);
    harness.state_mut().apply(Command::SetWeights(Side::A, WeightChoice::Repaired(vec![Repair::Normalize])));
    make_weights(&mut harness);
    let (left, after) = painted(&mut harness, Side::A);
    assert_eq!(after, left);
    assert_eq!(painted(&mut harness, Side::B), (before.clone(), before.clone()), "B has the weights of the file");
    assert!(after.len() < before.len(), "what was put right is painted no more: {after:?} of {before:?}");
}

#[test]
fn lint_finds_nothing_in_the_built_in_characters() {
    for built_in in BuiltIn::ALL {
        let document = Document::open(&Source::BuiltIn(built_in), &Job::default()).unwrap();
        let findings = findings(&document.rig, &document.warnings, &Progress::default()).unwrap();
        assert_eq!(findings, [], "{}", built_in.name());
    }
}

#[test]
fn a_click_selects_the_joint_marks_the_vertices_and_frames_them() {
    let mut harness = program(faulty());
    press(&mut harness, Key::L);
    let camera = harness.state().state.open.stage.view.camera;
    click(&mut harness, "RIG018");
    let state = &harness.state().state;
    assert_eq!(selected(harness.state()), Some("Root"));
    assert_eq!(state.open.stage.view.marked.len(), 1);
    assert_eq!(*state.open.stage.view.marked[0].vertices, [vertex(22, 0) as u32]);
    let skinning = RigSkinning { skinning: &state.open.stage.view.sides.a.skinning, centers: None };
    let pose = SkinPose { posed: state.open.stage.posed(), palettes: &state.open.stage.characters.pose().palettes };
    let place = state.open.stage.view.marked[0].positions(state.open.stage.rig(), pose, skinning)[0];
    assert!(state.open.stage.view.camera.target.distance(place) < 1e-4, "the vertex is in the middle");
    assert!(state.open.stage.view.camera.distance < camera.distance * 0.5, "and near");
    assert!(harness.query_by_label("Why it matters").is_some());
    assert!(harness.query_by_label("Remove the joint's weight from the patch.").is_some());
}

#[test]
fn more_about_a_code_is_folded_until_it_is_asked_for() {
    use rigscope::analysis::lint::Code;

    let mut harness = program(faulty());
    press(&mut harness, Key::L);
    let more = "What it means and how to fix it";
    assert!(harness.query_by_label(more).is_none());
    click(&mut harness, "RIG018");
    let sections = Code::WeightIsland.sections();
    let is_shown = |harness: &Harness<'_, Program>, text: &str| harness.query_by_label(text).is_some();
    assert!(!is_shown(&harness, "In Maya"));
    click(&mut harness, more);
    for (heading, text) in &sections {
        assert!(is_shown(&harness, heading) && is_shown(&harness, &text.replace('`', "")), "{heading}: {text}");
    }
    assert_eq!(harness.query_all_by_label("Why it matters").count(), 1, "no text appears twice");
}

/// Returns a window with a number of findings of one kind.
fn with_findings_of_one_kind(count: usize) -> Harness<'static, Program> {
    let mut harness = program(faulty());
    let one = harness.state().state.open.stage.lint.list()[0].clone();
    let numbered = |number| Finding { message: format!("{}, the {number}th time", one.message), ..one.clone() };
    let linted = LintResult { findings: (0..count).map(numbered).collect(), ..LintResult::default() };
    let rig = harness.state().state.open.stage.rig().clone();
    harness.state_mut().receive(JobResult::Derived(DerivedResult::findings(rig, Some(linted))));
    press(&mut harness, Key::L);
    harness
}

#[test]
fn findings_of_one_kind_are_a_group_which_folds_and_is_open_where_one_is_selected() {
    let is_listed = |harness: &Harness<'_, Program>| harness.query_by_label_contains("the 1th time").is_some();
    let title =
        |harness: &Harness<'_, Program>| harness.state().state.open.stage.lint.list()[0].code.title().to_owned();
    let mut few = with_findings_of_one_kind(3);
    assert!(is_listed(&few), "a few are unfolded");
    let head = format!("{}: 3", title(&few));
    click(&mut few, &head);
    assert!(!is_listed(&few));
    let mut many = with_findings_of_one_kind(50);
    assert!(!is_listed(&many), "many are folded");
    many.state_mut().apply(Command::SelectFinding(Some(1)));
    many.run();
    assert!(is_listed(&many));
}

#[test]
fn escape_and_other_selections_clear_the_marks() {
    for way in ["Escape", "joint", "again"] {
        let mut harness = program(faulty());
        press(&mut harness, Key::L);
        click(&mut harness, "RIG010");
        assert!(!harness.state().state.open.stage.view.marked.is_empty());
        match way {
            "Escape" => press(&mut harness, Key::Escape),
            "joint" => {
                harness.get_by_role_and_label(egui::accesskit::Role::TreeItem, "Upper").click();
                harness.run();
            }
            _ => click(&mut harness, "RIG010"),
        }
        let state = &harness.state().state;
        assert!(state.open.stage.view.marked.is_empty() && state.open.stage.view.selected_finding().is_none(), "{way}");
        assert_eq!(selected(harness.state()), (way == "joint").then_some("Upper"), "{way}");
    }
}

#[test]
fn up_and_down_go_through_the_findings_once_one_is_selected() {
    let mut harness = program(faulty());
    press(&mut harness, Key::L);
    click(&mut harness, "RIG010");
    press(&mut harness, Key::ArrowDown);
    assert_eq!(harness.state().state.open.stage.view.selected_finding(), Some(1));
    press(&mut harness, Key::ArrowDown);
    assert_eq!(selected(harness.state()), Some("Horn"), "the joint that is scaled");
    press(&mut harness, Key::ArrowUp);
    press(&mut harness, Key::ArrowUp);
    press(&mut harness, Key::ArrowUp);
    assert_eq!(harness.state().state.open.stage.view.selected_finding(), Some(0));
}

#[test]
fn the_filter_leaves_what_contains_its_text() {
    let mut harness = program(faulty());
    press(&mut harness, Key::L);
    harness.get_by_label("Filter findings").click();
    harness.run();
    harness.get_by_label("Filter findings").type_text("uniform SCALE");
    harness.run();
    assert!(harness.query_by_label_contains("RIG041").is_some(), "the title shows it");
    assert!(harness.query_by_label_contains("RIG010").is_none());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.get_by_label("Filter findings").type_text("no such thing");
    harness.run();
    assert!(harness.query_by_label("No matching findings").is_some());
}

#[test]
fn findings_are_copied_as_text_and_as_json() {
    let mut harness = program(faulty());
    press(&mut harness, Key::L);
    let copied = |harness: &Harness<'_, Program>| {
        harness.output().platform_output.commands.iter().find_map(|c| match c {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    };
    harness.get_by_label("Copy as text").click();
    harness.step();
    let text = copied(&harness).unwrap_or_default();
    assert!(text.starts_with("error   RIG010  Mesh 0 \"Tube\"") && text.lines().count() == 8, "{text}");
    harness.run();
    harness.get_by_label("Copy as JSON").click();
    harness.step();
    let line: serde_json::Value = serde_json::from_str(&copied(&harness).unwrap_or_default()).unwrap();
    assert_eq!(line["counts"], json!({"error": 1, "warning": 2, "note": 1}));
}

#[test]
fn empty_lint_panel_lists_the_checked_items() {
    let mut harness = program(document(Character::default()));
    press(&mut harness, Key::L);
    assert!(harness.query_by_label("Nothing found").is_some());
    assert!(harness.query_by_label_contains("5 joints, 1 skin, 300 vertices").is_some());
    assert!(harness.query_by_label_contains("finding").is_none());
}

#[test]
fn findings_of_a_character_that_is_open_no_longer_are_dropped() {
    let mut harness = program(faulty());
    let old = harness.state().state.open.stage.rig().clone();
    let list = harness.state().state.open.stage.lint.list().to_vec();
    harness.state_mut().state.receive(JobResult::Document(Box::new(document(Character::default())), AfterLoad::Show));
    assert!(harness.state().state.open.stage.lint.findings.is_none());
    harness.state_mut().state.receive(JobResult::Derived(DerivedResult::findings(old, Some(list.into()))));
    assert!(harness.state().state.open.stage.lint.findings.is_none());
    press(&mut harness, Key::L);
}

#[test]
fn findings_that_are_found_again_are_no_news_and_take_the_marks_away() {
    let mut harness = program(faulty());
    press(&mut harness, Key::L);
    click(&mut harness, "RIG010");
    assert!(!harness.state().state.open.stage.view.marked.is_empty());
    harness.state_mut().lint();
    harness.run();
    let state = &harness.state().state;
    assert!(state.open.stage.view.marked.is_empty() && state.open.stage.view.selected_finding().is_none());
}

#[test]
fn the_help_has_the_table_of_codes() {
    let mut harness = program(faulty());
    harness.state_mut().interface.toggle_help();
    harness.run();
    harness.get_by_label("Lint codes").click();
    harness.run();
    assert!(harness.query_by_label("RIG018").is_some());
    assert!(harness.query_by_label("Influence cut off from its joint's region").is_some());
}

#[test]
fn a_finding_is_reached_and_opened_by_keys() {
    let mut harness = program(faulty());
    press(&mut harness, Key::L);
    harness.get_by_label_contains("RIG041").focus();
    harness.run();
    press(&mut harness, Key::Enter);
    assert_eq!(selected(harness.state()), Some("Horn"));
}

#[test]
fn suppressed_findings_are_collapsed_with_reasons_and_links() {
    let mut character = Character::default();
    character.nodes[5]["scale"] = json!([1, 2, 1]);
    let mut harness = program(document(character));
    let findings = harness.state().state.open.stage.lint.list().to_vec();
    let at = findings.iter().position(|finding| finding.target.nodes() == [5]).unwrap();
    let finding = findings[at].clone();
    let suppressed = vec![SuppressedFinding { finding: finding.clone(), reason: "Meant to squash.".to_owned() }];
    let rig = harness.state().state.open.stage.rig().clone();
    let linted = LintResult { suppressed, ..LintResult::default() };
    harness.state_mut().receive(JobResult::Derived(DerivedResult::findings(rig, Some(linted))));
    press(&mut harness, Key::L);
    assert!(harness.query_by_label("Meant to squash.").is_none());
    click(&mut harness, "Suppressed by the file  1");
    assert!(harness.query_by_label("Meant to squash.").is_some());
    let row = format!("{}  {}", finding.id(), finding.message);
    click(&mut harness, &row);
    let rig = harness.state().state.open.stage.rig();
    let node = rig.hierarchy.by_source(5).unwrap();
    assert_eq!(selected(harness.state()), Some(rig.hierarchy.name(node)));
}
