// Every vertex into a pixel of its own, so that the skinned values can be read back. skinning.glsl and paint.glsl stand before this.

uniform ivec2 valuesSize;  // of the picture that takes the values
uniform int wanted;        // 0 position, 1 normal, 2 what is painted
flat out vec4 value;

void main() {
    Skinned skin = skinned();
    value = wanted == 2 ? paintedValue() : vec4(wanted == 1 ? skin.normal : skin.position, 1.0);
    ivec2 pixel = ivec2(gl_VertexID % valuesSize.x, gl_VertexID / valuesSize.x);
    vec2 centre = (vec2(pixel) + 0.5) / vec2(valuesSize);
    gl_Position = vec4(centre.x * 2.0 - 1.0, 1.0 - centre.y * 2.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
