//! Limits on the numbers that engines pay for.

use super::super::finding::{FindingList, LintedPrimitive, counted};
use super::super::joints::skin_name;
use super::super::{Code, Target, parts_by_mesh};
use crate::rig::{Rig, VertexList};

/// Largest numbers that a rig may have; `None` where anything goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Target of the limits, such as `mobile`; empty where they always hold.
    pub target: String,
    /// Most joints of a skin.
    pub joints: Option<usize>,
    /// Most joints that move one vertex.
    pub influences: Option<usize>,
    /// Vertices of all meshes together, each mesh once however often it is placed.
    pub vertices: Option<usize>,
    /// Most vertices that one morph target of a primitive moves.
    pub morph_vertices: Option<usize>,
}

impl Limits {
    pub(super) fn check(&self, rig: &Rig, findings: &mut FindingList) {
        self.check_skins(rig, findings);
        let mut vertices = 0;
        for part in parts_by_mesh(rig).flatten() {
            vertices += part.primitive.positions.len();
            self.check_influences(&part, findings);
            self.check_morphs(&part, findings);
        }
        if let Some(limit) = self.vertices.filter(|limit| vertices > *limit) {
            let message = format!("The file has {}.", self.beside(&counted(vertices, "vertex", "vertices"), limit));
            findings.push(Code::VerticesOverLimit, message, Target::File);
        }
    }

    fn check_skins(&self, rig: &Rig, findings: &mut FindingList) {
        for (skin, count) in rig.skins.iter().map(|skin| (skin, skin.joints.len())) {
            if let Some(limit) = self.joints.filter(|limit| count > *limit) {
                let joints = self.beside(&counted(count, "joint", "joints"), limit);
                let message = format!("S{} has {joints}.", skin_name(skin).trim_start_matches('s'));
                findings.push(Code::JointsOverLimit, message, Target::Skin(skin.source));
            }
        }
    }

    fn check_influences(&self, part: &LintedPrimitive<'_>, findings: &mut FindingList) {
        let (Some(limit), Some(influences)) = (self.influences, &part.primitive.influences) else { return };
        let (mut over, mut most) = (VertexList::default(), 0);
        for vertex in 0..influences.len() {
            let count = influences.of(vertex).filter(|(_, weight)| *weight > 0.0).count();
            if count > limit {
                over.push(vertex);
                most = most.max(count);
            }
        }
        let vertices = counted(over.count(), "vertex has", "vertices have");
        let text = format!("{vertices} {}", self.beside(&format!("up to {most} influences"), limit));
        findings.vertices(Code::InfluencesOverLimit, part, over, text);
    }

    fn check_morphs(&self, part: &LintedPrimitive<'_>, findings: &mut FindingList) {
        let Some(limit) = self.morph_vertices else { return };
        for (target, morph) in part.primitive.morph_targets.iter().enumerate() {
            let moves = morph.positions.iter().enumerate().filter(|(_, by)| by.length_squared() > 0.0);
            let moved: VertexList = moves.map(|(vertex, _)| vertex).collect();
            if moved.count() > limit {
                let vertices = self.beside(&counted(moved.count(), "vertex", "vertices"), limit);
                findings.vertices(Code::MorphOverLimit, part, moved, format!("morph target {target} moves {vertices}"));
            }
        }
    }

    /// Clause of a count (`what`) and its limit.
    fn beside(&self, what: &str, limit: usize) -> String {
        let target = if self.target.is_empty() { String::new() } else { format!(" of {}", self.target) };
        format!("{what}; the limit{target} is {limit}")
    }
}
