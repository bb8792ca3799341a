//! Posed meshes as binary glTF 2.0: no skeleton, positions in world space, one node a mesh instance, the rig's materials and textures.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::{Vec3, Vec4};
use serde_json::{Map, Value, json};

use super::ExportError;
use super::glb_buffer::{GlbBuffer, INDICES, VERTICES};
use super::mesh_file::{MeshFile, left_out};
use super::picture::image_png;
use super::posed_meshes::{PosedMesh, PosedMeshes, PosedPrimitive, finite};
use crate::rig::{Alpha, Material, Primitive, Texture, Wrap};

/// The file's bytes.
///
/// *Errors*: [`ExportError::TooLarge`] where it would be longer than 4 GiB, [`ExportError::Picture`], [`ExportError::Cancelled`].
pub(super) fn glb(posed: PosedMeshes<'_>) -> Result<MeshFile, ExportError> {
    let mut file = File { buffer: GlbBuffer::default(), materials: GlbMaterials::new(posed), is_clamped: false };
    let (mut nodes, mut meshes) = (Vec::new(), Vec::new());
    for placed in posed.meshes() {
        posed.step()?;
        let primitives = file.primitives(placed);
        if !primitives.is_empty() {
            nodes.push(json!({"name": posed.rig.hierarchy.name(placed.instance.node), "mesh": meshes.len()}));
            meshes.push(named(&placed.mesh.name, json!({"primitives": primitives})));
        }
    }
    let materials = file.materials.json(&mut file.buffer)?;
    let mut document =
        json!({"asset": {"version": "2.0", "generator": concat!("rigscope ", env!("CARGO_PKG_VERSION"))}, "scene": 0});
    // glTF has no empty lists.
    let scene = if nodes.is_empty() { json!({}) } else { json!({"nodes": (0..nodes.len()).collect::<Vec<_>>()}) };
    document["scenes"] = json!([scene]);
    let lists = [("nodes", nodes), ("meshes", meshes)].into_iter().chain(materials).chain(file.buffer.lists());
    for (name, list) in lists.filter(|(_, list)| !list.is_empty()) {
        document[name] = Value::Array(list);
    }
    let clamped = usize::from(file.is_clamped || file.materials.is_clamped());
    let reason = "glTF has colours from 0 to 1 only, so larger ones are 1 and smaller ones 0";
    let left_out = left_out(clamped, "range of colours", "", reason).into_iter().collect();
    Ok(MeshFile { bytes: file.buffer.container(&document)?, beside: Vec::new(), left_out })
}

struct File<'a> {
    buffer: GlbBuffer,
    materials: GlbMaterials<'a>,
    /// Some vertex colour was out of range.
    is_clamped: bool,
}

