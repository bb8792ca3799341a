//! The analysis panels: the twist and bend test, the vertex probe, the influence simulator, the legend, and the status
//! bar's measurements.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::program;
use rigscope::state::probed;

use std::f32::consts::FRAC_PI_2;

use egui::accesskit::Role;
use egui::{Color32, Event, Key, Modifiers, PointerButton, Pos2, Rect, Shape, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::{Quat, Vec3};
use program::{Program, drag_through, painted_tube, program_with, texts_painted, type_into};
use rigscope::analysis::twist::{JointRank, RotationKind};
use rigscope::import::Job;
use rigscope::rig::Trs;
use rigscope::skinning::Method;
use rigscope::stage::{BendTestPlan, BuiltIn, DerivedKind, Document, Source};
use rigscope::state::{Action, Command, JobResult, NumberTable, PathUse, Request, SidePanel, WindowRequest};
use rigscope::view::{Layout, Overlay, Side, Values};

type Hands = Harness<'static, Program>;

/// Returns a window with the tube, its middle rotated about X.
fn twisted(angle: f32) -> Hands {
    let mut hands = program_with(Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap());
    let node = hands.state().node("Middle");
    act(&mut hands, Command::Edit { node, user_local: Trs::from_rotation(Quat::from_rotation_x(angle)) });
    hands
}

fn act(hands: &mut Hands, command: Command) {
    hands.state_mut().apply(command);
    hands.run();
}

fn press(hands: &mut Hands, key: Key) {
    hands.key_press(key);
    hands.run();
}

fn click(hands: &mut Hands, label: &str) {
    hands.get_by_label(label).click();
    hands.run();
}

fn pointer(hands: &mut Hands, pos: Pos2, modifiers: Modifiers, pressed: bool) {
    hands.event(Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers });
}

/// Presses and releases the button in one frame, which makes it a click.
fn click_at(hands: &mut Hands, pos: Pos2, modifiers: Modifiers) {
    hands.event(Event::ModifiersChanged(modifiers));
    hands.hover_at(pos);
    hands.run();
    pointer(hands, pos, modifiers, true);
    pointer(hands, pos, modifiers, false);
    hands.run();
    hands.event(Event::ModifiersChanged(Modifiers::NONE));
    hands.run();
}

fn selected(hands: &Hands) -> Option<&str> {
    let state = &hands.state().state;
    state.open.stage.view.active_joint().map(|node| state.open.stage.rig().hierarchy.name(node))
}

/// Returns the name of the tested joint.
fn tested(hands: &Hands) -> Option<&str> {
    let state = &hands.state().state;
    state.open.stage.twist_test.ok().map(|(plan, _)| state.open.stage.rig().hierarchy.name(plan.test.joint))
}

