use glam::Vec3;

use rigscope_core::environment::facets;

/// Returns the intensity (0 to 1) of each light shape in the built-in environments. `cosine` is the cosine of the angle
/// to the light's axis.
pub(super) fn profiles(cosine: f32) -> [f32; 4] {
    [sky(cosine), wide(cosine), narrow(cosine), horizon(cosine)]
}

fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn sky(up: f32) -> f32 {
    smooth(-0.35, 0.95, up)
}

fn wide(cosine: f32) -> f32 {
    smooth(0.62, 0.92, cosine)
}

fn narrow(cosine: f32) -> f32 {
    smooth(0.945, 0.985, cosine)
}

fn horizon(up: f32) -> f32 {
    (-(up / 0.22).powi(2)).exp()
}

/// Number of table entries. They are at equal steps of the sine of half the angle from the axis (0 to 1).
const STEPS: usize = 64;
const FACETS: usize = 128;

/// Reflection of each light shape in a surface of one roughness, viewed at normal incidence. *Source*: Karis, Real
/// Shading in Unreal Engine 4, 2013, "pre-filtered environment map".
pub(super) struct BlurredLights([[f32; 4]; STEPS]);

impl BlurredLights {
    pub(super) fn new(roughness: f32) -> Self {
        let facets: Vec<Vec3> = facets((roughness * roughness).max(1e-3), FACETS).collect();
        Self(std::array::from_fn(|step| blurred(step as f32 / (STEPS - 1) as f32, &facets)))
    }

    /// Returns each shape's reflection. `cosine` is the cosine of the angle between the reflected direction and the
    /// light's axis.
    pub(super) fn at(&self, cosine: f32) -> [f32; 4] {
        let place = (0.5 - 0.5 * cosine).clamp(0.0, 1.0).sqrt() * (STEPS - 1) as f32;
        let step = (place as usize).min(STEPS - 2);
        let (before, after, share) = (self.0[step], self.0[step + 1], place - step as f32);
        std::array::from_fn(|shape| before[shape] + share * (after[shape] - before[shape]))
    }
}

/// Computes each shape's blurred reflection. `half_sine` is the sine of half the angle between the reflected direction
/// and the light's axis.
fn blurred(half_sine: f32, facets: &[Vec3]) -> [f32; 4] {
    let cosine = 1.0 - 2.0 * half_sine * half_sine;
    let axis = [(1.0 - cosine * cosine).max(0.0).sqrt(), cosine];
    let (mut sums, mut whole) = ([0.0; 4], 0.0);
    for &half in facets {
        let light = 2.0 * half.z * half;
        let weight = light.z - 1.0;
        if weight > 0.0 {
            let shapes = profiles(axis[0] * light.x + axis[1] * weight);
            sums.iter_mut().zip(shapes).for_each(|(sum, shape)| *sum += weight * shape);
            whole += weight;
        }
    }
    sums.map(|sum| sum / whole.max(1e-6))
}
