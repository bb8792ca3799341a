use std::collections::BTreeSet;

use super::extensions::support;
use super::loader::GltfLoader;
use super::schema::{GltfDocument, Lenient, valid};
use crate::import::file_info::image_header;
use crate::import::warning::short;
use crate::import::{Extension, FileInfo, ImageInfo};

pub(super) fn file_info(loader: &GltfLoader<'_>, is_binary: bool) -> FileInfo {
    let document = loader.source.document;
    let meshes = || document.meshes.iter().filter_map(Lenient::valid);
    let asset = document.asset.as_ref();
    FileInfo {
        format: "glTF",
        is_binary,
        version: asset.map(|a| short(&a.version)).unwrap_or_default(),
        generator: asset.and_then(|a| a.generator.as_str()).map(short).filter(|g| !g.is_empty()),
        space: None,
        extensions: extensions(loader),
        meshes: document.meshes.len(),
        primitives: meshes().map(|mesh| mesh.primitives.len()).sum(),
        morph_targets: (0..document.meshes.len()).map(|mesh| loader.source.target_count(mesh)).sum(),
        materials: document.materials.len(),
        images: (0..document.images.len()).map(|image| image_info(loader, image)).collect(),
    }
}

fn extensions(loader: &GltfLoader<'_>) -> Vec<Extension> {
    let [used, required] = [&loader.source.document.extensions_used, &loader.source.document.extensions_required];
    let names: BTreeSet<&String> = used.iter().chain(required).collect();
    let extension = |name: &String| Extension {
        name: short(name),
        is_required: required.contains(name),
        support: support(name),
        uses: uses(loader.source.document, name),
    };
    names.into_iter().map(extension).collect()
}

fn uses(document: &GltfDocument, name: &str) -> usize {
    let nodes = document.nodes.iter().filter_map(|node| node.extensions.as_ref());
    let nodes = nodes.filter(|extensions| extensions.others.contains_key(name)).count();
    let materials = document.materials.iter().filter_map(|material| material.valid()?.extensions.as_ref());
    let materials = materials.filter(|extensions| extensions.others.contains_key(name)).count();
    nodes.saturating_add(materials).saturating_add(usize::from(document.extensions.get(name).is_some()))
}

fn image_info(loader: &GltfLoader<'_>, index: usize) -> ImageInfo {
    let image = valid(&loader.source.document.images, index);
    let uri = image.and_then(|i| i.uri.as_deref()).filter(|uri| !uri.starts_with("data:"));
    let name = image.and_then(|i| i.name.as_deref()).filter(|name| !name.is_empty()).or(uri).unwrap_or_default();
    let header = loader.encoded(index).ok().and_then(|encoded| image_header(encoded.bytes(), loader.source.job));
    ImageInfo { name: short(name), header }
}
