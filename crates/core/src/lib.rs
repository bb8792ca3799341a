//! Rigs, skinning and posing.

#![warn(unreachable_pub)]

pub mod actor;
pub mod environment;
pub mod files;
pub mod findings;
#[doc(hidden)]
pub mod gizmo;
pub mod jobs;
pub mod matching;
pub mod posing;
pub mod rig;
pub mod rows;
pub mod skinning;
pub mod text;
pub mod view;
pub mod weights;
