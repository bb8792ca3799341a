// Shades a primitive. Switches: features.rs and draw_material.rs. Appended to eye.glsl, cut.glsl, srgb.glsl,
// picture.glsl, tone.glsl, clay.glsl, the textures of maps.rs and, if LIT, lights.glsl and lit.glsl.

uniform vec4 baseColor;
uniform vec3 clay;          // replaces the base colour
uniform vec2 alphaRange;    // fragments outside are discarded
uniform float cutoff;       // alpha of half coverage, if isCovering
uniform mat3 viewFromWorld;
uniform sampler2D solidDepth; // of surfaces that may hide the glass
uniform float hiddenShare;  // opacity factor of hidden glass
uniform vec3 glassColor;
uniform vec3 glassRim;
uniform int overlayKind;      // 0 none, 1 scalars, 2 colours
uniform vec2 overlayRange;
uniform highp sampler2DArray ramp; // one row, sRGB bytes
#ifdef TEXTURED
uniform sampler2D baseTexture; // sRGB, decoded by the sampler
#endif
#ifdef NORMAL_MAP
uniform float normalScale;
#endif
#ifdef COAT_NORMAL_MAP
uniform float coatNormalScale;
#endif
#ifdef LIT_BY_VERTEX
#ifdef TEXTURED
centroid in vec3 frontTint;
centroid in vec3 frontShine;
#ifdef TWO_SIDED
centroid in vec3 backTint;
centroid in vec3 backShine;
#endif
#else
centroid in vec3 frontColor;
#ifdef TWO_SIDED
centroid in vec3 backColor;
#endif
#endif
#endif

// Numbered as in FragmentShading.
const int FINISH_LIT = 0;
const int FINISH_UNLIT = 1;
const int FINISH_CLAY = 2;
const int FINISH_BARE_CLAY = 3;
const int FINISH_NORMALS = 4;
const int FINISH_UV_CHECKER = 5;
const int FINISH_MATCAP = 6;

#ifdef HOVERED
// The selection colour, linear.
const vec3 HOVERED_COLOR = vec3(1.0, 0.638, 0.133);
// Weight at the outline of the hovered joint's skin.
const float OUTLINE_WEIGHT = 0.25;
// Half widths of the outline and of the outline with its dark edges, points.
const vec2 OUTLINE_WIDTHS = vec2(1.0, 2.25);

// Outlines the skin of the hovered joint and tints it slightly, in linear light. The dark edges keep the outline visible
// on any colour. Skin that belongs to the joint alone has no weight boundary and shows its rim instead.
vec3 pointedOut(vec3 light, vec3 normal, vec3 viewer) {
    float weight = clamp(hovered, 0.0, 1.0);
    // Weight per pixel. Where it is almost constant there is no line.
    float steepness = fwidth(hovered);
    float pixels = abs(hovered - OUTLINE_WEIGHT) / max(steepness, 1e-6);
    vec2 line = smoothstep(0.0005, 0.002, steepness) * clamp(OUTLINE_WIDTHS * (worldPerPoint / worldPerPixel) + 0.5 - pixels, 0.0, 1.0);
    float rim = weight * pow(1.0 - abs(dot(normal, viewer)), 5.0);
    light = mix(light, HOVERED_COLOR * max(light.r, max(light.g, light.b)), 0.1 * weight);
    light = mix(light, HOVERED_COLOR, 0.6 * rim);
    light = mix(light, vec3(0.01), 0.75 * line.y);
    return mix(light, HOVERED_COLOR, line.x);
}
#endif

vec4 surfaceColor() {
    vec4 color = baseColor;
#ifdef TEXTURED
    color *= texture(baseTexture, uvs);
#endif
#ifdef COLORS
    color *= col;
#endif
    if (finish == FINISH_CLAY || finish == FINISH_BARE_CLAY) color.rgb = clay;
    return color;
}

