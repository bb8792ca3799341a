//! Writes a character as binary glTF 2.0, with core features, one buffer, and four-byte alignment.

use serde_json::{Value, json};

use super::math::rotate;
use super::model::{Character, Clip, Keys, Primitive, Track};
use super::rig::Rig;

const FLOAT: u32 = 5126;
const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// Returns the bytes of the file.
pub fn glb(character: &Character) -> Vec<u8> {
    let mut file = File::default();
    let primitives: Vec<Value> = character.primitives.iter().enumerate().map(|(i, p)| file.primitive(p, i)).collect();
    let inverse_binds = file.inverse_binds(&character.rig);
    let animations: Vec<Value> = character.clips.iter().map(|clip| file.animation(clip, &character.rig)).collect();
    let joints = character.rig.joints.len();
    let mut nodes = joint_nodes(&character.rig);
    nodes.push(json!({ "name": character.name, "mesh": 0, "skin": 0 }));
    let document = json!({
        "asset": { "version": "2.0", "generator": "rigscope make_assets" },
        "scene": 0,
        "scenes": [{ "name": character.name, "nodes": [0, joints] }],
        "nodes": nodes,
        "meshes": [{ "name": character.name, "primitives": primitives }],
        "materials": character.primitives.iter().map(material).collect::<Vec<_>>(),
        "skins": [{
            "name": character.name,
            "skeleton": 0,
            "joints": (0..joints).collect::<Vec<_>>(),
            "inverseBindMatrices": inverse_binds,
        }],
        "animations": animations,
        "accessors": file.accessors,
        "bufferViews": file.views,
        "buffers": [{ "byteLength": file.bytes.len() }],
    });
    container(&document, &file.bytes)
}

fn container(document: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let total = 12 + 8 + text.len() + 8 + binary.len();
    let mut out = Vec::with_capacity(total);
    let mut word = |n: usize| out.extend((n as u32).to_le_bytes());
    word(0x4654_6C67);
    word(2);
    word(total);
    word(text.len());
    word(0x4E4F_534A);
    out.extend(text);
    out.extend((binary.len() as u32).to_le_bytes());
    out.extend(0x004E_4942_u32.to_le_bytes());
    out.extend(binary);
    out
}

fn material(primitive: &Primitive) -> Value {
    json!({
        "name": primitive.material,
        "doubleSided": false,
        "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": primitive.roughness },
    })
}

fn joint_nodes(rig: &Rig) -> Vec<Value> {
    let children = |parent: usize| -> Vec<usize> {
        (0..rig.joints.len()).filter(|i| rig.joints[*i].parent == Some(parent)).collect()
    };
    let node = |(i, joint): (usize, &super::rig::Joint)| {
        let (t, r) = (joint.translation, joint.rotation);
        let mut node = json!({
            "name": joint.name,
            "translation": [tidy(t.x), tidy(t.y), tidy(t.z)],
            "rotation": [tidy(r.x), tidy(r.y), tidy(r.z), tidy(r.w)],
        });
        let below = children(i);
        if !below.is_empty() {
            node["children"] = json!(below);
        }
        node
    };
    rig.joints.iter().enumerate().map(node).collect()
}

