//! Rigs in memory: hierarchies, poses, skinning, weights, and the contents of rendered views.
//!
//! ```
//! use glam::{Quat, Vec3};
//! use rigscope_core::rig::{Hierarchy, NodeDescription, NodeIndex, Pose, Rig, RigData, Trs, evaluate};
//!
//! let hierarchy = Hierarchy::new(&[NodeDescription { name: "Hips".to_owned(), ..NodeDescription::default() }])?;
//! let rig = Rig::new(RigData { hierarchy, ..RigData::default() });
//!
//! let hips = NodeIndex(0);
//! let mut pose = Pose::rest(&rig.hierarchy);
//! pose.set_user_local(hips, Trs { rotation: Quat::from_rotation_z(1.0), ..Trs::IDENTITY });
//! let posed = evaluate(&rig, None, &pose);
//! let x = posed.world_from_node[hips.index()].transform_vector3(Vec3::X);
//! assert!(x.abs_diff_eq(Quat::from_rotation_z(1.0) * Vec3::X, 1e-6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Map
//! A module imports only from the modules in its third column; `tests/project/architecture.rs` checks this.
//!
//! | module | responsibility | imports |
//! | --- | --- | --- |
//! | [`rig`] | hierarchy, meshes, skins, clips, behaviours; pose; forward and inverse kinematics, limits, pins; sampling | |
//! | [`text`] | text: escaping of names from files, counts with nouns, lists of names, dates, wildcards | |
//! | [`files`] | file access: bounded reads, atomic writes, protection of inputs against overwriting; path patterns | `text` |
//! | [`rows`] | data rows for JSON and CSV; field descriptions for the list of JSON keys | |
//! | [`findings`] | findings: table of codes with severities and explanations; locations | `rig`, `rows` |
//! | [`jobs`] | jobs on other threads: progress, cancellation, panics; parallel work in pieces | |
//! | [`environment`] | environment lighting: environment maps from files; irradiance and blurred reflections | `files`, `jobs` |
//! | [`skinning`] | palettes; positions, normals and tangents on the CPU, the reference for the shaders | `jobs`, `rig` |
//! | [`matching`] | matching nodes, meshes, vertices, morph targets and clips of one rig with those of another | `jobs`, `rig`, `skinning` |
//! | [`posing`] | posing operations on one or many joints: mirroring, blending, clips of another rig | `rig`, `matching` |
//! | [`weights`] | joint weights: computing from mesh and bones, repair, manual editing, transfer between meshes | `jobs`, `matching`, `posing`, `rig`, `rows`, `text` |
//! | [`view`] | contents of a rendered view: camera, display options, light, the two compared sides and their overlays | `rig`, `skinning`, `environment`, `weights` |
//! | [`actor`] | posed characters as displayed on the two sides, and how their nodes correspond to those of the open character | `jobs`, `rig`, `skinning`, `matching`, `view` |
//! | [`gizmo`] | gizmo handles: conversion of pointer motion to pose changes; no egui, no GPU | `rig`, `view` |

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
