// A primitive on the screen. skinning.glsl and paint.glsl stand before this.

uniform mat4 viewProjection;
uniform float pointSize;  // pixels, of primitives that are points
uniform float depthBias; // towards the viewer, in clip depth; wires lie over their own surface by it

#ifdef NORMALS
out vec3 nor;
#endif
#ifdef TEX_COORDS
layout(location = 2) in vec2 texCoords;
out vec2 uvs;
#endif
#ifdef COLORS
layout(location = 3) in vec4 color;
out vec4 col;
#endif
out vec3 pos;
out float side;
out vec4 painted; // as paintedValue gives it
out float pointed; // how much of the vertex the pointed joint moves, 0 to 1

uniform int pointedJoint; // of the palette; -1 without

float pointedShare() {
    if (pointedJoint < 0) return 0.0;
#ifdef SKINNED
    float share = 0.0;
    for (int slot = 0; slot < influenceCount; slot++) {
        int joint;
        float weight;
        influence(slot, joint, weight);
        if (joint == pointedJoint) share += weight;
    }
    return share;
#else
    return 1.0;
#endif
}

void main() {
    Skinned skin = skinned();
    pos = skin.position;
    side = skin.side;
    painted = paintedValue();
    pointed = pointedShare();
#ifdef NORMALS
    nor = skin.normal;
#endif
#ifdef TEX_COORDS
    uvs = texCoords; // images are stored top row first
#endif
#ifdef COLORS
    col = color;
#endif
    gl_Position = viewProjection * vec4(pos, 1.0);
    gl_Position.z -= depthBias * gl_Position.w;
    gl_PointSize = max(pointSize, 1.0);
}
