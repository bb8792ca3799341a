//! Posed meshes as Stanford PLY, binary little endian: one list of vertices, one of triangles. Normals are written only
//! if every primitive has them. Colours are sRGB; vertices without a colour are white. Positions far from the origin
//! are stored as doubles.

use std::collections::BTreeSet;

use glam::{DVec3, Vec4};

use super::ExportError;
use super::export_file::{ExportFile, left_out};
use super::posed_meshes::{PosedMeshes, PosedPrimitive};
use super::srgb::srgb_bytes;

pub(super) fn ply(posed: PosedMeshes<'_>) -> Result<ExportFile, ExportError> {
    let parts: Vec<PosedPrimitive<'_>> = posed.parts().collect();
    let has_normals = !parts.is_empty() && parts.iter().all(|p| p.normals().is_some());
    let has_colors = parts.iter().any(|p| p.primitive.colors.is_some());
    let vertices = parts.iter().map(|p| p.vertex_count()).sum();
    let triangles = parts.iter().map(|p| p.primitive.indices.len() / 3).sum();
    let limit = i32::MAX as usize;
    if vertices > limit {
        return Err(ExportError::TooLarge { format: "PLY", what: "vertices", count: vertices, limit });
    }
    let is_far = posed.anchor() != DVec3::ZERO;
    let mut bytes = header(vertices, triangles, is_far, has_normals, has_colors).into_bytes();
    for part in &parts {
        posed.step()?;
        push_vertices(&mut bytes, *part, has_normals, has_colors);
    }
    let mut first = 0;
    for part in &parts {
        for triangle in part.triangles().chunks_exact(3) {
            bytes.push(3);
            bytes.extend(triangle.iter().flat_map(|i| (first + i).to_le_bytes()));
        }
        first += part.vertex_count() as u32;
    }
    Ok(ExportFile { bytes, left_out: losses(posed, &parts, has_normals), ..ExportFile::default() })
}

fn header(vertices: usize, triangles: usize, is_far: bool, has_normals: bool, has_colors: bool) -> String {
    let mut names =
        if is_far { vec!["double x", "double y", "double z"] } else { vec!["float x", "float y", "float z"] };
    if has_normals {
        names.extend(["float nx", "float ny", "float nz"]);
    }
    if has_colors {
        names.extend(["uchar red", "uchar green", "uchar blue", "uchar alpha"]);
    }
    let mut lines = vec!["ply".to_owned(), "format binary_little_endian 1.0".to_owned()];
    lines.push("comment metres, Y up; written by rigscope".to_owned());
    lines.push(format!("element vertex {vertices}"));
    lines.extend(names.iter().map(|name| format!("property {name}")));
    lines.push(format!("element face {triangles}"));
    // Signed, since some readers do not support unsigned indices.
    lines.push("property list uchar int vertex_indices".to_owned());
    lines.push("end_header\n".to_owned());
    lines.join("\n")
}

fn push_vertices(bytes: &mut Vec<u8>, part: PosedPrimitive<'_>, has_normals: bool, has_colors: bool) {
    let normals = part.normals().filter(|_| has_normals);
    for (vertex, position) in part.deformed.positions.iter().enumerate() {
        let normal = normals.map(|n| n[vertex].to_array());
        match part.far_position(vertex) {
            Some(far) => bytes.extend(far.to_array().into_iter().flat_map(f64::to_le_bytes)),
            None => bytes.extend(position.to_array().into_iter().flat_map(f32::to_le_bytes)),
        }
        bytes.extend(normal.into_iter().flatten().flat_map(f32::to_le_bytes));
        if has_colors {
            bytes.extend(srgb_bytes(part.primitive.colors.as_ref().map_or(Vec4::ONE, |c| c[vertex])));
        }
    }
}

fn losses(posed: PosedMeshes<'_>, parts: &[PosedPrimitive<'_>], has_normals: bool) -> Vec<String> {
    let used = parts.iter().filter_map(|p| p.primitive.material).map(|m| m.0).collect::<BTreeSet<_>>();
    let with_uvs = parts.iter().filter(|p| p.primitive.tex_coords.is_some()).count();
    let with_normals = parts.iter().filter(|p| p.normals().is_some()).count();
    let meshes = posed.meshes().count();
    let with_lines = parts.iter().filter(|p| !p.primitive.lines.is_empty()).count();
    [
        left_out(with_lines, "set of lines", "sets of lines", "PLY has points and triangles only"),
        left_out(used.len(), "material", "materials", "PLY has none, and no textures"),
        left_out(with_uvs, "set of texture coordinates", "sets of texture coordinates", "PLY has no textures"),
        left_out(
            if has_normals { 0 } else { with_normals },
            "set of normals",
            "sets of normals",
            "other parts of this file have none",
        ),
        left_out(if meshes > 1 { meshes } else { 0 }, "name", "names", "PLY is one mesh, so all are joined"),
    ]
    .into_iter()
    .flatten()
    .collect()
}
