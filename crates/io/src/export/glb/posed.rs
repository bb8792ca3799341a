use std::borrow::Cow;

use glam::DVec3;
use serde_json::{Map, Value, json};

use super::attributes::{Vertices, mode};
use super::attributes::{clamped_colors, is_out_of_range};
use super::buffer::{GlbBuffer, document_file, document_head, named};
use super::materials::GlbMaterials;
use super::vrm::posed_loss;
use crate::export::ExportError;
use crate::export::export_file::ExportFile;
use crate::export::posed_meshes::{PosedMesh, PosedMeshes, PosedPrimitive};

/// Exports posed meshes without a skeleton as a `.glb`: one node per mesh instance, with positions relative to the
/// world anchor. *Errors*: [`ExportError::TooLarge`] above 4 GiB, [`ExportError::Picture`],
/// [`ExportError::Cancelled`].
pub(in crate::export) fn posed_glb(posed: PosedMeshes<'_>) -> Result<ExportFile, ExportError> {
    let materials = GlbMaterials::new(posed.rig, posed.changed_materials, None, posed.missing);
    let mut file = PosedGlbWriter { buffer: GlbBuffer::default(), materials, is_clamped: false };
    let (mut nodes, mut meshes) = (Vec::new(), Vec::new());
    for placed in posed.meshes() {
        posed.step()?;
        let primitives = file.primitives(placed)?;
        if !primitives.is_empty() {
            let mut node = json!({"name": posed.rig.hierarchy.name(placed.instance.node), "mesh": meshes.len()});
            // Positions are f32, so the node's translation contains the offset of a rig far from the origin.
            if posed.anchor() != DVec3::ZERO {
                node["translation"] = json!(posed.anchor().as_vec3());
            }
            nodes.push(node);
            meshes.push(named(&placed.mesh.name, json!({"primitives": primitives})));
        }
    }
    let materials = file.materials.json(&mut file.buffer, posed.progress)?;
    let left_out = clamped_colors(file.is_clamped || file.materials.is_clamped());
    let left_out = left_out.into_iter().chain(file.materials.texture_losses());
    let left_out = left_out.chain(posed_loss(posed.rig.vrm_blocks.as_deref())).collect();
    let missing = file.materials.missing();
    let roots: Vec<usize> = (0..nodes.len()).collect();
    let lists = [("nodes", nodes), ("meshes", meshes)].into_iter().chain(materials);
    let bytes = document_file(document_head(&roots), lists, Map::new(), file.buffer)?;
    Ok(ExportFile { bytes, left_out, missing, ..ExportFile::default() })
}

struct PosedGlbWriter<'a> {
    buffer: GlbBuffer,
    materials: GlbMaterials<'a>,
    is_clamped: bool,
}

impl PosedGlbWriter<'_> {
    fn primitives(&mut self, placed: PosedMesh<'_>) -> Result<Vec<Value>, ExportError> {
        self.buffer.check()?;
        // glTF forbids empty accessors.
        let parts = placed.parts().filter(|p| p.vertex_count() > 0 && !elements(*p).1.is_empty());
        Ok(parts.map(|part| self.primitive(part)).collect())
    }

    fn primitive(&mut self, part: PosedPrimitive<'_>) -> Value {
        let source = part.primitive;
        let vertices = Vertices {
            positions: &part.deformed.positions,
            normals: part.normals(),
            tangents: part.deformed.tangents.as_deref(),
            source,
        };
        self.is_clamped |= source.colors.iter().flatten().any(is_out_of_range);
        let attributes = vertices.attributes(&mut self.buffer);
        let (mode, list) = elements(part);
        let indices = self.buffer.indices(&list, part.vertex_count());
        let mut primitive = json!({"attributes": attributes, "indices": indices, "mode": mode});
        if let Some(material) = self.materials.index(source) {
            primitive["material"] = json!(material);
        }
        primitive
    }
}

fn elements(part: PosedPrimitive<'_>) -> (u32, Cow<'_, [u32]>) {
    let (mode, list) = mode(part.primitive);
    (mode, list.map_or_else(|| part.triangles(), Cow::Borrowed))
}
