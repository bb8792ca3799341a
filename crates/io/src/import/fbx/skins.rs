//! Converts the clusters of a mesh to joints with inverse bind matrices.

use std::collections::BTreeMap;

use glam::Affine3;
use rayon::prelude::*;
use ufbx::{SkinVertex, SkinWeight, SkinningMethod};

use super::MIN_PARALLEL;
use super::from_ufbx::affine;
use super::loader::{FbxLoader, number};
use super::nodes::index;
use crate::import::ImportWarning;
use crate::import::warning::too_many_joints;
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{AuthoredMethod, Hierarchy, NodeIndex, Skin};

pub(super) struct Binding {
    /// The rig's skin, without the joint [`Self::rest`].
    skin: Skin,
    /// Joint index of each cluster, per skin deformer; `None` for an unusable cluster.
    joints: Vec<Vec<Option<u16>>>,
    /// Index of the last joint: the mesh's node, which moves unweighted points. `None` if all points are weighted.
    pub rest: Option<u16>,
}

/// ufbx's value in `vertex_first_index` for a point without corners.
const UNUSED: u32 = u32::MAX;

impl Binding {
    fn add_joints(&mut self, hierarchy: &Hierarchy, mesh: &ufbx::Mesh) -> usize {
        let mut broken = 0_usize;
        for skin in &mesh.skin_deformers {
            let joints = skin.clusters.iter().map(|cluster| {
                let joint = u16::try_from(self.skin.joints.len()).ok()?;
                let node = cluster.bone_node.as_ref().and_then(|node| index(hierarchy, node))?;
                let bind = affine(&cluster.geometry_to_bone);
                broken = broken.saturating_add(usize::from(!bind.is_finite()));
                self.skin.joints.push(node);
                self.skin.inverse_bind.push(if bind.is_finite() { bind } else { Affine3::IDENTITY });
                Some(joint)
            });
            let joints = joints.collect();
            self.joints.push(joints);
        }
        broken
    }

    pub(super) fn joint_count(&self) -> usize {
        self.skin.joints.len().saturating_add(usize::from(self.rest.is_some()))
    }

    pub(super) fn authored(&self) -> AuthoredMethod {
        self.skin.authored
    }

    pub(super) fn weights<'a>(&'a self, mesh: &'a ufbx::Mesh) -> PointWeights<'a> {
        let skins = mesh.skin_deformers.iter().zip(&self.joints);
        let of_skin = |(skin, joints): (&'a ufbx::Ref<ufbx::SkinDeformer>, &'a Vec<Option<u16>>)| SkinWeights {
            vertices: &skin.vertices,
            weights: &skin.weights,
            joints,
        };
        PointWeights(skins.map(of_skin).collect())
    }
}

struct SkinWeights<'a> {
    vertices: &'a [SkinVertex],
    weights: &'a [SkinWeight],
    joints: &'a [Option<u16>],
}

pub(super) struct PointWeights<'a>(Vec<SkinWeights<'a>>);

impl PointWeights<'_> {
    pub(super) fn influences(&self, point: u32) -> impl Iterator<Item = (u16, f32)> {
        self.0.iter().flat_map(move |SkinWeights { vertices, weights, joints }| {
            let of_point = vertices.get(point as usize).and_then(|vertex| {
                let begin = vertex.weight_begin as usize;
                weights.get(begin..begin.saturating_add(vertex.num_weights as usize))
            });
            of_point.unwrap_or_default().iter().filter_map(move |weight| {
                let joint = joints.get(weight.cluster_index as usize).copied().flatten()?;
                Some((joint, weight.weight as f32))
            })
        })
    }

    /// Returns whether all weights of a point are 0, in which case the point follows the mesh's node.
    pub(super) fn is_loose(&self, point: u32) -> bool {
        !self.influences(point).any(|(_, weight)| weight > 0.0)
    }
}

#[derive(Default)]
pub(super) struct FbxSkins {
    pub list: Vec<Skin>,
    /// Skin index by mesh and node. The node is `None` unless unweighted points follow it.
    by_use: BTreeMap<(usize, Option<NodeIndex>), usize>,
}

impl FbxSkins {
    pub(super) fn index(&mut self, mesh: usize, binding: &Binding, node: NodeIndex, carrier: &ufbx::Node) -> usize {
        let key = (mesh, binding.rest.map(|_| node));
        *self.by_use.entry(key).or_insert_with(|| {
            let mut skin = binding.skin.clone();
            if binding.rest.is_some() {
                skin.joints.push(node);
                skin.inverse_bind.push(affine(&carrier.geometry_to_node));
            }
            self.list.push(skin);
            self.list.len().saturating_sub(1)
        })
    }
}

impl FbxLoader<'_> {
    pub(super) fn binding(&self, hierarchy: &Hierarchy, mesh: &ufbx::Mesh) -> Option<Binding> {
        let first = mesh.skin_deformers.iter().next()?;
        let count = mesh.skin_deformers.count;
        if count > 1 {
            let mesh = number(&mesh.element);
            let skins = format!("Mesh {mesh} has {count} skins; their weights are added up");
            self.warn(Code::SeveralSkins, Target::File, format!("{skins}. Most engines take the first skin alone."));
        }
        let source = number(&first.element);
        let mut binding = Binding { skin: skin(source, first), joints: Vec::new(), rest: None };
        let broken = binding.add_joints(hierarchy, mesh);
        if broken > 0 {
            self.report.warn(ImportWarning::binds_not_finite(source, broken));
        }
        let clusters: usize = mesh.skin_deformers.iter().map(|s| s.clusters.count).fold(0, usize::saturating_add);
        let reason = match clusters {
            _ if binding.skin.joints.is_empty() => Some("it has no joints".to_owned()),
            _ if clusters >= usize::from(u16::MAX) => Some(too_many_joints(clusters)),
            _ => None,
        };
        if let Some(reason) = reason {
            self.report.warn(ImportWarning::skin_skipped(source, &reason));
            return None;
        }
        let weights = binding.weights(mesh);
        let is_loose = |(point, first): (usize, &u32)| *first != UNUSED && weights.is_loose(point as u32);
        let firsts: &[u32] = &mesh.vertex_first_index;
        let is_any_loose = if firsts.len() < MIN_PARALLEL {
            firsts.iter().enumerate().any(is_loose)
        } else {
            firsts.par_iter().enumerate().any(is_loose)
        };
        binding.rest = u16::try_from(binding.skin.joints.len()).ok().filter(|_| is_any_loose);
        Some(binding)
    }
}

fn skin(source: usize, skin: &ufbx::SkinDeformer) -> Skin {
    let authored = match skin.skinning_method {
        SkinningMethod::Linear => AuthoredMethod::Linear,
        SkinningMethod::Rigid => AuthoredMethod::Rigid,
        SkinningMethod::DualQuaternion => AuthoredMethod::DualQuaternion,
        SkinningMethod::BlendedDqLinear => AuthoredMethod::Blended,
    };
    Skin { source, name: skin.element.name.to_string(), authored, ..Skin::default() }
}
