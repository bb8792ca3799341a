use super::{Influences, Mesh, Primitive, Rig};

/// Joints and weights of a rig's primitives. *Shapes*: indexed by mesh and primitive as in `Rig::meshes`; `None` keeps
/// the rig's weights. Joint indices refer to `Skin::joints`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightSet {
    meshes: Vec<Vec<Option<Influences>>>,
}

impl WeightSet {
    /// Copies the current weights of a rig.
    pub fn from_rig(rig: &Rig) -> Self {
        let own = |mesh: &Mesh| mesh.primitives.iter().map(|primitive| primitive.influences.clone()).collect();
        Self { meshes: rig.meshes.iter().map(own).collect() }
    }

    /// Creates a set that replaces no weights.
    pub fn unchanged(rig: &Rig) -> Self {
        Self { meshes: rig.meshes.iter().map(|mesh| vec![None; mesh.primitives.len()]).collect() }
    }

    /// Returns the weights as stored in the file, for primitives whose weights import reordered or
    /// rescaled.
    pub fn stored(rig: &Rig) -> Self {
        let own = |primitive: &Primitive| {
            Some(primitive.stored_influences.as_ref()?.applied_to(primitive.influences.as_ref()?))
        };
        Self { meshes: rig.meshes.iter().map(|mesh| mesh.primitives.iter().map(own).collect()).collect() }
    }

    /// Returns the weights of a primitive; `None` if not replaced.
    pub fn get(&self, mesh: usize, primitive: usize) -> Option<&Influences> {
        self.meshes.get(mesh)?.get(primitive)?.as_ref()
    }

    /// Replaces the weights of all vertices of a primitive; ignored if there is no such primitive.
    pub fn set(&mut self, mesh: usize, primitive: usize, influences: Influences) {
        if let Some(own) = self.meshes.get_mut(mesh).and_then(|primitives| primitives.get_mut(primitive)) {
            *own = Some(influences);
        }
    }

    /// Iterates over the primitives with replaced weights: mesh, primitive, influences.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, &Influences)> {
        self.meshes.iter().enumerate().flat_map(|(mesh, primitives)| {
            let all = primitives.iter().enumerate();
            all.filter_map(move |(primitive, own)| Some((mesh, primitive, own.as_ref()?)))
        })
    }
}

impl Rig {
    /// Copies the rig with different weights. A primitive keeps its own weights if the set contains no weights for it,
    /// or weights with a different vertex count or with a joint that is not in the mesh's skin.
    #[must_use]
    pub fn with_weights(&self, weights: &WeightSet) -> Self {
        let mut rig = self.clone();
        for (mesh, primitive, influences) in weights.iter() {
            if self.can_take(mesh, primitive, influences) {
                let own = &mut rig.parts.meshes[mesh].primitives[primitive];
                (own.influences, own.stored_influences) = (Some(influences.clone()), None);
            }
        }
        (rig.skin_reach, rig.moved_vertices) = super::reach::reach(&rig.parts);
        rig.is_control = super::bones::controls(&rig);
        rig
    }

    /// Returns whether import changed the order or sum of the file's weights.
    pub fn has_stored_weights(&self) -> bool {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives).any(|primitive| primitive.stored_influences.is_some())
    }

    fn can_take(&self, mesh: usize, primitive: usize, influences: &Influences) -> bool {
        let source = self.meshes.get(mesh).and_then(|mesh| mesh.primitives.get(primitive));
        let is_fitting = source.is_some_and(|own| own.influences.is_some() && own.positions.len() == influences.len());
        let mut skins = self.instances.iter().filter(|placed| placed.mesh == mesh).filter_map(|placed| placed.skin);
        is_fitting && skins.all(|skin| influences.joint_count() <= self.skins[skin].joints.len())
    }
}