// Outward normal of the vertices, or of the triangle without vertex normals.
vec3 outwardNormal(vec3 viewer, bool isFront) {
    vec3 facet = cross(dFdx(pos), dFdy(pos));
    facet = dot(facet, viewer) < 0.0 ? -facet : facet;
    vec3 outward = dot(facet, facet) > 0.0 ? normalize(facet) : viewer;
#ifdef NORMALS
    if (dot(nor, nor) > 1e-8) return normalize(nor);
#endif
    return isFront ? outward : -outward;
}

#if defined(NORMAL_MAP) || defined(COAT_NORMAL_MAP)
// Tangent of the posed triangle towards increasing u, orthogonal to the normal; w: bitangent sign (v points down).
vec4 triangleTangent(vec3 outward, vec2 uv) {
    vec3 alongX = dFdx(pos);
    vec3 alongY = dFdy(pos);
    // From inside, the screen axes are mirrored.
    float turn = dot(cross(alongX, alongY), outward) < 0.0 ? -1.0 : 1.0;
    vec3 acrossX = turn * cross(outward, alongX);
    vec3 acrossY = turn * cross(alongY, outward);
    // Surface gradients of u and v (Schueler, Followup: Normal Mapping Without Precomputed Tangents, 2013).
    vec3 growsU = acrossY * dFdx(uv.x) + acrossX * dFdy(uv.x);
    vec3 growsV = acrossY * dFdx(uv.y) + acrossX * dFdy(uv.y);
    vec3 tangent = cross(growsV, outward);
    float longest = dot(tangent, tangent);
    if (!(longest > 0.0)) return vec4(0.0);
    tangent *= (dot(tangent, growsU) < 0.0 ? -1.0 : 1.0) * inversesqrt(longest);
    return vec4(tangent, dot(cross(outward, tangent), growsV) < 0.0 ? 1.0 : -1.0);
}

// Tilts a normal by a normal map texel.
vec3 leant(vec3 outward, vec4 tangent, vec3 texel, float scale) {
    vec3 lean = (texel * 2.0 - 1.0) * vec3(scale, scale, 1.0);
    vec3 up = tangent.w * cross(outward, tangent.xyz);
    vec3 normal = tangent.xyz * lean.x + up * lean.y + outward * lean.z;
    return tangent.w != 0.0 && dot(normal, normal) > 0.0 ? normalize(normal) : outward;
}
#endif

#ifdef NORMAL_MAP
// Vertex tangent, or the triangle's if there is none or the vertices disagree on the sign.
vec4 tangentAt(vec3 outward, vec2 uv) {
    vec4 ofTriangle = triangleTangent(outward, uv);
#ifdef TANGENTS
    vec3 tangent = alongU.xyz - outward * dot(outward, alongU.xyz);
    float longest = dot(tangent, tangent);
    if (abs(alongU.w) > 0.999 && longest > 1e-8) return vec4(tangent * inversesqrt(longest), sign(alongU.w));
#endif
    return ofTriangle;
}

vec3 surfaceNormal(vec3 outward) {
    vec2 uv = normalMapAt();
    return leant(outward, tangentAt(outward, uv), texture(normalMap, uv).xyz, normalScale);
}
#endif

#ifdef COAT_NORMAL_MAP
// Vertex tangents belong to the texture coordinates of the surface's own normal map, so use the triangle's.
vec3 coatNormal(vec3 outward) {
    vec2 uv = coatNormalMapAt();
    return leant(outward, triangleTangent(outward, uv), texture(coatNormalMap, uv).xyz, coatNormalScale);
}
#endif

const int RAMP_STEPS = 256;

// Same as Ramp::color.
vec3 rampColor(float value) {
    float share = clamp((value - overlayRange.x) / (overlayRange.y - overlayRange.x), 0.0, 1.0);
    int step = int(ceil(share * float(RAMP_STEPS - 1) - 0.01));
    return texelFetch(ramp, ivec3(max(step, 0), 0, 0), 0).rgb;
}

