//! Builds valid and broken `.glb` files in code. *Source* of the idea: filament's `GlbBuilders.h`.

use serde_json::{Value, json};

pub const I8: u32 = 5120;
pub const U8: u32 = 5121;
pub const I16: u32 = 5122;
pub const U16: u32 = 5123;
pub const U32: u32 = 5125;
pub const F32: u32 = 5126;

/// A document and its binary chunk. Tests may change both before [`Builder::build`].
pub struct Builder {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl Default for Builder {
    fn default() -> Self {
        let json = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
            "accessors": [], "bufferViews": [], "buffers": [],
        });
        Self { json, bin: Vec::new() }
    }
}

impl Builder {
    /// Appends to a list of the document. Returns the index.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let slot = &mut self.json[list];
        if slot.is_null() {
            *slot = json!([]);
        }
        let list = slot.as_array_mut().expect("a list");
        list.push(value);
        list.len() - 1
    }

    /// Appends a node to the scene. Returns its index.
    pub fn root(&mut self, node: Value) -> usize {
        let index = self.push("nodes", node);
        self.json["scenes"][0]["nodes"].as_array_mut().expect("a list").push(json!(index));
        index
    }

    pub fn view(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bin.len().next_multiple_of(4);
        self.bin.resize(offset, 0);
        self.bin.extend(bytes);
        self.push("bufferViews", json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}))
    }

    pub fn accessor(&mut self, bytes: &[u8], component: u32, shape: &str, count: usize) -> usize {
        let view = self.view(bytes);
        self.push("accessors", json!({"bufferView": view, "componentType": component, "type": shape, "count": count}))
    }

    pub fn floats(&mut self, values: &[f32], shape: &str) -> usize {
        let width = width(shape);
        let index = self.accessor(&f32_bytes(values), F32, shape, values.len() / width);
        for (key, best) in [("min", f32::min as fn(f32, f32) -> f32), ("max", f32::max)] {
            let bound = |component| values.iter().skip(component).step_by(width).copied().reduce(best);
            self.json["accessors"][index][key] = (0..width).map(bound).collect();
        }
        index
    }

    pub fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, U16, "SCALAR", values.len())
    }

    pub fn build(mut self) -> Vec<u8> {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        if self.json["buffers"].as_array().is_some_and(Vec::is_empty) {
            self.json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        }
        container(self.json.to_string().as_bytes(), &self.bin)
    }
}

/// Creates a `.glb` from JSON text and a binary chunk.
pub fn container(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let mut json = json.to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut chunks = Vec::new();
    for (kind, data) in [(b"JSON", json.as_slice()), (b"BIN\0", bin)] {
        chunks.extend((data.len() as u32).to_le_bytes());
        chunks.extend(kind);
        chunks.extend(data);
    }
    [b"glTF", &2_u32.to_le_bytes()[..], &(12 + chunks.len() as u32).to_le_bytes(), &chunks].concat()
}

/// Splits a `.glb` into its document and binary chunk. The file must not have other chunks.
pub fn split(file: &[u8]) -> (Value, &[u8]) {
    let length = u32::from_le_bytes(file[12..16].try_into().expect("a header")) as usize;
    (serde_json::from_slice(&file[20..20 + length]).expect("a document"), file.get(28 + length..).unwrap_or_default())
}

/// Returns the number of components of an element.
pub fn width(shape: &str) -> usize {
    match shape {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "MAT4" => 16,
        _ => 4,
    }
}

pub fn f32_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Creates a file with one triangle, in a mesh on a node of the scene.
pub fn triangle() -> Builder {
    let mut b = Builder::default();
    let position = b.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
    let mesh = b.push("meshes", json!({"primitives": [{"attributes": {"POSITION": position}}]}));
    b.root(json!({"mesh": mesh}));
    b
}

/// Creates a skinned mesh on node 0; nodes 1 to `joint_count` are a chain of joints, one metre apart along x. Every vertex follows `joint_index` alone.
/// `skin_attr_count` is the number of elements of joints and weights, which is `position_count` in a valid file. One clip rotates joint 1.
pub fn make_skinned_glb(joint_count: usize, position_count: usize, skin_attr_count: usize, joint_index: u8) -> Builder {
    let mut b = Builder::default();
    let positions: Vec<f32> = (0..position_count).flat_map(|i| [i as f32, (i % 2) as f32, 0.0]).collect();
    let position = b.floats(&positions, "VEC3");
    let normal = b.floats(&[0.0, 0.0, 1.0].repeat(position_count), "VEC3");
    let joints = b.accessor(&[joint_index, 0, 0, 0].repeat(skin_attr_count), U8, "VEC4", skin_attr_count);
    let weights = b.floats(&[1.0, 0.0, 0.0, 0.0].repeat(skin_attr_count), "VEC4");
    let attributes = json!({"POSITION": position, "NORMAL": normal, "JOINTS_0": joints, "WEIGHTS_0": weights});
    let mesh = b.push("meshes", json!({"name": "tube", "primitives": [{"attributes": attributes, "mode": 5}]}));
    b.root(json!({"name": "body", "mesh": mesh, "skin": 0}));
    let binds: Vec<f32> = (0..joint_count)
        .flat_map(|j| {
            let mut matrix = glam::Mat4::IDENTITY.to_cols_array();
            matrix[12] = -(j as f32);
            matrix
        })
        .collect();
    let binds = b.floats(&binds, "MAT4");
    let numbers: Vec<usize> = (1..=joint_count).collect();
    b.push("skins", json!({"joints": numbers, "inverseBindMatrices": binds}));
    for j in 1..=joint_count {
        let mut node = json!({"name": format!("joint {j}"), "translation": [if j > 1 { 1.0 } else { 0.0 }, 0.0, 0.0]});
        if j < joint_count {
            node["children"] = json!([j + 1]);
        }
        if j == 1 {
            b.root(node)
        } else {
            b.push("nodes", node)
        };
    }
    let times = b.floats(&[0.0, 1.0], "SCALAR");
    let turn = std::f32::consts::FRAC_1_SQRT_2;
    let rotations = b.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, turn, turn], "VEC4");
    b.push(
        "animations",
        json!({"name": "turn", "samplers": [{"input": times, "output": rotations}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}),
    );
    b
}
