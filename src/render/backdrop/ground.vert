// A square of the plane y = 0, flat on the world.

in vec2 corner;
uniform mat4 viewProjection;
uniform vec2 centre;  // x and z
uniform float radius;
out vec2 ground;      // x and z

void main() {
    ground = centre + corner * radius;
    gl_Position = viewProjection * vec4(ground.x, 0.0, ground.y, 1.0);
}
