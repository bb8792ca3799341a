//! Trails: the paths that points of a character take over a clip.

use std::sync::Arc;

use glam::Vec3;

use super::Mark;
use crate::rig::{Bounds, NodeIndex};

/// Paths of some points of a character over the shown part of a clip.
///
/// *Shapes*: each list of points has one per moment. *Spaces*: world, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Trails {
    /// Moments of the clip at which the points lie, by rising time.
    pub moments: Vec<TrailMoment>,
    /// Paths of joints; sides on which the joints move alike share them.
    pub joints: Arc<Vec<JointTrail>>,
    /// Paths of single vertices.
    pub vertices: Vec<VertexTrail>,
    /// Path of the root over the ground, where it is asked for.
    pub root: Option<Arc<RootPath>>,
}

/// A moment of a clip at which points of trails lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailMoment {
    /// Seconds from the clip's start.
    pub time_secs: f32,
    /// Number of the clip's frame at this time; `None` between two frames, where a played part may begin and end.
    pub frame: Option<u32>,
}

/// Path of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointTrail {
    /// The joint, as a node of the open character.
    pub joint: NodeIndex,
    /// Positions of the joint.
    pub points: Vec<Vec3>,
}

/// Path of a vertex as a side skins it.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexTrail {
    /// The vertex.
    pub vertex: Mark,
    /// Positions of the vertex.
    pub points: Vec<Vec3>,
}

/// Path of a character's root, projected to the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct RootPath {
    /// The root, as a node of the character's own rig.
    pub root: NodeIndex,
    /// Points on the ground below the root.
    pub points: Vec<Vec3>,
    /// Horizontal unit vectors in which the character faces.
    pub headings: Vec<Vec3>,
    /// True where the root neither goes anywhere nor turns from the first moment to the last.
    pub is_in_place: bool,
}

impl Trails {
    /// Place of a time among the moments: 1.5 is half-way from the second to the third.
    pub fn place_of(&self, time_secs: f32) -> f32 {
        let after = self.moments.partition_point(|moment| moment.time_secs <= time_secs);
        let (Some(before), Some(next)) = (after.checked_sub(1), self.moments.get(after)) else {
            return after.saturating_sub(1) as f32;
        };
        let from = self.moments[before].time_secs;
        before as f32 + (time_secs - from) / (next.time_secs - from)
    }

    /// All points that are finite.
    pub fn points(&self) -> impl Iterator<Item = Vec3> {
        let joints = self.joints.iter().map(|trail| &trail.points);
        let vertices = self.vertices.iter().map(|trail| &trail.points);
        let all = joints.chain(vertices).chain(self.root.iter().map(|root| &root.points));
        all.flatten().copied().filter(|point| point.is_finite())
    }

    /// Bounds of all points.
    pub fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::default();
        self.points().for_each(|point| bounds.add(point));
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_present_splits_the_moments_and_stays_within_them() {
        let moment = |time_secs| TrailMoment { time_secs, frame: None };
        let trails = |times: &[f32]| Trails {
            moments: times.iter().copied().map(moment).collect(),
            joints: Arc::default(),
            vertices: Vec::new(),
            root: None,
        };
        let three = trails(&[1.0, 2.0, 4.0]);
        let times = [0.0, 1.0, 1.25, 2.0, 3.0, 4.0, 9.0];
        assert_eq!(times.map(|time| three.place_of(time)), [0.0, 0.0, 0.25, 1.0, 1.5, 2.0, 2.0]);
        assert_eq!([trails(&[]), trails(&[1.0])].map(|few| few.place_of(2.0)), [0.0, 0.0]);
    }
}
