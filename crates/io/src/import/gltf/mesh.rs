use std::collections::BTreeMap;

use bytemuck::cast_vec;
use glam::{Vec3, Vec4};
use gltf::json::accessor::{UNSIGNED_BYTE, UNSIGNED_SHORT};
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use super::accessor::{ExpectedLayout, Number, ReplacedValues};
use super::conformance::GltfRule;
use super::draco::DracoPrimitive;
use super::loader::GltfLoader;
use super::materials::GltfMaterial;
use super::schema::{self, Attributes, Lenient, Shape, valid};
use super::topology::{PrimitiveTopology, elements};
use crate::import::warning::{MALFORMED, PRIMITIVE_TOO_LARGE, PrimitiveLocation, Reason};
use crate::import::{ImportError, ImportWarning, Stage, WarningScope};
use rigscope_core::findings::Code;
use rigscope_core::rig::{MaterialIndex, MorphTarget, Primitive, VertexList, VertexStream};
use rigscope_core::text::counted;

pub(super) struct PrimitiveSource<'a> {
    pub location: &'a PrimitiveLocation,
    pub attributes: &'a Attributes,
    pub values: &'a BTreeMap<usize, ReplacedValues>,
}

impl PrimitiveSource<'_> {
    pub(super) fn accessor(&self, attribute: Semantic) -> Option<usize> {
        self.attributes.get(&Checked::Valid(attribute)).copied()
    }
}

