//! Trails of what is selected and probed, over the shown part of the clip.

use std::sync::Arc;

use super::Stage;
use crate::actor::ShownTrails;
use crate::analysis::trails::{TrailPlan, TrailedSkin};
use crate::view::{PerSide, ShownPose, Side, Trails};

/// Trails of both sides, and the plans that they were made by.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownTrails {
    known: PerSide<Option<(TrailPlan, Arc<Trails>)>>,
    /// Number of times that trails were made.
    made: u64,
}

impl Stage {
    /// Most selected joints that have a trail: more would cover each other.
    pub const MOST_TRAILS: usize = 32;

    /// Trails of a side, at the present time.
    pub fn shown_trails(&self, side: Side) -> Option<ShownTrails<'_>> {
        let (_, trails) = self.trails.known[side].as_ref()?;
        Some(ShownTrails { trails, time_secs: self.playback.time_secs, side })
    }

    /// Number of times that trails were made so far: once whenever something that they show has changed.
    pub fn trails_made(&self) -> u64 {
        self.trails.made
    }

    /// What the user may miss of the trails or the root's path, in a few words.
    pub fn trail_note(&self) -> Option<String> {
        let (display, selected) = (self.view.display, self.view.selected.len());
        let has_root = |trails: &ShownTrails<'_>| trails.trails.root.as_ref().is_some_and(|root| root.is_in_place);
        match self.playback.clip {
            _ if !display.trails && !display.root_path => None,
            None => Some("Trails: no clip is chosen".to_owned()),
            Some(_) if display.trails && selected > Self::MOST_TRAILS => {
                Some(format!("Trails of {} of {selected} selected joints", Self::MOST_TRAILS))
            }
            Some(_) if display.trails && selected == 0 && self.probes.places.is_empty() => {
                Some("Trails: no joint is selected".to_owned())
            }
            Some(_) => {
                let mut shown = Side::ALL.into_iter().filter_map(|side| self.shown_trails(side));
                shown.any(|trails| has_root(&trails)).then(|| "Root's path: the clip is in place".to_owned())
            }
        }
    }

    /// Makes trails anew where something that they show has changed.
    pub(super) fn refresh_trails(&mut self) {
        for side in Side::ALL {
            let plan = self.trail_plan(side);
            let known = &self.trails.known[side];
            if plan.as_ref() == known.as_ref().map(|(plan, _)| plan) {
                continue;
            }
            let other = self.trails.known[side.other()].clone();
            self.trails.known[side] = plan.map(|plan| {
                self.trails.made += 1;
                let mut trails = plan.trails();
                if let Some((_, other)) = other.filter(|(of, _)| self.move_alike() && plan.moves_as(of)) {
                    (trails.joints, trails.root) = (Arc::clone(&other.joints), other.root.clone());
                }
                (plan, Arc::new(trails))
            });
        }
    }

    /// True where both sides show the open character, whose joints are where they are by any weights.
    fn move_alike(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.other_on(side).is_none())
    }

    /// What the trails of a side are made from; `None` where nothing of them is shown.
    fn trail_plan(&self, side: Side) -> Option<TrailPlan> {
        let (display, open) = (self.view.display, self.playback.clip);
        let is_moving = self.view.compare.shows(side) && self.view.sides[side].pose == ShownPose::Current;
        if !is_moving || !(display.trails || display.root_path) {
            return None;
        }
        let other = self.other_on(side);
        let actor = self.actor(side);
        let newest = self.view.selected.iter().rev().take(Self::MOST_TRAILS).filter(|_| display.trails);
        let joints = newest.filter_map(|&joint| Some((joint, actor.node(joint)?))).collect::<Vec<_>>();
        let vertices = Some(&self.probes.places).filter(|places| display.trails && other.is_none() && !places.is_empty());
        if joints.is_empty() && vertices.is_none() && !display.root_path {
            return None;
        }
        Some(TrailPlan {
            rig: Arc::clone(&actor.rig),
            pose: other.map_or_else(|| self.pose().clone(), |other| other.pose(self.pose())),
            clip: other.map_or(open, |other| other.clip(open?))?,
            played_secs: self.playback.played_secs(self.rig()),
            rate: self.playback.frame_rate(self.rig()),
            joints,
            skin: vertices.map(|vertices| TrailedSkin {
                vertices: vertices.clone(),
                skinning: self.skinning_on(side).into_owned(),
                centers: self.centers(side).filter(|_| self.skinning(side).method.needs_centers()).cloned(),
            }),
            has_root: display.root_path,
        })
    }
}
