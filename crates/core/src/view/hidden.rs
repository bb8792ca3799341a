use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rig::{Primitive, PrimitiveIndex, Rig};

/// Hidden meshes and materials of a character. They are not drawn, picked or framed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenItems {
    /// Indices into `Rig::instances`.
    pub meshes: BTreeSet<usize>,
    /// Indices into `Rig::materials`; `None` for primitives without a material.
    pub materials: BTreeSet<Option<usize>>,
    /// Hidden items that the last reload removed. They are hidden again if a later reload restores them.
    pub gone: HiddenNames,
}

/// A hidden mesh or material.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct HiddenItem {
    name: String,
    /// Index of the item in the rig, tried before other items with the same name; `None` for primitives without a
    /// material.
    index: Option<usize>,
}

/// Hidden items by name, so that files can store them and reloads find them again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HiddenNames {
    meshes: Vec<HiddenItem>,
    materials: Vec<HiddenItem>,
}

impl HiddenItems {
    /// Returns whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.meshes.is_empty() && self.materials.is_empty()
    }

    /// Returns the approximate memory use in bytes.
    pub fn bytes(&self) -> usize {
        let gone = self.gone.meshes.iter().chain(&self.gone.materials);
        size_of::<Self>()
            + (self.meshes.len() + self.materials.len()) * size_of::<Option<usize>>()
            + gone.map(|named| size_of::<HiddenItem>() + named.name.len()).sum::<usize>()
    }

    /// Returns whether primitives of this instance and material are hidden.
    pub fn hides(&self, instance: usize, material: Option<usize>) -> bool {
        self.meshes.contains(&instance) || self.materials.contains(&material)
    }

    /// Returns whether a primitive is visible.
    pub fn shows(&self, rig: &Rig, part: PrimitiveIndex) -> bool {
        !self.hides(part.instance, material(&rig.meshes[rig.instances[part.instance].mesh].primitives[part.primitive]))
    }

    /// Transfers hidden items to another rig by name. Items that the other rig lacks go to `gone`.
    #[must_use]
    pub fn carried(&self, old: &Rig, new: &Rig) -> Self {
        let HiddenNames { mut meshes, mut materials } = self.names(old);
        meshes.extend_from_slice(&self.gone.meshes);
        materials.extend_from_slice(&self.gone.materials);
        HiddenNames { meshes, materials }.found_in(new)
    }

    /// Returns the names of hidden items.
    pub fn names(&self, rig: &Rig) -> HiddenNames {
        let named = |index, name: String| HiddenItem { name, index };
        HiddenNames {
            meshes: self.meshes.iter().map(|&mesh| named(Some(mesh), mesh_name(rig, mesh))).collect(),
            materials: self.materials.iter().map(|&index| named(index, material_name(rig, index))).collect(),
        }
    }
}

impl HiddenNames {
    /// Returns whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.meshes.is_empty() && self.materials.is_empty()
    }

    /// Finds the named items in a rig. Also returns the missing names.
    pub fn found(&self, rig: &Rig) -> (HiddenItems, Vec<String>) {
        let mut hidden = self.found_in(rig);
        let Self { meshes, materials } = std::mem::take(&mut hidden.gone);
        let called = |kind: &'static str| move |named: HiddenItem| format!("{kind} \"{}\"", named.name);
        (hidden, meshes.into_iter().map(called("mesh")).chain(materials.into_iter().map(called("material"))).collect())
    }

    fn found_in(&self, rig: &Rig) -> HiddenItems {
        let mut hidden = HiddenItems::default();
        for named in &self.meshes {
            match named.found(rig.instances.len(), |index| mesh_name(rig, index)) {
                Some(index) => _ = hidden.meshes.insert(index),
                None => hidden.gone.meshes.push(named.clone()),
            }
        }
        for named in &self.materials {
            match named.found(rig.materials.len(), |index| material_name(rig, Some(index))) {
                _ if named.index.is_none() => _ = hidden.materials.insert(None),
                Some(index) => _ = hidden.materials.insert(Some(index)),
                None => hidden.gone.materials.push(named.clone()),
            }
        }
        hidden
    }
}

