// Per-vertex lighting of the front and, if TWO_SIDED, the back. Appended to srgb.glsl, tone.glsl, clay.glsl and,
// if LIT, lights.glsl and lit.glsl.

uniform vec4 baseColor;
uniform vec3 clay;

// Centroid, because light extrapolated to the pixel centre is arbitrary for triangles smaller than a pixel.
#ifdef TEXTURED
// Multiplied with the base colour and added to it.
centroid out vec3 frontTint;
centroid out vec3 frontShine;
#ifdef TWO_SIDED
centroid out vec3 backTint;
centroid out vec3 backShine;
#endif
#else
// Encoded.
centroid out vec3 frontColor;
#ifdef TWO_SIDED
centroid out vec3 backColor;
#endif
#endif

vec3 shaded(vec3 base, vec3 place, vec3 n, vec3 v) {
#ifdef LIT
    return lit(vec4(base, 1.0), place, n, n, n, v);
#else
    return clayLit(base, n, v);
#endif
}

#ifndef TEXTURED
vec3 shownOf(vec3 base, vec3 place, vec3 n, vec3 v) {
#ifdef LIT
    return toSrgb(neutralToned(shaded(base, place, n, v)));
#else
    return toSrgb(toneMapped(shaded(clay, place, n, v)));
#endif
}
#endif

// `ownColor` is the vertex colour, or 1.
void lightVertex(vec3 place, vec3 normal, vec3 ownColor) {
    vec3 v = toViewer(place);
    vec3 n = dot(normal, normal) > 1e-8 ? normalize(normal) : v;
#ifdef TEXTURED
    frontShine = shaded(vec3(0.0), place, n, v);
    frontTint = shaded(vec3(1.0), place, n, v) - frontShine;
#ifdef TWO_SIDED
    backShine = shaded(vec3(0.0), place, -n, v);
    backTint = shaded(vec3(1.0), place, -n, v) - backShine;
#endif
#else
    frontColor = shownOf(baseColor.rgb * ownColor, place, n, v);
#ifdef TWO_SIDED
    backColor = shownOf(baseColor.rgb * ownColor, place, -n, v);
#endif
#endif
}
