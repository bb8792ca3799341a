// The vertex to skin, from vertex attributes. buffers.glsl does the same for compute shaders.

#define vertexIndex gl_VertexID

layout(location = 0) in vec3 position;
#ifdef NORMALS
layout(location = 1) in vec3 normal;
#endif
#ifdef TANGENTS
layout(location = 9) in vec4 tangent; // w: bitangent sign, or 0
#endif
#ifdef SKINNED
layout(location = 4) in uvec4 joints; // the first four slots, heaviest first
layout(location = 5) in vec4 weights;
#endif
#ifdef DQ_WEIGHTS
layout(location = 7) in float dqWeight; // per vertex, replaces dqBlendWeight
#endif
