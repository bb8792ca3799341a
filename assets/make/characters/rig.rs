//! Joints with rest transforms, their mirror images, and forward kinematics for clips and inverse bind matrices.

use glam::{DMat3, DQuat, DVec3};

use super::math::{axes_along, quat_from_axes, quat_mul, rotate, unit_quat};

/// A joint as stored in the file, with its transform relative to the parent.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Node name.
    pub name: String,
    /// Index of the parent, which is always less than the joint's own index.
    pub parent: Option<usize>,
    /// Translation relative to the parent, metres.
    pub translation: DVec3,
    /// Rotation relative to the parent, unit quaternion.
    pub rotation: DQuat,
}

/// Position and rotation of a joint in model space.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Position, metres.
    pub position: DVec3,
    /// Rotation from joint to model space, unit quaternion.
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
    /// Adds a joint at a position in model space. Local +Y points along `along`, local +Z close to `front`.
    pub fn add(&mut self, name: &str, parent: Option<usize>, position: DVec3, along: DVec3, front: DVec3) -> usize {
        self.add_turned(name, parent, position, &axes_along(along, front))
    }

    /// Adds a joint with these axes, given in model space.
    pub fn add_turned(&mut self, name: &str, parent: Option<usize>, position: DVec3, axes: &DMat3) -> usize {
        let rotation = quat_from_axes(axes);
        let local = self.localize(parent, Place { position, rotation });
        self.push(Joint { name: name.to_owned(), parent, translation: local.position, rotation: local.rotation })
    }

    /// Adds the mirror image of joint `left`, as a child of the mirror image of its parent.
    pub fn add_mirrored(&mut self, left: usize) -> usize {
        let joint = self.joints[left].clone();
        let name = joint.name.replacen("Left", "Right", 1);
        let parent = joint.parent.map(|p| self.mirrored_joint(p));
        let (t, r) = (joint.translation, joint.rotation);
        self.push(Joint {
            name,
            parent,
            translation: DVec3::new(-t.x, t.y, t.z),
            rotation: DQuat::from_xyzw(r.x, -r.y, -r.z, r.w),
        })
    }

    /// Returns the mirror image of a joint; a joint on the mirror plane is its own.
    pub fn mirrored_joint(&self, joint: usize) -> usize {
        let name = &self.joints[joint].name;
        let other = if name.starts_with("Left") {
            name.replacen("Left", "Right", 1)
        } else {
            name.replacen("Right", "Left", 1)
        };
        self.find(&other)
    }

    /// Returns the index of a joint. Panics if there is none, because all names are constants of this program.
    pub fn find(&self, name: &str) -> usize {
        let found = self.joints.iter().position(|j| j.name == name);
        found.unwrap_or_else(|| panic!("the rig has no joint {name}"))
    }

    /// Returns the rest position and rotation of a joint in model space.
    pub fn place(&self, joint: usize) -> Place {
        self.places[joint]
    }

    /// Converts a transform from model space to the space of a parent.
    fn localize(&self, parent: Option<usize>, world: Place) -> Place {
        let Some(parent) = parent else { return world };
        let above = self.places[parent];
        let back = above.rotation.conjugate();
        Place {
            position: rotate(back, world.position - above.position),
            rotation: unit_quat(quat_mul(back, world.rotation)),
        }
    }

    /// Adds a joint, rounded to f32 as in the file, so that inverse bind matrices match the stored transforms.
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

/// Returns a child's position and rotation in model space, from those of its parent and its local transform.
pub fn below(parent: Place, translation: DVec3, rotation: DQuat) -> Place {
    Place {
        position: parent.position + rotate(parent.rotation, translation),
        // Normalises at each level, because the rounding of the file would accumulate along the chain.
        rotation: unit_quat(quat_mul(parent.rotation, rotation)),
    }
}
