// Composites the separately rendered glass actor over the image. Appended to picture.glsl.

uniform sampler2D glass; // premultiplied alpha

void main() {
    outColor = texelFetch(glass, ivec2(gl_FragCoord.xy), 0);
}
