// Appended to cut.glsl and picture.glsl.

in vec2 offset;
uniform vec3 dotColor;
uniform vec3 edgeColor;
uniform float alpha;
uniform float pixelsPerPoint;
uniform float radius;

void main() {
    float r = length(offset);
    float soft = 0.5 / pixelsPerPoint;
    float edge = radius / 3.0;
    float whole = 1.0 - smoothstep(radius + edge - soft, radius + edge + soft, r);
    float inner = 1.0 - smoothstep(radius - soft, radius + soft, r);
    if (whole <= 0.0 || inside() < 0.0) discard;
    outColor = vec4(mix(edgeColor, dotColor, inner), whole * alpha);
}
