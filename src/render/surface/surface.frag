// The surface of a primitive under the studio lights. Switches of features.rs and TEXTURED, constants of draw_material.rs; eye.glsl, cut.glsl and
// picture.glsl stand before this.

in vec3 pos;
in float side;
#ifdef POINTED
in float pointed;
#endif
#ifdef PAINTED
in vec4 painted;
#endif
#ifdef NORMALS
in vec3 nor;
#endif
#ifdef TEX_COORDS
in vec2 uvs;
#endif
#ifdef COLORS
in vec4 col;
#endif
#ifdef TEXTURED
uniform sampler2D baseTexture; // sRGB, decoded by the sampler
#endif

uniform vec4 baseColor;
uniform vec3 clay;          // in place of the base colour where isClay
uniform float roughness;
uniform float metallic;
uniform vec3 emission;
uniform vec2 alphaRange;    // fragments outside of it are not drawn
uniform sampler2D solidDepth; // of what may hide the glass
uniform float hiddenShare;  // of the glass, seen through what hides it
uniform vec3 glassColor;
uniform vec3 glassRim;
uniform int paintKind;      // 0 nothing, 1 scalars, 2 colours
uniform vec2 paintRange;
uniform sampler2D ramp;     // one row, sRGB bytes

// Towards the lights, in world space.
uniform vec3 key;
uniform vec3 fill;
uniform vec3 rim;
const vec3 KEY_COLOR = vec3(1.00, 0.975, 0.94) * 0.92;
const vec3 FILL_COLOR = vec3(0.80, 0.89, 1.00) * 0.15;
const vec3 RIM_COLOR = vec3(0.92, 0.96, 1.00) * 0.55;
// The colour of what is selected.
const vec3 POINTED_COLOR = vec3(1.0, 0.638, 0.133);
const vec3 SKY = vec3(0.90, 0.95, 1.00) * 0.28;
const vec3 GROUND = vec3(1.00, 0.95, 0.90) * 0.07;

vec4 surfaceColor() {
    vec4 color = baseColor;
#ifdef TEXTURED
    color *= texture(baseTexture, uvs);
#endif
#ifdef COLORS
    color *= col;
#endif
    if (isClay) color.rgb = clay;
    return color;
}

vec3 shadingNormal(vec3 viewer, bool isFront) {
    vec3 facet = cross(dFdx(pos), dFdy(pos));
    facet = dot(facet, viewer) < 0.0 ? -facet : facet;
#ifdef NORMALS
    if (dot(nor, nor) > 1e-8) return normalize(isFront ? nor : -nor);
#endif
    return dot(facet, facet) > 0.0 ? normalize(facet) : viewer;
}

// Light that reaches a little beyond the terminator, so that forms turn softly.
float wrapped(float cosine) {
    float w = clamp((cosine + 0.22) / 1.22, 0.0, 1.0);
    return w * (0.35 + 0.65 * w);
}

float specular(vec3 n, vec3 v, vec3 l, float alpha) {
    vec3 h = normalize(l + v);
    float nh = max(dot(n, h), 0.0);
    float d = nh * nh * (alpha * alpha - 1.0) + 1.0;
    float visibility = 0.25 / mix(max(dot(l, h), 0.1), 1.0, alpha);
    return alpha * alpha / (d * d) * visibility * max(dot(n, l), 0.0);
}

vec3 lit(vec3 albedo, vec3 n, vec3 v) {
    float facing = clamp(dot(n, v), 0.0, 1.0);
    float grazing = 1.0 - facing;
    float grazing2 = grazing * grazing;
    float rough = isClay ? 0.62 : clamp(roughness, 0.28, 1.0);
    float metal = isClay ? 0.0 : metallic;

    vec3 sky = mix(GROUND, SKY, 0.5 + 0.5 * n.y);
    vec3 diffuse = KEY_COLOR * wrapped(dot(n, key)) + FILL_COLOR * wrapped(dot(n, fill)) + sky;
    vec3 f0 = mix(vec3(0.04), albedo, metal);
    vec3 fresnel = f0 + (max(vec3(1.0 - rough), f0) - f0) * (grazing2 * grazing2 * grazing);
    vec3 r = reflect(-v, n);
    vec3 mirrored = mix(GROUND, SKY, smoothstep(-0.6, 0.8, r.y)) * 2.2 + KEY_COLOR * 0.35 * smoothstep(0.2, 1.0, dot(r, key));
    vec3 shine = f0 * KEY_COLOR * specular(n, v, key, rough * rough) + fresnel * mirrored * mix(1.0, 0.45, rough);
    float edge = grazing2 * grazing * smoothstep(-0.25, 0.6, dot(n, rim));
    return albedo * diffuse * (1.0 - 0.85 * metal) + shine + RIM_COLOR * edge * mix(vec3(0.25), albedo, 0.7);
}

