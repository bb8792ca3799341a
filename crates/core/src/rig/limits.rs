//! Rotation limits of joints. They bound the Euler angles of `Ul_j.rotation`, so 0° means no user rotation. The axes
//! are those of the joint in the clip, or at rest without a clip.
//!
//! A rotation beyond the limits is replaced by the *nearest* allowed rotation. Clamping each angle separately would
//! prevent a hinge knee from following a foot that is pulled sideways. The search optimizes one axis at a time in
//! closed form, from several start angles.

use std::collections::BTreeMap;
use std::f32::consts::PI;
use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use glam::{DQuat, DVec3, Quat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rig::{EulerOrder, NodeIndex, Trs};

/// Allowed angles about one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum AxisLimit {
    /// Any angle.
    #[default]
    Free,
    /// Angles from `min` to `max`, radians, within ±π.
    Limited {
        /// Minimum, radians.
        min: f32,
        /// Maximum, radians.
        max: f32,
    },
    /// A fixed angle, radians.
    Locked(f32),
}

impl AxisLimit {
    fn sanitized(self) -> Self {
        let within = |angle: f32| angle.clamp(-PI, PI);
        match self {
            Self::Free => Self::Free,
            Self::Limited { min, max } => Self::Limited { min: within(min.min(max)), max: within(max.max(min)) },
            Self::Locked(angle) => Self::Locked(within(angle)),
        }
    }

    /// Returns the allowed angles, radians; `None` if unlimited.
    pub fn range(self) -> Option<RangeInclusive<f32>> {
        match self {
            Self::Free => None,
            Self::Limited { min, max } => Some(min.min(max)..=max.max(min)),
            Self::Locked(angle) => Some(angle..=angle),
        }
    }
}

/// Allowed rotations of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JointLimits {
    /// Order of the Euler angles.
    pub order: EulerOrder,
    /// Limits about X, Y and Z.
    pub axes: [AxisLimit; 3],
}

const SWEEPS: usize = 24;
/// If the nearest rotation found so far is farther off than this, radians, the search also starts from the corners of
/// the allowed range.
const FAR: f64 = 0.5;
/// A rotation is allowed up to this far beyond the limits, radians; covers rounding of the limit itself.
const ALLOWED: f64 = 1e-4;

impl JointLimits {
    /// Returns whether all angles are allowed.
    pub fn is_free(&self) -> bool {
        self.axes.iter().all(|&a| a == AxisLimit::Free)
    }

    /// Returns whether a unit quaternion is within the limits.
    pub fn allows(&self, rotation: Quat) -> bool {
        self.is_free() || apart(self.nearest_f64(rotation.as_dquat()), rotation.as_dquat()) <= ALLOWED
    }

    /// Returns the nearest allowed rotation; leaves an allowed rotation unchanged.
    /// ```
    /// use glam::Quat;
    /// use rigscope_core::posing::{AxisLimit, JointLimits};
    ///
    /// let bend = AxisLimit::Limited { min: 0.0, max: 2.5 };
    /// let knee = JointLimits { axes: [bend, AxisLimit::Locked(0.0), AxisLimit::Locked(0.0)], ..JointLimits::default() };
    /// assert!(knee.nearest(Quat::from_rotation_x(-0.5)).abs_diff_eq(Quat::IDENTITY, 1e-6));
    /// assert_eq!(knee.nearest(Quat::from_rotation_x(1.0)), Quat::from_rotation_x(1.0));
    /// ```
    pub fn nearest(&self, rotation: Quat) -> Quat {
        if self.is_free() {
            return rotation;
        }
        let wanted = rotation.as_dquat();
        let nearest = self.nearest_f64(wanted);
        if apart(nearest, wanted) <= ALLOWED { rotation } else { nearest.as_quat().normalize() }
    }

