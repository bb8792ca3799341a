// Captures overlay values. Appended to texels.glsl and paint.glsl.

out vec4 outPainted;

void main() {
    outPainted = paintedValue();
    gl_Position = vec4(0.0);
}
