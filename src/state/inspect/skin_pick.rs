use crate::actor::{PosedSkin, SkinPoint};
use crate::jobs::Progress;
use crate::rig::NodeIndex;
use crate::skinning::Deformed;
use crate::stage::Stage;
use crate::state::compare::comparison_files::unmatched_joint_notice;
use crate::state::{MenuTarget, Notice};
use crate::view::{PerSide, Ray, Side};

/// The last picked skin with its deformed vertices, cached for further clicks.
#[derive(Default)]
pub(crate) struct SkinPicker(Option<(PosedSkin, Vec<Deformed>)>);

/// Selects the joint with the most influence where a ray hits a side's skin. Returns a notice if it can't be selected.
pub(in crate::state) fn pick_skin(
    picker: &mut SkinPicker,
    stage: &mut Stage,
    side: Side,
    ray: &Ray,
    adds: bool,
) -> Option<Notice> {
    let joint = picker.joint_under(PosedSkin::new(stage.skinned(side), stage.actor(side)), ray)?;
    let Some(open) = stage.actor(side).open_node(joint) else { return unmatched_joint_notice(stage, side, joint) };
    let nodes = if adds { stage.view.toggled(open) } else { vec![open] };
    stage.view.select(nodes, &stage.document.rig.hierarchy);
    None
}

/// Returns the joint that the viewport's context menu is about, and selects it. Over the skin, it is the joint with the
/// largest weight. Keeps a selection that contains the joint.
pub(in crate::state) fn menu_joint(
    pickers: &mut PerSide<SkinPicker>,
    stage: &mut Stage,
    target: MenuTarget,
) -> Option<NodeIndex> {
    let joint = match target {
        MenuTarget::Joint(node) => Some(node),
        MenuTarget::Skin(side, ray) => {
            let actor = stage.actor(side);
            let joint = pickers[side].joint_under(PosedSkin::new(stage.skinned(side), actor), &ray);
            joint.and_then(|joint| actor.open_node(joint))
        }
    };
    if let Some(joint) = joint.filter(|joint| !stage.view.selected.contains(joint)) {
        stage.view.select(Some(joint), &stage.document.rig.hierarchy);
    }
    joint
}

impl SkinPicker {
    pub(crate) fn point_under(&mut self, skin: PosedSkin, ray: &Ray) -> Option<SkinPoint> {
        let (skin, deformed) = self.deformed(skin);
        skin.point_under(deformed, ray)
    }

    /// Returns the joint with the largest weight where a ray first hits the skin. For a mesh without a skin, returns
    /// the mesh's node.
    pub(crate) fn joint_under(&mut self, skin: PosedSkin, ray: &Ray) -> Option<NodeIndex> {
        let (skin, deformed) = self.deformed(skin);
        skin.joint_at(skin.point_under(deformed, ray)?)
    }

    fn deformed(&mut self, skin: PosedSkin) -> &(PosedSkin, Vec<Deformed>) {
        let known = self.0.take().filter(|(known, _)| *known == skin);
        self.0.insert(known.unwrap_or_else(|| {
            let deformed = skin.deformed(&Progress::default()).unwrap_or_default();
            (skin, deformed)
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::Arc;

    use super::*;
    use crate::actor::SharedPose;

    use crate::rig::{Pose, Trs, evaluate};
    use crate::skinning::{Method, SkinnedRig};
    use crate::stage::{BuiltIn, Document};
    use glam::{Quat, Vec3};

    fn picked(turn: f32, method: Method, ray: &Ray) -> Option<String> {
        let document = Document::built_in(BuiltIn::Tube);
        let rig = document.rig;
        let mut pose = Pose::rest(&rig.hierarchy);
        let middle = rig.hierarchy.node_named("Middle").unwrap();
        pose.set_user_local(middle, Trs::from_rotation(Quat::from_rotation_y(turn)));
        let posed = evaluate(&rig, None, &pose);
        let skinned = SkinnedRig::new(&rig, Cow::Owned(method.into()), None);
        let skin = PosedSkin { skinned, pose: SharedPose::new(&rig, posed), hidden: Arc::default() };
        let joint = SkinPicker::default().joint_under(skin, ray);
        joint.map(|n| rig.hierarchy.name(n).to_owned())
    }

    #[test]
    fn the_skin_is_picked_where_the_pose_has_put_it() {
        let document = Document::built_in(BuiltIn::Tube);
        let rest = evaluate(&document.rig, None, &Pose::rest(&document.rig.hierarchy));
        let at = |name: &str| {
            let hierarchy = &document.rig.hierarchy;
            let node = hierarchy.node_named(name).unwrap();
            rest.world_from_node[node.index()].translation
        };
        let (middle, far) = (at("Middle"), at("Far"));
        let end = middle + (far - middle) * 1.5;
        let down_on = |p: Vec3| Ray { origin: p + Vec3::Y * 5.0, direction: Vec3::NEG_Y };
        for method in [Method::Lbs, Method::Dqs] {
            assert_eq!(picked(0.0, method, &down_on(end)).as_deref(), Some("Far"));
            // After a rotation by 90°, the end is no longer at its old position.
            let turned = middle + Quat::from_rotation_y(1.57) * (end - middle);
            assert_eq!(picked(1.57, method, &down_on(turned)).as_deref(), Some("Far"));
            assert_eq!(picked(1.57, method, &down_on(end)), None);
        }
    }
}
