//! Cameras.

use serde_json::{Value, json};

use super::document::named;
use crate::rig::{FileCamera, FileLens, Rig};

/// Returns all cameras, with near and far planes at 1/1000 and 1000 times the size of the rig.
pub(super) fn cameras(rig: &Rig) -> Vec<Value> {
    // A power of ten is stable when the rig is imported again and its size differs by rounding.
    let size = Some(rig.size())
        .filter(|size| size.is_normal() && *size > 0.0)
        .map_or(1.0, |s| 10_f32.powi(s.log10().round() as i32));
    rig.cameras.iter().map(|camera| object(camera, size)).collect()
}

fn object(camera: &FileCamera, size: f32) -> Value {
    let (near, far) = (size * 1e-3, size * 1e3);
    let object = match camera.lens {
        FileLens::Perspective(fov) => {
            json!({"type": "perspective", "perspective": {"yfov": fov, "znear": near, "zfar": far}})
        }
        FileLens::Orthographic(half_height) => {
            let (x, y) = (half_height, half_height);
            json!({"type": "orthographic", "orthographic": {"xmag": x, "ymag": y, "znear": near, "zfar": far}})
        }
    };
    named(&camera.name, object)
}
