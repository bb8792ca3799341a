//! Bones that reach through their regions: those that are drawn end early where a joint has no child that the skin goes on to.

use glam::Vec3;

use crate::jobs::Progress;
use crate::weights::body::{Body, by_number};
use crate::weights::segment::Segment;
use crate::weights::voxel::Solid;

/// A joint's own bone is at least this many times as long as the ways to what hangs on it, or there is none.
const BESIDE_CHILDREN: f32 = 1.5;

/// Places along an own bone at which the nearest joints are looked for.
const PLACES: usize = 32;

/// The body with one bone more for each joint that has no children, or only near ones: on in the direction of its parent's bone, as far as that is inside and no other
/// joint than these two is nearer. `None` where the job was cancelled.
pub(super) fn through(body: &Body, solid: &Solid, progress: &Progress) -> Option<Body> {
    let extents = extents(body);
    let found = by_number(body.bones.len(), progress, |bone| own(body, solid, bone, extents[bone]))?;
    let mut through = body.clone();
    for (bone, segment) in through.bones.iter_mut().zip(found) {
        bone.segments.extend(segment);
    }
    Some(through)
}

/// By bone, how far it and all that hangs on it reach from its joint at most, metres.
fn extents(body: &Body) -> Vec<f32> {
    let head = |bone: usize| body.bones[bone].segments[0].head;
    let mut extents = vec![0.0_f32; body.bones.len()];
    for (at, bone) in body.bones.iter().enumerate().rev() {
        let tails = bone.segments.iter().map(|segment| segment.tail.distance(segment.head));
        extents[at] = tails.fold(extents[at], f32::max);
        if let Some(parent) = bone.parent.map(usize::from) {
            extents[parent] = extents[parent].max(head(parent).distance(head(at)) + extents[at]);
        }
    }
    extents
}

/// A joint's own bone, where there is one.
fn own(body: &Body, solid: &Solid, at: usize, extent: f32) -> Option<Segment> {
    let parent = usize::from(body.bones[at].parent?);
    let [head, from] = [at, parent].map(|bone| body.bones[bone].segments[0].head);
    let direction = (head - from).try_normalize()?;
    let most = length_inside(solid, head, direction);
    let step = most / PLACES as f32;
    // Cells are not exact to less.
    let slack = solid.frame.cell as f32;
    let is_own = |place: &Vec3| {
        let nearest = body.distances(*place).map(|(_, distance)| distance).fold(f32::INFINITY, f32::min);
        [at, parent].iter().any(|&bone| body.bones[bone].distance(*place) <= nearest + slack)
    };
    let places = (1..=PLACES).map(|number| head + direction * (step * number as f32));
    let tail = places.take_while(is_own).last()?;
    (head.distance(tail) > BESIDE_CHILDREN * extent).then_some(Segment { head, tail })
}

/// Metres from a place in a direction, in steps of half a cell, that are inside.
pub(super) fn length_inside(solid: &Solid, from: Vec3, direction: Vec3) -> f32 {
    let step = solid.frame.cell as f32 * 0.5;
    let most = solid.frame.size.iter().sum::<usize>() * 2;
    let is_inside = |number: &usize| {
        let place = solid.frame.to_grid(from + direction * (step * *number as f32));
        solid.at(place).is_some()
    };
    step * (0..most).take_while(is_inside).last().unwrap_or_default() as f32
}
