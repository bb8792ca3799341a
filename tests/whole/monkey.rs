//! Monkey test: random actions, reproducible by seed.
//!
//! `RIGSCOPE_MONKEY_SEED` runs only one seed, and prints each action before it is performed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{DroppedFile, HoveredFile, ViewportEvent, ViewportId};
use egui_kittest::Harness;
use egui_kittest::kittest::NodeT as _;
use rigscope::stage::BuiltIn;
use rigscope::state::Command;

use crate::checks::{Start, assert_consistent};
use crate::common::{files_below, samples, vrm, vrm_face};
use crate::hands::{Act, Hands, Sight, Widget};
use crate::program::{Program, settle};

/// Number of actions per seed.
const ACTS: usize = 100;
/// Number of actions after which everything is undone and redone.
const ACTS_TO_UNDO: usize = 30;

#[test]
fn the_program_stands_whatever_is_done_to_it() {
    let mut counts = Counts::default();
    let seeds: Vec<u64> = seed().map_or((0..4).collect(), |seed| vec![seed]);
    for &seed in &seeds {
        play(seed, &[], &mut counts);
    }
    eprintln!("monkey: seeds {seeds:?}, {counts}");
}

#[test]
#[ignore = "ten minutes of `make soak`"]
fn the_program_stands_for_ten_minutes() {
    let (start, mut counts) = (Instant::now(), Counts::default());
    let minutes = std::env::var("RIGSCOPE_MONKEY_MINUTES").map_or(10, |minutes| minutes.parse().unwrap());
    let first = seed().unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        now.as_secs() % 1_000_000_000
    });
    let samples = small_samples();
    for seed in first.. {
        play(seed, &samples, &mut counts);
        eprintln!("monkey: seeds {first} to {seed}, {counts}");
        if start.elapsed() > Duration::from_secs(60 * minutes) {
            break;
        }
    }
}

fn seed() -> Option<u64> {
    std::env::var("RIGSCOPE_MONKEY_SEED").ok().map(|seed| seed.parse().expect("RIGSCOPE_MONKEY_SEED is a number"))
}

/// Numbers of actions by kind, and names of widgets that were used.
#[derive(Default)]
struct Counts {
    acts: BTreeMap<&'static str, usize>,
    widgets: std::collections::BTreeSet<String>,
    frames: u64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all: usize = self.acts.values().sum();
        write!(f, "{all} acts ({:?}) on {} widgets, {} frames", self.acts, self.widgets.len(), self.frames)
    }
}

/// Actions so far, printed if a check fails.
struct Diary {
    seed: u64,
    acts: Vec<String>,
}

impl Diary {
    fn note(&mut self, act: String) {
        if seed().is_some() {
            eprintln!("{}. {act}", self.acts.len());
        }
        self.acts.push(act);
    }
}

impl Drop for Diary {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut told = String::new();
            for (number, act) in self.acts.iter().enumerate().skip(self.acts.len().saturating_sub(25)) {
                _ = writeln!(told, "  {number}. {act}");
            }
            eprintln!(
                "monkey: seed {} failed; again by RIGSCOPE_MONKEY_SEED={}. What was done last:\n{told}",
                self.seed, self.seed
            );
        }
    }
}

/// Performs the actions of one seed, on generated files and copies of other files.
fn play(seed: u64, others: &[PathBuf], counts: &mut Counts) {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, places) = (write_files(folder.path()), places(folder.path()));
    for other in others {
        let copy = folder.path().join(other.file_name().unwrap());
        std::fs::copy(other, &copy).unwrap();
        files.push(copy);
    }
    let mut diary = Diary { seed, acts: Vec::new() };
    let mut hands = Hands::new(seed);
    let mut harness = open(folder.path());
    let mut start = Start::default();
    start.note(&mut harness);
    for number in 1..=ACTS {
        let widgets = widgets(&harness);
        let (size, copied) = (harness.ctx.content_rect().size(), harness.state().copied.clone());
        let sight = Sight { widgets: &widgets, size, files: &files, places: &places, copied: &copied };
        let act = hands.act(&sight);
        *counts.acts.entry(act.kind()).or_default() += 1;
        diary.note(act.told());
        perform(&mut harness, act, &files);
        settle(&mut harness);
        assert_consistent(&harness.state().engine.state);
        start.note(&mut harness);
        if harness.state().is_over {
            counts.frames += close(harness);
            harness = open(folder.path());
            start = Start::default();
            start.note(&mut harness);
        }
        if number % ACTS_TO_UNDO == 0 {
            diary.note("undo and redo".to_owned());
            start.check_undo(&mut harness);
            assert_consistent(&harness.state().engine.state);
        }
    }
    counts.frames += close(harness);
    counts.widgets.extend(hands.widgets_used().map(str::to_owned));
}

fn open(folder: &Path) -> Harness<'static, Program> {
    let mut harness = Program::new(folder).harness([1440.0, 900.0]);
    settle(&mut harness);
    harness
}

/// Ends the program as a window does. Returns the number of frames.
fn close(harness: Harness<'_, Program>) -> u64 {
    let mut program = harness.into_state();
    program.engine.finish();
    program.frames
}

