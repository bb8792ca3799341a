// A square of a level plane. eye.glsl stands before this.

in vec2 corner;
uniform mat4 viewProjection;
uniform vec2 centre;  // x and z
uniform float radius;
uniform float height; // y
out vec2 ground;      // x and z

const float BEHIND = 1.0; // pixels: soles that stand on the ground hide it

void main() {
    ground = centre + corner * radius;
    gl_Position = viewProjection * vec4(nearer(vec3(ground.x, height, ground.y), -BEHIND), 1.0);
}
