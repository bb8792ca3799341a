//! A finding and its location.

use std::sync::Arc;

use super::{Code, Severity};
use crate::rig::{Hierarchy, NodeIndex, VertexList};

/// A problem or oddity in a rig.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Kind of finding, with an explanation and advice.
    pub code: Code,
    /// By default the severity of the code; lower for minor causes, or as set in the config.
    pub severity: Severity,
    /// Sentence that states the problem, its location and its numbers.
    pub message: String,
    /// Location of the problem.
    pub target: Target,
    /// Violated profile rule, if the code covers many rules.
    pub rule: Option<Arc<BrokenRule>>,
    /// Stable name of the location for baselines, set if the message may change between runs.
    pub spot: Option<String>,
}

/// Profile rule that a file violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenRule {
    /// Profile name and rule name, such as `vrchat-mobile/triangles`.
    pub id: String,
    /// Purpose and source of the rule.
    pub why: String,
    /// Advice on how to meet the rule.
    pub advice: String,
}

impl Finding {
    /// Creates a finding with the severity of its code.
    pub fn new(code: Code, message: String, target: Target) -> Self {
        Self { code, severity: code.severity(), message, target, rule: None, spot: None }
    }

    /// Returns the ID of the kind of finding: a code such as `RIG012`, or a rule such as `vrchat-mobile/triangles`.
    pub fn id(&self) -> String {
        self.rule.as_ref().map_or_else(|| self.code.id(), |rule| rule.id.clone())
    }

    /// Returns why the finding matters, as stated by its rule or, without a rule, by its code.
    pub fn why(&self) -> &str {
        self.rule.as_ref().map_or(self.code.why(), |rule| &rule.why)
    }

    /// Returns the advice of the rule or, without a rule, of the code.
    pub fn advice(&self) -> &str {
        self.rule.as_ref().map_or(self.code.advice(), |rule| &rule.advice)
    }

    /// Returns whether another finding has the same code and rule.
    pub fn is_like(&self, other: &Self) -> bool {
        let id = |finding: &Self| finding.rule.as_ref().map(|rule| rule.id.clone());
        self.code == other.code && id(self) == id(other)
    }
}

/// Location of a finding, by indices in the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The file as a whole.
    File,
    /// Nodes, which may be joints.
    Nodes(NodeList),
    /// A skin.
    Skin(usize),
    /// Vertices of a primitive; all vertices if the list is empty.
    Primitive {
        /// Index of the mesh in the file.
        mesh: usize,
        /// Index of the primitive in the mesh.
        primitive: usize,
        /// Affected vertices.
        vertices: VertexList,
        /// Node of the joint with wrong weights; `None` if no single joint is the cause.
        joint: Option<usize>,
    },
    /// A clip and its affected nodes.
    Clip {
        /// Index of the clip in the file.
        clip: usize,
        /// Affected nodes; may be empty.
        nodes: NodeList,
    },
    /// A material.
    Material(usize),
}

impl Target {
    /// Creates a target for a whole clip.
    pub fn clip(clip: usize) -> Self {
        Self::Clip { clip, nodes: NodeList::default() }
    }

    /// Creates a target from indices of nodes in the file.
    pub fn for_nodes(nodes: impl IntoIterator<Item = usize>) -> Self {
        Self::Nodes(nodes.into_iter().collect())
    }

    /// Returns the name of the target's kind in JSON.
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

    /// Returns the listed nodes, by index in the file; the list may be truncated.
    pub fn nodes(&self) -> &[usize] {
        match self {
            Self::Nodes(nodes) | Self::Clip { nodes, .. } => &nodes.first,
            Self::Primitive { joint, .. } => joint.as_slice(),
            _ => &[],
        }
    }

    /// Returns the number of nodes, including unlisted ones.
    pub fn node_count(&self) -> usize {
        match self {
            Self::Nodes(nodes) | Self::Clip { nodes, .. } => nodes.count,
            Self::Primitive { joint, .. } => joint.as_slice().len(),
            _ => 0,
        }
    }
}

/// List of nodes, truncated to [`Self::MAX_LISTED`], with the total count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeList {
    first: Vec<usize>,
    count: usize,
}

impl NodeList {
    /// Maximum number of listed nodes; the rest are only counted.
    pub const MAX_LISTED: usize = 1024;

    /// Creates a list from nodes of a rig.
    pub fn new(hierarchy: &Hierarchy, nodes: impl IntoIterator<Item = NodeIndex>) -> Self {
        nodes.into_iter().map(|n| hierarchy.source(n)).collect()
    }

    /// Returns the listed nodes, by index in the file.
    pub fn first(&self) -> &[usize] {
        &self.first
    }

    /// Returns the number of nodes, including unlisted ones.
    pub fn count(&self) -> usize {
        self.count
    }
}

impl FromIterator<usize> for NodeList {
    fn from_iter<I: IntoIterator<Item = usize>>(nodes: I) -> Self {
        let mut list = Self::default();
        for node in nodes {
            if list.first.len() < Self::MAX_LISTED {
                list.first.push(node);
            }
            list.count += 1;
        }
        list
    }
}
