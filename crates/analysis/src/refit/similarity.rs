use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};

use rigscope_core::rig::polar_f64;

/// A rotation, a uniform scale and a translation, in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Similarity {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: f64,
}

/// Relative difference up to which scale factors count as equal.
const EVEN: f32 = 1e-5;

impl Similarity {
    pub(super) const IDENTITY: Self = Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: 1.0 };

    pub(super) fn from_scale(scale: f64) -> Self {
        Self { scale, ..Self::IDENTITY }
    }

    pub(super) fn from_rotation(rotation: DQuat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// Decomposes a matrix. `None` if its scale is uneven or mirrored, or a number is not finite.
    pub(super) fn from_affine(matrix: &DAffine3) -> Option<Self> {
        const EVEN: f64 = 1e-3;
        let (rotation, stretch) = polar_f64(matrix.matrix3);
        let factors = DVec3::new(stretch.x_axis.x, stretch.y_axis.y, stretch.z_axis.z);
        let scale = factors.element_sum() / 3.0;
        let is_even = factors.is_finite() && scale > 0.0 && (factors - scale).abs().max_element() <= EVEN * scale;
        is_even.then_some(Self { translation: matrix.translation, rotation, scale })
    }

    pub(super) fn inverse(self) -> Self {
        let (rotation, scale) = (self.rotation.conjugate(), self.scale.recip());
        Self { translation: rotation * (-self.translation * scale), rotation, scale }
    }

    pub(super) fn then(self, inner: Self) -> Self {
        Self {
            translation: self.point(inner.translation),
            rotation: (self.rotation * inner.rotation).normalize(),
            scale: self.scale * inner.scale,
        }
    }

    pub(super) fn is_identity(self) -> bool {
        self == Self::IDENTITY
    }

    pub(super) fn turns(self) -> bool {
        self.rotation != DQuat::IDENTITY
    }

    pub(super) fn affine(self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(DVec3::splat(self.scale), self.rotation, self.translation)
    }

    pub(super) fn point(self, point: DVec3) -> DVec3 {
        self.translation + self.offset(point)
    }

    /// Transforms a difference of two points.
    pub(super) fn offset(self, offset: DVec3) -> DVec3 {
        self.rotation * (offset * self.scale)
    }

    pub(super) fn turned(self, rotation: Quat) -> DQuat {
        self.rotation * rotation.as_dquat()
    }
}

/// Returns whether all three scale factors are equal and positive, up to rounding.
pub(super) fn is_even(scale: Vec3) -> bool {
    scale.min_element() > 0.0 && scale.max_element() - scale.min_element() <= EVEN * scale.max_element()
}
