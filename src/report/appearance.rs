//! Appearance of the interactive view: material and vertex colours, and downscaled textures.

use std::collections::HashMap;

use glam::Vec2;
use serde_json::{Value, json};

use super::model::{Numbering, primitive};
use super::quantization::{bytes, unsigned};
use crate::analysis::simplify::TwoPoseSurface;
use crate::export::small_image;
use crate::rig::{Alpha, Material, Rig, Texture, Wrap};

/// Maximum size of a page's textures before base64 encoding (which adds a third), bytes.
const MAX_BYTES: usize = 500_000;
/// Maximum side lengths of textures, pixels, tried in this order.
const SIDES: [u32; 5] = [1024, 512, 256, 128, 64];
const PIXELS_OF_A_BYTE: usize = 16;
/// Texture coordinates are clamped to plus or minus this value.
const MAX_REPEATS: f32 = 64.0;
const WHOLE: f32 = 65535.0;

pub(super) struct Appearance {
    json: Value,
    /// Maximum side length of the textures, pixels; `None` if there are no textures.
    pub side: Option<u32>,
    pub left_out: usize,
    pub has_colors: bool,
}

/// Image index, and whether to keep alpha.
type TextureKey = (usize, bool);

impl Appearance {
    pub(super) fn new(rig: &Rig, surface: &TwoPoseSurface, numbering: &Numbering<'_>) -> Self {
        let material = |wedge: u32| {
            let (part, _) = numbering.place(wedge);
            let primitive = primitive(rig, part);
            (primitive.material.map(|material| material.0), primitive.tex_coords.is_some())
        };
        let mut triangles: Vec<_> = surface.triangles.iter().map(|t| (material(t.wedges[0]), t)).collect();
        triangles.sort_by_key(|(material, _)| *material);
        let (mut numbers, mut wedges) = (HashMap::new(), Vec::new());
        let mut number = |wedge: u32, vertex: u32| {
            *numbers.entry(wedge).or_insert_with(|| {
                wedges.push((wedge, vertex));
                wedges.len() as u16 - 1
            })
        };
        let mut corners = Vec::with_capacity(triangles.len() * 3);
        for (_, triangle) in &triangles {
            corners.extend(triangle.wedges.iter().zip(&triangle.vertices).map(|(w, v)| number(*w, *v)));
        }
        let default = Material::default();
        let mut pictures = Textures::default();
        let mut draws = Vec::new();
        for same in triangles.chunk_by(|(a, _), (b, _)| a == b) {
            let (number, has_coords) = same[0].0;
            let material = number.and_then(|number| rig.materials.get(number)).unwrap_or(&default);
            let texture = material.texture.as_ref().filter(|_| has_coords);
            draws.push(draw(material, texture, same.len() * 3, &mut pictures));
        }
        let colors: Vec<_> = wedges.iter().map(|(wedge, _)| numbering.color(*wedge)).collect();
        let has_vertex_colors = colors.iter().any(Option::is_some);
        // Stores square roots, which keep more precision for dark colours.
        let roots = colors.iter().flat_map(|color| color.map_or([255; 4], |color| color.to_array().map(root)));
        let colors = if has_vertex_colors { bytes(&roots.collect::<Vec<u8>>()) } else { String::new() };
        let (files, side) = pictures.files(rig);
        let has_colors = draws.len() > 1 || has_vertex_colors || !pictures.list.is_empty();
        let (coords, [min_coords, size]) = coords(wedges.iter().map(|(wedge, _)| numbering.coords(*wedge)));
        let json = json!({
            "vertices": unsigned(wedges.iter().map(|(_, vertex)| *vertex as u16)),
            "coords": coords,
            "coords_from": min_coords.to_array(),
            "coords_size": size.to_array(),
            "colors": colors,
            "triangles": unsigned(corners),
            "draws": draws,
            "pictures": files,
        });
        let left_out = files.iter().filter(|file| file.is_none()).count();
        Self { json, side, left_out, has_colors }
    }

