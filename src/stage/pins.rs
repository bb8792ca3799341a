//! Pins of the open character.

use std::sync::Arc;

use super::Document;
use crate::matching::Humanoid;
use crate::rig::{Limbs, NodeIndex, Pin, PinSet, Rig};

/// Keeps the pins of a document's pose up to date.
#[derive(Clone, Default)]
pub(super) struct Pinning {
    /// Limbs of the rig, determined when the first joint is pinned.
    limbs: Option<(Arc<Rig>, Limbs)>,
}

impl Pinning {
    /// Copies the pins and limits of a document to its pose.
    pub(super) fn apply(&mut self, document: &mut Document) {
        let Document { rig, pose, pins, limits, .. } = document;
        if pins.is_empty() {
            return pose.set_pins(None);
        }
        let is_known = self.limbs.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, rig));
        let is_current = |set: &Arc<PinSet>| set.pins() == pins.as_slice() && set.limits() == limits;
        if !is_known || !pose.pins().is_some_and(is_current) {
            let limbs = self.limbs.take().filter(|_| is_known).map(|(_, limbs)| limbs);
            let limbs = limbs.unwrap_or_else(|| Humanoid::from_rig(rig).limbs());
            pose.set_pins(PinSet::new(rig, &limbs, pins, limits));
            self.limbs = Some((Arc::clone(rig), limbs));
        }
    }
}

impl Document {
    /// Returns the pin of a joint.
    pub fn pin(&self, node: NodeIndex) -> Option<&Pin> {
        self.pins.iter().find(|pin| pin.node == node)
    }

    /// True if springs, which act after pins, move or turn a pinned joint.
    pub fn springs_move(&self, pin: &Pin) -> bool {
        let has_spring = |node| self.rig.behaviours().active_spring(node, self.switched_off).is_some();
        self.rig.hierarchy.ancestors(pin.node).any(has_spring) || (pin.rotation.is_some() && has_spring(pin.node))
    }

    /// Adds a pin, or replaces the pin of the same joint.
    pub(crate) fn set_pin(&mut self, pin: Pin) {
        match self.pins.binary_search_by_key(&pin.node, |pin| pin.node) {
            Ok(at) => self.pins[at] = pin,
            Err(at) => self.pins.insert(at, pin),
        }
    }
}
