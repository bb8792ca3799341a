//! A finding and its place. All numbers in it are the file's own.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::{Code, Severity};
use crate::rig::{Hierarchy, Mesh, NodeIndex, Primitive, Skin, VertexList};
use crate::text::{counted, shortened};

/// Something odd in a rig.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Kind of the finding, which says why it matters and what to do.
    pub code: Code,
    /// Severity: that of the code, a milder one where its cause matters less, or what a [`super::Policy`] says.
    pub severity: Severity,
    /// Sentence that says what was found, with its place and numbers.
    pub message: String,
    /// Part of the rig that the finding is about.
    pub target: Target,
    /// The profile's rule that is not met, where the code alone does not tell.
    pub rule: Option<Arc<BrokenRule>>,
    /// Name of the finding's place in baselines, where the message would be that name and has parts that change by themselves.
    pub spot: Option<String>,
}

/// A rule of a profile that a rig does not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenRule {
    /// Profile and rule by name: `vrchat-mobile/triangles`.
    pub id: String,
    /// Who demands this, and what it is about.
    pub why: String,
    /// Advice on how to meet the rule.
    pub advice: String,
}

impl Finding {
    /// A finding with the severity of its code.
    pub fn new(code: Code, message: String, target: Target) -> Self {
        Self { code, severity: code.severity(), message, target, rule: None, spot: None }
    }

    /// Name of the kind of finding: the code, such as `RIG012`, or the rule, such as `vrchat-mobile/triangles`.
    pub fn id(&self) -> String {
        self.rule.as_ref().map_or_else(|| self.code.id(), |rule| rule.id.clone())
    }

    /// Why the finding matters.
    pub fn why(&self) -> &str {
        self.rule.as_ref().map_or(self.code.why(), |rule| &rule.why)
    }

    /// What fixes the finding: the advice of its rule, else of its code.
    pub fn advice(&self) -> &str {
        self.rule.as_ref().map_or(self.code.advice(), |rule| &rule.advice)
    }

    /// True for another finding with the same code and rule.
    pub fn is_like(&self, other: &Self) -> bool {
        let id = |finding: &Self| finding.rule.as_ref().map(|rule| rule.id.clone());
        self.code == other.code && id(self) == id(other)
    }
}

/// Part of a rig that a finding is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The file as a whole.
    File,
    /// Nodes, which may be joints.
    Nodes(NodeList),
    /// A skin.
    Skin(usize),
    /// A primitive and some of its vertices; all of them where the list is empty.
    Primitive {
        /// Index of the mesh in the file.
        mesh: usize,
        /// Index of the primitive in the mesh.
        primitive: usize,
        /// Numbers of the affected vertices.
        vertices: VertexList,
        /// Node of the joint that moves the vertices wrongly; `None` if no single joint does.
        joint: Option<usize>,
    },
    /// A clip, and nodes that it moves wrongly.
    Clip {
        /// Index of the clip in the file.
        clip: usize,
        /// Affected nodes; may be none.
        nodes: NodeList,
    },
    /// A material, by its index in the file.
    Material(usize),
}

impl Target {
    /// Nodes by the file's numbers.
    pub fn of_nodes(nodes: impl IntoIterator<Item = usize>) -> Self {
        Self::Nodes(nodes.into_iter().collect())
    }

    /// Name of the target's kind in JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Nodes(_) => "nodes",
            Self::Skin(_) => "skin",
            Self::Primitive { .. } => "primitive",
            Self::Clip { .. } => "clip",
            Self::Material(_) => "material",
        }
    }

    /// Nodes that the finding names, as many as are listed.
    pub fn nodes(&self) -> &[usize] {
        match self {
            Self::Nodes(nodes) | Self::Clip { nodes, .. } => &nodes.first,
            Self::Primitive { joint, .. } => joint.as_slice(),
            _ => &[],
        }
    }

    /// Number of nodes that the finding is about, listed or not.
    pub(super) fn node_count(&self) -> usize {
        match self {
            Self::Nodes(nodes) | Self::Clip { nodes, .. } => nodes.count,
            Self::Primitive { joint, .. } => joint.as_slice().len(),
            _ => 0,
        }
    }
}

