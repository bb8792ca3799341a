use glam::{Mat4, Vec3, Vec4};

use super::directions;

const COUNT: usize = 2048;

/// Computes one matrix `M` each for red, green and blue: `(n, 1) · M (n, 1)` is irradiance / π at surface normal `n`.
/// *Source*: Ramamoorthi and Hanrahan, An Efficient Representation for Irradiance Environment Maps, 2001, equation 12.
pub fn irradiance(radiance: impl Fn(Vec3) -> Vec3) -> [Mat4; 3] {
    let mut coefficients = [Vec3::ZERO; 9];
    for d in directions(COUNT) {
        let radiance = radiance(d) * (4.0 * std::f32::consts::PI / COUNT as f32);
        let basis = [
            0.282_095,
            0.488_603 * d.y,
            0.488_603 * d.z,
            0.488_603 * d.x,
            1.092_548 * d.x * d.y,
            1.092_548 * d.y * d.z,
            0.315_392 * (3.0 * d.z * d.z - 1.0),
            1.092_548 * d.x * d.z,
            0.546_274 * (d.x * d.x - d.y * d.y),
        ];
        coefficients.iter_mut().zip(basis).for_each(|(sum, b)| *sum += radiance * b);
    }
    [0, 1, 2].map(|channel| {
        let l = coefficients.map(|c| c[channel] * std::f32::consts::FRAC_1_PI);
        let [c1, c2, c3, c4, c5] = [0.429_043, 0.511_664, 0.743_125, 0.886_227, 0.247_708];
        Mat4::from_cols(
            Vec4::new(c1 * l[8], c1 * l[4], c1 * l[7], c2 * l[3]),
            Vec4::new(c1 * l[4], -c1 * l[8], c1 * l[5], c2 * l[1]),
            Vec4::new(c1 * l[7], c1 * l[5], c3 * l[6], c2 * l[2]),
            Vec4::new(c2 * l[3], c2 * l[1], c2 * l[2], c4 * l[0] - c5 * l[6]),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_light_from_everywhere_is_shown_as_it_is_by_every_normal() {
        let color = Vec3::new(0.2, 0.5, 3.0);
        let matrices = irradiance(|_| color);
        for n in directions(50).map(|n| n.extend(1.0)) {
            let found = Vec3::from_array(matrices.map(|m| n.dot(m * n)));
            assert!(found.abs_diff_eq(color, 1e-2), "{found}");
        }
    }
}
