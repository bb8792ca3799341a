use std::sync::Arc;

use glam::{Affine3, DMat3, DQuat, DVec3, Mat3, Quat, Vec3, Vec4};

use super::stretch::SkinStretch;
use super::{DualQuat, Scaling};
use crate::rig::{NodeIndex, Posed, Rig, Skin, bones_of, polar_f64};

/// Skinning transform of one joint, in every form that methods blend. LBS reads the first of the three cache lines; DQS
/// reads the second and, if the joints' scales differ, the third.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct JointTransform {
    /// `T_j = W_j * IB_j`, world from skin.
    pub matrix: Affine3,
    padding: [f32; 4],
    /// Rigid part of `T_j`, `v -> R_j (v - S_j x_j) + T_j x_j`: phase 2 of DQS if the vertex stretches like the joint.
    pub rigid: DualQuat,
    /// `q_j x_j / 2`: amount by which the dual part of [`Self::motion_at_scale`] decreases per unit of scale.
    dual_per_scale: Vec4,
    /// `(T_j x_j) q_j / 2`: dual part of [`Self::motion_at_scale`] at scale 0.
    dual_at_zero: Vec4,
    /// Symmetric factor `S_j` of `T_j`; `scale` times the identity for uniform scale.
    pub stretch_axes: Mat3,
    stretch_offset: Vec3,
    /// `x_j`: bind position of the joint, skin space.
    pub bind_position: Vec3,
    /// `k_j`: mean scale, the cube root of `det T_j`; negative if mirrored.
    pub scale: f32,
}

impl JointTransform {
    /// Relative tolerance for a scale to count as uniform or as 1, because a chain of rotations accumulates rounding
    /// errors.
    const STRETCH_EPS: f64 = 4e-6;

    /// Decomposes `matrix` (`T_j`) about `bind_position` (skin space). *Source*: `docs/mathematics.md`, Dual quaternion
    /// skinning.
    pub fn new(matrix: Affine3, bind_position: Vec3) -> Self {
        let exact = matrix.as_daffine3();
        let (rotation, stretch) = polar_f64(exact.matrix3);
        let (scale, stretch) = Self::without_rounding(stretch);
        let bind = bind_position.as_dvec3();
        let bound = exact.transform_point3(bind);
        let dual = |v: DVec3| (DQuat::from_xyzw(v.x, v.y, v.z, 0.0) * rotation * 0.5).as_quat().into();
        Self {
            matrix,
            padding: [0.0; 4],
            rigid: DualQuat { real: rotation.as_quat().into(), dual: dual(bound - rotation * (stretch * bind)) },
            dual_per_scale: dual(rotation * bind),
            dual_at_zero: dual(bound),
            stretch_axes: stretch.as_mat3(),
            stretch_offset: (-(stretch * bind)).as_vec3(),
            bind_position,
            scale: scale as f32,
        }
    }

    /// Returns this transform followed by `on`, a motion in world space.
    #[must_use]
    pub fn carried(&self, on: Affine3) -> Self {
        Self::new(on * self.matrix, self.bind_position)
    }

    /// Replaces only the matrix `T_j`, not its other forms, for methods that blend matrices.
    #[must_use]
    pub fn with_matrix(self, matrix: Affine3) -> Self {
        Self { matrix, ..self }
    }

    /// Returns the mean scale and the stretch. Snaps a nearly uniform stretch to uniform, and a scale near 1 to 1.
    fn without_rounding(stretch: DMat3) -> (f64, DMat3) {
        let scale = f64::from(stretch.determinant().cbrt() as f32);
        if !stretch.abs_diff_eq(DMat3::IDENTITY * scale, Self::STRETCH_EPS * scale.abs()) {
            return (scale, stretch);
        }
        let scale = if (scale - 1.0).abs() <= Self::STRETCH_EPS { 1.0 } else { scale };
        (scale, DMat3::IDENTITY * scale)
    }

    /// Returns `v -> S_j (v - x_j)`, from skin space to skin space: phase 1 of DQS without the term `S_i x_j`.
    #[inline]
    pub fn stretch(&self) -> Affine3 {
        Affine3::from_mat3_translation(self.stretch_axes, self.stretch_offset)
    }

    /// Returns phase 2 of DQS in a skin space scaled by `scale`: `v -> R_j (v - scale x_j) + T_j x_j`, world from skin.
    #[inline]
    pub fn motion_at_scale(&self, scale: f32) -> DualQuat {
        DualQuat { dual: self.dual_at_zero - self.dual_per_scale * scale, ..self.rigid }
    }