impl File<'_> {
    fn primitives(&mut self, placed: PosedMesh<'_>) -> Vec<Value> {
        // An accessor has at least one element.
        let parts = placed.parts().filter(|p| p.vertex_count() > 0 && !elements(*p).1.is_empty());
        parts.map(|part| self.primitive(part)).collect()
    }

    fn primitive(&mut self, part: PosedPrimitive<'_>) -> Value {
        let (source, buffer) = (part.primitive, &mut self.buffer);
        let mut attributes = Map::new();
        attributes.insert("POSITION".to_owned(), json!(buffer.positions(&part.deformed.positions)));
        if let Some(normals) = part.normals() {
            // glTF wants unit length, and where skin has collapsed any direction is as good as another.
            let units = normals.iter().map(|n| if *n == Vec3::ZERO { Vec3::Y } else { *n }.to_array());
            attributes.insert("NORMAL".to_owned(), json!(buffer.floats(units, VERTICES)));
        }
        if let Some(tangents) = &part.deformed.tangents {
            // As with normals, and glTF wants the side to be 1 or -1.
            let direction = |t: &Vec4| t.truncate().try_normalize().unwrap_or(Vec3::X);
            let units = tangents.iter().map(|t| direction(t).extend(if t.w < 0.0 { -1.0 } else { 1.0 }).to_array());
            attributes.insert("TANGENT".to_owned(), json!(buffer.floats(units, VERTICES)));
        }
        if let Some(tex_coords) = &source.tex_coords {
            let uvs = tex_coords.iter().map(|uv| uv.to_array().map(finite));
            attributes.insert("TEXCOORD_0".to_owned(), json!(buffer.floats(uvs, VERTICES)));
        }
        if let Some(colors) = &source.colors {
            self.is_clamped |= colors.iter().any(is_out_of_range);
            let clamped = colors.iter().map(|c| clamped(*c).to_array());
            attributes.insert("COLOR_0".to_owned(), json!(buffer.floats(clamped, VERTICES)));
        }
        let (mode, list) = elements(part);
        let indices = buffer.indices(&list, part.vertex_count(), INDICES);
        let mut primitive = json!({"attributes": attributes, "indices": indices, "mode": mode});
        if let Some(material) = source.material.filter(|_| part.material().is_some()) {
            primitive["material"] = json!(self.materials.index(material.0, source.tex_coords.is_some()));
        }
        primitive
    }
}

/// The mode and the vertex numbers of a primitive.
fn elements(part: PosedPrimitive<'_>) -> (u32, Cow<'_, [u32]>) {
    let Primitive { points, lines, .. } = part.primitive;
    match (points.is_empty(), lines.is_empty()) {
        (false, _) => (0, Cow::Borrowed(points)),
        (_, false) => (1, Cow::Borrowed(lines)),
        _ => (4, part.triangles()),
    }
}

const UNLIT: &str = "KHR_materials_unlit";
const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";

/// All materials of the rig in its order, and behind them those that some primitive needs without their texture.
struct GlbMaterials<'a> {
    posed: PosedMeshes<'a>,
    untextured: BTreeMap<usize, usize>,
}

impl<'a> GlbMaterials<'a> {
    fn new(posed: PosedMeshes<'a>) -> Self {
        Self { posed, untextured: BTreeMap::new() }
    }

    /// The file's number of a material. A primitive without texture coordinates may not have a texture.
    fn index(&mut self, material: usize, has_tex_coords: bool) -> usize {
        if has_tex_coords || self.posed.rig.materials[material].texture.is_none() {
            return material;
        }
        let next = self.posed.rig.materials.len() + self.untextured.len();
        *self.untextured.entry(material).or_insert(next)
    }

    fn is_clamped(&self) -> bool {
        self.posed.rig.materials.iter().any(|m| is_out_of_range(&m.base_color))
    }

