use glam::Vec2;

use crate::rig::{Bone, NodeIndex};
use crate::view::Lens;

/// Maximum distance of a click from a bone or joint, points.
const REACH: f32 = 8.0;

/// Returns the joints under a viewport point, best match first, without duplicates. Hits at a joint's position precede
/// hits along a bone. Each group is sorted by screen distance in steps of two points, then by depth.
pub fn joints_at(bones: &[Bone], lens: &Lens, point: Vec2) -> Vec<NodeIndex> {
    let mut hits: Vec<Hit> = bones.iter().filter_map(|bone| Hit::new(bone, lens, point)).collect();
    hits.sort_by(|a, b| {
        let on_bone = a.is_on_bone.cmp(&b.is_on_bone);
        // Depth decides between hits at the same distance step.
        on_bone.then(a.distance.total_cmp(&b.distance)).then(a.depth.total_cmp(&b.depth))
    });
    let mut joints = Vec::new();
    for hit in hits {
        if !joints.contains(&hit.joint) {
            joints.push(hit.joint);
        }
    }
    joints
}

struct Hit {
    joint: NodeIndex,
    is_on_bone: bool,
    /// Distance on the screen, in steps of two points.
    distance: f32,
    /// Distance from the viewer.
    depth: f32,
}

impl Hit {
    fn new(bone: &Bone, lens: &Lens, point: Vec2) -> Option<Self> {
        let (head, tail) = (lens.project(bone.head)?, lens.project(bone.tail)?);
        let is_on_bone = point.distance(head) > REACH;
        let place = if is_on_bone { (bone.head + bone.tail) * 0.5 } else { bone.head };
        let distance = if is_on_bone { distance_to_segment(point, head, tail) } else { point.distance(head) };
        // Long bones are drawn thicker, so their hit distance is larger.
        let reach = (head.distance(tail) * 0.08).clamp(REACH, 16.0);
        let depth = (place - lens.eye).dot(lens.forward);
        (distance <= reach).then_some(Self { joint: bone.joint, is_on_bone, distance: (distance / 2.0).floor(), depth })
    }
}

/// Returns the joints whose position is in a viewport box (corners in points), without duplicates.
pub fn joints_in(bones: &[Bone], lens: &Lens, min: Vec2, max: Vec2) -> Vec<NodeIndex> {
    let is_inside = |bone: &&Bone| lens.project(bone.head).is_some_and(|p| p.cmpge(min).all() && p.cmple(max).all());
    let mut joints: Vec<NodeIndex> = bones.iter().filter(is_inside).map(|bone| bone.joint).collect();
    joints.dedup();
    joints
}

fn distance_to_segment(point: Vec2, from: Vec2, to: Vec2) -> f32 {
    let along = to - from;
    let t = ((point - from).dot(along) / along.length_squared().max(1e-6)).clamp(0.0, 1.0);
    point.distance(from + along * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Camera;
    use glam::Vec3;

    fn bone(joint: u32, head: Vec3, tail: Vec3) -> Bone {
        Bone { joint: NodeIndex(joint), head, tail, is_control: false }
    }

    #[test]
    fn a_bone_is_hit_along_its_length_and_not_beside_it() {
        let bones = [bone(0, Vec3::ZERO, Vec3::Y), bone(1, Vec3::X, Vec3::new(1.0, 1.0, 0.0))];
        let lens = Camera { yaw: 0.0, pitch: 0.0, ..Camera::default() }.lens(Vec2::new(800.0, 600.0));
        for t in [0.0, 0.3, 0.9] {
            let on = lens.project(Vec3::Y * t).unwrap();
            assert_eq!(joints_at(&bones, &lens, on), [NodeIndex(0)], "at {t}");
            assert!(joints_at(&bones, &lens, on + Vec2::X * 40.0).is_empty(), "beside {t}");
        }
    }

    #[test]
    fn a_joint_goes_before_the_bone_that_ends_there() {
        let bones = [
            bone(0, Vec3::ZERO, Vec3::Y),
            bone(1, Vec3::Y, Vec3::new(0.0, 1.0, -1.0)),
            bone(2, Vec3::Y, Vec3::new(0.0, 1.0, -1.0)),
        ];
        let lens = Camera { yaw: 0.4, pitch: 0.3, ..Camera::default() }.lens(Vec2::new(800.0, 600.0));
        let head = lens.project(Vec3::Y).unwrap();
        for off in [Vec2::ZERO, Vec2::new(0.0, 5.0), Vec2::new(-3.0, 4.0)] {
            let under = joints_at(&bones, &lens, head + off);
            assert_eq!(under, [1, 2, 0].map(NodeIndex), "{off} beside it, and all that stand there can be had");
        }
    }

    #[test]
    fn a_box_takes_the_joints_that_stand_in_it() {
        let bones = [
            bone(0, Vec3::ZERO, Vec3::Y),
            bone(0, Vec3::ZERO, Vec3::X),
            bone(1, Vec3::Y, Vec3::Y * 2.0),
            bone(2, Vec3::X, Vec3::X * 2.0),
        ];
        let lens = Camera { yaw: 0.0, pitch: 0.0, ..Camera::default() }.lens(Vec2::new(800.0, 600.0));
        let corner = |x: f32, y: f32| lens.project(Vec3::new(x, y, 0.0)).unwrap();
        let inside = joints_in(&bones, &lens, corner(-0.1, 1.1), corner(0.1, -0.1));
        assert_eq!(inside, [NodeIndex(0), NodeIndex(1)]);
    }

    #[test]
    fn of_bones_at_one_place_the_nearer_comes_first_and_both_can_be_had() {
        let bones = [
            bone(0, Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.0, 1.0, -1.0)),
            bone(1, Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.0, 1.0, 1.0)),
        ];
        let camera = Camera { yaw: 0.0, pitch: 0.0, is_orthographic: true, ..Camera::default() };
        let lens = camera.lens(Vec2::new(800.0, 600.0));
        let on = lens.project(Vec3::new(0.0, 0.5, 1.0)).unwrap();
        assert_eq!(joints_at(&bones, &lens, on), [NodeIndex(1), NodeIndex(0)]);
    }
}
