// Clay under soft lights that are fixed to the camera.

// Directions towards the lights, world space.
uniform vec3 key;
uniform vec3 fill;
uniform vec3 rim;
const vec3 KEY_COLOR = vec3(1.00, 0.975, 0.94) * 0.92;
const vec3 FILL_COLOR = vec3(0.80, 0.89, 1.00) * 0.15;
const vec3 RIM_COLOR = vec3(0.92, 0.96, 1.00) * 0.55;
const vec3 SKY = vec3(0.90, 0.95, 1.00) * 0.28;
const vec3 GROUND = vec3(1.00, 0.95, 0.90) * 0.07;

// Diffuse light that reaches slightly beyond the terminator, for soft shapes.
float wrapped(float cosine) {
    float w = clamp((cosine + 0.22) / 1.22, 0.0, 1.0);
    return w * (0.35 + 0.65 * w);
}

float specular(vec3 n, vec3 v, vec3 l, float alpha) {
    vec3 h = normalize(l + v);
    float nh = max(dot(n, h), 0.0);
    float d = nh * nh * (alpha * alpha - 1.0) + 1.0;
    float visibility = 0.25 / mix(max(dot(l, h), 0.1), 1.0, alpha);
    return alpha * alpha / (d * d) * visibility * max(dot(n, l), 0.0);
}

vec3 clayLit(vec3 albedo, vec3 n, vec3 v) {
    float facing = clamp(dot(n, v), 0.0, 1.0);
    float grazing = 1.0 - facing;
    float grazing2 = grazing * grazing;
    const float rough = 0.62;

    vec3 sky = mix(GROUND, SKY, 0.5 + 0.5 * n.y);
    vec3 diffuse = KEY_COLOR * wrapped(dot(n, key)) + FILL_COLOR * wrapped(dot(n, fill)) + sky;
    const vec3 f0 = vec3(0.04);
    vec3 fresnel = f0 + (max(vec3(1.0 - rough), f0) - f0) * (grazing2 * grazing2 * grazing);
    vec3 r = reflect(-v, n);
    vec3 mirrored = mix(GROUND, SKY, smoothstep(-0.6, 0.8, r.y)) * 2.2 + KEY_COLOR * 0.35 * smoothstep(0.2, 1.0, dot(r, key));
    vec3 shine = f0 * KEY_COLOR * specular(n, v, key, rough * rough) + fresnel * mirrored * mix(1.0, 0.45, rough);
    float edge = grazing2 * grazing * smoothstep(-0.25, 0.6, dot(n, rim));
    return albedo * diffuse + shine + RIM_COLOR * edge * mix(vec3(0.25), albedo, 0.7);
}

