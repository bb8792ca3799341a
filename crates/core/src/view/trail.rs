use std::sync::Arc;

use glam::Vec3;

use crate::rig::{Bounds, NodeIndex, PrimitiveIndex, Rig};
use crate::skinning::{RigSkinning, SkinPose, deform_some};

/// Paths of points over a clip's playback range, with one point per sampled time. *Spaces*: world, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Trails {
    /// Sampled times, ascending.
    pub moments: Vec<TrailMoment>,
    /// Paths of joints, shared by sides with equal motion.
    pub joints: Arc<Vec<JointTrail>>,
    /// Paths of vertices.
    pub vertices: Vec<VertexTrail>,
    /// Path of the root on the ground, if requested.
    pub root: Option<Arc<RootPath>>,
}

/// A sampled time of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailMoment {
    /// Seconds from the clip's start.
    pub time_secs: f32,
    /// Frame number. `None` if the time is between frames, where a playback range may start or end.
    pub frame: Option<u32>,
}

/// Path of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointTrail {
    /// Joint, as a node of the open character.
    pub joint: NodeIndex,
    /// Positions, one per sampled time.
    pub points: Vec<Vec3>,
}

/// Path of a vertex as skinned on one side.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexTrail {
    /// Skinned vertex.
    pub vertex: VertexSet,
    /// Positions, one per sampled time.
    pub points: Vec<Vec3>,
}

/// Path of a character's root, projected to the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct RootPath {
    /// Root, as a node of the character's own rig.
    pub root: NodeIndex,
    /// Points on the ground below the root, one per sampled time.
    pub points: Vec<Vec3>,
    /// Horizontal unit vectors of the root's heading.
    pub headings: Vec<Vec3>,
    /// True if the root's position and heading at the end equal those at the start.
    pub is_in_place: bool,
}

impl Trails {
    /// Returns the fractional index of a time in [`Self::moments`]. 1.5 is midway between the second and third.
    pub fn index_at(&self, time_secs: f32) -> f32 {
        let after = self.moments.partition_point(|moment| moment.time_secs <= time_secs);
        let (Some(before), Some(next)) = (after.checked_sub(1), self.moments.get(after)) else {
            return after.saturating_sub(1) as f32;
        };
        let from = self.moments[before].time_secs;
        before as f32 + (time_secs - from) / (next.time_secs - from)
    }

    /// Iterates over all finite points.
    pub fn points(&self) -> impl Iterator<Item = Vec3> {
        let joints = self.joints.iter().map(|trail| &trail.points);
        let vertices = self.vertices.iter().map(|trail| &trail.points);
        let all = joints.chain(vertices).chain(self.root.iter().map(|root| &root.points));
        all.flatten().copied().filter(|point| point.is_finite())
    }

    /// Returns the bounds of all points.
    pub fn bounds(&self) -> Bounds {
        self.points().collect()
    }
}

/// Vertices of one primitive of a mesh instance.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexSet {
    /// Primitive and instance.
    pub part: PrimitiveIndex,
    /// Vertex indices within the primitive.
    pub vertices: Arc<[u32]>,
}

impl VertexSet {
    /// Returns the vertices' world positions in a pose; empty if the rig lacks the primitive.
    pub fn positions(&self, rig: &Rig, pose: SkinPose<'_>, skinning: RigSkinning<'_>) -> Vec<Vec3> {
        deform_some(rig, self.part, &self.vertices, pose, skinning)
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
        assert_eq!(times.map(|time| three.index_at(time)), [0.0, 0.0, 0.25, 1.0, 1.5, 2.0, 2.0]);
        assert_eq!([trails(&[]), trails(&[1.0])].map(|few| few.index_at(2.0)), [0.0, 0.0]);
    }
}
