// Shadow of the key light on level ground, in shadow-map coordinates. Appended to picture.glsl.

uniform float texel;      // of the render target, in map coordinates
uniform highp sampler2DShadow keyShadow;
uniform vec3 groundDepth; // map depth of the ground: dot product with (u, v, 1)
uniform vec3 softening;   // penumbra half-width in the map: dot product with (u, v, 1)
uniform float widest;     // maximum half-width, in the map

const int TAPS = 20;
const int OUTER = 6; // outermost taps
const mat2 GOLDEN_TURN = mat2(-0.737369, 0.675490, -0.675490, -0.737369);

// Counts lit taps from index `from` up to `to` on a spiral of radius |spoke|, and rotates `spoke` past them.
float litOf(int from, int to, vec3 p, inout vec2 spoke) {
    float lit = 0.0;
    for (int i = from; i < to; i++) {
        lit += texture(keyShadow, p + vec3(spoke * sqrt((float(i) + 0.5) / float(TAPS)), 0.0));
        spoke = GOLDEN_TURN * spoke;
    }
    return lit;
}

// Percentage-closer soft shadow of an area light, softer farther from the caster. All texels use the same taps, because
// large images would show noise between texels as grain.
void main() {
    vec3 at = vec3(gl_FragCoord.xy * texel, 1.0);
    vec3 p = vec3(at.xy, min(dot(groundDepth, at), 1.0) - 0.001);
    float reach = min(1.5 / float(textureSize(keyShadow, 0).x) + max(dot(softening, at), 0.0), widest);
    vec2 spoke = vec2(reach, 0.0);
    float outer = litOf(TAPS - OUTER, TAPS, p, spoke);
    float few = (outer + texture(keyShadow, p)) / float(OUTER + 1);
    // In the penumbra, add the inner taps.
    float lit = few > 0.0 && few < 1.0 ? (outer + litOf(0, TAPS - OUTER, p, spoke)) / float(TAPS) : few;
    outColor = vec4(vec3(1.0 - lit), 1.0);
}
