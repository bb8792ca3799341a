//! Random poses within the natural range of every joint, the same for the same rig and seed everywhere.

use super::anatomy::Anatomy;
use crate::analysis::weight_problems::{Random, unconstrained_joints};
use rigscope_core::rig::{MorphIndex, NodeIndex, Pose, Rig, Trs};

/// Maximum number of poses per seed.
pub const MAX_SEEDED_POSES: usize = 16;

/// In a pose, one morph target in this many has a weight.
const MORPHS: usize = 4;

/// Creates poses in which every joint turns, and some morph targets have weights from 0 to 1. At most
/// [`MAX_SEEDED_POSES`]. Joints that constraints turn, and hips, stay at rest.
pub fn seeded_poses(rig: &Rig, count: usize, seed: u16) -> Vec<Pose> {
    let anatomy = Anatomy::new(rig);
    let joints = unconstrained_joints(rig);
    let count = count.min(MAX_SEEDED_POSES);
    (0..count).map(|number| pose(rig, &anatomy, &joints, usize::from(seed) * MAX_SEEDED_POSES + number)).collect()
}

fn pose(rig: &Rig, anatomy: &Anatomy<'_>, joints: &[NodeIndex], round: usize) -> Pose {
    let mut pose = Pose::rest(&rig.hierarchy);
    for &joint in joints {
        let random = &mut Random::new(joint, round);
        let ranges = anatomy.ranges(joint);
        if ranges.iter().flatten().any(|end| *end != 0.0) {
            let angles = ranges.map(|[from, to]| random.between(from, to).to_radians());
            let rotation = anatomy.user_rotation(joint, anatomy.axes(joint).increment(angles));
            pose.set_user_local(joint, Trs { rotation, ..Trs::IDENTITY });
        }
    }
    let morphs = (0..).zip(rig.morphs()).map(|(number, _)| number);
    for number in morphs.filter(|number| (*number as usize + round).is_multiple_of(MORPHS)) {
        let weight = Random::new(NodeIndex(number), round).between(0.0, 1.0);
        pose.set_morph_weight(MorphIndex(number), weight);
    }
    pose
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Affine3, Quat};
    use rigscope_core::rig::testing::chain;
    use rigscope_core::rig::{RigData, Skin};

    #[test]
    fn every_joint_turns_within_its_range_and_by_the_seed() {
        let hierarchy = chain(4, Trs::from_translation(glam::Vec3::Y));
        let joints: Vec<NodeIndex> = hierarchy.nodes().collect();
        let skin = Skin { inverse_bind: vec![Affine3::IDENTITY; 4], joints: joints.clone(), ..Skin::default() };
        let rig = Rig::new(RigData { hierarchy, skins: vec![skin], ..RigData::default() });
        let poses = seeded_poses(&rig, 3, 7);
        assert_eq!(poses.len(), 3);
        let angle = |pose: &Pose, joint| pose.user_local(joint).rotation.angle_between(Quat::IDENTITY).to_degrees();
        for pose in &poses {
            // Flexion and twist of 45° each.
            assert!(joints.iter().all(|joint| (0.1..=64.0).contains(&angle(pose, *joint))));
        }
        let again = seeded_poses(&rig, 2, 7);
        assert!(again.iter().zip(&poses).all(|(a, b)| a.has_edits_of(b)));
        assert!(!seeded_poses(&rig, 1, 8)[0].has_edits_of(&poses[0]));
        assert!(!poses[0].has_edits_of(&poses[1]));
        assert_eq!(seeded_poses(&rig, 99, 0).len(), MAX_SEEDED_POSES);
    }
}
