// Light on surfaces: uniforms of lights.rs. surroundings.glsl stands before this.

// Irradiance over pi by a normal n: for any, times n, times its products of x y, y z and z x, times its squares.
uniform vec3 irradianceEven;
uniform mat3 irradianceLinear;
uniform mat3 irradianceMixed;
uniform mat3 irradianceSquare;
uniform vec3 towardsKey;
uniform vec3 keyColor;    // what the key adds to a white surface that faces it
uniform sampler2D reflectance; // square roots
uniform bool isShadowed;
uniform mat4 shadowFromWorld;
uniform float shadowTexel; // metres
uniform highp sampler2DShadow keyShadow;

// From 0 to 1 to the middles of the first and the last texel.
vec2 inTable(vec2 shares, vec2 size) {
    return (shares * (size - 1.0) + 0.5) / size;
}

// What a white matt surface shows of the surroundings.
vec3 scatteredAt(vec3 n) {
    return max(irradianceEven + irradianceLinear * n + irradianceMixed * (n * n.yzx) + irradianceSquare * (n * n), 0.0);
}

// Of white surroundings: what is multiplied with the colour from the front, what is added at grazing angles, what fibres scatter.
vec3 reflectedShares(float facing, float roughness) {
    vec3 root = texture(reflectance, inTable(vec2(facing, roughness), vec2(32.0))).rgb;
    return root * root;
}

// How much of the key arrives, 0 to 1. The place is moved off the surface by more where the light grazes it.
float keyAt(vec3 place, vec3 normal) {
    if (!isShadowed) return 1.0;
    float grazing = 1.0 - clamp(dot(normal, towardsKey), 0.0, 1.0);
    vec4 at = shadowFromWorld * vec4(place + normal * shadowTexel * (1.0 + 2.0 * grazing), 1.0);
    if (any(greaterThan(abs(at.xyz - 0.5), vec3(0.5)))) return 1.0;
    vec3 p = at.xyz - vec3(0.0, 0.0, 0.0008);
    vec2 around = vec2(1.25, 0.55) / vec2(textureSize(keyShadow, 0));
    float sum = texture(keyShadow, p + vec3(around.x, around.y, 0.0));
    sum += texture(keyShadow, p + vec3(-around.y, around.x, 0.0));
    sum += texture(keyShadow, p + vec3(-around.x, -around.y, 0.0));
    sum += texture(keyShadow, p + vec3(around.y, -around.x, 0.0));
    return 0.25 * sum;
}
