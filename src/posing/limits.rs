//! Degrees of freedom: how far a joint may rotate about each of its axes.
//!
//! Limits apply to the Euler angles of `Ul_j.rotation`, the user's rotation, about the joint's own axes as the rest pose or the clip places them: 0°
//! is the joint without the user's rotation. They include the order of the angles. A rotation beyond the limits becomes the *nearest* one within
//! them, by the angle between the two, instead of clamping each angle by itself: so a knee that can only bend follows a foot that is pulled sideways.
//! It is found by rotating about one axis at a time, for which the best angle has a closed form, from several starts.

use std::collections::BTreeMap;
use std::f32::consts::PI;
use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use glam::{DQuat, DVec3, Quat};
use serde::{Deserialize, Serialize};

use crate::rig::{EulerOrder, NodeIndex, Trs};

/// Allowed angles about one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Freedom {
    /// Any angle.
    #[default]
    Free,
    /// Angles from `min` to `max`, radians, within ±π; swapped if the wrong way round.
    Limited {
        /// Smallest angle, radians.
        min: f32,
        /// Largest angle, radians.
        max: f32,
    },
    /// One angle only, radians.
    Locked(f32),
}

impl Freedom {
    /// The same freedom with angles within ±π, the smaller first. The angles must be finite.
    fn usual(self) -> Self {
        let within = |angle: f32| angle.clamp(-PI, PI);
        match self {
            Self::Free => Self::Free,
            Self::Limited { min, max } => Self::Limited { min: within(min.min(max)), max: within(max.max(min)) },
            Self::Locked(angle) => Self::Locked(within(angle)),
        }
    }

    /// The allowed angles, radians; `None` where all are allowed.
    pub fn range(self) -> Option<RangeInclusive<f32>> {
        match self {
            Self::Free => None,
            Self::Limited { min, max } => Some(min.min(max)..=max.max(min)),
            Self::Locked(angle) => Some(angle..=angle),
        }
    }
}

/// Allowed rotations of a joint, by its angles about X, Y and Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointLimits {
    /// Order in which the angles apply.
    pub order: EulerOrder,
    /// Freedom about X, Y and Z.
    pub axes: [Freedom; 3],
}

/// Most passes over the axes; the search ends earlier if nothing is gained.
const SWEEPS: usize = 24;
/// Distance to the wanted rotation, radians, below which no other local minimum is searched for.
const FAR: f64 = 0.5;
/// Distance to an allowed rotation, radians, that counts as none: the rounding of the limit itself.
const ALLOWED: f64 = 1e-4;

impl JointLimits {
    /// True where every angle is allowed.
    pub fn is_free(&self) -> bool {
        self.axes.iter().all(|&a| a == Freedom::Free)
    }

    /// True for a unit quaternion within the limits.
    pub fn allows(&self, rotation: Quat) -> bool {
        self.is_free() || apart(self.nearest_f64(rotation.as_dquat()), rotation.as_dquat()) <= ALLOWED
    }

    /// The allowed rotation nearest to a unit quaternion: itself, unchanged, where it is allowed.
    /// ```
    /// use glam::Quat;
    /// use rigscope::posing::{Freedom, JointLimits};
    ///
    /// let bend = Freedom::Limited { min: 0.0, max: 2.5 };
    /// let knee = JointLimits { axes: [bend, Freedom::Locked(0.0), Freedom::Locked(0.0)], ..JointLimits::default() };
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
        // Descent may end in a local minimum, so far beyond the limits it also starts from their corners.
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

    /// Starts from a triple of angles clamped to the limits, and descends to the nearest rotation by changing one axis at a time.
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

    /// The angle about one axis that comes nearest with the others fixed: with `q = A * R(t) * B`, the product `q · w` is `cos(t/2) c + sin(t/2) s`,
    /// greatest at `t/2 = atan2(s, c)`.
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

/// Radians between two rotations, exact for small ones too.
fn apart(a: DQuat, b: DQuat) -> f64 {
    2.0 * (a.conjugate() * b).xyz().length().min(1.0).asin()
}

/// The allowed angle nearest to `angle`, in either direction round the circle.
fn within(freedom: Freedom, angle: f64) -> f64 {
    let Some(range) = freedom.range() else { return angle };
    let (min, max) = (f64::from(*range.start()), f64::from(*range.end()));
    let middle = f64::midpoint(min, max);
    (angle + ((middle - angle) / TAU).round() * TAU).max(min).min(max)
}

/// The limits of a character's joints; joints without any are free.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits(BTreeMap<NodeIndex, JointLimits>);

impl Limits {
    /// Limits of a joint; `None` for a free one.
    pub fn of(&self, node: NodeIndex) -> Option<&JointLimits> {
        self.0.get(&node)
    }

    /// Sets the limits of a joint, normalised to ±π and the right way round; ignored where an angle is not finite.
    pub fn set(&mut self, node: NodeIndex, limits: JointLimits) {
        let is_finite =
            limits.axes.iter().filter_map(|a| a.range()).all(|r| r.start().is_finite() && r.end().is_finite());
        if limits.is_free() {
            self.0.remove(&node);
        } else if is_finite {
            self.0.insert(node, JointLimits { axes: limits.axes.map(Freedom::usual), ..limits });
        }
    }

    /// Every joint that has limits, with its limits.
    pub fn iter(&self) -> impl Iterator<Item = (NodeIndex, &JointLimits)> {
        self.0.iter().map(|(&node, limits)| (node, limits))
    }

    /// The same limits for another rig, where `same[node]` is the counterpart of `node`; those of nodes without a counterpart are dropped.
    #[must_use]
    pub fn carried(&self, same: &[Option<NodeIndex>]) -> Self {
        let counterpart = |node: NodeIndex| *same.get(node.index())?;
        Self(self.iter().filter_map(|(node, limits)| Some((counterpart(node)?, *limits))).collect())
    }

    /// `Ul_j` with its rotation replaced by the nearest one that the joint allows.
    pub fn keep(&self, node: NodeIndex, user_local: Trs) -> Trs {
        let length = user_local.rotation.length();
        match self.of(node).filter(|_| length > 1e-6 && length.is_finite()) {
            Some(limits) => Trs { rotation: limits.nearest(user_local.rotation * length.recip()), ..user_local },
            None => user_local,
        }
    }
}

#[cfg(test)]
mod tests;
