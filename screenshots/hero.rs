//! The animated image of the README: a wipe that moves to and fro over the figure's twisted elbow.

use std::f32::consts::{PI, TAU};
use std::fs::File;
use std::path::Path;
use std::process::Command;

use rigscope::export::AnimatedPng;
use serde_json::json;

use super::{Done, with_fewer_levels};

/// Number of frames of the loop.
const FRAMES: u32 = 44;
/// Frames per second.
const RATE: f32 = 16.0;
const SIZE: [u32; 2] = [880, 440];
/// Maximum offset of the wipe line from the image's centre, as a fraction of the image height.
const REACH: f32 = 0.3;

/// Draws the frames with `rigscope render` and writes them as an animated PNG.
pub fn draw(binary: &Path, folder: &Path, to: &Path) -> Done {
    let about = |axis: [f32; 3], degrees: f32| {
        let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
        [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos]
    };
    let mut file = AnimatedPng::new(File::create(to)?, SIZE, FRAMES, RATE)?;
    for frame in 0..FRAMES {
        let offset = REACH * (frame as f32 / FRAMES as f32 * TAU).cos();
        let session = json!({
            "version": 1,
            "source": "builtin:figure",
            "pose": {"version": 1, "joints": {
                "LeftUpperArm": {"rotation": about([0.0, 0.0, 1.0], 36.0)},
                "LeftLowerArm": {"rotation": about([0.0, 1.0, 0.0], 165.0)},
            }},
            "camera": {"target": [0.4, 1.36, 0.0], "yaw": 0.3, "pitch": 0.15, "distance": 0.85},
            "display": {"bones": false},
            "compare": {
                "layout": "wipe", "is_clay": false, "wipe": {"angle": PI / 15.0, "offset": offset},
                "a": {"method": "lbs"}, "b": {"method": "dqs"},
            },
        });
        let (path, picture) = (folder.join("hero.json"), folder.join("hero.png"));
        std::fs::write(&path, session.to_string())?;
        let size = SIZE.map(|pixels| pixels.to_string()).join("x");
        let drawn = Command::new(binary)
            .args(["render", "--captions", "--quiet", "--size", &size, "--session"])
            .args([&path, Path::new("-o"), &picture])
            .status()?;
        if !drawn.success() {
            return Err("a frame of the hero was not drawn".into());
        }
        file.add(image::DynamicImage::from(with_fewer_levels(image::open(&picture)?.into_rgb8())).into_rgba8())?;
    }
    Ok(file.finish()?)
}
