uniform sampler2D picture;
uniform vec2 viewportOrigin;
uniform vec2 viewportSize;

void main() {
    outColor = texture(picture, (gl_FragCoord.xy - viewportOrigin) / viewportSize);
}
