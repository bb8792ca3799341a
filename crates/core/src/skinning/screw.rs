//! Screw motions: logarithm, exponential, powers and constant-speed interpolation of unit dual quaternions.
//!
//! Every rigid motion is a screw (Chasles): a rotation by `θ` about a line and a shift by `d` along it. The logarithm
//! of a unit dual quaternion is half the *dual* angle times the *dual* axis,
//!
//! ```text
//! log q̂ = 1/2 (θ + ε d) (l + ε m) = θ/2 l  +  ε (d/2 l + θ/2 m)
//! ```
//!
//! where `l` is the direction of the line, `m = c × l` its moment, and `c` any point on the line. `q̂^t` scales angle
//! and shift, so [`DualQuat::sclerp`] moves along one screw at constant speed. Dual quaternion blending (DLB) follows
//! *the same screw* at a different speed, within these bounds (derived by Kavan et al. 2008, measured in tests):
//!
//! | angle | max rotation difference | max difference along the axis |
//! | --- | --- | --- |
//! | 30° | 0.03° | 0.3 % of the shift |
//! | 60° | 0.27° | 1.4 % |
//! | 90° | 0.92° | 3.1 % |
//! | 120° | 2.23° | 5.8 % |
//! | 150° | 4.51° | 9.6 % |
//! | 180° | 8.15° | 15.0 % |
//!
//! The formulas run in double precision, because near the identity they divide small numbers by small numbers.

use std::f64::consts::PI;

use glam::{DQuat, DVec3, Vec4};

use super::DualQuat;

impl DualQuat {
    /// Computes `q̂^t`: `t` times the angle and the shift of the same screw.
    /// ```
    /// use glam::{Quat, Vec3};
    /// use rigscope_core::skinning::DualQuat;
    ///
    /// let motion = DualQuat::from_rotation_translation(Quat::from_rotation_x(1.0), Vec3::new(0.3, 2.0, -1.0));
    /// let half = motion.pow(0.5);
    /// let p = Vec3::new(1.0, 2.0, 3.0);
    /// assert!((half * half).transform_point(p).abs_diff_eq(motion.transform_point(p), 1e-5));
    /// ```
    #[must_use]
    pub fn pow(self, t: f32) -> Self {
        let (real, dual) = self.log();
        exp(real * f64::from(t), dual * f64::from(t))
    }

    /// Interpolates motions, `(q̂2 q̂1*)^t q̂1`: constant speed along one screw, with the smaller rotation angle.
    /// ```
    /// use glam::{Quat, Vec3};
    /// use rigscope_core::skinning::DualQuat;
    ///
    /// let (a, b) = (DualQuat::IDENTITY, DualQuat::from_rotation_translation(Quat::from_rotation_y(2.0), Vec3::Y * 4.0));
    /// let quarter = DualQuat::sclerp(&a, &b, 0.25);
    /// assert!(quarter.rotation().abs_diff_eq(Quat::from_rotation_y(0.5), 1e-6));
    /// assert!(quarter.translation().abs_diff_eq(Vec3::Y, 1e-6));
    /// ```
    pub fn sclerp(from: &Self, to: &Self, t: f32) -> Self {
        let to = if from.real.dot(to.real) < 0.0 { -*to } else { *to };
        (to * from.conjugate()).pow(t) * *from
    }

    /// Computes the intrinsic mean of motions: relative to the mean, their weighted logarithms sum to zero. *Shapes*:
    /// pairs of a unit dual quaternion and a weight, >= 0, not all 0.
    ///
    /// Signs are chosen to agree with [`Self::blend`], the initial guess. For two motions the mean equals
    /// [`Self::sclerp`]. *Source*: Kavan et al. 2008, dual quaternion iterative blending (DIB).
    /// ```
    /// use glam::{Quat, Vec3};
    /// use rigscope_core::skinning::DualQuat;
    ///
    /// let turned = |angle: f32| DualQuat::from_rotation_translation(Quat::from_rotation_y(angle), Vec3::Y);
    /// let mean = DualQuat::mean(&[(turned(0.0), 0.5), (turned(0.9), 0.25), (turned(1.5), 0.25)]);
    /// assert!(mean.rotation().abs_diff_eq(Quat::from_rotation_y(0.6), 1e-6));
    /// ```
    pub fn mean(weighted: &[(Self, f32)]) -> Self {
        let start = Self::blend(weighted);
        let sum: f32 = weighted.iter().map(|(_, weight)| weight).sum();
        let signed = |&(q, weight): &(Self, f32)| (if start.real.dot(q.real) < 0.0 { -q } else { q }, weight / sum);
        if sum > 0.0 { Self::mean_from(start, &weighted.iter().map(signed)) } else { start }
    }

