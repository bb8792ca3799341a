//! Euler angles in all six orders, continuous under edits.
//!
//! The rotation is `R = R_i(a) * R_j(b) * R_k(c)`, intrinsic: XYZ rotates about X, then about the rotated Y axis, then
//! about the twice-rotated Z axis. Many angle triples describe the same rotation: angles are periodic,
//! `(a + 180°, 180° - b, c + 180°)` is equivalent, and at b = ±90° (gimbal lock) the rotation depends only on the sum
//! or difference of a and c. [`EulerOrder::angles_near`] picks the triple nearest to the displayed triple, so that the
//! numbers don't jump during a drag. Near gimbal lock, a and c would be lost in single precision, so computations use
//! double precision.

use glam::{DMat3, DQuat, DVec3, Quat, Vec3};
use std::f64::consts::{PI, TAU};

crate::named_enum! {
    /// Order of the rotations about X, Y and Z in the product: `Xyz` is `Rx * Ry * Rz`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub enum EulerOrder {
        /// `Rx * Ry * Rz`.
        #[default]
        Xyz = "XYZ";
        /// `Rx * Rz * Ry`.
        Xzy = "XZY";
        /// `Ry * Rx * Rz`.
        Yxz = "YXZ";
        /// `Ry * Rz * Rx`.
        Yzx = "YZX";
        /// `Rz * Rx * Ry`.
        Zxy = "ZXY";
        /// `Rz * Ry * Rx`.
        Zyx = "ZYX";
    }
}

/// A rotation counts as gimbal-locked if the cosine of its middle angle is at most this.
const LOCKED: f64 = 1e-6;

impl EulerOrder {
    /// Returns the axes in product order, 0 for X to 2 for Z.
    pub fn axes(self) -> [usize; 3] {
        match self {
            Self::Xyz => [0, 1, 2],
            Self::Xzy => [0, 2, 1],
            Self::Yxz => [1, 0, 2],
            Self::Yzx => [1, 2, 0],
            Self::Zxy => [2, 0, 1],
            Self::Zyx => [2, 1, 0],
        }
    }

    /// Converts angles about X, Y and Z, radians, to a rotation.
    /// ```
    /// use glam::{EulerRot, Quat, Vec3};
    /// use rigscope_core::rig::EulerOrder;
    ///
    /// let rotation = EulerOrder::Zxy.rotation(Vec3::new(0.1, 0.2, 0.3));
    /// assert!(rotation.abs_diff_eq(Quat::from_euler(EulerRot::ZXY, 0.3, 0.1, 0.2), 1e-6));
    /// ```
    pub fn rotation(self, angles: Vec3) -> Quat {
        self.rotation_f64(angles.as_dvec3()).as_quat()
    }

    /// Computes the angles about X, Y and Z of a unit quaternion, radians. In product order, the middle angle is
    /// within ±π/2 and the others are within ±π.
    pub fn angles(self, rotation: Quat) -> Vec3 {
        self.principal(rotation.as_dquat(), DVec3::ZERO).as_vec3()
    }

    /// Computes the angles of a unit quaternion, radians, as the equivalent triple nearest to `near`. At gimbal lock,
    /// the last angle is taken from `near`.
    /// ```
    /// use glam::Vec3;
    /// use rigscope_core::rig::EulerOrder;
    ///
    /// let shown = Vec3::new(0.3, 2.0, -7.0);
    /// let rotation = EulerOrder::Xyz.rotation(shown);
    /// assert!(EulerOrder::Xyz.angles_near(rotation, shown).abs_diff_eq(shown, 1e-5));
    /// ```
    pub fn angles_near(self, rotation: Quat, near: Vec3) -> Vec3 {
        let near = near.as_dvec3();
        let [one, other] = self.triples(rotation.as_dquat(), near).map(|angles| angles + nearest_turns(angles, near));
        let off = |angles: DVec3| (angles - near).length_squared();
        if off(other) < off(one) { other.as_vec3() } else { one.as_vec3() }
    }

    /// Like [`Self::rotation`], in double precision.
    pub fn rotation_f64(self, angles: DVec3) -> DQuat {
        let [i, j, k] = self.axes().map(|axis| about(axis, angles[axis]));
        i * j * k
    }

    /// Returns the two angle triples of a rotation, radians, within ±2π. At gimbal lock, the last angle of the first
    /// triple is taken from `near`.
    pub fn triples(self, rotation: DQuat, near: DVec3) -> [DVec3; 2] {
        let one = self.principal(rotation, near);
        let [_, middle, _] = self.axes();
        let mut other = one + DVec3::splat(PI);
        other[middle] = PI - one[middle];
        [one, other]
    }

