// Skinning on the graphics card; reference formulas: crates/core/src/skinning. Switches and constants: skin_variant.rs.
// Appended to the vertex (attributes.glsl or buffers.glsl), texels.glsl and, if SKINNED, influences.glsl.

uniform highp sampler2DArray frameData; // palettes and morph weights: frame_data.rs
uniform int paletteStart;          // texel of joint 0

#ifdef RECOMPUTED
uniform highp sampler2DArray recomputedNormals; // of the posed triangles, world space; zero if none
uniform int normalsStart; // texel of vertex 0
#endif
#ifdef SKINNED
uniform float dqBlendWeight;     // DQ blend weight: 0 LBS, 1 the method's own function
uniform float uniformScale; // common scale of all joints, if stretch is UNIFORM
uniform int bonesStart;     // texel of joint 0's bone: both ends, world space
#endif
#ifdef JOINT_BLEND_WEIGHTS
uniform highp sampler2DArray jointBlendWeights; // (a, b) per joint: DQ blend weight a + b * own; vertex_sources.rs
uniform int blendWeightsStart;    // texel of joint 0
#endif
#ifdef CENTERS
uniform highp sampler2DArray centers; // of rotation, skin space
uniform int centersStart;   // texel of vertex 0
#endif
#ifdef MORPHED
uniform highp sampler2DArray morphDeltas; // per target and vertex: position, then normal if morphStride is 2
uniform int morphStart;              // texel of the first (target, weight) in frameData
uniform int morphCount;              // targets with nonzero weight
uniform int morphStride;
uniform int targetCount;             // of this primitive; other primitives of the mesh may have more
uniform int vertexCount;
#endif

// Layout of a joint, as in frame_data.rs.
const int TEXELS_PER_JOINT = 10;
const int MATRIX = 0;  // 3 rows
const int MOTION = 3;  // real part, dual part for the joint's own stretch of skin space, dual part without stretch
const int STRETCH = 6; // 3 rows, about the bind position
const int BIND = 9;    // position, skin space

// Numbered as in skin_variant.rs, explained in crates/core/src/skinning/stretch.rs.
const int UNIFORM = 0;
const int TWO_PHASE = 1;
const int ABOUT_JOINTS = 2;
const int DROPPED = 3;

struct Affine { vec4 x; vec4 y; vec4 z; }; // rows of a 3x4 matrix

struct Skinned {
    vec3 position; // world space
    vec3 normal;   // world space, unit length; zero without normals
#ifdef TANGENTS
    vec3 tangent;  // world space
#endif
    float side;    // -1 if the blend mirrors and so flips the winding
};

vec3 transformPoint(Affine m, vec3 p) {
    return vec3(dot(m.x, vec4(p, 1.0)), dot(m.y, vec4(p, 1.0)), dot(m.z, vec4(p, 1.0)));
}

vec3 transformVector(Affine m, vec3 v) {
    return vec3(dot(m.x.xyz, v), dot(m.y.xyz, v), dot(m.z.xyz, v));
}

Affine rowsAt(int first) {
    return Affine(texelAt(frameData, first), texelAt(frameData, first + 1), texelAt(frameData, first + 2));
}

// A zero vector stays zero.
vec3 unitOrZero(vec3 v) {
    float largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    return largest > 0.0 ? normalize(v / largest) : vec3(0.0);
}

// sign(det M) * cofactor(M) * n as a unit vector. The sign is + for singular M.
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

#ifdef TANGENTS
vec3 turnTangent(Affine m) {
    return unitOrZero(transformVector(m, tangent.xyz));
}
#endif

#ifdef SKINNED
void addScaled(inout Affine sum, Affine m, float weight) {
    sum.x += m.x * weight;
    sum.y += m.y * weight;
    sum.z += m.z * weight;
}

int texelOf(int joint) {
    return paletteStart + joint * TEXELS_PER_JOINT;
}

