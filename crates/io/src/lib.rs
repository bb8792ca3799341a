//! Reads glTF, GLB, VRM and FBX into a rig; writes rigs, poses, posed meshes, images and videos.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use rigscope_io::import::{Job, import_file};
//!
//! let imported = import_file(Path::new("character.glb"), &Job::default())?;
//! for warning in &imported.warnings {
//!     println!("{}", warning.finding.message);
//! }
//! println!("{} joints", imported.rig.hierarchy.len());
//! # Ok::<(), rigscope_io::import::ImportError>(())
//! ```
//!
//! # Map
//! A module imports only from the modules listed in the third column; `tests/project/architecture.rs` checks this.
//!
//! | module | responsibility | imports |
//! | --- | --- | --- |
//! | [`import`] | bytes to `Rig`, or a precise error | `files`, `findings`, `jobs`, `rig`, `skinning`, `text` |
//! | [`export`] | pose files, posed meshes, whole rigs, files with new weights, images, videos by ffmpeg | `files`, `import`, `jobs`, `rig`, `skinning`, `text` |

#![warn(unreachable_pub)]

pub mod export;
pub mod import;
