use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

use three_d::Context;

use super::edges::{WireframeEdges, start_edges};
use super::features::DrawOptions;
use super::primitive::GpuPrimitive;
use super::repeats::first_alike;
use super::textures::GpuTextures;
use super::upload::{SLICE, UploadBudget, Wake};
use super::weighted_meshes::{WeightedMeshes, is_alike};
use crate::render::RenderError;
use crate::render::gl::driver::is_software;
use crate::render::gl::gpu_texture::GpuTexture;
use crate::render::gl::vertex_pool::VertexPool;
use rigscope_core::rig::{CoordSet, MapKind, Material, MeshInstance, Primitive, Rig, Texture};

pub(crate) struct GpuRig {
    rig: Arc<Rig>,
    pool: VertexPool,
    meshes: BTreeMap<(usize, bool), Vec<GpuPrimitive>>,
    has_geometry: bool,
    textures: GpuTextures,
    material_textures: Vec<MaterialTextures>,
    default_material: Material,
    edges: Wireframe,
    weighted: Vec<WeightedMeshes>,
    weights_asked_for: u64,
    vertex_counts: Vec<usize>,
    /// For each primitive of each mesh, the first identical primitive; see [`first_alike`].
    first_alike: Vec<Vec<u32>>,
}

#[derive(Default)]
struct MaterialTextures {
    base: Option<usize>,
    maps: Vec<(MapKind, usize)>,
}

impl MaterialTextures {
    fn new(textures: &mut GpuTextures, rig: &Rig, material: &Material) -> Self {
        let base = material.texture.as_ref().and_then(|texture| textures.add(rig, texture, false));
        // Maps affect reflected light, which unlit materials don't have.
        let maps = material.maps.iter().filter(|_| !material.is_unlit);
        let maps =
            maps.filter_map(|(kind, texture)| Some((kind, textures.add(rig, texture, kind.is_data())?))).collect();
        Self { base, maps }
    }
}

/// Uploaded textures of a material. Excludes textures whose texture coordinates the primitive lacks.
#[derive(Clone, Copy)]
pub(crate) struct PrimitiveTextures<'a> {
    all: &'a GpuTextures,
    numbers: Option<&'a MaterialTextures>,
    material: &'a Material,
    has_coords: [bool; 2],
}

impl<'a> PrimitiveTextures<'a> {
    fn has(&self, set: CoordSet) -> bool {
        self.has_coords[usize::from(set == CoordSet::Second)]
    }

    pub(crate) fn base(&self) -> Option<&'a GpuTexture> {
        self.all.get(self.numbers?.base?).filter(|_| self.has(CoordSet::First))
    }

    /// Returns the maps other than the base colour. Returns none until all are uploaded, because each combination has
    /// its own program.
    pub(crate) fn maps(&self) -> Vec<MaterialMap<'a>> {
        let numbers = self.numbers.map_or(&[][..], |n| &n.maps);
        let drawn = |&(kind, number): &(MapKind, usize)| {
            let texture = self.material.maps[kind].as_ref()?;
            Some(MaterialMap { kind, texture, image: self.all.get(number)? })
        };
        let all: Option<Vec<_>> = numbers.iter().map(drawn).collect();
        all.unwrap_or_default().into_iter().filter(|map| self.has(map.texture.coords)).collect()
    }
}

#[derive(Clone, Copy)]
pub(crate) struct MaterialMap<'a> {
    pub kind: MapKind,
    pub texture: &'a Texture,
    pub image: &'a GpuTexture,
}

enum Wireframe {
    Unasked,
    Pending { edges: Receiver<WireframeEdges>, current: Option<(WireframeEdges, usize)> },
    Complete,
}

#[derive(Clone, Copy)]
pub(crate) struct DrawnPrimitive<'a> {
    pub instance: usize,
    pub primitive_index: usize,
    /// Index into the rig's list of all primitives.
    pub index: usize,
    /// First primitive of the mesh with the same shape and material, or this primitive itself.
    pub first_alike: usize,
    pub primitive: &'a GpuPrimitive,
    pub material: &'a Material,
    pub material_index: Option<usize>,
    pub textures: PrimitiveTextures<'a>,
}