impl GltfLoader<'_> {
    pub(super) fn vertex_values<const N: usize, T: Number>(
        &self,
        described: &PrimitiveSource<'_>,
        accessor: usize,
        expected: ExpectedLayout,
    ) -> Result<Vec<[T; N]>, Reason> {
        self.source.read_or(described.values.get(&accessor), accessor, expected)
    }

    /// Returns the usable primitives of a mesh. `joint_count`: size of the smallest skin that binds the mesh.
    pub(super) fn primitives(
        &self,
        mesh: usize,
        joint_count: Option<usize>,
        surfaces: &mut [GltfMaterial],
    ) -> Result<Vec<Primitive>, ImportError> {
        let Some(source) = valid(&self.source.document.meshes, mesh) else {
            self.report.warn_loss(ImportWarning::malformed("Mesh", mesh));
            return Ok(Vec::new());
        };
        self.warn_of_target_counts(mesh, source);
        let mut primitives = Vec::new();
        for (index, primitive) in source.primitives.iter().enumerate() {
            self.source.job.advance(Stage::Geometry, mesh, self.source.document.meshes.len())?;
            let location = self.source.location(mesh, index);
            let result = primitive
                .valid()
                .ok_or_else(|| MALFORMED.to_owned())
                .and_then(|p| self.primitive(&location, p, joint_count, surfaces));
            match result {
                Ok(primitive) => primitives.push(primitive),
                Err(reason) => self.report.warn_loss(ImportWarning::primitive_skipped(&location, &reason)),
            }
        }
        Ok(primitives)
    }

    fn warn_of_target_counts(&self, mesh: usize, source: &schema::GltfMesh) {
        let mut counts = source.primitives.iter().enumerate().filter_map(|(i, p)| Some((i, p.valid()?.targets.len())));
        let Some((_, expected)) = counts.next() else { return };
        if let Some((primitive, actual)) = counts.find(|(_, count)| *count != expected) {
            let location = self.source.location(mesh, primitive);
            let expected = format!("the mesh's first primitive {expected}; missing ones move nothing");
            let message = format!("{location} has {actual} morph targets, and {expected}.");
            self.report.warn(ImportWarning::new(Code::UnequalTargets, location.target(), message));
        }
    }

    fn primitive(
        &self,
        location: &PrimitiveLocation,
        source: &schema::GltfPrimitive,
        joint_count: Option<usize>,
        surfaces: &mut [GltfMaterial],
    ) -> Result<Primitive, Reason> {
        let topology = PrimitiveTopology::from_mode(source.mode)?;
        if source.attributes.contains_key(&Checked::Invalid) {
            let message = format!("{location} has attributes of names that glTF does not define; they are ignored.");
            let warning = ImportWarning::new(Code::AgainstRule, location.target(), message);
            self.report.warn(warning.with_scope(WarningScope::Conformance));
        }
        let DracoPrimitive { triangles, values } = self.source.decompressed(source)?;
        let described = PrimitiveSource { location, attributes: &source.attributes, values: &values };
        let positions = self.positions(&described)?;
        let count = positions.len();
        let (corners, list) = match triangles {
            Some(triangles) => (3, elements(PrimitiveTopology::Triangles, triangles, None, count)?.0),
            None => (topology.corners(), self.indices(location, source, topology, count)?),
        };
        let (indices, lines, points) = match corners {
            1 => (Vec::new(), Vec::new(), list),
            2 => (Vec::new(), list, Vec::new()),
            _ => (list, Vec::new(), Vec::new()),
        };
        let material = source.material.filter(|&m| m < surfaces.len());
        if let Some(index) = source.material.filter(|_| material.is_none()) {
            self.report.warn(ImportWarning::malformed("Material", index));
        }
        let surface = material.and_then(|m| surfaces.get_mut(m));
        let normals = self.normals(&described, count);
        let (influences, stored_influences) = self.influences(&described, count, joint_count).unzip();
        let mut primitive = Primitive {
            source: location.primitive,
            // The specification requires ignoring tangents if there are no normals.
            tangents: normals.as_ref().and_then(|_| self.tangents(&described, count)),
            normals,
            colors: self.colors(&described, count),
            dq_weights: influences.as_ref().map(|_| self.dq_weights(&described, count)).unwrap_or_default(),
            influences,
            stored_influences: stored_influences.flatten(),
            streams: self.spare_streams(&described, count),
            morph_targets: self.morph_targets(&described, &source.targets, count),
            material: material.map(MaterialIndex),
            positions,
            indices,
            lines,
            points,
            ..Primitive::default()
        };
        self.add_tex_coords(&mut primitive, &described, surface);
        Ok(primitive)
    }

    fn positions(&self, described: &PrimitiveSource<'_>) -> Result<Vec<Vec3>, Reason> {
        let index = described.accessor(Semantic::Positions).ok_or("it has no positions")?;
        let values = self.vertex_values::<3, f32>(described, index, ExpectedLayout::any(Shape::Vec3));
        let values = values.map_err(|reason| format!("its positions cannot be read: {reason}"))?;
        if !described.values.contains_key(&index) {
            self.warn_of_bounds(index, &values);
        }
        Ok(cast_vec(self.finite(described.location, &Semantic::Positions, values)))
    }

    fn indices(
        &self,
        location: &PrimitiveLocation,
        source: &schema::GltfPrimitive,
        topology: PrimitiveTopology,
        vertex_count: usize,
    ) -> Result<Vec<u32>, Reason> {
        let (indices, restart): (Vec<u32>, _) = if let Some(index) = source.indices {
            let values = self.source.read::<1, u32>(index, ExpectedLayout::any(Shape::Scalar));
            let values = values.map_err(|reason| format!("its indices cannot be read: {reason}"))?;
            let restart = match self.source.accessor(index).map(|a| a.component_type) {
                Ok(UNSIGNED_BYTE) => u8::MAX.into(),
                Ok(UNSIGNED_SHORT) => u16::MAX.into(),
                _ => u32::MAX,
            };
            let indices = values.into_flattened();
            if indices.contains(&restart) {
                self.warn_violation(GltfRule::Restart, || location.to_string());
            }
            (indices, Some(restart))
        } else {
            let end = u32::try_from(vertex_count).map_err(|_large| PRIMITIVE_TOO_LARGE)?;
            ((0..end).collect(), None)
        };
        // A strip expands to up to three indices per index.
        if !self.source.charge((indices.len() as u64).saturating_mul(12)) {
            return Err(PRIMITIVE_TOO_LARGE.to_owned());
        }
        let (list, count) = elements(topology, indices, restart, vertex_count)?;
        if count > 0 {
            let indices = counted(count, "index is", "indices are");
            let message = format!("{location}: {indices} left over after the last triangle or line, and ignored.");
            self.report.warn(ImportWarning::new(Code::IndicesLeftOver, location.target(), message));
        }
        Ok(list)
    }

    /// Reads an attribute that affects only rendering; warns and returns `None` if it is unreadable.
    pub(super) fn attribute<const N: usize>(
        &self,
        described: &PrimitiveSource<'_>,
        semantic: &Semantic,
        expected: ExpectedLayout,
    ) -> Option<Vec<[f32; N]>> {
        let attribute = semantic.to_string();
        let index = described.accessor(semantic.clone())?;
        let location = described.location;
        match self.vertex_values(described, index, expected) {
            Ok(values) => {
                self.warn_of_directions(location, &attribute, &values);
                Some(self.finite(location, semantic, values))
            }
            Err(reason) => {
                let effect = "The shape is right, but shading may differ";
                let message = format!("{location}: {attribute} is ignored, {reason}. {effect}.");
                let warning = ImportWarning::new(Code::AttributeIgnored, location.target(), message);
                self.report.warn(warning.with_scope(scope(semantic)));
                None
            }
        }
    }

    fn finite<const N: usize>(
        &self,
        location: &PrimitiveLocation,
        semantic: &Semantic,
        mut values: Vec<[f32; N]>,
    ) -> Vec<[f32; N]> {
        // Branch-free sum: values are nearly always finite.
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
            let warning = ImportWarning::not_finite(location, &semantic.to_string(), vertices);
            self.report.warn(warning.with_scope(scope(semantic)));
        }
        values
    }

    /// Warns about normals and tangents that are finite but not unit vectors, and about tangents without handedness.
    fn warn_of_directions<const N: usize>(&self, location: &PrimitiveLocation, attribute: &str, values: &[[f32; N]]) {
        /// Maximum error that rounding to 8 bits causes in a unit vector's length.
        const ROUNDING: f32 = 0.00674;
        if !matches!(attribute, "NORMAL" | "TANGENT") {
            return;
        }
        let is_off = |value: &[f32; N]| {
            let length = value.iter().take(3).map(|x| x * x).sum::<f32>().sqrt();
            length.is_finite() && (length - 1.0).abs() > ROUNDING
        };
        let has_no_sign = |value: &[f32; N]| value.get(3).is_some_and(|w| w.is_finite() && w.abs() != 1.0);
        let numbers = |is: &dyn Fn(&[f32; N]) -> bool| -> VertexList {
            values.iter().enumerate().filter(|(_, value)| is(value)).map(|(vertex, _)| vertex).collect()
        };
        let problems = [
            ("is not of unit length", numbers(&is_off)),
            ("has a fourth component that is neither 1 nor -1", numbers(&has_no_sign)),
        ];
        for (problem, vertices) in problems.into_iter().filter(|(_, vertices)| !vertices.is_empty()) {
            let message = format!("{location}: {attribute} of {vertices} vertices {problem}.");
            let warning = ImportWarning::new(Code::DirectionsNotUnit, location.vertices(vertices), message);
            self.report.warn(warning.with_scope(WarningScope::Conformance));
        }
    }

    fn normals(&self, described: &PrimitiveSource<'_>, count: usize) -> Option<Vec<Vec3>> {
        let expected = ExpectedLayout::exactly(Shape::Vec3, count);
        Some(cast_vec(self.attribute::<3>(described, &Semantic::Normals, expected)?))
    }

    fn tangents(&self, described: &PrimitiveSource<'_>, count: usize) -> Option<Vec<Vec4>> {
        let expected = ExpectedLayout::exactly(Shape::Vec4, count);
        let values = self.attribute(described, &Semantic::Tangents, expected)?;
        Some(values.into_iter().map(Vec4::from_array).collect())
    }

    fn colors(&self, described: &PrimitiveSource<'_>, count: usize) -> Option<Vec<Vec4>> {
        let semantic = Semantic::Colors(0);
        let index = described.accessor(semantic.clone())?;
        if self.source.accessor(index).is_ok_and(|a| a.shape == Checked::Valid(Shape::Vec3)) {
            let rgb = self.attribute(described, &semantic, ExpectedLayout::fractions(Shape::Vec3, count))?;
            return Some(rgb.into_iter().map(|c| Vec3::from_array(c).extend(1.0)).collect());
        }
        let rgba = self.attribute(described, &semantic, ExpectedLayout::fractions(Shape::Vec4, count))?;
        Some(rgba.into_iter().map(Vec4::from_array).collect())
    }

    /// Reads attributes that are not drawn: additional colours and custom attributes. UV sets depend on the material
    /// and are read elsewhere.
    fn spare_streams(&self, described: &PrimitiveSource<'_>, count: usize) -> Vec<VertexStream> {
        let spare = described.attributes.keys().filter_map(|key| match key {
            Checked::Valid(semantic @ Semantic::Colors(1..)) => Some((semantic.clone(), true)),
            Checked::Valid(semantic @ Semantic::Extras(name)) if name != "DQ_WEIGHT" => Some((semantic.clone(), false)),
            _ => None,
        });
        spare.filter_map(|(semantic, is_fraction)| self.stream(described, &semantic, is_fraction, count)).collect()
    }

    pub(super) fn stream(
        &self,
        described: &PrimitiveSource<'_>,
        semantic: &Semantic,
        is_fraction: bool,
        count: usize,
    ) -> Option<VertexStream> {
        let name = semantic.to_string();
        let accessor = described.accessor(semantic.clone())?;
        let expected = |shape| ExpectedLayout { is_fraction, ..ExpectedLayout::exactly(shape, count) };
        let (width, values) = match self.source.accessor(accessor).map(|a| a.shape) {
            Ok(Checked::Valid(shape @ Shape::Scalar)) => {
                (1, self.attribute::<1>(described, semantic, expected(shape))?.into_flattened())
            }
            Ok(Checked::Valid(shape @ Shape::Vec2)) => {
                (2, self.attribute::<2>(described, semantic, expected(shape))?.into_flattened())
            }
            Ok(Checked::Valid(shape @ Shape::Vec3)) => {
                (3, self.attribute::<3>(described, semantic, expected(shape))?.into_flattened())
            }
            _ => (4, self.attribute::<4>(described, semantic, expected(Shape::Vec4))?.into_flattened()),
        };
        Some(VertexStream { name, width, values })
    }

    fn morph_targets(
        &self,
        described: &PrimitiveSource<'_>,
        targets: &[Lenient<Attributes>],
        count: usize,
    ) -> Vec<MorphTarget> {
        let mut changed = targets.iter().filter_map(Lenient::valid).flat_map(Attributes::keys);
        if changed.any(|c| matches!(c, Checked::Valid(Semantic::TexCoords(_) | Semantic::Colors(_)))) {
            let location = described.location;
            let changed = "its morph targets also change texture coordinates or colours";
            let message = format!("{location}: {changed}; these stay as they are.");
            let warning = ImportWarning::new(Code::NotShown, location.target(), message);
            self.report.warn(warning.with_scope(WarningScope::Appearance));
        }
        targets
            .iter()
            .enumerate()
            .map(|(target, attributes)| {
                let Some(attributes) = attributes.valid() else {
                    self.report.warn(ImportWarning::malformed("Morph target", target));
                    return MorphTarget::default();
                };
                let values = |semantic| {
                    self.displacements(&PrimitiveSource { attributes, ..*described }, target, semantic, count)
                };
                MorphTarget {
                    positions: values(&Semantic::Positions),
                    normals: values(&Semantic::Normals),
                    tangents: values(&Semantic::Tangents),
                }
            })
            .collect()
    }

    /// Reads displacements of one attribute. An unreadable target becomes an empty one, so that indices stay valid.
    fn displacements(
        &self,
        described: &PrimitiveSource<'_>,
        target: usize,
        semantic: &Semantic,
        count: usize,
    ) -> Vec<Vec3> {
        let attribute = semantic.to_string();
        let Some(index) = described.accessor(semantic.clone()) else { return Vec::new() };
        match self.vertex_values::<3, f32>(described, index, ExpectedLayout::exactly(Shape::Vec3, count)) {
            Ok(values) => cast_vec(self.finite(described.location, semantic, values)),
            Err(reason) => {
                let location = described.location;
                let message = format!("{location}: {attribute} of morph target {target} is ignored, {reason}.");
                self.report.warn(ImportWarning::new(Code::MorphIgnored, location.target(), message));
                Vec::new()
            }
        }
    }
}

fn scope(attribute: &Semantic) -> WarningScope {
    match attribute {
        Semantic::Colors(_) => WarningScope::Colors,
        Semantic::TexCoords(_) | Semantic::Tangents => WarningScope::Appearance,
        _ => WarningScope::Shape,
    }
}
