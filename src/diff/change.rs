//! What changed from one version of a rig to another, in words and numbers.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::rig::NodeIndex;

/// All changes together: none, where the versions are the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RigDiff {
    /// Changes by kind in the order of [`ChangeKind::ALL`], of one kind the largest first.
    pub changes: Vec<Change>,
    /// Largest distance of vertices that count as being at one place, metres of the old version's world.
    pub rounding_m: f32,
}

impl RigDiff {
    /// Sorts changes by kind and size.
    pub(super) fn new(mut changes: Vec<Change>, rounding_m: f32) -> Self {
        changes.sort_by(|a, b| a.kind.cmp(&b.kind).then_with(|| b.size().total_cmp(&a.size())));
        Self { changes, rounding_m }
    }

    /// True where nothing differs by more than the tolerances.
    pub fn is_same(&self) -> bool {
        self.changes.is_empty()
    }

    /// The changes of each kind that there is one of.
    pub fn by_kind(&self) -> impl Iterator<Item = &[Change]> {
        self.changes.chunk_by(|a, b| a.kind == b.kind)
    }
}

/// Version of a rig in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The old version.
    Old,
    /// The new version.
    New,
}

/// A part of a version, by its index in the rig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A joint or another node.
    Node(NodeIndex),
    /// An index into `Rig::instances`.
    Mesh(usize),
    /// An index into `Rig::clips`.
    Clip(usize),
    /// An index into `Rig::morphs`.
    Morph(usize),
    /// An index into `Rig::materials`.
    Material(usize),
}

/// Version and part where a change is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Version that has the part: the old one where both have it.
    pub version: Which,
    /// The part that changed.
    pub part: Part,
}

/// One thing that is not as it was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Kind of the change.
    pub kind: ChangeKind,
    /// Name of what changed; that of the old version where it has another now.
    pub of: String,
    /// Value in the old version, in words.
    pub was: Option<String>,
    /// Value in the new version, in words.
    pub now: Option<String>,
    /// Place that shows the change; `None` for what is everywhere.
    #[serde(skip)]
    pub place: Option<Place>,
    /// Amounts of the change; by the first of them changes of one kind are ranked.
    #[serde(serialize_with = "by_name")]
    pub amounts: Vec<(Measure, f64)>,
}

impl Change {
    pub(super) fn new(kind: ChangeKind, of: impl Into<String>) -> Self {
        Self { kind, of: of.into(), was: None, now: None, place: None, amounts: Vec::new() }
    }

    /// The change at a part of the old version.
    pub(super) fn at_old(self, part: Part) -> Self {
        Self { place: Some(Place { version: Which::Old, part }), ..self }
    }

    /// The change at a part that only the new version has.
    pub(super) fn at_new(self, part: Part) -> Self {
        Self { place: Some(Place { version: Which::New, part }), ..self }
    }

    pub(super) fn was(mut self, was: impl Into<String>) -> Self {
        self.was = Some(was.into());
        self
    }

    pub(super) fn now(mut self, now: impl Into<String>) -> Self {
        self.now = Some(now.into());
        self
    }

    pub(super) fn with(mut self, measure: Measure, value: impl Into<f64>) -> Self {
        self.amounts.push((measure, value.into()));
        self
    }

    /// The change with an amount, where that is above 0.
    pub(super) fn with_some(self, measure: Measure, value: f64) -> Self {
        if value > 0.0 { self.with(measure, value) } else { self }
    }

    /// Amount by which changes of one kind are ranked: the first, 0 without one.
    pub fn size(&self) -> f64 {
        self.amounts.first().map_or(0.0, |(_, value)| *value)
    }

    /// Details for people, without kind and object: `was Hips, now Pelvis`, `12.5 mm, 3.0°`.
    pub fn details(&self) -> String {
        let names = [("was", &self.was), ("now", &self.now)];
        let names = names.into_iter().filter_map(|(word, name)| Some(format!("{word} {}", name.as_ref()?)));
        let amounts = self.amounts.iter().map(|(measure, value)| measure.said(*value));
        names.chain(amounts).collect::<Vec<_>>().join(", ")
    }
}

