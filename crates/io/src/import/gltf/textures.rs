//! Textures. An unreadable texture is never an error: a checkerboard replaces a base colour, and other textures are
//! left out.

use std::collections::BTreeSet;

use gltf::json;
use gltf::json::texture::{MagFilter, WrappingMode};
use gltf::json::validation::Checked;
use serde_json::{Map, Value};

use super::loader::GltfLoader;
use super::materials::GltfMaterial;
use super::schema::{Lenient, extension, valid};
use super::tex_coords::TextureCoords;
use crate::import::decoding::{DecodedImages, EncodedImage};
use crate::import::images::{ImageLists, Images, TextureFault};
use crate::import::texture_files::open_in_folders;
use crate::import::uri::file_name;
use crate::import::warning::{NO_DATA, short};
use crate::import::{ImportError, ImportWarning, Stage};
use rigscope_core::rig::{CoordSet, Texture, Wrap};

/// Index that the `gltf` crate assigns to a texture without an image.
const NO_IMAGE: usize = u32::MAX as usize;

impl<'a> GltfLoader<'a> {
    /// Returns the images that meshes probably need: the first image of each texture of used materials.
    pub(super) fn images_ahead(&self, surfaces: &[GltfMaterial]) -> Vec<(usize, EncodedImage<'a>)> {
        let document = self.source.document;
        let primitives = document.meshes.iter().filter_map(Lenient::valid).flat_map(|m| &m.primitives);
        let materials: BTreeSet<usize> = primitives.filter_map(|p| p.valid()?.material).collect();
        let textures = materials.iter().filter_map(|&m| surfaces.get(m)).flat_map(GltfMaterial::textures);
        let first = |texture| {
            let texture = valid(&document.textures, texture)?;
            sources(texture.source.value(), texture.extensions.as_ref().map(|e| &e.others)).next()
        };
        let images: BTreeSet<usize> = textures.filter_map(first).collect();
        images.into_iter().filter_map(|i| Some((i, self.encoded(i).ok()?))).collect()
    }

    pub(super) fn textures(
        &self,
        surfaces: &mut [GltfMaterial],
        decoded: DecodedImages,
    ) -> Result<ImageLists, ImportError> {
        let mut images = Images::new(decoded);
        let count = surfaces.len();
        for (material, surface) in surfaces.iter_mut().enumerate() {
            self.source.job.advance(Stage::Textures, material, count)?;
            if !surface.is_used {
                continue;
            }
            let base = surface.texture.map(|index| (None, index, TextureCoords::default()));
            let maps = surface.maps.iter().map(|&(kind, index, coords)| (Some(kind), index, coords));
            let shown = &mut surface.material;
            for (kind, index, TextureCoords { set, transform }) in base.into_iter().chain(maps) {
                let texture = Texture { coords: set, transform, ..self.sampling(index) };
                let image = self.image(index, &mut images);
                images.assign((material, shown), kind, (image, texture), || self.file(index), self.report);
            }
        }
        Ok(images.into_lists())
    }

    fn file(&self, texture: usize) -> Option<String> {
        let document = self.source.document;
        let texture = valid(&document.textures, texture)?;
        let image = sources(texture.source.value(), texture.extensions.as_ref().map(|e| &e.others)).next()?;
        file_name(valid(&document.images, image)?.uri.as_ref()?)
    }

    fn image(&self, texture: usize, images: &mut Images) -> Result<usize, TextureFault> {
        let found = valid(&self.source.document.textures, texture);
        self.first_image(found.ok_or_else(|| TextureFault::reference("texture", texture))?, images)
    }

    fn sampling(&self, texture: usize) -> Texture {
        let document = self.source.document;
        let sampler = valid(&document.textures, texture).and_then(|texture| texture.sampler).and_then(|s| {
            let index = s.value();
            let sampler = valid(&document.samplers, index);
            if sampler.is_none() {
                self.report.warn(ImportWarning::malformed("Sampler", index));
            }
            sampler
        });
        Texture {
            image: 0,
            wrap: sampler.map_or([Wrap::Repeat; 2], |s| [wrap(s.wrap_s), wrap(s.wrap_t)]),
            is_nearest: sampler.and_then(|s| s.mag_filter) == Some(Checked::Valid(MagFilter::Nearest)),
            coords: CoordSet::First,
            transform: None,
        }
    }

    fn first_image(&self, texture: &json::Texture, images: &mut Images) -> Result<usize, TextureFault> {
        let extensions = texture.extensions.as_ref().map(|e| &e.others);
        let mut first_fault = None;
        for source in sources(texture.source.value(), extensions) {
            let limits = self.source.decoding_limits();
            match images.index(source, || self.encoded(source), limits, self.report) {
                Ok(image) => return Ok(image),
                Err(fault) => first_fault = first_fault.or(Some(fault)),
            }
        }
        Err(first_fault.unwrap_or_else(|| match extension(extensions, "") {
            Some(extension) => {
                let image = format!("its image is in the extension {}", short(extension));
                TextureFault::unusable(format!("{image}, which is not read: use PNG, JPEG, WebP or KTX2"))
            }
            None => TextureFault::no_image(),
        }))
    }

    pub(super) fn encoded(&self, index: usize) -> Result<EncodedImage<'a>, TextureFault> {
        let image = valid(&self.source.document.images, index);
        let image = image.ok_or_else(|| TextureFault::reference("image", index))?;
        match (&image.uri, image.buffer_view) {
            (_, Some(view)) => {
                let (bytes, _) =
                    self.source.view(view.value()).map_err(|reason| TextureFault::source(index, &reason))?;
                Ok(EncodedImage::View(bytes))
            }
            (Some(uri), None) => {
                let opened = self.source.open_uri(uri, self.report).or_else(|reason| {
                    let name = file_name(uri);
                    let found =
                        name.and_then(|name| open_in_folders(&[&name], self.source.job.texture_folders(), self.report));
                    found.ok_or_else(|| TextureFault::source(index, &reason))
                })?;
                self.source.job.progress.expect_bytes(opened.bytes().len());
                Ok(EncodedImage::Other(opened))
            }
            (None, None) => Err(TextureFault::source(index, NO_DATA)),
        }
    }
}

/// Returns the image indices of a texture: those of its extensions, then its own `source` as a fallback.
pub(super) fn sources(own: usize, extensions: Option<&Map<String, Value>>) -> impl Iterator<Item = usize> {
    let others = extensions.into_iter().flat_map(Map::values);
    let named = others.filter_map(|e| usize::try_from(e.get("source")?.as_u64()?).ok());
    named.chain((own != NO_IMAGE).then_some(own))
}

fn wrap(mode: Checked<WrappingMode>) -> Wrap {
    match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    }
}
