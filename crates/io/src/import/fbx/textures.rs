use std::collections::BTreeSet;
use std::path::PathBuf;

use ufbx::{Texture as FbxTexture, TextureFile, WrapMode};

use super::loader::FbxLoader;
use super::materials::FbxMaterial;
use crate::import::bytes::Bytes;
use crate::import::decoding::{DecodedImages, EncodedImage};
use crate::import::images::{ImageLists, Images, TextureFault};
use crate::import::texture_files::{existing, open_in_folders, places};
use crate::import::uri::{UriData, no_folder, open_named};
use crate::import::warning::{NO_DATA, Reason};
use crate::import::{ImportError, Stage};
use rigscope_core::rig::{CoordSet, Texture, Wrap};

impl<'a> FbxLoader<'a> {
    /// Returns the encoded images of the materials. Missing images are reported later, together with their textures.
    pub(super) fn images_ahead(&self, surfaces: &[FbxMaterial<'_>]) -> Vec<(usize, EncodedImage<'a>)> {
        let files: BTreeSet<usize> = surfaces.iter().flat_map(FbxMaterial::textures).filter_map(file).collect();
        files.into_iter().filter_map(|number| Some((number, self.encoded(number).ok()?))).collect()
    }

    pub(super) fn textures(
        &self,
        surfaces: &mut [FbxMaterial<'_>],
        decoded: DecodedImages,
    ) -> Result<ImageLists, ImportError> {
        let mut images = Images::new(decoded);
        let count = surfaces.len();
        for (material, surface) in surfaces.iter_mut().enumerate() {
            self.job.advance(Stage::Textures, material, count)?;
            if !surface.is_used {
                continue;
            }
            let base = surface.texture.map(|texture| (None, texture, None));
            let maps = surface.maps.iter().map(|&(kind, texture)| (Some(kind), texture, surface.transform(texture)));
            let named: Vec<_> = base.into_iter().chain(maps).collect();
            let shown = &mut surface.material;
            for (kind, source, transform) in named {
                let texture = Texture { transform, ..sampling(source) };
                let image = self.image(source, &mut images);
                images.assign((material, shown), kind, (image, texture), || self.file_name(source), self.report);
            }
        }
        Ok(images.into_lists())
    }

    fn image(&self, texture: &FbxTexture, images: &mut Images) -> Result<usize, TextureFault> {
        let number = file(texture).ok_or_else(TextureFault::no_image)?;
        images.index(number, || self.encoded(number), self.decoding_limits(), self.report)
    }

    /// Returns the file name of a texture: its relative path or, if that is empty or absolute, the last component of
    /// either path.
    fn file_name(&self, texture: &FbxTexture) -> Option<String> {
        let [relative, absolute] = names(self.scene.texture_files.as_ref().get(file(texture)?)?);
        let [relative, absolute] = [relative, absolute].map(|name| name.replace('\\', "/"));
        let is_relative = !relative.is_empty() && !relative.starts_with('/') && !relative.contains(':');
        let last = || {
            [&relative, &absolute]
                .into_iter()
                .filter_map(|name| name.rsplit(['/', ':']).next())
                .find(|n| !n.is_empty())
                .map(str::to_owned)
        };
        if is_relative { Some(relative) } else { last() }
    }

    pub(super) fn encoded(&self, image: usize) -> Result<EncodedImage<'a>, TextureFault> {
        let file = self.scene.texture_files.as_ref().get(image);
        let file = file.ok_or_else(|| TextureFault::reference("image", image))?;
        let content: &'a [u8] = &file.content;
        if !content.is_empty() {
            return Ok(EncodedImage::View(Bytes::Memory(content)));
        }
        let names = names(file);
        let opened = self.beside(&names).or_else(|reason| {
            let found = open_in_folders(&names, self.job.texture_folders(), self.report);
            found.ok_or_else(|| TextureFault::source(image, &reason))
        })?;
        self.job.progress.expect_bytes(opened.bytes().len());
        Ok(EncodedImage::Other(opened))
    }

    fn beside(&self, names: &[&str]) -> Result<UriData, Reason> {
        let shown = names.iter().find(|name| !name.is_empty()).copied().unwrap_or_default();
        let folder = self.folder.ok_or_else(|| no_folder(shown))?;
        let places = places(names, folder);
        let place = existing(&places, folder).or_else(|| places.into_iter().next()).ok_or(NO_DATA)?;
        self.report.record_file(&folder.join(&place));
        open_named(&place, folder)
    }

    pub(super) fn named_files(&self) -> Vec<PathBuf> {
        let Some(folder) = self.folder else { return Vec::new() };
        let absent = self.scene.texture_files.iter().filter(|file| file.content.is_empty());
        absent.flat_map(|file| places(&names(file), folder)).map(|place| folder.join(place)).collect()
    }
}

pub(super) fn names(file: &TextureFile) -> [&str; 2] {
    [&file.relative_filename, &file.absolute_filename]
}

/// Returns the image index of a texture. For layered textures, this is the image of the first layer.
fn file(texture: &FbxTexture) -> Option<usize> {
    let first = || texture.file_textures.iter().next().filter(|t| t.has_file).map(|t| t.file_index);
    let own = texture.has_file.then_some(texture.file_index);
    own.or_else(first).map(|index| index as usize)
}

fn sampling(texture: &FbxTexture) -> Texture {
    let wrap = [texture.wrap_u, texture.wrap_v].map(wrap);
    Texture { image: 0, wrap, is_nearest: false, coords: CoordSet::First, transform: None }
}

fn wrap(mode: WrapMode) -> Wrap {
    match mode {
        WrapMode::Repeat => Wrap::Repeat,
        WrapMode::Clamp => Wrap::Clamp,
    }
}