/// Returns all widgets that have a name.
fn widgets(harness: &Harness<'_, Program>) -> Vec<Widget> {
    let scale = f64::from(harness.ctx.pixels_per_point());
    let widget = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        let bounds = node.bounding_box()?;
        let at = |x: f64, y: f64| egui::pos2((x / scale) as f32, (y / scale) as f32);
        Some(Widget {
            name: node.label().or_else(|| node.value()).unwrap_or_default(),
            role: node.role(),
            rect: egui::Rect::from_min_max(at(bounds.x0, bounds.y0), at(bounds.x1, bounds.y1)),
            node: node.locate(),
        })
    };
    harness.root().children_recursive().filter_map(widget).collect()
}

fn perform(harness: &mut Harness<'_, Program>, act: Act, files: &[PathBuf]) {
    match act {
        Act::Events(_, _, events) => events.into_iter().for_each(|event| {
            harness.event(event);
            harness.step();
        }),
        Act::Drop { files, lets_go } => {
            let hovered = files.iter().map(|path| HoveredFile { path: Some(path.clone()), ..HoveredFile::default() });
            harness.input_mut().hovered_files = hovered.collect();
            harness.step();
            harness.input_mut().hovered_files.clear();
            if lets_go {
                let dropped = files.into_iter().map(|path| Arc::new(Dropped(path)) as egui::DroppedFileHandle);
                harness.input_mut().dropped_files = dropped.collect();
            }
        }
        Act::Resize(size) => _ = harness.set_size(size),
        Act::Scale(scale) => _ = harness.set_pixels_per_point(scale),
        Act::Script(actions) => actions.into_iter().for_each(|action| {
            harness.state_mut().engine.commands.push(Command::Do(action));
            harness.step();
        }),
        Act::Wait(frames) => harness.run_steps(frames),
        Act::Rewrite(path, with) => rewrite(&path, with.as_deref(), files),
        Act::Close => {
            let window = harness.input_mut().viewports.get_mut(&ViewportId::ROOT).unwrap();
            window.events.push(ViewportEvent::Close);
        }
    }
}

/// Replaces a file, or deletes it. Keeps folders.
fn rewrite(path: &Path, with: Option<&Path>, files: &[PathBuf]) {
    assert!(files.iter().any(|file| file == path));
    if path.is_dir() {
        return;
    }
    match with.map(std::fs::read) {
        Some(Ok(bytes)) => std::fs::write(path, bytes).unwrap(),
        _ => _ = std::fs::remove_file(path),
    }
}

/// Returns a few small samples that consist of one file.
fn small_samples() -> Vec<PathBuf> {
    const MAX_BYTES: u64 = 1 << 20;
    let all = samples().map_or_else(Vec::new, |folder| files_below(&folder, &["fbx", "glb", "vrm"]));
    let is_small = |path: &PathBuf| path.metadata().is_ok_and(|file| file.len() <= MAX_BYTES);
    let small: Vec<PathBuf> = all.into_iter().filter(is_small).collect();
    let step = (small.len() / 20).max(1);
    small.into_iter().step_by(step).collect()
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|problem| problem.to_string())
    }
}

/// Writes characters, poses and invalid files.
pub fn write_files(folder: &Path) -> Vec<PathBuf> {
    let (tube, figure) = (BuiltIn::Tube.bytes(), BuiltIn::Figure.bytes());
    let mut renamed = tube.to_vec();
    let at = renamed.windows(5).position(|w| w == b"\"Far\"").unwrap();
    renamed[at..at + 5].copy_from_slice(b"\"Tip\"");
    let turn = r#"{"rotation":[0.38,0,0,0.92]}"#;
    let pose = format!(r#"{{"version":1,"joints":{{"Middle":{turn},"LeftLowerArm":{turn},"Nobody":{turn}}}}}"#);
    let written: [(&str, Vec<u8>); 14] = [
        ("tube.glb", tube.to_vec()),
        ("figure.glb", figure.to_vec()),
        ("renamed.glb", renamed),
        ("face0.vrm", vrm_face::vrm_face(0).build()),
        ("face1.vrm", vrm_face::vrm_face(1).build()),
        ("springs.vrm", vrm::vrm_1().build()),
        ("cut.glb", figure[..figure.len() / 2].to_vec()),
        ("empty.glb", Vec::new()),
        ("noise.fbx", (0..3000_u32).map(|i| (i * i % 251) as u8).collect()),
        ("text.gltf", b"{\"asset\":{\"version\":\"2.0\"}, ".to_vec()),
        ("noise.png", vec![0x89; 40]),
        ("pose.json", pose.into_bytes()),
        ("not a pose.json", b"[1, 2".to_vec()),
        ("rigscope.toml", b"[limits]\njoints = 3\n".to_vec()),
    ];
    let mut paths: Vec<PathBuf> = written
        .into_iter()
        .map(|(name, bytes)| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        })
        .collect();
    std::fs::create_dir(folder.join("folder.glb")).unwrap();
    paths.extend(["folder.glb", "missing.glb"].map(|name| folder.join(name)));
    paths
}

/// Returns paths that may be written, with every extension. One is in a missing folder.
fn places(folder: &Path) -> Vec<PathBuf> {
    let names = [
        "out.glb",
        "out.obj",
        "out.ply",
        "out.json",
        "out.png",
        "out.jpg",
        "out.csv",
        "out.html",
        "out",
        "f%04d.png",
        "none/out.glb",
    ];
    names.map(|name| folder.join(name)).to_vec()
}
