//! Changes between two versions of a rig, and tolerances for them.

use std::collections::BTreeMap;
use std::fmt;

use rigscope_core::matching::rounding_m;
use rigscope_core::rig::{NodeIndex, Rig};
use rigscope_core::rows::rows;

/// All changes between two versions; empty if they are the same.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigDiff {
    /// Changes sorted by kind, in the order of [`ChangeKind::ALL`]; the largest change of each kind comes first.
    pub changes: Vec<Change>,
    /// Largest movement of a vertex that is still within the tolerance, metres, in the old version's world space.
    pub rounding_m: f32,
}

impl RigDiff {
    pub(super) fn new(mut changes: Vec<Change>, rounding_m: f32) -> Self {
        changes.sort_by(|a, b| a.kind.cmp(&b.kind).then_with(|| b.size().total_cmp(&a.size())));
        Self { changes, rounding_m }
    }

    /// Keeps only changes of the given kinds. Returns the number of changes removed.
    pub fn keep_only(&mut self, kinds: &[ChangeKind]) -> usize {
        let found = self.changes.len();
        self.changes.retain(|change| kinds.contains(&change.kind));
        found - self.changes.len()
    }

    /// Returns true if no change exceeds the tolerances.
    pub fn is_same(&self) -> bool {
        self.changes.is_empty()
    }

    /// Groups the changes by kind.
    pub fn by_kind(&self) -> impl Iterator<Item = &[Change]> {
        self.changes.chunk_by(|a, b| a.kind == b.kind)
    }
}

rows! {
    /// Differences up to these values are ignored.
    #[derive(Copy)]
    pub struct Tolerances {
        /// Distance, metres in the old version's world.
        pub distance_m: f32,
        /// Angle, degrees.
        pub angle_deg: f32,
        /// Difference of weights, scale factors, colours and texture coordinates.
        pub fraction: f32,
        /// Time, seconds.
        pub time_secs: f32,
    }
}

impl Tolerances {
    /// Returns tolerances for a rig that cover rounding by file formats and by quantisation.
    pub fn for_rig(rig: &Rig) -> Self {
        Self { distance_m: rounding_m(rig), angle_deg: 0.1, fraction: 0.005, time_secs: 0.001 }
    }

    pub(super) fn for_measure(&self, measure: ChangeMeasure) -> f32 {
        match measure {
            ChangeMeasure::Distance => self.distance_m,
            ChangeMeasure::Angle => self.angle_deg,
            _ => self.fraction,
        }
    }
}

/// One of the two compared versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RigVersion {
    /// The old version.
    Old,
    /// The new version.
    New,
}

/// An object in a version, by index in the rig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedObject {
    /// A joint or another node.
    Node(NodeIndex),
    /// Index into `Rig::instances`.
    Mesh(usize),
    /// Index into `Rig::clips`.
    Clip(usize),
    /// Index into `Rig::morphs`.
    Morph(usize),
    /// Index into `Rig::materials`.
    Material(usize),
}

/// Location of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeLocation {
    /// Version that has the object; the old version if both have it.
    pub version: RigVersion,
    /// The changed object.
    pub part: ChangedObject,
}

/// One difference between the versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Kind of the change.
    pub kind: ChangeKind,
    /// Name of the changed object, from the old version if the names differ.
    pub object_name: String,
    /// Old value as text.
    pub was: Option<String>,
    /// New value as text.
    pub now: Option<String>,
    /// Location of the change; `None` if it concerns the whole character.
    pub place: Option<ChangeLocation>,
    /// Amounts of the change; the first one ranks changes of the same kind.
    pub amounts: Vec<(ChangeMeasure, f64)>,
}

impl Change {
    pub(super) fn new(kind: ChangeKind, of: impl Into<String>) -> Self {
        Self { kind, object_name: of.into(), was: None, now: None, place: None, amounts: Vec::new() }
    }

    pub(super) fn at_old(self, part: ChangedObject) -> Self {
        Self { place: Some(ChangeLocation { version: RigVersion::Old, part }), ..self }
    }

    pub(super) fn at_new(self, part: ChangedObject) -> Self {
        Self { place: Some(ChangeLocation { version: RigVersion::New, part }), ..self }
    }

    pub(super) fn was(mut self, was: impl Into<String>) -> Self {
        self.was = Some(was.into());
        self
    }

    pub(super) fn now(mut self, now: impl Into<String>) -> Self {
        self.now = Some(now.into());
        self
    }

    pub(super) fn with(mut self, measure: ChangeMeasure, value: impl Into<f64>) -> Self {
        self.amounts.push((measure, value.into()));
        self
    }

    pub(super) fn with_beyond<const N: usize>(
        self,
        amounts: [(ChangeMeasure, f32); N],
        tolerances: &Tolerances,
    ) -> Self {
        let beyond = amounts.into_iter().filter(|(measure, value)| *value > tolerances.for_measure(*measure));
        beyond.fold(self, |change, (measure, value)| change.with(measure, value))
    }

