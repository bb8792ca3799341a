//! The two sides of a comparison, as a session file has them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::rig::{Hierarchy, joint_names, joints_found};
use crate::skinning::{Antipodality, InfluenceLimit, JointMethod, Method, Normals, ScaleHandling, Skinning};
use crate::view::{Compare, Ghost, Layout, Overlay, PerSide, ShownPose, SideView, Subject, View, Wipe};
use crate::weights::{WeightChoice, as_text};

/// A way of skinning; joints by the names that pose files call them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SideFile {
    method: Method,
    scale: ScaleHandling,
    antipodality: Antipodality,
    normals: Normals,
    influences: InfluenceLimit,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    by_joint: BTreeMap<String, JointMethod>,
}

impl SideFile {
    fn new(skinning: &Skinning, hierarchy: &Hierarchy) -> Self {
        let (joints, methods): (Vec<_>, Vec<_>) = skinning.by_joint.iter().copied().unzip();
        Self {
            method: skinning.method,
            scale: skinning.scale,
            antipodality: skinning.antipodality,
            normals: skinning.normals,
            influences: skinning.influences,
            by_joint: joint_names(hierarchy, &joints).into_iter().zip(methods).collect(),
        }
    }

    /// Skinning of the side. Joints that the character lacks are left out, and added to `unknown`.
    fn skinning(&self, hierarchy: &Hierarchy, unknown: &mut BTreeSet<String>) -> Skinning {
        let found = joints_found(hierarchy, self.by_joint.keys());
        let mut by_joint = BTreeMap::new();
        for ((name, method), node) in self.by_joint.iter().zip(found) {
            match node {
                Some(node) => _ = by_joint.insert(node, *method),
                None => _ = unknown.insert(name.clone()),
            }
        }
        Skinning {
            method: self.method,
            scale: self.scale,
            antipodality: self.antipodality,
            normals: self.normals,
            influences: self.influences,
            by_joint: by_joint.into_iter().collect(),
        }
    }
}

/// Both sides and how they share the picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct CompareFile {
    layout: Layout,
    a: SideFile,
    b: SideFile,
    #[serde(skip_serializing_if = "is_false")]
    a_is_rest: bool,
    b_is_rest: bool,
    wipe: Wipe,
    ghost: Ghost,
    #[serde(deserialize_with = "known_overlays")]
    overlays: [Option<Overlay>; 2],
    ranges: [Option<[f32; 2]>; 2],
    /// Weights in place of the file's, and files in place of the open one where that is all that a side has in its place.
    #[serde(skip_serializing_if = "are_none", deserialize_with = "known")]
    weights: [Option<WeightsFile>; 2],
    /// Characters in place of the open one on sides that have weights for it too.
    #[serde(skip_serializing_if = "are_none", deserialize_with = "known")]
    subjects: [Option<Subject>; 2],
    is_clay: bool,
}

/// What a side shows in place of the file's weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WeightsFile {
    /// Weights of another file, as version 5 has it.
    Version {
        /// Path of the file.
        #[serde(serialize_with = "as_text")]
        from: PathBuf,
    },
    /// Other weights of the open file.
    #[serde(untagged)]
    Weights(WeightChoice),
}

impl WeightsFile {
    fn of(side: &SideView) -> Option<Self> {
        match (&side.subject, &side.weights) {
            (Subject::Other(from), WeightChoice::File) => Some(Self::Version { from: from.clone() }),
            (_, WeightChoice::File) => None,
            (_, weights) => Some(Self::Weights(weights.clone())),
        }
    }

    fn file(&self) -> Option<&Path> {
        match self {
            Self::Version { from } => Some(from),
            Self::Weights(weights) => weights.file(),
        }
    }

    fn place_below(&mut self, folder: &Path) {
        match self {
            Self::Version { from } => *from = folder.join(&*from),
            Self::Weights(weights) => weights.place_below(folder),
        }
    }
}

impl Default for CompareFile {
    fn default() -> Self {
        let View { sides, compare, .. } = View::default();
        Self::new(&sides, &compare, &Hierarchy::default())
    }
}

