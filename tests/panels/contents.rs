//! Menus, tree and six side panels of the figure as text: roles, names and values of their widgets.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;

use std::fmt::Write as _;

use egui::Rect;
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Quat;
use program::{Program, program};
use rigscope::import::Job;
use rigscope::rig::Trs;
use rigscope::stage::{BendTestPlan, BuiltIn, DerivedKind, WeightProblemPlan};
use rigscope::state::{Action, Command, JobResult, SidePanel};
use rigscope::view::Layout;

const GOLDEN: &str = "tests/golden/panels.txt";

/// Returns a line for each widget in an area. Skips widgets without a name and a value.
fn contents(harness: &Harness<'_, Program>, area: Rect) -> String {
    let mut lines = String::new();
    for node in harness.root().children_recursive() {
        let widget = node.accesskit_node();
        let [name, value] = [widget.label(), node.value()].map(Option::unwrap_or_default);
        let is_empty = name.is_empty() && value.is_empty() || widget.role() == Role::TextRun;
        if widget.raw_bounds().is_none() || !area.contains(node.rect().center()) || is_empty {
            continue;
        }
        let state = widget.toggled().map_or_else(String::new, |toggled| format!(" {toggled:?}"));
        let value = if value.is_empty() || value == name { String::new() } else { format!(" = {value:?}") };
        writeln!(lines, "{:?} {name:?}{value}{state}", widget.role()).unwrap();
    }
    lines
}

#[test]
fn panels_have_the_widgets_that_are_listed() {
    let mut harness = program(BuiltIn::Figure);
    let node = harness.state().node("LeftLowerArm");
    let bent = Trs::from_rotation(Quat::from_rotation_x(40_f32.to_radians()));
    for command in
        [Command::Select(Some(node)), Command::Edit { node, user_local: bent }, Command::SetLayout(Layout::Wipe)]
    {
        harness.state_mut().apply(command);
    }
    harness.state_mut().lint();
    harness.state_mut().measure();
    harness.run();
    let window = harness.ctx.content_rect();
    let view = harness.get_by_label("Viewport").rect();
    let right = Rect::from_min_max(view.right_top(), window.right_bottom());
    let mut all = format!("== Menus\n{}", contents(&harness, Rect::from_min_max(window.min, view.right_top())));
    let left = Rect::from_min_max(egui::pos2(window.left(), view.top()), view.left_bottom());
    write!(all, "== Tree\n{}", contents(&harness, left)).unwrap();
    let sides =
        [SidePanel::Joint, SidePanel::Pose, SidePanel::Compare, SidePanel::Skin, SidePanel::History, SidePanel::Lint];
    for side in sides {
        harness.state_mut().apply(Command::SetSidePanel(side));
        harness.run();
        write!(all, "== {side:?}\n{}", contents(&harness, right)).unwrap();
    }
    let problems = DerivedKind::new::<WeightProblemPlan>();
    harness.state_mut().apply(Command::request::<WeightProblemPlan>(true));
    let wanted = problems.wanted(&harness.state().state.open.stage).unwrap();
    harness.state_mut().receive(JobResult::Derived(wanted.run(&Job::default())));
    harness.run();
    write!(all, "== Weight problems\n{}", contents(&harness, right)).unwrap();
    harness.state_mut().apply(Command::Do(Action::TestBend));
    let wanted = DerivedKind::new::<BendTestPlan>().wanted(&harness.state().state.open.stage).unwrap();
    harness.run();
    harness.state_mut().receive(JobResult::Derived(wanted.run(&Job::default())));
    harness.run();
    write!(all, "== Bend test\n{}", contents(&harness, right)).unwrap();

    let path = std::path::Path::new(rigscope_tests::ROOT).join(GOLDEN);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &all).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    let change = kept.lines().zip(all.lines()).find(|(before, now)| before != now);
    assert!(kept == all, "{change:?}; UPDATE_GOLDEN=1 rewrites {GOLDEN}");
}
