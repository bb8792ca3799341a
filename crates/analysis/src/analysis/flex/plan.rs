//! The list of poses of a bend test: the same for the same rig, everywhere.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use glam::Quat;

use super::anatomy::Anatomy;
use super::ranges::{FlexAxis, WHOLE_BODY};
use crate::analysis::human_ranges::human_range;
use crate::analysis::lint::rules::Pattern;
use crate::analysis::region::joint_above;
use rigscope_core::matching::HumanBone;
use rigscope_core::rig::{ClipMoment, NodeIndex, Pose, Rig, Trs, node_names};
use rigscope_core::rows::{Described, Shape};

/// Ends of ranges up to this are tested alone; of larger ones, half the angle is tested too. Degrees.
const SMALL: f32 = 40.0;

/// Joints that are tested with a flexion or an abduction of at least this bend. Degrees.
const BEND: f32 = 40.0;

/// Maximum number of poses of single joints. Joints of larger rigs get fewer angles.
const MAX_JOINT_POSES: usize = 1200;

rigscope_core::named_enum! {
    /// Kind of a pose of a bend test.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum FlexPoseKind {
        /// One joint at an angle of its range.
        Joint = "joint";
        /// A pose of the whole body.
        WholeBody = "whole-body";
        /// The worst frame of a clip.
        Clip = "clip";
    }
}

impl Described for FlexPoseKind {
    fn shape() -> Shape {
        Shape::Word(Self::ALL.map(Self::name).to_vec())
    }
}

/// Range of a joint that replaces its natural range.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeOverride {
    /// Names of the joints.
    pub joints: Pattern,
    /// Motion.
    pub axis: FlexAxis,
    /// Lowest and highest angle, degrees; 0 to 0 leaves the motion out.
    pub range: [f32; 2],
}

/// A pose of a bend test.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexPose {
    /// Name, unique in the plan: the joint, motion and angle, or the name of the pose or clip.
    pub name: String,
    /// Kind of pose.
    pub kind: FlexPoseKind,
    /// The joint that moves, if only one does.
    pub joint: Option<NodeIndex>,
    /// Motion of the joint.
    pub axis: Option<FlexAxis>,
    /// Angle of the joint from its anatomical position, radians.
    pub angle: f32,
    /// Publication of the joint's range, if it has one.
    pub source: Option<&'static str>,
    /// Joint rotations `Ul_j`; all other joints are at rest, or as the clip poses them.
    pub turns: Vec<(NodeIndex, Quat)>,
    /// Clip and time of a clip's frame.
    pub moment: Option<ClipMoment>,
}

impl FlexPose {
    /// Returns the user pose, to be applied to the rest pose or to [`Self::moment`].
    pub fn pose(&self, rig: &Rig) -> Pose {
        let mut pose = Pose::rest(&rig.hierarchy);
        for &(node, rotation) in &self.turns {
            pose.set_user_local(node, Trs { rotation, ..Trs::IDENTITY });
        }
        pose
    }
}

/// Poses of a bend test, without clips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexPlan {
    /// Poses of single joints, then whole-body poses.
    pub poses: Vec<FlexPose>,
    /// Joints of humanoid bones, by node. Empty if the character is no upright humanoid.
    pub bones: BTreeMap<NodeIndex, HumanBone>,
}