impl CompareFile {
    /// Entry for both sides, of a character, and how they share the picture.
    pub(super) fn new(sides: &PerSide<SideView>, compare: &Compare, hierarchy: &Hierarchy) -> Self {
        let PerSide { a, b } = sides;
        Self {
            layout: compare.layout,
            a: SideFile::new(&a.skinning, hierarchy),
            b: SideFile::new(&b.skinning, hierarchy),
            a_is_rest: a.pose == ShownPose::Rest,
            b_is_rest: b.pose == ShownPose::Rest,
            wipe: compare.wipe,
            ghost: compare.ghost,
            overlays: [a.overlay, b.overlay],
            ranges: [a.range, b.range],
            weights: [a, b].map(WeightsFile::of),
            // What was before is nowhere but in memory.
            subjects: [a, b].map(|side| {
                Some(side.subject.clone()).filter(|subject| subject.file().is_some() && !side.weights.is_file())
            }),
            is_clay: compare.is_clay,
        }
    }

    /// True where a program that knows version 1 of sessions would show something else: it has no pose of side A.
    pub(super) fn is_of_version_2(&self) -> bool {
        self.a_is_rest
    }

    /// True where a program that knows version 3 of sessions would show something else: it has no weights of sides.
    pub(super) fn is_of_version_4(&self) -> bool {
        !are_none(&self.weights)
    }

    /// True where a program that knows version 4 of sessions would show something else: it has no other files on sides.
    pub(super) fn is_of_version_5(&self) -> bool {
        self.weights.iter().flatten().any(|weights| matches!(weights, WeightsFile::Version { .. }))
    }

    /// True where a program that knows version 5 of sessions would show something else: a side of it has another file or weights, not both.
    pub(super) fn is_of_version_6(&self) -> bool {
        !are_none(&self.subjects)
    }

    /// True where a program that knows version 6 of sessions would show something else: it has no weights that were edited by hand.
    pub(super) fn is_of_version_7(&self) -> bool {
        self.weights
            .iter()
            .flatten()
            .any(|weights| matches!(weights, WeightsFile::Weights(choice) if choice.edits().is_some()))
    }

    /// Other files that sides are shown with.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let subjects = self.subjects.iter().flatten().filter_map(Subject::file);
        self.weights.iter().flatten().filter_map(WeightsFile::file).chain(subjects)
    }

    /// Takes other files as those below a folder, unless their paths are absolute.
    pub(super) fn place_below(&mut self, folder: &Path) {
        self.weights.iter_mut().flatten().for_each(|weights| weights.place_below(folder));
        self.subjects.iter_mut().flatten().for_each(|subject| subject.place_below(folder));
    }

    /// Both sides, for a character, and how they share the picture; names of joints that it lacks are added to `unknown`.
    pub(super) fn sides(&self, hierarchy: &Hierarchy, unknown: &mut BTreeSet<String>) -> (PerSide<SideView>, Compare) {
        let is_usable = self.wipe.angle.is_finite() && self.wipe.offset.is_finite();
        let compare = Compare {
            layout: self.layout,
            wipe: if is_usable { self.wipe } else { Wipe::default() },
            ghost: self.ghost,
            is_blinking: false,
            is_clay: self.is_clay,
        };
        let shown = |number: usize| match self.weights[number].clone() {
            Some(WeightsFile::Version { from }) => (Subject::Other(from), WeightChoice::File),
            Some(WeightsFile::Weights(weights)) => (self.subjects[number].clone().unwrap_or_default(), weights),
            None => (self.subjects[number].clone().unwrap_or_default(), WeightChoice::File),
        };
        let mut side = |file: &SideFile, is_rest: bool, number: usize| SideView {
            subject: shown(number).0,
            weights: shown(number).1,
            skinning: file.skinning(hierarchy, unknown),
            pose: if is_rest { ShownPose::Rest } else { ShownPose::Current },
            overlay: self.overlays[number],
            range: self.ranges[number].filter(|[low, high]| low < high && low.is_finite() && high.is_finite()),
        };
        (PerSide { a: side(&self.a, self.a_is_rest, 0), b: side(&self.b, self.b_is_rest, 1) }, compare)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !flag
}

fn are_none<T>(sides: &[Option<T>; 2]) -> bool {
    sides.iter().all(Option::is_none)
}

/// Reads weights and characters. Those that a later version has are left out; see `Session::parse`, which tells.
fn known<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<[Option<T>; 2], D::Error> {
    let values = <[Option<serde_json::Value>; 2]>::deserialize(deserializer)?;
    Ok(values.map(|value| serde_json::from_value(value?).ok()))
}

/// Reads overlays. One that a later version has is left out; see `Session::parse`, which tells.
fn known_overlays<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Option<Overlay>; 2], D::Error> {
    let names = <[Option<String>; 2]>::deserialize(deserializer)?;
    Ok(names.map(|name| name?.parse().ok()))
}
