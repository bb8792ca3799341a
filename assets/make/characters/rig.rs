//! Joints with their rest transforms, mirrored pairs, and forward kinematics for the clips and the inverse binds.

use glam::{DMat3, DQuat, DVec3};

use super::math::{axes_along, quat_from_axes, quat_mul, rotate, unit_quat};

/// A joint as the file stores it: transform relative to the parent joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Node name.
    pub name: String,
    /// Index of the parent, always smaller than the joint's own.
    pub parent: Option<usize>,
    /// Metres, relative to the parent.
    pub translation: DVec3,
    /// Unit quaternion, relative to the parent.
    pub rotation: DQuat,
}

/// Where a joint is in the model.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Metres.
    pub position: DVec3,
    /// Unit quaternion, model from joint.
    pub rotation: DQuat,
}

/// Joints, parents first.
#[derive(Clone, Default)]
pub struct Rig {
    /// The joints.
    pub joints: Vec<Joint>,
    places: Vec<Place>,
}

impl Rig {
    /// Adds a joint at a place in the model; local +Y will point along `along`, local +Z near `front`.
    pub fn add(&mut self, name: &str, parent: Option<usize>, position: DVec3, along: DVec3, front: DVec3) -> usize {
        self.add_turned(name, parent, position, &axes_along(along, front))
    }

    /// Adds a joint with the given axes.
    pub fn add_turned(&mut self, name: &str, parent: Option<usize>, position: DVec3, axes: &DMat3) -> usize {
        let rotation = quat_from_axes(axes);
        let local = self.localize(parent, Place { position, rotation });
        self.push(Joint { name: name.to_owned(), parent, translation: local.position, rotation: local.rotation })
    }

    /// Adds the mirror image of joint `left`; its parent is the mirror image of the parent.
    pub fn add_mirrored(&mut self, left: usize) -> usize {
        let joint = self.joints[left].clone();
        let name = joint.name.replacen("Left", "Right", 1);
        let parent = joint.parent.map(|p| self.mirror_of(p));
        let (t, r) = (joint.translation, joint.rotation);
        self.push(Joint {
            name,
            parent,
            translation: DVec3::new(-t.x, t.y, t.z),
            rotation: DQuat::from_xyzw(r.x, -r.y, -r.z, r.w),
        })
    }

    /// The joint on the other side; a joint on the mirror plane is its own.
    pub fn mirror_of(&self, joint: usize) -> usize {
        let name = &self.joints[joint].name;
        let other = if name.starts_with("Left") {
            name.replacen("Left", "Right", 1)
        } else {
            name.replacen("Right", "Left", 1)
        };
        self.find(&other)
    }

    /// Index of a joint by name; the names are this program's own, so a wrong one is a mistake in it.
    pub fn find(&self, name: &str) -> usize {
        let found = self.joints.iter().position(|j| j.name == name);
        found.unwrap_or_else(|| panic!("the rig has no joint {name}"))
    }

    /// Where a joint rests in the model.
    pub fn place(&self, joint: usize) -> Place {
        self.places[joint]
    }

    /// Turns a place in the model into one relative to a parent.
    fn localize(&self, parent: Option<usize>, world: Place) -> Place {
        let Some(parent) = parent else { return world };
        let above = self.places[parent];
        let back = above.rotation.conjugate();
        Place {
            position: rotate(back, world.position - above.position),
            rotation: unit_quat(quat_mul(back, world.rotation)),
        }
    }

    /// Rounds to what the file can hold, so that the inverse binds are those of the stored transforms.
    fn push(&mut self, joint: Joint) -> usize {
        let round = |x: f64| f64::from(x as f32);
        let (t, r) = (joint.translation, joint.rotation);
        let joint = Joint {
            translation: DVec3::new(round(t.x), round(t.y), round(t.z)),
            rotation: DQuat::from_xyzw(round(r.x), round(r.y), round(r.z), round(r.w)),
            ..joint
        };
        self.places.push(match joint.parent {
            None => Place { position: joint.translation, rotation: unit_quat(joint.rotation) },
            Some(p) => below(self.places[p], joint.translation, joint.rotation),
        });
        self.joints.push(joint);
        self.joints.len() - 1
    }
}

/// The place of a child from its parent's and its own local transform.
pub fn below(parent: Place, translation: DVec3, rotation: DQuat) -> Place {
    Place {
        position: parent.position + rotate(parent.rotation, translation),
        // Normalised at each level: the file's rounding would grow along the chain.
        rotation: unit_quat(quat_mul(parent.rotation, rotation)),
    }
}
