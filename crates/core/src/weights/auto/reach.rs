//! Extension of bones through the body. Drawn bones of leaf joints end too early; here they extend along the limb.

use std::f32::consts::TAU;

use glam::Vec3;

use crate::jobs::Progress;
use crate::weights::body::{Body, BodyBone, map_indices};
use crate::weights::segment::Segment;
use crate::weights::voxel::Solid;

/// Minimum length of an extension, relative to the extent of the joint's subtree.
const BESIDE_CHILDREN: f32 = 1.5;

const PLACES: usize = 32;

const SQUARES: u8 = 8;

/// A leaf joint with siblings counts as a surface joint (an eyebrow, for example) if the body extends beyond it by less
/// than this fraction of the joint's distance to its parent.
const MIN_BEYOND: f32 = 0.5;

/// Stub length of a joint that leads only to surface joints, as a fraction of the distance to its parent.
const STUB: f32 = 0.5;

/// Adds a segment to each joint without distant children. The segment extends as long as it stays inside and nearest to
/// the joint or its parent. At the end of a chain it points to the centroid of the joint's region, otherwise along the
/// parent's bone. Surface joints get no segment and are ignored.
pub(super) fn extend_bones(body: &Body, solid: &Solid, progress: &Progress) -> Option<Body> {
    let is_of_surface = surface_joints(body, solid);
    let limbs = without(body, &is_of_surface);
    let extents = extents(&limbs);
    let found = map_indices(body.bones.len(), progress, |at| {
        if is_of_surface[at] { None } else { own(&limbs, solid, at, extents[at]) }
    })?;
    let mut through = body.clone();
    for (bone, segment) in through.bones.iter_mut().zip(found) {
        bone.segments.extend(segment);
    }
    Some(through)
}

fn surface_joints(body: &Body, solid: &Solid) -> Vec<bool> {
    let head = |bone: usize| body.bones[bone].segments[0].head;
    let parent = |bone: usize| body.bones[bone].parent.map(usize::from);
    let mut children = vec![0; body.bones.len()];
    (0..body.bones.len()).filter_map(parent).for_each(|parent| children[parent] += 1);
    let is_of_surface = |at: usize| {
        let Some(parent) = parent(at).filter(|&parent| body.bones[at].is_end && children[parent] > 1) else {
            return false;
        };
        let way = head(at) - head(parent);
        body.bones[parent].parent.is_some()
            && way
                .try_normalize()
                .is_some_and(|onwards| length_inside(solid, head(at), onwards) < MIN_BEYOND * way.length())
    };
    (0..body.bones.len()).map(is_of_surface).collect()
}

/// Moves bones of left-out joints to infinity and removes the segments that lead to them; a parent left without
/// segments gets a stub.
fn without(body: &Body, is_left_out: &[bool]) -> Body {
    let mut without = body.clone();
    let nowhere = Segment { head: Vec3::INFINITY, tail: Vec3::INFINITY };
    for at in (0..body.bones.len()).filter(|&at| is_left_out[at]) {
        (without.bones[at].segments, without.bones[at].parent) = (vec![nowhere], None);
        let tail = body.bones[at].segments[0].head;
        let Some(parent) = body.bones[at].parent.map(usize::from) else { continue };
        let segments = &mut without.bones[parent].segments;
        let Some(found) = segments.iter().position(|segment| segment.tail == tail) else { continue };
        if segments.len() > 1 {
            segments.remove(found);
        } else {
            let head = segments[0].head;
            let before =
                body.bones[parent].parent.map_or(head, |before| body.bones[usize::from(before)].segments[0].head);
            segments[0].tail = head + (head - before) * STUB;
            without.bones[parent].is_end = true;
        }
    }
    without
}

/// Returns the length of the longest chain of bones that starts at each joint, metres.
fn extents(body: &Body) -> Vec<f32> {
    let head = |bone: usize| body.bones[bone].segments[0].head;
    let mut extents = vec![0.0_f32; body.bones.len()];
    for at in body.parents_first().into_iter().rev() {
        let bone = &body.bones[at];
        let tails = bone.segments.iter().map(|segment| segment.tail.distance(segment.head));
        extents[at] = tails.fold(extents[at], f32::max);
        if let Some(parent) = bone.parent.map(usize::from) {
            extents[parent] = extents[parent].max(head(parent).distance(head(at)) + extents[at]);
        }
    }
    extents
}

fn own(body: &Body, solid: &Solid, at: usize, extent: f32) -> Option<Segment> {
    let parent = usize::from(body.bones[at].parent?);
    let [head, from] = [at, parent].map(|bone| body.bones[bone].segments[0].head);
    let onwards = (head - from).try_normalize()?;
    let length = |direction: Vec3| length_of_own(body, solid, [at, parent], head, direction);
    let direction = if body.bones[at].is_end { middle(onwards, length) } else { onwards };
    let length = length(direction);
    (length > BESIDE_CHILDREN * extent).then_some(Segment { head, tail: head + direction * length })
}

/// Returns the direction from a joint to the centroid of its region; `length` returns the region's extent in a
/// direction. Ignores directions that point back from the joint, but not perpendicular ones, such as the direction of a
/// foot relative to its leg.
fn middle(onwards: Vec3, length: impl Fn(Vec3) -> f32) -> Vec3 {
    let part = |(direction, angle): (Vec3, f32)| {
        // The first moment of a cone about its tip is proportional to the fourth power of its length.
        let length = if direction.dot(onwards) < 0.0 { 0.0 } else { length(direction) };
        direction * (angle * length.powi(4))
    };
    directions().map(part).sum::<Vec3>().try_normalize().unwrap_or(onwards)
}

