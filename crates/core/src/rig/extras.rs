use std::collections::BTreeMap;

/// `extras` of a glTF file: JSON texts that other programs store, such as the custom properties of Blender. They are
/// kept for export, as in the file and not validated. The keys are indices in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Text of the asset.
    pub asset: Option<String>,
    /// Text of the shown scene.
    pub scene: Option<String>,
    /// Texts of nodes, by [`Hierarchy::source`](super::Hierarchy::source).
    pub nodes: BTreeMap<usize, String>,
    /// Texts of meshes, by [`Mesh::source`](super::Mesh::source).
    pub meshes: BTreeMap<usize, String>,
    /// Texts of primitives, by [`Mesh::source`](super::Mesh::source) and
    /// [`Primitive::source`](super::Primitive::source).
    pub primitives: BTreeMap<(usize, usize), String>,
    /// Texts of skins, by [`Skin::source`](super::Skin::source).
    pub skins: BTreeMap<usize, String>,
    /// Texts of materials, by their index.
    pub materials: BTreeMap<usize, String>,
    /// Texts of clips, by their index.
    pub clips: BTreeMap<usize, String>,
    /// Texts of cameras, by [`FileCamera::source`](super::FileCamera::source).
    pub cameras: BTreeMap<usize, String>,
}

impl Extras {
    /// Renumbers the nodes. `new_source` has the new index of each node by its old one; `None` removes the text.
    pub fn renumber_nodes(&mut self, new_source: &[Option<usize>]) {
        let old = std::mem::take(&mut self.nodes).into_iter();
        self.nodes = old.filter_map(|(node, text)| Some(((*new_source.get(node)?)?, text))).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_follow_their_nodes() {
        let texts = |list: [(usize, &str); 2]| list.map(|(node, text)| (node, text.to_owned())).into();
        let mut extras = Extras { nodes: texts([(0, "1"), (2, "{}")]), ..Extras::default() };
        extras.renumber_nodes(&[Some(1), None, Some(0)]);
        assert_eq!(extras.nodes, texts([(0, "{}"), (1, "1")]));
        extras.renumber_nodes(&[None]);
        assert_eq!(extras, Extras::default());
    }
}
