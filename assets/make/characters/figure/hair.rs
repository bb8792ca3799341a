//! The hair: a cap over the skull, and locks that start at a middle parting.

use glam::DVec3;

use super::super::math::{cos_deg, mix, sin_deg, smooth_max, smooth_min, v};
use super::super::mesh::Paint;
use super::super::sdf::{ellipsoid, strand};
use super::super::surface_nets::{Grid, half_planes, planes, surface_nets};
use super::piece::{Material, Piece};

const SKULL: DVec3 = v(0.0, 1.650, -0.016);
const SKULL_RADII: DVec3 = v(0.0775, 0.094, 0.096);

/// A lock. `root` and `tip` are azimuth (from the front) and elevation in degrees. The other arrays are the distance
/// from the skull and the radius at root, middle and tip, metres.
struct Lock {
    root: [f64; 2],
    tip: [f64; 2],
    lift: [f64; 3],
    radii: [f64; 3],
}

const fn lock(root: [f64; 2], tip: [f64; 2], lift: [f64; 3], radii: [f64; 3]) -> Lock {
    Lock { root, tip, lift, radii }
}

const LOCKS: [Lock; 10] = [
    // Locks along the hairline, from the parting to the temple.
    lock([4.0, 43.0], [84.0, -2.0], [0.012, 0.011, 0.004], [0.0125, 0.0170, 0.006]),
    lock([8.0, 60.0], [96.0, -2.0], [0.016, 0.017, 0.006], [0.016, 0.0210, 0.007]),
    lock([12.0, 74.0], [110.0, -8.0], [0.016, 0.018, 0.006], [0.018, 0.0235, 0.008]),
    lock([60.0, 86.0], [126.0, -18.0], [0.015, 0.017, 0.005], [0.018, 0.0245, 0.009]),
    lock([150.0, 82.0], [143.0, -30.0], [0.014, 0.016, 0.002], [0.018, 0.0250, 0.010]),
    lock([168.0, 74.0], [160.0, -40.0], [0.013, 0.015, 0.000], [0.018, 0.0250, 0.010]),
    lock([174.0, 64.0], [174.0, -46.0], [0.013, 0.014, -0.002], [0.016, 0.0230, 0.010]),
    // Shorter locks below these, over and behind the ears.
    lock([92.0, 26.0], [112.0, -16.0], [0.001, 0.003, 0.001], [0.014, 0.0150, 0.007]),
    lock([118.0, 10.0], [134.0, -40.0], [0.001, 0.003, -0.001], [0.014, 0.0165, 0.008]),
    lock([146.0, 0.0], [154.0, -50.0], [0.001, 0.002, -0.003], [0.014, 0.0165, 0.008]),
];

impl Lock {
    /// Returns points and radii along the lock, from root to tip.
    fn curve(&self) -> Vec<(DVec3, f64)> {
        const STEPS: usize = 14;
        (0..=STEPS)
            .map(|i| {
                let t = i as f64 / STEPS as f64;
                // Moves outwards first and then down, like falling hair.
                let around = mix(self.root[0], self.tip[0], 1.0 - (1.0 - t) * (1.0 - t));
                let up = mix(self.root[1], self.tip[1], t * (0.55 + 0.45 * t));
                let lift = through(self.lift, t);
                (on_skull(around, up, lift), through(self.radii, t))
            })
            .collect()
    }
}

/// Evaluates a parabola through three values at 0, 1/2 and 1.
fn through([a, b, c]: [f64; 3], t: f64) -> f64 {
    a * (1.0 - t) * (1.0 - 2.0 * t) + b * 4.0 * t * (1.0 - t) + c * t * (2.0 * t - 1.0)
}

fn on_skull(around: f64, up: f64, lift: f64) -> DVec3 {
    let direction = v(sin_deg(around) * cos_deg(up), sin_deg(up), cos_deg(around) * cos_deg(up));
    SKULL + direction * SKULL_RADII + direction * lift
}

/// Builds the left half of the hair.
pub fn hair() -> Piece {
    let locks: Vec<_> = LOCKS.iter().map(Lock::curve).collect();
    let field = move |p: DVec3| {
        let p = v(p.x.abs(), p.y, p.z);
        let mut hair = cap(p);
        for curve in &locks {
            hair = smooth_min(hair, strand(p, curve, 0.001), 0.0100);
        }
        hair
    };
    let grid = Grid {
        planes: [
            half_planes(&[(0.13, 0.0078)]),
            planes(1.496, &[(1.60, 0.0095), (1.72, 0.0071), (1.80, 0.0085)]),
            planes(-0.155, &[(0.0, 0.0092), (0.13, 0.0075)]),
        ],
        warp: &|q| q,
        is_half: true,
    };
    let mesh = surface_nets(&grid, &field, Paint::Hair);
    Piece::new(Material::Hair, mesh, Box::new(field), true)
}

/// Signed distance to short hair close to the skull, without the face.
fn cap(p: DVec3) -> f64 {
    smooth_max(full_cap(p), -face(p), 0.014)
}

/// Signed distance to the cap before the face is cut out. It leaves out the ears and ends at the nape.
fn full_cap(p: DVec3) -> f64 {
    let skull = ellipsoid(p, v(0.0, 1.648, -0.018), v(0.0835, 0.1025, 0.1030));
    let nape = ellipsoid(p, v(0.0, 1.575, -0.045), v(0.0600, 0.060, 0.0560));
    let full = smooth_min(skull, nape, 0.03);
    let ear = ellipsoid(p, v(0.088, 1.588, -0.004), v(0.030, 0.040, 0.026));
    let below = 1.545 - p.y - 0.25 * (p.z + 0.06);
    smooth_max(smooth_max(full, -ear, 0.010), below, 0.008)
}

/// Signed distance to the region of the bare face, negative inside.
fn face(p: DVec3) -> f64 {
    ellipsoid(p, v(0.0, 1.565, 0.120), v(0.096, 0.150, 0.130))
}

/// Signed distance to skin that is painted like hair. It extends slightly beyond the cap, which gives a clean hairline.
pub fn scalp(p: DVec3) -> f64 {
    smooth_max(-face(p) - 0.0035, full_cap(p) + 0.001, 0.004)
}