impl GpuRig {
    /// Prepares a rig for upload. Other threads call `wake` when more textures are ready.
    pub(crate) fn new(context: &Context, rig: &Arc<Rig>, wake: &Wake) -> Self {
        let is_software = is_software(context);
        let mut meshes = BTreeMap::new();
        for key in rig.instances.iter().map(mesh_key) {
            if let Entry::Vacant(entry) = meshes.entry(key) {
                let has_normal_texture = |primitive: &Primitive| {
                    primitive.material.is_some_and(|m| rig.materials[m.0].maps[MapKind::Normal].is_some())
                };
                let made = |primitive: &Primitive| {
                    let drawn_as = DrawOptions { is_skinned: key.1, has_normal_texture: has_normal_texture(primitive) };
                    GpuPrimitive::new(primitive, drawn_as, is_software)
                };
                entry.insert(rig.meshes[key.0].primitives.iter().map(made).collect());
            }
        }
        let mut textures = GpuTextures::default();
        let material_textures = rig.materials.iter().map(|m| MaterialTextures::new(&mut textures, rig, m)).collect();
        textures.prepare(context, rig, wake);
        let default_material = Material::default();
        Self {
            rig: Arc::clone(rig),
            pool: VertexPool::new(context),
            meshes,
            has_geometry: false,
            textures,
            material_textures,
            default_material,
            edges: Wireframe::Unasked,
            weighted: Vec::new(),
            weights_asked_for: 0,
            vertex_counts: rig.primitives().map(|(_, primitive)| primitive.positions.len()).collect(),
            first_alike: rig.meshes.iter().map(first_alike).collect(),
        }
    }

    pub(crate) fn upload_geometry(&mut self, budget: &UploadBudget) -> Result<bool, RenderError> {
        for ((mesh, _), uploaded) in &mut self.meshes {
            for (primitive, source) in uploaded.iter_mut().zip(&self.rig.meshes[*mesh].primitives) {
                if !primitive.upload(&self.pool, source, budget)? {
                    return Ok(false);
                }
            }
        }
        self.has_geometry = true;
        Ok(true)
    }

    pub(crate) fn has_geometry(&self) -> bool {
        self.has_geometry
    }

    pub(crate) fn progress(&self) -> f32 {
        let each = self.meshes.values().flatten().map(GpuPrimitive::progress);
        let [done, all] = each.fold([0, 0], |[a, b], [c, d]| [a + c, b + d]);
        // Rounding must not produce 1 before the upload is complete.
        if self.has_geometry { 1.0 } else { (done as f32 / all.max(1) as f32).min(0.999) }
    }

    /// Uploads textures. Returns true if this call completed at least one texture.
    pub(crate) fn upload_textures(&mut self, context: &Context, budget: &UploadBudget) -> bool {
        self.textures.upload(context, budget)
    }

    /// Returns true while uploads are left. Drawing can begin once the meshes are uploaded.
    pub(crate) fn is_uploading(&self) -> bool {
        !self.has_geometry
            || self.textures.is_uploading()
            || matches!(self.edges, Wireframe::Pending { .. })
            || self.weighted.iter().any(|weights| !weights.is_complete())
    }

