//! `KHR_draco_mesh_compression`. The decoder is safe Rust and obeys the memory limit. If the decoder panics on a broken
//! file, the primitive is left out.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use draco_core::draco_types::DataType;
use draco_core::geometry_indices::PointIndex;
use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute};
use gltf::json::accessor::{BYTE, FLOAT, SHORT, UNSIGNED_BYTE, UNSIGNED_INT, UNSIGNED_SHORT};
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;
use serde::Deserialize;

use super::accessor::{ReplacedValues, rows_and_columns};
use super::schema::GltfPrimitive;
use super::source::GltfSource;
use crate::import::warning::{PRIMITIVE_TOO_LARGE, Reason, short};

const NAME: &str = "KHR_draco_mesh_compression";

#[derive(Default)]
pub(super) struct DracoPrimitive {
    pub triangles: Option<Vec<u32>>,
    /// Decoded values, by index of the accessor that they replace.
    pub values: BTreeMap<usize, ReplacedValues>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DracoExtension {
    buffer_view: usize,
    /// Draco attribute IDs.
    attributes: BTreeMap<String, u32>,
}

pub(super) fn is_compressed(primitive: &GltfPrimitive) -> bool {
    primitive.extensions.as_ref().is_some_and(|e| e.others.contains_key(NAME))
}

impl GltfSource<'_> {
    /// Decodes a compressed primitive, unless the file also stores it uncompressed.
    pub(super) fn decompressed(&self, source: &GltfPrimitive) -> Result<DracoPrimitive, Reason> {
        let Some(value) = source.extensions.as_ref().and_then(|e| e.others.get(NAME)) else {
            return Ok(DracoPrimitive::default());
        };
        let positions = source.attributes.get(&Checked::Valid(Semantic::Positions));
        if positions.is_some_and(|&p| self.accessor(p).is_ok_and(|a| a.buffer_view.is_some())) {
            return Ok(DracoPrimitive::default());
        }
        let extension = DracoExtension::deserialize(value)
            .map_err(|_form| fault("its extension is not in the form that is defined"))?;
        let (bytes, _) = self.view(extension.buffer_view).map_err(|e| fault(&e))?;
        let bytes = bytes.read().map_err(|e| fault(&e.to_string()))?;
        let mesh = decode(&bytes, self.budget())?;
        let triangles: Vec<u32> = mesh.faces().iter().flatten().map(|point| point.0).collect();
        self.pay_for(triangles.len().saturating_mul(4))?;
        let values = self.values(source, &extension, &mesh)?;
        Ok(DracoPrimitive { triangles: Some(triangles), values })
    }

    fn values(
        &self,
        source: &GltfPrimitive,
        extension: &DracoExtension,
        mesh: &Mesh,
    ) -> Result<BTreeMap<usize, ReplacedValues>, Reason> {
        let mut values = BTreeMap::new();
        for (semantic, &accessor) in &source.attributes {
            let Checked::Valid(semantic) = semantic else { continue };
            let name = semantic.to_string();
            let Some(&id) = extension.attributes.get(&name) else { continue };
            let attribute = mesh.attribute_by_unique_id(id).ok_or_else(|| fault(&format!("it lacks {name}")))?;
            let expected = self.accessor(accessor).ok().map(|a| a.shape);
            let components = usize::from(attribute.num_components());
            let fits = matches!(expected, Some(Checked::Valid(shape)) if rows_and_columns(shape) == (components, 1));
            let component = component_type(attribute.data_type()).filter(|_| fits);
            let component = component.ok_or_else(|| fault(&format!("{name} has another type than its accessor")))?;
            let count = mesh.num_points();
            let size = components.saturating_mul(attribute.data_type().byte_length());
            self.pay_for(count.saturating_mul(size))?;
            let bytes = packed(attribute, count, size).ok_or_else(|| fault(&format!("{name} is incomplete")))?;
            values.insert(accessor, ReplacedValues { bytes, component, count });
        }
        Ok(values)
    }

    fn pay_for(&self, bytes: usize) -> Result<(), Reason> {
        if self.charge(bytes as u64) { Ok(()) } else { Err(PRIMITIVE_TOO_LARGE.to_owned()) }
    }
}

fn decode(bytes: &[u8], budget: u64) -> Result<Mesh, Reason> {
    // Approximate working memory of the decoder per triangle and vertex, bytes.
    const PER_FACE: u64 = 128;
    const PER_POINT: u64 = 64;
    let limits = DecodeLimits::default()
        .with_max_decoded_bytes(budget)
        .with_max_faces(budget.div_euclid(PER_FACE))
        .with_max_points(budget.div_euclid(PER_POINT));
    let decode = || {
        let mut mesh = Mesh::new();
        let result = MeshDecoder::new().decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh);
        result.map(|()| mesh)
    };
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(decoded) => decoded.map_err(|e| fault(&e.to_string())),
        Err(_panic) => Err(fault("its data is broken")),
    }
}

fn packed(attribute: &PointAttribute, count: usize, size: usize) -> Option<Vec<u8>> {
    let stride = usize::try_from(attribute.byte_stride()).ok()?;
    let data = attribute.buffer().data();
    let mut bytes = Vec::with_capacity(count.checked_mul(size)?);
    for point in 0..u32::try_from(count).ok()? {
        let start = (attribute.mapped_index(PointIndex(point)).0 as usize).checked_mul(stride)?;
        bytes.extend_from_slice(data.get(start..start.checked_add(size)?)?);
    }
    Some(bytes)
}

fn component_type(data: DataType) -> Option<u32> {
    Some(match data {
        DataType::Int8 => BYTE,
        DataType::Uint8 => UNSIGNED_BYTE,
        DataType::Int16 => SHORT,
        DataType::Uint16 => UNSIGNED_SHORT,
        DataType::Uint32 => UNSIGNED_INT,
        DataType::Float32 => FLOAT,
        _ => return None,
    })
}

fn fault(reason: &str) -> Reason {
    let reason = short(reason);
    format!("its Draco compression cannot be decoded, {reason}: fetch the file again, or export it without Draco")
}