/// Returns mirror-symmetric directions through a cube's faces, with relative solid angles.
fn directions() -> impl Iterator<Item = (Vec3, f32)> {
    let across = || (0..SQUARES).map(|square| f32::from(2 * square + 1) / f32::from(SQUARES) - 1.0);
    let on_face = move || across().flat_map(move |u| across().map(move |v| [u, v]));
    let faces = (0..3).flat_map(|axis| [-1.0, 1.0].map(|side| (axis, side)));
    faces.flat_map(move |(axis, side)| {
        on_face().map(move |[u, v]| {
            let mut place = [side, u, v];
            place.rotate_right(axis);
            let place = Vec3::from(place);
            (place.normalize_or_zero(), place.length().powi(-3))
        })
    })
}

/// Returns the distance, in metres, that a ray from a joint travels before it leaves the body or comes closer to a
/// joint other than this one and its parent.
fn length_of_own(body: &Body, solid: &Solid, own: [usize; 2], head: Vec3, direction: Vec3) -> f32 {
    let step = length_inside(solid, head, direction) / PLACES as f32;
    let slack = solid.frame.cell as f32;
    let is_own = |number: &usize| {
        let place = head + direction * (step * *number as f32);
        let nearest = body.distances(place).map(|(_, distance)| distance).fold(f32::INFINITY, f32::min);
        own.iter().any(|&bone| body.bones[bone].distance(place) <= nearest + slack)
    };
    (1..=PLACES).take_while(is_own).count() as f32 * step
}

/// Returns the distance, in metres, at which a ray leaves the solid; the ray is sampled every half cell.
fn length_inside(solid: &Solid, from: Vec3, direction: Vec3) -> f32 {
    let step = solid.frame.cell as f32 * 0.5;
    let max_steps = solid.frame.size.iter().sum::<usize>() * 2;
    let is_inside = |number: &usize| {
        let place = solid.frame.to_grid(from + direction * (step * *number as f32));
        solid.at(place).is_some()
    };
    step * (0..max_steps).take_while(is_inside).last().unwrap_or_default() as f32
}

/// Number of positions along a segment at which the radius is measured.
const PLACES_ACROSS: u8 = 5;
/// Number of rays that measure the radius at each position.
const DIRECTIONS: u8 = 12;

/// Returns the radius of each bone: the median distance from the bone to the surface, metres, at least one cell.
pub(super) fn radii(body: &Body, solid: &Solid, progress: &Progress) -> Option<Vec<f32>> {
    map_indices(body.bones.len(), progress, |bone| radius(&body.bones[bone], solid))
}

fn radius(bone: &BodyBone, solid: &Solid) -> f32 {
    let lengths = bone.segments.iter().flat_map(ways).map(|(from, direction)| length_inside(solid, from, direction));
    median(lengths.filter(|length| *length > 0.0).collect()).max(solid.frame.cell as f32)
}

/// Returns origins and directions of rays perpendicular to a segment.
fn ways(segment: &Segment) -> impl Iterator<Item = (Vec3, Vec3)> + use<> {
    let Segment { head, tail } = *segment;
    let (u, v) = (tail - head).normalize_or(Vec3::Y).any_orthonormal_pair();
    let place = move |place: u8| head.lerp(tail, (f32::from(place) + 0.5) / f32::from(PLACES_ACROSS));
    let direction = move |number: u8| {
        let (sin, cos) = (f32::from(number) / f32::from(DIRECTIONS) * TAU).sin_cos();
        u * cos + v * sin
    };
    (0..PLACES_ACROSS).flat_map(move |at| (0..DIRECTIONS).map(move |number| (place(at), direction(number))))
}

/// Returns the median: the lower of the two middle values if the count is even, 0 if there are no values.
pub(super) fn median(mut values: Vec<f32>) -> f32 {
    values.sort_unstable_by(f32::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_ball_that_touches_the_joint_is_its_centre() {
        // The chord from a point on a sphere is proportional to the cosine of its angle to the diameter.
        for diameter in [Vec3::Y, Vec3::new(0.6, 0.8, 0.0), Vec3::new(1.0, 2.0, -2.0) / 3.0] {
            let found = middle(diameter, |direction| direction.dot(diameter));
            assert!(found.dot(diameter) > 0.995, "{diameter}: {found}");
            let onwards = (diameter + 0.5 * diameter.any_orthogonal_vector().normalize_or_zero()).normalize_or_zero();
            let turned = middle(onwards, |direction| direction.dot(diameter).max(0.0));
            assert!(turned.dot(diameter) > onwards.dot(diameter) + 0.05, "{diameter}: {turned}");
        }
        assert_eq!(middle(Vec3::Z, |_| 0.0), Vec3::Z, "without a region the way is onwards");
    }

    #[test]
    fn a_foot_may_be_square_to_its_leg_and_nothing_lies_backwards() {
        let foot = middle(Vec3::NEG_Y, |direction| if direction.z > 0.9 { 1.0 } else { 0.1 });
        assert!(foot.z > 0.9, "{foot}");
        let backwards = middle(Vec3::NEG_Y, |direction| if direction.y > 0.5 { 1.0 } else { 0.1 });
        assert!(backwards.y <= 0.0, "{backwards}");
    }

    #[test]
    fn directions_are_everywhere_and_their_solid_angles_even_out() {
        let (sum, all) =
            directions().fold((Vec3::ZERO, 0.0), |(sum, all), (way, angle)| (sum + way * angle, all + angle));
        let upwards: f32 = directions().map(|(way, angle)| angle * way.y * way.y).sum();
        assert!(sum.length() < 1e-5 && (upwards / all - 1.0 / 3.0).abs() < 1e-3, "{sum} {upwards} of {all}");
    }
}
