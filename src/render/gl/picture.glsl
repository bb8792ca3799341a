// Shared by the fragment shaders: the picture holds sRGB-encoded bytes. srgb.glsl stands before this.

uniform vec2 pictureOrigin; // left and bottom of what is drawn in the whole picture, pixels
out vec4 outColor;

// Of the whole picture, pixels.
vec2 pixelOfPicture() {
    return gl_FragCoord.xy + pictureOrigin;
}

// From 0 to 1 by the pixel (interleaved gradient noise, Jimenez 2014).
float noise() {
    return fract(52.9829189 * fract(dot(pixelOfPicture(), vec2(0.06711056, 0.00583715))));
}

// With half a byte step of noise that breaks bands.
vec3 dithered(vec3 srgb) {
    return srgb + (noise() - 0.5) / 255.0;
}
