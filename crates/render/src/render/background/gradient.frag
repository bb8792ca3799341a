// Vertical background gradient. Appended to picture.glsl.

uniform vec3 top;
uniform vec3 bottom;
uniform float height; // full image height in pixels

void main() {
    float y = pixelOfPicture().y / height;
    outColor = vec4(dithered(mix(bottom, top, smoothstep(0.0, 1.0, y))), 1.0);
}
