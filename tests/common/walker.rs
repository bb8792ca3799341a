//! Walking and jumping figures with different proportions, units, axes and hierarchies.

use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

use glam::{Affine3, Quat, Vec3};
use rigscope::rig::{Channel, Clip, Hierarchy, NodeDescription, Property, Rig, RigData, Skin, Trs};

/// Joint that moves the figure through the world.
#[derive(Clone, Copy, PartialEq)]
pub enum Mover {
    Hips,
    /// The joint on the ground. The hips stay at a constant height above it.
    Root,
    /// A joint between root and hips, which other figures lack.
    Carrier,
}

/// Description of a figure. Lengths are in metres, even if the file has another unit.
#[derive(Clone)]
pub struct Walker {
    pub thigh: f32,
    pub shin: f32,
    /// Height of the foot joints above the ground.
    pub sole: f32,
    pub bone_of_back: f32,
    /// Angle by which the arms hang down at rest, radians.
    pub arms: f32,
    /// Axes of the armature and of all joints.
    pub axes: Quat,
    /// Length of the file's unit, metres.
    pub unit: f32,
    pub mover: Mover,
    /// Position of the root at rest.
    pub root: Vec3,
    pub hips: &'static str,
    /// True if the feet are children of the root, as for inverse kinematics.
    pub has_loose_feet: bool,
    /// True if the rest pose is the first step of the clip. The figure is bound standing.
    pub rests_in_step: bool,
}

impl Default for Walker {
    fn default() -> Self {
        Self {
            thigh: 0.45,
            shin: 0.4,
            sole: 0.08,
            bone_of_back: 0.2,
            arms: 0.0,
            axes: Quat::IDENTITY,
            unit: 1.0,
            mover: Mover::Hips,
            root: Vec3::ZERO,
            hips: "Hips",
            has_loose_feet: false,
            rests_in_step: false,
        }
    }
}

/// Number of keys of the clip, which lasts one second.
const KEYS: usize = 17;

struct Joint {
    name: &'static str,
    /// Parent in the file, and the joint that this one follows as part of a limb.
    parent: Option<usize>,
    follows: Option<usize>,
    /// World position in the standing figure, metres.
    place: Vec3,
}

impl Walker {
    /// Returns the height of the hips above the feet.
    pub fn leg(&self) -> f32 {
        self.thigh + self.shin
    }

    fn joints(&self) -> Vec<Joint> {
        let hips_height = self.sole + self.leg();
        let at = |x: f32, y: f32| Vec3::new(x, y, 0.0);
        let back = |bones: f32| at(0.0, hips_height + bones * self.bone_of_back);
        let hand = Quat::from_rotation_z(-self.arms) * Vec3::X * 0.5;
        let joint = |name, parent, place| Joint { name, parent: Some(parent), follows: Some(parent), place };
        let mut joints = vec![Joint { name: "Root", parent: None, follows: None, place: self.root }];
        if self.mover == Mover::Carrier {
            joints.push(joint("Carrier", 0, at(0.0, 0.5 * hips_height)));
        }
        let hips = joints.len();
        joints.push(joint(self.hips, hips - 1, at(0.0, hips_height)));
        for (side, x) in [("L", 0.1), ("R", -0.1)] {
            let [thigh, shin, foot] =
                if side == "L" { ["Thigh.L", "Shin.L", "Foot.L"] } else { ["Thigh.R", "Shin.R", "Foot.R"] };
            let first = joints.len();
            joints.push(joint(thigh, hips, at(x, hips_height)));
            joints.push(joint(shin, first, at(x, self.sole + self.shin)));
            let parent = if self.has_loose_feet { 0 } else { first + 1 };
            joints.push(Joint { parent: Some(parent), ..joint(foot, first + 1, at(x, self.sole)) });
        }
        let spine = joints.len();
        joints.push(joint("Spine", hips, back(1.0)));
        joints.push(joint("Chest", spine, back(2.0)));
        joints.push(joint("Head", spine + 1, back(3.0)));
        for (arm, forearm, sign) in [("Arm.L", "Hand.L", 1.0), ("Arm.R", "Hand.R", -1.0)] {
            let first = joints.len();
            joints.push(joint(arm, spine + 1, back(2.0)));
            joints.push(joint(forearm, first, back(2.0) + hand * Vec3::new(sign, 1.0, 1.0)));
        }
        joints
    }

