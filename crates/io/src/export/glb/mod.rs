//! Binary glTF 2.0: posed meshes without a skeleton, whole rigs, and stored files with new weights.
//!
//! `posed`, `rig` and `reweighted` are the three exporters; `vrm` keeps VRM data; the other modules are shared.

mod attributes;
mod buffer;
mod clips;
mod influences;
mod material;
mod materials;
mod morphs;
mod posed;
mod reweighted;
mod rig;
mod textures;
mod tree;
mod vrm;

pub(super) use posed::posed_glb;
pub use reweighted::reweighted_glb;
pub use rig::{check_rig_name, check_vrm_name, rig_glb, rig_glb_with};
