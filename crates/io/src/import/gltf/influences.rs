use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use super::accessor::ExpectedLayout;
use super::loader::GltfLoader;
use super::mesh::PrimitiveSource;
use super::schema::Shape;
use crate::import::ImportWarning;
use crate::import::influences::{CleanInfluences, InfluenceSet, clean, memory_size};
use crate::import::warning::{PrimitiveLocation, Reason};
use rigscope_core::findings::Code;
use rigscope_core::rig::{Influences, StoredInfluences};

impl GltfLoader<'_> {
    /// Returns the influences of a primitive, and the original influences if they differ. Returns `None` and warns if
    /// the primitive cannot be skinned. `joint_count`: number of joints in the smallest skin that binds the mesh.
    pub(super) fn influences(
        &self,
        described: &PrimitiveSource<'_>,
        vertex_count: usize,
        joint_count: Option<usize>,
    ) -> Option<(Influences, Option<StoredInfluences>)> {
        let (location, has_joints) = (described.location, described.accessor(Semantic::Joints(0)).is_some());
        let Some(joint_count) = joint_count else {
            if has_joints {
                self.warn_without_skin(location);
            }
            return None;
        };
        match self.sets(described, vertex_count) {
            Ok(sets) => {
                let CleanInfluences { influences, stored, faults } = clean(sets, vertex_count, joint_count);
                faults.warn(self.report, location, joint_count);
                Some((influences, stored.filter(|stored| self.source.charge(memory_size(stored)))))
            }
            Err(reason) => {
                self.warn_unskinned(Code::DrawnUnskinned, location, &reason);
                None
            }
        }
    }

    pub(super) fn warn_without_skin(&self, location: &PrimitiveLocation) {
        self.warn_unskinned(Code::NoSkin, location, "it has joints, but its node has no skin");
    }

    fn warn_unskinned(&self, code: Code, location: &PrimitiveLocation, reason: &str) {
        let message = format!("{location} is drawn without skinning: {reason}.");
        self.report.warn(ImportWarning::new(code, location.target(), message));
    }

    /// Reads the DQ blend weight of each vertex, 0 to 1, which Rigscope exports as `_DQ_WEIGHT`; empty if absent.
    pub(super) fn dq_weights(&self, described: &PrimitiveSource<'_>, vertex_count: usize) -> Vec<f32> {
        let semantic = Semantic::Extras("DQ_WEIGHT".to_owned());
        let shares = self.attribute::<1>(described, &semantic, ExpectedLayout::fractions(Shape::Scalar, vertex_count));
        shares.into_iter().flatten().map(|[share]| share.clamp(0.0, 1.0)).collect()
    }

    fn sets(&self, described: &PrimitiveSource<'_>, vertex_count: usize) -> Result<Vec<InfluenceSet>, Reason> {
        let attributes = described.attributes;
        let ignored = |semantic: &Semantic| {
            let (location, attribute) = (described.location, semantic.to_string());
            let message = format!("{location}: {attribute} is ignored: joints and weights are used only together.");
            self.report.warn(ImportWarning::new(Code::InfluenceSetIgnored, location.target(), message));
        };
        for semantic in attributes.keys() {
            if let Checked::Valid(Semantic::Weights(n)) = semantic
                && described.accessor(Semantic::Joints(*n)).is_none()
            {
                ignored(&Semantic::Weights(*n));
            }
        }
        let mut sets = Vec::new();
        for (semantic, &joints) in attributes {
            let Checked::Valid(Semantic::Joints(n)) = semantic else { continue };
            let Some(weights) = described.accessor(Semantic::Weights(*n)) else {
                ignored(&Semantic::Joints(*n));
                continue;
            };
            sets.push(InfluenceSet {
                joints: self
                    .vertex_values::<4, u16>(described, joints, ExpectedLayout::exactly(Shape::Vec4, vertex_count))
                    .map_err(|reason| format!("JOINTS_{n} cannot be read: {reason}"))?,
                weights: self
                    .vertex_values::<4, f32>(described, weights, ExpectedLayout::fractions(Shape::Vec4, vertex_count))
                    .map_err(|reason| format!("WEIGHTS_{n} cannot be read: {reason}"))?,
            });
        }
        if sets.is_empty() {
            return Err("its node has a skin, but it has no joints and weights".to_owned());
        }
        Ok(sets)
    }
}
