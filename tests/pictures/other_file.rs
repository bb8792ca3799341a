//! A comparison file on one side: whatever the user does, each side keeps its own nodes and vertices.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::character::Character;
use common::command::rigscope;
use glam::{Quat, Vec2, Vec3};
use image::RgbaImage;
use rigscope::cli::{Backend, skinned};
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::report::{Origin, ReportOptions, report};
use rigscope::rig::{NodeIndex, Rig, Trs};
use rigscope::skinning::JointMethod;
use rigscope::stage::{Document, MeasureBench, Source, Stage};
use rigscope::state::{
    ACTIONS, Action, AppState, Command, ExportKind, JobResult, PathCommand, PathUse, Request, Settings, WindowRequest,
    list_poses,
};
use rigscope::studio::{Studio, measure_sides};
use rigscope::view::{Backdrop, Compare, Display, Layout, Overlay, Ray, ShadingMode, Side, Wipe};
use rigscope::weights::WeightChoice;

const SIZE: [u32; 2] = [64, 48];

/// Writes a character, and a version of it with additional joints and one and a half times the width.
fn files(folder: &Path) -> [PathBuf; 2] {
    let small = Character::default();
    let mut large = Character::default();
    for number in 0..20 {
        large.add_joint(&format!("Further {number}"), Some(1));
    }
    large.positions.iter_mut().for_each(|[x, ..]| *x *= 1.5);
    [("small.glb", small), ("large.glb", large)].map(|(name, character)| {
        let path = folder.join(name);
        std::fs::write(&path, character.builder().build()).unwrap();
        path
    })
}

/// Opens a file with a comparison file on side B, or on side A if the sides are swapped.
fn comparing([open, other]: [&Path; 2], is_swapped: bool) -> AppState {
    let document = Document::open(&Source::File(open.to_owned()), &Job::default()).unwrap();
    let mut state = AppState::new(document, Settings::default());
    let joint = state.open.stage.rig().skins[0].joints[1];
    state.apply(Command::Select(Some(joint)));
    let mut skinning = state.open.stage.view.sides.a.skinning.clone();
    skinning.by_joint.push((*state.open.stage.rig().skins[0].joints.last().unwrap(), JointMethod::Dqs));
    state.apply(Command::SetSkinning(Side::A, skinning));
    state.apply(Command::UsePath(PathUse::CompareWith, other.to_owned()));
    state.open.stage.compute_pending(&Job::default());
    if is_swapped {
        state.apply(Command::Do(Action::SwapSides));
    }
    state.open.stage.refresh();
    let side = if is_swapped { Side::A } else { Side::B };
    assert!(
        state.open.stage.other_on(side).is_some()
            && state.open.stage.other_on(if is_swapped { Side::B } else { Side::A }).is_none()
    );
    state
}

fn arrangements(folder: &Path, mut check: impl FnMut(&mut dyn FnMut() -> AppState)) {
    let [small, large] = files(folder);
    for files in [[&*small, &*large], [&*large, &*small]] {
        for is_swapped in [false, true] {
            check(&mut || comparing(files, is_swapped));
        }
    }
}

/// Carries out a request. Files to open are `other`, and files to save are written beside it.
fn fulfil(state: &mut AppState, request: Option<Request>, other: &Path) {
    let Some(request) = request else { return };
    let (progress, job) = (Progress::default(), Job::default());
    let arrived = match request {
        Request::Load { source, then, .. } => {
            let document = Document::open(&source, &job).unwrap();
            Some(JobResult::Document(Box::new(document), then))
        }
        Request::Disk(job) => Some(job.run()),
        Request::Export(saving) => saving.run(&job),
        Request::FindSession => Some(JobResult::FilesRead(vec![Err("There is none".to_owned())])),
        Request::ListPoses => {
            let (folders, cards) = (state.open.library.folders(), state.open.library.cards());
            let listing = list_poses(state.open.stage.rig(), folders, cards, &progress);
            listing.map(|listing| JobResult::PosesListed(Arc::clone(state.open.stage.rig()), listing))
        }
        Request::Window(WindowRequest::PickPath(question)) => {
            let beside = other.with_file_name(format!("saved {}", question.name));
            let path = if question.purpose.is_saving() { beside } else { other.to_owned() };
            let next = state.apply(Command::Path(PathCommand::Answered(question.purpose, path)));
            return fulfil(state, next, other);
        }
        // The window handles reports, videos, images and the clipboard. No job is running that could be cancelled.
        Request::SaveVideo(..)
        | Request::SaveReport { .. }
        | Request::Window(_)
        | Request::CancelLoad
        | Request::OpenGuide(_)
        | Request::CancelJob(_) => None,
    };
    if let Some(arrived) = arrived {
        let next = state.receive(arrived);
        fulfil(state, next, other);
    }
}

