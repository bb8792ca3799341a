//! Fraction of the image that the skinned vertices of a character fill after framing.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::PathBuf;

use glam::Vec2;
use rigscope::analysis::deform_into;
use rigscope::import::Job;
use rigscope::skinning::{Method, SkinPose, Skinner};
use rigscope::stage::{BuiltIn, Document, Source};
use rigscope::state::{Action, AppState, Command, Settings};
use rigscope::view::{Camera, Layout, Side};

/// Aspect ratio of the view between both panels, in a window of 1366 by 768 points.
const PANE: f32 = 1.26;

/// Bounds of the character in the image, 0 to 1 on both axes.
struct Seen {
    low: Vec2,
    high: Vec2,
}

impl Seen {
    fn new(state: &AppState, camera: &Camera) -> Self {
        let skinner = Skinner::new(state.open.stage.rig(), &Method::Lbs.into()).unwrap();
        let mut deformed = Vec::new();
        deform_into(
            &skinner,
            SkinPose { posed: state.open.stage.posed(), palettes: &state.open.stage.characters.pose().palettes },
            &mut deformed,
        );
        let lens = camera.lens(Vec2::new(state.open.stage.aspect, 1.0) * 1000.0);
        let at = |point: &glam::Vec3| lens.project(*point).expect("in front of the eye") / lens.viewport;
        let places = deformed.iter().flatten().flat_map(|surface| &surface.positions).map(at);
        let empty = Self { low: Vec2::INFINITY, high: Vec2::NEG_INFINITY };
        places.fold(empty, |seen, at| Self { low: seen.low.min(at), high: seen.high.max(at) })
    }

    fn fills(&self) -> f32 {
        (self.high - self.low).max_element()
    }

    fn is_whole(&self) -> bool {
        self.low.min_element() >= 0.0 && self.high.max_element() <= 1.0
    }
}

fn framed(source: &Source, aspect: f32) -> AppState {
    let document = Document::open(source, &Job::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut state = AppState::new(document, Settings::default());
    state.apply(Command::SetAspect(aspect));
    state.apply(Command::Do(Action::FrameAll));
    state
}

/// Returns characters with spread arms and with weapons, and an animal that is longer than it is high, if samples are
/// available.
fn characters() -> Vec<Source> {
    let files =
        ["kaykit/Knight.glb", "threejs/RobotExpressive.glb", "khronos/CesiumMan/CesiumMan.glb", "khronos/Fox/Fox.glb"];
    let folder: Option<PathBuf> = common::samples();
    let of_files = files.into_iter().filter_map(|name| Some(Source::File(folder.as_ref()?.join(name))));
    BuiltIn::ALL.into_iter().map(Source::BuiltIn).chain(of_files).collect()
}

/// Returns whether a character is too long to fill the image and still stay inside it while the camera orbits.
fn is_long(source: &Source) -> bool {
    ["tube", "Fox.glb"].contains(&source.name().as_str())
}

#[test]
fn a_character_fills_the_picture_but_for_a_margin_and_is_not_cut_off() {
    for source in characters() {
        for aspect in [PANE, 1.9, 0.63] {
            let state = framed(&source, aspect);
            let seen = Seen::new(&state, &state.open.stage.view.camera);
            let min_fill = if is_long(&source) { 0.5 } else { 0.7 };
            let is_filled = (min_fill..=0.85).contains(&seen.fills());
            assert!(seen.is_whole() && is_filled, "{} at {aspect}: {}", source.name(), seen.fills());
        }
    }
}

#[test]
fn a_character_is_whole_as_the_camera_goes_round_it_and_side_by_side() {
    for source in characters() {
        let name = source.name();
        let mut state = framed(&source, PANE);
        for degrees in (0..360).step_by(15) {
            let mut camera = state.open.stage.view.camera;
            camera.orbit((degrees as f32).to_radians(), 0.0);
            assert!(Seen::new(&state, &camera).is_whole(), "{name} at {degrees}°");
        }
        state.apply(Command::SetLayout(Layout::SideBySide));
        assert!(state.open.stage.aspect < PANE && state.open.stage.view.compare.shows(Side::B));
        assert!(Seen::new(&state, &state.open.stage.view.camera).is_whole(), "{name} side by side");
    }
}
