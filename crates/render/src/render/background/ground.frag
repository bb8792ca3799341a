// Ground layers: with SHADOW the contact shadow in a pool of light, otherwise grid and axes. Appended to picture.glsl.

in vec2 ground;

#ifdef SHADOW
uniform sampler2D shadowMap;
uniform vec2 shadowCentre;
uniform float shadowRadius;
uniform float shadowAlpha;
#ifdef KEY_SHADOW
in vec2 inCastMap;
uniform sampler2D castMap;     // in shadow-map coordinates of the key light
uniform float castAlpha;
#endif
uniform float poolAlpha;       // pool of light around the character
uniform float poolRadius;

float shadow() {
    vec2 uv = 0.5 + 0.5 * (ground - shadowCentre) / shadowRadius;
    vec2 inside = step(0.0, uv) * step(uv, vec2(1.0));
    return inside.x * inside.y * texture(shadowMap, uv).r;
}

// Shadow of the key light; 0 outside its shadow map.
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
    // Otherwise dither noise alone would draw a faint shadow.
    if (alpha <= 0.0) discard;
    outColor = vec4(vec3(light / max(alpha, 1e-5)), alpha + dithered(vec3(0.0)).r);
}
#else
uniform vec2 centre;
uniform float radius;
uniform float spacing;       // metres between the lines of the main level
uniform vec2 phase;          // metres from a line of the coarsest level to the origin of `ground`
uniform vec2 origin;         // where the axes cross
uniform float pixelsPerPoint;
uniform vec3 lineColor;
uniform float lineAlpha;
uniform vec3 xColor;
uniform vec3 zColor;

// Coverage of one-point-wide lines at integers of `p`; lines less than a few pixels apart fade out. `pixel` is the
// pixel size in units of `p`, `perPixel` its reciprocal.
float lines(vec2 p, vec2 pixel, vec2 perPixel) {
    vec2 distance = abs(fract(p - 0.5) - 0.5) * perPixel;
    vec2 on = clamp(0.5 + 0.5 * pixelsPerPoint - distance, 0.0, 1.0);
    on *= 1.0 - smoothstep(0.06, 0.30, pixel);
    return max(on.x, on.y);
}

void main() {
    // Lengths in cells of the main level: software rasterisers multiply much faster than they divide.
    float cells = 1.0 / spacing;
    vec2 within = (ground + phase) * cells;
    vec2 pixel = max(fwidth(ground) * cells, 1e-9);
    vec2 perPixel = 1.0 / pixel;
    float grid = lines(within, pixel, perPixel) * 0.55;
    grid = max(grid, lines(within * 10.0, pixel * 10.0, perPixel * 0.1) * 0.22);
    grid = max(grid, lines(within * 0.1, pixel * 0.1, perPixel * 10.0)) * lineAlpha;
    // The x axis lies where z = 0 in the file, and the z axis where x = 0.
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
