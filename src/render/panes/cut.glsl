// The pixels that a side of the picture may touch: uniforms of Cut::use_uniforms.

uniform vec3 cut;

// Below 0 on the other side of the line, pixels.
float inside() {
    return dot(cut, vec3(gl_FragCoord.xy, 1.0));
}
