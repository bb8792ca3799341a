//! Captions drawn over images: labels of the sides, and legends.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use common::command::rigscope;
use glam::{Quat, Vec2};
use image::{Rgba, RgbaImage};
use rigscope::caption::{CaptionRect, Label, draw_captions, labels, legends, missing, scale_for};
use rigscope::fonts::Fonts;
use rigscope::import::Job;
use rigscope::rig::Trs;
use rigscope::stage::{BuiltIn, Document, MeasureBench, Source};
use rigscope::state::{AppState, Command, PathUse, Settings};
use rigscope::studio::measure_sides;
use rigscope::view::{Layout, Overlay, Ramp, Side, Wipe};

const SIZE: [u32; 2] = [900, 500];

fn state(layout: Layout) -> AppState {
    let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
    let mut state = AppState::new(document, Settings::default());
    let hierarchy = &state.open.stage.rig().hierarchy;
    let node = hierarchy.node_named("Middle").unwrap();
    let user_local = Trs { rotation: Quat::from_rotation_x(1.9), ..Trs::IDENTITY };
    state.apply(Command::Edit { node, user_local });
    state.apply(Command::SetLayout(layout));
    state.apply(Command::Select(Some(node)));
    state.open.stage.refresh();
    state
}

fn paint(state: &mut AppState, side: Side, overlay: Overlay) {
    state.apply(Command::SetOverlay(side, Some(overlay)));
    state.open.stage.refresh();
    measure_sides(&mut state.open.stage, &mut MeasureBench::default()).unwrap();
}

fn areas(layout: Layout) -> [CaptionRect; 2] {
    let whole = CaptionRect::new(Vec2::ZERO, Vec2::from(SIZE.map(|side| side as f32)));
    if layout == Layout::SideBySide { whole.halves() } else { [whole; 2] }
}

/// Returns no fonts, as on a machine without any. These captions use the program's own font.
fn none() -> Fonts {
    Fonts::none()
}

/// Returns a grey image with the captions of a state.
fn written(state: &AppState, [width, height]: [u32; 2]) -> RgbaImage {
    let mut picture = RgbaImage::from_pixel(width, height, Rgba([77, 78, 79, 255]));
    draw_captions(&mut picture, (0, height), &state.open.stage, 1.0, &none());
    picture
}

/// Returns the pixels in a region of the image.
fn part(picture: &RgbaImage, region: CaptionRect) -> impl Iterator<Item = [u8; 4]> {
    let [min, max] = [region.min.round().as_uvec2(), region.max.round().as_uvec2()];
    let rows = min.y..max.y.min(picture.height());
    let columns = min.x..max.x.min(picture.width());
    rows.flat_map(move |y| columns.clone().map(move |x| picture.get_pixel(x, y).0))
}

fn contains(outer: CaptionRect, inner: CaptionRect) -> bool {
    inner.min.cmpge(outer.min).all() && inner.max.cmple(outer.max).all()
}

#[test]
fn each_side_that_is_shown_has_a_label_in_its_colour_on_its_side() {
    let text = Vec2::new(60.0, 16.0);
    let of = |state: &AppState, layout| labels(&state.open.stage, areas(layout), 0.0);
    let names = |labels: &[Label]| labels.iter().map(|label| (label.side, label.text.clone())).collect::<Vec<_>>();
    assert_eq!(names(&of(&state(Layout::Single), Layout::Single)), [(None, "LBS".to_owned())]);
    for layout in [Layout::SideBySide, Layout::Ghost, Layout::Wipe] {
        let both = of(&state(layout), layout);
        assert_eq!(names(&both), [(Some(Side::A), "LBS".to_owned()), (Some(Side::B), "DQS".to_owned())], "{layout:?}");
        let [a, b] = [0, 1].map(|side: usize| both[side].region(text));
        assert!(contains(areas(layout)[0], a) && contains(areas(layout)[1], b), "{layout:?}");
        assert!(a.max.cmple(b.min).any(), "{layout:?}: one beside the other or below it");
    }
    for angle in [0.0, 0.8, 2.4, -1.6] {
        let mut state = state(Layout::Wipe);
        let wipe = Wipe { angle, offset: 0.1 };
        state.apply(Command::SetWipe(wipe));
        let sides = of(&state, Layout::Wipe).into_iter().map(|label| {
            let region = label.region(text);
            wipe.distance((region.min + region.max) * 0.5, areas(Layout::Wipe)[0].size())
        });
        let sides: Vec<f32> = sides.collect();
        assert!(sides[0] < 0.0 && sides[1] > 0.0, "{angle}: {sides:?}");
    }
}

#[test]
fn the_ramp_of_a_legend_has_the_colours_that_are_painted_from_end_to_end() {
    for (overlay, ramp) in [(Overlay::Distance, Ramp::Magnitude), (Overlay::AreaStretch, Ramp::Diverging)] {
        let mut state = state(Layout::Wipe);
        paint(&mut state, Side::A, overlay);
        let legend = legends(&state.open.stage, areas(Layout::Wipe), 0.0)[0];
        let picture = written(&state, SIZE);
        let colors = ramp.colors();
        let y = legend.region.min.y as u32 + 30;
        let row = (legend.region.min.x as u32 + 8..legend.region.max.x as u32 - 8).map(|x| picture.get_pixel(x, y).0);
        let steps: Vec<usize> = row
            .map(|[r, g, b, _]| colors.iter().position(|color| *color == [r, g, b]).expect("a colour of the ramp"))
            .collect();
        assert!(steps.is_sorted() && steps[0] == 0 && steps[steps.len() - 1] >= 254, "{steps:?}");
    }
}

