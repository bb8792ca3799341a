//! Clip rules of configs: closed forms at their limits, and rules that cannot be judged.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;
use crate::feet::{moved, stride, walker};
use crate::seams::{BONE, RIM, keys, tube, turned};

use std::sync::Arc;

use common::clips::{clip, rotations, translations};
use glam::{Quat, Vec3};
use rigscope::analysis::clip_checks::{ClipRule, ClipRules, LOOP_GAP, RootMotion};
use rigscope::analysis::lint::rules::{Pattern, ProfileReport, RuleOutcome};
use rigscope::analysis::lint::{Code, Finding, Severity, Target, finding_locations};
use rigscope::jobs::Progress;
use rigscope::rig::{Channel, Clip, Rig};

fn contract(names: &str, rules: &[ClipRule]) -> ClipRules {
    ClipRules {
        place: "rigscope.toml, line 1".to_owned(),
        names: vec![Pattern::new(names)],
        rules: rules.to_vec(),
        must_exist: false,
        severity: Severity::Error,
    }
}

fn with(rig: &Rig, clips: Vec<Clip>) -> Arc<Rig> {
    Arc::new(rig.clone().with_clips(clips))
}

fn judged(rig: &Arc<Rig>, contracts: &[ClipRules]) -> ProfileReport {
    ClipRules::check_clips(contracts, rig, &Progress::default()).unwrap()
}

/// Returns the report of one rule for the tube with one clip.
fn of_tube(channels: Vec<Channel>, demand: ClipRule) -> ProfileReport {
    judged(&with(&tube(), vec![clip("walk", channels)]), &[contract("walk", &[demand])])
}

/// Returns the report of a limit on foot slides, mm, for two feet with a clip of one second.
fn of_feet(limit: f64, channels: impl FnOnce(&Rig) -> Vec<Channel>) -> ProfileReport {
    let rig = walker();
    let clips = vec![clip("walk", channels(&rig))];
    judged(&with(&rig, clips), &[contract("walk", &[ClipRule::FootSlide(limit)])])
}

fn value(sheet: &ProfileReport) -> f64 {
    sheet.rows[0].reading.as_ref().unwrap().value
}

/// Returns the codes of the findings. Asserts that each row that isn't met or judged has a finding.
fn codes(sheet: &ProfileReport) -> Vec<Code> {
    let open = sheet.rows.iter().filter(|row| row.outcome != RuleOutcome::Rank(0)).count();
    assert_eq!(open, sheet.findings.len(), "{sheet:#?}");
    for Finding { message, .. } in &sheet.findings {
        assert!(
            message.ends_with("(rigscope.toml, line 1).") || message.contains("(rigscope.toml, line 1);"),
            "{message}"
        );
    }
    sheet.findings.iter().map(|finding| finding.code).collect()
}

/// Returns why the only row can't be judged.
fn why(sheet: &ProfileReport) -> &str {
    assert_eq!(codes(sheet), [Code::ClipUndecided]);
    match &sheet.rows[0].outcome {
        RuleOutcome::Unknown(why) => why,
        RuleOutcome::Rank(rank) => panic!("{rank}"),
    }
}

#[test]
fn a_turn_that_is_left_over_is_a_seam_of_its_angle_and_a_gap_of_its_chord() {
    // At the end, the bone has rotated by 5° about z. Removing the travel doesn't undo this rotation.
    let left = |degrees: f32| turned(move |time| (degrees * time / 2.0).to_radians());
    let seam = |limit| of_tube(left(5.0), ClipRule::Seam(limit));
    assert!((value(&seam(1.0)) - 5.0).abs() < 1e-3);
    assert_eq!((codes(&seam(4.99)), codes(&seam(5.01))), (vec![Code::ClipSeam], vec![]));
    let found = &seam(1.0).findings[0];
    let said = "Clip 0 \"walk\" does not loop: at its end (2.000 s) joint \"bone\" ends 5.00° away from its starting rotation; the limit is 1.00°";
    assert!(found.message.starts_with(said) && found.severity == Severity::Error, "{}", found.message);
    assert!(matches!(&found.target, Target::Clip { clip: 0, nodes } if nodes.first() == [0]), "{:?}", found.target);
    let chord = f64::from(2.0 * RIM * (5.0_f32.to_radians() / 2.0).sin()) * 1e3;
    let gap = |limit| of_tube(left(5.0), ClipRule::Gap(Some(limit)));
    assert!((value(&gap(1.0)) - chord).abs() < 0.05, "{} {chord}", value(&gap(1.0)));
    assert_eq!((codes(&gap(chord - 0.1)), codes(&gap(chord + 0.1))), (vec![Code::ClipSeam], vec![]));
}