    /// Keeps, adds or drops weight sets to match `wanted`, whose rigs differ from this rig only in weights. The meshes
    /// must be completely uploaded.
    pub(crate) fn want_weights<'a>(&mut self, wanted: impl Iterator<Item = &'a Arc<Rig>> + Clone) {
        self.weighted.retain(|known| wanted.clone().any(|rig| known.is_for(rig)));
        for rig in wanted {
            if !self.is_for(rig) && !self.weighted.iter().any(|known| known.is_for(rig)) && is_alike(&self.rig, rig) {
                self.weights_asked_for += 1;
                let skinned = self.meshes.iter().filter(|((_, is_skinned), _)| *is_skinned);
                let skinned = skinned.map(|((mesh, _), primitives)| (*mesh, primitives));
                self.weighted.push(WeightedMeshes::new(rig, self.weights_asked_for, skinned));
            }
        }
    }

    pub(crate) fn upload_weights(&mut self, budget: &UploadBudget) -> Result<bool, RenderError> {
        let mut is_any_there = false;
        for weights in self.weighted.iter_mut().filter(|weights| !weights.is_complete()) {
            is_any_there |= weights.upload(&self.pool, budget)?;
        }
        if is_any_there {
            self.share_edges();
        }
        Ok(is_any_there)
    }

    fn share_edges(&mut self) {
        for ((mesh, _), primitives) in self.meshes.iter().filter(|((_, is_skinned), _)| *is_skinned) {
            self.weighted.iter_mut().for_each(|weights| weights.share_edges(*mesh, primitives));
        }
    }

    pub(crate) fn weights(&self, rig: &Arc<Rig>) -> Option<&WeightedMeshes> {
        self.weighted.iter().find(|known| known.is_for(rig) && known.is_complete())
    }

    pub(crate) fn rig(&self) -> &Arc<Rig> {
        &self.rig
    }

    /// Returns true for the uploaded rig itself, not for an equal copy.
    pub(crate) fn is_for(&self, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(&self.rig, rig)
    }

    /// Returns the primitives of every instance in the order of `Rig::primitives`. They have the rig's own weights
    /// unless `weights` replaces these.
    pub(crate) fn parts<'a>(
        &'a self,
        weights: Option<&'a WeightedMeshes>,
    ) -> impl Iterator<Item = DrawnPrimitive<'a>> + Clone {
        let parts = self.rig.instances.iter().enumerate().flat_map(move |(instance, placed)| {
            let sources = &self.rig.meshes[placed.mesh].primitives;
            let other = weights.filter(|_| placed.skin.is_some()).and_then(|w| w.primitives(placed.mesh));
            let own = || self.meshes.get(&mesh_key(placed)).map(Vec::as_slice);
            let uploaded = other.or_else(own).unwrap_or_default();
            let pairs = sources.iter().zip(uploaded).enumerate();
            pairs.map(move |(index, (source, primitive))| self.part((instance, placed.mesh), index, source, primitive))
        });
        parts.enumerate().map(|(index, part)| DrawnPrimitive { index, ..part })
    }

    pub(crate) fn vertex_counts(&self) -> &[usize] {
        &self.vertex_counts
    }

    fn part<'a>(
        &'a self,
        (instance, mesh): (usize, usize),
        primitive_index: usize,
        source: &'a Primitive,
        primitive: &'a GpuPrimitive,
    ) -> DrawnPrimitive<'a> {
        let index = source.material.map(|m| m.0);
        let material = index.and_then(|i| self.rig.materials.get(i)).unwrap_or(&self.default_material);
        let textures = PrimitiveTextures {
            all: &self.textures,
            numbers: index.and_then(|i| self.material_textures.get(i)),
            material,
            has_coords: [source.tex_coords.is_some(), source.second_tex_coords.is_some()],
        };
        let first_alike = self.first_alike[mesh][primitive_index] as usize;
        DrawnPrimitive {
            instance,
            primitive_index,
            index: 0,
            first_alike,
            primitive,
            material,
            material_index: index,
            textures,
        }
    }

    pub(crate) fn prepare_edges(&mut self, wake: &Wake) {
        if matches!(self.edges, Wireframe::Unasked) {
            let mut meshes: Vec<usize> = self.meshes.keys().map(|(mesh, _)| *mesh).collect();
            meshes.dedup();
            let edges = start_edges(&self.rig, meshes, wake);
            self.edges = edges.map_or(Wireframe::Complete, |edges| Wireframe::Pending { edges, current: None });
        }
    }

    /// Uploads the wireframe edges computed so far. Waits for missing edges only if the budget is unlimited. Returns
    /// true if this call completed the edges of at least one primitive.
    pub(crate) fn upload_edges(&mut self, budget: &UploadBudget) -> Result<bool, RenderError> {
        let mut is_any_there = false;
        while let Wireframe::Pending { edges, current } = &mut self.edges
            && !budget.is_spent()
        {
            let next = match current.take() {
                Some(current) => Ok(current),
                None if budget.is_limited() => edges.try_recv().map(|e| (e, 0)),
                None => edges.recv().map(|e| (e, 0)).map_err(TryRecvError::from),
            };
            match next {
                Ok((WireframeEdges { mesh, primitive, ends }, start)) => {
                    let end = ends.len().min(start + SLICE / size_of::<u32>());
                    for is_skinned in [false, true] {
                        let uploaded = self.meshes.get_mut(&(mesh, is_skinned)).and_then(|m| m.get_mut(primitive));
                        uploaded.map_or(Ok(()), |p| p.upload_edges(&self.pool, &ends, start..end))?;
                    }
                    is_any_there |= end == ends.len();
                    *current = (end < ends.len()).then_some((WireframeEdges { mesh, primitive, ends }, end));
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.edges = Wireframe::Complete,
            }
        }
        if is_any_there {
            self.share_edges();
        }
        Ok(is_any_there)
    }
}

fn mesh_key(instance: &MeshInstance) -> (usize, bool) {
    (instance.mesh, instance.skin.is_some())
}
