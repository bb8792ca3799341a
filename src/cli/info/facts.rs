//! Facts about an opened file.

use serde::Serialize;

use super::arkit::Arkit;
use crate::import::{About, Extension, ImageAbout, Imported, Reading, Space};
use crate::rig::{GazeBy, Rig, UnrunConstraint, VrmMeta};

/// Version of the JSON, raised when a key changes its meaning or is removed.
const JSON_VERSION: u32 = 1;

/// Everything that `info` reports about a file. Field names are the keys of the JSON.
#[derive(Debug, Serialize)]
pub(super) struct Facts {
    /// Facts that only glTF files have.
    pub gltf: Option<Gltf>,
    /// Facts that only FBX files have.
    pub fbx: Option<Fbx>,
    pub extensions: Vec<ExtensionFacts>,
    pub scenes: Vec<String>,
    /// Index of the scene that is shown.
    pub scene: Option<usize>,
    pub counts: FileCounts,
    pub influences: Option<InfluenceFacts>,
    pub images: Vec<ImageFacts>,
    pub clips: Vec<ClipFacts>,
    /// Names of the expressions of the face.
    pub expressions: Vec<String>,
    /// What shows the gaze.
    pub gaze: Option<&'static str>,
    /// Blend shapes of `ARKit`.
    pub arkit: Option<Arkit>,
    /// Constraints of the file that are not run.
    pub unrun_constraints: Vec<UnrunFacts>,
    pub vrm: Option<VrmFacts>,
    pub extents: Option<Extents>,
}

#[derive(Debug, Serialize)]
pub(super) struct Gltf {
    pub version: String,
    pub container: &'static str,
    pub generator: Option<String>,
}

