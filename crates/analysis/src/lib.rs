//! Checks and measures rigs: lint, volume loss under twist and bend, clips, and differences between two versions.
//!
//! ```
//! use rigscope_analysis::analysis::lint::lint;
//! use rigscope_core::jobs::Progress;
//! use rigscope_core::rig::{Hierarchy, NodeDescription, Rig, RigData};
//!
//! let hips = NodeDescription { name: "Hips".to_owned(), ..NodeDescription::default() };
//! let rig = Rig::new(RigData { hierarchy: Hierarchy::new(&[hips])?, ..RigData::default() });
//! for finding in lint(&rig, &Progress::default()).unwrap_or_default() {
//!     println!("{} {}", finding.code, finding.message);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Map
//! A module imports only from the modules in its third column; `tests/project/architecture.rs` checks this.
//!
//! | module | responsibility | imports |
//! | --- | --- | --- |
//! | [`analysis`] | lint: findings with location, reason and advice; measurements of deformed surfaces, vertices and rotated joints | `findings`, `rows`, `jobs`, `rig`, `skinning`, `matching`, `posing`, `weights`, `view`, `actor`, `text` |
//! | [`refit`] | changes of the skeleton that keep the skin, and their proof | `analysis`, `files`, `export`, `import`, `jobs`, `matching`, `rig`, `rows`, `skinning`, `text`, `view` |
//! | [`diff`] | changes from one version of a rig to another | `jobs`, `matching`, `rig`, `rows` |

#![warn(unreachable_pub)]

pub mod analysis;
pub mod diff;
pub mod refit;
