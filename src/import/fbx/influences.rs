//! Joints and weights of the vertices of a primitive.

use super::loader::FbxLoader;
use super::skins::Binding;
use crate::import::influences::{Set, clean};
use crate::import::place::Place;
use crate::import::{FbxWarning, PrimitiveFault};
use crate::rig::{AuthoredMethod, Influences, VertexList};

impl FbxLoader<'_> {
    /// The influences of vertices that stand on points of a mesh. Those without weight follow the node of the mesh.
    pub fn influences(
        &self,
        place: &Place,
        mesh: &ufbx::Mesh,
        binding: &Binding,
        points: &[u32],
    ) -> Result<Influences, PrimitiveFault> {
        let slots = points.iter().map(|&point| binding.weights(mesh, point).count()).max().unwrap_or(0);
        let sets = slots.div_ceil(4).max(1);
        // Four joints and weights of a set, once in sets and once joined.
        let bytes = (sets as u64).saturating_mul(points.len() as u64).saturating_mul(48);
        if !self.budget.charge(bytes) {
            return Err(PrimitiveFault::TooLarge);
        }
        let empty = || Set { joints: vec![[0; 4]; points.len()], weights: vec![[0.0; 4]; points.len()] };
        let mut sets: Vec<Set> = (0..sets).map(|_| empty()).collect();
        let mut loose = VertexList::default();
        for (vertex, &point) in points.iter().enumerate() {
            let rest = binding.rest.filter(|_| binding.is_loose(mesh, point));
            if rest.is_some() {
                loose.push(vertex);
            }
            let weights = binding.weights(mesh, point).filter(|_| rest.is_none()).chain(rest.map(|joint| (joint, 1.0)));
            let slots = sets.iter_mut().flat_map(|set| {
                let joints = set.joints.get_mut(vertex).into_iter().flatten();
                joints.zip(set.weights.get_mut(vertex).into_iter().flatten())
            });
            for ((joint, weight), of_point) in slots.zip(weights) {
                (*joint, *weight) = of_point;
            }
        }
        if !loose.is_empty() {
            self.warn(FbxWarning::FollowMesh { place: place.clone(), vertices: loose });
        }
        let joints = binding.joint_count();
        let (influences, faults) = clean(sets, points.len(), joints);
        faults.tell(self.report, place, joints);
        Ok(influences)
    }
}

/// The share of dual quaternion skinning of each vertex, where the file mixes it with linear skinning.
pub(super) fn dq_weights(mesh: &ufbx::Mesh, binding: &Binding, points: &[u32]) -> Vec<f32> {
    let skin = mesh.skin_deformers.iter().next().filter(|_| binding.authored() == AuthoredMethod::Blended);
    let Some(skin) = skin else { return Vec::new() };
    let share = |&point: &u32| skin.vertices.get(point as usize).map_or(0.0, |v| v.dq_weight as f32);
    let valid = |share: f32| if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    points.iter().map(share).map(valid).collect()
}