impl HiddenItem {
    fn found(&self, count: usize, name: impl Fn(usize) -> String) -> Option<usize> {
        let is_it = |index: &usize| *index < count && name(*index) == self.name;
        self.index.filter(is_it).or_else(|| (0..count).find(is_it))
    }
}

/// Returns the display name of a mesh instance: the name of its node or, if that is unnamed, of its mesh.
pub fn mesh_name(rig: &Rig, instance: usize) -> String {
    let placed = &rig.instances[instance];
    let mesh = &rig.meshes[placed.mesh];
    match (rig.hierarchy.is_unnamed(placed.node), mesh.name.as_str()) {
        (false, _) => rig.hierarchy.name(placed.node).to_owned(),
        (true, "") => format!("Mesh {}", mesh.source),
        (true, name) => name.to_owned(),
    }
}

/// Returns the display name of a material. `None` stands for no material.
pub fn material_name(rig: &Rig, material: Option<usize>) -> String {
    match material.map(|index| (index, rig.materials[index].name.as_str())) {
        None => "No material".to_owned(),
        Some((index, "")) => format!("Material {index}"),
        Some((_, name)) => name.to_owned(),
    }
}

/// Returns the material index of a primitive.
pub fn material(primitive: &Primitive) -> Option<usize> {
    primitive.material.map(|index| index.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::testing::chain;
    use crate::rig::{Material, MaterialIndex, Mesh, MeshInstance, NodeIndex, RigData, Trs};

    fn rig(materials: &[&str]) -> Rig {
        let primitive = |index| Primitive { material: Some(MaterialIndex(index)), ..Primitive::default() };
        let instance = |node| MeshInstance { node: NodeIndex(node), mesh: 0, skin: None, morph_weights: Vec::new() };
        Rig::new(RigData {
            hierarchy: chain(3, Trs::IDENTITY),
            meshes: vec![Mesh {
                primitives: vec![primitive(0), primitive(1), Primitive::default()],
                ..Mesh::default()
            }],
            instances: vec![instance(0), instance(2)],
            materials: materials
                .iter()
                .map(|name| Material { name: (*name).to_owned(), ..Material::default() })
                .collect(),
            ..RigData::default()
        })
    }

    #[test]
    fn a_part_is_hidden_with_its_mesh_or_its_material() {
        let rig = rig(&["steel", "cloth"]);
        let hidden = HiddenItems { meshes: [1].into(), materials: [Some(0), None].into(), ..HiddenItems::default() };
        let shown: Vec<PrimitiveIndex> = rig.parts().filter(|part| hidden.shows(&rig, *part)).collect();
        assert_eq!(shown, [PrimitiveIndex { instance: 0, primitive: 1 }]);
    }

    #[test]
    fn hidden_items_are_found_by_name_and_missing_ones_reported() {
        let (old, new) = (rig(&["steel", "cloth"]), rig(&["cloth", "skin"]));
        let hidden =
            HiddenItems { meshes: [1].into(), materials: [Some(0), Some(1), None].into(), ..HiddenItems::default() };
        let (found, missing) = hidden.names(&old).found(&new);
        assert_eq!((found.meshes, found.materials), ([1].into(), [Some(0), None].into()));
        assert_eq!(missing, ["material \"steel\""]);
    }

    #[test]
    fn hidden_items_stay_hidden_after_returning() {
        let (rig, other, bare) = (rig(&["steel", "cloth"]), rig(&["cloth"]), Rig::new(RigData::default()));
        let hidden = HiddenItems { meshes: [1].into(), materials: [Some(0), Some(1)].into(), ..HiddenItems::default() };
        let carried = hidden.carried(&rig, &other).carried(&other, &bare);
        assert!(carried.is_empty());
        let found = carried.carried(&bare, &other);
        assert_eq!((&found.meshes, &found.materials), (&[1].into(), &[Some(0)].into()));
        assert_eq!(found.carried(&other, &rig), hidden);
    }
}
