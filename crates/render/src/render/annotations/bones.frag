// Flat facets with dark edges. Appended to eye.glsl, cut.glsl and picture.glsl.

in vec3 pos;
in vec3 edges;
in vec4 color;
in float solidity;
uniform float pixelsPerPoint;
uniform vec3 edgeColor;
uniform float edgeFraction; // blend factor of the edge colour

const float LINE_SHARE = 0.6; // blend factor of the edge colour on thin bones; visible on dark and light skin

void main() {
    if (inside() < 0.0) discard;
    vec3 viewer = toViewer(pos);
    vec3 facet = cross(dFdx(pos), dFdy(pos));
    float slope = dot(facet, facet) > 0.0 ? abs(dot(normalize(facet), viewer)) : 1.0;
    vec3 distance = edges / max(fwidth(edges), vec3(1e-6)) / pixelsPerPoint;
    float nearest = min(min(distance.x, distance.y), distance.z);
    float edge = max(1.0 - smoothstep(0.45, 1.15, nearest), 1.0 - solidity);
    vec3 body = color.rgb * (0.70 + 0.30 * slope);
    outColor = vec4(mix(body, edgeColor, edge * edgeFraction * mix(LINE_SHARE, 1.0, solidity)), color.a);
}
