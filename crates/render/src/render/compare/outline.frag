// Outline of a mask: a line inside its border and a dark line outside. Appended to picture.glsl.

uniform sampler2D mask; // red channel: coverage
uniform float lineWidth; // pixels
uniform float shadeWidth; // pixels
uniform float coarseLevel; // mask level whose texel covers both widths
uniform vec3 lineColor;

const int DIRECTIONS = 12;

// Minimum and maximum coverage over `points` samples of a circle around this pixel.
vec2 coverAround(float radius, int points) {
    vec2 range = vec2(1.0, 0.0);
    vec2 size = vec2(textureSize(mask, 0));
    for (int i = 0; i < points; i++) {
        float angle = float(i) * 6.2831853 / float(DIRECTIONS);
        vec2 at = gl_FragCoord.xy + vec2(cos(angle), sin(angle)) * radius;
        float cover = textureLod(mask, at / size, 0.0).r;
        range = vec2(min(range.x, cover), max(range.y, cover));
    }
    return range;
}

void main() {
    float around = textureLod(mask, gl_FragCoord.xy / vec2(textureSize(mask, 0)), coarseLevel).r;
    // Far from the border no search is needed.
    int points = around < 0.001 || around > 0.999 ? 0 : DIRECTIONS;
    float here = texelFetch(mask, ivec2(gl_FragCoord.xy), 0).r;
    vec2 near = coverAround(lineWidth, points);
    float line = max(here, near.y) - min(here, near.x);
    float shade = coverAround(shadeWidth, points).y * (1.0 - here) * 0.35;
    if (max(line, shade) <= 0.0) discard;
    outColor = vec4(mix(vec3(0.04), lineColor, line), max(line, shade));
}