    fn nearest_f64(&self, wanted: DQuat) -> DQuat {
        let ranges = self.axes.map(|a| a.range().map_or((0.0, 0.0), |r| (f64::from(*r.start()), f64::from(*r.end()))));
        let middle = DVec3::from_array(ranges.map(|(min, max)| f64::midpoint(min, max)));
        // Descent may end in a local minimum, so for rotations far beyond the limits it also starts from the corners of
        // the allowed range.
        let corner = |bits: usize| {
            DVec3::from_array(std::array::from_fn(|i| if bits >> i & 1 == 0 { ranges[i].0 } else { ranges[i].1 }))
        };
        let mut best = (f64::INFINITY, wanted);
        for (tried, start) in
            self.order.triples(wanted, middle).into_iter().chain([middle]).chain((0..8).map(corner)).enumerate()
        {
            if tried == 3 && best.0 < FAR {
                break;
            }
            let reached = self.descend(wanted, start);
            let off = apart(reached, wanted);
            if off < best.0 {
                best = (off, reached);
            }
            if off <= ALLOWED {
                break;
            }
        }
        best.1
    }

    fn descend(&self, wanted: DQuat, mut angles: DVec3) -> DQuat {
        for (axis, freedom) in self.axes.iter().enumerate() {
            angles[axis] = within(*freedom, angles[axis]);
        }
        let mut left = f64::INFINITY;
        for _ in 0..SWEEPS {
            for axis in self.order.axes() {
                angles[axis] = within(self.axes[axis], self.best_angle(wanted, angles, axis));
            }
            let before = std::mem::replace(&mut left, apart(self.order.rotation_f64(angles), wanted));
            if before - left < 1e-7 {
                break;
            }
        }
        self.order.rotation_f64(angles)
    }

    /// Maximizes `q · w = cos(t/2) c + sin(t/2) s` for `q = A * R(t) * B`: the maximum is at `t/2 = atan2(s, c)`.
    fn best_angle(&self, wanted: DQuat, angles: DVec3, axis: usize) -> f64 {
        let with = |angle: f64| {
            let mut angles = angles;
            angles[axis] = angle;
            self.order.rotation_f64(angles).dot(wanted)
        };
        let (cosine, sine) = (with(0.0), with(std::f64::consts::PI));
        2.0 * sine.atan2(cosine)
    }
}

fn apart(a: DQuat, b: DQuat) -> f64 {
    2.0 * (a.conjugate() * b).xyz().length().min(1.0).asin()
}

/// Returns the nearest allowed angle, modulo full turns.
fn within(freedom: AxisLimit, angle: f64) -> f64 {
    let Some(range) = freedom.range() else { return angle };
    let (min, max) = (f64::from(*range.start()), f64::from(*range.end()));
    let middle = f64::midpoint(min, max);
    (angle + ((middle - angle) / TAU).round() * TAU).max(min).min(max)
}

/// Rotation limits of a character. Unlisted joints have no limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits(BTreeMap<NodeIndex, JointLimits>);

impl Limits {
    /// Returns the limits of a joint; `None` if it has no limits.
    pub fn get(&self, node: NodeIndex) -> Option<&JointLimits> {
        self.0.get(&node)
    }

    /// Sets the limits of a joint, clamped to ±π and with minimum and maximum in order. Limits with non-finite angles
    /// are ignored.
    pub fn set(&mut self, node: NodeIndex, limits: JointLimits) {
        let is_finite =
            limits.axes.iter().filter_map(|a| a.range()).all(|r| r.start().is_finite() && r.end().is_finite());
        if limits.is_free() {
            self.0.remove(&node);
        } else if is_finite {
            self.0.insert(node, JointLimits { axes: limits.axes.map(AxisLimit::sanitized), ..limits });
        }
    }

    /// Iterates over limited joints.
    pub fn iter(&self) -> impl Iterator<Item = (NodeIndex, &JointLimits)> {
        self.0.iter().map(|(&node, limits)| (node, limits))
    }

    /// Transfers the limits to another rig. `same` holds the counterpart of each node; joints without a counterpart are
    /// dropped.
    #[must_use]
    pub fn carried(&self, same: &[Option<NodeIndex>]) -> Self {
        let counterpart = |node: NodeIndex| *same.get(node.index())?;
        Self(self.iter().filter_map(|(node, limits)| Some((counterpart(node)?, *limits))).collect())
    }

    /// Returns `Ul_j` with its rotation replaced by the nearest allowed rotation.
    pub fn keep(&self, node: NodeIndex, user_local: Trs) -> Trs {
        let length = user_local.rotation.length();
        match self.get(node).filter(|_| length > 1e-6 && length.is_finite()) {
            Some(limits) => Trs { rotation: limits.nearest(user_local.rotation * length.recip()), ..user_local },
            None => user_local,
        }
    }
}

#[cfg(test)]
mod tests;
