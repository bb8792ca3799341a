// Appended to cut.glsl and picture.glsl.

in float offset;
in float number;
uniform vec3 lineColor;
uniform vec3 edgeColor;
uniform float alpha;
uniform float future;  // alpha factor after the present
uniform float present; // position of the present along the line, in points of the polyline
uniform float width;   // half width, points
uniform float pixelsPerPoint;

const float EDGE = 0.7; // points

void main() {
    float r = abs(offset);
    float soft = 0.5 / pixelsPerPoint;
    float whole = 1.0 - smoothstep(width + EDGE - soft, width + EDGE + soft, r);
    float inner = 1.0 - smoothstep(width - soft, width + soft, r);
    if (whole <= 0.0 || inside() < 0.0) discard;
    outColor = vec4(mix(edgeColor, lineColor, inner), whole * alpha * (number <= present ? 1.0 : future));
}