    /// Returns a joint's world rotation relative to standing. `phase` is the time in seconds.
    fn turn(name: &str, hips: Quat, phase: f32) -> Quat {
        let is_left = name.ends_with('L');
        let swing = (TAU * phase + if is_left { 0.0 } else { PI }).sin();
        let thigh = hips * Quat::from_rotation_x(-0.5 * swing);
        match name.split('.').next() {
            Some("Root" | "Carrier") => Quat::IDENTITY,
            Some("Thigh") => thigh,
            Some("Shin") => thigh * Quat::from_rotation_x(0.6 * (1.0 - swing)),
            Some("Arm" | "Hand") => hips * Quat::from_rotation_x(0.4 * swing),
            _ => hips,
        }
    }

    /// Returns world transforms of the joints. `phase` is the time in seconds: a foot is on the ground until 0.5 s, none afterwards.
    fn worlds(&self, joints: &[Joint], phase: f32) -> Vec<Affine3> {
        let leg = self.leg();
        let yaw = Quat::from_rotation_y(0.2 * (TAU * phase).sin());
        let mut worlds: Vec<Affine3> = Vec::with_capacity(joints.len());
        for joint in joints {
            let place = joint
                .follows
                .map_or(joint.place, |above| worlds[above].transform_point3(joint.place - joints[above].place));
            worlds.push(Affine3::from_rotation_translation(Self::turn(joint.name, yaw, phase), place));
        }
        let lowest = worlds.iter().zip(joints).filter(|(_, joint)| joint.name.starts_with("Foot"));
        let lowest = lowest.map(|(world, _)| world.translation.y).fold(f32::MAX, f32::min);
        let jump = 0.4 * leg * (TAU * phase).sin().min(0.0).abs();
        let moved = Vec3::new(0.0, self.sole - lowest + jump, 1.5 * leg * phase);
        let is_moved = |name: &str| name != "Root" || self.mover == Mover::Root;
        for (world, joint) in worlds.iter_mut().zip(joints) {
            world.translation += if is_moved(joint.name) { moved } else { Vec3::ZERO };
        }
        worlds
    }

    /// Creates the figure with its clip of one second. All joints of its skin are bound in the standing figure.
    pub fn rig(&self) -> Arc<Rig> {
        let joints = self.joints();
        let own = Affine3::from_scale_rotation_translation(Vec3::splat(self.unit), self.axes, Vec3::ZERO);
        let standing: Vec<Affine3> = joints.iter().map(|joint| Affine3::from_translation(joint.place)).collect();
        let locals = |worlds: &[Affine3]| -> Vec<Trs> {
            let above = |joint: &Joint| joint.parent.map_or(own, |parent| worlds[parent] * own);
            joints
                .iter()
                .zip(worlds)
                .map(|(joint, world)| Trs::from_affine(&(above(joint).inverse() * *world * own)))
                .collect()
        };
        let keys: Vec<Vec<Trs>> =
            (0..KEYS).map(|key| locals(&self.worlds(&joints, key as f32 / (KEYS - 1) as f32))).collect();
        let rest = if self.rests_in_step { keys[0].clone() } else { locals(&standing) };
        let armature = NodeDescription::new("Armature", vec![1], Trs::from_affine(&own));
        let nodes = joints.iter().enumerate().map(|(number, joint)| NodeDescription {
            name: joint.name.to_owned(),
            children: (0..joints.len()).filter(|&child| joints[child].parent == Some(number)).map(|c| c + 1).collect(),
            rest: rest[number],
            ..NodeDescription::default()
        });
        let hierarchy = Hierarchy::new(&[armature].into_iter().chain(nodes).collect::<Vec<_>>()).unwrap();
        let node = |number: usize| hierarchy.by_source(number + 1).unwrap();
        let times: Arc<[f32]> = (0..KEYS).map(|key| key as f32 / (KEYS - 1) as f32).collect();
        let channel = |number, property, values| Channel::linear(node(number), property, Arc::clone(&times), values);
        let of = |number: usize| keys.iter().map(move |key| key[number]);
        let turned = (0..joints.len())
            .map(|n| channel(n, Property::Rotation, of(n).flat_map(|local| local.rotation.to_array()).collect()));
        let moved = (0..joints.len())
            .map(|n| channel(n, Property::Translation, of(n).flat_map(|local| local.translation.to_array()).collect()));
        let clip = Clip {
            name: "walk".to_owned(),
            duration_secs: 1.0,
            channels: turned.chain(moved).collect(),
            ..Clip::default()
        };
        let inverse_bind = standing.iter().map(|world| (*world * own).inverse()).collect();
        let skin = Skin { joints: (0..joints.len()).map(node).collect(), inverse_bind, ..Skin::default() };
        Arc::new(Rig::new(RigData { hierarchy, skins: vec![skin], clips: vec![clip], ..RigData::default() }))
    }
}

/// Returns the axes of programs with +Z up.
pub fn z_up() -> Quat {
    Quat::from_rotation_x(-FRAC_PI_2)
}
