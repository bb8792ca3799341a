// Instanced bones from head to tail: octahedra or rods. Appended to eye.glsl.

in vec3 shape; // x, y: direction on the ring; z: 0 head, 1 ring, 2 tail
in vec3 barycentric;
in vec3 head;
in vec3 tail;      // equals the head for a bone without length
in vec3 sideways;  // unit length, rotates with the joint
in vec4 tint;  // alpha above 1: never thins out
in float size; // thickness factor; below 1, the bone thins out to a line when small on screen

uniform mat4 viewProjection;
uniform float rodPoints; // half width of rods; 0 for octahedra
out vec3 pos;
out vec3 edges;
out vec4 color;
out float solidity; // 0 for a thin bone without edges, 1 for one with edges

const float WIDTH = 0.085;      // half width, fraction of the bone's length
const float RING = 0.17;        // position of the ring, fraction of the bone's length
const float MIN_POINTS = 1.5;   // half width
const float MAX_POINTS = 11.0;
const float DIAMOND_POINTS = 5.0;
const float THIN_POINTS = 0.5;  // half width of a thinned-out bone
const float THIN_ALPHA = 0.6;   // alpha factor

void main() {
    float point = worldPerPointAt(head);
    vec3 start = head;
    vec3 axis = tail - head;
    float reach = length(axis);
    float body = size * min(WIDTH * reach, MAX_POINTS * point);
    float width = rodPoints > 0.0 ? size * rodPoints * point : max(body, size * MIN_POINTS * point);
    float ring = max(RING * reach, min(width, 0.4 * reach));
    if (reach <= 0.0) {
        width = size * DIAMOND_POINTS * point;
        ring = width;
        reach = 2.0 * width;
        axis = vec3(0.0, reach, 0.0);
        start = head - vec3(0.0, width, 0.0);
    }
    bool keepsShape = size >= 1.0 || tint.a > 1.0;
    solidity = smoothstep(6.0, keepsShape ? 16.0 : 40.0, reach / point);
    if (!keepsShape) width = mix(min(width, THIN_POINTS * point), width, solidity);
    vec3 along = axis / reach;
    vec3 across = normalize(cross(along, sideways));
    vec3 side = cross(across, along);
    float distance = shape.z < 0.5 ? 0.0 : (shape.z < 1.5 ? ring : reach);
    pos = start + along * distance + (side * shape.x + across * shape.y) * width;
    edges = barycentric;
    color = tint;
    color.a = min(tint.a, 1.0) * (keepsShape ? 1.0 : mix(THIN_ALPHA, 1.0, solidity));
    gl_Position = viewProjection * vec4(pos, 1.0);
}
