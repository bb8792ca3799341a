//! Meshes and their primitives: vertex arrays, triangles, morph targets.

use std::collections::BTreeMap;

use bytemuck::cast_vec;
use glam::{Vec2, Vec3, Vec4};
use gltf::json::accessor::{UNSIGNED_BYTE, UNSIGNED_SHORT};
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use super::accessor::Expected;
use super::loader::Loader;
use super::materials::Surface;
use super::schema::{self, Attributes, Lenient, Shape, valid};
use super::topology::{Topology, elements};
use super::warning::Place;
use super::{ImportError, ImportWarning, PrimitiveFault, Stage};
use crate::rig::{MaterialIndex, MorphTarget, Primitive, VertexList};

impl Loader<'_> {
    /// All primitives of a mesh that can be shown. `joint_count` is the size of the smallest skin that the mesh is bound to.
    pub fn primitives(
        &self,
        mesh: usize,
        joint_count: Option<usize>,
        surfaces: &mut [Surface],
    ) -> Result<Vec<Primitive>, ImportError> {
        let Some(source) = valid(&self.document.meshes, mesh) else {
            self.warn_loss(ImportWarning::Malformed { kind: "Mesh", index: mesh });
            return Ok(Vec::new());
        };
        let mut primitives = Vec::new();
        for (index, primitive) in source.primitives.iter().enumerate() {
            self.job.advance(Stage::Geometry, mesh, self.document.meshes.len())?;
            let place = self.place(mesh, index);
            let made = primitive
                .valid()
                .ok_or(PrimitiveFault::Malformed)
                .and_then(|p| self.primitive(&place, p, joint_count, surfaces));
            self.replace_decoded(BTreeMap::new());
            match made {
                Ok(primitive) => primitives.push(primitive),
                Err(fault) => self.warn_loss(ImportWarning::PrimitiveSkipped { place, fault }),
            }
        }
        Ok(primitives)
    }

    fn primitive(
        &self,
        place: &Place,
        source: &schema::Primitive,
        joint_count: Option<usize>,
        surfaces: &mut [Surface],
    ) -> Result<Primitive, PrimitiveFault> {
        let topology = Topology::from_mode(source.mode)?;
        if source.attributes.contains_key(&Checked::Invalid) {
            self.warn(ImportWarning::AttributesUnknown { place: place.clone() });
        }
        let faces = self.decode_draco(source)?;
        let positions = self.positions(place, source)?;
        let count = positions.len();
        let (corners, list) = match faces {
            Some(faces) => (3, elements(Topology::Triangles, faces, None, count)?.0),
            None => (topology.corners(), self.indices(place, source, topology, count)?),
        };
        let (indices, lines, points) = match corners {
            1 => (Vec::new(), Vec::new(), list),
            2 => (Vec::new(), list, Vec::new()),
            _ => (list, Vec::new(), Vec::new()),
        };
        let material = source.material.filter(|&m| m < surfaces.len());
        if let Some(index) = source.material.filter(|_| material.is_none()) {
            self.warn(ImportWarning::Malformed { kind: "Material", index });
        }
        let surface = material.and_then(|m| surfaces.get_mut(m));
        let normals = self.vec3s(place, source, Semantic::Normals, count);
        Ok(Primitive {
            source: place.primitive,
            // Without normals the specification wants tangents ignored.
            tangents: normals.as_ref().and_then(|_| self.tangents(place, source, count)),
            normals,
            tex_coords: surface.and_then(|s| self.tex_coords(place, source, s, count)),
            colors: self.colors(place, source, count),
            influences: self.influences(place, source, count, joint_count),
            morph_targets: self.morph_targets(place, source, count),
            material: material.map(MaterialIndex),
            positions,
            indices,
            lines,
            points,
        })
    }

    fn positions(&self, place: &Place, source: &schema::Primitive) -> Result<Vec<Vec3>, PrimitiveFault> {
        let &index = source.attributes.get(&Checked::Valid(Semantic::Positions)).ok_or(PrimitiveFault::NoPositions)?;
        let values = self.read::<3, f32>(index, Expected::any(Shape::Vec3)).map_err(PrimitiveFault::Positions)?;
        Ok(cast_vec(self.finite(place, "POSITION", values)))
    }

    fn indices(
        &self,
        place: &Place,
        source: &schema::Primitive,
        topology: Topology,
        vertex_count: usize,
    ) -> Result<Vec<u32>, PrimitiveFault> {
        let (indices, restart): (Vec<u32>, _) = if let Some(index) = source.indices {
            let values = self.read::<1, u32>(index, Expected::any(Shape::Scalar)).map_err(PrimitiveFault::Indices)?;
            let restart = match self.accessor(index).map(|a| a.component_type) {
                Ok(UNSIGNED_BYTE) => u8::MAX.into(),
                Ok(UNSIGNED_SHORT) => u16::MAX.into(),
                _ => u32::MAX,
            };
            (values.into_flattened(), Some(restart))
        } else {
            let end = u32::try_from(vertex_count).map_err(|_large| PrimitiveFault::TooLarge)?;
            ((0..end).collect(), None)
        };
        // A strip makes up to three numbers of each.
        if !self.charge((indices.len() as u64).saturating_mul(12)) {
            return Err(PrimitiveFault::TooLarge);
        }
        let (list, count) = elements(topology, indices, restart, vertex_count)?;
        if count > 0 {
            self.warn(ImportWarning::IndicesLeftOver { place: place.clone(), count });
        }
        Ok(list)
    }

    /// An attribute that only changes looks: where it cannot be read, it is left out with a warning.
    fn attribute<const N: usize>(
        &self,
        place: &Place,
        attributes: &Attributes,
        semantic: Semantic,
        expected: Expected,
    ) -> Option<Vec<[f32; N]>> {
        let attribute = semantic.to_string();
        let &index = attributes.get(&Checked::Valid(semantic))?;
        match self.read(index, expected) {
            Ok(values) => Some(self.finite(place, &attribute, values)),
            Err(fault) => {
                self.warn(ImportWarning::AttributeIgnored { place: place.clone(), attribute, fault });
                None
            }
        }
    }

    fn finite<const N: usize>(&self, place: &Place, name: &str, mut values: Vec<[f32; N]>) -> Vec<[f32; N]> {
        // Without a branch for each: nearly always all are.
        let odd = |values: &[f32]| values.iter().map(|x| u32::from(!x.is_finite())).sum::<u32>();
        if values.as_flattened().chunks(1 << 12).all(|c| odd(c) == 0) {
            return values;
        }
        let mut vertices = VertexList::default();
        for (vertex, value) in values.iter_mut().enumerate().filter(|(_, v)| v.iter().any(|x| !x.is_finite())) {
            *value = value.map(|x| if x.is_finite() { x } else { 0.0 });
            vertices.push(vertex);
        }
        if !vertices.is_empty() {
            self.warn(ImportWarning::NotFinite { place: place.clone(), attribute: name.to_owned(), vertices });
        }
        values
    }

    fn vec3s(&self, place: &Place, source: &schema::Primitive, semantic: Semantic, count: usize) -> Option<Vec<Vec3>> {
        let expected = Expected::exactly(Shape::Vec3, count);
        Some(cast_vec(self.attribute::<3>(place, &source.attributes, semantic, expected)?))
    }

    fn tangents(&self, place: &Place, source: &schema::Primitive, count: usize) -> Option<Vec<Vec4>> {
        let expected = Expected::exactly(Shape::Vec4, count);
        let values = self.attribute(place, &source.attributes, Semantic::Tangents, expected)?;
        Some(values.into_iter().map(Vec4::from_array).collect())
    }

    fn tex_coords(
        &self,
        place: &Place,
        source: &schema::Primitive,
        surface: &mut Surface,
        count: usize,
    ) -> Option<Vec<Vec2>> {
        surface.is_used = true;
        surface.texture?;
        let set = surface.tex_coord;
        let semantic = Semantic::TexCoords(set);
        if !source.attributes.contains_key(&Checked::Valid(semantic.clone())) {
            self.warn(ImportWarning::TexCoordsMissing { place: place.clone(), set });
            return None;
        }
        let expected = Expected::exactly(Shape::Vec2, count);
        let uvs: Vec<Vec2> = cast_vec(self.attribute::<2>(place, &source.attributes, semantic, expected)?);
        Some(match surface.transform {
            Some(transform) => uvs.into_iter().map(|uv| transform.apply(uv)).collect(),
            None => uvs,
        })
    }

    fn colors(&self, place: &Place, source: &schema::Primitive, count: usize) -> Option<Vec<Vec4>> {
        let (semantic, attributes) = (Semantic::Colors(0), &source.attributes);
        let &index = attributes.get(&Checked::Valid(semantic.clone()))?;
        if self.accessor(index).is_ok_and(|a| a.shape == Checked::Valid(Shape::Vec3)) {
            let rgb = self.attribute(place, attributes, semantic, Expected::fractions(Shape::Vec3, count))?;
            return Some(rgb.into_iter().map(|c| Vec3::from_array(c).extend(1.0)).collect());
        }
        let rgba = self.attribute(place, attributes, semantic, Expected::fractions(Shape::Vec4, count))?;
        Some(rgba.into_iter().map(Vec4::from_array).collect())
    }

    fn morph_targets(&self, place: &Place, source: &schema::Primitive, count: usize) -> Vec<MorphTarget> {
        let mut changed = source.targets.iter().filter_map(Lenient::valid).flat_map(Attributes::keys);
        if changed.any(|c| matches!(c, Checked::Valid(Semantic::TexCoords(_) | Semantic::Colors(_)))) {
            self.warn(ImportWarning::MorphLooksIgnored { place: place.clone() });
        }
        let targets = source.targets.iter().enumerate();
        targets
            .map(|(target, attributes)| {
                let Some(attributes) = attributes.valid() else {
                    self.warn(ImportWarning::Malformed { kind: "Morph target", index: target });
                    return MorphTarget::default();
                };
                let values = |semantic| self.displacements(place, target, attributes, semantic, count);
                MorphTarget {
                    positions: values(Semantic::Positions),
                    normals: values(Semantic::Normals),
                    tangents: values(Semantic::Tangents),
                }
            })
            .collect()
    }

    /// What cannot be read moves nothing; its target stays in the list, since weights go by position.
    fn displacements(
        &self,
        place: &Place,
        target: usize,
        attributes: &Attributes,
        semantic: Semantic,
        count: usize,
    ) -> Vec<Vec3> {
        let attribute = semantic.to_string();
        let Some(&index) = attributes.get(&Checked::Valid(semantic)) else { return Vec::new() };
        match self.read::<3, f32>(index, Expected::exactly(Shape::Vec3, count)) {
            Ok(values) => cast_vec(self.finite(place, &attribute, values)),
            Err(fault) => {
                let place = place.clone();
                self.warn(ImportWarning::MorphTargetIgnored { place, target, attribute, fault });
                Vec::new()
            }
        }
    }
}
