//! Axes about which joints move at rest, and rotations of joints from anatomical angles.
//!
//! *Spaces*: all directions are in world space at rest. A joint's increment `R_j` is a rotation in that space, applied on
//! top of its parent's: `D_j = D_p * R_j`, where `D_j` turns the joint's skin from rest to the pose.

use std::collections::HashMap;
use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::ranges::FlexAxis;
use crate::analysis::human_ranges::{AxisRanges, OTHER, human_range, name_without_side};
use crate::analysis::region::joint_above;
use crate::analysis::twist::Axes;
use rigscope_core::matching::{HumanBone, Humanoid};
use rigscope_core::rig::{NodeIndex, Pose, Posed, Rig, bones_of, evaluate};

/// Cosine of the largest angle between a leg at rest and the vertical.
const UPRIGHT: f32 = 0.7;

/// A hinge that the joint's bones form is used if its cosine with the anatomical axis exceeds this.
const ALIKE: f32 = 0.5;

/// A rig at rest, and the anatomy of its joints.
pub(super) struct Anatomy<'a> {
    rig: &'a Rig,
    pose: Pose,
    rest: Posed,
    /// Humanoid bones that are joints; empty unless the character stands upright on two legs at rest.
    bones: HashMap<NodeIndex, HumanBone>,
    nodes: HashMap<String, NodeIndex>,
    front: Vec3,
    left: Vec3,
}

/// Axes of a joint, in world space at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointAxes {
    /// Unit axes of flexion, abduction and twist.
    axes: [Vec3; 3],
    /// Rotation from rest to the anatomical position.
    neutral: Quat,
    /// Flexion at rest, radians.
    flexed: f32,
}

impl<'a> Anatomy<'a> {
    pub(super) fn new(rig: &'a Rig) -> Self {
        let pose = Pose::rest(&rig.hierarchy);
        let rest = evaluate(rig, None, &pose);
        let front = rig.front();
        let humanoid = Humanoid::from_rig(rig).only(|node| rig.is_joint(node));
        let mut anatomy = Self {
            rig,
            pose,
            rest,
            bones: humanoid.bones().map(|(bone, node)| (node, bone)).collect(),
            nodes: humanoid.bones().map(|(bone, node)| (bone.to_string(), node)).collect(),
            front,
            left: Vec3::Y.cross(front),
        };
        if !anatomy.is_upright() {
            anatomy.bones.clear();
            anatomy.nodes.clear();
        }
        anatomy
    }

    /// Returns whether both legs point down and the left one is on the left.
    fn is_upright(&self) -> bool {
        let thigh = |side: &str| {
            let [upper, lower] = ["UpperLeg", "LowerLeg"].map(|name| self.named(&format!("{side}{name}")));
            Some([self.position(upper?), self.position(lower?)])
        };
        let Some(legs) = thigh("left").zip(thigh("right")) else { return false };
        let is_down = |[from, to]: [Vec3; 2]| (to - from).normalize_or_zero().dot(Vec3::NEG_Y) > UPRIGHT;
        let is_left = (legs.0[0] - legs.1[0]).dot(self.left) > 0.0;
        is_down(legs.0) && is_down(legs.1) && is_left
    }

    fn named(&self, bone: &str) -> Option<NodeIndex> {
        self.nodes.get(bone).copied()
    }

    fn position(&self, node: NodeIndex) -> Vec3 {
        self.rest.world_from_node[node.index()].translation
    }

    pub(super) fn bone(&self, node: NodeIndex) -> Option<HumanBone> {
        self.bones.get(&node).copied()
    }

    pub(super) fn bones(&self) -> impl Iterator<Item = (NodeIndex, HumanBone)> {
        let mut all: Vec<_> = self.bones.iter().map(|(node, bone)| (*node, *bone)).collect();
        all.sort_unstable();
        all.into_iter()
    }

    pub(super) fn has(&self, bone: &str) -> bool {
        self.nodes.contains_key(bone)
    }

    /// Returns the ranges of a joint: those of its bone, or ±45° of flexion and twist.
    pub(super) fn ranges(&self, node: NodeIndex) -> AxisRanges {
        match self.bone(node) {
            Some(bone) => human_range(bone).map_or([[0.0; 2]; 3], |row| row.divided(|bone| self.has(bone))),
            None => [[-OTHER, OTHER], [0.0; 2], [-OTHER, OTHER]],
        }
    }

    /// Returns the axes of a joint.
    pub(super) fn axes(&self, node: NodeIndex) -> JointAxes {
        if let Some(bone) = self.bone(node) {
            return self.human_axes(node, bone);
        }
        let [twist, bend] = self.natural(node);
        JointAxes { axes: [bend, twist.cross(bend), twist], neutral: Quat::IDENTITY, flexed: 0.0 }
    }

    /// Returns the natural axes of twist and bend, in world space.
    fn natural(&self, node: NodeIndex) -> [Vec3; 2] {
        let Axes { twist, bend } = Axes::natural(self.rig, &self.rest, &self.pose, node);
        let frame = self.frame(node);
        [frame * twist, frame * bend]
    }

    /// Returns the rotation of a joint at rest, world from joint.
    fn frame(&self, node: NodeIndex) -> Quat {
        self.rest.world_before_user(&self.rig.hierarchy, node).to_scale_rotation_translation().1
    }

