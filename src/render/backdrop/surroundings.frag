// The surroundings, out of focus. picture.glsl, tone.glsl and surroundings.glsl stand before this.

uniform mat3 rayFromPicture; // from a place in the viewport, -1 to 1, to a direction in the world
uniform vec2 viewportOrigin;
uniform vec2 viewportSize;

const float BLUR = 0.3; // as a surface of this roughness mirrors them

void main() {
    vec2 place = (gl_FragCoord.xy - viewportOrigin) / viewportSize * 2.0 - 1.0;
    vec3 towards = normalize(rayFromPicture * vec3(place, 1.0));
    outColor = vec4(dithered(toSrgb(neutralToned(mirroredAt(towards, BLUR)))), 1.0);
}
