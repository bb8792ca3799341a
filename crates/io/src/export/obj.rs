//! Posed meshes as Wavefront OBJ, with MTL materials and PNG base colour textures. As many readers expect, `v` lines
//! contain the vertex colour after the position. Vertex colours and `Kd` are sRGB.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use glam::{Vec2, Vec3, Vec4};

use super::ExportError;
use super::export_file::{ExportFile, left_out};
use super::missing::ImageSource;
use super::picture::{encoded_image, shrunk};
use super::posed_meshes::{PosedMeshes, PosedPrimitive};
use super::srgb::srgb;
use rigscope_core::rig::{Alpha, Material, Wrap};

pub(super) fn obj(posed: PosedMeshes<'_>, stem: &str) -> Result<ExportFile, ExportError> {
    let stem = one_line(stem);
    let mut materials = ObjMaterials::new(posed);
    let mut bytes = format!("# Metres, Y up; written by rigscope\nmtllib {stem}.mtl\n").into_bytes();
    let mut names = UniqueNames::default();
    let mut next = ObjIndexBase { position: 1, tex_coord: 1, normal: 1 };
    for placed in posed.meshes() {
        let name = names.unique(&placed.name());
        for (number, part) in placed.parts().enumerate() {
            // Other programs show a list of objects, so each mesh becomes an object and its primitives become face
            // groups.
            if number == 0 {
                line(&mut bytes, format_args!("o {name}"));
            }
            posed.step()?;
            push_part(&mut bytes, part, &materials, &mut next);
        }
    }
    let mut beside = Vec::new();
    for &image in &materials.images() {
        let (kind, bytes) = encoded_image(posed.rig, image, posed.progress)?;
        let name = texture_name(&stem, image, kind);
        materials.textures.insert(image, name.clone());
        beside.push((name, bytes));
    }
    beside.push((format!("{stem}.mtl"), materials.mtl()));
    let missing = materials.used().flat_map(|(material, _)| posed.missing.lost(material)).collect();
    Ok(ExportFile { bytes, beside, left_out: losses(posed, &materials), missing, ..ExportFile::default() })
}

/// First indices of the next primitive. OBJ indices start at 1 and continue through the whole file.
struct ObjIndexBase {
    position: usize,
    tex_coord: usize,
    normal: usize,
}

fn push_part(bytes: &mut Vec<u8>, part: PosedPrimitive<'_>, materials: &ObjMaterials<'_>, next: &mut ObjIndexBase) {
    let (positions, normals) = (&part.deformed.positions, part.normals());
    let tex_coords = part.primitive.tex_coords.as_deref();
    for (vertex, p) in positions.iter().enumerate() {
        let _ = match part.far_position(vertex) {
            Some(far) => write!(bytes, "v {}", SpacedNumbers(&far.to_array())),
            None => write!(bytes, "v {}", SpacedNumbers(&p.to_array())),
        };
        match part.primitive.colors.as_ref().map(|c| c[vertex].truncate().to_array().map(srgb)) {
            Some([r, g, b]) => line(bytes, format_args!(" {r} {g} {b}")),
            None => bytes.push(b'\n'),
        }
    }
    for uv in tex_coords.into_iter().flatten() {
        line(bytes, format_args!("vt {}", SpacedNumbers(&[uv.x, 1.0 - uv.y])));
    }
    for n in normals.into_iter().flatten() {
        line(bytes, format_args!("vn {}", SpacedNumbers(&n.to_array())));
    }
    if let Some(name) = materials.name_for(part) {
        line(bytes, format_args!("usemtl {name}"));
    }
    for triangle in part.triangles().chunks_exact(3) {
        let _ = bytes.write_all(b"f");
        for &vertex in triangle {
            let at = |first: usize| first + vertex as usize;
            let (p, t, n) = (at(next.position), at(next.tex_coord), at(next.normal));
            let _ = match (tex_coords, normals) {
                (Some(_), Some(_)) => write!(bytes, " {p}/{t}/{n}"),
                (Some(_), None) => write!(bytes, " {p}/{t}"),
                (None, Some(_)) => write!(bytes, " {p}//{n}"),
                (None, None) => write!(bytes, " {p}"),
            };
        }
        bytes.push(b'\n');
    }
    for pair in part.primitive.lines.chunks_exact(2) {
        line(bytes, format_args!("l {} {}", next.position + pair[0] as usize, next.position + pair[1] as usize));
    }
    for &point in &part.primitive.points {
        line(bytes, format_args!("p {}", next.position + point as usize));
    }
    next.position += positions.len();
    next.tex_coord += tex_coords.map_or(0, <[Vec2]>::len);
    next.normal += normals.map_or(0, <[Vec3]>::len);
}

fn line(bytes: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    let _ = bytes.write_fmt(text);
    bytes.push(b'\n');
}

/// Formats numbers with `Debug`, since `Display` writes dozens of zeros for tiny and huge numbers.
struct SpacedNumbers<'a, T>(&'a [T]);

