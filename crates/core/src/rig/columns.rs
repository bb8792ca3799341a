use std::ops::Mul;

use glam::{Affine3, Mat3, Vec3, Vec4, Vec4Swizzles};

/// Columns of an [`Affine3`], padded with zeros that remain zero in products. [`glam::Affine3A`] has arbitrary padding,
/// which becomes denormal in a chain of products, and multiplying denormals is many times slower.
#[derive(Clone, Copy)]
pub(super) struct PaddedColumns {
    x: Vec4,
    y: Vec4,
    z: Vec4,
    translation: Vec4,
}

impl PaddedColumns {
    pub(super) const IDENTITY: Self = Self { x: Vec4::X, y: Vec4::Y, z: Vec4::Z, translation: Vec4::ZERO };

    #[inline]
    fn turned(&self, vector: Vec3) -> Vec4 {
        self.x * vector.x + self.y * vector.y + self.z * vector.z
    }

    #[inline]
    fn combined(&self, shares: Vec4) -> Vec4 {
        self.x * shares.xxxx() + self.y * shares.yyyy() + self.z * shares.zzzz()
    }

    #[inline]
    fn placed(&self, vector: Vec4) -> Vec4 {
        vector + self.translation
    }

    #[inline]
    fn moved(&self, point: Vec3) -> Vec4 {
        self.placed(self.turned(point))
    }
}

impl Mul<&Affine3> for PaddedColumns {
    type Output = Self;

    #[inline]
    fn mul(self, rhs: &Affine3) -> Self {
        let Mat3 { x_axis, y_axis, z_axis } = rhs.matrix3;
        let [x, y, z] = [x_axis, y_axis, z_axis].map(|column| self.turned(column));
        Self { x, y, z, translation: self.moved(rhs.translation) }
    }
}

impl Mul for PaddedColumns {
    type Output = Self;

    #[inline]
    fn mul(self, rhs: Self) -> Self {
        let [x, y, z, moved] = [rhs.x, rhs.y, rhs.z, rhs.translation].map(|column| self.combined(column));
        Self { x, y, z, translation: self.placed(moved) }
    }
}

impl From<&Affine3> for PaddedColumns {
    #[inline]
    fn from(matrix: &Affine3) -> Self {
        let Mat3 { x_axis, y_axis, z_axis } = matrix.matrix3;
        let [x, y, z, translation] = [x_axis, y_axis, z_axis, matrix.translation].map(|column| column.extend(0.0));
        Self { x, y, z, translation }
    }
}

impl From<PaddedColumns> for Affine3 {
    #[inline]
    fn from(columns: PaddedColumns) -> Self {
        let [x, y, z] = [columns.x, columns.y, columns.z].map(Vec4::truncate);
        Self { matrix3: Mat3::from_cols(x, y, z), translation: columns.translation.truncate() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn products_are_those_of_glam_and_the_padding_stays_zero() {
        let a = Affine3::from_scale_rotation_translation(
            Vec3::new(0.5, -2.0, 1.5),
            Quat::from_rotation_y(0.7),
            Vec3::new(3.0, -1.0, 0.25),
        );
        let mut product = PaddedColumns::IDENTITY;
        let mut expected = Affine3::IDENTITY;
        for _ in 0..50 {
            let in_registers = product * PaddedColumns::from(&a);
            (product, expected) = (product * &a, expected * a);
            assert_eq!(Affine3::from(in_registers), Affine3::from(product));
            assert!([product.x, product.y, product.z, product.translation].iter().all(|c| c.w == 0.0));
            let scale = expected.to_cols_array().into_iter().fold(1.0_f32, |m, x| m.max(x.abs()));
            assert!(Affine3::from(product).abs_diff_eq(expected, 1e-5 * scale));
        }
    }
}
