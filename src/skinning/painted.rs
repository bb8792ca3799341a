//! Linear and dual quaternion skinning mixed by a share that the file has for each vertex: Maya's "weight blended", with the weights that riggers paint.
//!
//! `v' = (1-t) v_lbs + t v_dqs` with the vertex's own `t`, and otherwise as [`super::mixed`]. A primitive without shares is skinned by dual
//! quaternions where the file says so of its skin, else linearly: [`super::unpainted_share`].

use super::spec::{MethodSpec, Needs};
use super::{dqs, mixed};

/// The mix of LBS and DQS that the file has for each vertex.
pub(super) const SPEC: MethodSpec = MethodSpec {
    text: "painted",
    gloss: "lbs and dqs mixed by the file's weight of each vertex",
    label: "Painted",
    full_name: "Linear and dual quaternion skinning by painted weights",
    tradeoff: "What the rig's author chose for each vertex; wants a file with such weights",
    color: [0xD9, 0x5F, 0x5F],
    needs: Needs::DqWeights,
    glsl: "dualQuaternionSkinned",
    kernel: mixed::skin,
    directions: dqs::directions,
};
