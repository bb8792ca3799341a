//! Octahedral mapping of directions to a square tile. Unlike an equirectangular map, it has no stretched poles.
//! *Source*: Praun and Hoppe, Spherical Parametrization and Remeshing, 2003.

use glam::{Vec2, Vec3};

/// Texels per side of a tile. Border texels duplicate the texels across the fold, for interpolation.
pub const SIDE: usize = 64;
/// Number of tiles, one per roughness.
pub const LEVELS: usize = 8;

/// Returns the direction of each texel of a tile, row by row.
pub fn tile_directions() -> Vec<Vec3> {
    let at = |i: usize| (2.0 * i as f32 - 1.0) / (SIDE - 2) as f32 - 1.0;
    (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| direction(Vec2::new(at(column), at(row))))).collect()
}

fn direction(at: Vec2) -> Vec3 {
    let Vec2 { mut x, mut y } = at;
    if x.abs() > 1.0 {
        (x, y) = (2.0 * x.signum() - x, -y);
    }
    if y.abs() > 1.0 {
        (x, y) = (-x, 2.0 * y.signum() - y);
    }
    let up = 1.0 - x.abs() - y.abs();
    if up < 0.0 {
        (x, y) = ((1.0 - y.abs()).copysign(x), (1.0 - x.abs()).copysign(y));
    }
    Vec3::new(x, up, y).normalize_or(Vec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(d: Vec3) -> Vec2 {
        let p = Vec2::new(d.x, d.z) / (d.x.abs() + d.y.abs() + d.z.abs());
        if d.y >= 0.0 {
            return p;
        }
        Vec2::new((1.0 - p.y.abs()).copysign(p.x), (1.0 - p.x.abs()).copysign(p.y))
    }

    #[test]
    fn a_direction_survives_the_round_trip() {
        for d in crate::environment::directions(500) {
            assert!(direction(position(d)).abs_diff_eq(d, 1e-5), "{d}");
        }
    }

    #[test]
    fn texels_at_the_border_are_next_to_those_beyond_the_fold() {
        let tile = tile_directions();
        assert_eq!(tile.len(), SIDE * SIDE);
        let nearest = |d: Vec3| tile.iter().map(|other| other.dot(d)).fold(-1.0, f32::max);
        let widest = 2.0 * std::f32::consts::PI / SIDE as f32;
        for i in 0..SIDE {
            for (border, inner) in [(i, SIDE + i), (i * SIDE, i * SIDE + 1)] {
                assert!(tile[border].dot(tile[inner]) > (2.0 * widest).cos(), "texel {border}");
            }
        }
        assert!(crate::environment::directions(300).all(|d| nearest(d) > widest.cos()));
    }
}
