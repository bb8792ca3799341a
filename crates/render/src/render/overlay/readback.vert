// Captures overlay values. Appended to texels.glsl and overlay.glsl.

out vec4 outOverlay;

void main() {
    outOverlay = overlayValue();
    gl_Position = vec4(0.0);
}
