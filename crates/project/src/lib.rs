//! Checks rigs under the rules of a project (`rigscope.toml`) or of a platform.
//!
//! ```
//! use rigscope_analysis::analysis::lint::rules::Inventory;
//! use rigscope_core::rig::{Rig, RigData};
//! use rigscope_project::project::profile;
//!
//! let (rig, quest) = (Rig::new(RigData::default()), profile("vrchat-mobile")?);
//! let report = quest.check_rig(&Inventory::new(&rig, None), None);
//! for finding in &report.findings {
//!     println!("{} {}", finding.code, finding.message);
//! }
//! # Ok::<(), String>(())
//! ```
//!
//! # Map
//! A module imports only from the modules in its third column; `tests/project/architecture.rs` checks this.
//!
//! | module | responsibility | imports |
//! | --- | --- | --- |
//! | [`project`] | config files (`rigscope.toml`): findings under a project's rules; repairs; platform profiles | `analysis`, `files`, `import`, `jobs`, `matching`, `rig`, `text`, `weights` |

#![warn(unreachable_pub)]

pub mod project;