fn draw(studio: &mut Studio, state: &mut AppState) -> RgbaImage {
    state.open.stage.refresh();
    measure_sides(&mut state.open.stage, &mut MeasureBench::default()).unwrap();
    studio.picture(&state.open.stage, SIZE).unwrap()
}

/// Returns only the skin, in clay. Bones, ground and trails belong to one side, but would be drawn on both.
fn bare(state: &AppState, compare: Compare) -> Stage {
    let mut stage = state.open.stage.still();
    stage.view.compare = Compare { is_clay: true, ..compare };
    let display = stage.view.display;
    let display =
        Display { bones: false, grid: false, trails: false, root_path: false, shading: ShadingMode::Clay, ..display };
    (stage.view.display, stage.view.backdrop) = (display, Backdrop::White);
    stage.view.marked.clear();
    stage.view.sides.iter_mut().for_each(|side| side.options.overlay = None);
    stage.refresh();
    stage
}

/// Asserts that each side of a wipe looks like that side alone. Returns whether anything is visible, which is not the
/// case for a flat character from above.
fn is_each_side_drawn(studio: &mut Studio, state: &AppState, after: &dyn Debug) -> bool {
    let mut picture = |compare| studio.picture(&bare(state, compare), SIZE).unwrap();
    let wipe = Wipe::default();
    let both = picture(Compare { layout: Layout::Wipe, wipe, ..Compare::default() });
    let alone = [false, true].map(|is_blinking| picture(Compare { is_blinking, ..Compare::default() }));
    let size = Vec2::from(SIZE.map(|side| side as f32));
    let mut covered = [0; 2];
    for (x, y, pixel) in both.enumerate_pixels() {
        let distance = wipe.distance(Vec2::new(x as f32 + 0.5, y as f32 + 0.5), size);
        let side = usize::from(distance > 0.0);
        covered[side] += usize::from(alone[side].get_pixel(x, y).0 != [255; 4]);
        // Ignores the dividing line, and differences that come from the depth of the other side.
        let is_same = pixel.0.iter().zip(alone[side].get_pixel(x, y).0).all(|(a, b)| a.abs_diff(b) < 6);
        assert!(distance.abs() < 4.0 || is_same, "{after:?}, side {side} at {x}, {y}");
    }
    let is_seen = covered.map(|pixels| pixels > 20);
    assert_eq!(is_seen[0], is_seen[1], "{after:?}: {covered:?} pixels of the sides");
    is_seen[0]
}

#[test]
fn whatever_is_done_each_side_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = Studio::new(None).unwrap();
    let other = folder.path().join("large.glb");
    arrangements(folder.path(), |start| {
        let (mut state, mut seen) = (start(), 0);
        for spec in ACTIONS {
            let request = state.apply(Command::Do(spec.action));
            fulfil(&mut state, request, &other);
            state.open.stage.compute_pending(&Job::default());
            draw(&mut studio, &mut state);
            seen += usize::from(is_each_side_drawn(&mut studio, &state, &spec.action));
            if Side::ALL.into_iter().all(|side| state.open.stage.other_on(side).is_none()) {
                state = start();
            }
        }
        assert!(seen > ACTIONS.len() * 3 / 4, "both sides are seen after {seen} actions");
        for overlay in Overlay::ALL {
            let mut state = start();
            for side in Side::ALL {
                state.apply(Command::SetOverlay(side, Some(overlay)));
            }
            draw(&mut studio, &mut state);
        }
    });
}

#[test]
fn b_is_held_in_place_of_a_with_the_bones_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = Studio::new(None).unwrap();
    arrangements(folder.path(), |start| {
        for layout in Layout::ALL {
            let mut state = start();
            state.apply(Command::SetLayout(layout));
            state.apply(Command::Blink(true));
            draw(&mut studio, &mut state);
        }
    });
}