#[test]
fn default_loop_gap_limit_is_a_fraction_of_the_height() {
    // The tube is 0.5 m high.
    let limit = 0.5 * LOOP_GAP as f32;
    let lift = |by: f32| {
        let keys = keys(30.0, 2.0, |time| Vec3::Y * by * time / 2.0);
        of_tube(vec![translations(BONE, &keys)], ClipRule::Gap(None))
    };
    assert_eq!((codes(&lift(0.99 * limit)), codes(&lift(1.01 * limit))), (vec![], vec![Code::ClipSeam]));
    let round = of_tube(turned(|time| std::f32::consts::PI * time), ClipRule::Gap(None));
    assert_eq!((codes(&round), round.verdict().as_str()), (vec![], "passed"), "once round is where it began");
}

#[test]
fn a_way_over_the_floor_moves_and_a_lift_or_a_way_there_and_back_does_not() {
    use RootMotion::{InPlace, Moving};

    let of = |wanted: RootMotion, place: fn(f32) -> Vec3| {
        let channels = vec![translations(BONE, &keys(30.0, 2.0, place))];
        codes(&of_tube(channels, ClipRule::Root(wanted)))
    };
    // Motion counts from a tenth of the height, which is 5 cm.
    let near = |time| Vec3::X * 0.024 * time;
    let far = |time| Vec3::X * 0.026 * time;
    assert_eq!((of(InPlace, near), of(InPlace, far)), (vec![], vec![Code::ClipRoot]));
    assert_eq!((of(Moving, near), of(Moving, far)), (vec![Code::ClipRoot], vec![]));
    assert_eq!(of(InPlace, |time| Vec3::Y * time), []);
    assert_eq!(of(InPlace, |time| Vec3::X * (1.0 - (1.0 - time).abs())), []);
}

#[test]
fn a_foot_that_slides_three_millimetres_a_frame_fails_below_nine_centimetres_and_a_treadmill_passes() {
    let slides = |limit| of_feet(limit, |rig| vec![moved(rig, "rightFoot", |time| Vec3::Z * 0.003 * time * 30.0)]);
    assert!((value(&slides(1.0)) - 90.0).abs() < 0.2, "30 steps of 3 mm: {}", value(&slides(1.0)));
    assert_eq!((codes(&slides(89.5)), codes(&slides(90.5))), (vec![Code::ClipFootSlide], vec![]));
    let message = slides(1.0).findings[0].message.clone();
    assert!(
        message.contains("foot \"rightFoot\" by 90.0 mm in the contact that begins at 0.000 s, frame 0"),
        "{message}"
    );
    let treadmill =
        of_feet(10.0, |rig| vec![moved(rig, "leftFoot", stride), moved(rig, "rightFoot", |time| stride(time + 0.5))]);
    assert_eq!(codes(&treadmill), [], "{:?}", treadmill.findings);
}

#[test]
fn rate_and_length_are_those_of_the_keys() {
    let at = |rate: f32, demand| of_tube(vec![rotations(BONE, &keys(rate, 2.0, Quat::from_rotation_z))], demand);
    let rate = |rate: f32, wanted| at(rate, ClipRule::Rate(wanted));
    assert_eq!((codes(&rate(24.0, 24.0)), codes(&rate(24.0, 30.0))), (vec![], vec![Code::ClipTiming]));
    assert_eq!(codes(&rate(30.0, 60.0)), [Code::ClipTiming], "keys on every second frame of 60 are 30 a second");
    assert_eq!(why(&rate(1.0, 24.0)), "its few keys match both 24 and 30.00 frames per second");
    assert_eq!(why(&rate(7.3, 30.0)), "its keys match no common frame rate");
    let long = |min, max| codes(&at(30.0, ClipRule::Seconds { min, max }));
    assert_eq!((long(None, Some(2.0)), long(Some(2.0), None)), (vec![], vec![]));
    assert_eq!((long(None, Some(1.9)), long(Some(2.1), None)), (vec![Code::ClipTiming], vec![Code::ClipTiming]));
}

