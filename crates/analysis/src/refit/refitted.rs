use std::sync::Arc;

use super::error::RefitError;
use super::frames::FrameChange;
use super::nodes::NodeMap;
use super::rig_map::RigMap;
use super::similarity::Similarity;
use rigscope_core::rig::{Rig, RigData};

/// A rig after operations.
#[derive(Clone, Debug)]
pub struct Refitted {
    /// The new rig.
    pub rig: Arc<Rig>,
    /// How its nodes belong to those of the old rig.
    pub map: RigMap,
    /// What each operation did, as `NAME: clause`.
    pub notes: Vec<String>,
    /// Whether an operation is meant to change the skin.
    pub changes_skin: bool,
}

impl Refitted {
    /// Returns the rig unchanged.
    pub fn unchanged(rig: Arc<Rig>) -> Self {
        Self { map: RigMap::identity(&rig), rig, notes: Vec::new(), changes_skin: false }
    }

    pub(super) fn with_frames(
        rig: &Rig,
        change: &FrameChange,
        operation: &'static str,
        note: &str,
    ) -> Result<Self, RefitError> {
        let data = change.applied(rig, operation)?;
        let map = RigMap { frames: change.nodes.clone(), world: change.world, ..RigMap::identity(rig) };
        Ok(Self::new(data, map, operation, note))
    }

    pub(super) fn same_nodes(data: RigData, rig: &Rig, operation: &'static str, note: &str) -> Self {
        Self::new(data, RigMap::identity(rig), operation, note)
    }

    pub(super) fn with_map(data: RigData, nodes: NodeMap, operation: &'static str, note: &str) -> Self {
        let frames = vec![Similarity::IDENTITY; nodes.len()];
        Self::new(data, RigMap { nodes, frames, world: Similarity::IDENTITY }, operation, note)
    }

    fn new(data: RigData, map: RigMap, operation: &'static str, note: &str) -> Self {
        let notes = vec![format!("{operation}: {note}")];
        Self { rig: Arc::new(Rig::new(data)), map, notes, changes_skin: false }
    }
}
