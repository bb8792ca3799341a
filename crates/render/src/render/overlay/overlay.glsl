// Overlay value of a vertex; uniforms from overlay_textures.rs. Appended to texels.glsl.

uniform highp sampler2DArray overlay;
uniform int overlayStart; // texel of vertex 0
uniform int overlayKind;  // 0 none, 1 scalars, 2 colours

// A scalar in x or an encoded colour in xyz; w is 0 without a value.
vec4 overlayValue() {
    if (overlayKind == 0) return vec4(0.0);
    vec4 value = texelAt(overlay, overlayStart + gl_VertexID);
    if (overlayKind == 2) return value;
    // Scalars are at most 1e30; a larger number means no value.
    return value.x > 2e30 ? vec4(0.0) : vec4(value.x, 0.0, 0.0, 1.0);
}