/// Rounds a number to f32, so that its text is short. Replaces minus zero by zero.
fn tidy(x: f64) -> Value {
    json!(x as f32 + 0.0)
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl File {
    /// Appends a buffer view and its accessor. Returns the index of the accessor.
    fn push(&mut self, bytes: &[u8], count: usize, target: Option<u32>, mut accessor: Value) -> usize {
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        accessor["bufferView"] = json!(self.views.len());
        accessor["count"] = json!(count);
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn floats(&mut self, rows: &[&[f32]], kind: &str, target: Option<u32>, has_bounds: bool) -> usize {
        let bytes: Vec<u8> = rows.iter().flat_map(|row| row.iter()).flat_map(|x| x.to_le_bytes()).collect();
        let mut accessor = json!({ "componentType": FLOAT, "type": kind });
        if has_bounds {
            let width = rows.first().map_or(0, |row| row.len());
            let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..width).map(|i| rows.iter().map(|row| row[i]).reduce(pick).unwrap_or(0.0)).collect()
            };
            accessor["min"] = json!(bound(f32::min));
            accessor["max"] = json!(bound(f32::max));
        }
        self.push(&bytes, rows.len(), target, accessor)
    }

    fn primitive(&mut self, primitive: &Primitive, material: usize) -> Value {
        let vertices = &primitive.vertices;
        let positions: Vec<&[f32]> = vertices.iter().map(|v| v.position.as_slice()).collect();
        let normals: Vec<&[f32]> = vertices.iter().map(|v| v.normal.as_slice()).collect();
        let weights: Vec<&[f32]> = vertices.iter().map(|v| v.weights.as_slice()).collect();
        let colors: Vec<u8> = vertices.iter().flat_map(|v| v.color).flat_map(u16::to_le_bytes).collect();
        let joints: Vec<u8> = vertices.iter().flat_map(|v| v.joints).collect();
        let count = vertices.len();
        json!({
            "material": material,
            "mode": 4,
            "indices": self.indices(&primitive.indices, count),
            "attributes": {
                "POSITION": self.floats(&positions, "VEC3", Some(VERTICES), true),
                "NORMAL": self.floats(&normals, "VEC3", Some(VERTICES), false),
                "COLOR_0": self.push(&colors, count, Some(VERTICES),
                    json!({ "componentType": UNSIGNED_SHORT, "normalized": true, "type": "VEC4" })),
                "JOINTS_0": self.push(&joints, count, Some(VERTICES),
                    json!({ "componentType": UNSIGNED_BYTE, "type": "VEC4" })),
                "WEIGHTS_0": self.floats(&weights, "VEC4", Some(VERTICES), false),
            },
        })
    }

    fn indices(&mut self, indices: &[u32], vertices: usize) -> usize {
        // 65535 is the primitive restart index, so it can't be a vertex index.
        let is_short = vertices < 65535;
        let bytes: Vec<u8> = if is_short {
            indices.iter().flat_map(|i| (*i as u16).to_le_bytes()).collect()
        } else {
            indices.iter().flat_map(|i| i.to_le_bytes()).collect()
        };
        let kind = if is_short { UNSIGNED_SHORT } else { UNSIGNED_INT };
        self.push(&bytes, indices.len(), Some(INDICES), json!({ "componentType": kind, "type": "SCALAR" }))
    }

    fn inverse_binds(&mut self, rig: &Rig) -> usize {
        let rows: Vec<[f32; 16]> = (0..rig.joints.len()).map(|joint| inverse_bind(rig, joint)).collect();
        let rows: Vec<&[f32]> = rows.iter().map(<[f32; 16]>::as_slice).collect();
        self.floats(&rows, "MAT4", None, false)
    }

    fn animation(&mut self, clip: &Clip, rig: &Rig) -> Value {
        let times: Vec<[f32; 1]> = clip.times.iter().map(|t| [*t as f32]).collect();
        let times: Vec<&[f32]> = times.iter().map(<[f32; 1]>::as_slice).collect();
        let input = self.floats(&times, "SCALAR", None, true);
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for track in &clip.tracks {
            let (output, path) = self.track(track, clip.is_smooth);
            let interpolation = if clip.is_smooth { "CUBICSPLINE" } else { "LINEAR" };
            debug_assert!(track.joint < rig.joints.len(), "a track moves a joint of the rig");
            channels.push(json!({
                "sampler": samplers.len(),
                "target": { "node": track.joint, "path": path },
            }));
            samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        }
        json!({ "name": clip.name, "samplers": samplers, "channels": channels })
    }

    fn track(&mut self, track: &Track, is_smooth: bool) -> (usize, &'static str) {
        let (rows, kind, path): (Vec<Vec<f32>>, _, _) = match &track.keys {
            Keys::Rotation(keys) => {
                let row = |q: &glam::DQuat| [q.x, q.y, q.z, q.w].map(|x| x as f32 + 0.0).to_vec();
                (spline_rows(keys, row, is_smooth), "VEC4", "rotation")
            }
            Keys::Translation(keys) => {
                let row = |p: &glam::DVec3| super::model::floats(*p).to_vec();
                (spline_rows(keys, row, is_smooth), "VEC3", "translation")
            }
        };
        let rows: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
        (self.floats(&rows, kind, None, false), path)
    }
}

/// Returns rows of keys. `CUBICSPLINE` keys are in-tangent, value, out-tangent; both tangents are the slope.
fn spline_rows<T>(keys: &[(T, T)], row: impl Fn(&T) -> Vec<f32>, is_smooth: bool) -> Vec<Vec<f32>> {
    let rows = |(value, slope): &(T, T)| {
        if is_smooth { vec![row(slope), row(value), row(slope)] } else { vec![row(value)] }
    };
    keys.iter().flat_map(rows).collect()
}

/// Returns the inverse of a joint's rest transform, by columns.
fn inverse_bind(rig: &Rig, joint: usize) -> [f32; 16] {
    let place = rig.place(joint);
    let back = place.rotation.conjugate();
    let columns = [glam::DVec3::X, glam::DVec3::Y, glam::DVec3::Z].map(|axis| rotate(back, axis));
    let t = rotate(back, -place.position);
    let mut out = [0.0; 16];
    for (i, column) in columns.into_iter().chain([t]).enumerate() {
        out[4 * i..4 * i + 3].copy_from_slice(&super::model::floats(column));
        out[4 * i + 3] = if i == 3 { 1.0 } else { 0.0 };
    }
    out
}