// Light from 3/4 to 1. Shows shapes but keeps colours comparable with the legend.
float softShape(vec3 n, vec3 v) {
    float light = wrapped(dot(n, key));
    return mix(0.75, 1.0, clamp(0.7 * light + 0.4 * dot(n, v) - 0.05, 0.0, 1.0));
}

float solidDepthAt(ivec2 pixel) {
    return texelFetch(solidDepth, clamp(pixel, ivec2(0), textureSize(solidDepth, 0) - 1), 0).r;
}

// 1 for glass in front of solid surfaces, hiddenShare behind them. At a silhouette the pixel's depth may belong to the
// surface beyond, so neighbours count too. The glass depth may be extrapolated outside the triangle.
float glassShare() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    float across = min(solidDepthAt(here - ivec2(1, 0)), solidDepthAt(here + ivec2(1, 0)));
    float along = min(solidDepthAt(here - ivec2(0, 1)), solidDepthAt(here + ivec2(0, 1)));
    float nearest = min(solidDepthAt(here), min(across, along));
    return gl_FragCoord.z + fwidth(gl_FragCoord.z) > nearest ? hiddenShare : 1.0;
}

// Clear at the centre and bright at the rim; premultiplied alpha.
vec4 glass(vec3 n, vec3 v) {
    float share = glassShare();
    float border = pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 2.5);
    float glint = share * specular(n, v, key, 0.1);
    vec3 color = mix(glassColor * 0.8, glassRim, 0.8 * border) + 0.4 * glint;
    float alpha = share * clamp(0.36 + 0.64 * border + glint, 0.0, 1.0);
    return vec4(toSrgb(toneMapped(color)) * alpha, alpha);
}

// Checker of eighths of the image; encoded.
vec3 uvChecker() {
#ifdef TEX_COORDS
    vec2 square = floor(uvs * 8.0);
    vec2 within = (fract(square / 8.0) * 8.0 + 0.5) / 8.0;
    float shade = mod(square.x + square.y, 2.0) < 0.5 ? 0.85 : 0.55;
    return shade * vec3(0.25 + 0.75 * within.x, 0.25 + 0.75 * within.y, 0.45);
#else
    return vec3(0.5);
#endif
}

// A polished grey ball in a dim room, shaded by the view-space normal.
vec3 matcap(vec3 normal) {
    vec3 n = viewFromWorld * normal;
    float above = 0.5 + 0.5 * n.y;
    float window = smoothstep(0.80, 0.93, dot(n, normalize(vec3(-0.45, 0.55, 0.70))));
    float strip = smoothstep(0.90, 0.97, dot(n, normalize(vec3(0.80, 0.15, 0.58))));
    float rim = pow(1.0 - clamp(n.z, 0.0, 1.0), 3.0);
    return vec3(0.05, 0.05, 0.055) + vec3(0.30, 0.30, 0.31) * above * above + 0.55 * window + 0.20 * strip + 0.22 * rim;
}

#ifdef LIT_BY_VERTEX
// Colour from per-vertex lighting, encoded.
vec3 colorOfVertices(vec3 base, bool isFront) {
#ifdef TEXTURED
    vec3 light = base * frontTint + frontShine;
#ifdef TWO_SIDED
    if (!isFront) light = base * backTint + backShine;
#endif
    return toSrgb(finish == FINISH_LIT ? neutralToned(light) : toneMapped(light));
#elif defined(TWO_SIDED)
    return isFront ? frontColor : backColor;
#else
    return frontColor;
#endif
}
#endif

// Writes linear light. The driver encodes it if it blends in linear light, otherwise this function does.
void write(vec3 light, float alpha) {
    outColor = vec4(blendsLight ? light : dithered(toSrgb(light)), alpha);
}

