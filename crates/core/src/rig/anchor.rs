//! Support for rigs so far from the file's origin that single precision is too coarse (1 mm at 10 km). The world origin
//! of such a rig is an *anchor* near the rig ([`anchor_near`]). Node transforms are multiplied in double precision in
//! file coordinates. Only the results, relative to the anchor, are rounded to single precision.

use glam::{Affine3, DAffine3, DVec3, Vec3};

use super::{Bounds, Hierarchy, NodeIndex, Pose};

/// A rig gets an anchor if it is farther than this from the origin, in rig sizes. Nearer rigs keep 18 bits of
/// precision.
const FAR_SIZES: f64 = 64.0;
/// Minimum step of the grid on which anchors lie, in rig sizes. The grid is coarse so that edits to a file rarely
/// change its anchor.
const STEP_SIZES: f64 = 1.0;
/// Maximum number of grid steps from the origin to the anchor, so that the anchor is exact in single precision.
const MAX_STEPS: f64 = (1_u32 << 22) as f64;

impl Hierarchy {
    /// Converts a point from world space to file coordinates.
    pub fn in_file(&self, point: Vec3) -> DVec3 {
        if self.anchor() == DVec3::ZERO { point.as_dvec3() } else { point.as_dvec3() + self.anchor() }
    }

    /// Converts a point from file coordinates to world space; inverse of [`Self::in_file`].
    pub fn from_file(&self, point: DVec3) -> Vec3 {
        (point - self.anchor()).as_vec3()
    }

    /// Converts `world_from_x` to `file_from_x`, rounded to single precision.
    pub fn matrix_in_file(&self, matrix: Affine3) -> Affine3 {
        Affine3 { translation: self.in_file(matrix.translation).as_vec3(), ..matrix }
    }

    /// Converts `file_from_x`, such as a root's local transform, to `world_from_x`.
    pub fn matrix_from_file(&self, matrix: Affine3) -> Affine3 {
        Affine3 { translation: self.from_file(matrix.translation.as_dvec3()), ..matrix }
    }
}

pub(super) fn is_far(bounds: Bounds) -> bool {
    let (middle, size) = (bounds.center().as_dvec3(), f64::from(bounds.diagonal()));
    middle.is_finite() && size.is_finite() && middle.length() > FAR_SIZES * if size > 0.0 { size } else { 1.0 }
}

/// Computes the anchor of a rig from its centre (file coordinates) and its size, metres. The anchor is exact in single
/// precision.
pub(super) fn anchor_near(middle: DVec3, size: f64) -> DVec3 {
    let min_step = (STEP_SIZES * size).max(middle.length() / MAX_STEPS);
    let step = min_step.log2().ceil().exp2();
    let anchor = (middle / step).round() * step;
    if anchor.as_vec3().is_finite() { anchor } else { DVec3::ZERO }
}

/// Computes `W_j = W_p * A_j * Ul_j` in double precision, parents first. `clip_local` returns `A_j` in file
/// coordinates. Calls `placed` with `W_p * A_j` and `W_j` of each node, relative to the anchor.
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
