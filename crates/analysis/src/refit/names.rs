//! Renames joints and morph targets.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::frames::hierarchy;
use super::{RefitError, Refitted};
use rigscope_core::matching::{Humanoid, Scheme, arkit_shape};
use rigscope_core::rig::Rig;
use rigscope_core::text::{counted, listed};

const NAME: &str = "rename";

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
        for (number, row) in (1..).zip(rigscope_core::rows::csv_rows(text)?) {
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
    let mut names: Vec<String> = rig.hierarchy.nodes().map(|node| rig.hierarchy.name(node).to_owned()).collect();
    let mut unmatched: BTreeSet<String> = BTreeSet::new();
    let mut morphs: HashMap<&str, String> = HashMap::new();
    match renaming {
        Renaming::Scheme(scheme) => {
            let bones = Humanoid::from_rig(rig);
            let mut renamed = BTreeSet::new();
            for (bone, node) in bones.bones() {
                if let Some(name) = bone.name_in(*scheme) {
                    names[node.index()] = if *scheme == Scheme::Mixamo { format!("mixamorig:{name}") } else { name };
                    renamed.insert(node);
                }
            }
            if renamed.is_empty() {
                return Err(RefitError::new(NAME, "no joint is known as a humanoid bone, by its name or by the file"));
            }
            let others = rig.hierarchy.nodes().filter(|node| rig.is_joint(*node) && !renamed.contains(node));
            unmatched.extend(others.map(|node| rig.hierarchy.name(node).to_owned()));
        }
        Renaming::Arkit => {
            for morph in rig.morphs() {
                match arkit_shape(&morph.name) {
                    Some(shape) => _ = morphs.insert(&morph.name, shape.to_owned()),
                    None => _ = unmatched.insert(morph.name.clone()),
                }
            }
            if morphs.is_empty() {
                return Err(RefitError::new(NAME, "no morph target is known as a blend shape of ARKit"));
            }
        }
        Renaming::Table(table) => {
            unmatched = table.keys().cloned().collect();
            for name in &mut names {
                if let Some(new) = table.get(name.as_str()) {
                    unmatched.remove(&*name);
                    *name = new.clone();
                }
            }
            for morph in rig.morphs() {
                if let Some(new) = table.get(&morph.name) {
                    unmatched.remove(&morph.name);
                    morphs.insert(&morph.name, new.clone());
                }
            }
        }
    }
    refuse_repeated(rig, &names)?;
    let mut nodes = rig.hierarchy.descriptions();
    let mut count = 0;
    for (node, name) in rig.hierarchy.nodes().zip(names) {
        let description = &mut nodes[rig.hierarchy.source(node)];
        count += usize::from(description.name != name);
        description.name = name;
    }
    let mut data = (**rig).clone();
    data.hierarchy = hierarchy(&nodes, NAME)?;
    let mut targets = BTreeSet::new();
    for morph in rig.morphs() {
        let Some(new) = morphs.get(&*morph.name) else { continue };
        for at in &morph.targets {
            let mesh = &mut data.meshes[rig.instances[at.instance].mesh];
            if mesh.target_names.len() <= at.target {
                mesh.target_names.resize(at.target + 1, String::new());
            }
            mesh.target_names[at.target].clone_from(new);
            targets.insert(new);
        }
    }
    let what = match renaming {
        Renaming::Scheme(_) => "joint",
        _ => "name",
    };
    let mut note = format!("renamed {}", counted(count, "node", "nodes"));
    if !targets.is_empty() {
        note += &format!(" and {}", counted(targets.len(), "morph target", "morph targets"));
    }
    if !unmatched.is_empty() {
        let number = counted(unmatched.len(), &format!("{what} has"), &format!("{what}s have"));
        note += &format!("; {number} no counterpart: {}", listed(&unmatched, NAMED));
    }
    Ok(Refitted::same_nodes(data, rig, NAME, note))
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
