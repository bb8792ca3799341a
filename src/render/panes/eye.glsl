// The camera in shaders: uniforms of Eye::use_uniforms.

uniform vec3 eye;
uniform vec3 forward;
uniform int isOrthographic;
uniform float worldPerPoint; // of one point at a distance of one metre, or anywhere in parallel projection

float worldPerPointAt(vec3 p) {
    return isOrthographic == 1 ? worldPerPoint : worldPerPoint * max(dot(p - eye, forward), 1e-6);
}

vec3 toViewer(vec3 p) {
    return isOrthographic == 1 ? -forward : normalize(eye - p);
}