#[test]
fn joints_that_are_picked_are_those_of_the_open_character() {
    let folder = tempfile::tempdir().unwrap();
    arrangements(folder.path(), |start| {
        let mut state = start();
        let turned = Trs::from_rotation(Quat::from_rotation_z(0.5));
        let mut pose = state.open.stage.pose().clone();
        let joint = state.open.stage.rig().skins[0].joints[1];
        pose.set_user_local(joint, turned);
        state.apply(Command::SetPose { pose, label: "Turn".to_owned() });
        state.open.stage.refresh();
        let name = |node: NodeIndex| state.open.stage.rig().hierarchy.name(node).to_owned();
        let bones = |side| {
            let mut names: Vec<String> =
                state.open.stage.actor(side).bones.iter().map(|bone| name(bone.joint)).collect();
            names.retain(|name| !name.starts_with("Further"));
            names.dedup();
            names
        };
        assert_eq!(bones(Side::A), bones(Side::B));
        for bone in
            Side::ALL.into_iter().flat_map(|side| state.open.stage.actor(side).bones.iter().map(move |b| (side, b)))
        {
            assert_eq!(state.open.stage.actor(bone.0).world_from(bone.1.joint).unwrap().translation, bone.1.head);
        }
        for side in Side::ALL {
            let ray = Ray { origin: Vec3::new(0.0, 0.5, 20.0), direction: Vec3::NEG_Z };
            state.apply(Command::Select(None));
            state.apply(Command::PickSkin { side, ray, adds: false });
            let picked = state
                .open
                .stage
                .view
                .active_joint()
                .map(|joint| state.open.stage.rig().hierarchy.name(joint).to_owned());
            assert!(picked.as_deref().is_some_and(|name| ["Root", "Lower", "Upper"].contains(&name)), "{picked:?}");
        }
    });
}

#[test]
fn exports_contain_the_character_that_they_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut studio = Studio::new(None).unwrap();
    arrangements(folder.path(), |start| {
        let mut state = start();
        let width_of = |rig: &Rig| if rig.hierarchy.len() > 10 { 1.5 } else { 1.0 };
        let deformed = skinned(&state.open.stage, Backend::Cpu).unwrap();
        let widest = deformed.iter().flatten().flat_map(|d| &d.positions).fold(0.0, |most: f32, p| most.max(p.x));
        assert!((widest - width_of(state.open.stage.rig())).abs() < 0.01, "the open file is baked: {widest}");
        let origin = Origin { command: "a test".to_owned(), made_secs: 0 };
        let options = ReportOptions::new(&origin);
        let mut page = |stage: &Stage| report(&mut studio, stage, options, &Progress::default()).unwrap().html;
        let beside = page(&state.open.stage);
        assert!(beside.contains(" only. In the window, side "), "the page says whose the sides are");
        let mut alone = state.open.stage.still();
        for side in Side::ALL {
            alone.view.sides[side].show_weights(WeightChoice::File);
        }
        let alone = page(&alone);
        assert!(!alone.contains(" only. In the window, side "));
        let pictures = |page: &str| {
            page.split("data:image/jpeg;base64,")
                .map(|part| part.split('"').next().unwrap().to_owned())
                .skip(1)
                .collect::<Vec<_>>()
        };
        assert!(pictures(&beside).len() > 5 && pictures(&beside) == pictures(&alone), "another file is drawn");
        for side in Side::ALL {
            let path = folder.path().join("posed.json");
            let requests = state.apply(Command::UsePath(PathUse::Export(ExportKind::Mesh(side)), path.clone()));
            let Some(Request::Export(saving)) = requests else { panic!("{requests:?}") };
            saving.run(&Job::default()).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            let widest = json["primitives"][0]["positions"].as_array().unwrap().iter();
            let widest = widest.map(|p| p[0].as_f64().unwrap() as f32).fold(0.0, f32::max);
            assert!((widest - width_of(&state.open.stage.actor(side).rig)).abs() < 0.01, "{side:?}: {widest}");
        }
    });
}

#[test]
fn distances_that_are_not_known_are_not_zero() {
    let folder = tempfile::tempdir().unwrap();
    let [open, _] = files(folder.path());
    let far = folder.path().join("far.glb");
    let mut character = Character::default();
    character.positions.iter_mut().for_each(|[x, ..]| *x = *x * 40.0 + 3.0);
    // With different triangles, vertices are matched by distance.
    character.indices.truncate(character.indices.len() - 3);
    std::fs::write(&far, character.builder().build()).unwrap();
    let run = |format: &[&str]| {
        let arguments = [open.as_os_str(), "--with-file".as_ref(), far.as_os_str()];
        let format = format.iter().map(|word| std::ffi::OsStr::new(*word));
        let all: Vec<_> = [std::ffi::OsStr::new("compare")].into_iter().chain(arguments).chain(format).collect();
        rigscope(&all).ok().stdout
    };
    let pose = serde_json::from_str::<serde_json::Value>(&run(&["--json"])).unwrap()["pose"].clone();
    assert!(pose["max_distance_m"].is_null() && pose["distances_off"].as_str().unwrap().contains("lie near"), "{pose}");
    assert!(run(&["--csv", "-"]).trim_end().ends_with(",,"), "empty cells");
    let told = run(&[]);
    assert!(told.contains("no distances:"));
    let is_alone = |line: &str| line.ends_with(" -") && !line.contains('%');
    assert!(told.lines().filter(|line| line.contains(", m")).all(is_alone), "nothing is a share of another: {told}");
}
