use super::arkit::Arkit;
use crate::import::{Extension, ExtensionSupport, FileInfo, FileSpace, ImageInfo, Imported};
use crate::rig::{LookAtOutput, Rig, UnsupportedConstraint, VrmMeta};
use crate::rows::rows;

/// Version of the JSON. Incremented when a key is removed or its meaning changes.
const JSON_VERSION: u32 = 1;

rows! {
    /// Contents of a file.
    pub(super) struct FileFacts {
        /// Facts about a glTF file; null for other formats.
        pub gltf: Option<Gltf>,
        /// Facts about an FBX file; null for other formats.
        pub fbx: Option<Fbx>,
        /// Extensions of glTF that the file uses.
        pub extensions: Vec<ExtensionFacts>,
        /// Names of the scenes.
        pub scenes: Vec<String>,
        /// Index of the scene that is shown.
        pub scene: Option<usize>,
        /// Numbers of elements.
        pub counts: FileCounts,
        /// Joints per vertex.
        pub influences: Option<InfluenceFacts>,
        /// Images.
        pub images: Vec<ImageFacts>,
        /// Clips.
        pub clips: Vec<ClipFacts>,
        /// Names of the expressions of the face.
        pub expressions: Vec<String>,
        /// How the look-at is applied: eyes or expressions.
        pub look_at: Option<&'static str>,
        /// Blend shapes of `ARKit`; null if there are none.
        pub arkit: Option<Arkit>,
        /// Constraints that are not evaluated.
        pub unrun_constraints: Vec<UnrunFacts>,
        /// Metadata of a VRM.
        pub vrm: Option<VrmFacts>,
        /// Bounds of the shown scene at rest.
        pub extents: Option<Extents>,
    }

    /// A glTF file.
    pub(super) struct Gltf {
        /// Version of glTF.
        pub version: String,
        /// Container: glb or gltf.
        pub container: &'static str,
        /// Program that wrote the file.
        pub generator: Option<String>,
    }

    /// Version, unit and axes of an FBX file; lengths are always reported in metres, +Y up.
    pub(super) struct Fbx {
        /// Version of FBX.
        pub version: String,
        /// Encoding: binary or text.
        pub container: &'static str,
        /// Program that wrote the file.
        pub generator: Option<String>,
        /// Length of the file's unit, metres.
        pub unit_metres: f64,
        /// Axis that points up.
        pub up: &'static str,
        /// Axis that points to the front.
        pub front: &'static str,
        /// Axis that points to the right.
        pub right: &'static str,
        /// Frames per second.
        pub frames_per_sec: f64,
    }

    /// An extension of glTF.
    pub(super) struct ExtensionFacts {
        /// Name.
        pub name: String,
        /// True if the file requires it.
        pub required: bool,
        /// Support for reading it: yes, partly, needless or no.
        pub read: &'static str,
        /// Number of uses in the file.
        pub uses: usize,
    }

    /// A constraint that is not evaluated.
    pub(super) struct UnrunFacts {
        /// Name of the constrained node.
        pub node: String,
        /// Kind of the constraint.
        pub kind: String,
        /// Nodes that the constrained node follows.
        pub sources: Vec<SourceFacts>,
        /// The sources in words.
        #[serde(skip)]
        pub followed: String,
    }

    /// A node that a constraint follows.
    pub(super) struct SourceFacts {
        /// Name of the node.
        pub node: String,
        /// Weight of the node in the constraint.
        pub weight: f64,
    }

    /// Metadata of a VRM.
    pub(super) struct VrmFacts {
        /// Version of VRM, 0 or 1.
        pub version: u8,
        /// Title.
        pub title: String,
        /// Version of the model.
        pub model_version: String,
        /// Authors.
        pub authors: Vec<String>,
        /// Contact.
        pub contact: String,
        /// Permissions and conditions.
        pub terms: Vec<TermFacts>,
    }

    /// A permission or condition of a VRM, such as commercial use.
    pub(super) struct TermFacts {
        /// The permission or condition.
        pub term: &'static str,
        /// Value in the file.
        pub value: String,
    }

    /// Numbers of elements: drawn vertices, triangles, lines and points, everything else as in the file.
    pub(super) struct FileCounts {
        /// Nodes.
        pub nodes: usize,
        /// Joints.
        pub joints: usize,
        /// Skins.
        pub skins: usize,
        /// Meshes.
        pub meshes: usize,
        /// Primitives.
        pub primitives: usize,
        /// Vertices that are drawn.
        pub vertices: usize,
        /// Triangles that are drawn.
        pub triangles: usize,
        /// Lines that are drawn.
        pub lines: usize,
        /// Points that are drawn.
        pub points: usize,
        /// Morph targets.
        pub morph_targets: usize,
        /// Materials.
        pub materials: usize,
        /// Images.
        pub images: usize,
        /// Clips.
        pub clips: usize,
        /// Node constraints that are evaluated.
        pub constraints: usize,
        /// Joints driven by springs.
        pub springs: usize,
    }

    /// Number of joints with a weight above 0 per drawn, skinned vertex.
    pub(super) struct InfluenceFacts {
        /// Number of drawn, skinned vertices.
        pub vertices: usize,
        /// Maximum number of joints per vertex.
        pub max: usize,
        /// Mean number of joints per vertex.
        pub mean: f64,
    }

    /// An image of the file.
    pub(super) struct ImageFacts {
        /// Name.
        pub name: String,
        /// Format: PNG, JPEG, WebP, KTX2, BMP or TGA.
        pub format: Option<&'static str>,
        /// Width, pixels.
        pub width: Option<u32>,
        /// Height, pixels.
        pub height: Option<u32>,
    }

    /// A clip.
    pub(super) struct ClipFacts {
        /// Name.
        pub name: String,
        /// Time of the last key, seconds.
        pub duration_secs: f32,
        /// Number of channels.
        pub channels: usize,
    }

    /// Bounding box of the shown scene at rest, metres.
    pub(super) struct Extents {
        /// Smallest coordinates.
        pub min: [f32; 3],
        /// Largest coordinates.
        pub max: [f32; 3],
        /// Lengths of the sides.
        pub size: [f32; 3],
        /// Probable unit in which the character was modelled, guessed from its size.
        pub unit: Option<&'static str>,
    }

    /// Facts about a file, or why it cannot be read.
    pub(super) struct FileFactsJson<'a> {
        /// Version of the JSON, 1.
        pub version: u32,
        /// Path of the file.
        pub file: &'a str,
        /// Status: ok or unreadable.
        pub status: &'static str,
        /// Reason if the file is unreadable.
        pub reason: Option<&'a str>,
        /// The facts.
        #[serde(flatten)]
        pub facts: Option<&'a FileFacts>,
    }
}

