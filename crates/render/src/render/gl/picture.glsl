// For fragment shaders that write sRGB-encoded colours. Appended to srgb.glsl.

uniform vec2 pictureOrigin; // left and bottom of the drawn rectangle in the full image, pixels
out vec4 outColor;

// Pixel position in the full image.
vec2 pixelOfPicture() {
    return gl_FragCoord.xy + pictureOrigin;
}

// Interleaved gradient noise per pixel, 0 to 1 (Jimenez 2014).
float noise() {
    return fract(52.9829189 * fract(dot(pixelOfPicture(), vec2(0.06711056, 0.00583715))));
}

// Adds half a byte step of noise against banding.
vec3 dithered(vec3 srgb) {
    return srgb + (noise() - 0.5) / 255.0;
}