    pub(super) fn json(self) -> Value {
        self.json
    }
}

/// Returns the material in the form that the page's script reads. `corners` is the number of triangle corners that use
/// the material.
fn draw(material: &Material, texture: Option<&Texture>, corners: usize, pictures: &mut Textures) -> Value {
    let keeps_alpha = material.alpha != Alpha::Opaque;
    let wrap = |wrap: Wrap| match wrap {
        Wrap::Repeat => "repeat",
        Wrap::Mirror => "mirror",
        Wrap::Clamp => "clamp",
    };
    json!({
        "corners": corners,
        "color": material.base_color.to_array(),
        "picture": texture.map(|texture| pictures.number((texture.image, keeps_alpha))),
        "wrap": texture.map(|texture| texture.wrap.map(wrap)),
        "nearest": texture.is_some_and(|texture| texture.is_nearest),
        "covers": match material.alpha {
            Alpha::Opaque => "all",
            Alpha::Mask(_) => "mask",
            Alpha::Blend => "blend",
        },
        "cutoff": if let Alpha::Mask(cutoff) = material.alpha { cutoff } else { 0.0 },
    })
}

fn root(share: f32) -> u8 {
    (share.clamp(0.0, 1.0).sqrt() * 255.0).round() as u8
}

/// Returns texture coordinates as 16-bit integers in base64, and the minimum and size of their range.
fn coords(all: impl Iterator<Item = Vec2> + Clone) -> (String, [Vec2; 2]) {
    let all = all.map(|coords| coords.clamp(Vec2::splat(-MAX_REPEATS), Vec2::splat(MAX_REPEATS)));
    let min_coords = all.clone().reduce(Vec2::min).unwrap_or_default();
    let size = (all.clone().reduce(Vec2::max).unwrap_or_default() - min_coords).max(Vec2::splat(1e-6));
    let whole = |coords: Vec2| ((coords - min_coords) / size * WHOLE).round().to_array().map(|whole| whole as u16);
    (unsigned(all.flat_map(whole)), [min_coords, size])
}

#[derive(Default)]
struct Textures {
    list: Vec<TextureKey>,
}

impl Textures {
    fn number(&mut self, picture: TextureKey) -> usize {
        self.list.iter().position(|known| *known == picture).unwrap_or_else(|| {
            self.list.push(picture);
            self.list.len() - 1
        })
    }

    /// Returns the textures as data URLs (`None` if a texture is empty or too large), and the largest side length at
    /// which they fit.
    fn files(&self, rig: &Rig) -> (Vec<Option<String>>, Option<u32>) {
        for side in SIDES {
            let is_last = side == SIDES[SIDES.len() - 1];
            if !is_last && self.pixels(rig, side) / PIXELS_OF_A_BYTE > MAX_BYTES {
                continue;
            }
            let mut room = MAX_BYTES;
            let mut addresses = Vec::new();
            for &(image, keeps_alpha) in &self.list {
                let file = rig.images.get(image).and_then(|image| small_image(image, side, keeps_alpha).ok());
                let fits = file.as_ref().is_none_or(|(_, file)| file.len() <= room);
                if !fits && !is_last {
                    break;
                }
                let file = file.filter(|_| fits);
                room -= file.as_ref().map_or(0, |(_, file)| file.len());
                addresses.push(file.map(|(kind, file)| format!("data:{kind};base64,{}", bytes(&file))));
            }
            if addresses.len() == self.list.len() {
                return (addresses, (!self.list.is_empty()).then_some(side));
            }
        }
        (Vec::new(), None)
    }

    fn pixels(&self, rig: &Rig, max_side: u32) -> usize {
        let images = self.list.iter().filter_map(|(image, _)| rig.images.get(*image));
        let sides = images.map(|image| [image.width, image.height].map(|side| side.min(max_side) as usize));
        sides.map(|[width, height]| width * height).sum()
    }
}
