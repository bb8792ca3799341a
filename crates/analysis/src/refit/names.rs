//! Renames joints and morph targets.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::error::RefitError;
use super::frames::hierarchy;
use super::refitted::Refitted;
use rigscope_core::matching::{HumanBone, Humanoid, Scheme, arkit_shape};
use rigscope_core::rig::Rig;
use rigscope_core::text::{counted, listed};

const NAME: &str = "rename";

/// Number of humanoid bones, with the hips, by which a character counts as a humanoid.
const MIN_BONES: usize = 8;

/// Number of names in a message.
const NAMED: usize = 6;

/// Where new names come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Renaming {
    /// Humanoid bones get the names of a scheme.
    Scheme(Scheme),
    /// Morph targets get the names of `ARKit`'s blend shapes.
    Arkit,
    /// Nodes and morph targets get other names, by their present names.
    Table(BTreeMap<String, String>),
}

impl Renaming {
    /// Returns the renaming of a name on the command line, such as `vrm-1`; `None` if it is unknown.
    pub fn named(name: &str) -> Option<Self> {
        let scheme = match name {
            "arkit" => return Some(Self::Arkit),
            "vrm-1" => Scheme::Vrm,
            "unity-humanoid" => Scheme::Unity,
            name => Scheme::ALL.into_iter().find(|scheme| scheme.name() == name)?,
        };
        Some(Self::Scheme(scheme))
    }

    /// Names on the command line.
    pub const NAMES: [&str; 7] = ["vrm-1", "mixamo", "unreal", "unity-humanoid", "godot", "rigify", "arkit"];

    pub(super) fn table_json(table: &BTreeMap<String, String>) -> String {
        // Maps of text always serialize.
        serde_json::to_string(table).unwrap_or_default()
    }

    /// Reads a table as a JSON object, with present names as keys. *Errors*: the text is no such object.
    pub fn from_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map(Self::Table).map_err(|error| error.to_string())
    }

    /// Reads a table of present and new names, two columns of CSV. *Errors*: a row without two cells, or a name that is
    /// given twice.
    pub fn from_csv(text: &str) -> Result<Self, String> {
        let mut table = BTreeMap::new();
        for (number, row) in (1..).zip(rigscope_core::rows::csv_rows(text)) {
            let [from, to] = &*row else {
                return Err(format!(
                    "row {number} has {}, not two: the present name and the new one",
                    counted(row.len(), "cell", "cells")
                ));
            };
            if to.is_empty() {
                return Err(format!("row {number} has no new name for \"{from}\""));
            }
            if table.insert(from.clone(), to.clone()).is_some_and(|before| before != *to) {
                return Err(format!("row {number} gives \"{from}\" another name than a row before"));
            }
        }
        Ok(Self::Table(table))
    }
}

pub(super) fn rename(rig: &Rig, renaming: &Renaming) -> Result<Refitted, RefitError> {
    let NewNames { nodes, morphs, unmatched } = NewNames::new(rig, renaming)?;
    refuse_repeated(rig, &nodes)?;
    let mut data = (**rig).clone();
    let mut descriptions = rig.hierarchy.descriptions();
    let mut count = 0;
    for (node, name) in rig.hierarchy.nodes().zip(nodes) {
        let description = &mut descriptions[rig.hierarchy.source(node)];
        count += usize::from(description.name != name);
        description.name = name;
    }
    data.hierarchy = hierarchy(&descriptions, NAME)?;
    for morph in rig.morphs() {
        let Some(new) = morphs.get(&morph.name) else { continue };
        for at in &morph.targets {
            let names = &mut data.meshes[rig.instances[at.instance].mesh].target_names;
            names.resize(names.len().max(at.target + 1), String::new());
            names[at.target].clone_from(new);
        }
    }
    let mut done = vec![counted(count, "node", "nodes")];
    if !morphs.is_empty() {
        done.push(counted(morphs.len(), "morph target", "morph targets"));
    }
    let mut note = format!("renamed {}", done.join(" and "));
    if !unmatched.is_empty() {
        let number = counted(unmatched.len(), "name has", "names have");
        note = format!("{note}; {number} no counterpart: {}", listed(&unmatched, NAMED));
    }
    Ok(Refitted::same_nodes(data, rig, NAME, &note))
}