impl FlexPlan {
    /// Plans the poses of a rig. The last override that fits a joint and axis counts.
    ///
    /// Tested are joints that move skin or are humanoid bones, except roots, which move everything, and joints that
    /// constraints turn.
    pub fn new(rig: &Rig, overrides: &[RangeOverride]) -> Self {
        let anatomy = Anatomy::new(rig);
        let mut plan = Self { poses: Vec::new(), bones: anatomy.bones().collect() };
        let constrained: HashSet<NodeIndex> = rig.behaviours().constraints().iter().map(|c| c.node).collect();
        let moves = |node: NodeIndex| rig.moved_vertices(node) > 0 || anatomy.bone(node).is_some();
        let is_tested = |node: &NodeIndex| {
            rig.is_joint(*node) && moves(*node) && joint_above(rig, *node).is_some() && !constrained.contains(node)
        };
        let joints: Vec<NodeIndex> = rig.hierarchy.nodes().filter(is_tested).collect();
        let angles = |with_halves: bool| -> Vec<(NodeIndex, FlexAxis, f32)> {
            let of_joint = |&joint: &NodeIndex| joint_angles(rig, &anatomy, joint, overrides, with_halves);
            joints.iter().flat_map(of_joint).collect()
        };
        let mut all = angles(true);
        if all.len() > MAX_JOINT_POSES {
            all = angles(false);
            // Leaves out whole joints evenly, so that each tested joint has both ends of its ranges.
            let keep_one_of = all.len().div_ceil(MAX_JOINT_POSES);
            all.retain(|(joint, ..)| anatomy.bone(*joint).is_some() || joint.index().is_multiple_of(keep_one_of));
        }
        let names = node_names(&rig.hierarchy);
        plan.poses.extend(all.into_iter().map(|at| joint_pose(&names[at.0.index()], &anatomy, at)));
        plan.poses.extend(WHOLE_BODY.iter().filter_map(|pose| {
            let turn = |(node, bone): (NodeIndex, HumanBone)| {
                let angles = pose.angles(bone, |bone| anatomy.has(bone))?.map(f32::to_radians);
                Some((node, anatomy.user_rotation(node, anatomy.axes(node).increment(angles))))
            };
            let turns: Vec<(NodeIndex, Quat)> = anatomy.bones().filter_map(turn).collect();
            (!turns.is_empty()).then(|| FlexPose {
                name: pose.name.to_owned(),
                kind: FlexPoseKind::WholeBody,
                joint: None,
                axis: None,
                angle: 0.0,
                source: None,
                turns,
                moment: None,
            })
        }));
        plan
    }

    /// Returns joints that bend so far that abrupt weights show, in ascending order.
    pub(super) fn bending_joints(&self) -> BTreeSet<NodeIndex> {
        let bends = |pose: &&FlexPose| {
            pose.axis.is_some_and(|axis| axis != FlexAxis::Twist) && pose.angle.abs() >= BEND.to_radians()
        };
        self.poses.iter().filter(bends).filter_map(|pose| pose.joint).collect()
    }
}

/// Returns the ends of a joint's ranges, and half of the large ones.
fn joint_angles(
    rig: &Rig,
    anatomy: &Anatomy<'_>,
    joint: NodeIndex,
    overrides: &[RangeOverride],
    with_halves: bool,
) -> Vec<(NodeIndex, FlexAxis, f32)> {
    let natural = anatomy.ranges(joint);
    let name = rig.hierarchy.name(joint);
    let of_axis = |axis: FlexAxis| {
        let fits = |given: &&RangeOverride| given.axis == axis && given.joints.fits(name);
        let ends = overrides.iter().rev().find(fits).map_or(natural[axis as usize], |given| given.range);
        let angles = ends.into_iter().filter(|end| *end != 0.0).flat_map(move |end| {
            let half = (with_halves && end.abs() > SMALL).then_some(end / 2.0);
            half.into_iter().chain([end])
        });
        angles.map(move |angle| (joint, axis, angle))
    };
    FlexAxis::ALL.into_iter().flat_map(of_axis).collect()
}

fn joint_pose(name: &str, anatomy: &Anatomy<'_>, (joint, axis, degrees): (NodeIndex, FlexAxis, f32)) -> FlexPose {
    let angle = degrees.to_radians();
    let increment = anatomy.axes(joint).about(axis, angle);
    FlexPose {
        name: format!("{name} {} {degrees:.0}°", axis.name()),
        kind: FlexPoseKind::Joint,
        joint: Some(joint),
        axis: Some(axis),
        angle,
        source: anatomy.bone(joint).and_then(human_range).map(|range| range.source),
        turns: vec![(joint, anatomy.user_rotation(joint, increment))],
        moment: None,
    }
}