Affine blendedRows(int offset) {
    Affine sum = Affine(vec4(0.0), vec4(0.0), vec4(0.0));
    for (int slot = 0; slot < influenceCount; slot++) {
        int joint;
        float weight;
        influence(slot, joint, weight);
        if (weight == 0.0 && slot > 0) break; // sorted by falling weight
        addScaled(sum, rowsAt(texelOf(joint) + offset), weight);
    }
    return sum;
}

Affine uniformly(float scale) {
    return Affine(vec4(scale, 0.0, 0.0, 0.0), vec4(0.0, scale, 0.0, 0.0), vec4(0.0, 0.0, scale, 0.0));
}

// Phase 1 for this vertex, in skin space. In two-phase blending its 3x3 part is S_i, the stretch of skin space.
Affine stretched;

Affine blendedStretch() {
    if (stretch == UNIFORM) return uniformly(uniformScale);
    if (stretch == DROPPED) return uniformly(1.0);
    Affine sum = Affine(vec4(0.0), vec4(0.0), vec4(0.0));
    vec3 bind = vec3(0.0);
    for (int slot = 0; slot < influenceCount; slot++) {
        int joint;
        float weight;
        influence(slot, joint, weight);
        if (weight == 0.0) break;
        addScaled(sum, rowsAt(texelOf(joint) + STRETCH), weight);
        bind += texelAt(frameData, texelOf(joint) + BIND).xyz * weight;
    }
    if (stretch == TWO_PHASE) bind = transformVector(sum, bind);
    sum.x.w += bind.x;
    sum.y.w += bind.y;
    sum.z.w += bind.z;
    return sum;
}

