use std::sync::Arc;

use super::{Actor, SharedPose, SkinPoint, point_in};
use crate::jobs::Progress;
use crate::rig::{MeshInstance, NodeIndex, Primitive, Rig};
use crate::skinning::{Deformed, SkinnedRig};
use crate::view::{HiddenItems, Ray};

/// A skinned rig in a pose, for picking. Clones share data. Equality compares the rig, centres and pose by identity,
/// and everything else by value.
#[derive(Clone, Debug, PartialEq)]
pub struct PosedSkin {
    /// Rig with its skinning settings.
    pub skinned: SkinnedRig,
    /// World matrices and palettes.
    pub pose: SharedPose,
    /// Hidden meshes and materials.
    pub hidden: Arc<HiddenItems>,
}

impl PosedSkin {
    /// Creates the skin of an actor with its skinning.
    pub fn new(skinned: SkinnedRig, actor: &Actor) -> Self {
        let Actor { pose, hidden, .. } = actor;
        Self { skinned: skinned.for_positions(), pose: pose.clone(), hidden: Arc::clone(hidden) }
    }

    /// Returns the deformed positions in the order of [`Rig::primitives`], without normals; `None` if cancelled. Empty
    /// if the method cannot skin the rig.
    pub fn deformed(&self, progress: &Progress) -> Option<Vec<Deformed>> {
        let Ok(skinner) = self.skinned.skinner() else { return Some(Vec::new()) };
        let parts = self.skinned.rig.parts().map(|part| {
            progress.check_cancelled()?;
            let mut deformed = Deformed::default();
            skinner.deform_positions_into(part, self.pose.skin_pose(), &mut deformed);
            Some(deformed)
        });
        parts.collect()
    }

    /// Returns the first intersection of a ray with the visible skin. `deformed` comes from [`Self::deformed`].
    pub fn point_under(&self, deformed: &[Deformed], ray: &Ray) -> Option<SkinPoint> {
        point_in(&self.skinned.rig, deformed.iter().map(|part| part.positions.as_slice()), &self.hidden, ray)
    }

    /// Returns the joint with the largest weight at a point, or the mesh's node if the mesh has no skin.
    pub fn joint_at(&self, point: SkinPoint) -> Option<NodeIndex> {
        let (instance, primitive) = self.skinned.rig.primitives().nth(point.part)?;
        Some(heaviest_joint(&self.skinned.rig, instance, primitive, point))
    }
}

fn heaviest_joint(rig: &Rig, instance: &MeshInstance, primitive: &Primitive, point: SkinPoint) -> NodeIndex {
    let skin = instance.skin.and_then(|s| rig.skins.get(s));
    let Some((influences, skin)) = primitive.influences.as_ref().zip(skin) else { return instance.node };
    let mut weights = vec![0.0; skin.joints.len()];
    for (vertex, share) in point.corners {
        for (joint, weight) in influences.vertex(vertex) {
            weights[joint] += weight * share;
        }
    }
    let heaviest = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(b.cmp(&a)));
    heaviest.map_or(instance.node, |joint| skin.joints[joint])
}
