//! Collects the findings of lint rules.

use std::collections::BTreeMap;
use std::fmt;

use super::{Code, Finding, NodeList, Target};
use rigscope_core::rig::{Hierarchy, Mesh, NodeIndex, Primitive, Skin, VertexList};
use rigscope_core::text::{counted, listed, shortened};

/// Findings of all rules. The number of findings per code is limited, because a broken file may have millions.
#[derive(Debug, Default)]
pub(in crate::analysis) struct FindingList {
    list: Vec<Finding>,
    counts: BTreeMap<Code, usize>,
}

impl FindingList {
    const MAX_OF_A_CODE: usize = 200;

    pub(super) fn push(&mut self, code: Code, message: String, target: Target) {
        self.push_finding(Finding::new(code, message, target));
    }

    pub(in crate::analysis) fn push_finding(&mut self, finding: Finding) {
        let count = self.counts.entry(finding.code).or_default();
        *count += 1;
        if *count <= Self::MAX_OF_A_CODE {
            self.list.push(finding);
        }
    }

    pub(in crate::analysis) fn into_list(mut self) -> Vec<Finding> {
        for (code, more) in self.counts.iter().map(|(code, n)| (code, n.saturating_sub(Self::MAX_OF_A_CODE))) {
            if more > 0 {
                let message = format!(
                    "{} not listed.",
                    counted(more, &format!("further {code} is"), &format!("further {code} are"))
                );
                self.list.push(Finding::new(Code::MoreFindings, message, Target::File));
            }
        }
        self.list
    }

    /// Adds a finding about vertices of a primitive, unless `vertices` is empty. The message gives the location,
    /// followed by `what`.
    pub(super) fn vertices(
        &mut self,
        code: Code,
        part: &LintedPrimitive<'_>,
        vertices: VertexList,
        what: impl fmt::Display,
    ) {
        if !vertices.is_empty() {
            self.influence(code, part, vertices, None, what);
        }
    }

    pub(super) fn influence(
        &mut self,
        code: Code,
        part: &LintedPrimitive<'_>,
        vertices: VertexList,
        joint: Option<NodeIndex>,
        what: impl fmt::Display,
    ) {
        let (mesh, primitive) = (part.mesh.source, part.primitive.source);
        let joint = joint.map(|j| part.hierarchy.source(j));
        self.push(code, format!("{part}: {what}."), Target::Primitive { mesh, primitive, vertices, joint });
    }

    /// Adds a finding about nodes, unless `nodes` is empty. The message gives `what`, followed by the node names.
    pub(super) fn nodes(&mut self, code: Code, hierarchy: &Hierarchy, nodes: &[NodeIndex], what: impl fmt::Display) {
        if !nodes.is_empty() {
            let message = format!("{what}: {}.", name_list(hierarchy, nodes));
            self.push(code, message, Target::Nodes(NodeList::new(hierarchy, nodes.iter().copied())));
        }
    }
}

pub(super) struct LintedPrimitive<'a> {
    pub hierarchy: &'a Hierarchy,
    pub mesh: &'a Mesh,
    pub primitive: &'a Primitive,
    /// Skin of the mesh's first skinned instance.
    pub skin: Option<&'a Skin>,
}

impl LintedPrimitive<'_> {
    pub(super) fn joint(&self, joint: usize) -> Option<NodeIndex> {
        self.skin?.joints.get(joint).copied()
    }
}

impl fmt::Display for LintedPrimitive<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mesh {}", self.mesh.source)?;
        if !self.mesh.name.is_empty() {
            write!(f, " \"{}\"", short(&self.mesh.name))?;
        }
        write!(f, ", primitive {}", self.primitive.source)
    }
}

/// Lists up to three names, followed by the number of further names.
pub(super) fn name_list(hierarchy: &Hierarchy, nodes: &[NodeIndex]) -> String {
    listed(nodes.iter().map(|node| format!("\"{}\"", short(hierarchy.name(*node)))), 3)
}

pub(in crate::analysis) fn short(name: &str) -> String {
    shortened(name, 60)
}
