//! Textures of materials: embedded in the file, or in a file beside it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ufbx::{Texture as FbxTexture, TextureFile, WrapMode};

use super::loader::FbxLoader;
use super::materials::SurfaceMaterial;
use super::texture_files::{found, places};
use crate::import::bytes::Bytes;
use crate::import::decoding::{DecodedImages, Encoded};
use crate::import::images::Images;
use crate::import::uri::open_named;
use crate::import::warning::short;
use crate::import::{ImportError, ImportWarning, SourceFault, Stage, TextureFault};
use crate::rig::{CoordSet, Image, Texture, Wrap};

impl<'a> FbxLoader<'a> {
    /// The images that materials show, not decoded yet. One that is not available is reported when its texture is asked for.
    pub(super) fn images_ahead(&self, surfaces: &[SurfaceMaterial<'_>]) -> Vec<(usize, Encoded<'a>)> {
        let files: BTreeSet<usize> = surfaces.iter().flat_map(SurfaceMaterial::textures).filter_map(file).collect();
        files.into_iter().filter_map(|number| Some((number, self.encoded(number).ok()?))).collect()
    }

    /// Gives the used materials their textures, from images that may be decoded already; returns the images.
    pub(super) fn textures(
        &self,
        surfaces: &mut [SurfaceMaterial<'_>],
        decoded: DecodedImages,
    ) -> Result<Vec<Image>, ImportError> {
        let mut images = Images::new(decoded);
        let count = surfaces.len();
        for (material, surface) in surfaces.iter_mut().enumerate() {
            self.job.advance(Stage::Textures, material, count)?;
            if !surface.is_used {
                continue;
            }
            if let Some(texture) = surface.texture {
                let read = self.texture(texture, &mut images);
                surface.material.texture =
                    Some(read.unwrap_or_else(|fault| images.replacement(material, fault, self.report)));
            }
            for &(kind, texture) in &surface.maps {
                match self.texture(texture, &mut images) {
                    Ok(read) => {
                        let transform = surface.transform(texture);
                        surface.material.maps[kind] = Some(Texture { transform, ..read });
                    }
                    Err(fault) => self.report.warn(ImportWarning::TextureLeftOut { material, kind, fault }),
                }
            }
        }
        Ok(images.into_list())
    }

    fn texture(&self, texture: &FbxTexture, images: &mut Images) -> Result<Texture, TextureFault> {
        let number = file(texture).ok_or(TextureFault::NoImage)?;
        let image = images.index(number, || self.encoded(number), self.decoding_limits(), self.report)?;
        let wrap = [texture.wrap_u, texture.wrap_v].map(wrap);
        Ok(Texture { image, wrap, is_nearest: false, coords: CoordSet::First, transform: None })
    }

    /// An image as the file stores it.
    pub(super) fn encoded(&self, image: usize) -> Result<Encoded<'a>, TextureFault> {
        let file = self.scene.texture_files.as_ref().get(image);
        let file = file.ok_or(TextureFault::Reference { what: "image", index: image })?;
        // The scene owns the bytes for as long as it is read.
        let content: &'a [u8] = &file.content;
        if !content.is_empty() {
            return Ok(Encoded::View(Bytes::Memory(content)));
        }
        let source_fault = |fault| TextureFault::Source { image, fault };
        let names = names(file);
        let shown = names.iter().find(|name| !name.is_empty()).copied().unwrap_or_default();
        let folder = self.folder.ok_or_else(|| source_fault(SourceFault::NoFolder { uri: short(shown) }))?;
        let places = places(&names, folder);
        let Some(place) = found(&places, folder).or_else(|| places.into_iter().next()) else {
            return Err(source_fault(SourceFault::NoData));
        };
        self.report.look_for(&folder.join(&place));
        let opened = open_named(&place, folder).map_err(source_fault)?;
        self.job.progress.expect_bytes(opened.bytes().len());
        Ok(Encoded::Other(opened))
    }

    /// Paths of all files that the document names, read or not, wherever they may be.
    pub(super) fn named_files(&self) -> Vec<PathBuf> {
        let Some(folder) = self.folder else { return Vec::new() };
        let absent = self.scene.texture_files.iter().filter(|file| file.content.is_empty());
        absent.flat_map(|file| places(&names(file), folder)).map(|place| folder.join(place)).collect()
    }
}

/// The names in the file for an image: a relative path, and the path on its author's disk.
pub(super) fn names(file: &TextureFile) -> [&str; 2] {
    [&file.relative_filename, &file.absolute_filename]
}

/// The number of the image that a texture shows; of a layered texture, the first layer's.
fn file(texture: &FbxTexture) -> Option<usize> {
    let first = || texture.file_textures.iter().next().filter(|t| t.has_file).map(|t| t.file_index);
    let own = texture.has_file.then_some(texture.file_index);
    own.or_else(first).map(|index| index as usize)
}

fn wrap(mode: WrapMode) -> Wrap {
    match mode {
        WrapMode::Repeat => Wrap::Repeat,
        WrapMode::Clamp => Wrap::Clamp,
    }
}
