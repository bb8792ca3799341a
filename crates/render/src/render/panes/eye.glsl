// The camera. PaneCamera::use_uniforms sets the uniforms.

uniform vec3 eye;
uniform vec3 forward;
uniform int isOrthographic;
uniform float worldPerPoint; // world length of a point at a distance of one metre, or anywhere in parallel projection
uniform float worldPerPixel; // the same for a pixel

float worldPerPointAt(vec3 p) {
    return isOrthographic == 1 ? worldPerPoint : worldPerPoint * max(dot(p - eye, forward), 1e-6);
}

vec3 toViewer(vec3 p) {
    return isOrthographic == 1 ? -forward : normalize(eye - p);
}

// Moves a point towards the viewer (away if negative) by the world length of `pixels`, at the same screen position.
vec3 nearer(vec3 p, float pixels) {
    float way = pixels * worldPerPixel;
    return isOrthographic == 1 ? p - forward * way : p + (eye - p) * way;
}
