//! Products of the vectors and matrices of materials that cannot overflow, whatever numbers the file has.

use std::ops::Mul as _;

use glam::{Affine2, Vec3};

/// The transform that applies `second` and then `first`.
pub(super) fn product(first: &Affine2, second: &Affine2) -> Affine2 {
    first.mul(*second)
}

pub(super) fn scaled(color: Vec3, factor: f32) -> Vec3 {
    color.mul(factor)
}
