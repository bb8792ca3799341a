//! glTF 2.0, as `.glb` or `.gltf`, and VRM, which extends it.

mod accessor;
mod cameras;
mod clips;
mod conformance;
mod constraints;
mod container;
mod coord_sets;
mod draco;
mod expressions;
mod extensions;
mod extras;
mod file_info;
mod first_person;
mod influences;
mod instances;
mod loader;
mod look_at;
mod material_extensions;
mod materials;
mod mesh;
mod meshopt;
mod nodes;
mod raw;
mod schema;
mod skins;
mod source;
mod springs;
mod suppressions;
mod tex_coords;
mod textures;
mod topology;
mod vrm;
mod vrm_blocks;
mod vrm_meta;
mod vrm_rules;

use std::path::Path;
use std::sync::Arc;

use super::bytes::Bytes;
use super::decoding::Decoding;
use super::error::ReadError;
use super::format::Format;
use super::report::ImportReport;
use super::tangents::make_tangents;
use super::{FileInfo, ImportError, ImportWarning, Imported, Job, Stage};
use container::Container;
use expressions::Bindable;
use instances::GltfInstances;
use loader::GltfLoader;
pub use raw::RawGltf;
use rigscope_core::findings::{Code, Target};
use rigscope_core::rig::{Rig, RigData};
use source::GltfSource;
use vrm_blocks::RawVrmLists;

pub(super) const FORMAT: Format =
    Format { name: "glTF", endings: &["glb", "gltf", "vrm"], detects: container::is_gltf, read, file_info };

fn read(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<Imported, ReadError> {
    let Container { json, json_offset, blob, trailing, .. } = container::split(bytes, job.memory_limit())?;
    let document = container::parse(&json, json_offset)?;
    let json_size = json.len();
    let texts = RawVrmLists::of_vrm(&json, &document);
    // Freed early, since the document contains everything else.
    drop(json);
    job.progress.expect_bytes(bytes.len());
    job.progress.add_bytes(json_size);
    let (mut source, report) = (GltfSource::new(&document, bytes.len(), folder, job), ImportReport::default());
    // Memory of the file, if loaded, and of the document's strings, bytes.
    let taken = bytes.in_memory().saturating_add(json_size as u64);
    if !source.charge(taken) {
        return Err(ImportError::NoMemoryLeft { bytes: taken, limit: job.memory_limit() }.into());
    }
    if trailing > 0 {
        let message = format!("{trailing} bytes after the end of the binary glTF were ignored.");
        report.warn(ImportWarning::new(Code::TrailingBytes, Target::File, message));
    }
    extensions::warn_of_extensions(&document, &report);
    source.load_buffers(blob, &report)?;
    let loader = GltfLoader { source: &source, report: &report };
    loader.warn_of_conformance();
    let (scene, scenes) = (loader.scene()?, loader.scene_names());
    let parts = parts(loader, scene, texts)?;
    job.advance(Stage::Finishing, 0, 1)?;
    let rig = Rig::new(parts);
    let named_files = source.named_files();
    let (warnings, files) = report.into_parts();
    Ok(Imported { rig, warnings, files, named_files, scenes, scene })
}

fn file_info(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<FileInfo, ReadError> {
    let Container { json, json_offset, blob, is_binary, .. } = container::split(bytes, job.memory_limit())?;
    let document = container::parse(&json, json_offset)?;
    let (mut source, report) = (GltfSource::new(&document, bytes.len(), folder, job), ImportReport::default());
    source.load_buffers(blob, &report)?;
    Ok(file_info::file_info(&GltfLoader { source: &source, report: &report }, is_binary))
}

fn parts(loader: GltfLoader<'_>, scene: Option<usize>, texts: Option<RawVrmLists>) -> Result<RigData, ImportError> {
    let hierarchy = loader.hierarchy()?;
    let shown = loader.shown(&hierarchy, scene);
    let skins = loader.skins(&hierarchy);
    loader.warn_of_joints_outside(&hierarchy, &shown, &skins);
    let mut surfaces = loader.surfaces();
    let decoding = Decoding::new(loader.images_ahead(&surfaces), loader.source.decoding_limits());
    let mut placed = std::thread::scope(|scope| {
        decoding.start(scope);
        let placed = loader.placed_meshes(&hierarchy, &shown, &skins, &mut surfaces);
        decoding.finish(placed.is_ok());
        placed
    })?;
    // A cancelled import returns here: its missing data is not a fault of the file.
    loader.source.job.advance(Stage::Geometry, 1, 1)?;
    // A skeleton without meshes can be shown, unless a mesh failed to load.
    let has_nothing = hierarchy.is_empty() || loader.report.first_loss().is_some();
    if placed.instances.is_empty() && has_nothing {
        return Err(loader.nothing_shown());
    }
    let (images, full_images) = loader.textures(&mut surfaces, decoding.into_results())?;
    loader.warn_of_ignored_properties(&surfaces);
    let vrm_blocks = texts.map(|texts| Arc::new(loader.vrm_blocks(texts, &surfaces)));
    let clips = loader.clips(&hierarchy)?;
    let human_bones = loader.human_bones(&hierarchy);
    let GltfInstances { meshes, instances } = &placed;
    let expressions = loader.expressions(&Bindable { hierarchy: &hierarchy, meshes, instances, surfaces: &surfaces });
    let look_at = loader.look_at(&human_bones);
    let seen_by = loader.first_person_visibility(&hierarchy, &placed, &skins.list, &human_bones);
    loader.warn_of_vrm_shapes();
    let vrm_faults = loader.vrm_faults(&hierarchy);
    let cameras = loader.cameras(&hierarchy);
    let constraints = loader.constraints(&hierarchy, &shown);
    let spring_bones = loader.springs(&hierarchy);
    loader.warn_of_lights();
    let materials: Vec<_> = surfaces.into_iter().map(|s| s.material).collect();
    make_tangents(&mut placed.meshes, &materials, loader.source.job, |bytes| loader.source.charge(bytes))?;
    Ok(RigData {
        hierarchy,
        skins: skins.list,
        meshes: placed.meshes,
        instances: placed.instances,
        materials,
        images,
        full_images,
        clips,
        cameras,
        constraints,
        expressions,
        look_at,
        unrun_constraints: Vec::new(),
        spring_bones,
        human_bones,
        seen_by,
        front: loader.front(),
        unit_metres: Some(1.0),
        is_gltf: true,
        vrm_version: loader.vrm_version(),
        vrm_faults,
        vrm_meta: loader.vrm_meta(),
        vrm_blocks,
        suppressions: loader.suppressions(),
        extras: loader.extras(scene),
    })
}