/// Returns the rows of the ranking, from the top: "Middle, loses 31.4 %".
fn ranking(hands: &Hands) -> Vec<String> {
    let rows = hands.query_all_by_label_contains(", loses ");
    let mut rows: Vec<(f32, String)> =
        rows.map(|row| (row.rect().top(), row.accesskit_node().label().unwrap())).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn an_edge_between_columns_goes_where_it_is_dragged() {
    let mut hands = twisted(0.0);
    press(&mut hands, Key::T);
    let place = |hands: &Hands, heading: &str| hands.get_by_label(heading).rect();
    let (name, loss) = (place(&hands, "Sort by name"), place(&hands, "Sort by loss"));
    let edge = name.right_center();
    drag_through(&mut hands, &[edge, edge + vec2(4.0, 0.0), edge + vec2(12.0, 0.0)]);
    hands.drop_at(edge + vec2(12.0, 0.0));
    hands.run();
    assert!((place(&hands, "Sort by name").width() - name.width() - 12.0).abs() < 1.0);
    assert!((place(&hands, "Sort by loss").width() - loss.width() + 12.0).abs() < 1.0);
}

#[test]
fn names_in_the_ranking_have_half_of_a_wide_window() {
    let width = |size| {
        let mut hands =
            Program::new(Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap()).harness(size);
        press(&mut hands, Key::T);
        hands.get_by_label("Sort by name").rect().width()
    };
    let [narrow, wide] = [[800.0, 500.0], [1440.0, 900.0]].map(width);
    assert!(narrow > 90.0 && wide > 1.8 * narrow, "{narrow} {wide}");
}

#[test]
fn the_ranking_sorts_by_its_columns_and_a_row_tests_its_joint() {
    let mut hands = twisted(0.0);
    press(&mut hands, Key::T);
    let by_loss = ranking(&hands);
    assert!(by_loss.len() > 1 && by_loss[0].starts_with("Near"), "{by_loss:?}");
    click(&mut hands, "Sort by name");
    let mut by_name = ranking(&hands);
    assert!(by_name.is_sorted(), "{by_name:?}");
    click(&mut hands, "Sort by name");
    by_name.reverse();
    assert_eq!(ranking(&hands), by_name, "the other way round");
    click(&mut hands, "Sort by loss");
    assert_eq!(ranking(&hands), by_loss);
    assert_eq!(tested(&hands), None);
    click(&mut hands, &by_loss[0]);
    assert_eq!((selected(&hands), tested(&hands)), (Some("Near"), Some("Near")));
    click(&mut hands, "Save…");
    let asked = hands.state().requests.last();
    let Some(Request::Window(WindowRequest::PickPath(asked))) = asked else { panic!("{asked:?}") };
    assert_eq!((asked.purpose, asked.name.as_str()), (PathUse::SaveNumbers(NumberTable::Ranking), "tube.joints.csv"));
}

#[test]
fn thin_regions_and_specks_are_listed_last_in_any_order() {
    let mut hands = twisted(0.0);
    press(&mut hands, Key::T);
    let ranked = |(name, loss, uncertainty, is_speck)| JointRank {
        joint: hands.state().node(name),
        loss,
        uncertainty,
        motion: RotationKind::Twist,
        angle: 1.0,
        triangles: 60,
        is_speck,
    };
    let all =
        [("Near", 0.3, 0.1, false), ("Middle", 0.2, 0.15, false), ("Far", 0.9, 0.9, true), ("Root", 0.1, 0.0, true)];
    let all = all.map(ranked);
    hands.state_mut().rank(all.to_vec());
    hands.run();
    let rows = |hands: &Hands| ranking(hands).join(" ").replace(|c: char| !c.is_alphabetic(), " ");
    let names = |hands: &Hands| rows(hands).split_whitespace().filter(|w| *w != "loses").collect::<Vec<_>>().join(" ");
    assert_eq!(names(&hands), "Near Middle Far Root");
    click(&mut hands, "Sort by name");
    assert_eq!(names(&hands), "Near Middle Far Root", "each list by itself");
    let top = |label: &str| hands.get_by_label_contains(label).rect().top();
    let head = top("Specks: under 0.1 %");
    let thin = top("Too thin to tell");
    assert!(top("Near, loses") < thin && thin < top("Middle, loses"));
    assert!(top("Middle, loses") < head && head < top("Far, loses"));
}

/// Returns a window that tests the tube's middle.
fn under_test() -> Hands {
    let mut hands = twisted(0.0);
    let node = hands.state().node("Middle");
    act(&mut hands, Command::Select(Some(node)));
    press(&mut hands, Key::T);
    assert_eq!(tested(&hands), Some("Middle"));
    hands
}

#[test]
fn keys_show_the_next_and_the_previous_pose_of_the_bend_test() {
    let mut hands = twisted(0.0);
    act(&mut hands, Command::Do(Action::TestBend));
    let wanted = DerivedKind::new::<BendTestPlan>().wanted(&hands.state().state.open.stage).unwrap();
    hands.state_mut().receive(JobResult::Derived(wanted.run(&Job::default())));
    hands.run();
    let shown = |hands: &Hands| hands.state().state.open.stage.view.selected_bend_pose();
    press(&mut hands, Key::ArrowDown);
    assert_eq!(shown(&hands), None, "the keys belong to the tree until a pose is shown");
    act(&mut hands, Command::ShowBendPose(Some(0)));
    let steps = hands.state().state.open.history.len();
    for (key, pose) in [(Key::ArrowUp, 0), (Key::ArrowDown, 1), (Key::ArrowDown, 2), (Key::ArrowUp, 1)] {
        press(&mut hands, key);
        assert_eq!(shown(&hands), Some(pose), "{key:?}");
    }
    assert_eq!(hands.state().state.open.history.len(), steps, "all poses are one step");
}

#[test]
fn a_drag_along_the_plot_poses_the_joint_as_one_step() {
    let mut hands = under_test();
    let steps = hands.state().state.open.history.undo_label().map(str::to_owned);
    let plot = hands.get_by_label("Plot of the test").rect();
    let at = |share: f32| Pos2::new(plot.left() + plot.width() * share, plot.center().y);
    let turned = |hands: &Hands| hands.state().state.open.twist.tested_angle(&hands.state().state.open.stage).unwrap();
    hands.hover_at(at(0.5));
    hands.run();
    pointer(&mut hands, at(0.5), Modifiers::NONE, true);
    hands.run();
    assert!(turned(&hands).abs() < 0.1, "no turn in the middle: {}", turned(&hands));
    let mut last = turned(&hands);
    for share in [0.6, 0.7, 0.8] {
        hands.hover_at(at(share));
        hands.run();
        assert!(turned(&hands) > last + 0.2, "{} after {last}", turned(&hands));
        last = turned(&hands);
    }
    pointer(&mut hands, at(0.8), Modifiers::NONE, false);
    hands.run();
    let about_x = hands.state().rotation("Middle");
    assert!(about_x.angle_between(Quat::from_rotation_x(last)) < 1e-3, "{about_x}");
    act(&mut hands, Command::Do(Action::Undo));
    assert!(hands.state().rotation("Middle").is_near_identity(), "one step");
    assert_eq!(hands.state().state.open.history.undo_label().map(str::to_owned), steps);
}

#[test]
fn nothing_is_written_over_the_lines_of_the_plot_and_its_worst_point_is_gone_to() {
    let mut hands = under_test();
    let plot = hands.get_by_label("Plot of the test").rect();
    for label in ["A  LBS", "B  DQS", "LBS is worst at"] {
        let rect = hands.get_by_label_contains(label).rect();
        assert!(!plot.intersects(rect), "{label}: {rect} {plot}");
    }
    let texts = texts_painted(&hands);
    for named in ["Twist about the bone", "Volume", "-90°", "100 %"] {
        assert!(texts.iter().any(|text| text == named), "{named}: {texts:?}");
    }
    let steps = |hands: &Hands| hands.state().state.open.history.undo_label().map(str::to_owned);
    let before = steps(&hands);
    hands.get_by_label_contains("LBS is worst at").click();
    hands.run();
    let angle =
        hands.state().state.open.twist.tested_angle(&hands.state().state.open.stage).unwrap().to_degrees().abs();
    assert!((angle - 180.0).abs() < 0.1, "{angle}");
    assert_ne!(steps(&hands), before);
    let worst = hands.state().state.open.stage.twist_test.ok().unwrap().1.worst(0).unwrap().angle.to_degrees().abs();
    assert!((worst - 180.0).abs() < 0.1, "as in the ranking: {worst}");
}

#[test]
fn the_hinge_turns_about_the_bone_and_tests_anew() {
    let mut hands = under_test();
    assert!(hands.query_by_label("Hinge").is_none(), "a twist has none");
    click(&mut hands, "Bend");
    let axes = |hands: &Hands| hands.state().state.open.stage.twist_test.ok().unwrap().0.test.axes;
    let before = axes(&hands);
    type_into(&mut hands, "Hinge", "90");
    let after = axes(&hands);
    assert!(after.twist == before.twist && after.bend.dot(before.bend).abs() < 1e-5);
    assert!(after.bend.distance(Quat::from_axis_angle(before.twist, FRAC_PI_2) * before.bend) < 1e-5);
}

#[test]
fn where_nothing_is_lost_the_plot_still_shows_a_percent_to_either_side() {
    let mut hands = under_test();
    let node = hands.state().node("Root");
    act(&mut hands, Command::Select(Some(node)));
    click(&mut hands, "Test this joint");
    let texts = texts_painted(&hands);
    for named in ["99.5 %", "100.0 %", "100.5 %", "-90°", "0°"] {
        assert!(texts.iter().any(|text| text == named), "{named}: {texts:?}");
    }
}

#[test]
fn a_joint_is_tested_from_rest_or_from_this_pose() {
    let mut hands = under_test();
    let (node, turn) = (hands.state().node("Near"), Trs { rotation: Quat::from_rotation_z(0.7), ..Trs::IDENTITY });
    act(&mut hands, Command::Edit { node, user_local: turn });
    for (choice, is_posed) in [("from this pose", true), ("from rest", false), ("from this pose", true)] {
        click(&mut hands, choice);
        let (plan, _) = hands.state().state.open.stage.twist_test.ok().unwrap();
        assert_eq!(plan.pose.is_any_posed(), is_posed, "{choice}");
    }
    assert!(hands.state().state.open.stage.pose().is_any_posed(), "what is shown stays as it is");
}

#[test]
fn the_numbers_of_the_test_are_asked_for_and_written() {
    let mut hands = under_test();
    click(&mut hands, "Save numbers…");
    let asked = hands.state().requests.last();
    let Some(Request::Window(WindowRequest::PickPath(asked))) = asked else { panic!("{asked:?}") };
    assert_eq!((asked.purpose, asked.name.as_str()), (PathUse::SaveNumbers(NumberTable::Test), "tube.twist.csv"));
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("numbers.csv");
    act(&mut hands, Command::UsePath(PathUse::SaveNumbers(NumberTable::Test), csv.clone()));
    let rows = hands.state().state.open.stage.twist_test.ok().unwrap().1.rows.len();
    assert!(std::fs::read_to_string(csv).unwrap().lines().count() > rows);
    click(&mut hands, "Close the twist test");
    assert!(!hands.state().state.open.twist.is_open && hands.query_by_label("Plot of the test").is_none());
}

#[test]
fn plot_follows_motion_and_measure() {
    let mut hands = under_test();
    click(&mut hands, "Bend");
    assert_eq!(hands.state().state.open.twist.motion, RotationKind::Bend);
    click(&mut hands, "What is plotted");
    hands.get_by_role_and_label(Role::Button, "Largest distance").click();
    hands.run();
    assert_eq!(hands.get_by_label("What is plotted").value().as_deref(), Some("Largest distance"));
}

/// Returns a screen point on the skin of the tube, at a fraction of the way from Near to Far, slightly beside the
/// bones.
fn on_skin(hands: &Hands, share: f32) -> Pos2 {
    let (state, view) = (&hands.state().state, hands.get_by_label("Viewport").rect());
    let lens = state.open.stage.view.camera.lens(glam::Vec2::new(view.width(), view.height()));
    let origin = |joint| state.open.stage.posed().world_from_node[hands.state().node(joint).index()].translation;
    let (near, far) = (origin("Near"), origin("Far"));
    let beside = Vec3::Y * 0.03;
    let seen = lens.project(near.lerp(far, share) + beside).unwrap();
    view.min + vec2(seen.x, seen.y)
}

#[test]
fn a_click_on_the_skin_shows_how_its_vertex_comes_to_be_there() {
    let mut hands = twisted(2.0);
    let places = |hands: &Hands| hands.state().state.open.stage.probes.places.clone();
    press(&mut hands, Key::K);
    assert!(hands.state().shows(SidePanel::Skin));
    let middle = on_skin(&hands, 0.48);
    click_at(&mut hands, middle, Modifiers::NONE);
    let [first] = places(&hands)[..] else { panic!("{:?}", places(&hands)) };
    let probe = probed(&hands.state().state.open.stage, Side::A, first).unwrap();
    let sum: f32 = probe.rows.iter().map(|row| row.weight).sum();
    assert!(probe.rows.len() > 1 && (sum - 1.0).abs() < 1e-5, "{sum}");
    let name = hands.state().state.open.stage.rig().hierarchy.name(probe.rows[1].joint).to_owned();
    hands.get_by_role_and_label(Role::Button, &name).click();
    hands.run();
    assert_eq!(selected(&hands), Some(name.as_str()), "a row is its joint");

    let aside = on_skin(&hands, 0.3);
    click_at(&mut hands, aside, Modifiers::SHIFT);
    assert!(places(&hands).len() == 2 && places(&hands)[0] == first, "Shift adds");
    click(&mut hands, &format!("Remove probe {}", first.vertex));
    assert!(places(&hands).len() == 1 && places(&hands)[0] != first);
    click_at(&mut hands, middle, Modifiers::NONE);
    assert_eq!(places(&hands), [first], "without Shift one takes the place of the other");
    click(&mut hands, "Clear probes");
    assert!(places(&hands).is_empty());

    press(&mut hands, Key::K);
    click_at(&mut hands, middle, Modifiers::NONE);
    assert!(places(&hands).is_empty(), "K puts the glass away");
}

/// Returns the drawn lines and discs: the centre of each disc and both ends of each line, with their colours.
fn marks(hands: &Hands) -> Vec<(Pos2, Color32)> {
    fn collect(shape: &Shape, found: &mut Vec<(Pos2, Color32)>) {
        match shape {
            Shape::Circle(disc) => found.push((disc.center, disc.fill)),
            Shape::LineSegment { points, stroke } => found.extend(points.map(|end| (end, stroke.color))),
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    hands.output().shapes.iter().for_each(|clipped| collect(&clipped.shape, &mut found));
    found
}

#[test]
fn a_probe_is_orange_where_side_a_puts_its_vertex_and_teal_where_side_b_does() {
    let mut hands = twisted(2.0);
    press(&mut hands, Key::K);
    let middle = on_skin(&hands, 0.48);
    click_at(&mut hands, middle, Modifiers::NONE);
    let [a, b] = Side::ALL.map(Side::color).map(|[red, green, blue]| Color32::from_rgb(red, green, blue));
    for (methods, of_lbs, of_dqs) in [
        ([Method::Lbs, Method::Dqs], Some(a), Some(b)),
        ([Method::Dqs, Method::Lbs], Some(b), Some(a)),
        ([Method::Cor, Method::Dqs], None, Some(b)),
        ([Method::Lbs, Method::Lbs], Some(a), None),
    ] {
        for (side, method) in Side::ALL.into_iter().zip(methods) {
            act(&mut hands, Command::SetSkinning(side, method.into()));
        }
        let state = &hands.state().state;
        let probe = probed(&state.open.stage, Side::A, state.open.stage.probes.places[0]).unwrap();
        let view = hands.get_by_label("Viewport").rect();
        let lens = state.open.stage.view.camera.lens(glam::Vec2::new(view.width(), view.height()));
        let at = |point: Vec3| lens.project(point).map(|at| view.min + vec2(at.x, at.y)).unwrap();
        let places = [at(probe.lbs.point), at(probe.dqs.point)];
        assert!(places[0].distance(places[1]) > 10.0, "{places:?}");
        let is_at = |place: Pos2, color: Color32| {
            let here = marks(&hands).into_iter().filter(|mark| mark.0.distance(place) < 0.5 && mark.1 == color);
            // The disc, and the end of its line.
            here.count() == 2
        };
        for (place, wanted) in places.into_iter().zip([of_lbs, of_dqs]) {
            assert_eq!(
                [a, b].map(|color| is_at(place, color)),
                [a, b].map(|color| wanted == Some(color)),
                "{methods:?}"
            );
        }
        for place in probe.rows.iter().map(|row| at(row.point)) {
            assert!(!is_at(place, a) && !is_at(place, b), "joints are neither side");
        }
    }
}

#[test]
fn probe_shows_the_dq_blend_weight_of_a_vertex() {
    let mut hands = program_with(painted_tube(0.352));
    press(&mut hands, Key::K);
    let middle = on_skin(&hands, 0.48);
    click_at(&mut hands, middle, Modifiers::NONE);
    assert!(hands.query_by_label("DQS 35 %").is_some());
    act(&mut hands, Command::SetOverlay(Side::A, Some(Overlay::DqBlendWeight)));
    measure(&mut hands);
    let values = |hands: &Hands| {
        hands
            .state()
            .state
            .open
            .stage
            .measured
            .painted(&hands.state().state.open.stage.view, Side::A)
            .unwrap()
            .values
            .clone()
    };
    let Values::Scalars { parts, range, .. } = &*values(&hands) else { panic!("shares are numbers") };
    assert!(*range == [0.0, 1.0] && parts.iter().flatten().all(|share| *share == 0.352));

    let mut plain = twisted(1.0);
    press(&mut plain, Key::K);
    let middle = on_skin(&plain, 0.48);
    click_at(&mut plain, middle, Modifiers::NONE);
    assert_eq!(plain.state().state.open.stage.probes.places.len(), 1);
    assert_eq!(plain.query_all_by_label_contains("DQS ").count(), 0);
    act(&mut plain, Command::SetOverlay(Side::A, Some(Overlay::DqBlendWeight)));
    measure(&mut plain);
    let Values::Scalars { parts, .. } = &*values(&plain) else { panic!("shares are numbers") };
    assert!(parts.iter().flatten().all(|share| share.is_nan()), "nothing is painted");
}

#[test]
fn the_simulator_shows_what_engines_keep_as_side_b() {
    let mut hands = twisted(1.0);
    act(&mut hands, Command::SetSidePanel(SidePanel::Compare));
    click(&mut hands, "Influence simulator");
    click(&mut hands, "This pose");
    let rows = hands.state().state.open.stage.simulation.ok().unwrap().1.clone();
    assert_eq!(rows[0].0.limit.count, Some(1));
    assert!(rows[0].1.max > rows.last().unwrap().1.max, "one influence is worse than coarse weights");
    click(&mut hands, "1, renormalised");
    let b = &hands.state().state.open.stage.view.sides.b.skinning;
    assert_eq!((b.influences, b.method), (rows[0].0.limit, Method::Lbs));
    assert!(hands.get_by_label("Whole clip").accesskit_node().is_disabled(), "the tube has no clip");
}

/// Returns a window with the twisted tube and an overlay on side A, after measuring.
fn painted(overlay: Overlay) -> Hands {
    let mut hands = twisted(2.0);
    act(&mut hands, Command::SetOverlay(Side::A, Some(overlay)));
    measure(&mut hands);
    hands
}

fn measure(hands: &mut Hands) {
    hands.state_mut().measure();
    hands.run();
}

/// Returns the range of A's legend.
fn range(hands: &Hands) -> [f32; 2] {
    match *hands
        .state()
        .state
        .open
        .stage
        .measured
        .painted(&hands.state().state.open.stage.view, Side::A)
        .unwrap()
        .values
    {
        Values::Scalars { range, .. } => range,
        Values::Colors { .. } => panic!("colours have no range"),
    }
}

#[test]
fn the_range_of_the_legend_fits_stays_or_is_typed() {
    let mut hands = painted(Overlay::Distance);
    assert!(hands.query_by_label("Distance between A and B").is_some());
    let fitted = range(&hands);
    let turn = |hands: &mut Hands, angle: f32| {
        let node = hands.state().node("Middle");
        act(hands, Command::Edit { node, user_local: Trs::from_rotation(Quat::from_rotation_x(angle)) });
        measure(hands);
    };
    turn(&mut hands, 1.0);
    assert!(range(&hands)[1] < fitted[1] * 0.9, "the range fits what is painted");
    let smaller = range(&hands);
    click(&mut hands, "Range of A");
    click(&mut hands, "Fixed");
    turn(&mut hands, 2.0);
    assert_eq!(range(&hands), smaller, "a fixed one stays");
    type_into(&mut hands, "High end", "0.5");
    measure(&mut hands);
    assert_eq!(range(&hands), [smaller[0], 0.5]);
    click(&mut hands, "Auto");
    measure(&mut hands);
    assert_eq!(range(&hands), fitted);
}

#[test]
fn two_sides_painted_alike_have_one_legend_and_its_range_is_set_for_both_in_one_step() {
    let mut hands = painted(Overlay::Distance);
    act(&mut hands, Command::SetLayout(Layout::SideBySide));
    let title = |hands: &Hands| hands.query_all_by_label("Distance between A and B").count();
    let alone = title(&hands);
    act(&mut hands, Command::SetOverlay(Side::B, Some(Overlay::Distance)));
    measure(&mut hands);
    assert_eq!(title(&hands), alone, "one legend for both");
    let ranges = |hands: &Hands| Side::ALL.map(|side| hands.state().state.open.stage.view.sides[side].options.range);
    let steps = hands.state().state.open.history.len();
    click(&mut hands, "Range of A and B");
    click(&mut hands, "Fixed");
    assert!(ranges(&hands)[0].is_some() && ranges(&hands)[0] == ranges(&hands)[1], "{:?}", ranges(&hands));
    assert_eq!(hands.state().state.open.history.len(), steps + 1);
    act(&mut hands, Command::Do(Action::Undo));
    assert_eq!(ranges(&hands), [None; 2]);
    act(&mut hands, Command::SetRange(&[Side::B], Some([0.0, 2.0])));
    measure(&mut hands);
    assert!(hands.query_by_label("Range of A").is_some() && hands.query_by_label("Range of B").is_some());
}

#[test]
fn difference_legend_marks_missing_values() {
    let mut hands = painted(Overlay::Distance);
    let identical = "Identical: no vertex differs";
    assert!(hands.query_by_label(identical).is_none() && hands.query_by_label("Range of A").is_some());
    act(&mut hands, Command::Do(Action::ResetAll));
    measure(&mut hands);
    assert!(hands.query_by_label(identical).is_some() && hands.query_by_label("Range of A").is_none());
}

#[test]
fn number_line_shows_the_deviation_and_its_vertex() {
    let mut hands = twisted(2.0);
    assert!(hands.query_by_label_contains("max deviation").is_none(), "nothing is said before it is known");
    measure(&mut hands);
    let state = &hands.state().state;
    let farthest = state.open.stage.measured.result().unwrap().as_ref().unwrap().distance.joint.unwrap();
    let place = format!("at {}", state.open.stage.rig().hierarchy.name(farthest));
    assert!(hands.query_by_label_contains("more volume, max deviation").is_some());
    let line = hands.get_by_label_contains(&place).rect();
    assert!(Rect::from_min_size(Pos2::ZERO, vec2(1440.0, 900.0)).contains_rect(line));
    let same = hands.state().state.open.stage.view.sides.a.skinning.clone();
    act(&mut hands, Command::SetSkinning(Side::B, same));
    measure(&mut hands);
    assert!(hands.query_by_label_contains("max deviation").is_none(), "two that agree have no numbers");
}

#[test]
fn distances_to_an_unmatched_file_are_reported_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("figure.glb");
    std::fs::write(&other, BuiltIn::Figure.bytes()).unwrap();
    let mut hands = twisted(0.5);
    act(&mut hands, Command::UsePath(PathUse::CompareWith, other));
    hands.state_mut().state.open.stage.compute_pending(&Job::default());
    act(&mut hands, Command::SetOverlay(Side::A, Some(Overlay::Distance)));
    measure(&mut hands);
    assert!(hands.query_by_label_contains("No distances: only ").is_some(), "the legend");
    assert!(hands.query_by_label_contains("max deviation").is_none());
    hands.get_by_label("Distance between A and B").hover();
    hands.run();
    hands.run();
    assert!(hands.query_by_label_contains("Distance between the two sides").is_some(), "what is painted");
    assert!(hands.query_by_label_contains("volume, ").is_none(), "a tube has no share of a figure's volume");
    let line = hands.get_by_label_contains("no distances: only ");
    line.hover();
    hands.run();
    hands.run();
    assert!(hands.query_by_label_contains("closed by cones").is_some(), "what volumes are");
}

#[test]
fn the_window_and_the_command_line_rank_alike() {
    let mut program =
        Program::new(Document::open(&Source::BuiltIn(BuiltIn::Tube), &rigscope::import::Job::default()).unwrap());
    program.apply(Command::Do(Action::RankJoints));
    let (plan, ranked) = program.state.open.stage.joint_ranking.known().unwrap();
    let ranked = ranked.as_ref().unwrap();
    let names: Vec<String> =
        ranked.iter().map(|r| program.state.open.stage.rig().hierarchy.name(r.joint).to_owned()).collect();
    let shown = rigscope::analysis::twist::RankingJson::new(plan.range, ranked, &names).rank;
    let printed: serde_json::Value = serde_json::from_str(
        &crate::common::command::rigscope(&["compare", "builtin:tube", "--rank", "--json"]).ok().stdout,
    )
    .unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&serde_json::to_string(&shown).unwrap()).unwrap(),
        printed["rank"]
    );
    assert!(printed["rank"].as_array().unwrap().len() == 4, "{printed}");
}
