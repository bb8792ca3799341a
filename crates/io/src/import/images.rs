//! Images of a rig. Each image is decoded once, however many textures use it. An unreadable base colour becomes a
//! checkerboard.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::decoding::{DecodedImage, DecodedImages, DecodingLimits, EncodedImage};
use super::report::ImportReport;
use super::warning::Reason;
use super::{ImportWarning, WarningScope};
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{CoordSet, Image, MapKind, Material, MissingTexture, Texture, Wrap};

/// Why a texture is replaced by a checkerboard or left out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextureFault {
    code: Code,
    reason: Reason,
}

impl TextureFault {
    /// Creates the fault for a texture that refers to a missing object. `what`: `texture` or `image`.
    pub(super) fn reference(what: &str, index: usize) -> Self {
        let form = "which does not exist or is malformed";
        Self::unusable(format!("it names {what} {index}, {form}"))
    }

    pub(super) fn no_image() -> Self {
        Self { code: Code::ImageMissing, reason: "it has no image".to_owned() }
    }

    pub(super) fn source(image: usize, reason: &str) -> Self {
        Self { code: Code::ImageMissing, reason: format!("image {image}: {reason}") }
    }

    pub(super) fn undecodable(image: usize, reason: &str) -> Self {
        Self::unusable(format!("image {image} cannot be decoded: {reason}"))
    }

    pub(super) fn too_large(image: usize, width: u32, height: u32) -> Self {
        let more = "takes more memory than is left for this file, or more than half of --memory-limit";
        Self::unusable(format!("decoding the {width} x {height} pixels of image {image} {more}"))
    }

    pub(super) fn unusable(reason: Reason) -> Self {
        Self { code: Code::TextureReplaced, reason }
    }
}

#[derive(Default)]
pub(super) struct Images {
    decoded: DecodedImages,
    list: Vec<Image>,
    by_source: BTreeMap<usize, Result<usize, TextureFault>>,
    /// Image index by memory address of the pixels. Duplicates, whose pixels are shared, become one image.
    by_pixels: BTreeMap<usize, usize>,
    checker: Option<usize>,
    /// Encoded bytes of downscaled images, by index into `list`.
    full: BTreeMap<usize, Arc<[u8]>>,
}

pub(super) type ImageLists = (Vec<Image>, BTreeMap<usize, Arc<[u8]>>);

impl Images {
    pub(super) fn new(decoded: DecodedImages) -> Self {
        Self { decoded, ..Self::default() }
    }

    pub(super) fn into_lists(self) -> ImageLists {
        (self.list, self.full)
    }

    pub(super) fn index<'a>(
        &mut self,
        source: usize,
        encoded: impl FnOnce() -> Result<EncodedImage<'a>, TextureFault>,
        limits: DecodingLimits<'_>,
        report: &ImportReport,
    ) -> Result<usize, TextureFault> {
        if let Some(known) = self.by_source.get(&source) {
            return known.clone();
        }
        let decoded = match self.decoded.remove(&source) {
            Some(decoded) => decoded,
            None => encoded().and_then(|encoded| limits.decode(source, &encoded)),
        };
        let index = decoded.map(|decoded| {
            let full = decoded.full.clone();
            let DecodedImage { image, size, .. } = decoded;
            let kept = [image.width, image.height];
            if kept != size {
                report.warn_downscaled(source, size, kept);
            }
            let pixels = image.rgba.as_ptr().addr();
            let index = self.by_pixels.get(&pixels).copied().unwrap_or_else(|| self.push(image));
            self.by_pixels.insert(pixels, index);
            self.full.extend(full.map(|bytes| (index, bytes)));
            index
        });
        self.by_source.insert(source, index.clone());
        index
    }

    /// Assigns a texture to a material's map (base colour if `kind` is `None`). Warns about an unreadable texture and
    /// records it in [`Material::missing`]; a checkerboard replaces an unreadable base colour. `texture` provides the
    /// sampler state and the coordinates; its image index is ignored.
    pub(super) fn assign(
        &mut self,
        (number, material): (usize, &mut Material),
        kind: Option<MapKind>,
        (image, texture): (Result<usize, TextureFault>, Texture),
        file: impl FnOnce() -> Option<String>,
        report: &ImportReport,
    ) {
        let TextureFault { code, reason } = match (image, kind) {
            (Ok(image), None) => return material.texture = Some(Texture { image, ..texture }),
            (Ok(image), Some(kind)) => return material.maps[kind] = Some(Texture { image, ..texture }),
            (Err(fault), _) => fault,
        };
        let message = match kind {
            None => format!("The base colour texture of material {number} is replaced by a checker: {reason}."),
            Some(kind) => format!("The {} texture of material {number} is left out: {reason}.", kind.name()),
        };
        let warning = ImportWarning::new(code, Target::Material(number), message);
        report.warn(warning.with_scope(WarningScope::Appearance));
        if kind.is_none() {
            material.texture = Some(self.checker());
        }
        material.missing.push(MissingTexture { kind, file: file(), texture });
    }

    fn checker(&mut self) -> Texture {
        let image = match self.checker {
            Some(index) => index,
            None => self.push(checker()),
        };
        self.checker = Some(image);
        Texture { image, wrap: [Wrap::Repeat; 2], is_nearest: true, coords: CoordSet::First, transform: None }
    }

    fn push(&mut self, image: Image) -> usize {
        let index = self.list.len();
        self.list.push(image);
        index
    }
}

/// Returns a checkerboard that is recognisable as a placeholder. Its contrast is low, so that the shape stays visible.
fn checker() -> Image {
    const SIDE: u32 = 16;
    let pixel = |i: u32| {
        let (x, y) = (i & 15, i >> 4);
        let grey = if (x ^ y) & 1 == 0 { 0x90 } else { 0x60 };
        [grey, grey, grey, 0xFF]
    };
    Image { width: SIDE, height: SIDE, rgba: (0..SIDE.pow(2)).flat_map(pixel).collect() }
}