// Straight up to 0.6, then a shoulder towards 1; one factor for all channels keeps the hue.
vec3 toneMapped(vec3 c) {
    float peak = max(max(c.r, c.g), c.b);
    float mapped = peak < 0.6 ? peak : 1.0 - 0.4 * exp(-(peak - 0.6) / 0.4);
    return c * (mapped / max(peak, 1e-6));
}

const int RAMP_STEPS = 256;

// Ramp::color.
vec3 rampColor(float value) {
    float share = clamp((value - paintRange.x) / (paintRange.y - paintRange.x), 0.0, 1.0);
    int step = int(ceil(share * float(RAMP_STEPS - 1) - 0.01));
    return texelFetch(ramp, ivec2(max(step, 0), 0), 0).rgb;
}

// From 3/4 to all of a colour: forms are read, and colours are still those of the legend.
float softShape(vec3 n, vec3 v) {
    float light = wrapped(dot(n, key));
    return mix(0.75, 1.0, clamp(0.7 * light + 0.4 * dot(n, v) - 0.05, 0.0, 1.0));
}

float solidDepthAt(ivec2 pixel) {
    return texelFetch(solidDepth, clamp(pixel, ivec2(0), textureSize(solidDepth, 0) - 1), 0).r;
}

// All of the glass in front of what is solid, and little of it behind. Of a pixel at a border the depth may be that of what lies beyond, so those
// around it count too, and that of the glass may be of a place outside it.
float glassShare() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    float across = min(solidDepthAt(here - ivec2(1, 0)), solidDepthAt(here + ivec2(1, 0)));
    float along = min(solidDepthAt(here - ivec2(0, 1)), solidDepthAt(here + ivec2(0, 1)));
    float nearest = min(solidDepthAt(here), min(across, along));
    return gl_FragCoord.z + fwidth(gl_FragCoord.z) > nearest ? hiddenShare : 1.0;
}

// Clear in the middle, bright at the rim; times its alpha.
vec4 glass(vec3 n, vec3 v) {
    float share = glassShare();
    float border = pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 2.5);
    float glint = share * specular(n, v, key, 0.1);
    vec3 color = mix(glassColor * 0.8, glassRim, 0.8 * border) + 0.4 * glint;
    float alpha = share * clamp(0.36 + 0.64 * border + glint, 0.0, 1.0);
    return vec4(toSrgb(toneMapped(color)) * alpha, alpha);
}

void main() {
    if (isCut && inside() < 0.0) discard;
    bool isFront = side < 0.0 ? !gl_FrontFacing : gl_FrontFacing;
    if (hidesBacks && !isFront) discard;
    if (isRound && distance(gl_PointCoord, vec2(0.5)) > 0.5) discard;
    vec4 color = surfaceColor();
    if (hasAlpha && (color.a < alphaRange.x || color.a >= alphaRange.y)) discard;
    if (isFlat) {
        outColor = vec4(1.0);
        return;
    }
    vec3 viewer = toViewer(pos);
    vec3 n = shadingNormal(viewer, isFront);
    if (isGlass) {
        outColor = glass(n, viewer);
        return;
    }
    float alpha = isBlended ? color.a : 1.0;
#ifdef PAINTED
    // Less than 1 in triangles with a corner that has no value.
    if (paintKind != 0 && painted.w > 0.999) {
        vec3 value = paintKind == 1 ? rampColor(painted.x) : painted.rgb;
        outColor = vec4(dithered(value * softShape(n, viewer)), alpha);
        return;
    }
#endif
    vec3 shade = isUnlit ? color.rgb : lit(color.rgb, n, viewer);
    if (!isUnlit && !isClay) shade += emission;
#ifdef POINTED
    shade = mix(shade, POINTED_COLOR * (0.2 + 0.8 * clamp(dot(n, viewer), 0.0, 1.0)), 0.4 * clamp(pointed, 0.0, 1.0));
#endif
    outColor = vec4(dithered(toSrgb(toneMapped(shade))), alpha);
}
