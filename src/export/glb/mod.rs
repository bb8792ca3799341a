//! Binary glTF 2.0: of posed meshes without their skeleton, of whole rigs, and of files with nothing but their weights changed.
//!
//! `posed`, `rig` and `reweighted` decide what is in the file; what both write is beside them: vertex attributes, materials, the buffer, the document.

mod attributes;
mod buffer;
mod cameras;
mod clips;
mod colors;
mod document;
mod influences;
mod look;
mod materials;
mod morphs;
mod posed;
mod reweighted;
mod rig;
mod skins;
mod textures;
mod tree;

pub(super) use posed::posed_glb;
pub use reweighted::reweighted_glb;
pub use rig::{check_rig_name, rig_glb};