impl FileFacts {
    pub(super) fn new(about: FileInfo, imported: Imported) -> Self {
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
            look_at: rig.look_at.as_ref().map(|look_at| match look_at.by {
                LookAtOutput::Eyes(_) => "eyes",
                LookAtOutput::Expressions => "expressions",
            }),
            arkit: Arkit::from_rig(rig),
            unrun_constraints: rig.unrun_constraints.iter().map(|found| UnrunFacts::new(found, rig)).collect(),
            vrm: rig.vrm_version.map(|version| VrmFacts::new(version, rig.vrm_meta.clone().unwrap_or_default())),
            extents: extents(rig),
        }
    }
}

impl UnrunFacts {
    fn new(constraint: &UnsupportedConstraint, rig: &Rig) -> Self {
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
    fn new(about: &FileInfo) -> Self {
        let container = if about.is_binary { "glb" } else { "gltf" };
        Self { version: about.version.clone(), container, generator: about.generator.clone() }
    }
}

impl Fbx {
    fn new(about: &FileInfo, space: &FileSpace) -> Self {
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
        let read = match extension.support {
            ExtensionSupport::Full => "yes",
            ExtensionSupport::Partial => "partly",
            ExtensionSupport::NotNeeded => "needless",
            ExtensionSupport::None => "no",
        };
        Self { name: extension.name, required: extension.is_required, read, uses: extension.uses }
    }
}

impl From<ImageInfo> for ImageFacts {
    fn from(image: ImageInfo) -> Self {
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
    let (mut vertices, mut max, mut sum) = (0, 0, 0);
    for influences in rig.primitives().filter_map(|(_, primitive)| primitive.influences.as_ref()) {
        for vertex in influences.weights().chunks_exact(influences.per_vertex().max(1)) {
            let used = vertex.iter().filter(|weight| **weight > 0.0).count();
            (vertices, max, sum) = (vertices + 1, max.max(used), sum + used);
        }
    }
    (vertices > 0).then(|| InfluenceFacts { vertices, max, mean: sum as f64 / vertices as f64 })
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

/// Guesses a file's unit from the character's largest dimension, assuming that the character is really 0.2 m to 20 m in
/// size.
fn unit(size: f32) -> Option<&'static str> {
    match size {
        0.2..20.0 => Some("metre"),
        20.0..1000.0 => Some("centimetre"),
        1000.0..10000.0 => Some("millimetre"),
        _ => None,
    }
}

impl<'a> FileFactsJson<'a> {
    pub(super) fn new(file: &'a str, result: Result<&'a FileFacts, &'a str>) -> Self {
        let status = if result.is_ok() { "ok" } else { "unreadable" };
        Self { version: JSON_VERSION, file, status, reason: result.err(), facts: result.ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_is_guessed_from_the_size_of_the_character() {
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
