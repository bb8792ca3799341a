//! The hierarchy below FBX's root node, which represents the world.

use super::from_ufbx::trs;
use super::loader::{FbxLoader, number};
use crate::import::{ImportError, ImportWarning};
use rigscope_core::rig::{Hierarchy, NodeDescription, NodeIndex, Trs};

impl FbxLoader<'_> {
    pub(super) fn hierarchy(&self) -> Result<Hierarchy, ImportError> {
        let nodes: Vec<NodeDescription> = self.scene.nodes.iter().skip(1).map(|node| self.described(node)).collect();
        Ok(Hierarchy::new(&nodes)?)
    }

    fn described(&self, node: &ufbx::Node) -> NodeDescription {
        let source = source(node).unwrap_or(0);
        let rest = trs(&node.local_transform);
        let is_finite = rest.translation.is_finite() && rest.scale.is_finite();
        if !is_finite {
            self.report.warn(ImportWarning::unusable_transform(source, "transform"));
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

pub(super) fn index(hierarchy: &Hierarchy, node: &ufbx::Node) -> Option<NodeIndex> {
    source(node).and_then(|source| hierarchy.by_source(source))
}

fn source(node: &ufbx::Node) -> Option<usize> {
    number(&node.element).checked_sub(1)
}

/// Returns the name of a node. A scale helper is named after its parent.
fn name(node: &ufbx::Node) -> String {
    match &node.parent {
        Some(parent) if node.is_scale_helper => format!("{} (scale)", &*parent.element.name),
        _ if node.element.name.is_empty() => format!("node {}", source(node).unwrap_or(0)),
        _ => node.element.name.to_string(),
    }
}
