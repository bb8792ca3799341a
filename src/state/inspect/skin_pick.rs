//! The skin under the pointer: which vertices, and the joint that moves it most.

use std::sync::Arc;

use crate::actor::{SkinPoint, point_in};
use crate::rig::{MeshInstance, NodeIndex, Primitive, Rig};
use crate::skinning::{Deformed, Normals, RigSkinning, SkinPose, Skinner, Skinning};
use crate::state::{Notice, OpenDocument};
use crate::view::{Hidden, Ray, Side};

/// The skin as last posed, so that a second click costs the search only.
#[derive(Default)]
pub(crate) struct SkinPicker {
    /// Version of the state, and the way of skinning.
    shown: Option<(u64, Skinning)>,
    /// Deformed primitives in the order of [`Rig::primitives`]; positions only.
    deformed: Vec<Deformed>,
}

/// The skin of a side as it is shown now.
#[derive(Clone, Copy)]
pub(crate) struct PosedSkin<'a> {
    pub pose: SkinPose<'a>,
    /// Skinning by which the skin follows the joints.
    pub skinning: RigSkinning<'a>,
    /// Meshes and materials that are not shown.
    pub hidden: &'a Hidden,
    /// Number that changes whenever the pose does.
    pub version: u64,
}

impl OpenDocument {
    /// Selects the joint that moves the skin of a side under a ray most, or adds it; tells why it cannot be selected.
    pub(in crate::state) fn pick_skin(&mut self, side: Side, ray: &Ray, adds: bool) -> Option<Notice> {
        let (pose, rig) = (self.actor(side).pose.clone(), Arc::clone(&self.actor(side).rig));
        let (skinning, centers, hidden) =
            (self.skinning_on(side).into_owned(), self.centers(side).cloned(), self.actor(side).hidden.clone());
        let skin = PosedSkin {
            pose: pose.skin_pose(),
            skinning: RigSkinning { skinning: &skinning, centers: centers.as_ref() },
            hidden: &hidden,
            version: self.version(),
        };
        let joint = self.skin[side].joint_under(&rig, skin, ray);
        match joint.and_then(|joint| self.actor(side).open_node(joint)) {
            Some(joint) if adds => self.toggle_selected(joint),
            Some(joint) => self.select(Some(joint)),
            None => return self.told_lone(side, joint?),
        }
        None
    }
}

impl SkinPicker {
    /// Point where a ray first meets the posed skin.
    pub(crate) fn point_under(&mut self, rig: &Arc<Rig>, skin: PosedSkin<'_>, ray: &Ray) -> Option<SkinPoint> {
        let deformed = self.posed(rig, skin)?;
        point_in(rig, deformed.iter().map(|deformed| deformed.positions.as_slice()), skin.hidden, ray)
    }

    /// The posed skin, positions only, in the order of [`Rig::primitives`]. `None` where the way of skinning does not serve the character.
    pub(crate) fn posed(&mut self, rig: &Arc<Rig>, skin: PosedSkin<'_>) -> Option<&[Deformed]> {
        let RigSkinning { skinning, centers } = skin.skinning;
        if self.shown.as_ref().is_none_or(|(of, way)| (*of, way) != (skin.version, skinning)) {
            // Normals are not asked for.
            let way = Skinning { normals: Normals::Transformed, ..skinning.clone() };
            let skinner = Skinner::with_centers(rig, &way, &centers.cloned().unwrap_or_default()).ok()?;
            self.deform(&skinner, skin.pose);
            self.shown = Some((skin.version, skinning.clone()));
        }
        Some(&self.deformed)
    }

    /// The joint with the greatest weight where a ray first meets the posed skin, or the node that carries a mesh without skin.
    pub(crate) fn joint_under(&mut self, rig: &Arc<Rig>, skin: PosedSkin<'_>, ray: &Ray) -> Option<NodeIndex> {
        let point = self.point_under(rig, skin, ray)?;
        let (instance, primitive) = rig.primitives().nth(point.part)?;
        Some(heaviest(rig, instance, primitive, point))
    }

    fn deform(&mut self, skinner: &Skinner, pose: SkinPose<'_>) {
        let rig = skinner.rig();
        self.deformed.resize_with(rig.parts().count(), Deformed::default);
        for (part, deformed) in rig.parts().zip(&mut self.deformed) {
            skinner.deform_positions_into(part, pose, deformed);
        }
    }
}

/// The joint with the largest weight at a point.
fn heaviest(rig: &Rig, instance: &MeshInstance, primitive: &Primitive, point: SkinPoint) -> NodeIndex {
    let skin = instance.skin.and_then(|s| rig.skins.get(s));
    let Some((influences, skin)) = primitive.influences.as_ref().zip(skin) else { return instance.node };
    let mut weights = vec![0.0; skin.joints.len()];
    for (vertex, share) in point.corners {
        for (joint, weight) in influences.of(vertex) {
            weights[joint] += weight * share;
        }
    }
    let heaviest = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]).then(b.cmp(&a)));
    heaviest.map_or(instance.node, |joint| skin.joints[joint])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::rig::{Pose, Trs, evaluate};
    use crate::skinning::{Method, palettes};
    use crate::stage::{BuiltIn, Document, Source};
    use glam::{Quat, Vec3};

    fn picked(turn: f32, method: Method, ray: &Ray) -> Option<String> {
        let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let rig = document.rig;
        let mut pose = Pose::rest(&rig.hierarchy);
        let middle = rig.hierarchy.nodes().find(|&n| rig.hierarchy.name(n) == "Middle").unwrap();
        pose.set_user_local(middle, Trs::from_rotation(Quat::from_rotation_y(turn)));
        let posed = evaluate(&rig, None, &pose);
        let (palettes, skinning) = (palettes(&rig, &posed), method.into());
        let skin = PosedSkin {
            pose: SkinPose { posed: &posed, palettes: &palettes },
            skinning: RigSkinning { skinning: &skinning, centers: None },
            hidden: &Hidden::default(),
            version: 1,
        };
        let joint = SkinPicker::default().joint_under(&rig, skin, ray);
        joint.map(|n| rig.hierarchy.name(n).to_owned())
    }

    #[test]
    fn the_skin_is_picked_where_the_pose_has_put_it() {
        let document = Document::open(&Source::BuiltIn(BuiltIn::Tube), &Job::default()).unwrap();
        let rest = evaluate(&document.rig, None, &Pose::rest(&document.rig.hierarchy));
        let at = |name: &str| {
            let hierarchy = &document.rig.hierarchy;
            let node = hierarchy.nodes().find(|&n| hierarchy.name(n) == name).unwrap();
            rest.world_from_node[node.index()].translation
        };
        let (middle, far) = (at("Middle"), at("Far"));
        let end = middle + (far - middle) * 1.5;
        let down_on = |p: Vec3| Ray { origin: p + Vec3::Y * 5.0, direction: Vec3::NEG_Y };
        for method in [Method::Lbs, Method::Dqs] {
            assert_eq!(picked(0.0, method, &down_on(end)).as_deref(), Some("Far"));
            // Turned aside by a quarter, the end is elsewhere and nothing is where it was.
            let turned = middle + Quat::from_rotation_y(1.57) * (end - middle);
            assert_eq!(picked(1.57, method, &down_on(turned)).as_deref(), Some("Far"));
            assert_eq!(picked(1.57, method, &down_on(end)), None);
        }
    }
}
