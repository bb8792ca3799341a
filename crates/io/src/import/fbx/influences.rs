use rayon::prelude::*;

use super::MIN_PARALLEL;
use super::loader::FbxLoader;
use super::skins::Binding;
use crate::import::ImportWarning;
use crate::import::influences::{CleanInfluences, InfluenceSet, clean, memory_size};
use crate::import::warning::{PRIMITIVE_TOO_LARGE, PrimitiveLocation, Reason};
use rigscope_core::findings::Code;
use rigscope_core::rig::{AuthoredMethod, Influences, StoredInfluences, VertexList};
use rigscope_core::text::counted;

impl FbxLoader<'_> {
    /// Returns the influences of a primitive's vertices, whose points in the mesh are `points`, and the original
    /// influences if they differ. Unweighted vertices follow the mesh's node.
    pub(super) fn influences(
        &self,
        location: &PrimitiveLocation,
        mesh: &ufbx::Mesh,
        binding: &Binding,
        points: &[u32],
    ) -> Result<(Influences, Option<StoredInfluences>), Reason> {
        let weights = binding.weights(mesh);
        let (is_small, count) = (points.len() < MIN_PARALLEL, |&point: &u32| weights.influences(point).count());
        let slots = if is_small { points.iter().map(count).max() } else { points.par_iter().map(count).max() };
        let slots = slots.unwrap_or(0);
        let sets = slots.div_ceil(4).max(1);
        // Each set has four joints and weights per vertex, stored twice: in sets and merged.
        let bytes = (sets as u64).saturating_mul(points.len() as u64).saturating_mul(48);
        if !self.budget.charge(bytes) {
            return Err(PRIMITIVE_TOO_LARGE.to_owned());
        }
        let set = |number: usize| {
            let of = |&point: &u32| {
                let rest = binding.rest.filter(|_| weights.is_loose(point)).map(|joint| (joint, 1.0));
                four(weights.influences(point).filter(|_| rest.is_none()).chain(rest).skip(number.saturating_mul(4)))
            };
            let (joints, weights) =
                if is_small { points.iter().map(of).unzip() } else { points.par_iter().map(of).unzip() };
            InfluenceSet { joints, weights }
        };
        let sets = (0..sets).map(set).collect();
        let is_loose = |&(_, point): &(usize, &u32)| binding.rest.is_some() && weights.is_loose(*point);
        let mut loose = VertexList::default();
        points.iter().enumerate().filter(is_loose).for_each(|(vertex, _)| loose.push_listed(vertex));
        if !loose.is_empty() {
            let follow = counted(
                loose.count(),
                "vertex has no weight; it follows the node of the mesh",
                "vertices have no weight; they follow the node of the mesh",
            );
            let message = format!("{location}: {follow}, as in the programs that write FBX.");
            self.report.warn(ImportWarning::new(Code::WeightZero, location.vertices(loose), message));
        }
        let joints = binding.joint_count();
        let CleanInfluences { influences, stored, faults } = clean(sets, points.len(), joints);
        faults.warn(self.report, location, joints);
        Ok((influences, stored.filter(|stored| self.budget.charge(memory_size(stored)))))
    }
}

fn four(of_vertex: impl Iterator<Item = (u16, f32)>) -> ([u16; 4], [f32; 4]) {
    let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
    for ((joint, weight), given) in joints.iter_mut().zip(&mut weights).zip(of_vertex) {
        (*joint, *weight) = given;
    }
    (joints, weights)
}

/// Returns the DQ blend weight of each vertex, 0 to 1; empty unless the file blends DQS with LBS.
pub(super) fn dq_weights(mesh: &ufbx::Mesh, binding: &Binding, points: &[u32]) -> Vec<f32> {
    let skin = mesh.skin_deformers.iter().next().filter(|_| binding.authored() == AuthoredMethod::Blended);
    let Some(skin) = skin else { return Vec::new() };
    let share = |&point: &u32| skin.vertices.get(point as usize).map_or(0.0, |v| v.dq_weight as f32);
    let valid = |share: f32| if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    points.iter().map(share).map(valid).collect()
}
