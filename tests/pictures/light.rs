//! Characters in the light of an environment map.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use crate::common;

use std::path::Path;
use std::sync::Arc;

use common::environment_map::{environment_map, evening};
use common::golden::assert_golden;
use common::gpu::{Still, with_scene_and_renderer};
use image::RgbaImage;
use rigscope::environment::EnvironmentMap;
use rigscope::import::{Job, import_bytes};
use rigscope::jobs::Progress;
use rigscope::rig::{Pose, Rig};
use rigscope::skinning::Method;
use rigscope::stage::BuiltIn;
use rigscope::view::{EnvironmentFile, ShadingMode, View};

const SIZE: [u32; 2] = [320, 240];

fn figure() -> Still {
    let rig: Rig = import_bytes(BuiltIn::Figure.bytes(), &Job::default()).unwrap().rig;
    let pose = Pose::rest(&rig.hierarchy);
    Still::new(&Arc::new(rig), pose)
}

fn lit(still: &Still, path: &Path) -> View {
    let map = EnvironmentMap::read(path, &Progress::default()).unwrap();
    let mut view = still.view(Method::Lbs, SIZE);
    view.environment_file = EnvironmentFile { wanted: Some(path.to_owned()), shown: Some(Arc::new(map)) };
    view.display.bones = false;
    view
}

#[test]
fn the_figure_stands_in_the_evening_sun_before_its_sky() {
    let folder = tempfile::tempdir().unwrap();
    with_scene_and_renderer(|scene, renderer| {
        let still = figure();
        let mut view = lit(&still, &evening(folder.path()));
        view.display.light.backdrop = true;
        assert_golden("panorama_evening", &still.draw(scene, &view, SIZE), renderer);
    });
}

/// Returns the mean brightness of the pixels that differ from the background, in the left and the right half of the
/// image.
fn halves(picture: &RgbaImage, empty: &RgbaImage) -> [f32; 2] {
    let mut sums = [[0.0; 2]; 2];
    for (x, y, pixel) in picture.enumerate_pixels() {
        if pixel != empty.get_pixel(x, y) {
            let [sum, count] = &mut sums[usize::from(x >= SIZE[0] / 2)];
            *sum += f32::from(pixel[0]) + f32::from(pixel[1]) + f32::from(pixel[2]);
            *count += 1.0;
        }
    }
    sums.map(|[sum, count]| sum / count)
}

#[test]
fn a_bright_wall_lights_its_side_and_turns_with_the_light() {
    let folder = tempfile::tempdir().unwrap();
    let wall =
        environment_map(
            folder.path(),
            "wall.hdr",
            |x, _| if (40..56).contains(&x) { [200, 200, 200, 130] } else { [20; 4] },
        );
    with_scene_and_renderer(|scene, _| {
        let still = figure();
        let mut view = lit(&still, &wall);
        view.display.grid = false;
        (view.camera.yaw, view.camera.pitch) = (0.0, 0.0);
        let mut hidden = view.clone();
        hidden.hidden.meshes = (0..still.rig.instances.len()).collect();
        let empty = {
            let mut nobody = figure();
            nobody.actor.hidden = Arc::new(hidden.hidden.clone());
            nobody.draw(scene, &hidden, SIZE)
        };
        for (turn, brighter) in [(0.0, 1), (std::f32::consts::PI, 0)] {
            view.display.light.angle = turn;
            let halves = halves(&still.draw(scene, &view, SIZE), &empty);
            assert!(halves[brighter] > 1.3 * halves[1 - brighter], "{halves:?} turned by {turn}");
        }
    });
}

#[test]
fn only_materials_show_the_environment_map_and_without_it_all_is_as_before() {
    let folder = tempfile::tempdir().unwrap();
    with_scene_and_renderer(|scene, _| {
        let still = figure();
        let mut view = lit(&still, &evening(folder.path()));
        view.display.light.backdrop = true;
        let plain = View { environment_file: EnvironmentFile::default(), ..view.clone() };
        let mut pictures = [&plain, &view, &plain].map(|view| still.draw(scene, view, SIZE));
        assert!(pictures[0] == pictures[2] && pictures[0] != pictures[1]);
        view.display.shading = ShadingMode::Clay;
        let clay = View { environment_file: EnvironmentFile::default(), ..view.clone() };
        pictures[..2].clone_from_slice(&[&clay, &view].map(|view| still.draw(scene, view, SIZE)));
        assert!(pictures[0] == pictures[1]);
    });
}

#[test]
fn reflections_and_background_rotate_with_the_light() {
    let folder = tempfile::tempdir().unwrap();
    let wall = |x| if (40..56).contains(&x) { [200, 200, 200, 130] } else { [20, 20, 20, 128] };
    let path = environment_map(folder.path(), "wall.hdr", |x, _| wall(x));
    with_scene_and_renderer(|scene, _| {
        let still = figure();
        let mut view = lit(&still, &path);
        (view.display.grid, view.display.light.backdrop) = (false, true);
        (view.camera.yaw, view.camera.pitch) = (0.0, 0.0);
        // The wall is at +X. A quarter turn counter-clockwise, seen from above, moves it to −Z, in front of the camera.
        let [seen, unseen] = [1.0, -1.0].map(|quarter| {
            view.display.light.angle = quarter * std::f32::consts::FRAC_PI_2;
            still.draw(scene, &view, SIZE).get_pixel(30, 40).0[0]
        });
        assert!(seen > unseen.saturating_add(60), "{seen} and {unseen}");
    });
}
