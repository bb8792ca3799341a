//! Multiplies material vectors and matrices without panicking on overflow.

use std::ops::Mul as _;

use glam::{Affine2, Vec3};

/// Returns the transform that applies `second`, then `first`.
pub(super) fn product(first: &Affine2, second: &Affine2) -> Affine2 {
    first.mul(*second)
}

pub(super) fn scaled(color: Vec3, factor: f32) -> Vec3 {
    color.mul(factor)
}