/// Nodes with something in common: the first ones, and the number of all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeList {
    first: Vec<usize>,
    count: usize,
}

impl NodeList {
    /// Most nodes listed; the rest are only counted.
    pub const MOST: usize = 1024;

    /// Lists nodes of a rig by the file's numbers.
    pub fn new(hierarchy: &Hierarchy, nodes: impl IntoIterator<Item = NodeIndex>) -> Self {
        nodes.into_iter().map(|n| hierarchy.source(n)).collect()
    }

    /// The first [`Self::MOST`] nodes.
    pub fn first(&self) -> &[usize] {
        &self.first
    }

    /// Number of nodes, listed or not.
    pub fn count(&self) -> usize {
        self.count
    }
}

impl FromIterator<usize> for NodeList {
    fn from_iter<I: IntoIterator<Item = usize>>(nodes: I) -> Self {
        let mut list = Self::default();
        for node in nodes {
            if list.first.len() < Self::MOST {
                list.first.push(node);
            }
            list.count += 1;
        }
        list
    }
}

/// Findings of all rules; the list of each code is cut short, as a broken file may have millions.
#[derive(Debug, Default)]
pub(in crate::analysis) struct FindingList {
    list: Vec<Finding>,
    counts: BTreeMap<Code, usize>,
}

impl FindingList {
    const MAX_OF_A_CODE: usize = 200;

    pub(super) fn push(&mut self, code: Code, message: String, target: Target) {
        self.push_rule(Finding::new(code, message, target));
    }

    /// Adds a finding unchanged.
    pub(in crate::analysis) fn push_rule(&mut self, finding: Finding) {
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

    /// Adds a finding about vertices of a primitive, if there are any; `what` follows the place in the message.
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

    /// Adds a finding about vertices that a joint moves wrongly.
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

    /// Adds a finding about nodes, if there are any; their names follow `what` in the message.
    pub(super) fn nodes(&mut self, code: Code, hierarchy: &Hierarchy, nodes: &[NodeIndex], what: impl fmt::Display) {
        if !nodes.is_empty() {
            let message = format!("{what}: {}.", NameList(hierarchy, nodes));
            self.push(code, message, Target::Nodes(NodeList::new(hierarchy, nodes.iter().copied())));
        }
    }
}

/// A primitive with what rules need to know about it.
pub(super) struct LintedPrimitive<'a> {
    pub hierarchy: &'a Hierarchy,
    pub mesh: &'a Mesh,
    pub primitive: &'a Primitive,
    /// Skin of the first instance of the mesh that has one.
    pub skin: Option<&'a Skin>,
}

impl LintedPrimitive<'_> {
    /// Node of a joint, by its number in the skin.
    pub(super) fn joint(&self, joint: usize) -> Option<NodeIndex> {
        self.skin?.joints.get(joint).copied()
    }
}

/// Displays the place in the words of import warnings.
impl fmt::Display for LintedPrimitive<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mesh {}", self.mesh.source)?;
        if !self.mesh.name.is_empty() {
            write!(f, " \"{}\"", short(&self.mesh.name))?;
        }
        write!(f, ", primitive {}", self.primitive.source)
    }
}

/// A few names, then a count.
pub(super) struct NameList<'a>(pub &'a Hierarchy, pub &'a [NodeIndex]);

impl fmt::Display for NameList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 3;
        let Self(hierarchy, nodes) = self;
        for (i, &node) in nodes.iter().take(MOST).enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}\"{}\"", short(hierarchy.name(node)))?;
        }
        match nodes.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// A name from a file, shortened for a message.
pub(in crate::analysis) fn short(name: &str) -> String {
    shortened(name, 60)
}