#[test]
fn unmeasurable_rule_is_reported_and_does_not_pass() {
    let two_frames = vec![translations(BONE, &[(0.0, Vec3::ZERO), (1.0 / 30.0, Vec3::X)])];
    for demand in [ClipRule::Seam(1.0), ClipRule::Gap(None), ClipRule::Root(RootMotion::InPlace)] {
        let sheet = of_tube(two_frames.clone(), demand);
        assert_eq!(why(&sheet), "it has fewer than three frames", "{demand:?}");
        assert!(sheet.is_undecided() && sheet.verdict() == "undecided");
        assert_eq!(sheet.findings[0].severity, Severity::Warning);
    }
    let no_feet = of_tube(turned(|time| time), ClipRule::FootSlide(9.0));
    assert_eq!(why(&no_feet), "no joint looks like a foot by its name");
    let flies = |time: f32| Vec3::new(0.0, 0.3 * (1.0 - (2.0 * time - 1.0).abs()), 2.0 * time);
    let in_air = of_feet(9.0, |rig| {
        vec![moved(rig, "hips", |time| Vec3::Z * time), moved(rig, "leftFoot", flies), moved(rig, "rightFoot", flies)]
    });
    assert_eq!(why(&in_air), "feet hardly ever stand on the floor");
    // A rule whose violations are no errors doesn't make the report undecided.
    let mild = ClipRules { severity: Severity::Note, ..contract("walk", &[ClipRule::Seam(1.0)]) };
    let sheet = judged(&with(&tube(), vec![clip("walk", two_frames)]), &[mild]);
    assert_eq!((sheet.is_undecided(), sheet.findings[0].severity), (false, Severity::Note));
}

#[test]
fn unknown_clip_names_are_reported_and_fail_only_if_required() {
    let rig = with(&tube(), vec![clip("Walk_01", turned(|time| time)), clip("idle", turned(|time| time))]);
    let found = judged(&rig, &[contract("walk", &[ClipRule::Rate(30.0)])]);
    assert_eq!(
        (codes(&found), found.verdict().as_str()),
        (vec![Code::ClipUnmatched], "passed"),
        "the whole name counts"
    );
    assert!(found.findings[0].message.ends_with("; there are \"Walk_01\", \"idle\"."), "{:?}", found.findings);
    // A baseline still recognises the finding after the rule moved to another line and a clip was added.
    let moved = ClipRules { place: "elsewhere".to_owned(), ..contract("walk", &[ClipRule::Rate(30.0)]) };
    let more = with(&rig, [&rig.clips[..], &[clip("run", turned(|time| time))]].concat());
    let again = judged(&more, &[moved]);
    assert_ne!(found.findings[0].message, again.findings[0].message);
    assert_eq!(finding_locations(&rig, &found.findings[0]), finding_locations(&more, &again.findings[0]));
    assert_eq!(codes(&judged(&rig, &[contract("walk*", &[ClipRule::Rate(30.0)])])), [], "and capitals do not");
    let must = |names: &str| ClipRules { must_exist: true, ..contract(names, &[]) };
    let found = judged(&rig, &[must("*IDLE"), must("run")]);
    assert_eq!((codes(&found), found.verdict().as_str()), (vec![Code::ClipMissing], "failed"));
    assert_eq!(found.rows.len(), 2);
    let none = judged(&tube(), &[must("*")]);
    assert!(none.findings[0].message.ends_with("; the file has no clips."), "{:?}", none.findings);
}

#[test]
fn a_clip_is_held_to_every_contract_of_its_name_and_cancelling_ends_it() {
    let rig = with(&tube(), vec![clip("walk", turned(|time| 0.1 * time))]);
    let contracts =
        [contract("*", &[ClipRule::Seam(1.0), ClipRule::Rate(30.0)]), contract("walk", &[ClipRule::Seam(20.0)])];
    let sheet = judged(&rig, &contracts);
    let names: Vec<&str> = sheet.rows.iter().map(|row| row.rule.name.as_str()).collect();
    assert_eq!(names, ["walk: loop, angle", "walk: rate", "walk: loop, angle"]);
    assert_eq!(codes(&sheet), [Code::ClipSeam]);
    assert_eq!(ClipRules::check_clips(&contracts, &rig, &Progress::cancelled()), None);
}
