//! Everything of a rig that is uploaded once.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use three_d::{Context, Texture2D};

use super::RenderError;
use super::primitive::GpuPrimitive;
use super::textures::Textures;
use crate::rig::{Material, MeshInstance, Primitive, Rig};

/// A rig's primitives and images on the graphics card.
pub(super) struct GpuRig {
    rig: Arc<Rig>,
    /// By mesh, and whether a skin moves it.
    meshes: BTreeMap<(usize, bool), Vec<GpuPrimitive>>,
    textures: Textures,
    /// Of each material.
    material_textures: Vec<Option<usize>>,
    default_material: Material,
}

/// One thing to draw.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// Index into `Rig::instances`.
    pub instance: usize,
    pub primitive: &'a GpuPrimitive,
    pub material: &'a Material,
    pub texture: Option<&'a Texture2D>,
}

impl GpuRig {
    /// *Errors*: a mesh too large for this driver.
    pub fn new(context: &Context, rig: &Arc<Rig>) -> Result<Self, RenderError> {
        let mut meshes = BTreeMap::new();
        for key in rig.instances.iter().map(mesh_key) {
            if let Entry::Vacant(entry) = meshes.entry(key) {
                let primitives = rig.meshes[key.0].primitives.iter();
                let uploaded: Result<_, _> = primitives.map(|p| GpuPrimitive::new(context, p, key.1)).collect();
                entry.insert(uploaded?);
            }
        }
        let mut textures = Textures::default();
        let material_textures = rig.materials.iter().map(|m| textures.add(context, rig, m.texture.as_ref())).collect();
        let default_material = Material::default();
        Ok(Self { rig: Arc::clone(rig), meshes, textures, material_textures, default_material })
    }

    /// True for the rig that was uploaded, not for an equal one.
    pub fn is_of(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(&self.rig, rig)
    }

    /// Every primitive of every instance, in the order of `Rig::primitives`.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.rig.instances.iter().enumerate().flat_map(move |(instance, placed)| {
            let sources = &self.rig.meshes[placed.mesh].primitives;
            let uploaded = self.meshes.get(&mesh_key(placed)).map(Vec::as_slice).unwrap_or_default();
            sources.iter().zip(uploaded).map(move |(source, primitive)| self.part(instance, source, primitive))
        })
    }

    fn part<'a>(&'a self, instance: usize, source: &'a Primitive, primitive: &'a GpuPrimitive) -> Part<'a> {
        let index = source.material.map(|m| m.0);
        let material = index.and_then(|i| self.rig.materials.get(i)).unwrap_or(&self.default_material);
        let texture = index.and_then(|i| self.material_textures.get(i).copied().flatten());
        // Without coordinates there is nothing to look up.
        let texture = self.textures.get(texture).filter(|_| source.tex_coords.is_some());
        Part { instance, primitive, material, texture }
    }

    /// Makes the wireframe's line lists, once.
    pub fn prepare_edges(&mut self) {
        for ((mesh, _), uploaded) in &mut self.meshes {
            for (primitive, source) in uploaded.iter_mut().zip(&self.rig.meshes[*mesh].primitives) {
                primitive.prepare_edges(source);
            }
        }
    }
}

fn mesh_key(instance: &MeshInstance) -> (usize, bool) {
    (instance.mesh, instance.skin.is_some())
}
