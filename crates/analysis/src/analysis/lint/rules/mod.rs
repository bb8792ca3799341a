//! Rules of platforms and projects: profiles of rules with ranks.
//!
//! A [`Rule`] limits a [`Measure`], once or per rank of its [`Profile`]. Checking the [`Inventory`] of a rig against a
//! profile returns a [`Sheet`] with a rank per rule; the worst one is the rank of the rig.
//!
//! | module | content |
//! | --- | --- |
//! | `measure` | table of measures with units and advice |
//! | `pattern` | name patterns with `*` |
//! | `rule` | a rule with its limits and selection |
//! | `inventory` | contents of a rig |
//! | `measurement` | a measured number and its location |
//! | `measuring` | dispatch of measures |
//! | `counts` | measurements of meshes, materials, textures, joints and clips |
//! | `skeleton` | measurements of names, humanoid bones and their pose |
//! | `vrm` | measurements of VRM data |
//! | `soles` | measurement of the height of the feet |
//! | `profile` | profiles, ranks and results |

mod counts;
mod inventory;
mod measure;
mod measurement;
mod measuring;
mod pattern;
mod profile;
mod rule;
mod skeleton;
mod soles;
mod vrm;

pub use inventory::Inventory;
pub use measure::Measure;
pub use measurement::Measurement;
pub use pattern::Pattern;
pub(in crate::analysis) use profile::unranked;
pub use profile::{Outcome, Profile, Row, Sheet};
pub use rule::{Axis, Kind, Limits, Rule, Stance};
