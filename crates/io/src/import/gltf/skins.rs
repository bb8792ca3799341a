use std::collections::BTreeSet;

use glam::{Affine3, Mat4};
use gltf::json;
use serde_json::Value;

use super::accessor::ExpectedLayout;
use super::loader::GltfLoader;
use super::schema::{Shape, number, valid};
use crate::import::warning::{MALFORMED, Reason, too_many_joints};
use crate::import::{ImportWarning, WarningScope};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{AuthoredMethod, Hierarchy, NodeIndex, Skin};
use rigscope_core::text::counted;

#[derive(Default)]
pub(super) struct GltfSkins {
    pub list: Vec<Skin>,
    by_source: Vec<Option<usize>>,
}

impl GltfSkins {
    pub(super) fn by_source(&self, source: usize) -> Option<usize> {
        self.by_source.get(source).copied().flatten()
    }

    pub(super) fn joint_count(&self, skin: usize) -> usize {
        self.list.get(skin).map_or(0, |s| s.joints.len())
    }
}

impl GltfLoader<'_> {
    pub(super) fn skins(&self, hierarchy: &Hierarchy) -> GltfSkins {
        let mut skins = GltfSkins::default();
        for index in 0..self.source.document.skins.len() {
            match self.skin(index, hierarchy) {
                Ok(skin) => {
                    skins.by_source.push(Some(skins.list.len()));
                    skins.list.push(skin);
                }
                Err(reason) => {
                    skins.by_source.push(None);
                    self.report.warn(ImportWarning::skin_skipped(index, &reason));
                }
            }
        }
        skins
    }

    pub(super) fn warn_of_joints_outside(&self, hierarchy: &Hierarchy, shown: &[bool], skins: &GltfSkins) {
        let is_shown = |node: NodeIndex| shown.get(node.index()).copied().unwrap_or(false);
        let nodes = hierarchy.nodes().filter(|n| is_shown(*n)).map(|n| self.source_node(hierarchy, n));
        let used: BTreeSet<usize> = nodes.filter(|n| n.mesh.is_some()).filter_map(|n| number(n.skin)).collect();
        for skin in used {
            let joints = skins.by_source(skin).and_then(|s| skins.list.get(s)).map(|s| s.joints.as_slice());
            let outside = joints.unwrap_or_default().iter().filter(|j| !is_shown(**j));
            let nodes: Vec<usize> = outside.map(|j| hierarchy.source(*j)).collect();
            if !nodes.is_empty() {
                let joints = counted(nodes.len(), "joint is", "joints are");
                let message = format!("Skin {skin}: {joints} not in the scene that shows its mesh.");
                self.report.warn(ImportWarning::new(Code::JointOutside, Target::for_nodes(nodes), message));
            }
        }
    }

    fn skin(&self, index: usize, hierarchy: &Hierarchy) -> Result<Skin, Reason> {
        let skin = valid(&self.source.document.skins, index).ok_or(MALFORMED)?;
        let count = skin.joints.len();
        if count == 0 {
            return Err("it has no joints".to_owned());
        }
        // Influences store joint indices in 16 bits.
        if count > usize::from(u16::MAX).saturating_add(1) {
            return Err(too_many_joints(count));
        }
        let joints: Result<Vec<NodeIndex>, Reason> = skin
            .joints
            .iter()
            .enumerate()
            .map(|(position, node)| {
                let node = node.value();
                let count = hierarchy.len();
                let reason = || format!("its joint {position} is node {node}, but there are {count} nodes");
                hierarchy.by_source(node).ok_or_else(reason)
            })
            .collect();
        let joints = joints?;
        self.warn_of_skeleton(index, skin, hierarchy, &joints);
        Ok(Skin {
            source: index,
            name: skin.name.clone().unwrap_or_default(),
            joints,
            inverse_bind: self.inverse_binds(index, skin),
            authored: authored(skin),
        })
    }

    /// Warns if `skeleton` is neither a common ancestor of the joints nor the topmost joint.
    fn warn_of_skeleton(&self, index: usize, skin: &json::Skin, hierarchy: &Hierarchy, joints: &[NodeIndex]) {
        let Some(node) = number(skin.skeleton) else { return };
        let is_above = |root: NodeIndex| {
            let below = hierarchy.subtree(root);
            joints.iter().all(|joint| below.contains(&joint.index()))
        };
        if !hierarchy.by_source(node).is_some_and(is_above) {
            let message = format!("The skeleton of skin {index} is node {node}, which is not above all of its joints.");
            let warning = ImportWarning::new(Code::SkeletonNotRoot, Target::Skin(index), message);
            self.report.warn(warning.with_scope(WarningScope::Conformance));
        }
    }

    /// Returns the inverse bind matrices, one per joint. A missing or unusable matrix becomes the identity.
    fn inverse_binds(&self, index: usize, skin: &json::Skin) -> Vec<Affine3> {
        let expected = skin.joints.len();
        let warn = |code, message| self.report.warn(ImportWarning::new(code, Target::Skin(index), message));
        let Some(accessor) = number(skin.inverse_bind_matrices) else {
            let message = format!("Skin {index} has no inverse bind matrices; they count as the identity.");
            warn(Code::BindsAbsent, message);
            return vec![Affine3::IDENTITY; expected];
        };
        let matrices =
            self.source.read::<16, f32>(accessor, ExpectedLayout::any(Shape::Mat4)).unwrap_or_else(|reason| {
                let what = format!("The inverse bind matrices of skin {index} cannot be read: {reason}");
                warn(Code::BindsUnreadable, format!("{what}. They count as the identity."));
                vec![Mat4::IDENTITY.to_cols_array(); expected]
            });
        let actual = matrices.len();
        if actual < expected {
            let joints = counted(expected, "joint", "joints");
            let matrices = counted(actual, "inverse bind matrix", "inverse bind matrices");
            let what = format!("Skin {index} has {matrices} for {joints}");
            warn(Code::BindsTooFew, format!("{what}; missing ones count as the identity."));
        }
        let count = matrices.iter().take(expected).filter(|m| !is_affine(m)).count();
        if count > 0 {
            let matrices = counted(count, "inverse bind matrix is", "inverse bind matrices are");
            warn(Code::BindNotAffine, format!("Skin {index}: {matrices} not affine; last rows are ignored."));
        }
        let mut binds: Vec<Affine3> =
            matrices.iter().take(expected).map(|m| Affine3::from_mat4(Mat4::from_cols_array(m))).collect();
        binds.resize(expected, Affine3::IDENTITY);
        let broken: Vec<&mut Affine3> = binds.iter_mut().filter(|m| !m.is_finite()).collect();
        if !broken.is_empty() {
            self.report.warn(ImportWarning::binds_not_finite(index, broken.len()));
        }
        for bind in broken {
            *bind = Affine3::IDENTITY;
        }
        binds
    }
}

/// Returns the skinning method from the skin's `extras`, which Rigscope exports. The default is linear skinning, as in
/// glTF.
fn authored(skin: &json::Skin) -> AuthoredMethod {
    let extras = skin.extras.as_ref().and_then(|e| serde_json::from_str::<Value>(e.get()).ok());
    let method = extras.as_ref().and_then(|e| e.get("rigscope")?.get("method")?.as_str());
    method.and_then(AuthoredMethod::named).unwrap_or_default()
}

/// Returns whether the last row is 0 0 0 1 up to rounding. Accepts non-finite matrices, which cause their own warning.
fn is_affine(matrix: &[f32; 16]) -> bool {
    const ROUNDING: f32 = 1e-4;
    let [_, _, _, x, _, _, _, y, _, _, _, z, _, _, _, w] = *matrix;
    !matrix.iter().all(|m| m.is_finite()) || [x, y, z, w - 1.0].into_iter().all(|off| off.abs() <= ROUNDING)
}
