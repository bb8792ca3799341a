// Skins a vertex and outputs it. Appended to skinning.glsl.

out vec3 outPosition; // world space
#ifdef NORMALS
out vec3 outNormal;
#endif
#ifdef TANGENTS
out vec4 outTangent;
#endif
#ifdef SIDES
out float outSide;
#endif

void main() {
    Skinned skin = skinned();
    outPosition = skin.position;
#ifdef NORMALS
    outNormal = skin.normal;
#endif
#ifdef TANGENTS
    outTangent = vec4(skin.tangent, tangent.w * skin.side);
#endif
#ifdef SIDES
    outSide = skin.side;
#endif
    gl_Position = vec4(0.0);
}