vec4 product(vec4 a, vec4 b) {
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// A rigid motion: a dual quaternion with unit real part.
struct Motion { vec4 real; vec4 dual; };

Motion motionOf(int joint) {
    int texel = texelOf(joint) + MOTION;
    vec4 real = texelAt(frameData, texel);
    if (stretch == UNIFORM) return Motion(real, texelAt(frameData, texel + 1));
    vec3 bind = texelAt(frameData, texelOf(joint) + BIND).xyz;
    if (stretch == TWO_PHASE) bind = transformVector(stretched, bind);
    return Motion(real, texelAt(frameData, texel + 2) - 0.5 * product(real, vec4(bind, 0.0)));
}

// The motion, with its sign matching the pivot (first slot).
Motion signedMotion(int joint, vec4 pivotReal) {
    Motion m = motionOf(joint);
    float side = checksSigns && dot(pivotReal, m.real) < 0.0 ? -1.0 : 1.0;
    return Motion(m.real * side, m.dual * side);
}

// Phase 2 of dual quaternion skinning.
Motion blendedMotion() {
    Motion pivot = motionOf(int(joints[0]));
    Motion sum = Motion(vec4(0.0), vec4(0.0));
    for (int slot = 0; slot < influenceCount; slot++) {
        int joint;
        float weight;
        influence(slot, joint, weight);
        if (weight == 0.0 && slot > 0) break;
        Motion m = signedMotion(joint, pivot.real);
        sum.real += m.real * weight;
        sum.dual += m.dual * weight;
    }
    float norm = length(sum.real);
    // Exactly opposite rotations have no mean: use the pivot's motion.
    if (norm < 1e-12) return pivot;
    return Motion(sum.real / norm, sum.dual / norm);
}

Motion product(Motion a, Motion b) {
    return Motion(product(a.real, b.real), product(a.real, b.dual) + product(a.dual, b.real));
}

vec3 translationOf(Motion m) {
    return 2.0 * (m.dual.xyz * m.real.w - m.real.xyz * m.dual.w + cross(m.real.xyz, m.dual.xyz));
}

// Logarithm, as in screw.rs.
void logarithm(Motion m, out vec3 real, out vec3 dual) {
    float norm = length(m.real);
    m = Motion(m.real / norm, m.dual / norm);
    float sine = length(m.real.xyz);
    float angle = atan(sine, m.real.w);
    // A driver's atan may have only four digits; one Newton step restores full precision.
    angle += sine * cos(angle) - m.real.w * sin(angle);
    bool isSmall = sine < 1e-3 && m.real.w > 0.0;
    real = m.real.xyz * (isSmall ? 1.0 + sine * sine / 6.0 : angle / max(sine, 1e-12));
    float k = isSmall ? 1.0 - angle * angle / 3.0 : angle * m.real.w / max(sine, 1e-12);
    float rest = isSmall ? 1.0 / 3.0 : (1.0 - k) / (angle * angle);
    vec3 t = translationOf(m);
    dual = 0.5 * (t * k + cross(t, real) + real * (rest * dot(t, real)));
}

Motion exponential(vec3 real, vec3 dual) {
    float angle = length(real);
    bool isSmall = angle < 1e-2;
    float sinc = isSmall ? 1.0 - angle * angle / 6.0 : sin(angle) / angle;
    float slope = isSmall ? angle * angle / 30.0 - 1.0 / 3.0 : (cos(angle) - sinc) / (angle * angle);
    float along = dot(real, dual);
    return Motion(vec4(real * sinc, cos(angle)), vec4(dual * sinc + real * (slope * along), -sinc * along));
}

// Computes the intrinsic mean iteratively, from the linear blend.
Motion meanMotion() {
    vec4 pivotReal = motionOf(int(joints[0])).real;
    Motion mean = blendedMotion();
    for (int i = 0; i < 16; i++) {
        Motion back = Motion(mean.real * vec4(-1.0, -1.0, -1.0, 1.0), mean.dual * vec4(-1.0, -1.0, -1.0, 1.0));
        vec3 real = vec3(0.0);
        vec3 dual = vec3(0.0);
        for (int slot = 0; slot < influenceCount; slot++) {
            int joint;
            float weight;
            influence(slot, joint, weight);
            if (weight == 0.0) break;
            vec3 r, d;
            logarithm(product(back, signedMotion(joint, pivotReal)), r, d);
            real += r * weight;
            dual += d * weight;
        }
        mean = product(mean, exponential(real, dual));
        float norm = length(mean.real);
        mean = Motion(mean.real / norm, mean.dual / norm);
        if (length(real) < 1e-6 && length(dual) < 1e-6 * length(mean.dual)) break;
    }
    return mean;
}

Skinned rigidlySkinned(Motion motion, vec3 p, vec3 n) {
    Skinned result;
    result.position = rotate(motion.real, transformPoint(stretched, p)) + translationOf(motion);
    result.normal = rotate(motion.real, turnNormal(stretched, n, result.side));
#ifdef TANGENTS
    result.tangent = rotate(motion.real, turnTangent(stretched));
#endif
    return result;
}

vec3 nearestPoint(vec3 head, vec3 tail, vec3 p) {
    vec3 along = tail - head;
    float lengthSquared = dot(along, along);
    float share = lengthSquared > 0.0 ? dot(p - head, along) / lengthSquared : 0.0;
    return head + along * clamp(share, 0.0, 1.0);
}

// Pulls a vertex back to the bones, to the distance it would have under each joint alone; see bulge.rs.
vec3 bulgeFree(vec3 rest, vec3 moved) {
    vec3 correction = vec3(0.0);
    for (int slot = 0; slot < influenceCount; slot++) {
        int joint;
        float weight;
        influence(slot, joint, weight);
        if (weight == 0.0) break;
        vec3 head = texelAt(frameData, bonesStart + joint * 2).xyz;
        vec3 tail = texelAt(frameData, bonesStart + joint * 2 + 1).xyz;
        vec3 alone = transformPoint(rowsAt(texelOf(joint) + MATRIX), rest);
        float wanted = distance(alone, nearestPoint(head, tail, alone));
        vec3 fromBone = moved - nearestPoint(head, tail, moved);
        float found = length(fromBone);
        if (found > wanted) correction += fromBone * (weight * (wanted / found - 1.0));
    }
    return moved + correction;
}

#ifdef CENTERS
// Rotates about the vertex's own centre of rotation; see cor.rs.
Skinned centrallySkinned(vec3 p, vec3 n) {
    vec3 center = texelAt(centers, centersStart + vertexIndex).xyz;
    vec4 rotation = blendedMotion().real;
    Skinned result;
    result.position = rotate(rotation, transformVector(stretched, p - center)) + transformPoint(blendedRows(MATRIX), center);
    result.normal = rotate(rotation, turnNormal(stretched, n, result.side));
#ifdef TANGENTS
    result.tangent = rotate(rotation, turnTangent(stretched));
#endif
    return result;
}
#endif

// DQ blend weight of this vertex.
float vertexShare() {
#ifdef DQ_WEIGHTS
    float own = dqWeight;
#else
    float own = dqBlendWeight;
#endif
#ifdef JOINT_BLEND_WEIGHTS
    float share = 0.0;
    for (int slot = 0; slot < influenceCount; slot++) {
        int joint;
        float weight;
        influence(slot, joint, weight);
        vec2 ofJoint = texelAt(jointBlendWeights, blendWeightsStart + joint).xy;
        share += weight * (ofJoint.x + ofJoint.y * own);
    }
    return share;
#else
    return own;
#endif
}
#endif

Skinned affinelySkinned(Affine m, vec3 p, vec3 n) {
    Skinned result;
    result.position = transformPoint(m, p);
    result.normal = turnNormal(m, n, result.side);
#ifdef TANGENTS
    result.tangent = turnTangent(m);
#endif
    return result;
}

#ifdef SKINNED
Skinned linearlySkinned(vec3 p, vec3 n) {
    return affinelySkinned(blendedRows(MATRIX), p, n);
}

Skinned dualQuaternionSkinned(vec3 p, vec3 n) {
    return rigidlySkinned(blendedMotion(), p, n);
}

Skinned bulgeFreeSkinned(vec3 p, vec3 n) {
    Skinned result = dualQuaternionSkinned(p, n);
    result.position = bulgeFree(p, result.position);
    return result;
}

Skinned screwSkinned(vec3 p, vec3 n) {
    return rigidlySkinned(meanMotion(), p, n);
}

// The method's function, defined after this file.
Skinned skinnedByMethod(vec3 p, vec3 n);

// Mixes two results and takes the winding of the heavier one.
Skinned mixedSkinned(Skinned a, Skinned b, float share) {
    Skinned result;
    result.position = mix(a.position, b.position, share);
    result.normal = unitOrZero(mix(a.normal, b.normal, share));
    result.side = share < 0.5 ? a.side : b.side;
#ifdef TANGENTS
    result.tangent = unitOrZero(mix(a.tangent, b.tangent, share));
#endif
    return result;
}
#endif

Skinned transformed() {
    vec3 p = position;
    vec3 n = vec3(0.0);
#ifdef NORMALS
    n = normal;
#endif
#ifdef MORPHED
    for (int i = 0; i < morphCount; i++) {
        vec4 target = texelAt(frameData, morphStart + i);
        if (int(target.x) >= targetCount) break;
        int delta = (int(target.x) * vertexCount + vertexIndex) * morphStride;
        p += texelAt(morphDeltas, delta).xyz * target.y;
#ifdef NORMALS
        if (morphStride == 2) n += texelAt(morphDeltas, delta + 1).xyz * target.y;
#endif
    }
#endif
#ifdef SKINNED
    sumWeights();
    float share = vertexShare();
    if (isLinear || share <= 0.0) return linearlySkinned(p, n);
    stretched = blendedStretch();
    Skinned own = skinnedByMethod(p, n);
    if (isOwn || share >= 1.0) return own;
    return mixedSkinned(linearlySkinned(p, n), own, share);
#else
    return affinelySkinned(rowsAt(paletteStart), p, n);
#endif
}

Skinned skinned() {
    Skinned result = transformed();
#ifdef RECOMPUTED
    vec3 recomputed = texelAt(recomputedNormals, normalsStart + vertexIndex).xyz;
    if (recomputed != vec3(0.0)) result.normal = recomputed;
#endif
    return result;
}
