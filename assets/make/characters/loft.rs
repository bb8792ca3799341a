//! A limb or garment as cross-sections along an axis: superellipses whose centre and radii are curves.

use glam::DVec3;

use super::math::smooth_max;

/// A cross-section perpendicular to the axis.
#[derive(Clone, Copy)]
pub struct Section {
    /// Position along the axis.
    pub at: f64,
    /// Centre across the axis: first and second direction.
    pub centre: [f64; 2],
    /// Radii in the first and second direction.
    pub radii: [f64; 2],
}

/// Creates a section from `at`, first and second centre, first and second radius. For short tables.
pub const fn section(at: f64, c0: f64, c1: f64, r0: f64, r1: f64) -> Section {
    Section { at, centre: [c0, c1], radii: [r0, r1] }
}

/// Sections in ascending order of `at`, with rounded ends.
pub struct Loft {
    sections: Vec<Section>,
    exponent: f64,
    end_rounding: f64,
}

impl Loft {
    /// Creates a loft. An `exponent` of 2 gives ellipses; larger exponents give squarer sections.
    pub fn new(sections: &[Section], exponent: f64, end_rounding: f64) -> Self {
        Self { sections: sections.to_vec(), exponent, end_rounding }
    }

    /// Returns the signed distance of a point. Its coordinates are along the axis, then the first and second direction.
    /// Measured along the ray from the centre, so never less than the true distance.
    pub fn distance(&self, q: DVec3) -> f64 {
        let [first, last] = [self.sections[0].at, self.sections[self.sections.len() - 1].at];
        let s = self.at(q.x);
        let (a, b) = (q.y - s.centre[0], q.z - s.centre[1]);
        let reach = (a * a + b * b).sqrt();
        let k = self.roundness((a / s.radii[0]).abs(), (b / s.radii[1]).abs());
        let side = if k < 1e-9 { -s.radii[0].min(s.radii[1]) } else { reach - reach / k };
        smooth_max(side, (q.x - last).max(first - q.x), self.end_rounding)
    }

    /// Returns 1 on the outline of a section, and less inside. `a` and `b` are coordinates divided by the radii.
    pub fn roundness(&self, a: f64, b: f64) -> f64 {
        if self.exponent <= 2.0 {
            return (a * a + b * b).sqrt();
        }
        libm::pow(libm::pow(a, self.exponent) + libm::pow(b, self.exponent), 1.0 / self.exponent)
    }

    /// Returns the cross-section at a position, by Hermite interpolation with slopes from the neighbours.
    pub fn at(&self, at: f64) -> Section {
        let s = &self.sections;
        let at = at.clamp(s[0].at, s[s.len() - 1].at);
        let i = s.windows(2).position(|w| at <= w[1].at).unwrap_or(s.len() - 2);
        let span = s[i + 1].at - s[i].at;
        let t = (at - s[i].at) / span;
        let curve = |value: &dyn Fn(&Section) -> f64| {
            let (p0, p1) = (value(&s[i]), value(&s[i + 1]));
            let (m0, m1) = (self.slope(i, value) * span, self.slope(i + 1, value) * span);
            let (t2, t3) = (t * t, t * t * t);
            p0 * (2.0 * t3 - 3.0 * t2 + 1.0) + m0 * (t3 - 2.0 * t2 + t) + p1 * (3.0 * t2 - 2.0 * t3) + m1 * (t3 - t2)
        };
        Section {
            at,
            centre: [curve(&|s| s.centre[0]), curve(&|s| s.centre[1])],
            radii: [curve(&|s| s.radii[0]), curve(&|s| s.radii[1])],
        }
    }

    fn slope(&self, i: usize, value: &dyn Fn(&Section) -> f64) -> f64 {
        let s = &self.sections;
        let (low, high) = (i.saturating_sub(1), (i + 1).min(s.len() - 1));
        (value(&s[high]) - value(&s[low])) / (s[high].at - s[low].at)
    }
}
