// Blurred environment as background. Appended to picture.glsl, tone.glsl and environment.glsl.

uniform mat3 rayFromPicture; // from viewport position (-1 to 1) to world direction
uniform vec2 viewportOrigin;
uniform vec2 viewportSize;

const float BLUR = 0.3; // roughness of a surface with the same blur

void main() {
    vec2 place = (gl_FragCoord.xy - viewportOrigin) / viewportSize * 2.0 - 1.0;
    vec3 towards = normalize(rayFromPicture * vec3(place, 1.0));
    outColor = vec4(dithered(toSrgb(neutralToned(reflectionAt(towards, BLUR)))), 1.0);
}
