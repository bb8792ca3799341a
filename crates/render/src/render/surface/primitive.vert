// Projects a primitive. features.rs defines the switches. Appended to eye.glsl, texels.glsl and, as needed,
// influences.glsl, overlay.glsl and vertex_light.glsl.

uniform mat4 viewProjection;
uniform float pointSize;  // pixels, for point primitives
uniform vec2 nearerBy;    // depth offset towards the viewer, pixels: constant part, and slope part at 45 degrees

layout(location = 0) in vec3 position; // world space, or mesh space if PLACED
#ifdef NORMALS
layout(location = 1) in vec3 normal;   // unit length, or zero
out vec3 nor;
#endif
#ifdef TANGENTS
layout(location = 9) in vec4 tangent;  // unit length, w: bitangent sign; or zero
out vec4 alongU;
#endif
#ifdef TEX_COORDS
layout(location = 2) in vec2 texCoords;
uniform mat3 movedCoords; // texture transform of an expression
out vec2 uvs;
#endif
#ifdef SECOND_TEX_COORDS
layout(location = 8) in vec2 secondTexCoords;
out vec2 secondUvs;
#endif
#ifdef COLORS
layout(location = 3) in vec4 color;
out vec4 col;
#endif
#ifdef SIDES
layout(location = 6) in float windingSide; // -1 if the surrounding triangles are inside out
#endif
#ifdef PLACED
uniform mat4 worldFromMesh;
uniform mat3 worldFromNormal;
uniform float placedSide;
#endif
out vec3 pos;
out float side;
#ifdef OVERLAID
out vec4 painted; // from overlayValue
#endif
#ifdef HOVERED
out float hovered; // weight of the hovered joint, 0 to 1
#ifdef SKINNED
uniform int hoveredJoint; // palette index

float hoveredWeight() {
    sumWeights();
    float share = 0.0;
    for (int slot = 0; slot < influenceCount; slot++) {
        int joint;
        float weight;
        influence(slot, joint, weight);
        if (joint == hoveredJoint) share += weight;
    }
    return share;
}
#else
float hoveredWeight() {
    return 1.0;
}
#endif
#endif

// Tangent of the angle between view direction and normal, which is the depth change per pixel.
float slope() {
    const float STEEPEST = 8.0;
#ifdef NORMALS
    float facing = abs(dot(nor, toViewer(pos)));
    return min(sqrt(max(1.0 - facing * facing, 0.0)) / max(facing, 1e-3), STEEPEST);
#else
    return 0.25 * STEEPEST;
#endif
}

void main() {
#ifdef PLACED
    pos = (worldFromMesh * vec4(position, 1.0)).xyz;
    side = placedSide;
#else
    pos = position;
#ifdef SIDES
    side = windingSide;
#else
    side = 1.0;
#endif
#endif
#ifdef NORMALS
#ifdef PLACED
    vec3 turned = worldFromNormal * normal;
    nor = turned == vec3(0.0) ? turned : normalize(turned);
#else
    nor = normal;
#endif
#endif
#ifdef TANGENTS
#ifdef PLACED
    vec3 moved = mat3(worldFromMesh) * tangent.xyz;
    alongU = vec4(moved == vec3(0.0) ? moved : normalize(moved), tangent.w * placedSide);
#else
    alongU = tangent;
#endif
#endif
#ifdef OVERLAID
    painted = overlayValue();
#endif
#ifdef HOVERED
    hovered = hoveredWeight();
#endif
#ifdef TEX_COORDS
    uvs = (movedCoords * vec3(texCoords, 1.0)).xy; // images are stored top row first
#endif
#ifdef SECOND_TEX_COORDS
    secondUvs = secondTexCoords;
#endif
#ifdef COLORS
    col = color;
#endif
#ifdef LIT_BY_VERTEX
#ifdef COLORS
    lightVertex(pos, nor, color.rgb);
#else
    lightVertex(pos, nor, vec3(1.0));
#endif
#endif
    vec3 seen = pos;
    if (nearerBy.x != 0.0) seen = nearer(pos, nearerBy.x + nearerBy.y * slope());
    gl_Position = viewProjection * vec4(seen, 1.0);
    gl_PointSize = max(pointSize, 1.0);
}
