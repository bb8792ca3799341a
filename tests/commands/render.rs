//! `rigscope render` with two sides and overlays.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::Path;

use common::command::rigscope;
use common::environment_map::evening;
use image::RgbaImage;
use rigscope::import::Job;
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{Action, AppState, Command, PathUse, Settings};
use rigscope::studio::Studio;

/// Renders the built-in tube in a twisted pose, with additional arguments.
fn render(folder: &Path, arguments: &[&str]) -> RgbaImage {
    let [pose, out] = ["pose.json", "out.png"].map(|name| folder.join(name).to_string_lossy().into_owned());
    std::fs::write(&pose, r#"{"version":1,"joints":{"Middle":{"rotation":[0.7,0.5,0,0.4]}}}"#).unwrap();
    let common = ["render", "builtin:tube", "--pose", &pose, "--size", "200x120", "--no-grid", "--clay", "-o", &out];
    rigscope(&[&common, arguments].concat()).ok();
    image::open(&out).unwrap().to_rgba8()
}

/// Returns one column of an image.
fn column(picture: &RgbaImage, x: u32) -> Vec<[u8; 4]> {
    (0..picture.height()).map(|y| picture.get_pixel(x, y).0).collect()
}

#[test]
fn both_methods_are_where_the_options_put_them() {
    let folder = tempfile::tempdir().unwrap();
    let [lbs, dqs] = ["lbs", "dqs"].map(|method| render(folder.path(), &["--method", method]));
    let is_apart = |x: &u32| column(&lbs, *x) != column(&dqs, *x);
    let apart = ((0..95).rev().find(is_apart), (105..200).find(is_apart));
    let (Some(left), Some(right)) = apart else { panic!("the pose differs on both halves: {apart:?}") };
    let middle = (left, right);
    let wipe = render(folder.path(), &["--compare", "wipe"]);
    assert_eq!((column(&wipe, middle.0), column(&wipe, middle.1)), (column(&lbs, middle.0), column(&dqs, middle.1)));
    let turned = ["--compare", "wipe", "--wipe-angle", "180", "--method", "dqs", "--with", "lbs"];
    let turned = render(folder.path(), &turned);
    assert_eq!(column(&turned, middle.0), column(&lbs, middle.0), "B is on the left");
    let beyond = ((right + 8 - 100) as f32 / 120.0).to_string();
    let moved = render(folder.path(), &["--compare", "wipe", "--wipe-offset", &beyond]);
    assert_eq!(column(&moved, middle.1), column(&lbs, middle.1), "the line is to the right");
    let others = ["side-by-side", "ghost", "ghost-outline"].map(|how| render(folder.path(), &["--compare", how]));
    assert!(others.iter().all(|p| *p != lbs) && others[0] != others[1] && others[1] != others[2]);
}

#[test]
fn edges_are_hard_with_one_sample_a_pixel_and_smooth_with_four() {
    let folder = tempfile::tempdir().unwrap();
    let [one, four, default] =
        [&["--samples", "1"][..], &["--samples", "4"], &[]].map(|more| render(folder.path(), more));
    assert_eq!(four, default);
    let colors = |picture: &RgbaImage| picture.pixels().collect::<std::collections::HashSet<_>>().len();
    assert!(one != four && colors(&one) < colors(&four), "{} and {} colours", colors(&one), colors(&four));
}

#[test]
fn halves_show_the_materials_of_the_file_unless_clay_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png").to_string_lossy().into_owned();
    let picture = |arguments: &[&str]| {
        let common = ["render", "builtin:figure", "--size", "160x120", "--no-grid", "-o", &out];
        rigscope(&[&common, arguments].concat()).ok();
        image::open(&out).unwrap().to_rgba8()
    };
    assert_ne!(picture(&["--compare", "side-by-side"]), picture(&["--compare", "side-by-side", "--clay"]));
    assert_eq!(picture(&["--compare", "wipe"]), picture(&["--compare", "wipe", "--clay"]));
}

