// Dots of constant screen size. Appended to eye.glsl.

in vec2 corner;
in vec3 head;
uniform mat4 viewProjection;
uniform vec2 pointInClip; // size of one point
uniform float radius;     // points
out vec2 offset;          // points from the centre

void main() {
    float reach = radius + 2.0;
    offset = corner * reach;
    gl_Position = viewProjection * vec4(head + toViewer(head) * worldPerPointAt(head) * reach, 1.0);
    gl_Position.xy += offset * pointInClip * gl_Position.w;
}
