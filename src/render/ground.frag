// One of the two layers of the ground. picture.glsl stands before this.

in vec2 ground;

uniform vec2 centre;
uniform float radius;
uniform float spacing;       // metres between the lines of the main level
uniform float pixelsPerPoint;
uniform vec3 lineColor;
uniform float lineAlpha;
uniform vec3 xColor;
uniform vec3 zColor;
uniform sampler2D shadowMap;
uniform vec2 shadowCentre;
uniform float shadowRadius;
uniform float shadowAlpha;
uniform float poolAlpha;       // of the light on the ground around the character
uniform float poolRadius;
uniform int isShadow;          // else grid and axes

// 1 on lines at multiples of `step`, one point wide; fades where they come closer than a few pixels.
float lines(vec2 p, float step) {
    vec2 c = p / step;
    vec2 width = max(fwidth(c), 1e-9);
    vec2 distance = abs(fract(c - 0.5) - 0.5) / width;
    vec2 on = clamp(0.5 + 0.5 * pixelsPerPoint - distance, 0.0, 1.0);
    on *= 1.0 - smoothstep(0.06, 0.30, width);
    return max(on.x, on.y);
}

// 1 on the line where the coordinate is 0.
float axis(float coordinate) {
    float distance = abs(coordinate) / max(fwidth(coordinate), 1e-9);
    return clamp(0.5 + 0.75 * pixelsPerPoint - distance, 0.0, 1.0);
}

float shadow() {
    vec2 uv = 0.5 + 0.5 * (ground - shadowCentre) / shadowRadius;
    vec2 inside = step(0.0, uv) * step(uv, vec2(1.0));
    return inside.x * inside.y * texture(shadowMap, uv).r;
}

// The nearer of two layers over the other, both straight alpha.
vec4 over(vec4 near, vec4 far) {
    float a = near.a + far.a * (1.0 - near.a);
    return vec4((near.rgb * near.a + far.rgb * far.a * (1.0 - near.a)) / max(a, 1e-5), a);
}

void main() {
    if (isShadow == 1) {
        float away = length(ground - shadowCentre) / poolRadius;
        vec4 pool = vec4(1.0, 1.0, 1.0, poolAlpha * exp(-2.5 * away * away));
        vec4 layers = over(vec4(0.0, 0.0, 0.0, shadow() * shadowAlpha), pool);
        outColor = vec4(layers.rgb, layers.a + dithered(vec3(0.0)).r);
        return;
    }
    float fade = 1.0 - smoothstep(0.15, 1.0, length(ground - centre) / radius);
    float grid = lines(ground, spacing) * 0.55;
    grid = max(grid, lines(ground, spacing * 0.1) * 0.22);
    grid = max(grid, lines(ground, spacing * 10.0));
    vec4 color = vec4(lineColor, grid * lineAlpha);
    color = over(vec4(xColor, axis(ground.y) * 0.65), color);
    color = over(vec4(zColor, axis(ground.x) * 0.65), color);
    color.a *= fade * fade;
    if (color.a <= 0.0) discard;
    outColor = vec4(dithered(color.rgb), color.a);
}
