// Influences of a vertex. Appended to texels.glsl.
// Requires vertexIndex and the first four slots in joints and weights, heaviest first. Requires, as constants or
// uniforms: slotsPerVertex; influenceCount (slots used); roundsWeights (round to multiples of 1 / weightSteps);
// renormalizes (divide by the sum of the used weights).

uniform float weightSteps;
#ifdef MORE_INFLUENCES
uniform highp sampler2DArray moreInfluences; // (joint, weight) of the slots from the fifth on
#endif

float weightSum = 1.0; // divisor of the weights; 0 if only the first slot counts

float storedWeight(int slot) {
    float weight;
    if (slot < 4) {
        weight = weights[slot];
    } else {
#ifdef MORE_INFLUENCES
        weight = texelAt(moreInfluences, vertexIndex * (slotsPerVertex - 4) + slot - 4).y;
#else
        weight = 0.0;
#endif
    }
    return roundsWeights ? floor(weight * weightSteps + 0.5) / weightSteps : weight;
}

void sumWeights() {
    if (!renormalizes) return;
    weightSum = 0.0;
    for (int slot = 0; slot < influenceCount; slot++) weightSum += storedWeight(slot);
}

void influence(int slot, out int joint, out float weight) {
    weight = weightSum > 0.0 ? storedWeight(slot) / weightSum : (slot == 0 ? 1.0 : 0.0);
    if (slot < 4) {
        joint = int(joints[slot]);
    } else {
#ifdef MORE_INFLUENCES
        joint = int(texelAt(moreInfluences, vertexIndex * (slotsPerVertex - 4) + slot - 4).x);
#else
        joint = 0;
#endif
    }
}