// Writes an encoded colour without dithering.
void writeEncoded(vec3 color, float alpha) {
    outColor = vec4(blendsLight ? toLinear(color) : color, alpha);
}

void main() {
    if (isCut && inside() < 0.0) discard;
    bool isFront = side < 0.0 ? !gl_FrontFacing : gl_FrontFacing;
    if (hidesBacks && !isFront) discard;
    if (isRound && distance(gl_PointCoord, vec2(0.5)) > 0.5) discard;
    vec4 color = surfaceColor();
    float cover = 1.0;
    if (isCovering) {
        // Half coverage at the cutoff, none or full one pixel away.
        cover = clamp((color.a - cutoff) / max(fwidth(color.a), 1e-4) + 0.5, 0.0, 1.0);
        if (cover <= 0.0) discard;
    } else if (hasAlpha && (color.a < alphaRange.x || color.a >= alphaRange.y)) discard;
    if (isFlat) {
        outColor = vec4(1.0);
        return;
    }
    float alpha = isBlended ? color.a : cover;
#ifdef LIT_BY_VERTEX
    vec3 ofVertices = colorOfVertices(color.rgb, isFront);
#ifdef HOVERED
    vec3 toEye = toViewer(pos);
    ofVertices = toSrgb(pointedOut(toLinear(ofVertices), outwardNormal(toEye, isFront), toEye));
#endif
    outColor = vec4(dithered(ofVertices), alpha);
    return;
#endif
    if (finish == FINISH_UNLIT) {
#ifdef HOVERED
        vec3 toEye = toViewer(pos);
        color.rgb = pointedOut(color.rgb, outwardNormal(toEye, isFront), toEye);
#endif
        // Exact where nothing blends with it.
        outColor = vec4(blendsLight ? color.rgb : toSrgb(clamp(color.rgb, 0.0, 1.0)), alpha);
        return;
    }
    vec3 viewer = toViewer(pos);
    vec3 outward = outwardNormal(viewer, isFront);
    vec3 smoothNormal = isFront ? outward : -outward;
    if (isGlass) {
        outColor = glass(smoothNormal, viewer);
        return;
    }
#ifdef OVERLAID
    // w is below 1 in triangles with a corner without a value.
    if (overlayKind != 0 && painted.w > 0.999) {
        vec3 value = overlayKind == 1 ? rampColor(painted.x) : painted.rgb;
        writeEncoded(dithered(value * softShape(smoothNormal, viewer)), alpha);
        return;
    }
#endif
    vec3 n = smoothNormal;
#ifdef NORMAL_MAP
    n = isFront ? surfaceNormal(outward) : -surfaceNormal(outward);
#endif
    if (finish == FINISH_NORMALS) {
        writeEncoded(0.5 + 0.5 * n, alpha);
        return;
    }
    if (finish == FINISH_UV_CHECKER) {
        writeEncoded(uvChecker(), alpha);
        return;
    }
    vec3 shade = color.rgb;
    if (finish == FINISH_CLAY) shade = clayLit(color.rgb, n, viewer);
    if (finish == FINISH_MATCAP) shade = matcap(n);
#ifdef LIT
    vec3 ofCoat = smoothNormal;
#ifdef COAT_NORMAL_MAP
    ofCoat = isFront ? coatNormal(outward) : -coatNormal(outward);
#endif
    shade = lit(color, pos, n, smoothNormal, ofCoat, viewer);
#ifdef TRANSMITS
    // Transmission shows what is behind; specular reflection hides it.
    float hiding = clamp(max(alpha * (1.0 - throughAt()), max(shade.r, max(shade.g, shade.b))), 1e-3, 1.0);
    shade /= hiding;
    alpha = hiding;
#endif
#endif
#ifdef HOVERED
    shade = pointedOut(shade, smoothNormal, viewer);
#endif
    write(finish == FINISH_LIT ? neutralToned(shade) : toneMapped(shade), alpha);
}