fn by_name<S: Serializer>(amounts: &[(Measure, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    amounts.iter().map(|(measure, value)| (measure.name(), value)).collect::<BTreeMap<_, _>>().serialize(serializer)
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal,)*) => {
        /// Kind of a change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ChangeKind { $($(#[$doc])* $kind,)* }

        impl ChangeKind {
            /// All kinds, in the order in which they are told.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// Name for people.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }
        }
    };
}

kinds! {
    /// Everything is turned or scaled alike, as by other units or axes: told once, and left out of all other changes.
    UnitsOrAxes "units or axes",
    /// A joint that was not there.
    JointAdded "joint added",
    /// A joint that is there no more.
    JointRemoved "joint removed",
    /// A joint that is told to be the same by its place, or by its name but for a namespace and capitals.
    JointRenamed "joint renamed",
    /// A joint below another one; joints added and removed between do not count.
    JointReparented "joint below another",
    /// A node that a skin began or ceased to list.
    JointListed "joint or not",
    /// A node without weights that was not there.
    NodeAdded "node added",
    /// A node without weights that is there no more.
    NodeRemoved "node removed",
    /// A node without weights that has another name.
    NodeRenamed "node renamed",
    /// A node without weights below another one.
    NodeReparented "node below another",
    /// Place, turn or scale at rest, seen from the joint above.
    RestMoved "rest pose moved",
    /// Place at which a mesh was bound to a joint; what follows from a joint above is not told.
    BindMoved "bind pose moved",
    /// Weights of a joint; told for every joint that gained or lost.
    Weights "weights",
    /// Moved by joints, or not.
    Skinned "skinned or not",
    /// The skinning method that the file names for a skin.
    Method "skinning method",
    /// A mesh that was not there.
    MeshAdded "mesh added",
    /// A mesh that is there no more.
    MeshRemoved "mesh removed",
    /// A mesh with another name and the same vertices.
    MeshRenamed "mesh renamed",
    /// A mesh without skin that another node carries.
    MeshReparented "mesh on another node",
    /// Vertices or triangles that came or went.
    Topology "topology",
    /// Vertices at other places.
    Vertices "vertices moved",
    /// Directions of normals.
    Normals "normals",
    /// Texture coordinates.
    TexCoords "texture coordinates",
    /// Vertex colours.
    Colors "vertex colours",
    /// Shares of dual quaternion skinning.
    DqWeights "shares of dqs",
    /// The materials that the triangles of a mesh have.
    MaterialUse "materials of a mesh",
    /// A clip that was not there.
    ClipAdded "clip added",
    /// A clip that is there no more.
    ClipRemoved "clip removed",
    /// A clip whose name differs by namespaces, capitals or the number of a copy.
    ClipRenamed "clip renamed",
    /// Time of the last key.
    ClipLength "clip length",
    /// Number of keys.
    ClipKeys "clip keys",
    /// Motion of joints by a clip.
    ClipMotion "clip motion",
    /// Weights of morph targets by a clip.
    ClipMorphs "clip of morphs",
    /// A morph target that was not there.
    MorphAdded "morph added",
    /// A morph target that is there no more.
    MorphRemoved "morph removed",
    /// A morph target whose name differs by namespaces, capitals or the number of a copy.
    MorphRenamed "morph renamed",
    /// Displacements of a morph target.
    MorphShape "morph shape",
    /// The weight that a morph target has without a clip.
    MorphWeight "morph weight",
    /// A material that was not there.
    MaterialAdded "material added",
    /// A material that is there no more.
    MaterialRemoved "material removed",
    /// A material with another name and the same content.
    MaterialRenamed "material renamed",
    /// A factor or another setting of a material.
    Material "material",
    /// A texture of a material: another image, or how it lies.
    Texture "texture",
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for ChangeKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name().replace(' ', "_"))
    }
}

