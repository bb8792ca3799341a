// Bright dividing line with a dark outline, edged in each side's colour. Appended to cut.glsl and picture.glsl.

uniform float pixelsPerPoint;
uniform vec3 sideA;
uniform vec3 sideB;

const float CORE = 1.0; // half widths, points
const float EDGE = 2.25;
const float OUTLINE = 3.25;

// Antialiased coverage of a line whose half width is `points`.
float within(float points, float distance) {
    return clamp(0.5 + points * pixelsPerPoint - distance, 0.0, 1.0);
}

void main() {
    float towardsB = inside();
    float distance = abs(towardsB);
    float outline = within(OUTLINE, distance);
    if (outline <= 0.0) discard;
    vec3 color = mix(vec3(0.06), towardsB < 0.0 ? sideA : sideB, within(EDGE, distance));
    color = mix(color, vec3(0.97), within(CORE, distance));
    outColor = vec4(color, mix(outline * 0.55, 1.0, within(EDGE, distance)));
}
