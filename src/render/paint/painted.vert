// Keeps what is painted over a vertex. texels.glsl and paint.glsl stand before this.

out vec4 outPainted;

void main() {
    outPainted = paintedValue();
    gl_Position = vec4(0.0);
}
