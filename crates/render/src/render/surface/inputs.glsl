// Fragment inputs from primitive.vert. features.rs defines the switches.

in vec3 pos;
in float side;
#ifdef HOVERED
in float hovered;
#endif
#ifdef OVERLAID
in vec4 painted;
#endif
#ifdef NORMALS
in vec3 nor;
#endif
#ifdef TANGENTS
in vec4 alongU;
#endif
#ifdef TEX_COORDS
in vec2 uvs;
#endif
#ifdef SECOND_TEX_COORDS
in vec2 secondUvs;
#endif
#ifdef COLORS
in vec4 col;
#endif