    /// The document's lists of materials and of what they need.
    fn json(&self, buffer: &mut GlbBuffer) -> Result<[(&'static str, Vec<Value>); 5], ExportError> {
        let mut textures = GlbTextures {
            posed: self.posed,
            images: DistinctValues::default(),
            samplers: DistinctValues::default(),
            list: Vec::new(),
        };
        let all = self.posed.rig.materials.iter();
        let mut list: Vec<Value> = all.map(|m| material(m, m.texture.as_ref().map(|t| textures.index(t)))).collect();
        let mut plain: Vec<_> = self.untextured.iter().map(|(&material, &number)| (number, material)).collect();
        plain.sort_unstable();
        list.extend(plain.iter().map(|&(_, m)| material(&self.posed.rig.materials[m], None)));
        let used = |name: &str| list.iter().any(|m| m["extensions"].get(name).is_some());
        let extensions = [UNLIT, EMISSIVE_STRENGTH].into_iter().filter(|n| used(n)).map(|n| json!(n)).collect();
        Ok([
            ("images", textures.images(buffer)?),
            ("samplers", textures.samplers.0.iter().map(|(wrap, is_nearest)| sampler(*wrap, *is_nearest)).collect()),
            ("textures", textures.list),
            ("materials", list),
            ("extensionsUsed", extensions),
        ])
    }
}

fn material(source: &Material, texture: Option<usize>) -> Value {
    let mut pbr = json!({
        "baseColorFactor": clamped(source.base_color).to_array(),
        "metallicFactor": finite(source.metallic).clamp(0.0, 1.0),
        "roughnessFactor": finite(source.roughness).clamp(0.0, 1.0),
    });
    if let Some(index) = texture {
        pbr["baseColorTexture"] = json!({"index": index});
    }
    let mut material = named(&source.name, json!({"pbrMetallicRoughness": pbr, "doubleSided": source.is_double_sided}));
    match source.alpha {
        Alpha::Opaque => {}
        Alpha::Mask(cutoff) => {
            material["alphaMode"] = json!("MASK");
            material["alphaCutoff"] = json!(finite(cutoff).max(0.0));
        }
        Alpha::Blend => material["alphaMode"] = json!("BLEND"),
    }
    let mut extensions = Map::new();
    if source.is_unlit {
        extensions.insert(UNLIT.to_owned(), json!({}));
    }
    // A factor may not exceed 1.
    let strength = source.emission.max_element().max(1.0);
    if source.emission != Vec3::ZERO {
        material["emissiveFactor"] = json!((source.emission / strength).to_array());
    }
    if strength > 1.0 {
        extensions.insert(EMISSIVE_STRENGTH.to_owned(), json!({"emissiveStrength": strength}));
    }
    if !extensions.is_empty() {
        material["extensions"] = extensions.into();
    }
    material
}

fn named(name: &str, mut object: Value) -> Value {
    if !name.is_empty() {
        object["name"] = json!(name);
    }
    object
}

/// Different values and the number of each.
struct DistinctValues<T>(Vec<T>);

impl<T> Default for DistinctValues<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: PartialEq> DistinctValues<T> {
    fn index(&mut self, value: T) -> usize {
        self.0.iter().position(|v| *v == value).unwrap_or_else(|| {
            self.0.push(value);
            self.0.len() - 1
        })
    }
}

struct GlbTextures<'a> {
    posed: PosedMeshes<'a>,
    /// Indices into `Rig::images`.
    images: DistinctValues<usize>,
    samplers: DistinctValues<([Wrap; 2], bool)>,
    list: Vec<Value>,
}

impl GlbTextures<'_> {
    fn index(&mut self, texture: &Texture) -> usize {
        let (image, sampler) =
            (self.images.index(texture.image), self.samplers.index((texture.wrap, texture.is_nearest)));
        let value = json!({"source": image, "sampler": sampler});
        self.list.iter().position(|t| *t == value).unwrap_or_else(|| {
            self.list.push(value);
            self.list.len() - 1
        })
    }

    fn images(&self, buffer: &mut GlbBuffer) -> Result<Vec<Value>, ExportError> {
        let image = |&index: &usize| {
            let view = buffer.view(&image_png(self.posed, index)?, None);
            Ok(json!({"bufferView": view, "mimeType": "image/png"}))
        };
        self.images.0.iter().map(image).collect()
    }
}

fn sampler(wrap: [Wrap; 2], is_nearest: bool) -> Value {
    let [s, t] = wrap.map(|w| match w {
        Wrap::Repeat => 10497,
        Wrap::Mirror => 33648,
        Wrap::Clamp => 33071,
    });
    // NEAREST and NEAREST_MIPMAP_LINEAR, or LINEAR and LINEAR_MIPMAP_LINEAR.
    let (mag, min) = if is_nearest { (9728, 9986) } else { (9729, 9987) };
    json!({"wrapS": s, "wrapT": t, "magFilter": mag, "minFilter": min})
}

fn is_out_of_range(color: &Vec4) -> bool {
    *color != clamped(*color)
}

fn clamped(color: Vec4) -> Vec4 {
    Vec4::from_array(color.to_array().map(|x| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }))
}