#[test]
fn nothing_else_of_the_picture_changes_and_bands_are_parts_of_the_whole() {
    for layout in Layout::ALL {
        let mut state = state(layout);
        paint(&mut state, Side::A, Overlay::Weight);
        paint(&mut state, Side::B, Overlay::JointColors);
        let whole = written(&state, SIZE);
        let changed = whole.pixels().filter(|pixel| pixel.0 != [77, 78, 79, 255]).count();
        assert!((2000..40_000).contains(&changed), "{changed} pixels in {layout:?}");
        let mut top = 0;
        for height in [7, 20, 400, 73] {
            let mut rows = RgbaImage::from_pixel(SIZE[0], height, Rgba([77, 78, 79, 255]));
            draw_captions(&mut rows, (top, SIZE[1]), &state.open.stage, 1.0, &none());
            let same = image::imageops::crop_imm(&whole, 0, top, SIZE[0], height).to_image();
            assert!(rows == same, "rows from {top} in {layout:?}");
            top += height;
        }
        assert_eq!(top, SIZE[1]);
    }
}

#[test]
fn captions_are_opaque_over_nothing_and_fit_into_small_pictures() {
    let mut state = state(Layout::Wipe);
    paint(&mut state, Side::B, Overlay::Distance);
    let mut picture = RgbaImage::new(SIZE[0], SIZE[1]);
    draw_captions(&mut picture, (0, SIZE[1]), &state.open.stage, 1.0, &none());
    let label = &labels(&state.open.stage, areas(Layout::Wipe), 0.0)[1];
    let middle = label.region(Vec2::new(20.0, 16.0)).shrunk(Vec2::new(10.0, 4.0));
    assert!(part(&picture, middle).all(|[.., alpha]| alpha == 255));
    assert!(picture.pixels().any(|pixel| pixel.0 == [0; 4]), "and nothing is elsewhere");
    for size in [[1, 1], [64, 48], [150, 90]] {
        assert_eq!(written(&state, size).dimensions(), size.into());
    }
    assert_eq!([[640, 400], [1280, 800], [2560, 1600], [8000, 800]].map(scale_for), [1.0, 1.0, 2.0, 1.0]);
}

#[test]
fn a_legend_names_the_joint_or_the_target_that_it_is_about() {
    let mut state = state(Layout::Single);
    assert_eq!(state.open.stage.view.overlay_title(Overlay::Weight, state.open.stage.rig()), "Weight of Middle");
    assert_eq!(
        state.open.stage.view.overlay_title(Overlay::Distance, state.open.stage.rig()),
        Overlay::Distance.title()
    );
    state.apply(Command::Select(None));
    assert_eq!(state.open.stage.view.overlay_title(Overlay::Weight, state.open.stage.rig()), Overlay::Weight.title());
}

#[test]
fn render_writes_captions_where_it_is_asked_to_and_changes_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png").to_string_lossy().into_owned();
    let picture = |arguments: &[&str]| {
        let common =
            ["render", "builtin:tube", "--size", "600x300", "--compare", "split", "--overlay", "distance", "-o", &out];
        rigscope(&[&common, arguments].concat()).ok();
        image::open(&out).unwrap().to_rgba8()
    };
    let [plain, captioned] = [picture(&[]), picture(&["--captions"])];
    let teal = |picture: &RgbaImage| {
        let [r, g, b] = Side::B.color();
        picture.enumerate_pixels().filter(|(x, y, pixel)| *x > 310 && *y < 60 && pixel.0 == [r, g, b, 255]).count()
    };
    assert_eq!(teal(&plain), 0);
    assert!(teal(&captioned) > 100);
    let below = |picture: &RgbaImage| image::imageops::crop_imm(picture, 0, 60, 600, 150).to_image();
    assert!(below(&plain) == below(&captioned), "where no caption is");
}

#[test]
fn a_legend_of_a_joint_asks_for_one_where_none_is_selected() {
    let mut state = state(Layout::Single);
    paint(&mut state, Side::A, Overlay::Weight);
    let ramp = |state: &AppState| {
        let last = Ramp::Magnitude.color(1.0);
        written(state, SIZE).pixels().filter(|pixel| pixel.0 == [last[0], last[1], last[2], 255]).count()
    };
    assert!(ramp(&state) > 5);
    state.apply(Command::Select(None));
    state.open.stage.refresh();
    measure_sides(&mut state.open.stage, &mut MeasureBench::default()).unwrap();
    assert_eq!(ramp(&state), 0);
}

#[test]
fn distance_legend_explains_an_unmatched_comparison_file() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("figure.glb");
    std::fs::write(&other, BuiltIn::Figure.bytes()).unwrap();
    let mut state = state(Layout::Wipe);
    state.apply(Command::UsePath(PathUse::CompareWith, other));
    state.open.stage.compute_pending(&Job::default());
    paint(&mut state, Side::A, Overlay::Distance);
    let why = missing(&state.open.stage, Side::A, Overlay::Distance).unwrap();
    assert!(why.starts_with("No distances: only ") && why.ends_with("at rest"), "{why}");
    let last = Ramp::Magnitude.color(1.0);
    assert_eq!(written(&state, SIZE).pixels().filter(|pixel| pixel.0[..3] == last).count(), 0, "no ramp");
}
