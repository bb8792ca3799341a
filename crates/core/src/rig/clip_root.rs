//! The root of a clip, and holding it in place.

use glam::{Affine3, DMat3, DVec3, Vec3};

use super::{Channel, Clip, ClipMoment, NodeIndex, Pose, Property, Rig, evaluate};

/// Maximum difference between keys without motion, metres.
const STILL: f32 = 1e-5;

impl Rig {
    /// Returns the topmost node that a clip translates, among nodes with at least half of the joints in their subtree.
    /// Falls back to the topmost of these nodes that the clip moves in any way, then to the first joint.
    pub fn clip_root(&self, clip: usize) -> Option<NodeIndex> {
        let (tracks, clip) = (self.clip_tracks(clip)?, self.clips.get(clip)?);
        Some(*tracks.root.get_or_init(|| self.find_root(clip)))
    }

    /// Returns how far holding the clip's root in place moves it at a moment, world space, metres; 0 if the clip doesn't
    /// carry the character.
    pub fn root_hold(&self, moment: ClipMoment, pose: &Pose) -> Vec3 {
        let Some(root) = self.clip_root(moment.clip) else { return Vec3::ZERO };
        let root_when = |holds_root| {
            let posed = evaluate(self, Some(ClipMoment { holds_root, ..moment }), pose);
            posed.world_from_node[root.index()].translation
        };
        root_when(true) - root_when(false)
    }

    fn find_root(&self, clip: &Clip) -> NodeIndex {
        let hierarchy = &self.hierarchy;
        let counts = |node: usize| self.counts_as_joint(NodeIndex(node as u32));
        let all = (0..hierarchy.len()).filter(|&node| counts(node)).count();
        let bears_most = |node: NodeIndex| 2 * hierarchy.subtree(node).filter(|&below| counts(below)).count() >= all;
        let uppermost = |is_meant: &dyn Fn(&Channel) -> bool| {
            let mut nodes: Vec<NodeIndex> =
                clip.channels.iter().filter(|channel| is_meant(channel)).map(|channel| channel.node).collect();
            nodes.sort_unstable();
            nodes.dedup();
            nodes.into_iter().find(|&node| bears_most(node))
        };
        uppermost(&carries)
            .or_else(|| uppermost(&|channel| channel.property != Property::MorphWeights))
            .or_else(|| hierarchy.nodes().find(|&node| self.is_joint(node)))
            .unwrap_or(NodeIndex(0))
    }
}

fn carries(channel: &Channel) -> bool {
    let first = channel.key_values().next();
    let differs = |key: &[f32]| first.is_some_and(|first| first.iter().zip(key).any(|(a, b)| (a - b).abs() > STILL));
    channel.property == Property::Translation && channel.key_values().any(differs)
}

/// Root that is held over the point of the ground where its clip starts.
pub(super) struct HeldRoot {
    pub node: NodeIndex,
    /// Translation of `A_j` at the clip's start.
    start: DVec3,
    /// Linear part of `W_p`.
    world_from_parent: DMat3,
}

impl HeldRoot {
    /// Returns the root to hold at a moment; `None` if the moment holds none, or the clip does not translate it.
    pub(super) fn new(rig: &Rig, moment: ClipMoment, pose: &Pose, clip_local: &[Affine3]) -> Option<Self> {
        if !moment.holds_root {
            return None;
        }
        let node = rig.clip_root(moment.clip)?;
        let start = rig.clip_tracks(moment.clip)?.start_translation(rig.clips.get(moment.clip)?, node)?;
        let linear = |node: NodeIndex| {
            let user = pose.user_matrix(node).map_or(DMat3::IDENTITY, |user| user.matrix3.as_dmat3());
            clip_local[node.index()].matrix3.as_dmat3() * user
        };
        let world_from_parent =
            rig.hierarchy.ancestors(node).fold(DMat3::IDENTITY, |below, above| linear(above) * below);
        Some(Self { node, start, world_from_parent })
    }

    /// Returns a translation of `A_j` without horizontal motion since the clip's start.
    pub(super) fn hold(&self, translation: DVec3) -> DVec3 {
        let moved = self.world_from_parent * (translation - self.start);
        let held = self.start + self.world_from_parent.inverse() * DVec3::new(0.0, moved.y, 0.0);
        if held.is_finite() { held } else { translation }
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::rig::testing::build_chain;
    use crate::rig::{Posed, RigData, Trs};

    /// Returns a chain whose second node carries the character forwards and up, below a node that is turned and scaled
    /// like those of Z-up files in centimetres.
    fn walking() -> Rig {
        let rotation = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        let above = Trs { rotation, scale: Vec3::splat(0.01), ..Trs::IDENTITY };
        let hierarchy = build_chain(&[above, Trs::IDENTITY, Trs::IDENTITY]);
        let values = vec![10.0, 0.0, 100.0, 10.0, -200.0, 150.0];
        let channel = Channel::linear(NodeIndex(1), Property::Translation, [0.5, 1.5], values);
        let clip = Clip { channels: vec![channel], duration_secs: 1.5, ..Clip::default() };
        Rig::new(RigData { hierarchy, clips: vec![clip], ..RigData::default() })
    }

    fn at(rig: &Rig, time_secs: f32, holds_root: bool, pose: &Pose) -> Posed {
        evaluate(rig, Some(ClipMoment { holds_root, ..ClipMoment::new(0, time_secs) }), pose)
    }

    fn root(posed: &Posed) -> Vec3 {
        posed.world_from_node[1].translation
    }

    #[test]
    fn a_held_root_moves_only_up_and_down() {
        let rig = walking();
        assert_eq!(rig.clip_root(0), Some(NodeIndex(1)));
        let rest = Pose::rest(&rig.hierarchy);
        let moments = [(0.0, false), (1.5, true), (1.5, false)];
        let [start, held, free] = moments.map(|(time, holds)| root(&at(&rig, time, holds, &rest)));
        assert!(free.distance(start + Vec3::new(0.0, 0.5, 2.0)) < 1e-5, "{free} from {start}");
        assert!(held.distance(start + Vec3::new(0.0, 0.5, 0.0)) < 1e-5, "{held} from {start}");
        assert_eq!(root(&at(&rig, 0.0, true, &rest)), start, "nothing jumps at the start");
        assert!(rig.root_hold(ClipMoment::new(0, 1.5), &rest).distance(held - free) < 1e-6);
    }

    #[test]
    fn a_held_root_stays_below_a_posed_parent() {
        let rig = walking();
        let mut pose = Pose::rest(&rig.hierarchy);
        pose.set_user_local(NodeIndex(0), Trs::from_rotation(Quat::from_euler(glam::EulerRot::XYZ, 0.4, 0.9, 0.3)));
        let [start, held] = [0.0, 1.5].map(|time| root(&at(&rig, time, true, &pose)));
        let over_ground = Vec3 { y: start.y, ..held };
        assert!(over_ground.distance(start) < 1e-5, "{held} from {start}");
    }

    #[test]
    fn far_from_the_origin_a_root_is_held_precisely() {
        let far = walking().anchored_at(DVec3::new(4096.0, 0.0, 0.0));
        let rest = Pose::rest(&far.hierarchy);
        let [start, held] = [0.0, 1.5].map(|time| root(&at(&far, time, true, &rest)));
        assert!(held.distance(start + Vec3::new(0.0, 0.5, 0.0)) < 1e-3, "{held} from {start}");
        assert!(root(&at(&far, 1.5, false, &rest)).distance(held) > 1.9);
    }
}
