//! Rules of platforms and projects: profiles of rules with ranks.
//!
//! A [`Rule`] limits a [`Measure`], with a single limit or one per rank of its [`Profile`]. Checking the [`Inventory`]
//! of a rig against a profile returns a [`ProfileReport`] with a rank per rule. The worst of these ranks is the rank of
//! the rig.

mod counts;
mod inventory;
mod measure;
mod measurement;
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
pub(in crate::analysis) use profile::pass_fail_rank;
pub use profile::{Profile, ProfileReport, RuleOutcome, RuleResult};
pub use rule::{FacingAxis, Limits, NamedObjectKind, Rule, StandardPose};
