// The camera in shaders: uniforms of Eye::use_uniforms.

uniform vec3 eye;
uniform vec3 forward;
uniform int isOrthographic;
uniform float worldPerPoint; // of one point at a distance of one metre, or anywhere in parallel projection
uniform float worldPerPixel; // the same of one pixel

float worldPerPointAt(vec3 p) {
    return isOrthographic == 1 ? worldPerPoint : worldPerPoint * max(dot(p - eye, forward), 1e-6);
}

vec3 toViewer(vec3 p) {
    return isOrthographic == 1 ? -forward : normalize(eye - p);
}

// A point so many pixels nearer to the viewer, or farther where that is negative, and seen in the same place.
vec3 nearer(vec3 p, float pixels) {
    float way = pixels * worldPerPixel;
    return isOrthographic == 1 ? p - forward * way : p + (eye - p) * way;
}
