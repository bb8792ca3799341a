//! Rules on what a rig may have, as platforms and projects demand them: profiles of rules with ranks.
//!
//! A [`Rule`] says what is measured and how much of it is allowed, once or for each rank of its [`Profile`]. The [`Inventory`] holds what is measured, once
//! for a rig; judging it by a profile gives a [`Sheet`], whose rows have a rank each, and the rig the worst of them.
//!
//! | module | holds |
//! | --- | --- |
//! | `measure` | the table of what can be measured, with units and advice |
//! | `pattern` | names with `*` |
//! | `rule` | a rule, its limits and what it selects |
//! | `inventory` | what a rig has |
//! | `measuring` | how each measure is taken |
//! | `reading` | one measured number and its place |
//! | `counts` | readings of meshes, materials, textures, joints and clips |
//! | `skeleton` | readings of names, humanoid bones and their pose |
//! | `vrm` | readings of what a VRM file declares |
//! | `soles` | the reading of where the feet stand |
//! | `profile` | profiles, ranks and what becomes of a rig under them |

mod counts;
mod inventory;
mod measure;
mod measuring;
mod pattern;
mod profile;
mod reading;
mod rule;
mod skeleton;
mod soles;
mod vrm;

pub use inventory::Inventory;
pub use measure::Measure;
pub use pattern::Pattern;
pub(in crate::analysis) use profile::unranked;
pub use profile::{Outcome, Profile, Row, Sheet};
pub use reading::Reading;
pub use rule::{Axis, Kind, Limits, Rule, Stance};