    /// Computes [`Self::mean`] from the initial guess `start`, for motions of agreeing signs and weights that sum to 1.
    /// For rotations within 90°, each step is less than 1/5 of the previous one. Stops when a step is as small as
    /// rounding errors, or after 16 steps.
    pub(super) fn mean_from(start: Self, weighted: &(impl Iterator<Item = (Self, f32)> + Clone)) -> Self {
        const MAX_STEPS: usize = 16;
        const ROUNDING: f64 = 1e-6;
        let mut mean = start;
        for _ in 0..MAX_STEPS {
            let back = mean.conjugate();
            let (real, dual) = weighted.clone().fold((DVec3::ZERO, DVec3::ZERO), |(real, dual), (motion, weight)| {
                let (r, d) = (back * motion).log();
                (real + r * f64::from(weight), dual + d * f64::from(weight))
            });
            let next = mean * exp(real, dual);
            let Some(next) = next.normalized() else { return mean };
            mean = next;
            if real.length() < ROUNDING && dual.length() < ROUNDING * f64::from(mean.dual.length()) {
                break;
            }
        }
        mean
    }

    /// Computes the logarithm of a unit dual quaternion: `θ/2 l`, radians, and `d/2 l + θ/2 m`, metres. With a negative
    /// real part the screw rotates by more than 180°. For a 360° rotation with a shift, returns only the shift; near
    /// 360°, the axis is ill-defined.
    fn log(self) -> (DVec3, DVec3) {
        let (real, t) = self.rotation_translation_f64();
        if real.w < 0.0 && real.xyz().length() < 1e-12 {
            return (t.normalize_or(DVec3::X) * PI, t * 0.5);
        }
        let v = rotation_log(real);
        let angle = v.length();
        // d/2 l + θ/2 m = 1/2 (k t + t × v + (1 - k) (l·t) l) with k = θ/2 cot θ/2; (1 - k) / (θ/2)² tends to 1/3 at 0.
        let rest = if angle > 1e-3 { (1.0 - angle / angle.tan()) / angle.powi(2) } else { 1.0 / 3.0 };
        let k = 1.0 - rest * angle.powi(2);
        (v, (t * k + t.cross(v) + v * (rest * t.dot(v))) * 0.5)
    }

    fn rotation_translation_f64(self) -> (DQuat, DVec3) {
        let real = self.real.as_dvec4();
        let norm = real.length();
        let (r, d) = (real / norm, self.dual.as_dvec4() / norm);
        let translation = 2.0 * (d.truncate() * r.w - r.truncate() * d.w + r.truncate().cross(d.truncate()));
        (DQuat::from_vec4(r), translation)
    }
}

/// Computes `exp(v + ε u)` by the chain rule: sine and cosine of the dual angle, times the dual axis.
fn exp(v: DVec3, u: DVec3) -> DualQuat {
    let angle = v.length();
    let (sine, cosine) = angle.sin_cos();
    // (cos a - sin a / a) / a² tends to -1/3 at 0.
    let (sinc, slope) = if angle > 1e-3 {
        (sine / angle, (cosine - sine / angle) / angle.powi(2))
    } else {
        (1.0 - angle.powi(2) / 6.0, -1.0 / 3.0)
    };
    let dual = u * sinc + v * (slope * v.dot(u));
    DualQuat { real: Vec4::from(rotation_exp(v).as_quat()), dual: dual.extend(-sinc * v.dot(u)).as_vec4() }
}

/// Computes the logarithm of a unit quaternion: half its angle times its axis, length 0 to π. For `-1`, the axis is x.
fn rotation_log(q: DQuat) -> DVec3 {
    let (vector, sine) = (q.xyz(), q.xyz().length());
    if sine > 1e-150 {
        return vector * (sine.atan2(q.w) / sine);
    }
    if q.w < 0.0 { DVec3::X * PI } else { vector }
}

/// Returns the unit quaternion with the given logarithm.
fn rotation_exp(half_turn: DVec3) -> DQuat {
    let angle = half_turn.length();
    let (sine, cosine) = angle.sin_cos();
    let sinc = if angle > 1e-150 { sine / angle } else { 1.0 };
    DQuat::from_vec4((half_turn * sinc).extend(cosine))
}

#[cfg(test)]
mod tests;
