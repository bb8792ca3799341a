// Horizontal square. Appended to eye.glsl.

in vec2 corner;
uniform mat4 viewProjection;
uniform vec2 centre;  // x and z
uniform float radius;
uniform float height; // y
out vec2 ground;      // x and z
#ifdef KEY_SHADOW
uniform mat4 shadowFromWorld;
out vec2 inCastMap;        // position in the key light's shadow map
#endif

const float BEHIND = 1.0; // depth offset in pixels, so that soles on the ground hide it

void main() {
    ground = centre + corner * radius;
#ifdef KEY_SHADOW
    inCastMap = (shadowFromWorld * vec4(ground.x, height, ground.y, 1.0)).xy;
#endif
    gl_Position = viewProjection * vec4(nearer(vec3(ground.x, height, ground.y), -BEHIND), 1.0);
}