    pub(super) fn with_some(self, measure: ChangeMeasure, value: f64) -> Self {
        if value > 0.0 { self.with(measure, value) } else { self }
    }

    /// Returns the first amount, which ranks changes of the same kind; 0 if there is none.
    pub fn size(&self) -> f64 {
        self.amounts.first().map_or(0.0, |(_, value)| *value)
    }

    /// Returns details for display, without kind and object: `was Hips, now Pelvis`, `12.5 mm, 3.0°`.
    pub fn details(&self) -> String {
        let names = [("was", &self.was), ("now", &self.now)];
        let names = names.into_iter().filter_map(|(word, name)| Some(format!("{word} {}", name.as_ref()?)));
        let amounts = self.amounts.iter().map(|(measure, value)| measure.text(*value));
        names.chain(amounts).collect::<Vec<_>>().join(", ")
    }
}

rows! {
    /// A difference between two versions.
    pub struct ChangeJson {
        /// Kind of the change, as in the text of rigscope diff, with _ for each space.
        pub kind: String,
        /// Name of the changed object, from the old version if the names differ.
        pub of: String,
        /// Value in the old version, in words.
        pub was: Option<String>,
        /// Value in the new version, in words.
        pub now: Option<String>,
        /// Amounts of the change: `distance_m`, `angle_deg`, `stretch`, `l1`, `largest`, `vertices`, `vertices_added`, `vertices_removed`, `triangles_added`, `triangles_removed`, `duration_secs`, `secs`, `keys`.
        pub amounts: BTreeMap<String, f64>,
    }
}

impl From<&Change> for ChangeJson {
    fn from(change: &Change) -> Self {
        Self {
            kind: change.kind.name().replace(' ', "_"),
            of: change.object_name.clone(),
            was: change.was.clone(),
            now: change.now.clone(),
            amounts: change.amounts.iter().map(|(measure, value)| (measure.name().to_owned(), *value)).collect(),
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal,)*) => {
        /// What kind of change it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ChangeKind { $($(#[$doc])* $kind,)* }

        impl ChangeKind {
            /// All kinds in report order.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// Returns the name for display.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }
        }
    };
}

kinds! {
    /// The whole character is rotated or scaled, for example because units or axes differ. Other changes exclude this
    /// difference.
    UnitsOrAxes "units or axes",
    /// The new version has a joint that the old one lacks.
    JointAdded "joint added",
    /// The old version has a joint that the new one lacks.
    JointRemoved "joint removed",
    /// A joint has a new name. Such joints are matched by position, or by name, ignoring namespace and case.
    JointRenamed "joint renamed",
    /// A joint has a different parent, ignoring added or removed joints in between.
    JointReparented "joint reparented",
    /// A node became a joint of a skin, or is no longer one.
    JointListed "joint status",
    /// The new version has an additional node without weights.
    NodeAdded "node added",
    /// The new version lacks a node without weights.
    NodeRemoved "node removed",
    /// A node without weights has a different name.
    NodeRenamed "node renamed",
    /// A node without weights has a different parent.
    NodeReparented "node reparented",
    /// Translation, rotation or scale at rest changed, relative to the parent joint.
    RestMoved "rest pose moved",
    /// Local transforms, bind matrices or units of joints differ, but everything is drawn the same.
    LocalTransforms "local transforms",
    /// The bind pose of a joint moved, apart from motion inherited from a parent joint.
    BindMoved "bind pose moved",
    /// Weights of a joint changed; reported for every joint that gained or lost weight.
    Weights "weights",
    /// A mesh became skinned, or is no longer skinned.
    Skinned "skinned or not",
    /// The authored skinning method of a skin changed.
    Method "skinning method",
    /// The new version has a mesh that the old one lacks.
    MeshAdded "mesh added",
    /// The old version has a mesh that the new one lacks.
    MeshRemoved "mesh removed",
    /// A mesh with the same vertices has a different name.
    MeshRenamed "mesh renamed",
    /// A mesh without a skin is on a different node.
    MeshReparented "mesh on another node",
    /// Vertices or triangles were added or removed.
    Topology "topology",
    /// Vertices moved.
    Vertices "vertices moved",
    /// Normals changed direction.
    Normals "normals",
    /// Texture coordinates changed.
    TexCoords "texture coordinates",
    /// Vertex colours changed.
    Colors "vertex colours",
    /// DQ blend weights changed.
    DqWeights "dq blend weights",
    /// Triangles of a mesh use a different material.
    MaterialUse "materials of a mesh",
    /// The new version has a clip that the old one lacks.
    ClipAdded "clip added",
    /// The old version has a clip that the new one lacks.
    ClipRemoved "clip removed",
    /// A clip's name differs in namespace, case or copy number.
    ClipRenamed "clip renamed",
    /// The time of a clip's last key changed.
    ClipLength "clip length",
    /// The number of a clip's keys changed.
    ClipKeys "clip keys",
    /// A clip moves joints differently.
    ClipMotion "clip motion",
    /// A clip animates morph weights differently.
    ClipMorphs "clip morph weights",
    /// The new version has a morph target that the old one lacks.
    MorphAdded "morph added",
    /// The old version has a morph target that the new one lacks.
    MorphRemoved "morph removed",
    /// A morph target's name differs in namespace, case or copy number.
    MorphRenamed "morph renamed",
    /// The displacements of a morph target changed.
    MorphShape "morph shape",
    /// The default weight of a morph target changed.
    MorphWeight "morph weight",
    /// The new version has a material that the old one lacks.
    MaterialAdded "material added",
    /// The old version has a material that the new one lacks.
    MaterialRemoved "material removed",
    /// A material with the same content has a different name.
    MaterialRenamed "material renamed",
    /// A factor or other property of a material changed.
    Material "material",
    /// A texture of a material changed: image or transform.
    Texture "texture",
    /// The new version has a node constraint that the old one lacks.
    ConstraintAdded "constraint added",
    /// The old version has a node constraint that the new one lacks.
    ConstraintRemoved "constraint removed",
    /// A node constraint changed: kind, axis, weight or source.
    Constraint "constraint",
    /// VRM data changed: the number of expressions, spring chains or colliders, or the terms of use.
    Vrm "vrm data",
}