#[test]
fn an_environment_map_lights_the_picture_of_a_command_as_it_does_that_of_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let (size, sky) = ([160, 120], evening(folder.path()));
    let mut state =
        AppState::new(Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap(), Settings::default());
    let plain = folder.path().join("plain.json");
    std::fs::write(&plain, state.open.snapshot().session().to_json()).unwrap();
    state.apply(Command::UsePath(PathUse::OpenEnvironment, sky.clone()));
    state.apply(Command::TurnLight(0.5));
    state.apply(Command::Do(Action::ToggleEnvironmentBackground));
    let lit = folder.path().join("lit.json");
    std::fs::write(&lit, state.open.snapshot().session().to_json()).unwrap();
    assert_eq!(state.open.stage.compute_pending(&Job::default()), [""; 0]);
    let shown = Studio::new(None).unwrap().picture(&state.open.stage, size).unwrap();

    let out = folder.path().join("out.png");
    let turn = 0.5_f32.to_degrees().to_string();
    let by_options = ["--environment", &sky.to_string_lossy(), "--light-angle", &turn, "--backdrop"];
    for (session, options) in [(&lit, &[][..]), (&plain, &by_options)] {
        let [session, out] = [session, &out].map(|path| path.to_string_lossy().into_owned());
        let common = ["render", "--session", &session, "--size", "160x120", "-o", &out];
        rigscope(&[&common, options].concat()).ok();
        let picture = image::open(&out).unwrap().to_rgba8();
        let far = picture.iter().zip(shown.iter()).filter(|(a, b)| a.abs_diff(**b) > 1).count();
        assert_eq!(far, 0, "values of {options:?}");
    }
    let built_in = rigscope(&[
        "render",
        "--session",
        &*lit.to_string_lossy(),
        "--environment",
        "studio",
        "-o",
        &*out.to_string_lossy(),
        "--size",
        "160x120",
    ]);
    built_in.ok();
    assert_ne!(
        image::open(&out).unwrap().to_rgba8(),
        shown,
        "a built-in environment takes the environment map's place"
    );
}

#[test]
fn an_environment_map_that_cannot_be_read_is_an_error_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.hdr");
    std::fs::write(&cut, b"#?RADIANCE\n\n-Y 2 +X 4\n").unwrap();
    let run = |light: &Path| {
        rigscope(&["render", "builtin:tube", "--environment", &*light.to_string_lossy(), "-o", "never.png"])
    };
    let broken = run(&cut);
    assert_eq!((broken.code, broken.stderr.contains("it ends in row 1 of 2 (")), (Some(2), true), "{broken:?}");
    assert!(run(&folder.path().join("sky.png")).stderr.contains("expected studio, neutral, outdoor or a .hdr file"));
    assert!(!Path::new("never.png").exists());
}

#[test]
fn values_are_painted_and_the_rest_pose_is_a_side() {
    let folder = tempfile::tempdir().unwrap();
    let plain = render(folder.path(), &[]);
    let painted = |arguments: &[&str]| render(folder.path(), &[&["--overlay"], arguments].concat());
    assert_ne!(painted(&["distance"]), plain);
    assert_ne!(painted(&["distance"]), painted(&["distance", "--with", "rest"]));
    assert_ne!(painted(&["weight", "--joint", "Middle"]), painted(&["weight", "--joint", "Near"]));
}

