// The shadow of the key light on level ground, in the coordinates of its map; picture.glsl stands before this.

uniform float texel;      // of what is drawn, in the map
uniform highp sampler2DShadow keyShadow;
uniform vec3 groundDepth; // of the ground in the map, from its coordinates and 1
uniform vec3 softening;   // half-width of a border in the map, from its coordinates and 1
uniform float widest;     // half-width, in the map

const int TAPS = 8;
const int OUTER = 4; // of them, farthest out
const mat2 GOLDEN_TURN = mat2(-0.737369, 0.675490, -0.675490, -0.737369);

// Number of samples, from one to before another on a spiral, that are lit. The spoke, as long as the spiral reaches, is turned on.
float litOf(int from, int to, vec3 p, inout vec2 spoke) {
    float lit = 0.0;
    for (int i = from; i < to; i++) {
        lit += texture(keyShadow, p + vec3(spoke * sqrt((float(i) + 0.5) / float(TAPS)), 0.0));
        spoke = GOLDEN_TURN * spoke;
    }
    return lit;
}

// The farther from what casts it, the softer, as of a lamp that is not small; noise hides that samples are few.
void main() {
    vec3 at = vec3(gl_FragCoord.xy * texel, 1.0);
    vec3 p = vec3(at.xy, min(dot(groundDepth, at), 1.0) - 0.001);
    float reach = min(1.5 / float(textureSize(keyShadow, 0).x) + max(dot(softening, at), 0.0), widest);
    float turn = 6.2831853 * noise();
    vec2 spoke = reach * vec2(cos(turn), sin(turn));
    float outer = litOf(TAPS - OUTER, TAPS, p, spoke);
    float lit = outer / float(OUTER);
    // At a border.
    if (lit > 0.0 && lit < 1.0) lit = (outer + litOf(0, TAPS - OUTER, p, spoke)) / float(TAPS);
    outColor = vec4(vec3(1.0 - lit), 1.0);
}
