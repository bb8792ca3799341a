//! What a glTF file says of itself and what it holds, whether that is shown or not.

use std::collections::BTreeSet;
use std::io::Cursor;

use image::{ImageFormat, ImageReader};

use super::extensions::reading;
use super::loader::GltfLoader;
use super::schema::{Lenient, valid};
use crate::import::bytes::Bytes;
use crate::import::warning::short;
use crate::import::{About, Extension, ImageAbout, ktx2};

/// Looks through a file whose buffers are at hand.
pub(super) fn about(loader: &GltfLoader<'_>, is_binary: bool) -> About {
    let document = loader.source.document;
    let meshes = || document.meshes.iter().filter_map(Lenient::valid);
    let asset = document.asset.as_ref();
    About {
        is_binary,
        version: asset.map(|a| short(&a.version)).unwrap_or_default(),
        generator: asset.and_then(|a| a.generator.as_str()).map(short).filter(|g| !g.is_empty()),
        extensions: extensions(loader),
        meshes: document.meshes.len(),
        primitives: meshes().map(|mesh| mesh.primitives.len()).sum(),
        morph_targets: (0..document.meshes.len()).map(|mesh| loader.source.target_count(mesh)).sum(),
        materials: document.materials.len(),
        images: (0..document.images.len()).map(|image| image_about(loader, image)).collect(),
    }
}

fn extensions(loader: &GltfLoader<'_>) -> Vec<Extension> {
    let [used, required] = [&loader.source.document.extensions_used, &loader.source.document.extensions_required];
    let names: BTreeSet<&String> = used.iter().chain(required).collect();
    let extension =
        |name: &String| Extension { name: short(name), is_required: required.contains(name), reading: reading(name) };
    names.into_iter().map(extension).collect()
}

fn image_about(loader: &GltfLoader<'_>, index: usize) -> ImageAbout {
    let image = valid(&loader.source.document.images, index);
    let uri = image.and_then(|i| i.uri.as_deref()).filter(|uri| !uri.starts_with("data:"));
    let name = image.and_then(|i| i.name.as_deref()).filter(|name| !name.is_empty()).or(uri).unwrap_or_default();
    let header = loader.encoded(index).ok().and_then(|encoded| header(encoded.bytes()));
    ImageAbout { name: short(name), header }
}

/// Most files tell their size at their beginning; photographs may have a preview before it.
fn header(bytes: Bytes<'_>) -> Option<(&'static str, [u32; 2])> {
    const BEGINNING: usize = 1 << 16;
    let of_first = |count: usize| size(&bytes.get(0..count)?.read().ok()?);
    of_first(bytes.len().min(BEGINNING)).or_else(|| of_first(bytes.len()))
}

fn size(bytes: &[u8]) -> Option<(&'static str, [u32; 2])> {
    if bytes.starts_with(ktx2::SIGN) {
        return ktx2::size(bytes).map(|size| ("KTX2", size));
    }
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    let format = match reader.format()? {
        ImageFormat::Png => "PNG",
        ImageFormat::Jpeg => "JPEG",
        ImageFormat::WebP => "WebP",
        _ => return None,
    };
    let (width, height) = reader.into_dimensions().ok()?;
    Some((format, [width, height]))
}
