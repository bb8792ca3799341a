//! Binary glTF 2.0. The exporters are `posed` (meshes without a skeleton), `rig` (whole rigs) and `reweighted`
//! (stored files with new weights).

mod attributes;
mod buffer;
mod clips;
mod extras;
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
