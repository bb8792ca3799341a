use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Expression, ExpressionIndex, Mesh, Rig, RigData};

/// Index into [`Rig::morphs`]; differs from the target index in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MorphIndex(pub u32);

impl MorphIndex {
    /// Returns the index as `usize`.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All morph targets with the same name in drawn meshes. For example, `Blink` moves lids and lashes of separate meshes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Morph {
    /// Unique name: from the file, else `Target 3`, or `Head/Target 3` if several meshes have unnamed targets.
    pub name: String,
    /// Targets of the morph.
    pub targets: Vec<MorphTargetIndex>,
}

/// A morph target of a mesh instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MorphTargetIndex {
    /// Index into `Rig::instances`.
    pub instance: usize,
    /// Index into the instance's weights and its primitives' morph targets.
    pub target: usize,
}

impl MorphTargetIndex {
    /// Adds to the target's weight; `weights` has one list per mesh instance.
    pub fn add(self, weight: f32, weights: &mut [Vec<f32>]) {
        let weights = &mut weights[self.instance];
        if weights.len() <= self.target {
            weights.resize(self.target + 1, 0.0);
        }
        weights[self.target] += weight;
    }
}

impl Morph {
    /// Adds to the weight of each target; `weights` has one list per mesh instance.
    pub fn add(&self, weight: f32, weights: &mut [Vec<f32>]) {
        for place in &self.targets {
            place.add(weight, weights);
        }
    }

    /// Returns the weight of the morph: the target weight with the largest magnitude; 0 if there are no target weights.
    pub fn weight(&self, weights: &[Vec<f32>]) -> f32 {
        let of = |place: &MorphTargetIndex| weights.get(place.instance)?.get(place.target).copied();
        self.targets.iter().filter_map(of).max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0)
    }
}

impl Rig {
    /// Returns whether the rig has facial expressions or look-at.
    pub fn has_face(&self) -> bool {
        !self.parts.expressions.is_empty() || self.parts.look_at.is_some()
    }

    /// Finds an expression by name.
    pub fn expression_named(&self, name: &str) -> Option<ExpressionIndex> {
        self.expression_by_name.get(name).copied()
    }

    /// Iterates over all expressions with their indices.
    pub fn indexed_expressions(&self) -> impl Iterator<Item = (ExpressionIndex, &Expression)> {
        (0..).map(ExpressionIndex).zip(&self.parts.expressions)
    }

    /// Finds a morph by name.
    pub fn morph_named(&self, name: &str) -> Option<MorphIndex> {
        self.morph_by_name.get(name).copied()
    }

    /// Iterates over all morphs with their indices, in file order.
    pub fn indexed_morphs(&self) -> impl Iterator<Item = (MorphIndex, &Morph)> {
        (0..).map(MorphIndex).zip(&self.morphs)
    }
}

pub(super) fn morphs(parts: &RigData) -> Vec<Morph> {
    let prefixes = prefixes(parts);
    let mut morphs: Vec<Morph> = Vec::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for (instance, placed) in parts.instances.iter().enumerate() {
        let mesh = &parts.meshes[placed.mesh];
        for target in 0..target_count(mesh) {
            let given = given_name(mesh, target);
            let name = given.map_or_else(|| format!("{}Target {target}", prefixes[&mesh.source]), str::to_owned);
            let at = *by_name.entry(name).or_insert_with_key(|name| {
                morphs.push(Morph { name: name.clone(), targets: Vec::new() });
                morphs.len() - 1
            });
            morphs[at].targets.push(MorphTargetIndex { instance, target });
        }
    }
    morphs
}

/// Returns the prefix of each mesh with unnamed targets, keyed by the mesh's index in the file, for names like
/// `Head/Target 3`. The prefix is empty if there is only one such mesh.
fn prefixes(parts: &RigData) -> BTreeMap<usize, String> {
    let has_nameless = |mesh: &&Mesh| (0..target_count(mesh)).any(|target| given_name(mesh, target).is_none());
    let nameless: BTreeSet<(usize, &str)> =
        parts.meshes.iter().filter(has_nameless).map(|mesh| (mesh.source, mesh.name.as_str())).collect();
    let prefix = |&(source, name): &(usize, &str)| {
        let is_unique = !name.is_empty() && nameless.iter().filter(|(_, other)| *other == name).count() == 1;
        let prefix = match (nameless.len(), is_unique) {
            (1, _) => String::new(),
            (_, true) => format!("{name}/"),
            (_, false) => format!("#{source}/"),
        };
        (source, prefix)
    };
    nameless.iter().map(prefix).collect()
}

