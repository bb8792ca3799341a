//! Rigscope: open a rigged character, pose it, and see what skinning does to it.
//!
//! # Map
//! Imports run upwards in this list only; `tests/architecture.rs` holds it.
//!
//! | module | responsibility | may import |
//! | --- | --- | --- |
//! | [`rig`] | hierarchy, meshes, skins, clips; pose; forward kinematics, sampling | - |
//! | [`skinning`] | palettes; positions and normals on the CPU, the reference for the shaders | `rig` |
//! | [`import`] | bytes of a file to a rig, or a precise error; the only reader of file formats | `rig` |
//! | [`view`] | camera and display options: what a picture shows and from where | `rig`, `skinning` |
//! | [`render`] | rig, palettes and view to pixels, in a window or without; sole user of three-d | `rig`, `skinning`, `view` |
//!
//! # Words
//! | word | meaning |
//! | --- | --- |
//! | joint | node that a skin lists; a bone is the drawn segment from a joint to its child |
//! | rest pose | local transforms as stored in the file, `L_j` |
//! | bind pose | the pose that the inverse bind matrices encode, `B_j`; may differ from the rest pose |
//! | user local transform | `Ul_j`: what the user added on top of the rest pose or the clip |
//! | skinning matrix, palette | `T_j = W_j * IB_j`, world from skin; all of them in the order of the skin's joints |
//! | influence | (joint, weight) of one vertex; weights sum to 1 after import |
//! | LBS, DQS | linear blend skinning, dual quaternion skinning |
//!
//! Matrices are named `a_from_b` and multiply column vectors. Metres, radians, seconds; right-handed, +Y up, as in glTF.

pub mod import;
pub mod render;
pub mod rig;
pub mod skinning;
pub mod view;
