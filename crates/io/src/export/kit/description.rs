//! `kit.json`, `README.md` and the checks of a kit.

use std::fmt::Write as _;

use glam::{Affine3, DAffine3, DMat4, Mat4};
use serde::Serialize;

use super::arrays::{KitPose, primitives};
use super::sample::{Kit, KitSample};
use rigscope_core::rig::Rig;

const README: &str = include_str!("../../../templates/kit/README.md");

/// Checks that users copy into their tests: name and text.
const CHECKS: [(&str, &str); 3] = [
    ("check.py", include_str!("../../../templates/kit/check.py")),
    ("check.cpp", include_str!("../../../templates/kit/check.cpp")),
    ("check.rs", include_str!("../../../templates/kit/check.rs")),
];

#[derive(Serialize)]
pub(super) struct KitDescription<'a> {
    version: u32,
    file: &'a str,
    nodes: Vec<KitNode<'a>>,
    skins: Vec<KitSkin<'a>>,
    primitives: Vec<KitPrimitive>,
    samples: Vec<SampleDescription<'a>>,
}

#[derive(Serialize)]
struct KitNode<'a> {
    node: usize,
    name: &'a str,
    parent: Option<usize>,
}

/// A skin; its joints are rows of the arrays from `first`.
#[derive(Serialize)]
struct KitSkin<'a> {
    skin: usize,
    name: &'a str,
    first: usize,
    joints: Vec<usize>,
}

/// A primitive; its vertices are rows of the arrays from `first`.
#[derive(Serialize)]
struct KitPrimitive {
    node: usize,
    mesh: usize,
    primitive: usize,
    skin: Option<usize>,
    first: usize,
    count: usize,
}

#[derive(Serialize)]
struct SampleDescription<'a> {
    name: &'a str,
    clip: Option<&'a str>,
    /// Number of the clip in the file, from 0.
    clip_number: Option<usize>,
    time_secs: Option<f32>,
    morph_weights: Vec<NodeMorphs>,
    locals: Vec<KitLocal>,
    worlds: Vec<[f64; 16]>,
    skinning: Vec<[f64; 16]>,
}

/// Weights of all morph targets of the mesh of a node.
#[derive(Serialize)]
struct NodeMorphs {
    node: usize,
    weights: Vec<f32>,
}

#[derive(Serialize)]
struct KitLocal {
    translation: [f32; 3],
    rotation: [f32; 4],
    scale: [f32; 3],
    matrix: [f32; 16],
}

impl KitLocal {
    fn new(local: &Affine3) -> Self {
        let (scale, rotation, translation) = local.to_scale_rotation_translation();
        Self {
            translation: translation.to_array(),
            rotation: rotation.to_array(),
            scale: scale.to_array(),
            matrix: Mat4::from(*local).to_cols_array(),
        }
    }
}

impl<'a> KitDescription<'a> {
    pub(super) fn new(kit: &Kit<'a>) -> Self {
        let rig: &'a Rig = kit.rig;
        let hierarchy = &rig.hierarchy;
        let (mut joint, mut vertex) = (0, 0);
        let skin = |skin: &'a rigscope_core::rig::Skin| {
            let first = joint;
            joint += skin.joints.len();
            let joints = skin.joints.iter().map(|node| hierarchy.source(*node)).collect();
            KitSkin { skin: skin.source, name: &skin.name, first, joints }
        };
        let instances = rig.instances.iter().flat_map(|instance| {
            rig.meshes[instance.mesh].primitives.iter().map(move |primitive| (instance, primitive.source))
        });
        let primitive = |((instance, source), (primitive, _)): (
            (&rigscope_core::rig::MeshInstance, usize),
            (&rigscope_core::rig::Primitive, _),
        )| {
            let first = vertex;
            vertex += primitive.positions.len();
            KitPrimitive {
                node: hierarchy.source(instance.node),
                mesh: rig.meshes[instance.mesh].source,
                primitive: source,
                skin: instance.skin.map(|skin| rig.skins[skin].source),
                first,
                count: primitive.positions.len(),
            }
        };
        Self {
            version: 1,
            file: kit.file,
            nodes: hierarchy
                .nodes()
                .map(|node| KitNode {
                    node: hierarchy.source(node),
                    name: hierarchy.name(node),
                    parent: hierarchy.parent(node).map(|parent| hierarchy.source(parent)),
                })
                .collect(),
            skins: rig.skins.iter().map(skin).collect(),
            primitives: instances.zip(primitives(rig)).map(primitive).collect(),
            samples: Vec::with_capacity(kit.samples.len()),
        }
    }

    pub(super) fn add(&mut self, rig: &'a Rig, sample: &'a KitSample, pose: &KitPose) {
        let columns = |matrix: &DAffine3| DMat4::from(*matrix).to_cols_array();
        let morphs = rig.instances.iter().zip(&pose.posed.morph_weights).filter(|(_, weights)| !weights.is_empty());
        self.samples.push(SampleDescription {
            name: &sample.name,
            clip: sample.moment.map(|moment| rig.clip_name(moment.clip)),
            clip_number: sample.moment.map(|moment| moment.clip),
            time_secs: sample.moment.map(|moment| moment.time_secs),
            morph_weights: morphs
                .map(|(instance, weights)| NodeMorphs {
                    node: rig.hierarchy.source(instance.node),
                    weights: weights.clone(),
                })
                .collect(),
            locals: pose.locals.iter().map(KitLocal::new).collect(),
            worlds: pose.worlds.iter().map(columns).collect(),
            skinning: pose.skinning.iter().map(columns).collect(),
        });
    }

    /// Returns `kit.json`, one line.
    pub(super) fn json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Returns names and contents of `README.md` and the checks.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&'static str, String)> {
        let mut rows = String::new();
        for (number, sample) in self.samples.iter().enumerate() {
            let pose = match (sample.clip.zip(sample.clip_number), sample.time_secs) {
                (Some((clip, number)), Some(time)) => format!("clip {number}, {}, at {time} s", in_table(clip)),
                _ if number == 0 => "rest pose".to_owned(),
                _ => format!("`poses/{}.json`", sample.name),
            };
            // Writing to a string never fails.
            let _ = writeln!(rows, "| {number} | `{}` | {pose} |", sample.name);
        }
        let vertices: usize = self.primitives.iter().map(|primitive| primitive.count).sum();
        let joints: usize = self.skins.iter().map(|skin| skin.joints.len()).sum();
        let readme = README
            .replace("{FILE}", &in_table(self.file))
            .replace("{VERTICES}", &vertices.to_string())
            .replace("{JOINTS}", &joints.to_string())
            .replace("{SAMPLES}", rows.trim_end());
        std::iter::once(("README.md", readme)).chain(CHECKS.map(|(name, text)| (name, text.to_owned())))
    }
}

/// Escapes text for a cell of a Markdown table.
fn in_table(text: &str) -> String {
    let is_special = |c: char| c.is_ascii_punctuation() && !"-_./:,".contains(c);
    let escaped = |c: char| match c {
        _ if c.is_control() => " ".to_owned(),
        _ if is_special(c) => format!("\\{c}"),
        _ => c.to_string(),
    };
    text.chars().map(escaped).collect()
}
