//! A small skinned character without lint findings. Tests break parts of it.

use serde_json::{Value, json};

use super::glb::{Builder, F32, U16, f32_bytes};

const RINGS: usize = 25;
const SIDES: usize = 12;

/// A tube along y with five joints: Root, Lower, Upper and Tip in a chain, one metre apart, and Horn, a child of Tip at
/// the origin.
///
/// Node 0 has the mesh, node `j + 1` is joint `j`. Clip 0 rotates Root and Tip.
#[derive(Clone)]
pub struct Character {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub indices: Vec<u16>,
    pub joints: Vec<[u16; 4]>,
    pub weights: Vec<[f32; 4]>,
    pub binds: Vec<[f32; 16]>,
    pub nodes: Vec<Value>,
    pub times: Vec<f32>,
    pub rotations: Vec<[f32; 4]>,
}

/// Returns the index of a vertex by ring (counted from the root) and side.
pub fn vertex(ring: usize, side: usize) -> usize {
    ring * SIDES + side
}

/// Returns a translation matrix, by columns.
pub fn moved(x: f32, y: f32, z: f32) -> [f32; 16] {
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0]
}

impl Default for Character {
    fn default() -> Self {
        let mut character = Self {
            positions: Vec::new(),
            normals: Vec::new(),
            indices: Vec::new(),
            joints: Vec::new(),
            weights: Vec::new(),
            binds: vec![moved(0.0, 0.0, 0.0), moved(0.0, -1.0, 0.0), moved(0.0, -2.0, 0.0), moved(0.0, -3.0, 0.0)],
            nodes: vec![
                json!({"name": "Body", "mesh": 0, "skin": 0}),
                json!({"name": "Root", "children": [2]}),
                json!({"name": "Lower", "children": [3], "translation": [0, 1, 0]}),
                json!({"name": "Upper", "children": [4], "translation": [0, 1, 0]}),
                json!({"name": "Tip", "children": [5], "translation": [0, 1, 0]}),
                json!({"name": "Horn", "translation": [0, -3, 0]}),
            ],
            times: vec![0.0, 1.0],
            rotations: vec![[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]],
        };
        character.binds.push(moved(0.0, 0.0, 0.0));
        (0..RINGS).for_each(|ring| character.ring(ring));
        character
    }
}

impl Character {
    fn ring(&mut self, ring: usize) {
        let height = ring as f32 / (RINGS - 1) as f32 * 4.0;
        let is_last = ring == RINGS - 1;
        for side in 0..SIDES {
            let (sin, cos) = (side as f32 / SIDES as f32 * std::f32::consts::TAU).sin_cos();
            self.positions.push([cos, height, sin]);
            self.normals.push([cos, 0.0, sin]);
            let joint = (height as u16).min(3);
            let share = height - f32::from(joint);
            let blend = if joint == 3 { (1.0, 0.0, 3) } else { (1.0 - share, share, joint + 1) };
            self.joints.push(if is_last { [3, 4, 0, 0] } else { [joint, blend.2, 0, 0] });
            self.weights.push(if is_last { [0.5, 0.5, 0.0, 0.0] } else { [blend.0, blend.1, 0.0, 0.0] });
            if !is_last {
                let at = |ring: usize, side: usize| vertex(ring, side % SIDES) as u16;
                let [a, b, c, d] = [at(ring, side), at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side)];
                self.indices.extend([a, d, c, a, c, b]);
            }
        }
    }

    /// Sets the influences of a vertex.
    pub fn weigh(&mut self, vertex: usize, joints: [u16; 4], weights: [f32; 4]) {
        (self.joints[vertex], self.weights[vertex]) = (joints, weights);
    }

    /// Adds a joint without weights at the origin, as a child of a node. Returns its index among the joints.
    pub fn add_joint(&mut self, name: &str, below: Option<usize>) -> u16 {
        let node = self.nodes.len();
        self.nodes.push(json!({"name": name}));
        if let Some(parent) = below {
            let children = &mut self.nodes[parent]["children"];
            if children.is_null() {
                *children = json!([]);
            }
            children.as_array_mut().expect("a list").push(json!(node));
        }
        self.binds.push(moved(0.0, 0.0, 0.0));
        (node - 1) as u16
    }

    /// Returns a builder of the file, which can still be changed.
    pub fn builder(self) -> Builder {
        let mut b = Builder::default();
        let attributes = json!({
            "POSITION": b.floats(self.positions.as_flattened(), "VEC3"),
            "NORMAL": b.floats(self.normals.as_flattened(), "VEC3"),
            "TEXCOORD_0": b.floats(&vec![0.5; self.positions.len() * 2], "VEC2"),
            "JOINTS_0": b.accessor(&u16_bytes(self.joints.as_flattened()), U16, "VEC4", self.joints.len()),
            "WEIGHTS_0": b.accessor(&f32_bytes(self.weights.as_flattened()), F32, "VEC4", self.weights.len()),
        });
        let indices = b.indices(&self.indices);
        let primitive = json!({"attributes": attributes, "indices": indices});
        b.push("meshes", json!({"name": "Tube", "primitives": [primitive]}));
        let binds = b.floats(self.binds.as_flattened(), "MAT4");
        let joints: Vec<usize> = (1..=self.binds.len()).collect();
        b.push("skins", json!({"joints": joints, "inverseBindMatrices": binds}));
        let is_child =
            |node: usize| self.nodes.iter().any(|n| n["children"].as_array().is_some_and(|c| c.contains(&json!(node))));
        let roots: Vec<usize> = (0..self.nodes.len()).filter(|&n| !is_child(n)).collect();
        b.json["scenes"] = json!([{"nodes": roots}]);
        b.json["nodes"] = json!(self.nodes);
        let times = b.floats(&self.times, "SCALAR");
        let rotations = b.floats(self.rotations.as_flattened(), "VEC4");
        let steady = b.floats(&[0.0, 1.0], "SCALAR");
        let turns = b.floats(&[0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8], "VEC4");
        b.push(
            "animations",
            json!({"name": "Turn",
                "samplers": [{"input": times, "output": rotations}, {"input": steady, "output": turns}],
                "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                    {"sampler": 1, "target": {"node": 4, "path": "rotation"}}]}),
        );
        b
    }
}

fn u16_bytes(values: &[u16]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}