impl ChangeKind {
    /// Returns true if only the representation differs and both versions are drawn the same.
    pub fn is_drawn_the_same(self) -> bool {
        matches!(self, Self::LocalTransforms | Self::ClipKeys)
    }

    /// Returns the kinds whose names begin with the words in `name`. Case-insensitive; `_` and `-` count as spaces.
    pub fn named(name: &str) -> Vec<Self> {
        let wanted = name.trim().to_lowercase().replace(['_', '-'], " ");
        let is_named = |kind: &&Self| {
            let below = kind.name().strip_prefix(wanted.as_str());
            !wanted.is_empty() && below.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        Self::ALL.iter().filter(is_named).copied().collect()
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

rigscope_core::named_enum! {
    /// What an amount measures.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ChangeMeasure {
        /// Largest distance, metres in the old version's world.
        Distance = "distance_m";
        /// Largest angle, degrees.
        Angle = "angle_deg";
        /// Largest relative change in a scale factor.
        Stretch = "stretch";
        /// Sum of the gained and lost weights.
        L1 = "l1";
        /// Largest difference between values that are mostly between 0 and 1.
        Largest = "largest";
        /// Number of affected vertices.
        Vertices = "vertices";
        /// Number of vertices added.
        VerticesAdded = "vertices_added";
        /// Number of vertices removed.
        VerticesRemoved = "vertices_removed";
        /// Number of triangles, lines and points added.
        TrianglesAdded = "triangles_added";
        /// Number of triangles, lines and points removed.
        TrianglesRemoved = "triangles_removed";
        /// Length of a clip, seconds.
        Duration = "duration_secs";
        /// Difference in duration, seconds.
        Secs = "secs";
        /// Difference in the number of keys.
        Keys = "keys";
    }
}

impl ChangeMeasure {
    fn text(self, value: f64) -> String {
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

/// Rounds to three significant digits.
pub fn rounded(value: f64) -> String {
    let digits = 2 - value.abs().log10().floor().clamp(-6.0, 2.0) as i32;
    let text = format!("{value:.*}", usize::try_from(digits).unwrap_or(0));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_grouped_by_kind_with_the_largest_first() {
        let moved = |of: &str, metres| Change::new(ChangeKind::RestMoved, of).with(ChangeMeasure::Distance, metres);
        let renamed = Change::new(ChangeKind::JointRenamed, "Hips").was("Hips").now("Pelvis");
        let diff = RigDiff::new(vec![moved("Hand", 0.0125), moved("Foot", 1.5), renamed], 0.0);
        let told: Vec<String> =
            diff.changes.iter().map(|c| format!("{} {}: {}", c.kind, c.object_name, c.details())).collect();
        assert_eq!(
            told,
            [
                "joint renamed Hips: was Hips, now Pelvis",
                "rest pose moved Foot: 1500 mm",
                "rest pose moved Hand: 12.5 mm"
            ]
        );
        let json = serde_json::to_value(ChangeJson::from(&diff.changes[2])).unwrap();
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

    #[test]
    fn kinds_are_named_whole_or_by_their_first_words() {
        for &kind in ChangeKind::ALL {
            assert!(ChangeKind::named(kind.name()).contains(&kind), "{kind}");
            assert!(ChangeKind::named(&kind.name().to_uppercase().replace(' ', "_")).contains(&kind), "{kind}");
        }
        assert_eq!(ChangeKind::named("rest-pose"), [ChangeKind::RestMoved]);
        assert_eq!(ChangeKind::named("weights"), [ChangeKind::Weights]);
        let mut named: Vec<&str> = ChangeKind::named("material").into_iter().map(ChangeKind::name).collect();
        named.sort_unstable();
        assert_eq!(named, ["material", "material added", "material removed", "material renamed"]);
        for name in ["", " ", "clips", "weight", "joint addedx"] {
            assert!(ChangeKind::named(name).is_empty(), "{name}");
        }
    }
}
