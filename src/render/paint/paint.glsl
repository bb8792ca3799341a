// Values painted over a primitive: uniforms of values.rs. skinning.glsl stands before this.

uniform highp sampler2DArray paint;
uniform int paintStart; // texel of vertex 0
uniform int paintKind;  // 0 nothing, 1 scalars, 2 colours

// A scalar in x or an encoded colour; w is 0 where nothing is painted.
vec4 paintedValue() {
    if (paintKind == 0) return vec4(0.0);
    vec4 value = texelAt(paint, paintStart + gl_VertexID);
    if (paintKind == 2) return value;
    // Above the largest scalar, 1e30, is what has none.
    return value.x > 2e30 ? vec4(0.0) : vec4(value.x, 0.0, 0.0, 1.0);
}
