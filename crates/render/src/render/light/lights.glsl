// Surface lighting. lights.rs sets the uniforms. Appended to environment.glsl.

// Irradiance / pi at normal n, as a quadratic polynomial: constant, n, (xy, yz, zx), (xx, yy, zz).
uniform vec3 irradianceEven;
uniform mat3 irradianceLinear;
uniform mat3 irradianceMixed;
uniform mat3 irradianceSquare;
uniform vec3 towardsKey;
uniform vec3 keyColor;    // reflected by a white surface that faces the key light
uniform sampler2D reflectance; // square roots of the values
uniform bool isShadowed;
uniform mat4 shadowFromWorld;
uniform float shadowTexel; // metres
uniform highp sampler2DShadow keyShadow;

// Maps 0 and 1 to the centres of the first and last texel.
vec2 inTable(vec2 shares, vec2 size) {
    return (shares * (size - 1.0) + 0.5) / size;
}

// Diffuse reflection of the environment by a white surface.
vec3 scatteredAt(vec3 n) {
    return max(irradianceEven + irradianceLinear * n + irradianceMixed * (n * n.yzx) + irradianceSquare * (n * n), 0.0);
}

// Environment BRDF: scale of the normal-incidence colour, bias at grazing angles, sheen.
vec3 reflectedShares(float facing, float roughness) {
    vec3 root = texture(reflectance, inTable(vec2(facing, roughness), vec2(32.0))).rgb;
    return root * root;
}

// Visibility of the key light, 0 to 1. Against shadow acne, the offset along the normal grows at grazing light.
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
