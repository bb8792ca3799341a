// One pass of a separable Gaussian blur. Appended to picture.glsl.

uniform sampler2D shadowMap;
uniform vec2 stepSize; // two thirds of the standard deviation, in texture coordinates
uniform float texel;

void main() {
    vec2 uv = gl_FragCoord.xy * texel;
    float sum = 0.0;
    float weights = 0.0;
    for (int i = -4; i <= 4; i++) {
        float weight = exp(-2.0 * float(i * i) / 9.0);
        sum += texture(shadowMap, uv + stepSize * float(i)).r * weight;
        weights += weight;
    }
    outColor = vec4(vec3(sum / weights), 1.0);
}
