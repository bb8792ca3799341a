//! Telling poses of the built-in characters.

use glam::{Quat, Vec3};

use super::BuiltIn;
use crate::rig::{Hierarchy, NodeIndex, Pose, Trs};
use crate::skinning::Method;

/// What skinning does to a joint, in one pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShowMe {
    /// A tube twisted by 170° with LBS.
    CandyWrapper,
    /// An elbow bent far with LBS.
    ElbowCollapse,
    /// A tube bent far with DQS.
    DqsBulge,
}

impl ShowMe {
    /// All, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::CandyWrapper, Self::ElbowCollapse, Self::DqsBulge];

    /// In the menu.
    pub fn label(self) -> &'static str {
        match self {
            Self::CandyWrapper => "Candy wrapper",
            Self::ElbowCollapse => "Elbow collapse",
            Self::DqsBulge => "DQS bulge",
        }
    }

    /// What is to be seen.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::CandyWrapper => {
                "Candy wrapper: the tube is twisted by 170°. The mean of two opposite rotation matrices is nearly zero, so LBS \
                 shrinks the middle to cos 85° = 9 % of its radius. Press M: DQS keeps it."
            }
            Self::ElbowCollapse => {
                "Elbow collapse: the left elbow is bent by 130°. LBS takes volume from the inside of the bend, because the mean of \
                 two rotations is shorter than either. Press M to compare with DQS."
            }
            Self::DqsBulge => {
                "DQS bulge: the tube is bent by 120°. DQS moves skin on arcs about the joint, so the outside of the bend swells \
                 where it should be tight. Press M: LBS does not, but collapses."
            }
        }
    }

    /// The character that shows it.
    pub fn character(self) -> BuiltIn {
        match self {
            Self::CandyWrapper | Self::DqsBulge => BuiltIn::Tube,
            Self::ElbowCollapse => BuiltIn::Figure,
        }
    }

    /// The method that shows it.
    pub fn method(self) -> Method {
        match self {
            Self::CandyWrapper | Self::ElbowCollapse => Method::Lbs,
            Self::DqsBulge => Method::Dqs,
        }
    }

    /// The joint that is turned, about which local axis, by how many degrees.
    fn turn(self) -> (&'static str, Vec3, f32) {
        match self {
            Self::CandyWrapper => ("Middle", Vec3::X, 170.0),
            Self::ElbowCollapse => ("LeftLowerArm", Vec3::X, 130.0),
            Self::DqsBulge => ("Middle", Vec3::Z, 120.0),
        }
    }

    /// The joint that is turned.
    pub fn joint(self, hierarchy: &Hierarchy) -> Option<NodeIndex> {
        let name = self.turn().0;
        hierarchy.nodes().find(|&n| hierarchy.name(n) == name)
    }

    /// The pose for its character.
    pub fn pose(self, hierarchy: &Hierarchy) -> Pose {
        let mut pose = Pose::rest(hierarchy);
        let (_, axis, degrees) = self.turn();
        if let Some(joint) = self.joint(hierarchy) {
            let rotation = Quat::from_axis_angle(axis, degrees.to_radians());
            pose.set_user_local(joint, Trs::from_rotation(rotation));
        }
        pose
    }
}
