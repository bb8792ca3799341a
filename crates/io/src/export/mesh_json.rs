use glam::{DVec3, Vec3};
use serde::{Serialize, Serializer};

use super::posed_meshes::{PosedMeshes, PosedPrimitive};
use super::{ExportError, ExportFile};
use rigscope_core::skinning::Method;

#[derive(Serialize)]
struct MeshDocument<'a> {
    version: u32,
    method: Method,
    primitives: Primitives<'a>,
}

/// Serializes primitives one at a time, so that only one primitive's numbers are copied at once.
struct Primitives<'a>(PosedMeshes<'a>);

#[derive(Serialize)]
struct VerticesJson<'a> {
    node: usize,
    mesh: usize,
    primitive: usize,
    positions: Places<'a>,
    normals: Option<&'a [Vec3]>,
}

struct Places<'a>(PosedPrimitive<'a>);

impl Serialize for Places<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let positions = &self.0.deformed.positions;
        match (0..positions.len()).map(|vertex| self.0.far_position(vertex)).collect::<Option<Vec<DVec3>>>() {
            Some(far) => far.serialize(serializer),
            None => positions.serialize(serializer),
        }
    }
}

impl Serialize for Primitives<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hierarchy = &self.0.rig.hierarchy;
        serializer.collect_seq(self.0.meshes().flat_map(|placed| {
            placed.parts().map(move |part| VerticesJson {
                node: hierarchy.source(placed.instance.node),
                mesh: placed.mesh.source,
                primitive: part.primitive.source,
                positions: Places(part),
                normals: part.normals(),
            })
        }))
    }
}

/// Exports posed meshes as one line of JSON, in the order and with the indices of the file:
/// `{"version":1,"method":"lbs","primitives":[{"node":N,
/// "mesh":M,"primitive":P,"positions":[[x,y,z],…],"normals":[[x,y,z],…] or null},…]}`. Each number has the fewest
/// digits that parse to the same f32, or to the same f64 for positions far from the origin.
pub(super) fn json(posed: PosedMeshes<'_>, method: Method) -> Result<ExportFile, ExportError> {
    let mut bytes = Vec::new();
    serde_json::to_writer(&mut bytes, &MeshDocument { version: 1, method, primitives: Primitives(posed) })?;
    bytes.push(b'\n');
    Ok(ExportFile { bytes, ..ExportFile::default() })
}
