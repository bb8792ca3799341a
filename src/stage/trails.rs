//! Motion trails of selected joints and probed vertices over the clip's playback range.

use std::sync::Arc;

use super::{Playback, Stage};
use crate::analysis::trails::{TrailPlan, TrailedSkin};
use crate::view::{PerSide, ShownPose, Side, Trails, View};

/// Trails of both sides.
#[derive(Clone, Debug, Default)]
pub struct StageTrails {
    known: PerSide<Option<(TrailPlan, Arc<Trails>)>>,
    computed: u64,
}

impl StageTrails {
    /// Maximum number of selected joints that get a trail. More trails would cover each other.
    pub const MAX_JOINTS: usize = 32;

    /// Returns the trails of a side.
    pub fn get(&self, side: Side) -> Option<&Arc<Trails>> {
        self.known[side].as_ref().map(|(_, trails)| trails)
    }

    /// Returns the trails of all sides that have trails.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Trails>> {
        Side::ALL.into_iter().filter_map(|side| self.get(side))
    }

    /// Returns how many times trails were computed.
    pub fn computed(&self) -> u64 {
        self.computed
    }

    /// Returns a short note on why trails or the root's path are missing, if any are. `probed` is the number of probed
    /// vertices.
    pub fn note(&self, view: &View, playback: &Playback, probed: usize) -> Option<String> {
        let (display, selected, max_joints) = (view.display, view.selected.len(), Self::MAX_JOINTS);
        match playback.clip {
            _ if !display.trails && !display.root_path => None,
            None => Some("Trails: no clip is chosen".to_owned()),
            Some(_) if display.trails && selected > max_joints => {
                Some(format!("Trails of {max_joints} of {selected} selected joints"))
            }
            Some(_) if display.trails && selected == 0 && probed == 0 => {
                Some("Trails: no joint is selected".to_owned())
            }
            Some(_) if display.root_path && playback.holds_root => {
                Some("Root's path: the root is held in place".to_owned())
            }
            Some(_) => {
                let mut roots = self.iter().filter_map(|trails| trails.root.as_ref());
                roots.any(|root| root.is_in_place).then(|| "Root's path: the clip is in place".to_owned())
            }
        }
    }

    /// Computes the trails whose plan has changed. `are_open` is true if both sides show the open character.
    pub(super) fn update(&mut self, plans: PerSide<Option<TrailPlan>>, are_open: bool) {
        let PerSide { a, b } = plans;
        for (side, plan) in [(Side::A, a), (Side::B, b)] {
            let known = &self.known[side];
            if plan.as_ref() == known.as_ref().map(|(plan, _)| plan) {
                continue;
            }
            let other = self.known[side.other()].clone();
            self.known[side] = plan.map(|plan| {
                let alike = other.filter(|(of, _)| are_open && plan.moves_as(of));
                if let Some((_, other)) = alike.as_ref().filter(|_| plan.skin.is_none()) {
                    return (plan, Arc::clone(other));
                }
                self.computed += 1;
                let mut trails = plan.trails();
                if let Some((_, other)) = alike {
                    (trails.joints, trails.root) = (Arc::clone(&other.joints), other.root.clone());
                }
                (plan, Arc::new(trails))
            });
        }
    }
}

