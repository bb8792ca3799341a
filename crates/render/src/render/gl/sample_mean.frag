// Averages the samples of a pixel. Appended to picture.glsl.

uniform sampler2DMS samples;

void main() {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < COUNT; i++) sum += texelFetch(samples, ivec2(gl_FragCoord.xy), i);
    outColor = sum / float(COUNT);
}
