//! Rigs far from the origin of their file, where single precision has no digits left for what is small.
//!
//! Ten kilometres out it knows steps of a millimetre. So the world of such a rig begins at an *anchor* near it ([`anchor`]): the nodes are chained in double
//! precision as the file has them, and what is rounded to single precision is the distance from the anchor. Everything that follows, on either processor, works with small numbers.

use glam::{Affine3, DAffine3, DVec3, Vec3};

use super::{Bounds, Hierarchy, NodeIndex, Pose};

/// Distance of a rig's middle from the origin, in sizes of the rig, from which it counts as far: single precision then has 18 bits for it.
const FAR_SIZES: f64 = 64.0;
/// Step of anchors, in sizes of the rig, at least: a changed file mostly keeps its anchor, and what is posed stays near it.
const STEP_SIZES: f64 = 1.0;
/// Steps from the origin to an anchor, at most: single precision holds it exactly.
const MOST_STEPS: f64 = (1_u32 << 22) as f64;

impl Hierarchy {
    /// A point of world space in the coordinates of the file.
    pub fn in_file(&self, point: Vec3) -> DVec3 {
        if self.anchor() == DVec3::ZERO { point.as_dvec3() } else { point.as_dvec3() + self.anchor() }
    }

    /// A point in the coordinates of the file in world space: the inverse of [`Self::in_file`].
    pub fn from_file(&self, point: DVec3) -> Vec3 {
        (point - self.anchor()).as_vec3()
    }

    /// A matrix to world space as one to the coordinates of the file, as far as single precision holds them.
    pub fn matrix_in_file(&self, matrix: Affine3) -> Affine3 {
        Affine3 { translation: self.in_file(matrix.translation).as_vec3(), ..matrix }
    }

    /// A matrix to the coordinates of the file, as that of a root is, as one to world space.
    pub fn matrix_from_file(&self, matrix: Affine3) -> Affine3 {
        Affine3 { translation: self.from_file(matrix.translation.as_dvec3()), ..matrix }
    }
}

/// True for a rig far from the origin of its file's world, by its bounds there.
pub(super) fn is_far(bounds: Bounds) -> bool {
    let (middle, size) = (bounds.center().as_dvec3(), f64::from(bounds.diagonal()));
    middle.is_finite() && size.is_finite() && middle.length() > FAR_SIZES * if size > 0.0 { size } else { 1.0 }
}

/// Anchor of a rig by its middle, in the world of its file, and its size, metres; exact in single precision.
pub(super) fn anchor(middle: DVec3, size: f64) -> DVec3 {
    let least = (STEP_SIZES * size).max(middle.length() / MOST_STEPS);
    let step = least.log2().ceil().exp2();
    let anchor = (middle / step).round() * step;
    if anchor.as_vec3().is_finite() { anchor } else { DVec3::ZERO }
}

/// `W_j = W_p * A_j * Ul_j` in double precision, parents first; `placed` is called with `W_p * A_j` and `W_j` of each node, from the anchor.
///
/// `clip_local` is `A_j`, in the file's own coordinates.
pub(super) fn far_kinematics(
    hierarchy: &Hierarchy,
    clip_local: impl Fn(NodeIndex) -> DAffine3,
    pose: &Pose,
    mut placed: impl FnMut(NodeIndex, Affine3, Affine3),
) {
    let mut world: Vec<DAffine3> = Vec::with_capacity(hierarchy.len());
    let from_anchor = |mut matrix: DAffine3| {
        matrix.translation -= hierarchy.anchor();
        matrix.as_affine3()
    };
    for node in hierarchy.nodes() {
        let local = clip_local(node);
        let before = hierarchy.parent(node).map_or(local, |parent| world[parent.index()] * local);
        let moved = pose.user_matrix(node).map_or(before, |user| before * user.as_daffine3());
        placed(node, from_anchor(before), from_anchor(moved));
        world.push(moved);
    }
}