/// Version, unit and axes of an FBX file; lengths are always reported in metres, +Y up.
#[derive(Debug, Serialize)]
pub(super) struct Fbx {
    pub version: String,
    pub container: &'static str,
    pub generator: Option<String>,
    pub unit_metres: f64,
    pub up: &'static str,
    pub front: &'static str,
    pub right: &'static str,
    pub frames_per_sec: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct ExtensionFacts {
    pub name: String,
    pub required: bool,
    pub read: &'static str,
    pub uses: usize,
}

/// A constraint that is told and not run.
#[derive(Debug, Serialize)]
pub(super) struct UnrunFacts {
    pub node: String,
    pub kind: String,
    pub sources: Vec<SourceFacts>,
    /// The sources in words.
    #[serde(skip)]
    pub followed: String,
}

#[derive(Debug, Serialize)]
pub(super) struct SourceFacts {
    pub node: String,
    pub weight: f64,
}

/// What a VRM says of itself.
#[derive(Debug, Serialize)]
pub(super) struct VrmFacts {
    /// Version of VRM, 0 or 1.
    pub version: u8,
    pub title: String,
    pub model_version: String,
    pub authors: Vec<String>,
    pub contact: String,
    pub terms: Vec<TermFacts>,
}

/// A permission or condition of a VRM, such as commercial use, with what the file says of it.
#[derive(Debug, Serialize)]
pub(super) struct TermFacts {
    pub term: &'static str,
    pub value: String,
}

/// Vertices, triangles and the like count what is drawn, everything else what is in the file.
#[derive(Debug, Serialize)]
pub(super) struct FileCounts {
    pub nodes: usize,
    pub joints: usize,
    pub skins: usize,
    pub meshes: usize,
    pub primitives: usize,
    pub vertices: usize,
    pub triangles: usize,
    pub lines: usize,
    pub points: usize,
    pub morph_targets: usize,
    pub materials: usize,
    pub images: usize,
    pub clips: usize,
    /// Node constraints that are evaluated.
    pub constraints: usize,
    /// Joints that swing by springs.
    pub springs: usize,
}

/// Number of joints with a weight above 0 per drawn, skinned vertex.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct InfluenceFacts {
    pub vertices: usize,
    pub most: usize,
    pub mean: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct ImageFacts {
    pub name: String,
    pub format: Option<&'static str>,
    pub width: Option<u32>,
    pub height: Option<u32>,
}

#[derive(Debug, Serialize)]
pub(super) struct ClipFacts {
    pub name: String,
    pub duration_secs: f32,
    pub channels: usize,
}

/// Bounding box of the shown scene at rest, metres.
#[derive(Debug, Serialize)]
pub(super) struct Extents {
    pub min: [f32; 3],
    pub max: [f32; 3],
    pub size: [f32; 3],
    /// Unit in which a character of this size was probably made.
    pub unit: Option<&'static str>,
}

impl Facts {
    pub(super) fn new(about: About, imported: Imported) -> Self {
        let rig = &imported.rig;
        let sum = |count: fn(&crate::rig::Primitive) -> usize| rig.primitives().map(|(_, p)| count(p)).sum();
        Self {
            counts: FileCounts {
                nodes: rig.hierarchy.len(),
                joints: rig.joint_count(),
                skins: rig.skins.len(),
                meshes: about.meshes,
                primitives: about.primitives,
                vertices: rig.vertex_count(),
                triangles: sum(|p| p.indices.len() / 3),
                lines: sum(|p| p.lines.len() / 2),
                points: sum(|p| p.points.len()),
                morph_targets: about.morph_targets,
                materials: about.materials,
                images: about.images.len(),
                clips: rig.clips.len(),
                constraints: rig.behaviours().constraints().len(),
                springs: rig.behaviours().springs().joints().len(),
            },
            gltf: about.space.is_none().then(|| Gltf::new(&about)),
            fbx: about.space.as_ref().map(|space| Fbx::new(&about, space)),
            extensions: about.extensions.into_iter().map(ExtensionFacts::from).collect(),
            scenes: imported.scenes,
            scene: imported.scene,
            influences: influences(rig),
            images: about.images.into_iter().map(ImageFacts::from).collect(),
            clips: rig.clips.iter().map(ClipFacts::from).collect(),
            expressions: rig.expressions.iter().map(|expression| expression.name.clone()).collect(),
            gaze: rig.gaze.as_ref().map(|gaze| match gaze.by {
                GazeBy::Eyes(_) => "eyes",
                GazeBy::Expressions => "expressions",
            }),
            arkit: Arkit::of(rig),
            unrun_constraints: rig.unrun_constraints.iter().map(|found| UnrunFacts::new(found, rig)).collect(),
            vrm: rig.vrm_version.map(|version| VrmFacts::new(version, rig.vrm_meta.clone().unwrap_or_default())),
            extents: extents(rig),
        }
    }
}

impl UnrunFacts {
    fn new(constraint: &UnrunConstraint, rig: &Rig) -> Self {
        let name = |node| rig.hierarchy.name(node).to_owned();
        let source = |&(node, weight): &(_, f64)| SourceFacts { node: name(node), weight };
        Self {
            node: name(constraint.node),
            kind: constraint.kind.clone(),
            sources: constraint.sources.iter().map(source).collect(),
            followed: constraint.followed(&rig.hierarchy),
        }
    }
}

impl VrmFacts {
    fn new(version: u8, meta: VrmMeta) -> Self {
        let VrmMeta { title, version: model_version, authors, contact, terms } = meta;
        let terms = terms.into_iter().map(|(term, value)| TermFacts { term, value }).collect();
        Self { version, title, model_version, authors, contact, terms }
    }
}

impl Gltf {
    fn new(about: &About) -> Self {
        let container = if about.is_binary { "glb" } else { "gltf" };
        Self { version: about.version.clone(), container, generator: about.generator.clone() }
    }
}

impl Fbx {
    fn new(about: &About, space: &Space) -> Self {
        Self {
            version: about.version.clone(),
            container: if about.is_binary { "binary" } else { "text" },
            generator: about.generator.clone(),
            unit_metres: space.unit_metres,
            up: space.up,
            front: space.front,
            right: space.right,
            frames_per_sec: space.frames_per_sec,
        }
    }
}

impl From<Extension> for ExtensionFacts {
    fn from(extension: Extension) -> Self {
        let read = match extension.reading {
            Reading::Full => "yes",
            Reading::Partial => "partly",
            Reading::Needless => "needless",
            Reading::None => "no",
        };
        Self { name: extension.name, required: extension.is_required, read, uses: extension.uses }
    }
}

impl From<ImageAbout> for ImageFacts {
    fn from(image: ImageAbout) -> Self {
        let size = image.header.map(|(_, size)| size);
        Self {
            name: image.name,
            format: image.header.map(|(format, _)| format),
            width: size.map(|[width, _]| width),
            height: size.map(|[_, height]| height),
        }
    }
}

impl From<&crate::rig::Clip> for ClipFacts {
    fn from(clip: &crate::rig::Clip) -> Self {
        Self { name: clip.name.clone(), duration_secs: clip.duration_secs, channels: clip.channels.len() }
    }
}

fn influences(rig: &Rig) -> Option<InfluenceFacts> {
    let (mut vertices, mut most, mut sum) = (0, 0, 0);
    for influences in rig.primitives().filter_map(|(_, primitive)| primitive.influences.as_ref()) {
        for vertex in influences.weights().chunks_exact(influences.per_vertex().max(1)) {
            let used = vertex.iter().filter(|weight| **weight > 0.0).count();
            (vertices, most, sum) = (vertices + 1, most.max(used), sum + used);
        }
    }
    (vertices > 0).then(|| InfluenceFacts { vertices, most, mean: sum as f64 / vertices as f64 })
}

fn extents(rig: &Rig) -> Option<Extents> {
    let bounds = rig.rest_bounds();
    if bounds.is_empty() {
        return None;
    }
    let size = bounds.max - bounds.min;
    let [min, max] = [bounds.min, bounds.max].map(|place| rig.hierarchy.in_file(place).as_vec3().to_array());
    Some(Extents { min, max, size: size.to_array(), unit: unit(size.max_element()) })
}

/// The unit in which characters of 0.2 m to 10 m have this size. Where two units fit, the smaller counts from 20 on, since few characters are taller than a house.
fn unit(size: f32) -> Option<&'static str> {
    match size {
        0.2..20.0 => Some("metre"),
        20.0..1000.0 => Some("centimetre"),
        1000.0..10000.0 => Some("millimetre"),
        _ => None,
    }
}

/// Facts of a file as JSON on one line.
pub(super) fn json(file: &str, result: Result<&Facts, &str>) -> String {
    #[derive(Serialize)]
    struct FileJson<'a> {
        version: u32,
        file: &'a str,
        status: &'static str,
        reason: Option<&'a str>,
        #[serde(flatten)]
        facts: Option<&'a Facts>,
    }
    let status = if result.is_ok() { "ok" } else { "unreadable" };
    let line = FileJson { version: JSON_VERSION, file, status, reason: result.err(), facts: result.ok() };
    // Only text, numbers and lists, which always serialize.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_character_tells_the_unit() {
        for (size, expected) in [
            (1.8, Some("metre")),
            (0.3, Some("metre")),
            (12.0, Some("metre")),
            (175.0, Some("centimetre")),
            (60.0, Some("centimetre")),
            (1750.0, Some("millimetre")),
            (0.0175, None),
            (1e6, None),
            (f32::NAN, None),
        ] {
            assert_eq!(unit(size), expected, "{size}");
        }
    }
}
