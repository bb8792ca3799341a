// A soft vertical gradient. picture.glsl stands before this.

uniform vec3 top;
uniform vec3 bottom;
uniform float height; // of the whole picture, pixels

void main() {
    float y = pixelOfPicture().y / height;
    outColor = vec4(dithered(mix(bottom, top, smoothstep(0.0, 1.0, y))), 1.0);
}
