//! A rig made ready for one way of skinning: what a frame need not do again.

use std::sync::Arc;

use super::{Deformed, Palette, Skinning, deform_into, palettes};
use crate::rig::{Posed, Primitive, Rig};

/// A rig with everything that one way of skinning needs of it, whatever the pose.
#[derive(Clone, Debug)]
pub struct Skinner {
    rig: Arc<Rig>,
    skinning: Skinning,
}

/// Why a way of skinning cannot serve a rig.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsuited {}

impl Skinner {
    /// Prepares a rig.
    ///
    /// *Errors*: a method that cannot serve this rig.
    pub fn new(rig: &Arc<Rig>, skinning: &Skinning) -> Result<Self, Unsuited> {
        Ok(Self { rig: Arc::clone(rig), skinning: skinning.clone() })
    }

    /// The rig.
    pub fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// How it is skinned.
    pub fn skinning(&self) -> &Skinning {
        &self.skinning
    }

    /// Morphs and skins one primitive of a mesh instance, into memory that is already there.
    ///
    /// *Shapes*: `palettes` of [`super::palettes`] for `posed`. An instance or primitive that the rig lacks leaves nothing.
    pub fn deform_into(
        &self,
        (instance, primitive): (usize, usize),
        posed: &Posed,
        palettes: &[Palette],
        deformed: &mut Deformed,
    ) {
        let (Some(source), Some(palette)) = (self.primitive(instance, primitive), palettes.get(instance)) else {
            *deformed = Deformed::default();
            return;
        };
        let weights = posed.morph_weights.get(instance).map_or(&[][..], Vec::as_slice);
        deform_into(source, palette, weights, self.skinning.method, deformed);
    }

    /// Everything in a pose, by mesh instance and primitive.
    pub fn deform(&self, posed: &Posed) -> Vec<Vec<Deformed>> {
        let palettes = palettes(&self.rig, posed);
        let one = |at| {
            let mut deformed = Deformed::default();
            self.deform_into(at, posed, &palettes, &mut deformed);
            deformed
        };
        let instances = self.rig.instances.iter().enumerate();
        instances
            .map(|(i, instance)| (0..self.rig.meshes[instance.mesh].primitives.len()).map(|p| one((i, p))).collect())
            .collect()
    }

    fn primitive(&self, instance: usize, primitive: usize) -> Option<&Primitive> {
        self.rig.meshes[self.rig.instances.get(instance)?.mesh].primitives.get(primitive)
    }
}
