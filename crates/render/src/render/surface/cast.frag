// Shadow casters: proximity to the ground if HEIGHTS, otherwise only depth. Switches: features.rs and cast.rs.

in vec3 pos;
#ifdef HEIGHTS
uniform float falloff;
uniform float groundHeight;
#endif
#ifdef HAS_ALPHA
uniform float castsFrom;
uniform float baseAlpha;
#ifdef TEXTURED
in vec2 uvs;
uniform sampler2D baseTexture;
#endif
#ifdef COLORS
in vec4 col;
#endif
#endif
out vec4 outColor;

void main() {
#ifdef HAS_ALPHA
    float alpha = baseAlpha;
#ifdef TEXTURED
    alpha *= texture(baseTexture, uvs).a;
#endif
#ifdef COLORS
    alpha *= col.a;
#endif
    if (alpha < castsFrom) discard;
#endif
#ifdef HEIGHTS
    outColor = vec4(vec3(exp(-max(pos.y - groundHeight, 0.0) / falloff)), 1.0);
#else
    outColor = vec4(1.0);
#endif
}
