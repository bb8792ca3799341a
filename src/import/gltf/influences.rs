//! Reads the joints and weights of a primitive.

use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use super::accessor::Expected;
use super::loader::GltfLoader;
use super::mesh::Described;
use super::schema::Shape;
use crate::import::influences::{CleanInfluences, Set, clean, stored_bytes};
use crate::import::{ImportWarning, UnskinnedReason};
use crate::rig::{Influences, StoredInfluences};

impl GltfLoader<'_> {
    /// Returns the influences of a primitive, and the file's original ones if they differ; `None` with a warning if
    /// it cannot be skinned. Joints must be below `joint_count`, the size of the smallest skin that binds the mesh.
    pub(super) fn influences(
        &self,
        described: &Described<'_>,
        vertex_count: usize,
        joint_count: Option<usize>,
    ) -> Option<(Influences, Option<StoredInfluences>)> {
        let (place, has_joints) = (described.place, described.accessor(Semantic::Joints(0)).is_some());
        let unskinned = |reason| {
            self.report.warn(ImportWarning::UnskinnedReason { place: place.clone(), reason });
            None
        };
        match (joint_count, has_joints) {
            (None, false) => None,
            (None, true) => unskinned(UnskinnedReason::NoSkin),
            (Some(joint_count), _) => match self.sets(described, vertex_count) {
                Ok(sets) if sets.is_empty() => unskinned(UnskinnedReason::NoInfluences),
                Ok(sets) => {
                    let CleanInfluences { influences, stored, faults } = clean(sets, vertex_count, joint_count);
                    faults.tell(self.report, place, joint_count);
                    Some((influences, stored.filter(|stored| self.source.charge(stored_bytes(stored)))))
                }
                Err(reason) => unskinned(reason),
            },
        }
    }

    /// Reads the DQ blend weight of each vertex, 0 to 1, which Rigscope exports as `_DQ_WEIGHT`; empty if absent.
    pub(super) fn dq_weights(&self, described: &Described<'_>, vertex_count: usize) -> Vec<f32> {
        let semantic = Semantic::Extras("DQ_WEIGHT".to_owned());
        let shares = self.attribute::<1>(described, semantic, Expected::fractions(Shape::Scalar, vertex_count));
        shares.into_iter().flatten().map(|[share]| share.clamp(0.0, 1.0)).collect()
    }

    fn sets(&self, described: &Described<'_>, vertex_count: usize) -> Result<Vec<Set>, UnskinnedReason> {
        let attributes = described.attributes;
        let ignored = |semantic: &Semantic| {
            let attribute = semantic.to_string();
            self.report.warn(ImportWarning::InfluenceSetIgnored { place: described.place.clone(), attribute });
        };
        for semantic in attributes.keys() {
            if let Checked::Valid(Semantic::Weights(n)) = semantic
                && described.accessor(Semantic::Joints(*n)).is_none()
            {
                ignored(&Semantic::Weights(*n));
            }
        }
        let mut sets = Vec::new();
        // The map is sorted by set number.
        for (semantic, &joints) in attributes {
            let Checked::Valid(Semantic::Joints(n)) = semantic else { continue };
            let Some(weights) = described.accessor(Semantic::Weights(*n)) else {
                ignored(&Semantic::Joints(*n));
                continue;
            };
            sets.push(Set {
                joints: self
                    .vertex_values::<4, u16>(described, joints, Expected::exactly(Shape::Vec4, vertex_count))
                    .map_err(|fault| UnskinnedReason::Unreadable { attribute: format!("JOINTS_{n}"), fault })?,
                weights: self
                    .vertex_values::<4, f32>(described, weights, Expected::fractions(Shape::Vec4, vertex_count))
                    .map_err(|fault| UnskinnedReason::Unreadable { attribute: format!("WEIGHTS_{n}"), fault })?,
            });
        }
        Ok(sets)
    }
}