impl<T: std::fmt::Debug> std::fmt::Display for SpacedNumbers<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, number) in self.0.iter().enumerate() {
            write!(f, "{}{number:?}", if i > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

/// Materials that the primitives use. Their names are unique and have no spaces, as `usemtl` requires.
struct ObjMaterials<'a> {
    posed: PosedMeshes<'a>,
    names: BTreeMap<Option<usize>, String>,
    default: Material,
    textures: BTreeMap<usize, String>,
}

impl<'a> ObjMaterials<'a> {
    fn new(posed: PosedMeshes<'a>) -> Self {
        let used: BTreeSet<Option<usize>> = posed.parts().map(material_index).collect();
        let mut unique = UniqueNames::default();
        let name = |index: Option<usize>| {
            let given = index.map_or("default", |i| posed.rig.materials[i].name.as_str());
            if given.is_empty() { index.map_or_else(String::new, |i| format!("material{i}")) } else { given.to_owned() }
        };
        let names = used.into_iter().map(|index| (index, unique.unique(&name(index)).replace(' ', "_"))).collect();
        Self { posed, names, default: Material::default(), textures: BTreeMap::new() }
    }

    fn name_for(&self, part: PosedPrimitive<'_>) -> Option<&str> {
        self.names.get(&material_index(part)).map(String::as_str)
    }

    fn used(&self) -> impl Iterator<Item = (&Material, &str)> {
        self.names.iter().map(|(index, name)| (index.map_or(&self.default, |i| self.posed.material(i)), name.as_str()))
    }

    fn images(&self) -> BTreeSet<usize> {
        let own = |(material, _): (&Material, &str)| match self.posed.missing.texture(material, None)?.1 {
            ImageSource::Own(image) => Some(image),
            ImageSource::Missing(_) => None,
        };
        self.used().filter_map(own).collect()
    }

    fn mtl(&self) -> Vec<u8> {
        let mut bytes = b"# Colours are sRGB; written by rigscope\n".to_vec();
        for (material, name) in self.used() {
            let [r, g, b, alpha] = material.base_color.to_array();
            line(&mut bytes, format_args!("\nnewmtl {name}"));
            line(&mut bytes, format_args!("Kd {}", SpacedNumbers(&[r, g, b].map(srgb))));
            line(&mut bytes, format_args!("illum {}", i32::from(!material.is_unlit)));
            let is_see_through = material.alpha != Alpha::Opaque;
            if is_see_through {
                line(&mut bytes, format_args!("d {}", SpacedNumbers(&[alpha.clamp(0.0, 1.0)])));
            }
            if let Some((_, image)) = self.posed.missing.texture(material, None) {
                let file = match image {
                    ImageSource::Own(image) => self.textures.get(&image).cloned().unwrap_or_default(),
                    ImageSource::Missing(file) => one_line(file),
                };
                line(&mut bytes, format_args!("map_Kd {file}"));
                if is_see_through {
                    line(&mut bytes, format_args!("map_d {file}"));
                }
            }
        }
        bytes
    }
}

fn material_index(part: PosedPrimitive<'_>) -> Option<usize> {
    part.material().and(part.primitive.material).map(|m| m.0)
}

fn texture_name(stem: &str, image: usize, kind: &str) -> String {
    format!("{stem}-{image}.{}", if kind == "image/jpeg" { "jpg" } else { "png" })
}

/// Replaces control characters, since a line break would end a name in OBJ.
fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '_' } else { c }).collect()
}

#[derive(Default)]
struct UniqueNames(BTreeSet<String>);

impl UniqueNames {
    fn unique(&mut self, name: &str) -> String {
        let name = one_line(name).trim().to_owned();
        let numbered = (2..).map(|n| format!("{name} {n}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|n| !self.0.contains(&n.replace(' ', "_")));
        let free = free.unwrap_or(name);
        self.0.insert(free.replace(' ', "_"));
        free
    }
}

fn losses(posed: PosedMeshes<'_>, materials: &ObjMaterials<'_>) -> Vec<String> {
    let count = |is_lost: fn(&Material) -> bool| materials.used().filter(|(m, _)| is_lost(m)).count();
    let wraps = |m: &Material| m.texture.as_ref().is_some_and(|t| t.wrap != [Wrap::Repeat; 2] || t.is_nearest);
    let has_alpha = |c: &Vec4| c.w < 1.0;
    let streams =
        |p: PosedPrimitive<'_>| p.primitive.streams.len() + usize::from(p.primitive.second_tex_coords.is_some());
    let further = posed.parts().map(streams).sum();
    let alphas = posed.parts().filter(|p| p.primitive.colors.iter().flatten().any(has_alpha)).count();
    [
        left_out(count(|m| matches!(m.alpha, Alpha::Mask(_))), "alpha cutoff", "alpha cutoffs", "MTL only mixes"),
        left_out(count(|m| m.is_double_sided), "double-sided mark", "double-sided marks", "MTL has none"),
        left_out(count(|m| m.metallic != 0.0), "metal factor", "metal factors", "MTL has none, and no roughness"),
        left_out(count(wraps), "texture sampler", "texture samplers", "MTL repeats and blends all textures"),
        left_out(alphas, "alpha of vertex colours", "alphas of vertex colours", "OBJ has three channels"),
        left_out(
            further,
            "further attribute of vertices",
            "further attributes of vertices",
            "OBJ has one set of UVs and colours",
        ),
        shrunk(posed.rig),
    ]
    .into_iter()
    .flatten()
    .collect()
}
