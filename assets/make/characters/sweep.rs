//! Bands of cloth for hems, cuffs and collars: a rounded cross-section swept along a closed curve. A hem is thinner
//! than the cells of any practical grid, so its mesh does not come from a distance field.

use glam::DVec3;

use super::math::{cos_deg, sin_deg, unit, v};
use super::mesh::{Mesh, Paint};

/// Number of points of the cross-section.
const PROFILE: usize = 8;

/// A band: its centre line and its cross-section. Angles are in degrees, from the front over the left side.
pub struct Band<'a> {
    /// Returns the centre of the cross-section at an angle.
    pub centre: &'a dyn Fn(f64) -> DVec3,
    /// Returns the direction of the cross-section's height at an angle.
    pub up: &'a dyn Fn(f64) -> DVec3,
    /// Half the height of the cross-section, metres.
    pub half_height: f64,
    /// Half the thickness of the cloth, metres.
    pub half_thickness: f64,
    /// Number of cross-sections around the whole band.
    pub sections: usize,
    /// True for only the half from front to back, which ends at the mirror plane.
    pub is_half: bool,
}

impl Band<'_> {
    /// Builds the mesh, with normals.
    pub fn mesh(&self, paint: Paint) -> Mesh {
        let mut mesh = Mesh::default();
        let rows = if self.is_half { self.sections / 2 + 1 } else { self.sections };
        for row in 0..rows {
            let on_plane = self.is_half && (row == 0 || row + 1 == rows);
            self.push_section(360.0 * row as f64 / self.sections as f64, on_plane, &mut mesh);
        }
        let last = if self.is_half { rows - 1 } else { rows };
        for row in 0..last {
            for i in 0..PROFILE {
                let at = |row: usize, i: usize| row % rows * PROFILE + i % PROFILE;
                mesh.push_quad([at(row, i), at(row + 1, i), at(row + 1, i + 1), at(row, i + 1)], paint);
            }
        }
        mesh
    }

    /// Returns points and radii along the centre line, for a distance field.
    pub fn line(&self) -> Vec<(DVec3, f64)> {
        let end = if self.is_half { 180.0 } else { 360.0 };
        (0..=24).map(|i| ((self.centre)(end * f64::from(i) / 24.0), self.half_thickness)).collect()
    }

    fn push_section(&self, angle: f64, on_plane: bool, mesh: &mut Mesh) {
        const STEP: f64 = 0.01;
        let centre = (self.centre)(angle);
        let forward = unit((self.centre)(angle + STEP) - (self.centre)(angle - STEP));
        let up = (self.up)(angle);
        let up = unit(up - forward * up.dot(forward));
        let out = forward.cross(up);
        for i in 0..PROFILE {
            // A rounded rectangle: a superellipse with exponent 4.
            let turn = 360.0 * (i as f64 + 0.5) / PROFILE as f64;
            let (c, s) = (cos_deg(turn), sin_deg(turn));
            let [x, y] = [c.abs().sqrt().copysign(c), s.abs().sqrt().copysign(s)];
            let mut p = centre + out * (self.half_thickness * x) + up * (self.half_height * y);
            let slope = |c: f64| c.abs() * c.abs().sqrt();
            let [a, b] = [slope(c).copysign(c) / self.half_thickness, slope(s).copysign(s) / self.half_height];
            let mut normal = unit(out * a + up * b);
            if on_plane {
                p.x = 0.0;
                normal = unit(v(0.0, normal.y, normal.z));
            }
            mesh.positions.push(p);
            mesh.on_plane.push(on_plane);
            mesh.normals.push(normal);
        }
    }
}