struct NewNames {
    /// New name of each node, by node.
    nodes: Vec<String>,
    /// New names of morph targets, by name.
    morphs: BTreeMap<String, String>,
    unmatched: BTreeSet<String>,
}

impl NewNames {
    fn new(rig: &Rig, renaming: &Renaming) -> Result<Self, RefitError> {
        let nodes = rig.hierarchy.nodes().map(|node| rig.hierarchy.name(node).to_owned()).collect();
        let mut found = Self { nodes, morphs: BTreeMap::new(), unmatched: BTreeSet::new() };
        match renaming {
            Renaming::Scheme(scheme) => found.follow_scheme(rig, *scheme)?,
            Renaming::Arkit => found.follow_arkit(rig)?,
            Renaming::Table(table) => found.follow_table(rig, table),
        }
        Ok(found)
    }

    fn follow_scheme(&mut self, rig: &Rig, scheme: Scheme) -> Result<(), RefitError> {
        let mut renamed = BTreeSet::new();
        let bones = Humanoid::from_rig(rig);
        for (bone, node) in bones.bones() {
            if let Some(name) = bone.name_in(scheme) {
                self.nodes[node.index()] = if scheme == Scheme::Mixamo { format!("mixamorig:{name}") } else { name };
                renamed.insert(node);
            }
        }
        // A few chance matches would give wrong names.
        let has_hips = HumanBone::named("hips").and_then(|hips| bones.node(hips)).is_some();
        if !has_hips || renamed.len() < MIN_BONES {
            let reason = format!(
                "only {} known, by names or by the file, of the hips and {MIN_BONES} that it takes; use a table",
                counted(renamed.len(), "humanoid bone is", "humanoid bones are")
            );
            return Err(RefitError::new(NAME, reason));
        }
        let others = rig.hierarchy.nodes().filter(|node| rig.is_joint(*node) && !renamed.contains(node));
        self.unmatched.extend(others.map(|node| rig.hierarchy.name(node).to_owned()));
        Ok(())
    }

    fn follow_arkit(&mut self, rig: &Rig) -> Result<(), RefitError> {
        for morph in rig.morphs() {
            match arkit_shape(&morph.name) {
                Some(shape) => _ = self.morphs.insert(morph.name.clone(), shape.to_owned()),
                None => _ = self.unmatched.insert(morph.name.clone()),
            }
        }
        if self.morphs.is_empty() {
            return Err(RefitError::new(NAME, "no morph target is known as a blend shape of ARKit"));
        }
        Ok(())
    }

    fn follow_table(&mut self, rig: &Rig, table: &BTreeMap<String, String>) {
        self.unmatched = table.keys().cloned().collect();
        for name in &mut self.nodes {
            if let Some(new) = table.get(name.as_str()) {
                self.unmatched.remove(&*name);
                name.clone_from(new);
            }
        }
        for morph in rig.morphs() {
            if let Some(new) = table.get(&morph.name) {
                self.unmatched.remove(&morph.name);
                self.morphs.insert(morph.name.clone(), new.clone());
            }
        }
    }
}

/// Refuses names that become equal, because poses, configs and engines find joints by name.
fn refuse_repeated(rig: &Rig, names: &[String]) -> Result<(), RefitError> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    for node in rig.hierarchy.nodes() {
        let (at, name) = (node.index(), &*names[node.index()]);
        let Some(other) = first.insert(name, at) else { continue };
        let is_new = [at, other].iter().any(|&at| rig.hierarchy.name(at.into()) != name);
        if is_new {
            let [a, b] = [other, at].map(|at| rig.hierarchy.name(at.into()));
            return Err(RefitError::new(NAME, format!("\"{a}\" and \"{b}\" would both be named \"{name}\"")));
        }
    }
    Ok(())
}
