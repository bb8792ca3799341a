// A square of the plane y = 0, flat on the world. eye.glsl stands before this.

in vec2 corner;
uniform mat4 viewProjection;
uniform vec2 centre;  // x and z
uniform float radius;
out vec2 ground;      // x and z

const float BEHIND = 1.0; // pixels: soles that stand on the ground hide it

void main() {
    ground = centre + corner * radius;
    gl_Position = viewProjection * vec4(nearer(vec3(ground.x, 0.0, ground.y), -BEHIND), 1.0);
}
