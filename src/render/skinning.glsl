// Skinning on the graphics card: the formulas of src/skinning, which is the reference (tests/gpu.rs compares them).
// Switches: SKINNED, MORE_INFLUENCES, MORPHED, NORMALS. Data textures are written by data_texture.rs, row by row.

uniform highp sampler2D frameData; // palettes and morph weights of the frame: frame_data.rs
uniform int paletteStart;          // texel of joint 0

layout(location = 0) in vec3 position;
#ifdef NORMALS
layout(location = 1) in vec3 normal;
#endif
#ifdef SKINNED
layout(location = 4) in uvec4 joints; // the first four slots, heaviest first
layout(location = 5) in vec4 weights;
uniform int influencesPerVertex;
uniform float dqsShare; // 0 linear blend, 1 dual quaternion, between them a mix of the two
#endif
#ifdef MORE_INFLUENCES
uniform highp sampler2D moreInfluences; // (joint, weight) of the slots from the fifth on
#endif
#ifdef MORPHED
uniform highp sampler2D morphDeltas; // per target and vertex: position, then normal where morphStride is 2
uniform int morphStart;              // texel of the first (target, weight) in frameData
uniform int morphCount;              // targets whose weight is not zero
uniform int morphStride;
uniform int targetCount;             // of this primitive; others of its mesh may have more
uniform int vertexCount;
#endif

struct Affine { vec4 x; vec4 y; vec4 z; }; // rows of a 3x4 matrix

struct Skinned {
    vec3 position; // world space
    vec3 normal;   // world space, unit length; zero without normals
    float side;    // -1 where the blend mirrors and so turns the winding
};

vec4 texelAt(highp sampler2D data, int index) {
    ivec2 size = textureSize(data, 0);
    return texelFetch(data, ivec2(index % size.x, index / size.x), 0);
}

vec3 transformPoint(Affine m, vec3 p) {
    return vec3(dot(m.x, vec4(p, 1.0)), dot(m.y, vec4(p, 1.0)), dot(m.z, vec4(p, 1.0)));
}

Affine rowsAt(int first) {
    return Affine(texelAt(frameData, first), texelAt(frameData, first + 1), texelAt(frameData, first + 2));
}

// A zero vector stays zero.
vec3 unitOrZero(vec3 v) {
    float largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    return largest > 0.0 ? normalize(v / largest) : vec3(0.0);
}

// sign(det M) * cofactor(M) * n, unit length; the sign counts as + where M is singular.
vec3 turnNormal(Affine m, vec3 n, out float side) {
    vec3 x = cross(m.y.xyz, m.z.xyz);
    vec3 y = cross(m.z.xyz, m.x.xyz);
    vec3 z = cross(m.x.xyz, m.y.xyz);
    side = dot(m.x.xyz, x) < 0.0 ? -1.0 : 1.0;
    return unitOrZero(vec3(dot(x, n), dot(y, n), dot(z, n))) * side;
}

vec3 rotate(vec4 q, vec3 v) {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

#ifdef SKINNED
void influence(int slot, out int joint, out float weight) {
    if (slot < 4) {
        joint = int(joints[slot]);
        weight = weights[slot];
        return;
    }
#ifdef MORE_INFLUENCES
    vec2 more = texelAt(moreInfluences, gl_VertexID * (influencesPerVertex - 4) + slot - 4).xy;
    joint = int(more.x);
    weight = more.y;
#else
    joint = 0;
    weight = 0.0;
#endif
}

void addScaled(inout Affine sum, Affine m, float weight) {
    sum.x += m.x * weight;
    sum.y += m.y * weight;
    sum.z += m.z * weight;
}

Affine blendedRows(int offset) {
    Affine sum = Affine(vec4(0.0), vec4(0.0), vec4(0.0));
    for (int slot = 0; slot < influencesPerVertex; slot++) {
        int joint;
        float weight;
        influence(slot, joint, weight);
        if (weight == 0.0 && slot > 0) break; // sorted by falling weight
        addScaled(sum, rowsAt(paletteStart + joint * 8 + offset), weight);
    }
    return sum;
}

// Phase 2 of dual quaternion skinning; signs agree with the pivot, the first slot.
void blendedMotion(out vec4 real, out vec4 dual) {
    vec4 pivotReal = vec4(0.0, 0.0, 0.0, 1.0);
    vec4 pivotDual = vec4(0.0);
    real = vec4(0.0);
    dual = vec4(0.0);
    for (int slot = 0; slot < influencesPerVertex; slot++) {
        int joint;
        float weight;
        influence(slot, joint, weight);
        if (weight == 0.0 && slot > 0) break;
        vec4 jointReal = texelAt(frameData, paletteStart + joint * 8 + 3);
        vec4 jointDual = texelAt(frameData, paletteStart + joint * 8 + 4);
        if (slot == 0) {
            pivotReal = jointReal;
            pivotDual = jointDual;
        }
        float signedWeight = dot(pivotReal, jointReal) < 0.0 ? -weight : weight;
        real += jointReal * signedWeight;
        dual += jointDual * signedWeight;
    }
    float norm = length(real);
    // Exactly opposite rotations have no mean: the pivot's own motion.
    real = norm < 1e-12 ? pivotReal : real / norm;
    dual = norm < 1e-12 ? pivotDual : dual / norm;
}

Skinned dualQuaternionSkinned(vec3 p, vec3 n) {
    Affine stretch = blendedRows(5);
    vec4 real, dual;
    blendedMotion(real, dual);
    Skinned result;
    vec3 translation = 2.0 * (dual.xyz * real.w - real.xyz * dual.w + cross(real.xyz, dual.xyz));
    result.position = rotate(real, transformPoint(stretch, p)) + translation;
    result.normal = rotate(real, turnNormal(stretch, n, result.side));
    return result;
}
#endif

Skinned affinelySkinned(Affine m, vec3 p, vec3 n) {
    Skinned result;
    result.position = transformPoint(m, p);
    result.normal = turnNormal(m, n, result.side);
    return result;
}

#ifdef SKINNED
// The mean of two results; the winding is that of the heavier.
Skinned mixedSkinned(Skinned a, Skinned b, float share) {
    Skinned result;
    result.position = mix(a.position, b.position, share);
    result.normal = unitOrZero(mix(a.normal, b.normal, share));
    result.side = share < 0.5 ? a.side : b.side;
    return result;
}
#endif

Skinned skinned() {
    vec3 p = position;
    vec3 n = vec3(0.0);
#ifdef NORMALS
    n = normal;
#endif
#ifdef MORPHED
    for (int i = 0; i < morphCount; i++) {
        vec4 target = texelAt(frameData, morphStart + i);
        if (int(target.x) >= targetCount) break;
        int delta = (int(target.x) * vertexCount + gl_VertexID) * morphStride;
        p += texelAt(morphDeltas, delta).xyz * target.y;
#ifdef NORMALS
        if (morphStride == 2) n += texelAt(morphDeltas, delta + 1).xyz * target.y;
#endif
    }
#endif
#ifdef SKINNED
    if (dqsShare >= 1.0) return dualQuaternionSkinned(p, n);
    Skinned linear = affinelySkinned(blendedRows(0), p, n);
    if (dqsShare <= 0.0) return linear;
    return mixedSkinned(linear, dualQuaternionSkinned(p, n), dqsShare);
#else
    return affinelySkinned(rowsAt(paletteStart), p, n);
#endif
}