    /// Returns the direction of a bone: to the next bone, or along the longest bone of the joint, or away from the parent.
    fn direction(&self, node: NodeIndex, bone: HumanBone) -> Vec3 {
        let next = if name_without_side(bone) == "Hand" {
            self.named(&bone.to_string().replace("Hand", "MiddleProximal"))
        } else {
            let follows = |(_, other): &(NodeIndex, HumanBone)| other.parent() == Some(bone);
            Some(self.bones().filter(follows))
                .and_then(|mut next| Some(next.next()?.0).filter(|_| next.next().is_none()))
        };
        let longest = || {
            let bones = bones_of(self.rig, &self.rest, node);
            bones.max_by(|a, b| a.length().total_cmp(&b.length())).map(|bone| bone.tail)
        };
        let to = next.map(|node| self.position(node)).or_else(longest);
        let along = to.map_or(Vec3::ZERO, |to| to - self.position(node)).normalize_or_zero();
        if along == Vec3::ZERO { self.parent_bone(node).normalize_or(Vec3::Y) } else { along }
    }

    fn parent_bone(&self, node: NodeIndex) -> Vec3 {
        let above = joint_above(self.rig, node);
        above.map_or(Vec3::ZERO, |above| self.position(node) - self.position(above)).normalize_or_zero()
    }

    fn human_axes(&self, node: NodeIndex, bone: HumanBone) -> JointAxes {
        let (front, left, up) = (self.front, self.left, Vec3::Y);
        let side = if bone.to_string().starts_with("right") { -1.0 } else { 1.0 };
        let along = self.direction(node, bone);
        let still = JointAxes { axes: [left, front, along], neutral: Quat::IDENTITY, flexed: 0.0 };
        // Twists inwards: of a hanging left arm or leg, about the upward axis towards the front and then to the right.
        let inwards = along * side;
        match name_without_side(bone).as_str() {
            "spine" | "chest" | "upperChest" | "neck" | "head" => JointAxes { axes: [left, -front, up], ..still },
            "Shoulder" => JointAxes { axes: [up * -side, front * side, along], ..still },
            "UpperArm" | "UpperLeg" => JointAxes {
                axes: [-left, front * side, inwards],
                neutral: Quat::from_rotation_arc(along, -up),
                ..still
            },
            "LowerLeg" => self.hinge(node, along, left),
            "LowerArm" => {
                // The arm may be lifted at rest, and the hinge with it.
                let upper = self.parent_bone(node);
                let lifted = Quat::from_rotation_arc(-up, if upper == Vec3::ZERO { along } else { upper });
                self.hinge(node, along, lifted * -left)
            }
            "Hand" => {
                let palm = self.palm(along, side);
                JointAxes { axes: [along.cross(palm), along.cross(palm.cross(along) * side), inwards], ..still }
            }
            "Foot" => JointAxes { axes: [-left, front, front * -side], ..still },
            "Toes" | "jaw" => JointAxes { axes: [left, front, along], ..still },
            name if name.starts_with("Thumb") => {
                let palm = self.palm(along, side);
                let inwards = (palm - self.front).reject_from_normalized(along).normalize_or(palm);
                JointAxes { axes: [along.cross(inwards), palm, along], ..still }
            }
            name if name.ends_with("Proximal") => {
                let palm = self.palm(along, side);
                JointAxes { axes: [along.cross(palm), palm, along], ..still }
            }
            name if name.ends_with("Intermediate") || name.ends_with("Distal") => {
                let palm = self.palm(along, side);
                self.hinge(node, along, along.cross(palm))
            }
            _ => still,
        }
    }

    /// Returns the unit normal of the palm, perpendicular to a hand's or finger's direction. Palms face down, or the body
    /// if the arm hangs.
    fn palm(&self, along: Vec3, side: f32) -> Vec3 {
        let facing = Vec3::NEG_Y - self.left * (0.3 * side);
        facing.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector())
    }

    /// Returns the axes of a hinge. The axis is that of the joint's bones if they are bent at rest about nearly the
    /// anatomical axis.
    fn hinge(&self, node: NodeIndex, along: Vec3, anatomical: Vec3) -> JointAxes {
        let across = anatomical.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector());
        let [_, bend] = self.natural(node);
        let from = self.parent_bone(node);
        let is_bent = from.cross(along).dot(bend) > 0.05;
        let axis = if is_bent && bend.dot(across) > ALIKE { bend } else { across };
        let flexed = if from == Vec3::ZERO { 0.0 } else { from.cross(along).dot(axis).atan2(from.dot(along)) };
        JointAxes {
            axes: [axis, along.cross(axis), along],
            neutral: Quat::IDENTITY,
            flexed: flexed.clamp(-PI / 2.0, PI / 2.0),
        }
    }

    /// Returns `Ul_j` that turns a joint from rest by an increment `R_j`.
    pub(super) fn user_rotation(&self, node: NodeIndex, increment: Quat) -> Quat {
        let frame = self.frame(node);
        (frame.inverse() * increment * frame).normalize()
    }
}

impl JointAxes {
    /// Returns the increment `R_j` for angles of flexion, abduction and twist from the anatomical position, radians.
    pub(super) fn increment(&self, [flexion, abduction, twist]: [f32; 3]) -> Quat {
        let [of_flexion, of_abduction, of_twist] = self.axes;
        Quat::from_axis_angle(of_flexion, flexion - self.flexed)
            * Quat::from_axis_angle(of_abduction, abduction)
            * self.neutral
            * Quat::from_axis_angle(of_twist, twist)
    }

    /// Returns the increment for a single angle, radians.
    pub(super) fn about(&self, axis: FlexAxis, angle: f32) -> Quat {
        let mut angles = [0.0; 3];
        // A hinge at rest stays flexed while it moves about the other axes.
        angles[0] = if self.neutral == Quat::IDENTITY { self.flexed } else { 0.0 };
        angles[axis as usize] = angle;
        self.increment(angles)
    }
}
