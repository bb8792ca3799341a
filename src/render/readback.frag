flat in vec4 value;
out vec4 outColor;

void main() {
    outColor = value;
}
