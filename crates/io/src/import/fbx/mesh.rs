use glam::{Affine3, Vec3};

use super::attributes::Attributes;
use super::corners::{CornerJoiner, Corners};
use super::influences::dq_weights;
use super::loader::{FbxLoader, location, number};
use super::materials::FbxMaterial;
use super::shapes::PrimitiveWithPoints;
use super::skins::Binding;
use crate::import::warning::{NO_ELEMENTS, PRIMITIVE_TOO_LARGE, PrimitiveLocation, Reason};
use crate::import::{ImportError, ImportWarning, Stage, WarningScope};
use rigscope_core::findings::Code;
use rigscope_core::rig::{MaterialIndex, Primitive, VertexList};
use rigscope_core::text::counted;

#[derive(Clone, Copy)]
pub(super) struct MeshUse<'a> {
    pub mesh: &'a ufbx::Mesh,
    pub carrier: &'a ufbx::Node,
    pub binding: Option<&'a Binding>,
    /// Transform from mesh to node, for meshes without a skin. With a skin, the inverse bind matrices include this
    /// transform.
    pub transform: Option<Affine3>,
}

impl FbxLoader<'_> {
    pub(super) fn primitives(
        &self,
        used: MeshUse<'_>,
        surfaces: &mut [FbxMaterial<'_>],
    ) -> Result<Vec<PrimitiveWithPoints>, ImportError> {
        let mesh = used.mesh;
        let mut joiner = CornerJoiner::new(mesh.num_vertices);
        let mut primitives = Vec::new();
        for part in mesh.material_parts.iter().filter(|part| part.num_faces > 0) {
            self.job.advance(Stage::Geometry, number(&mesh.element), self.scene.meshes.count)?;
            let location = location(mesh, part.index as usize);
            match self.primitive(used, part, &location, &mut joiner, surfaces) {
                Ok(primitive) => primitives.push(primitive),
                Err(reason) => self.report.warn_loss(ImportWarning::primitive_skipped(&location, &reason)),
            }
        }
        Ok(primitives)
    }

    fn primitive(
        &self,
        used: MeshUse<'_>,
        part: &ufbx::MeshPart,
        location: &PrimitiveLocation,
        joiner: &mut CornerJoiner,
        surfaces: &mut [FbxMaterial<'_>],
    ) -> Result<PrimitiveWithPoints, Reason> {
        let mesh = used.mesh;
        let material = used.carrier.materials.as_ref().get(part.index as usize).map(|m| number(&m.element));
        let last = surfaces.len().saturating_sub(1);
        let material = material.unwrap_or(last).min(last);
        let mut surface = surfaces.get_mut(material);
        let set = surface.as_ref().and_then(|s| s.tex_coords(mesh));
        let has_colors = mesh.vertex_color.exists && surface.as_ref().is_none_or(|s| s.texture.is_none());
        let attributes = Attributes::new(mesh, set, has_colors);
        // Three indices per triangle, and at most three vertices of 60 bytes plus undrawn attributes.
        let bytes = attributes.spare_bytes().saturating_mul(3).saturating_add(192);
        if !self.budget.charge((part.num_triangles as u64).saturating_mul(bytes)) {
            return Err(PRIMITIVE_TOO_LARGE.to_owned());
        }
        let Corners { of_vertex, mut indices } = self.triangles(mesh, part, location, joiner, &attributes);
        if indices.is_empty() {
            return Err(NO_ELEMENTS.to_owned());
        }
        let points: Vec<u32> = of_vertex.iter().map(|&corner| attributes.point(corner).unwrap_or(0)).collect();
        let normals = attributes.normals(&of_vertex);
        let (influences, stored) =
            used.binding.map(|b| self.influences(location, mesh, b, &points)).transpose()?.unzip();
        let mut primitive = Primitive {
            source: location.primitive,
            positions: self.finite(location, attributes.positions(&of_vertex)),
            tangents: attributes.tangents(&of_vertex, normals.as_deref()),
            coord_numbers: [attributes.coord_number(); 2],
            streams: attributes.streams(&of_vertex),
            normals,
            tex_coords: attributes.tex_coords(&of_vertex),
            colors: attributes.colors(&of_vertex),
            influences,
            stored_influences: stored.flatten(),
            dq_weights: used.binding.map(|b| dq_weights(mesh, b, &points)).unwrap_or_default(),
            material: Some(MaterialIndex(material)),
            ..Primitive::default()
        };
        if let Some(surface) = &mut surface {
            surface.use_by(&mut primitive);
            if surface.textures().next().is_some() && primitive.tex_coords.is_none() {
                let message =
                    format!("{location} has a texture, but no texture coordinates; the texture is not shown.");
                let warning = ImportWarning::new(Code::AttributeIgnored, location.target(), message);
                self.report.warn(warning.with_scope(WarningScope::Appearance));
            }
        }
        if let Some(transform) = &used.transform {
            apply(transform, &mut primitive);
            if transform.matrix3.determinant() < 0.0 {
                indices.as_chunks_mut::<3>().0.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
            }
        }
        primitive.indices = indices;
        Ok(PrimitiveWithPoints { primitive, points })
    }

    fn triangles(
        &self,
        mesh: &ufbx::Mesh,
        part: &ufbx::MeshPart,
        location: &PrimitiveLocation,
        joiner: &mut CornerJoiner,
        attributes: &Attributes<'_>,
    ) -> Corners {
        joiner.begin(part.num_triangles);
        let (mut corners, mut ignored) = (Vec::new(), 0_usize);
        for &number in &*part.face_indices {
            let is_hole = mesh.face_hole.get(number as usize).copied().unwrap_or(false);
            let face = mesh.faces.get(number as usize).filter(|face| face.num_indices >= 3 && !is_hole);
            let Some(face) = face else {
                ignored = ignored.saturating_add(1);
                continue;
            };
            if face.num_indices == 3 {
                let corners = [0, 1, 2].map(|corner| face.index_begin.saturating_add(corner));
                joiner.add_triangles(attributes, face.index_begin, &corners);
                continue;
            }
            let triangles = (face.num_indices as usize).saturating_sub(2);
            corners.resize(corners.len().max(triangles.saturating_mul(3)), 0);
            let count = ufbx::triangulate_face(&mut corners, mesh, *face) as usize;
            joiner.add_triangles(
                attributes,
                face.index_begin,
                corners.get(..count.saturating_mul(3)).unwrap_or_default(),
            );
        }
        if ignored > 0 {
            let one = "face of fewer than three corners, or marked as a hole, was";
            let many = "faces of fewer than three corners, or marked as holes, were";
            let message = format!("{location}: {} left out.", counted(ignored, one, many));
            self.warn(Code::NotShown, location.target(), message);
        }
        joiner.finish()
    }

    fn finite(&self, location: &PrimitiveLocation, mut positions: Vec<Vec3>) -> Vec<Vec3> {
        let mut vertices = VertexList::default();
        for (vertex, position) in positions.iter_mut().enumerate().filter(|(_, p)| !p.is_finite()) {
            *position = Vec3::ZERO;
            vertices.push(vertex);
        }
        if !vertices.is_empty() {
            self.report.warn(ImportWarning::not_finite(location, "position", vertices));
        }
        positions
    }
}

fn apply(transform: &Affine3, primitive: &mut Primitive) {
    primitive.positions.iter_mut().for_each(|p| *p = transform.transform_point3(*p));
    let normal_matrix = transform.matrix3.inverse().transpose();
    for normal in primitive.normals.iter_mut().flatten() {
        *normal = normal_matrix.mul_vec3(*normal).normalize_or_zero();
    }
    let side = transform.matrix3.determinant().signum();
    for tangent in primitive.tangents.iter_mut().flatten() {
        let direction = transform.matrix3.mul_vec3(tangent.truncate()).normalize_or_zero();
        *tangent = direction.extend(tangent.w.copysign(side * tangent.w));
    }
}
