//! Reconnects chains in IK rigs where, for example, the foot is a child of the root instead of the lower leg.

use glam::Vec3;

use crate::jobs::Progress;
use crate::weights::body::{Body, map_indices};
use crate::weights::segment::Segment;
use crate::weights::voxel::Solid;

const PARTS: u8 = 16;

/// Maximum number of chain ends to try per joint, nearest first. The limit bounds the cost, because each end is
/// compared with all bones.
const MAX_TRIED: usize = 16;

/// Adds a bone from each chain end to the joint where the chain continues. That joint has no parent, or its parent
/// moves the whole character. The straight line from end to joint must stay inside and pass no other bone.
pub(super) fn rejoin_skeletons(body: &Body, solid: &Solid, is_mover: &[bool], progress: &Progress) -> Option<Body> {
    let ends: Vec<usize> = (0..body.bones.len()).filter(|&bone| body.bones[bone].is_end).collect();
    let skeleton = Skeleton { body, solid, is_mover };
    let found = map_indices(body.bones.len(), progress, |joint| {
        let ends = ends.iter().filter(|&&end| skeleton.hangs_elsewhere(joint) && !is_descendant_of(body, end, joint));
        let mut ends: Vec<(f32, usize)> = ends.map(|&end| (skeleton.way([end, joint]).length(), end)).collect();
        let nearer = |a: &(f32, usize), b: &(f32, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if ends.len() > MAX_TRIED {
            ends.select_nth_unstable_by(MAX_TRIED, nearer);
            ends.truncate(MAX_TRIED);
        }
        ends.sort_unstable_by(nearer);
        ends.into_iter().find(|&(_, end)| skeleton.leads(end, joint)).map(|(length, end)| (length, end, joint))
    })?;
    let mut found: Vec<(f32, usize, usize)> = found.into_iter().flatten().collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut rejoined = body.clone();
    for (_, end, joint) in found {
        if rejoined.bones[end].is_end && !is_descendant_of(&rejoined, end, joint) {
            join(&mut rejoined, end, joint);
        }
    }
    Some(rejoined)
}

struct Skeleton<'a> {
    body: &'a Body,
    solid: &'a Solid,
    is_mover: &'a [bool],
}

impl Skeleton<'_> {
    fn parent(&self, bone: usize) -> Option<usize> {
        self.body.bones[bone].parent.map(usize::from)
    }

    fn hangs_elsewhere(&self, joint: usize) -> bool {
        !self.is_mover[joint] && self.parent(joint).is_none_or(|parent| self.is_mover[parent])
    }

    fn way(&self, [from, to]: [usize; 2]) -> Vec3 {
        head(self.body, to) - head(self.body, from)
    }

    fn leads(&self, end: usize, joint: usize) -> bool {
        let slack = self.solid.frame.cell as f32;
        let (from, way) = (head(self.body, end), self.way([end, joint]));
        let before = self.parent(end).filter(|&parent| !self.is_mover[parent]);
        let is_near = |bone: usize| {
            self.is_mover[bone]
                || [Some(end), Some(joint), before].contains(&Some(bone))
                || self.parent(bone) == Some(joint)
        };
        let is_free = |part: u8| {
            let along = f32::from(part) / f32::from(PARTS);
            let to_ends = along.min(1.0 - along) * way.length();
            let mut others = self.body.distances(from + way * along).filter(|(bone, _)| !is_near(usize::from(*bone)));
            others.all(|(_, distance)| distance + slack >= to_ends)
        };
        way.length() > slack && self.sees(from, from + way) && (0..=PARTS).all(is_free)
    }

    fn sees(&self, from: Vec3, to: Vec3) -> bool {
        let [from, to] = [from, to].map(|place| self.solid.frame.to_grid(place));
        self.solid.at(from).is_some() && self.solid.at(to).is_some() && self.solid.sees(from, to)
    }
}

fn head(body: &Body, bone: usize) -> Vec3 {
    body.bones[bone].segments[0].head
}

/// Returns true if `bone` is `other` or its descendant.
fn is_descendant_of(body: &Body, bone: usize, other: usize) -> bool {
    let parent = |bone: &usize| body.bones[*bone].parent.map(usize::from);
    std::iter::successors(Some(bone), parent).any(|bone| bone == other)
}

fn join(body: &mut Body, end: usize, joint: usize) {
    let [head, tail] = [end, joint].map(|bone| head(body, bone));
    if let Some(parent) = body.bones[joint].parent {
        let segments = &mut body.bones[usize::from(parent)].segments;
        if segments.len() > 1
            && let Some(at) = segments.iter().position(|segment| segment.tail == tail)
        {
            segments.remove(at);
        }
    }
    let bone = &mut body.bones[joint];
    if bone.is_end {
        // Keep the stub collinear with the new parent bone.
        let stub = &mut bone.segments[0];
        stub.tail = tail + ((tail - head) * 0.5).clamp_length_max(stub.head.distance(stub.tail));
    }
    (bone.parent, bone.is_top) = (Some(end as u16), false);
    let bone = &mut body.bones[end];
    (bone.segments, bone.is_end) = (vec![Segment { head, tail }], false);
}
