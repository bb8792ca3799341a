// The vertex to skin, from storage buffers. attributes.glsl does the same for vertex shaders.
// skin_variant.rs defines the binding numbers. Each array starts at an offset in its buffer, in floats or uints.

layout(local_size_x = GROUP_SIZE) in;

uniform int skinnedCount; // vertices to skin
int vertexIndex;

layout(std430, binding = POSITION_BUFFER) readonly buffer Positions { float positions[]; };
uniform int positionStart;
vec3 position;
#ifdef NORMALS
layout(std430, binding = NORMAL_BUFFER) readonly buffer Normals { float normals[]; };
uniform int normalStart;
vec3 normal;
#endif
#ifdef TANGENTS
layout(std430, binding = TANGENT_BUFFER) readonly buffer Tangents { float tangents[]; };
uniform int tangentStart;
vec4 tangent; // w: bitangent sign, or 0
#endif
#ifdef SKINNED
layout(std430, binding = JOINTS_BUFFER) readonly buffer Joints { uint jointPairs[]; }; // two 16-bit numbers each
uniform int jointsStart;
uvec4 joints; // the first four slots, heaviest first
layout(std430, binding = WEIGHTS_BUFFER) readonly buffer Weights { float firstWeights[]; };
uniform int weightsStart;
vec4 weights;
#endif
#ifdef DQ_WEIGHTS
layout(std430, binding = DQ_WEIGHT_BUFFER) readonly buffer DqWeights { float dqWeights[]; };
uniform int dqWeightStart;
float dqWeight; // per vertex, replaces dqBlendWeight
#endif

void readVertex() {
    int at = positionStart + vertexIndex * 3;
    position = vec3(positions[at], positions[at + 1], positions[at + 2]);
#ifdef NORMALS
    at = normalStart + vertexIndex * 3;
    normal = vec3(normals[at], normals[at + 1], normals[at + 2]);
#endif
#ifdef TANGENTS
    at = tangentStart + vertexIndex * 4;
    tangent = vec4(tangents[at], tangents[at + 1], tangents[at + 2], tangents[at + 3]);
#endif
#ifdef SKINNED
    at = jointsStart + vertexIndex * 2;
    uvec2 pairs = uvec2(jointPairs[at], jointPairs[at + 1]);
    joints = uvec4(pairs.x & 0xFFFFu, pairs.x >> 16u, pairs.y & 0xFFFFu, pairs.y >> 16u);
    at = weightsStart + vertexIndex * 4;
    weights = vec4(firstWeights[at], firstWeights[at + 1], firstWeights[at + 2], firstWeights[at + 3]);
#endif
#ifdef DQ_WEIGHTS
    dqWeight = dqWeights[dqWeightStart + vertexIndex];
#endif
}
