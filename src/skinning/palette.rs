//! The palette: everything that skinning needs of each joint, once per frame.

use glam::{Affine3, Mat3, Vec3};

use super::DualQuat;
use crate::rig::{Posed, Rig, Skin, bones, polar};

/// One joint's skinning transform in the forms that the methods blend.
///
/// Two cache lines: linear blending reads the first, the blending of rigid motions the second.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct JointTransform {
    /// `T_j = W_j * IB_j`, world from skin.
    pub matrix: Affine3,
    /// Scale and shear of `T_j` about the joint's bind position, skin to skin: phase 1 of DQS.
    pub stretch: Affine3,
    /// The rigid rest of `T_j`, world from skin: phase 2 of DQS.
    pub rigid: DualQuat,
}

impl JointTransform {
    /// A stretch nearer to none than this is what rounding leaves along a chain of joints that only turn.
    const STRETCH_EPS: f32 = 4e-6;

    /// Splits `T_j` about `bind_position` (skin space).
    pub fn new(matrix: Affine3, bind_position: Vec3) -> Self {
        let (rotation, stretch) = polar(matrix.matrix3);
        let stretch = if stretch.abs_diff_eq(Mat3::IDENTITY, Self::STRETCH_EPS) { Mat3::IDENTITY } else { stretch };
        let moved = matrix.transform_point3(bind_position);
        Self {
            matrix,
            stretch: Affine3::from_mat3_translation(stretch, bind_position - stretch * bind_position),
            rigid: DualQuat::from_rotation_translation(rotation, moved - rotation * bind_position),
        }
    }
}

/// The joints of one mesh instance, ordered like `Skin::joints`.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// One per joint of the skin; a single one for an instance without a skin.
    pub joints: Vec<JointTransform>,
    /// One per joint of the skin, or none: both ends of its bone, world space. With several children it ends in their middle.
    pub bones: Vec<[Vec3; 2]>,
}

impl Palette {
    /// The palette of a skin in a pose; `bones` of each node, see [`node_bones`].
    fn of_skin(skin: &Skin, posed: &Posed, bones: &[[Vec3; 2]]) -> Self {
        let joints = skin
            .joints
            .iter()
            .zip(&skin.inverse_bind)
            .map(|(joint, inverse_bind)| {
                let matrix = posed.world_from_node[joint.index()] * *inverse_bind;
                JointTransform::new(matrix, bind_position(inverse_bind))
            })
            .collect();
        Self { joints, bones: skin.joints.iter().map(|joint| bones[joint.index()]).collect() }
    }

    /// The palette of an instance that one node moves as a whole.
    pub fn rigid(world_from_model: Affine3) -> Self {
        Self::from(vec![JointTransform::new(world_from_model, Vec3::ZERO)])
    }

    /// True where no joint scales or shears, so that DQS needs its second phase only.
    pub fn is_rigid(&self) -> bool {
        self.joints.iter().all(|j| j.stretch == Affine3::IDENTITY)
    }

    /// True where some joint mirrors, which turns the winding of its triangles.
    pub fn mirrors(&self) -> bool {
        self.joints.iter().any(|j| j.matrix.matrix3.determinant() < 0.0)
    }
}

/// Joints whose bones nobody asks for.
impl From<Vec<JointTransform>> for Palette {
    fn from(joints: Vec<JointTransform>) -> Self {
        Self { joints, bones: Vec::new() }
    }
}

/// One bone per node, from the node to the middle of the ends of what [`bones`] has of it; a mere point for a node without any.
fn node_bones(rig: &Rig, posed: &Posed) -> Vec<[Vec3; 2]> {
    let mut ends = vec![(Vec3::ZERO, 0.0); posed.world_from_node.len()];
    for bone in bones(rig, posed) {
        let (sum, count) = &mut ends[bone.joint.index()];
        *sum += bone.tail;
        *count += 1.0;
    }
    let heads = posed.world_from_node.iter().map(|world| world.translation);
    heads.zip(ends).map(|(head, (sum, count))| [head, if count > 0.0 { sum / count } else { head }]).collect()
}

/// `x_j`, the translation of `B_j`; the origin where `IB_j` is singular.
fn bind_position(inverse_bind: &Affine3) -> Vec3 {
    let bind = inverse_bind.as_daffine3().inverse();
    let position = bind.translation.as_vec3();
    if position.is_finite() { position } else { Vec3::ZERO }
}

/// The palette of each mesh instance, in the order of `Rig::instances`.
pub fn palettes(rig: &Rig, posed: &Posed) -> Vec<Palette> {
    let bones = node_bones(rig, posed);
    let by_skin: Vec<Palette> = rig.skins.iter().map(|s| Palette::of_skin(s, posed, &bones)).collect();
    rig.instances
        .iter()
        .map(|instance| match instance.skin {
            Some(skin) => by_skin[skin].clone(),
            None => Palette::rigid(posed.world_from_node[instance.node.index()]),
        })
        .collect()
}
