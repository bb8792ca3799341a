use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rig::{Hierarchy, find_joints, joint_names};
use crate::skinning::{JointMethod, Skinning};
use crate::view::{Compare, Ghost, Layout, PerSide, ShownFile, SideOptions, SideView, View, Wipe, known};
use crate::weights::WeightChoice;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct SideFile {
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "known")]
    /// Displayed character; by default, the open one.
    file: Option<ShownFile>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "known")]
    /// Weights of the open character; by default, its own.
    weights: Option<WeightChoice>,
    #[serde(flatten)]
    skinning: Skinning,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    /// Skinning methods of single joints, by name.
    by_joint: BTreeMap<String, JointMethod>,
    #[serde(flatten)]
    options: SideOptions,
}

impl SideFile {
    fn new(side: &SideView, hierarchy: &Hierarchy) -> Self {
        let SideView { file, weights, skinning, options } = side;
        let (joints, methods): (Vec<_>, Vec<_>) = skinning.by_joint.iter().copied().unzip();
        Self {
            // The previous version of a file exists only in memory.
            file: Some(file.clone()).filter(|file| file.file().is_some() || !file.skeleton_changes().is_empty()),
            weights: Some(weights.clone()).filter(|weights| !weights.is_file()),
            skinning: Skinning { by_joint: Vec::new(), ..skinning.clone() },
            by_joint: joint_names(hierarchy, &joints).into_iter().zip(methods).collect(),
            options: *options,
        }
    }

    /// Converts the stored side to side settings. Drops joints that the character lacks and adds their names to
    /// `unknown`.
    fn side(&self, hierarchy: &Hierarchy, unknown: &mut BTreeSet<String>) -> SideView {
        let found = find_joints(hierarchy, self.by_joint.keys());
        let mut by_joint = BTreeMap::new();
        for ((name, method), node) in self.by_joint.iter().zip(found) {
            match node {
                Some(node) => _ = by_joint.insert(node, *method),
                None => _ = unknown.insert(name.clone()),
            }
        }
        SideView {
            file: self.file.clone().unwrap_or_default(),
            weights: self.weights.clone().unwrap_or_default(),
            skinning: Skinning { by_joint: by_joint.into_iter().collect(), ..self.skinning.clone() },
            options: SideOptions {
                range: self.options.range.filter(|[low, high]| low < high && low.is_finite() && high.is_finite()),
                ..self.options
            },
        }
    }

    fn files(&self) -> impl Iterator<Item = &Path> {
        let files = self.file.iter().flat_map(ShownFile::files);
        self.weights.as_ref().and_then(WeightChoice::file).into_iter().chain(files)
    }

    fn place_below(&mut self, folder: &Path) {
        self.file.iter_mut().for_each(|file| file.resolve_against(folder));
        self.weights.iter_mut().for_each(|weights| weights.resolve_paths(folder));
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct CompareFile {
    layout: Layout,
    a: SideFile,
    b: SideFile,
    wipe: Wipe,
    ghost: Ghost,
    /// True if comparisons use clay shading.
    is_clay: bool,
}

impl Default for CompareFile {
    fn default() -> Self {
        let View { sides, compare, .. } = View::default();
        Self::new(&sides, &compare, &Hierarchy::default())
    }
}

impl CompareFile {
    pub(super) fn new(sides: &PerSide<SideView>, compare: &Compare, hierarchy: &Hierarchy) -> Self {
        Self {
            layout: compare.layout,
            a: SideFile::new(&sides.a, hierarchy),
            b: SideFile::new(&sides.b, hierarchy),
            wipe: compare.wipe,
            ghost: compare.ghost,
            is_clay: compare.is_clay,
        }
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.a.files().chain(self.b.files())
    }

    pub(super) fn place_below(&mut self, folder: &Path) {
        self.a.place_below(folder);
        self.b.place_below(folder);
    }

    /// Returns both sides and the layout. Adds the names of joints that the character lacks to `unknown`.
    pub(super) fn sides(&self, hierarchy: &Hierarchy, unknown: &mut BTreeSet<String>) -> (PerSide<SideView>, Compare) {
        let is_usable = self.wipe.angle.is_finite() && self.wipe.offset.is_finite();
        let compare = Compare {
            layout: self.layout,
            wipe: if is_usable { self.wipe } else { Wipe::default() },
            ghost: self.ghost,
            is_blinking: false,
            is_clay: self.is_clay,
        };
        (PerSide { a: self.a.side(hierarchy, unknown), b: self.b.side(hierarchy, unknown) }, compare)
    }
}
