flat in vec3 value;
out vec4 outColor;

void main() {
    outColor = vec4(value, 1.0);
}