#[cfg(not(any(windows, target_os = "macos")))]
#[test]
fn missing_driver_names_the_package_to_install() {
    let out = tempfile::tempdir().unwrap();
    let picture = out.path().join("out.png");
    let run = std::process::Command::new(rigscope_tests::program())
        .args(["render", "builtin:tube", "-o"])
        .arg(&picture)
        .env("__EGL_VENDOR_LIBRARY_FILENAMES", out.path().join("none.json"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!((run.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("no OpenGL context without a window") && said.contains("install Mesa's EGL"), "{said}");
    assert!(!picture.exists());
}

#[test]
fn invalid_render_options_are_rejected_with_a_reason() {
    let refused = |arguments: &[&str]| {
        let run = rigscope(&[&["render", "builtin:tube", "-o", "never.png"], arguments].concat());
        assert_ne!(run.code, Some(0), "{arguments:?}");
        run.stderr
    };
    assert!(refused(&["--overlay", "stretch"]).contains("some similar values exist: 'area-stretch', 'edge-stretch'"));
    assert!(refused(&["--overlay", "distnace"]).contains("a similar value exists: 'distance'"));
    assert!(refused(&["--method", "lsb"]).contains("a similar value exists: 'lbs'"));
    assert!(!refused(&["--overlay", "nothing"]).contains("similar"));
    assert!(refused(&["--overlay", "weight"]).contains("--joint"));
    assert!(refused(&["--overlay", "weight", "--joint", "Elbow"]).contains("Elbow"));
    assert!(refused(&["--compare", "wipe", "--with", "resting"]).contains("rest"));
    assert!(refused(&["--compare", "wipe", "--wipe-angle", "nan"]).contains("from -360 to 360"));
    assert!(refused(&["--with", "dqs"]).contains("--compare"));
    assert!(refused(&["--wipe-angle", "90", "--overlay", "distance"]).contains("needs a comparison"));
    assert!(!Path::new("never.png").exists());
}

#[test]
fn a_transparent_picture_is_the_character_as_it_is_without_a_fringe() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = ["--light", "--transparent"].map(|option| render(folder.path(), &[option]));
    let [opaque, cut] = &pictures;
    let alphas = |range: std::ops::RangeInclusive<u8>| cut.pixels().filter(|p| range.contains(&p[3])).count();
    assert!(alphas(255..=255) > 1000 && alphas(0..=0) > 1000 && alphas(1..=254) > 50);
    for (there, here) in opaque.pixels().zip(cut.pixels()).filter(|(_, cut)| cut[3] == 255) {
        assert!((0..3).all(|c| there[c].abs_diff(here[c]) <= 1), "{there:?} {here:?}");
    }
    let darkest = |least: u8| cut.pixels().filter(|p| p[3] >= least).map(|p| p[0]).min().unwrap();
    assert!(darkest(64) + 12 >= darkest(255), "borders are no darker than the body: {} {}", darkest(64), darkest(255));
}

#[test]
fn the_shadow_stays_where_the_background_goes() {
    let folder = tempfile::tempdir().unwrap();
    let [with, without] = ["with.png", "without.webp"].map(|name| folder.path().join(name));
    let common = ["render", "builtin:figure", "--size", "200x120", "--transparent", "-o"];
    rigscope(&[&common[..], &[with.to_str().unwrap()]].concat()).ok();
    rigscope(&[&common[..], &[without.to_str().unwrap(), "--no-grid"]].concat()).ok();
    let [with, without] = [with, without].map(|path| image::open(path).unwrap().to_rgba8());
    let shadow =
        |picture: &RgbaImage| picture.pixels().filter(|p| p.0[..3] == [0; 3] && (8..250).contains(&p[3])).count();
    assert!(shadow(&with) > shadow(&without) + 200, "{} {}", shadow(&with), shadow(&without));
    assert_eq!(with.get_pixel(0, 0).0, [0; 4]);
    let refused = rigscope(&["render", "builtin:figure", "--transparent", "-o", "never.jpg"]);
    assert!(refused.code != Some(0) && refused.stderr.contains(".png or .webp"), "{}", refused.stderr);
}

#[test]
fn a_saved_view_is_looked_from_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let [session, out] = ["s.json", "out.png"].map(|name| folder.path().join(name).to_string_lossy().into_owned());
    let json = r#"{"version":1,"source":"builtin:tube","camera":{"yaw":0.2,"distance":4.0},
        "views":[{"name":"Side","camera":{"yaw":1.5,"distance":3.0}},{"name":"Close","camera":{"distance":1.0}}]}"#;
    let common = ["render", "--size", "120x90", "-o", &out, "--session", &session];
    let picture = |json: &str, arguments: &[&str]| {
        std::fs::write(&session, json).unwrap();
        rigscope(&[&common, arguments].concat()).ok();
        image::open(&out).unwrap().to_rgba8()
    };
    let of_session = picture(json, &[]);
    let side = picture(json, &["--view", "Side"]);
    assert_ne!(side, of_session);
    let there = json.replacen(r#"{"yaw":0.2,"distance":4.0}"#, r#"{"yaw":1.5,"distance":3.0}"#, 1);
    assert_eq!(side, picture(&there, &[]));
    let unknown = rigscope(&[&common, &["--view", "Back"][..]].concat());
    let told = unknown.stderr;
    assert_eq!(unknown.code, Some(2), "{told}");
    assert!(told.contains("There is no view \"Back\"; the session has Side, Close"), "{told}");
}

#[test]
fn trails_are_drawn_and_a_mistyped_joint_gets_suggestions() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png").to_string_lossy().into_owned();
    let run = |more: &[&str]| {
        let common = ["render", "builtin:figure", "--size", "160x120", "--no-grid", "-o", &out];
        rigscope(&[&common, more].concat())
    };
    let picture = |more: &[&str]| {
        run(more).ok();
        image::open(&out).unwrap().to_rgba8()
    };
    let plain = picture(&["--clip", "wave"]);
    let hand = picture(&["--clip", "wave", "--trail", "RightHand"]);
    let both = picture(&["--clip", "wave", "--trail", "RightHand", "--trail", "RightLowerArm", "--root-path"]);
    assert!(plain != hand && hand != both);
    let refused = |more: &[&str]| {
        let run = run(more);
        assert_eq!(run.code, Some(2));
        run.stderr
    };
    assert!(refused(&["--clip", "wave", "--trail", "RightHnd"]).contains("near it are RightHand"));
    assert!(refused(&["--trail", "RightHand"]).contains("Choose one with --clip"));
}
