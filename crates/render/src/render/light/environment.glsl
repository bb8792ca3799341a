// The prefiltered environment: octahedral tiles (octahedron.rs), stacked by roughness.

uniform sampler2D environment;
uniform vec2 environmentRotation; // rotation about the vertical: sine and cosine
uniform float strength;

const float TILE = 64.0;   // SIDE
const float TILES = 8.0;   // LEVELS

// Position of a direction in its tile, 0 to 1.
vec2 placeInTile(vec3 d) {
    vec2 p = d.xz / (abs(d.x) + abs(d.y) + abs(d.z));
    vec2 folded = (1.0 - abs(p.yx)) * vec2(p.x < 0.0 ? -1.0 : 1.0, p.y < 0.0 ? -1.0 : 1.0);
    return 0.5 + (0.5 - 1.0 / TILE) * (d.y < 0.0 ? folded : p);
}

// Reflected radiance from a direction at this roughness.
vec3 reflectionAt(vec3 towards, float roughness) {
    float s = environmentRotation.x;
    float c = environmentRotation.y;
    vec2 at = placeInTile(vec3(c * towards.x - s * towards.z, towards.y, s * towards.x + c * towards.z));
    float tile = clamp(roughness, 0.0, 1.0) * (TILES - 1.0);
    float sharper = min(floor(tile), TILES - 2.0);
    vec3 light = texture(environment, vec2(at.x, (sharper + at.y) / TILES)).rgb;
    vec3 rougher = texture(environment, vec2(at.x, (sharper + 1.0 + at.y) / TILES)).rgb;
    return strength * mix(light, rougher, tile - sharper);
}