    /// Computes phase 2 of DQS at a vertex: `v -> R_j (v - S_i x_j) + T_j x_j`, world from skin.
    #[inline]
    pub(super) fn motion_in(&self, skin: SkinStretch) -> DualQuat {
        match skin {
            SkinStretch::OfJoint => self.rigid,
            SkinStretch::Scale(scale) => self.motion_at_scale(scale),
            SkinStretch::Axes(axes) => {
                let bind = axes * self.bind_position;
                let moved = Quat::from_vec4(self.rigid.real) * Quat::from_vec4(bind.extend(0.0));
                DualQuat { dual: self.dual_at_zero - Vec4::from(moved) * 0.5, ..self.rigid }
            }
        }
    }

    /// Negates the quaternions; the motions stay the same.
    #[must_use]
    pub fn with_opposite_sign(self) -> Self {
        let Self { rigid, dual_per_scale, dual_at_zero, .. } = self;
        Self { rigid: -rigid, dual_per_scale: -dual_per_scale, dual_at_zero: -dual_at_zero, ..self }
    }

    fn scales_uniformly(&self) -> bool {
        self.stretch_axes == Mat3::from_diagonal(Vec3::splat(self.scale))
    }
}

/// Joint transforms of one mesh instance in a pose, ordered like `Skin::joints`.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// Transforms of the skin's joints; a single transform if there is no skin.
    pub joints: Vec<JointTransform>,
    /// Bone of each joint, world space: its head and its mean tail. Empty if the method needs no bones.
    pub bones: Vec<[Vec3; 2]>,
    scaling: Scaling,
}

impl Palette {
    fn renew(&mut self, rig: &Rig, skin: &Skin, posed: &Posed) {
        self.fill(rig, skin, posed, 0..skin.joints.len());
    }

    /// Computes the palette of some joints of a skin, given by their indices in `Skin::joints`.
    pub fn for_joints(rig: &Rig, skin: &Skin, posed: &Posed, joints: &[usize]) -> Self {
        let mut palette = Self::default();
        palette.fill(rig, skin, posed, joints.iter().copied());
        palette
    }

    /// Computes the palette of some joints with matrices only, for methods that blend matrices.
    pub fn without_bones(skin: &Skin, posed: &Posed, joints: &[usize]) -> Self {
        let still = JointTransform::new(Affine3::IDENTITY, Vec3::ZERO);
        let matrix = |&joint: &usize| posed.world_from_node[skin.joints[joint].index()] * skin.inverse_bind[joint];
        Self::from(joints.iter().map(|joint| still.with_matrix(matrix(joint))).collect::<Vec<_>>())
    }

    fn fill(&mut self, rig: &Rig, skin: &Skin, posed: &Posed, joints: impl Iterator<Item = usize> + Clone) {
        self.joints.clear();
        self.joints.extend(joints.clone().map(|joint| {
            let inverse_bind = &skin.inverse_bind[joint];
            let matrix = posed.world_from_node[skin.joints[joint].index()] * *inverse_bind;
            JointTransform::new(matrix, bind_position(inverse_bind))
        }));
        self.scaling = scaling(&self.joints);
        self.bones.clear();
        self.bones.extend(joints.map(|joint| node_bone(rig, posed, skin.joints[joint])));
    }

    /// Creates the palette of a rigid instance.
    pub fn rigid(world_from_model: Affine3) -> Self {
        let mut palette = Self::default();
        palette.become_rigid(world_from_model);
        palette
    }

    fn become_rigid(&mut self, world_from_model: Affine3) {
        self.joints.clear();
        self.joints.push(JointTransform::new(world_from_model, Vec3::ZERO));
        self.scaling = scaling(&self.joints);
        self.bones.clear();
    }

    /// Sets the bone of each joint.
    #[must_use]
    pub fn with_bones(self, bones: Vec<[Vec3; 2]>) -> Self {
        Self { bones, ..self }
    }

    /// Returns the scale class of the joints, which determines the cost of DQS.
    pub fn scaling(&self) -> Scaling {
        self.scaling
    }

    /// Returns whether any joint mirrors, which reverses the winding of its triangles.
    pub fn mirrors(&self) -> bool {
        self.joints.iter().any(|j| j.matrix.matrix3.determinant() < 0.0)
    }
}

impl From<Vec<JointTransform>> for Palette {
    fn from(joints: Vec<JointTransform>) -> Self {
        Self { scaling: scaling(&joints), joints, bones: Vec::new() }
    }
}

fn scaling(joints: &[JointTransform]) -> Scaling {
    let scale = joints.first().map_or(1.0, |joint| joint.scale);
    let is_near = |other: f32| f64::from((other - scale).abs()) <= JointTransform::STRETCH_EPS * f64::from(scale.abs());
    if !joints.iter().all(JointTransform::scales_uniformly) {
        Scaling::NonUniform
    } else if joints.iter().all(|joint| is_near(joint.scale)) {
        Scaling::Uniform(scale)
    } else {
        Scaling::ByJoint
    }
}

