// Tone mapping.

// Linear up to 0.6, then a shoulder towards 1. One factor for all channels preserves the hue.
vec3 toneMapped(vec3 c) {
    float peak = max(max(c.r, c.g), c.b);
    float mapped = peak < 0.6 ? peak : 1.0 - 0.4 * exp(-(peak - 0.6) / 0.4);
    return c * (mapped / max(peak, 1e-6));
}

// Khronos PBR Neutral. Keeps base colours under white light and fades brighter ones to white.
vec3 neutralToned(vec3 c) {
    const float start = 0.8 - 0.04;
    float least = min(c.r, min(c.g, c.b));
    c -= least < 0.08 ? least - 6.25 * least * least : 0.04;
    float peak = max(c.r, max(c.g, c.b));
    if (peak < start) return c;
    float rest = 1.0 - start;
    float newPeak = 1.0 - rest * rest / (peak + rest - start);
    return mix(vec3(newPeak), c * (newPeak / peak), 1.0 / (0.15 * (peak - newPeak) + 1.0));
}
