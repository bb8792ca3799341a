// Clipping at a dividing line. ClipHalfPlane::use_uniforms sets the uniform.

uniform vec3 cut;

// Signed distance from the line in pixels, negative on the other side.
float inside() {
    return dot(cut, vec3(gl_FragCoord.xy, 1.0));
}