fn given_name(mesh: &Mesh, target: usize) -> Option<&str> {
    mesh.target_names.get(target).map(String::as_str).filter(|name| !name.is_empty())
}

fn target_count(mesh: &Mesh) -> usize {
    mesh.primitives.iter().map(|p| p.morph_targets.len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::faces;
    use crate::rig::{Channel, Clip, ClipMoment, NodeIndex, Pose, Property, evaluate};

    fn names(rig: &Rig) -> Vec<&str> {
        rig.morphs().iter().map(|morph| morph.name.as_str()).collect()
    }

    #[test]
    fn targets_of_one_name_are_one_morph_on_all_meshes() {
        let rig = faces(&[&["Blink", "Smile"], &["Blink"], &["Smile", "Smile"]]);
        assert_eq!(names(&rig), ["Blink", "Smile"]);
        let place = |instance, target| MorphTargetIndex { instance, target };
        assert_eq!(rig.morphs()[0].targets, [place(0, 0), place(1, 0)]);
        assert_eq!(rig.morphs()[1].targets, [place(0, 1), place(2, 0), place(2, 1)]);
    }

    #[test]
    fn targets_without_a_name_have_their_number_and_their_mesh_where_it_is_needed() {
        assert_eq!(names(&faces(&[&["Smile", ""], &["Smile"]])), ["Smile", "Target 1"]);
        let rig = faces(&[&[""], &["", "Smile"], &[""]]);
        let mut parts = RigData::clone(&rig);
        parts.meshes[1].name = "Lids".to_owned();
        parts.meshes[1].target_names = vec![];
        assert_eq!(names(&Rig::new(parts)), ["#0/Target 0", "Lids/Target 0", "Lids/Target 1", "#2/Target 0"]);
    }

    #[test]
    fn parts_of_one_mesh_of_the_file_share_what_moves_them() {
        let mut parts = RigData::clone(&faces(&[&[""], &["", ""]]));
        parts.meshes[1].source = 0;
        assert_eq!(names(&Rig::new(parts)), ["Target 0", "Target 1"]);
    }

    #[test]
    fn the_weight_of_the_user_is_added_to_that_of_the_file_or_the_clip_on_every_mesh() {
        let mut parts = RigData::clone(&faces(&[&["Smile", "Blink"], &["Blink"]]));
        parts.instances[0].morph_weights = vec![0.0, 0.25];
        parts.instances[1].morph_weights = vec![];
        let channel = Channel::linear(NodeIndex(0), Property::MorphWeights, [0.0, 1.0], vec![0.0, 0.0, 0.0, 1.0]);
        parts.clips = vec![Clip { channels: vec![channel], duration_secs: 1.0, ..Clip::default() }];
        let rig = Rig::new(parts);
        let blink = rig.morph_named("Blink").unwrap();
        let mut pose = Pose::rest(&rig.hierarchy);
        pose.set_morph_weight(blink, 0.5);
        assert_eq!(evaluate(&rig, None, &pose).morph_weights, [vec![0.0, 0.75], vec![0.5]]);
        let posed = evaluate(&rig, Some(ClipMoment::new(0, 0.5)), &pose);
        assert_eq!(posed.morph_weights, [vec![0.0, 1.0], vec![0.5]]);
        assert_eq!(rig.morphs()[blink.index()].weight(&posed.morph_weights), 1.0, "that farthest from 0");
        pose.set_morph_weight(blink, f32::NAN);
        assert_eq!(pose.morph_weight(blink), 0.5, "no number is ignored");
        pose.set_morph_weight(blink, 0.0);
        assert_eq!(pose, Pose::rest(&rig.hierarchy));
    }
}