    fn principal(self, rotation: DQuat, near: DVec3) -> DVec3 {
        let [i, j, k] = self.axes();
        let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
        let m = DMat3::from_quat(rotation.normalize());
        let entry = |row: usize, column: usize| m.col(column)[row];
        let cosine = entry(i, i).hypot(entry(i, j));
        let mut angles = DVec3::ZERO;
        angles[j] = (sign * entry(i, k)).atan2(cosine);
        if cosine > LOCKED {
            angles[i] = (-sign * entry(j, k)).atan2(entry(k, k));
            angles[k] = (-sign * entry(i, j)).atan2(entry(i, i));
        } else {
            angles[k] = near[k];
            let first = rotation.normalize() * (about(j, angles[j]) * about(k, near[k])).conjugate();
            angles[i] = 2.0 * first.xyz()[i].atan2(first.w);
        }
        angles
    }
}

fn about(axis: usize, angle: f64) -> DQuat {
    DQuat::from_axis_angle(DVec3::AXES[axis], angle)
}

fn nearest_turns(angles: DVec3, near: DVec3) -> DVec3 {
    ((near - angles) / TAU).round() * TAU
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::{any_rotation, apart};
    use proptest::prelude::*;

    fn any_order() -> impl Strategy<Value = EulerOrder> {
        prop::sample::select(&EulerOrder::ALL[..])
    }

    fn near_lock() -> impl Strategy<Value = f32> {
        (any::<bool>(), prop::option::of(-7.0_f32..-1.0), any::<bool>()).prop_map(|(up, exponent, beyond)| {
            let off = exponent.map_or(0.0, |e| 10_f32.powf(e)) * if beyond { -1.0 } else { 1.0 };
            (std::f32::consts::FRAC_PI_2 - off) * if up { 1.0 } else { -1.0 }
        })
    }

    proptest! {
        #[test]
        fn angles_make_their_rotation_again_in_every_order(q in any_rotation(), order in any_order()) {
            prop_assert!(apart(order.rotation(order.angles(q)), q) < 1e-6);
        }

        #[test]
        fn angles_make_their_rotation_again_at_gimbal_lock(a in -3.0_f32..3.0, b in near_lock(), c in -3.0_f32..3.0,
            order in any_order(), near in prop::array::uniform3(-10.0_f32..10.0)) {
            let [i, j, k] = order.axes();
            let mut angles = Vec3::ZERO;
            (angles[i], angles[j], angles[k]) = (a, b, c);
            let q = order.rotation(angles);
            // At gimbal lock, the error of the rotation is up to `LOCKED` times the change of the last angle.
            prop_assert!(apart(order.rotation(order.angles(q)), q) < 1e-5);
            prop_assert!(apart(order.rotation(order.angles_near(q, near.into())), q) < 2e-5);
        }

        #[test]
        fn nearest_angles_keep_the_displayed_ones(shown in prop::array::uniform3(-20.0_f32..20.0), order in any_order()) {
            let shown = Vec3::from(shown);
            let middle = shown[order.axes()[1]];
            prop_assume!(middle.cos().abs() > 1e-2);
            let again = order.angles_near(order.rotation(shown), shown);
            prop_assert!(again.distance(shown) < 1e-4, "{again} for {shown}");
        }

        #[test]
        fn a_middle_angle_passes_a_right_angle_without_a_jump(a in -3.0_f32..3.0, c in -3.0_f32..3.0, order in any_order()) {
            let [i, j, k] = order.axes();
            let at = |degrees: f32| {
                let mut angles = Vec3::ZERO;
                (angles[i], angles[j], angles[k]) = (a, degrees.to_radians(), c);
                angles
            };
            let mut shown = at(60.0);
            for step in 0..=120 {
                let wanted = at(60.0 + 0.5 * step as f32);
                let next = order.angles_near(order.rotation(wanted), shown);
                prop_assert!(next.distance(shown) < 0.02, "from {shown} to {next}");
                prop_assert!(next.distance(wanted) < 0.02, "{next} is not {wanted}");
                shown = next;
            }
        }
    }

    #[test]
    fn the_orders_are_those_of_glam() {
        use glam::EulerRot::{XYZ, XZY, YXZ, YZX, ZXY, ZYX};
        let angles = Vec3::new(0.3, -0.8, 1.4);
        for (order, theirs) in EulerOrder::ALL.into_iter().zip([XYZ, XZY, YXZ, YZX, ZXY, ZYX]) {
            let [i, j, k] = order.axes().map(|axis| angles[axis]);
            let same = Quat::from_euler(theirs, i, j, k);
            assert!(apart(order.rotation(angles), same) < 1e-6, "{}", order.name());
            assert!(order.angles(same).abs_diff_eq(angles, 1e-6), "{}", order.name());
        }
    }
}
