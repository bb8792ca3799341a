// Lays a glass that was drawn by itself over the picture. picture.glsl stands before this.

uniform sampler2D glass; // times its alpha

void main() {
    outColor = texelFetch(glass, ivec2(gl_FragCoord.xy), 0);
}
