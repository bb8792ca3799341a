//! Pairs of versions of one character that differ in one unusual way, with their true correspondence.

use serde_json::json;

use super::character::{Character, vertex};

/// Two characters and the true correspondence of their joints and vertices.
pub struct OddPair {
    pub name: &'static str,
    pub first: Character,
    pub second: Character,
    /// Node number in the second file of each joint of the first, in the order of its skin; `None` if it is missing.
    pub joints: Vec<Option<usize>>,
    /// Index in the second file of each vertex of the first.
    pub vertices: Vec<usize>,
}

/// Nodes of the joints of [`Character`]: Root, Lower, Upper, Tip, Horn.
const NODES: [usize; 5] = [1, 2, 3, 4, 5];

impl OddPair {
    /// Builds both characters as binary glTF.
    pub fn build(&self) -> [Vec<u8>; 2] {
        [&self.first, &self.second].map(|character| character.clone().builder().build())
    }
}

fn pair(name: &'static str, change: impl FnOnce(&mut OddPair)) -> OddPair {
    let (first, second) = (Character::default(), Character::default());
    let vertices = (0..first.positions.len()).collect();
    let mut pair = OddPair { name, first, second, joints: NODES.map(Some).to_vec(), vertices };
    change(&mut pair);
    pair
}

/// Renames each joint. `name` maps the old name to the new one.
fn rename(character: &mut Character, name: impl Fn(&str) -> String) {
    for node in NODES {
        let node = &mut character.nodes[node]["name"];
        *node = json!(name(node.as_str().expect("a name")));
    }
}

fn renamed(title: &'static str, name: impl Fn(&str) -> String) -> OddPair {
    pair(title, |pair| rename(&mut pair.second, name))
}

/// Reorders the vertices of the second character.
fn shuffle(pair: &mut OddPair) {
    let count = pair.vertices.len();
    // A step that is coprime to the number of vertices visits every vertex.
    let step = (count / 3..count)
        .find(|step| (2..=*step).all(|d| !step.is_multiple_of(d) || !count.is_multiple_of(d)))
        .expect("a step");
    pair.vertices = (0..count).map(|v| (v * step + 5) % count).collect();
    let source = &pair.first;
    let second = &mut pair.second;
    for (from, &to) in pair.vertices.iter().enumerate() {
        second.positions[to] = source.positions[from];
        second.normals[to] = source.normals[from];
        second.joints[to] = source.joints[from];
        second.weights[to] = source.weights[from];
    }
    second.indices = source.indices.iter().map(|&index| pair.vertices[usize::from(index)] as u16).collect();
}

/// Duplicates the surface. The copy follows a single joint.
fn double_surface(character: &mut Character) {
    let count = character.positions.len();
    character.positions.extend_from_within(..);
    character.normals.extend_from_within(..);
    let indices: Vec<u16> = character.indices.iter().map(|&index| index + count as u16).collect();
    character.indices.extend(indices);
    character.joints.extend(vec![[4, 0, 0, 0]; count]);
    character.weights.extend(vec![[1.0, 0.0, 0.0, 0.0]; count]);
}

/// Adds a child joint, `beside` metres to the side of its parent. Returns its node number.
fn add_child(character: &mut Character, name: &str, below: usize, beside: f32) -> usize {
    let node = usize::from(character.add_joint(name, Some(below))) + 1;
    character.nodes[node]["translation"] = json!([beside, 0, 0]);
    node
}

/// Rotates every joint at rest, without moving the meshes bound to them.
fn turn_at_rest(character: &mut Character) {
    for (number, node) in NODES.into_iter().enumerate() {
        let (sin, cos) = (0.15 + 0.1 * number as f32).sin_cos();
        character.nodes[node]["rotation"] = json!([0.6 * sin, 0.0, 0.8 * sin, cos]);
    }
}

/// Returns a pair for each way in which two versions of a character usually differ.
pub fn all() -> Vec<OddPair> {
    [odd_names(), odd_trees(), odd_surfaces()].into_iter().flatten().collect()
}

