//! Curves over time.

/// Evaluates a closed Catmull-Rom curve (non-uniform) through (phase, value) keys, with ascending phases in 0..1.
pub fn looped(keys: &[(f64, f64)], phase: f64) -> f64 {
    let n = keys.len().cast_signed();
    let key = |i: isize| {
        let (phase, value) = keys[i.rem_euclid(n) as usize];
        (phase + i.div_euclid(n) as f64, value)
    };
    let phase = phase - phase.floor();
    let after = keys.iter().position(|k| k.0 > phase).map_or(n, usize::cast_signed);
    let [k0, k1, k2, k3] = [-2, -1, 0, 1].map(|i| key(after + i));
    let span = k2.0 - k1.0;
    let t = (phase - k1.0) / span;
    let (m1, m2) = ((k2.1 - k0.1) / (k2.0 - k0.0) * span, (k3.1 - k1.1) / (k3.0 - k1.0) * span);
    let (t2, t3) = (t * t, t * t * t);
    k1.1 * (2.0 * t3 - 3.0 * t2 + 1.0) + m1 * (t3 - 2.0 * t2 + t) + k2.1 * (3.0 * t2 - 2.0 * t3) + m2 * (t3 - t2)
}

/// Returns the sine of a phase, given in turns.
pub fn wave(turns: f64) -> f64 {
    libm::sin(turns * std::f64::consts::TAU)
}
