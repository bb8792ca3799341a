// The border of a mask: a line inside it, and a dark one outside that sets it off. picture.glsl stands before this.

uniform sampler2D mask; // red where it covers
uniform float pixelsPerPoint;
uniform vec3 lineColor;

const float LINE = 1.6;  // widths, points
const float SHADE = 2.6;
const int DIRECTIONS = 12;

// The least and the most cover at so many points from here.
vec2 coverAround(float points) {
    vec2 range = vec2(1.0, 0.0);
    vec2 size = vec2(textureSize(mask, 0));
    for (int i = 0; i < DIRECTIONS; i++) {
        float angle = float(i) * 6.2831853 / float(DIRECTIONS);
        vec2 at = gl_FragCoord.xy + vec2(cos(angle), sin(angle)) * points * pixelsPerPoint;
        float cover = texture(mask, at / size).r;
        range = vec2(min(range.x, cover), max(range.y, cover));
    }
    return range;
}

void main() {
    float here = texelFetch(mask, ivec2(gl_FragCoord.xy), 0).r;
    vec2 near = coverAround(LINE);
    float line = max(here, near.y) - min(here, near.x);
    float shade = coverAround(SHADE).y * (1.0 - here) * 0.35;
    if (max(line, shade) <= 0.0) discard;
    outColor = vec4(mix(vec3(0.04), lineColor, line), max(line, shade));
}
