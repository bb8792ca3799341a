//! Matches nodes, meshes, vertices, morph targets and clips of two rigs.
//!
//! | matched | by | type |
//! | --- | --- | --- |
//! | nodes | names, humanoid bones, positions, neighbours | [`NodeMatch`] |
//! | units and axes | positions of matched nodes | [`SpaceMapping`] |
//! | meshes | names, nodes, vertices | [`IndexMatch`] |
//! | vertices of two meshes | positions, normals, texture coordinates, weights | [`VertexMatch`] |
//! | vertices of all meshes | as for two meshes, then the nearest vertex | [`VertexPairs`] |
//! | morph targets, clips | names | [`IndexMatch`] |
//! | humanoid bones | file declarations, naming schemes | [`Humanoid`] |

mod arkit;
mod decode;
mod humanoid;
mod index_match;
mod matched;
mod mesh_pair;
mod meshes;
mod named;
mod nodes;
mod rig_at_rest;
mod rig_match;
mod space;
mod surface;
mod vertex_pairs;
mod vertices;

pub use arkit::{ARKIT_SHAPES, arkit_shape};
pub use humanoid::{HumanBone, Humanoid, Scheme, without_namespace};
pub use index_match::{EntryIndex, IndexMatch};
pub use matched::RigCounterparts;
pub use named::{clip_match, morph_match};
pub use nodes::NodeMatch;
pub use space::SpaceMapping;
pub use vertex_pairs::{VertexMatchError, VertexPairs};
pub use vertices::VertexMatch;

pub use decode::MeshPlacements;
pub use mesh_pair::{MeshPair, mesh_pairs};
pub use rig_at_rest::RigAtRest;
pub use rig_match::{MeshAndSkin, RigMatch};
pub use surface::{MatchSurface, VertexAttributes};
pub use vertices::weight_changes;

use crate::rig::Rig;

const ROUNDING: f32 = 5e-5;

/// Returns the distance in metres up to which vertices count as equal: about three steps of 16-bit positions.
pub fn rounding_m(rig: &Rig) -> f32 {
    rig.size() * ROUNDING
}
