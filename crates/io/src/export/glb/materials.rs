use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::attributes::is_out_of_range;
use super::buffer::GlbBuffer;
use super::material::material_json;
use super::textures::{CoordSets, GlbTextures, TRANSFORM, has_shear};
use crate::export::export_file::left_out;
use crate::export::picture::shrunk;
use crate::export::posed_meshes::shown_material;
use crate::export::{ExportError, LostTexture, MissingTextures};
use rigscope_core::jobs::Progress;
use rigscope_core::rig::{Material, Primitive, Rig, VrmBlocks};

/// All materials of the rig in order, then copies with fewer textures for primitives that lack a UV set.
pub(super) struct GlbMaterials<'a> {
    rig: &'a Rig,
    changed: &'a [(usize, Material)],
    /// VRM data. Replaces the materials for which [`VrmBlocks::keeps_material`] is true.
    blocks: Option<&'a VrmBlocks>,
    missing: MissingTextures,
    numbers: BTreeMap<(usize, CoordSets), usize>,
}

impl<'a> GlbMaterials<'a> {
    /// Collects the materials of a rig. Materials with VRM data get no copies.
    pub(super) fn new(
        rig: &'a Rig,
        changed: &'a [(usize, Material)],
        blocks: Option<&'a VrmBlocks>,
        missing: MissingTextures,
    ) -> Self {
        let mut sets: Vec<BTreeSet<CoordSets>> = vec![BTreeSet::new(); rig.materials.len()];
        for primitive in rig.meshes.iter().flat_map(|mesh| &mesh.primitives) {
            if let Some((material, own)) = material(rig, primitive, blocks, missing) {
                sets[material].insert(own);
            }
        }
        let mut numbers = BTreeMap::new();
        let mut further = rig.materials.len()..;
        for (material, mut sets) in sets.into_iter().enumerate() {
            numbers.insert((material, sets.pop_last().unwrap_or(CoordSets::ALL)), material);
            numbers.extend(sets.into_iter().map(|set| (material, set)).zip(&mut further));
        }
        Self { rig, changed, blocks, missing, numbers }
    }

    pub(super) fn index(&self, primitive: &Primitive) -> Option<usize> {
        self.numbers.get(&material(self.rig, primitive, self.blocks, self.missing)?).copied()
    }

    pub(super) fn copies(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut copies: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (&(material, _), &number) in self.numbers.iter().filter(|((material, _), number)| material != *number) {
            copies.entry(material).or_default().push(number);
        }
        copies
    }

    /// Returns the number of each written material and the index of its source. Leaves out materials from VRM data,
    /// which keep everything.
    pub(super) fn sources(&self) -> impl Iterator<Item = (usize, usize)> {
        let written = self.numbers.iter().map(|(&(material, _), &number)| (number, material));
        written.filter(|(_, material)| !self.blocks.is_some_and(|blocks| blocks.keeps_material(*material)))
    }

    fn shown(&self) -> impl Iterator<Item = &Material> {
        (0..self.rig.materials.len()).map(|index| shown_material(self.rig, self.changed, index))
    }

    pub(super) fn is_clamped(&self) -> bool {
        self.shown().any(|m| is_out_of_range(&m.base_color))
    }

    pub(super) fn texture_losses(&self) -> impl Iterator<Item = String> {
        self.textures_left_out().into_iter().chain(shrunk(self.rig))
    }

    fn textures_left_out(&self) -> Option<String> {
        let textures = self.shown().flat_map(|material| self.missing.textures(material));
        let count = textures.filter(|t| has_shear(t)).count();
        left_out(count, "texture", "textures", "their transforms have shear, which glTF does not support")
    }

    /// Returns unreadable textures. Materials from VRM data reference no image files.
    pub(super) fn missing(&self) -> Vec<LostTexture> {
        let lost = |(number, material): (usize, &Material)| {
            let is_kept = self.blocks.is_some_and(|blocks| blocks.keeps_material(number));
            let missing = if is_kept { MissingTextures::Omitted } else { self.missing };
            missing.lost(material).collect::<Vec<_>>()
        };
        self.rig.materials.iter().enumerate().flat_map(lost).collect()
    }

    pub(super) fn json(
        &self,
        buffer: &mut GlbBuffer,
        progress: &Progress,
    ) -> Result<[(&'static str, Vec<Value>); 5], ExportError> {
        let mut textures = GlbTextures::new(self.missing);
        let mut numbered: Vec<(usize, usize, CoordSets)> =
            self.numbers.iter().map(|(&(material, sets), &number)| (number, material, sets)).collect();
        numbered.sort_unstable();
        let look = |&(_, m, sets): &(usize, usize, CoordSets)| {
            let is_kept = self.blocks.is_some_and(|blocks| blocks.keeps_material(m));
            if is_kept {
                Value::Null
            } else {
                material_json(shown_material(self.rig, self.changed, m), sets, &mut textures)
            }
        };
        let materials: Vec<Value> = numbered.iter().map(look).collect();
        let extensions = materials.iter().filter_map(|m| m.get("extensions")?.as_object()).flat_map(|e| e.keys());
        let mut extensions: BTreeSet<&str> = extensions.map(String::as_str).collect();
        if textures.has_transform {
            extensions.insert(TRANSFORM);
        }
        let extensions = extensions.into_iter().map(|name| json!(name)).collect();
        let [images, samplers, textures] = textures.json(self.rig, buffer, progress)?;
        Ok([images, samplers, textures, ("materials", materials), ("extensionsUsed", extensions)])
    }
}

fn material(
    rig: &Rig,
    primitive: &Primitive,
    blocks: Option<&VrmBlocks>,
    missing: MissingTextures,
) -> Option<(usize, CoordSets)> {
    let index = primitive.material?.0;
    let material: &Material = rig.materials.get(index)?;
    let is_kept = blocks.is_some_and(|blocks| blocks.keeps_material(index));
    Some((index, if is_kept { CoordSets::ALL } else { CoordSets::new(primitive, material, missing) }))
}
