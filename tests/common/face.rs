//! A face of two meshes with morph targets, built in code.

use serde_json::json;

use super::glb::Builder;

/// A head and lids, each a triangle in the XY plane. The head's `smileLeft` lifts it by 1, and its `smileRight` moves
/// it by 1 along +X. The lids' `blink` lifts them by 2, and their own `smileLeft` by 3. In the file, `smileRight` has a
/// weight of 0.25. The clip "talk" moves the head's `smileLeft` from 0 to 1 in one second.
pub fn face() -> Builder {
    let mut b = Builder::default();
    let corners = b.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
    let mut by = |x: f32, y: f32| b.floats(&[x, y, 0.0].repeat(3), "VEC3");
    let [up, aside, far, farther] = [by(0.0, 1.0), by(1.0, 0.0), by(0.0, 2.0), by(0.0, 3.0)];
    let mesh = |targets: [usize; 2], names: [&str; 2], weights: [f32; 2]| {
        let targets = targets.map(|positions| json!({"POSITION": positions}));
        json!({"primitives": [{"attributes": {"POSITION": corners}, "targets": targets}],
            "extras": {"targetNames": names}, "weights": weights})
    };
    b.push("meshes", mesh([up, aside], ["smileLeft", "smileRight"], [0.0, 0.25]));
    b.push("meshes", mesh([far, farther], ["blink", "smileLeft"], [0.0, 0.0]));
    b.root(json!({"name": "head", "mesh": 0}));
    b.root(json!({"name": "lids", "mesh": 1}));
    let times = b.floats(&[0.0, 1.0], "SCALAR");
    let weights = b.floats(&[0.0, 0.25, 1.0, 0.25], "SCALAR");
    let channel = json!({"sampler": 0, "target": {"node": 0, "path": "weights"}});
    b.push(
        "animations",
        json!({"name": "talk", "samplers": [{"input": times, "output": weights}], "channels": [channel]}),
    );
    b
}
