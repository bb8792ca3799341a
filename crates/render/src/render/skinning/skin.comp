// Skins a vertex and stores it. Appended to buffers.glsl and skinning.glsl.

layout(std430, binding = OUT_POSITION_BUFFER) writeonly buffer OutPositions { float outPositions[]; };
uniform int outPositionStart; // world space
#ifdef NORMALS
layout(std430, binding = OUT_NORMAL_BUFFER) writeonly buffer OutNormals { float outNormals[]; };
uniform int outNormalStart;
#endif
#ifdef TANGENTS
layout(std430, binding = OUT_TANGENT_BUFFER) writeonly buffer OutTangents { float outTangents[]; };
uniform int outTangentStart;
#endif
#ifdef SIDES
layout(std430, binding = OUT_SIDE_BUFFER) writeonly buffer OutSides { float outSides[]; };
uniform int outSideStart;
#endif

void main() {
    int group = int(gl_WorkGroupID.y) * MAX_GROUPS + int(gl_WorkGroupID.x);
    vertexIndex = group * GROUP_SIZE + int(gl_LocalInvocationID.x);
    if (vertexIndex >= skinnedCount) return;
    readVertex();
    Skinned skin = skinned();
    int at = outPositionStart + vertexIndex * 3;
    outPositions[at] = skin.position.x;
    outPositions[at + 1] = skin.position.y;
    outPositions[at + 2] = skin.position.z;
#ifdef NORMALS
    at = outNormalStart + vertexIndex * 3;
    outNormals[at] = skin.normal.x;
    outNormals[at + 1] = skin.normal.y;
    outNormals[at + 2] = skin.normal.z;
#endif
#ifdef TANGENTS
    at = outTangentStart + vertexIndex * 4;
    outTangents[at] = skin.tangent.x;
    outTangents[at + 1] = skin.tangent.y;
    outTangents[at + 2] = skin.tangent.z;
    outTangents[at + 3] = tangent.w * skin.side;
#endif
#ifdef SIDES
    outSides[outSideStart + vertexIndex] = skin.side;
#endif
}