/// Plans the trails of a side; `None` if it shows none.
pub(super) fn trail_plan(stage: &Stage, side: Side) -> Option<TrailPlan> {
    let Stage { view, playback, .. } = stage;
    let display = view.display;
    let is_moving = view.compare.shows(side) && view.sides[side].options.pose == ShownPose::Current;
    if !is_moving || !(display.trails || display.root_path) {
        return None;
    }
    let other = stage.other_on(side);
    if other.is_some_and(|other| other.points.is_some()) {
        return None;
    }
    let actor = stage.actor(side);
    let newest = view.selected.iter().rev().take(StageTrails::MAX_JOINTS).filter(|_| display.trails);
    let joints = newest.filter_map(|&joint| Some((joint, actor.node(joint)?))).collect::<Vec<_>>();
    let vertices = Some(&stage.probes.places).filter(|places| display.trails && other.is_none() && !places.is_empty());
    if joints.is_empty() && vertices.is_none() && !display.root_path {
        return None;
    }
    Some(TrailPlan {
        rig: Arc::clone(&actor.rig),
        pose: other.map_or_else(|| stage.pose().over_time(), |other| other.pose(stage.pose(), true)),
        clip: other.map_or(playback.clip, |other| other.clip(playback.clip?))?,
        holds_root: playback.holds_root,
        played_secs: playback.played_secs(stage.rig()),
        rate: playback.frame_rate(stage.rig()),
        joints,
        skin: vertices
            .map(|vertices| TrailedSkin { vertices: vertices.clone(), skinned: stage.skinned(side).for_positions() }),
        has_root: display.root_path,
    })
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::analysis::measure::VertexLocation;

    use crate::rig::{ClipMoment, NodeIndex, Trs, evaluate};
    use crate::skinning::{Method, RigSkinning};
    use crate::stage::{BuiltIn, Document};
    use crate::view::{Layout, TrailMoment};

    fn waving() -> Stage {
        let document = Document::built_in(BuiltIn::Figure);
        let mut stage = Stage::new(document);
        stage.set_clip(Some(0));
        stage.view.select(Some(moving(&stage)), &stage.document.rig.hierarchy);
        stage.view.display.trails = true;
        stage.refresh();
        stage
    }

    fn moving(stage: &Stage) -> NodeIndex {
        *stage.rig().clip_tracks(0).unwrap().nodes().last().unwrap()
    }

    fn trails(stage: &Stage, side: Side) -> &Arc<Trails> {
        stage.trails.get(side).unwrap()
    }

    #[test]
    fn nothing_is_made_while_trails_are_off_or_while_nothing_of_them_changes() {
        let mut stage = waving();
        assert_eq!(stage.trails.computed(), 1);
        // Time, camera and method don't affect the paths of joints.
        stage.playback.pause_at(0.2, &stage.document.rig);
        stage.view.camera.yaw += 1.0;
        stage.view.sides.a.skinning.method = Method::Dqs;
        stage.refresh();
        assert_eq!(stage.trails.computed(), 1);
        stage.view.display.trails = false;
        let made = stage.trails.computed();
        for node in 0..5 {
            stage.view.select(Some(NodeIndex(node)), &stage.document.rig.hierarchy);
            stage.playback.pause_at(node as f32 * 0.1, &stage.document.rig);
            stage.set_layout(if node % 2 == 0 { Layout::Ghost } else { Layout::Single });
            stage.refresh();
        }
        assert!(stage.trails.computed() == made && stage.trails.get(Side::A).is_none());
    }

    #[test]
    fn trails_follow_pose_selection_and_played_part() {
        let mut stage = waving();
        let whole = Arc::clone(trails(&stage, Side::A));
        let last = whole.moments.last().unwrap().time_secs;
        assert_eq!(last, stage.playback.duration_secs(stage.rig()));
        stage.playback.set_range(Some([0.2 * last, 0.6 * last]), &stage.document.rig);
        stage.refresh();
        let part = Arc::clone(trails(&stage, Side::A));
        let ends = |moments: &[TrailMoment]| [moments[0].time_secs, moments.last().unwrap().time_secs];
        assert_eq!(Some(ends(&part.moments)), stage.playback.range());
        let joint = moving(&stage);
        let root = stage.rig().hierarchy.ancestors(joint).last().unwrap();
        let mut pose = stage.pose().clone();
        pose.set_user_local(root, Trs { rotation: Quat::from_rotation_y(1.0), ..Trs::IDENTITY });
        stage.edit_pose(|own| *own = pose);
        stage.refresh();
        let turned = &trails(&stage, Side::A).joints[0];
        assert_ne!(*turned, part.joints[0]);
        for (moment, point) in part.moments.iter().zip(&turned.points) {
            let moment = ClipMoment::new(0, moment.time_secs);
            let posed = evaluate(stage.rig(), Some(moment), stage.pose());
            assert_eq!(*point, posed.world_from_node[joint.index()].translation);
        }
        stage.view.select(None, &stage.document.rig.hierarchy);
        stage.refresh();
        assert!(stage.trails.get(Side::A).is_none());
        assert_eq!(
            stage.trails.note(&stage.view, &stage.playback, stage.probes.places.len()).as_deref(),
            Some("Trails: no joint is selected")
        );
    }

    #[test]
    fn sides_share_the_paths_of_joints_and_part_at_probes() {
        let mut stage = waving();
        stage.view.display.root_path = true;
        stage.set_layout(Layout::Wipe);
        let vertices = stage.rig().meshes[0].primitives[0].positions.len();
        stage.probes.places =
            (0..16).map(|i| VertexLocation { instance: 0, primitive: 0, vertex: i * vertices / 16 }).collect();
        stage.refresh();
        let [a, b] = Side::ALL.map(|side| trails(&stage, side));
        assert!(Arc::ptr_eq(&a.joints, &b.joints) && !Arc::ptr_eq(a, b));
        let root = |trails: &Trails| Arc::as_ptr(trails.root.as_ref().unwrap());
        assert_eq!(root(a), root(b));
        let apart = a.vertices.iter().zip(&b.vertices).flat_map(|(a, b)| a.points.iter().zip(&b.points));
        let apart = apart.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(apart > 1e-3, "LBS and DQS part by {apart} m");
        // Without probes, both sides share trails that are computed once.
        stage.probes.places.clear();
        let made = stage.trails.computed();
        stage.refresh();
        let [a, b] = Side::ALL.map(|side| trails(&stage, side));
        assert!(Arc::ptr_eq(a, b) && stage.trails.computed() == made + 1);
        // A side in the rest pose does not move.
        stage.view.sides.b.options.pose = ShownPose::Rest;
        stage.refresh();
        assert!(stage.trails.get(Side::A).is_some() && stage.trails.get(Side::B).is_none());
    }

    #[test]
    fn a_probe_is_where_its_side_skins_it() {
        let mut stage = waving();
        let place = VertexLocation { instance: 0, primitive: 0, vertex: 100 };
        stage.probes.places = vec![place];
        stage.refresh();
        let known = Arc::clone(trails(&stage, Side::A));
        for (moment, point) in known.moments.iter().zip(&known.vertices[0].points) {
            stage.playback.pause_at(moment.time_secs, &stage.document.rig);
            stage.refresh();
            let skinning = RigSkinning { skinning: &stage.view.sides.a.skinning, centers: None };
            let actor = stage.actor(Side::A);
            let now = known.vertices[0].vertex.positions(&actor.rig, actor.pose.skin_pose(), skinning)[0];
            assert!(now.distance(*point) < 1e-6, "{now} {point}");
        }
        assert_ne!(known.vertices[0].points[0], Vec3::ZERO);
    }

    #[test]
    fn only_the_last_joints_have_trails_and_the_rest_is_reported() {
        let mut stage = waving();
        let all: Vec<NodeIndex> = stage.rig().hierarchy.nodes().collect();
        let is_more = all.len() > StageTrails::MAX_JOINTS;
        stage.view.select(all.clone(), &stage.document.rig.hierarchy);
        stage.refresh();
        let shown = &trails(&stage, Side::A).joints;
        assert_eq!(shown.len(), all.len().min(StageTrails::MAX_JOINTS));
        assert_eq!(Some(&shown[0].joint), all.last());
        let note = stage.trails.note(&stage.view, &stage.playback, stage.probes.places.len());
        assert_eq!(note.is_some(), is_more, "{note:?}");
    }
}
