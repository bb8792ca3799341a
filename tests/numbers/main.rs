//! Skinning, posing, weights and measurements compared with closed forms, references and other programs; and their
//! cost.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../benches/common/tube.rs"]
mod tube;

mod allocations;
mod auto;
mod clip_checks;
mod counterparts;
mod diagnose;
mod drag_cost;
mod edit_weights;
mod feet;
mod framing;
mod golden;
#[cfg(target_os = "linux")]
mod growth;
mod heat;
mod lint;
mod maya;
mod measure;
#[cfg(feature = "gl")]
mod methods;
mod mikktspace;
#[cfg(feature = "gl")]
mod morphs;
mod motion;
#[cfg(feature = "gl")]
mod painted_weights;
mod ranking;
mod refine;
mod refit;
mod rules;
mod seams;
mod skinning_properties;
mod soles;
mod transfer;
mod weight_problems;
mod weighting;
