//! Blend of LBS and DQS by the file's weight of each vertex, Maya's "weight blended" method.
//!
//! Without weights, a primitive uses DQS if the file declares it for the skin, else LBS: [`super::unpainted_share`].

use super::spec::{MethodSpec, Needs};
use super::{dqs, mixed};

pub(super) const SPEC: MethodSpec = MethodSpec {
    text: "weighted-blend",
    gloss: "lbs and dqs mixed by the file's weight of each vertex",
    label: "Weighted blend",
    full_name: "Linear and dual quaternion skinning, blended by the file's weight of each vertex",
    tradeoff: "What the rig's author chose for each vertex; wants a file with such weights",
    color: [0xD9, 0x5F, 0x5F],
    needs: Needs::DqWeights,
    glsl: "dualQuaternionSkinned",
    kernel: mixed::skin,
    directions: dqs::directions,
};
