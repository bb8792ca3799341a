// One of the two layers of the ground: where SHADOW, the contact shadow in a pool of light, else grid and axes. picture.glsl stands before this.

in vec2 ground;

#ifdef SHADOW
uniform sampler2D shadowMap;
uniform vec2 shadowCentre;
uniform float shadowRadius;
uniform float shadowAlpha;
#ifdef KEY_SHADOW
in vec2 inCastMap;
uniform sampler2D castMap;     // in the coordinates of the key light's map
uniform float castAlpha;
#endif
uniform float poolAlpha;       // of the light on the ground around the character
uniform float poolRadius;

float shadow() {
    vec2 uv = 0.5 + 0.5 * (ground - shadowCentre) / shadowRadius;
    vec2 inside = step(0.0, uv) * step(uv, vec2(1.0));
    return inside.x * inside.y * texture(shadowMap, uv).r;
}

// Of the key light; nothing at the border of its map.
float castShadow() {
#ifdef KEY_SHADOW
    return texture(castMap, inCastMap).r * castAlpha;
#else
    return 0.0;
#endif
}

void main() {
    vec2 away = (ground - shadowCentre) / poolRadius;
    float pool = poolAlpha * exp(-2.5 * dot(away, away));
    float dark = max(shadow() * shadowAlpha, castShadow());
    // Black over white, straight alpha.
    float light = pool * (1.0 - dark);
    float alpha = dark + light;
    // Noise alone is no shadow.
    if (alpha <= 0.0) discard;
    outColor = vec4(vec3(light / max(alpha, 1e-5)), alpha + dithered(vec3(0.0)).r);
}
#else
uniform vec2 centre;
uniform float radius;
uniform float spacing;       // metres between the lines of the main level
uniform vec2 phase;          // metres from a line of the coarsest level to the origin of `ground`
uniform vec2 origin;         // where the axes meet
uniform float pixelsPerPoint;
uniform vec3 lineColor;
uniform float lineAlpha;
uniform vec3 xColor;
uniform vec3 zColor;

// 1 on lines at whole numbers of `p`, one point wide; fades where they come closer than a few pixels. `pixel` is the size of a pixel there, and `perPixel`
// one over it.
float lines(vec2 p, vec2 pixel, vec2 perPixel) {
    vec2 distance = abs(fract(p - 0.5) - 0.5) * perPixel;
    vec2 on = clamp(0.5 + 0.5 * pixelsPerPoint - distance, 0.0, 1.0);
    on *= 1.0 - smoothstep(0.06, 0.30, pixel);
    return max(on.x, on.y);
}

void main() {
    // In cells of the main level. Software drivers multiply much faster than they divide.
    float cells = 1.0 / spacing;
    vec2 within = (ground + phase) * cells;
    vec2 pixel = max(fwidth(ground) * cells, 1e-9);
    vec2 perPixel = 1.0 / pixel;
    float grid = lines(within, pixel, perPixel) * 0.55;
    grid = max(grid, lines(within * 10.0, pixel * 10.0, perPixel * 0.1) * 0.22);
    grid = max(grid, lines(within * 0.1, pixel * 0.1, perPixel * 10.0)) * lineAlpha;
    // Of the axes x and z, which are where z and x are 0 in the file.
    vec2 offAxes = abs(ground.yx - origin.yx) * cells * perPixel.yx;
    vec2 axes = clamp(0.5 + 0.75 * pixelsPerPoint - offAxes, 0.0, 1.0) * 0.65;
    vec2 left = 1.0 - axes;
    float fade = 1.0 - smoothstep(0.15, 1.0, length(ground - centre) / radius);
    vec4 color = vec4(lineColor * grid, grid);
    color = vec4(xColor * axes.x, axes.x) + color * left.x;
    color = vec4(zColor * axes.y, axes.y) + color * left.y;
    color.rgb /= max(color.a, 1e-5);
    color.a *= fade * fade;
    if (color.a <= 0.0) discard;
    outColor = vec4(dithered(color.rgb), color.a);
}
#endif