/// Quantity of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The largest, metres in the old version's world.
    Distance,
    /// Largest angle, degrees.
    Angle,
    /// Largest change of a scale factor, as a share.
    Stretch,
    /// Sum of the weights gained and lost.
    L1,
    /// Largest difference of numbers that are mostly 0 to 1.
    Largest,
    /// Number of vertices concerned.
    Vertices,
    /// Number of vertices that came.
    VerticesAdded,
    /// Number of vertices that went.
    VerticesRemoved,
    /// Triangles, lines and points that came.
    TrianglesAdded,
    /// Triangles, lines and points that went.
    TrianglesRemoved,
    /// Length of a clip, seconds.
    Duration,
    /// Difference of lengths in time, seconds.
    Secs,
    /// Difference of the number of keys of two clips.
    Keys,
}

impl Measure {
    /// Key in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance_m",
            Self::Angle => "angle_deg",
            Self::Stretch => "stretch",
            Self::L1 => "l1",
            Self::Largest => "largest",
            Self::Vertices => "vertices",
            Self::VerticesAdded => "vertices_added",
            Self::VerticesRemoved => "vertices_removed",
            Self::TrianglesAdded => "triangles_added",
            Self::TrianglesRemoved => "triangles_removed",
            Self::Duration => "duration_secs",
            Self::Secs => "secs",
            Self::Keys => "keys",
        }
    }

    /// An amount in words for people.
    fn said(self, value: f64) -> String {
        let counted =
            |sign: &str, one: &str, many: &str| format!("{sign}{value} {}", if value == 1.0 { one } else { many });
        match self {
            Self::Distance => format!("{} mm", rounded(value * 1000.0)),
            Self::Angle => format!("{}°", rounded(value)),
            Self::Stretch => format!("scale by {} %", rounded(value * 100.0)),
            Self::L1 => format!("{} in all", rounded(value)),
            Self::Largest => format!("by up to {}", rounded(value)),
            Self::Vertices => counted("", "vertex", "vertices"),
            Self::VerticesAdded => counted("+", "vertex", "vertices"),
            Self::VerticesRemoved => counted("-", "vertex", "vertices"),
            Self::TrianglesAdded => counted("+", "triangle", "triangles"),
            Self::TrianglesRemoved => counted("-", "triangle", "triangles"),
            Self::Duration => format!("{} s", rounded(value)),
            Self::Secs => format!("by {} s", rounded(value)),
            Self::Keys => format!("by {value}"),
        }
    }
}

/// Three digits that count.
pub(crate) fn rounded(value: f64) -> String {
    let digits = 2 - value.abs().log10().floor().clamp(-6.0, 2.0) as i32;
    let text = format!("{value:.*}", usize::try_from(digits).unwrap_or(0));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_by_kind_the_largest_first() {
        let moved = |of: &str, metres| Change::new(ChangeKind::RestMoved, of).with(Measure::Distance, metres);
        let renamed = Change::new(ChangeKind::JointRenamed, "Hips").was("Hips").now("Pelvis");
        let diff = RigDiff::new(vec![moved("Hand", 0.0125), moved("Foot", 1.5), renamed], 0.0);
        let told: Vec<String> = diff.changes.iter().map(|c| format!("{} {}: {}", c.kind, c.of, c.details())).collect();
        assert_eq!(
            told,
            [
                "joint renamed Hips: was Hips, now Pelvis",
                "rest pose moved Foot: 1500 mm",
                "rest pose moved Hand: 12.5 mm"
            ]
        );
        let json = serde_json::to_value(&diff.changes[2]).unwrap();
        let expected = serde_json::json!({"kind": "rest_pose_moved", "of": "Hand", "was": null, "now": null,
            "amounts": {"distance_m": 0.0125}});
        assert_eq!(json, expected);
    }

    #[test]
    fn amounts_have_three_digits_that_count() {
        let pairs = [(0.0, "0"), (0.012_345, "0.0123"), (1.0, "1"), (12.345, "12.3"), (1234.5, "1234"), (0.5, "0.5")];
        for (value, text) in pairs {
            assert_eq!(rounded(value), text);
        }
    }
}
