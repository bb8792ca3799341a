//! Nodes: the hierarchy below the root that every FBX file has and that stands for the world.

use super::from_ufbx::trs;
use super::loader::{FbxLoader, number};
use crate::import::{ImportError, ImportWarning};
use crate::rig::{Hierarchy, NodeDescription, NodeIndex, Trs};

impl FbxLoader<'_> {
    /// All nodes but the root, which stands for the world.
    pub(super) fn hierarchy(&self) -> Result<Hierarchy, ImportError> {
        let nodes: Vec<NodeDescription> = self.scene.nodes.iter().skip(1).map(|node| self.described(node)).collect();
        Ok(Hierarchy::new(&nodes)?)
    }

    fn described(&self, node: &ufbx::Node) -> NodeDescription {
        let source = source(node).unwrap_or(0);
        let rest = trs(&node.local_transform);
        let is_finite = rest.translation.is_finite() && rest.scale.is_finite();
        if !is_finite {
            self.report.warn(ImportWarning::Transform { node: source, property: "transform" });
        }
        NodeDescription {
            name: name(node),
            children: node.children.iter().filter_map(|child| self::source(child)).collect(),
            rest: if is_finite { rest } else { Trs::IDENTITY },
            matrix: None,
            is_helper: node.is_scale_helper,
        }
    }
}

/// The node of the hierarchy for a node of the file; `None` for the root.
pub(super) fn index(hierarchy: &Hierarchy, node: &ufbx::Node) -> Option<NodeIndex> {
    source(node).and_then(|source| hierarchy.by_source(source))
}

/// The number of a node in the hierarchy's list, which lacks the root.
fn source(node: &ufbx::Node) -> Option<usize> {
    number(&node.element).checked_sub(1)
}

/// Name of a node; one that only carries the scale of another is named after it.
fn name(node: &ufbx::Node) -> String {
    match &node.parent {
        Some(parent) if node.is_scale_helper => format!("{} (scale)", &*parent.element.name),
        _ if node.element.name.is_empty() => format!("node {}", source(node).unwrap_or(0)),
        _ => node.element.name.to_string(),
    }
}
