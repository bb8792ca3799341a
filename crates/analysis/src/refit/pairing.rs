//! Which nodes, vertices and clips of two rigs belong together.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::refitted::Refitted;
use super::rig_map::RigMap;
use rigscope_core::jobs::Progress;
use rigscope_core::matching::{VertexMatchError, VertexPairs};
use rigscope_core::rig::{MorphIndex, NodeIndex, Pose, Rig};
use rigscope_core::text::{counted, listed};

const NAMED: usize = 4;

/// Nodes, vertices and clips of two rigs that belong together.
#[derive(Clone, Debug)]
pub struct Pairing {
    pub(super) map: RigMap,
    pub(super) vertices: VertexPairs,
    /// New clip of each old clip.
    pub(super) clips: Vec<Option<usize>>,
    /// New morph of each old morph; `None` if their order is the same.
    pub(super) morphs: Option<Vec<Option<MorphIndex>>>,
    /// Whether frames of joints were found by their binds, because rest poses differ.
    pub(super) by_binds: bool,
}

impl Pairing {
    /// Pairs a rig with its change: vertices and clips keep their order.
    pub fn with_refitted(old: &Rig, refitted: &Refitted) -> Self {
        let clips = (0..old.clips.len()).map(Some).collect();
        Self { map: refitted.map.clone(), vertices: VertexPairs::InOrder, clips, morphs: None, by_binds: false }
    }

    /// Pairs a rig with the same rig after a file was written and read: nodes keep their numbers. `None` if cancelled.
    ///
    /// *Errors*: the vertices don't match.
    pub fn with_written(
        rig: &Arc<Rig>,
        written: &Arc<Rig>,
        progress: &Progress,
    ) -> Option<Result<Self, VertexMatchError>> {
        let nodes = rig.hierarchy.nodes().map(|node| written.hierarchy.by_source(rig.hierarchy.source(node))).collect();
        let map = RigMap { nodes, ..RigMap::identity(rig) };
        let clips = (0..rig.clips.len()).map(|clip| (clip < written.clips.len()).then_some(clip)).collect();
        Some(VertexPairs::between(rig, written, progress)?.map(|vertices| Self {
            map,
            vertices,
            clips,
            morphs: None,
            by_binds: false,
        }))
    }

    /// Converts a pose of the old rig; see [`RigMap::pose`].
    pub(super) fn pose(&self, rigs: [&Rig; 2], pose: &Pose) -> Pose {
        let mut mapped = self.map.pose(rigs, pose);
        if let Some(morphs) = &self.morphs {
            mapped.clear_morph_weights();
            for (morph, weight) in pose.morph_weights() {
                if let Some(Some(counterpart)) = morphs.get(morph.index()) {
                    mapped.set_morph_weight(*counterpart, weight);
                }
            }
        }
        mapped
    }

    /// Returns why the two rigs can't be compared: a joint that moves skin has no counterpart.
    pub fn obstacle(&self, old: &Rig) -> Option<String> {
        let is_lost = |node: &NodeIndex| rig_moves(old, *node) && self.map.node(*node).is_none();
        let lost = old.hierarchy.nodes().find(is_lost)?;
        Some(format!("joint \"{}\" moves skin and has no counterpart", old.hierarchy.name(lost)))
    }

    /// Returns whether every joint, clip and vertex of the old rig has a counterpart.
    pub fn is_complete(&self, old: &Rig) -> bool {
        let is_lost = |node: NodeIndex| old.counts_as_joint(node) && self.map.node(node).is_none();
        !old.hierarchy.nodes().any(is_lost) && self.clips.iter().all(Option::is_some) && self.vertices.share() >= 1.0
    }

    /// Describes what a proof of two files leaves out, one sentence each, without full stops.
    pub fn notes(&self, [old, new]: [&Rig; 2]) -> Vec<String> {
        let mut notes = Vec::new();
        let mut add = |names: &[&str], what: [&str; 2], which: &str| {
            if !names.is_empty() {
                let count = counted(names.len(), what[0], what[1]);
                notes.push(format!("{count} only in the {which} file: {}", listed(names, NAMED)));
            }
        };
        let joints = |rig: &Rig| rig.hierarchy.nodes().filter(|node| rig.counts_as_joint(*node)).collect::<Vec<_>>();
        let paired: BTreeSet<NodeIndex> = self.map.nodes.iter().flatten().copied().collect();
        let lost: Vec<_> = joints(old).into_iter().filter(|node| self.map.node(*node).is_none()).collect();
        let added: Vec<_> = joints(new).into_iter().filter(|node| !paired.contains(node)).collect();
        let names = |rig: &'_ Rig, nodes: &[NodeIndex]| -> Vec<String> {
            nodes.iter().map(|node| rig.hierarchy.name(*node).to_owned()).collect()
        };
        for (rig, nodes, which) in [(old, lost, "first"), (new, added, "second")] {
            let names = names(rig, &nodes);
            add(&names.iter().map(String::as_str).collect::<Vec<_>>(), ["joint", "joints"], which);
        }
        let clips = [
            (old, (0..old.clips.len()).filter(|clip| self.clips[*clip].is_none()).collect::<Vec<_>>(), "first"),
            (new, (0..new.clips.len()).filter(|clip| !self.clips.contains(&Some(*clip))).collect(), "second"),
        ];
        for (rig, clips, which) in clips {
            let titles: Vec<&str> = clips.iter().map(|clip| rig.clips[*clip].title()).collect();
            add(&titles, ["clip", "clips"], which);
        }
        if old.vertex_count() != new.vertex_count() {
            notes.push(format!(
                "{} vertices in the first file and {} in the second",
                old.vertex_count(),
                new.vertex_count()
            ));
        }
        let share = self.vertices.share();
        if share < 1.0 {
            notes.push(format!("{:.1} % of the vertices of the first file have a counterpart", 100.0 * share));
        }
        if self.by_binds {
            notes.push("The rest poses differ; joints were paired by their binds".to_owned());
        }
        notes
    }
}

fn rig_moves(rig: &Rig, node: NodeIndex) -> bool {
    rig.is_joint(node) && rig.moved_vertices(node) > 0
}
