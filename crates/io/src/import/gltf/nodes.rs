use glam::{Affine3, Mat4, Quat, Vec3};
use gltf::json::scene::UnitQuaternion;
use gltf::json::{Index, Node};

use super::loader::GltfLoader;
use super::schema::GltfScene;
use crate::import::{ImportError, ImportWarning, SceneChoice};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Hierarchy, NodeDescription, NodeIndex, Trs, unit_rotation};
use rigscope_core::text::counted;

impl GltfLoader<'_> {
    /// Returns all nodes of the file, including those outside the scene, which may be joints.
    pub(super) fn hierarchy(&self) -> Result<Hierarchy, ImportError> {
        let nodes: Vec<NodeDescription> =
            self.source.document.nodes.iter().enumerate().map(|(index, node)| self.node(index, node)).collect();
        self.warn_of_rotations();
        Ok(Hierarchy::new(&nodes)?)
    }

    fn warn_of_rotations(&self) {
        let all = self.source.document.nodes.iter().enumerate();
        let nodes: Vec<usize> = all.filter(|(_, n)| n.matrix.is_none() && is_off_unit(n)).map(|(i, _)| i).collect();
        let what = match nodes.as_slice() {
            [] => return,
            [node] => format!("The rotation of node {node} is not of unit length"),
            [first, ..] => {
                format!("The rotations of {} nodes, node {first} the first, are not of unit length", nodes.len())
            }
        };
        let message = format!("{what}; they were normalised.");
        self.report.warn(ImportWarning::new(Code::RotationNotUnit, Target::for_nodes(nodes), message));
    }

    fn node(&self, index: usize, node: &Node) -> NodeDescription {
        let name = node.name.as_deref().filter(|n| !n.is_empty());
        let mut description = NodeDescription {
            name: name.map_or_else(|| format!("node {index}"), str::to_owned),
            children: node.children.iter().flatten().map(Index::value).collect(),
            ..NodeDescription::default()
        };
        let warn = |property| self.report.warn(ImportWarning::unusable_transform(index, property));
        match node.matrix.map(|m| Affine3::from_mat4(Mat4::from_cols_array(&m))) {
            Some(matrix) if matrix.is_finite() => {
                description.rest = Trs::from_affine(&matrix);
                description.matrix = Some(matrix);
            }
            Some(_) => warn("matrix"),
            None => description.rest = rest(node, warn),
        }
        description
    }

    pub(super) fn scene_names(&self) -> Vec<String> {
        let name = |(index, scene): (usize, &GltfScene)| {
            scene.name.as_str().filter(|n| !n.is_empty()).map_or_else(|| format!("Scene {index}"), str::to_owned)
        };
        self.source.document.scenes.iter().enumerate().map(name).collect()
    }

    pub(super) fn scene(&self) -> Result<Option<usize>, ImportError> {
        let scenes = &self.source.document.scenes;
        let declared = self.source.document.scene.unwrap_or(0);
        if self.source.document.scene.is_some() && declared >= scenes.len() && !scenes.is_empty() {
            self.report.warn(ImportWarning::malformed("Scene", declared));
        }
        let by_number = |number: i64| usize::try_from(number).ok().filter(|&n| n < scenes.len());
        let by_name = |name: &str| scenes.iter().position(|s| s.name.as_str() == Some(name));
        let Some(choice) = self.source.job.scene() else { return Ok(self.default_scene()) };
        let found = match choice {
            SceneChoice::LastSeen(number) => {
                Some(*number).filter(|&n| n < scenes.len()).or_else(|| self.default_scene())
            }
            SceneChoice::Number(number) => by_number(*number),
            SceneChoice::Named(text) => by_name(text).or_else(|| by_number(text.parse().ok()?)),
        };
        if found.is_none() {
            choice.check_fallback(self.scene_names())?;
        }
        Ok(found)
    }

    fn default_scene(&self) -> Option<usize> {
        let count = self.source.document.scenes.len();
        [self.source.document.scene.unwrap_or(0), 0].into_iter().find(|&i| i < count)
    }

    /// Returns whether each node is shown. All nodes are shown if there are no scenes, or if the default scene has no
    /// mesh but other nodes have one.
    pub(super) fn shown(&self, hierarchy: &Hierarchy, scene: Option<usize>) -> Vec<bool> {
        let all = vec![true; hierarchy.len()];
        let Some(shown) = scene.and_then(|s| self.reached(hierarchy, s)) else { return all };
        let meshes = |shown: &[bool]| {
            let nodes = hierarchy.nodes().zip(shown).filter(|(_, is_shown)| **is_shown);
            nodes.filter(|(node, _)| self.source_node(hierarchy, *node).mesh.is_some()).count()
        };
        let warn = |code, message: String| self.report.warn(ImportWarning::new(code, Target::File, message));
        let further_scenes = self.source.document.scenes.len().saturating_sub(1);
        match (meshes(&shown), meshes(&all)) {
            // This also applies if the default scene was requested, since a reload requests it by index.
            (0, 1..) if scene == self.default_scene() => {
                let message = "The default scene has no mesh; all nodes are shown instead.";
                warn(Code::OutsideScene, message.to_owned());
                return all;
            }
            _ if further_scenes > 0 => {
                let choose = "choose one in the View menu or with --scene";
                let scenes = counted(further_scenes, "further scene is", "further scenes are");
                warn(Code::NotShown, format!("{scenes} not shown; {choose}."));
            }
            (inside, whole) if inside < whole => {
                let count = whole.saturating_sub(inside);
                let message = format!(
                    "{} in no scene and not shown.",
                    counted(count, "node with a mesh is", "nodes with a mesh are")
                );
                warn(Code::OutsideScene, message);
            }
            _ => {}
        }
        shown
    }

    fn reached(&self, hierarchy: &Hierarchy, scene: usize) -> Option<Vec<bool>> {
        let mut shown = vec![false; hierarchy.len()];
        for &root in &self.source.document.scenes.get(scene)?.nodes {
            match hierarchy.by_source(root).and_then(|node| shown.get_mut(node.index())) {
                Some(is_shown) => *is_shown = true,
                None => self.report.warn(ImportWarning::malformed("Node", root)),
            }
        }
        // Parents precede their children, so one pass reaches all descendants.
        for node in hierarchy.nodes() {
            let is_parent_shown = hierarchy.parent(node).and_then(|p| shown.get(p.index())).copied().unwrap_or(false);
            if let Some(is_shown) = shown.get_mut(node.index()) {
                *is_shown |= is_parent_shown;
            }
        }
        Some(shown)
    }

    pub(super) fn source_node(&self, hierarchy: &Hierarchy, node: NodeIndex) -> &Node {
        static NONE: std::sync::LazyLock<Node> = std::sync::LazyLock::new(Node::default);
        self.source.document.nodes.get(hierarchy.source(node)).unwrap_or(&NONE)
    }

    pub(super) fn warn_of_lights(&self) {
        let has_light = |n: &&Node| n.extensions.as_ref().is_some_and(|e| e.others.contains_key("KHR_lights_punctual"));
        let count = self.source.document.nodes.iter().filter(has_light).count();
        if count > 0 {
            self.report.warn(ImportWarning::lights_ignored(count));
        }
    }
}

fn rest(node: &Node, warn: impl Fn(&'static str)) -> Trs {
    let mut rest = Trs::IDENTITY;
    match node.translation.map(Vec3::from_array) {
        Some(translation) if !translation.is_finite() => warn("translation"),
        translation => rest.translation = translation.unwrap_or(Vec3::ZERO),
    }
    match node.scale.map(Vec3::from_array) {
        Some(scale) if !scale.is_finite() => warn("scale"),
        scale => rest.scale = scale.unwrap_or(Vec3::ONE),
    }
    if let Some(UnitQuaternion(rotation)) = node.rotation {
        match unit_rotation(Quat::from_array(rotation)) {
            Some(rotation) => rest.rotation = rotation,
            None => warn("rotation"),
        }
    }
    rest
}

/// Returns whether a rotation has a nonzero length that differs from 1 by more than rounding to 8 bits explains.
fn is_off_unit(node: &Node) -> bool {
    const ROUNDING: f64 = 0.00769;
    let length = node.rotation.map_or(1.0, |UnitQuaternion(q)| Quat::from_array(q).as_dquat().length());
    length.is_finite() && length > 1e-12 && (length - 1.0).abs() > ROUNDING
}
