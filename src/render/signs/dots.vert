// Round marks of constant size on joints. eye.glsl stands before this.

in vec2 corner;
in vec3 head;
uniform mat4 viewProjection;
uniform vec2 pointInClip; // size of one point
out vec2 offset;          // points from the middle

const float REACH = 5.0;

void main() {
    offset = corner * REACH;
    gl_Position = viewProjection * vec4(head + toViewer(head) * worldPerPointAt(head) * REACH, 1.0);
    gl_Position.xy += offset * pointInClip * gl_Position.w;
}
