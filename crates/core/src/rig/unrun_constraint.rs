use super::{Hierarchy, NodeIndex};

/// A constraint that is not evaluated, because FBX exporters bake its effect into animation keys.
#[derive(Clone, Debug, PartialEq)]
pub struct UnsupportedConstraint {
    /// Constrained node.
    pub node: NodeIndex,
    /// Kind as named in the file, such as `Orient`.
    pub kind: String,
    /// Source nodes with weights, 0 to 1.
    pub sources: Vec<(NodeIndex, f64)>,
}

impl UnsupportedConstraint {
    const MAX_NAMED: usize = 3;

    /// Lists the sources, such as `LeftHand (0.5) and RightHand`; omits weights of 1.
    pub fn followed(&self, hierarchy: &Hierarchy) -> String {
        let named = |&(node, weight): &(NodeIndex, f64)| {
            let name = hierarchy.name(node);
            if weight == 1.0 { name.to_owned() } else { format!("{name} ({})", (weight * 1000.0).round() / 1000.0) }
        };
        let mut names: Vec<String> = self.sources.iter().take(Self::MAX_NAMED).map(named).collect();
        let more = self.sources.len() - names.len();
        names.extend((more > 0).then(|| format!("{more} more")));
        match names.split_last() {
            None => "nothing".to_owned(),
            Some((only, [])) => only.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::NodeDescription;

    #[test]
    fn constraint_sources_are_listed_with_their_weights() {
        let nodes: Vec<NodeDescription> = ["a", "b", "c", "d", "e"]
            .map(|name| NodeDescription { name: name.to_owned(), ..NodeDescription::default() })
            .into();
        let hierarchy = Hierarchy::new(&nodes).unwrap();
        let said = |sources: &[(usize, f64)]| {
            let sources = sources.iter().map(|&(node, weight)| (hierarchy.by_source(node).unwrap(), weight)).collect();
            UnsupportedConstraint { node: NodeIndex(0), kind: String::new(), sources }.followed(&hierarchy)
        };
        assert_eq!(said(&[]), "nothing");
        assert_eq!(said(&[(1, 1.0)]), "b");
        assert_eq!(said(&[(1, 0.5), (2, 1.0)]), "b (0.5) and c");
        assert_eq!(said(&[(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0)]), "b, c, d and 1 more");
    }
}
