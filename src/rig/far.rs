//! Rigs far from the origin of their file, where single precision has no digits left for what is small.
//!
//! Ten kilometres out, single precision has steps of a millimetre. So the world of such a rig begins at an *anchor* near it ([`anchor`]): node
//! transforms are multiplied in double precision, in the file's coordinates, and only the offset from the anchor is rounded to single precision.
//! Everything after that, on CPU and GPU, works with small numbers.

use glam::{Affine3, DAffine3, DVec3, Vec3};

use super::{Bounds, Hierarchy, NodeIndex, Pose};

/// Distance of a rig's middle from the origin, in sizes of the rig, from which it counts as far. Single precision then leaves 18 bits for the rig.
const FAR_SIZES: f64 = 64.0;
/// Least step between anchors, in sizes of the rig: a changed file mostly keeps its anchor, and the rig stays near it.
const STEP_SIZES: f64 = 1.0;
/// Most steps from the origin to an anchor, so that single precision holds the anchor exactly.
const MAX_STEPS: f64 = (1_u32 << 22) as f64;

impl Hierarchy {
    /// A point in world space, in the coordinates of the file.
    pub fn in_file(&self, point: Vec3) -> DVec3 {
        if self.anchor() == DVec3::ZERO { point.as_dvec3() } else { point.as_dvec3() + self.anchor() }
    }

    /// A point in the coordinates of the file, in world space: the inverse of [`Self::in_file`].
    pub fn from_file(&self, point: DVec3) -> Vec3 {
        (point - self.anchor()).as_vec3()
    }

    /// A matrix into world space, as one into the coordinates of the file, as exact as single precision allows.
    pub fn matrix_in_file(&self, matrix: Affine3) -> Affine3 {
        Affine3 { translation: self.in_file(matrix.translation).as_vec3(), ..matrix }
    }

    /// A matrix into the coordinates of the file, such as that of a root, as one into world space.
    pub fn matrix_from_file(&self, matrix: Affine3) -> Affine3 {
        Affine3 { translation: self.from_file(matrix.translation.as_dvec3()), ..matrix }
    }
}

/// True for a rig far from the origin of its file, by its bounds in the file's coordinates.
pub(super) fn is_far(bounds: Bounds) -> bool {
    let (middle, size) = (bounds.center().as_dvec3(), f64::from(bounds.diagonal()));
    middle.is_finite() && size.is_finite() && middle.length() > FAR_SIZES * if size > 0.0 { size } else { 1.0 }
}

/// Anchor of a rig, by its middle in the file's coordinates and its size, metres; exact in single precision.
pub(super) fn anchor(middle: DVec3, size: f64) -> DVec3 {
    let least = (STEP_SIZES * size).max(middle.length() / MAX_STEPS);
    let step = least.log2().ceil().exp2();
    let anchor = (middle / step).round() * step;
    if anchor.as_vec3().is_finite() { anchor } else { DVec3::ZERO }
}

/// `W_j = W_p * A_j * Ul_j` in double precision, parents first. `placed` is called with each node's `W_p * A_j` and `W_j`, relative to the anchor.
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