fn odd_names() -> Vec<OddPair> {
    vec![
        pair("nothing", |_| {}),
        renamed("a namespace", |name| format!("ns:{name}")),
        pair("two namespaces", |pair| {
            rename(&mut pair.first, |name| format!("one:{name}"));
            rename(&mut pair.second, |name| format!("other:inner:{name}"));
        }),
        renamed("a prefix in common", |name| format!("mixamorig:{name}")),
        renamed("a prefix in common without a colon", |name| format!("Character1_{name}")),
        renamed("capitals", str::to_uppercase),
        renamed("a path", |name| format!("Armature|{name}")),
        renamed("numbers behind names", |name| format!("{name}.001")),
        pair("no names", |pair| {
            for node in NODES {
                for character in [&mut pair.first, &mut pair.second] {
                    character.nodes[node].as_object_mut().expect("a node").remove("name");
                }
            }
        }),
        pair("names in the first alone", |pair| {
            for node in NODES {
                pair.second.nodes[node].as_object_mut().expect("a node").remove("name");
            }
        }),
    ]
}

fn odd_trees() -> Vec<OddPair> {
    vec![
        pair("one joint renamed", |pair| pair.second.nodes[3]["name"] = json!("Chest")),
        pair("the last joint renamed", |pair| pair.second.nodes[5]["name"] = json!("Antler")),
        pair("one joint inserted", |pair| {
            let node = add_child(&mut pair.second, "Twist", 2, 0.0);
            pair.second.nodes[2]["children"] = json!([node]);
            pair.second.nodes[node]["children"] = json!([3]);
        }),
        pair("one joint gone", |pair| {
            add_child(&mut pair.first, "Ear", 4, 0.5);
            pair.joints.push(None);
        }),
        pair("one joint hung elsewhere", |pair| {
            pair.second.nodes[4].as_object_mut().expect("a node").remove("children");
            pair.second.nodes[1]["children"] = json!([2, 5]);
            pair.second.nodes[5]["translation"] = json!([0, 0, 0]);
        }),
        pair("two names exchanged", |pair| {
            let (lower, upper) = (json!("Lower"), json!("Upper"));
            (pair.second.nodes[2]["name"], pair.second.nodes[3]["name"]) = (upper, lower);
            (pair.joints[1], pair.joints[2]) = (Some(3), Some(2));
        }),
        pair("a name doubled in a chain", |pair| {
            for character in [&mut pair.first, &mut pair.second] {
                character.nodes[3]["name"] = json!("Lower");
            }
        }),
        pair("a name doubled in a chain, with a namespace", |pair| {
            for character in [&mut pair.first, &mut pair.second] {
                character.nodes[3]["name"] = json!("Lower");
            }
            rename(&mut pair.second, |name| format!("ns:{name}"));
        }),
        pair("a name doubled beside, in another order", |pair| {
            for (character, places) in [(&mut pair.first, [0.5, -0.5]), (&mut pair.second, [-0.5, 0.5])] {
                for beside in places {
                    add_child(character, "Ear", 4, beside);
                }
            }
            pair.joints.extend([Some(7), Some(6)]);
        }),
        pair("at rest elsewhere", |pair| {
            turn_at_rest(&mut pair.second);
            shuffle(pair);
        }),
        pair("at rest elsewhere, with one joint renamed", |pair| {
            turn_at_rest(&mut pair.second);
            pair.second.nodes[5]["name"] = json!("Antler");
        }),
        pair("at rest elsewhere, with other names", |pair| {
            turn_at_rest(&mut pair.second);
            for (node, name) in NODES.into_iter().zip(["Alpha", "Beta", "Gamma", "Delta", "Epsilon"]) {
                pair.second.nodes[node]["name"] = json!(name);
            }
            shuffle(pair);
        }),
        pair("a mesh of a joint's name", |pair| pair.second.nodes[0]["name"] = json!("Tip")),
    ]
}

fn odd_surfaces() -> Vec<OddPair> {
    vec![
        pair("shuffled vertices", shuffle),
        pair("two surfaces at one place", |pair| {
            double_surface(&mut pair.first);
            double_surface(&mut pair.second);
            pair.vertices = (0..pair.first.positions.len()).collect();
        }),
        pair("two surfaces at one place, shuffled", |pair| {
            double_surface(&mut pair.first);
            double_surface(&mut pair.second);
            pair.vertices = (0..pair.first.positions.len()).collect();
            shuffle(pair);
        }),
        pair("a vertex moved", |pair| {
            let moved = &mut pair.second.positions[vertex(12, 3)];
            *moved = moved.map(|x| x * 1.001);
        }),
    ]
}