/// Returns a node's position and the mean tail of its bones ([`bones_of`]), world space. Without bones, both entries
/// are the position.
fn node_bone(rig: &Rig, posed: &Posed, node: NodeIndex) -> [Vec3; 2] {
    let head = posed.world_from_node[node.index()].translation;
    let (sum, count) =
        bones_of(rig, posed, node).fold((Vec3::ZERO, 0.0), |(sum, count), bone| (sum + bone.tail, count + 1.0));
    [head, if count > 0.0 { sum / count } else { head }]
}

/// Returns the bind position `x_j`, the translation of the inverse of `IB_j`; the origin if `IB_j` is singular.
fn bind_position(inverse_bind: &Affine3) -> Vec3 {
    let bind = inverse_bind.as_daffine3().inverse();
    let position = bind.translation.as_vec3();
    if position.is_finite() { position } else { Vec3::ZERO }
}

/// A posed rig, the input of skinning.
#[derive(Clone, Copy, Debug)]
pub struct SkinPose<'a> {
    /// World matrices and morph weights.
    pub posed: &'a Posed,
    /// Palettes of `posed`, one per mesh instance, from [`palettes`].
    pub palettes: &'a [Arc<Palette>],
}

/// Computes the palette of each mesh instance, in the order of `Rig::instances`. Instances with the same skin share one
/// palette.
pub fn palettes(rig: &Rig, posed: &Posed) -> Vec<Arc<Palette>> {
    let mut palettes = Vec::new();
    palettes_into(rig, posed, &mut Vec::new(), &mut palettes);
    palettes
}

/// Like [`palettes`], reusing buffers: allocates nothing if the last pose was of the same rig and its palettes are not
/// held elsewhere. `distinct` receives the palettes of skins, then the palettes of instances without a skin.
pub fn palettes_into(rig: &Rig, posed: &Posed, distinct: &mut Vec<Arc<Palette>>, palettes: &mut Vec<Arc<Palette>>) {
    palettes.clear();
    let rigid = rig.instances.iter().filter(|instance| instance.skin.is_none());
    distinct.resize_with(rig.skins.len() + rigid.clone().count(), Arc::default);
    let (of_skins, of_rigid) = distinct.split_at_mut(rig.skins.len());
    for (palette, skin) in of_skins.iter_mut().zip(&rig.skins) {
        unshared(palette).renew(rig, skin, posed);
    }
    for (palette, instance) in of_rigid.iter_mut().zip(rigid) {
        unshared(palette).become_rigid(posed.world_from_node[instance.node.index()]);
    }
    let mut of_rigid = of_rigid.iter();
    palettes.extend(rig.instances.iter().filter_map(|instance| match instance.skin {
        Some(skin) => of_skins.get(skin).cloned(),
        None => of_rigid.next().cloned(),
    }));
}

/// Returns mutable access to a palette. If the palette is shared, first replaces it with an empty palette.
fn unshared(palette: &mut Arc<Palette>) -> &mut Palette {
    if Arc::get_mut(palette).is_none() {
        *palette = Arc::default();
    }
    Arc::make_mut(palette)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::on_one_node;
    use crate::rig::{Pose, evaluate};

    #[test]
    fn instances_of_a_skin_share_its_palette_and_another_pose_reuses_the_memory() {
        let rig = Rig::new(on_one_node(vec![Vec::new()], &[Some(1), None, Some(1), Some(0)].map(|skin| (0, skin))));
        let posed = evaluate(&rig, None, &Pose::rest(&rig.hierarchy));
        let (mut distinct, mut palettes) = (Vec::new(), Vec::new());
        palettes_into(&rig, &posed, &mut distinct, &mut palettes);
        assert_eq!((palettes.len(), distinct.len()), (4, 3));
        assert!(Arc::ptr_eq(&palettes[0], &palettes[2]) && !Arc::ptr_eq(&palettes[0], &palettes[3]));
        let before: Vec<*const Palette> = palettes.iter().map(Arc::as_ptr).collect();
        palettes_into(&rig, &posed, &mut distinct, &mut palettes);
        assert_eq!(palettes.iter().map(Arc::as_ptr).collect::<Vec<_>>(), before);
        // Palettes held elsewhere must not change.
        let kept = palettes.clone();
        palettes_into(&rig, &posed, &mut distinct, &mut palettes);
        assert!(palettes.iter().zip(&kept).all(|(new, old)| !Arc::ptr_eq(new, old)));
    }
}
