//! FBX 5000 to 7700, binary and text. ufbx, a C library, parses the file; this module converts it to a rig:
//! - Axes and units are baked in: the rig is right-handed, +Y up, in metres, and joints have no unit scale.
//! - Pivots, offsets, pre- and post-rotation and rotation orders are converted to TRS.
//! - Children that do not inherit their parent's scale (`InheritType` 0 and 2) compensate for it. For an animated or
//!   non-uniform scale, which cannot be compensated, a helper node next to these children has the scale instead.
//! - Geometric transforms are baked into the vertices or, with a skin, into its inverse bind matrices.
//! - Unweighted vertices of a skinned mesh follow the mesh's node, which becomes an additional joint.

mod attributes;
mod cameras;
mod clips;
mod constraints;
mod corners;
mod file_info;
mod from_ufbx;
mod influences;
mod instances;
mod key_times;
mod keys;
mod loader;
mod materials;
mod mesh;
mod nodes;
mod scene;
mod shape_keys;
mod shapes;
mod skins;
mod textures;
mod unsupported;

use std::panic::resume_unwind;
use std::path::Path;
use std::thread::{Builder, ScopedJoinHandle};

use super::budget::MemoryBudget;
use super::bytes::Bytes;
use super::decoding::{DecodedImageCache, Decoding};
use super::error::ReadError;
use super::format::Format;
use super::report::ImportReport;
use super::tangents::make_tangents;
use super::{FileInfo, ImportError, Imported, Job, Stage};
use loader::FbxLoader;
use rigscope_core::rig::{Rig, RigData};
use scene::SceneScope;

pub(super) const FORMAT: Format = Format { name: "FBX", endings: &["fbx"], detects: is_fbx, read, file_info };

/// Minimum file size for work on a second thread, in bytes.
const MIN_THREAD_BYTES: u64 = 1 << 18;

/// Minimum number of points or corners for parallel work. Smaller jobs finish before other threads wake up.
const MIN_PARALLEL: usize = 1 << 12;

fn is_fbx(start: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    let signs: [&[u8]; 4] = [b"Kaydara FBX Binary", b"; FBX", b";FBX", b"FBXHeaderExtension"];
    signs.iter().any(|sign| text.starts_with(sign))
}

fn read(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<Imported, ReadError> {
    job.scene().map_or(Ok(()), |scene| scene.check_fallback(Vec::new()))?;
    with_loader(bytes, folder, job, SceneScope::Whole, |loader| {
        let parts = parts(loader)?;
        job.advance(Stage::Finishing, 0, 1)?;
        Ok((Rig::new(parts), loader.named_files()))
    })
    .map(|((rig, named_files), report)| {
        let (warnings, files) = report.into_parts();
        Imported { rig, warnings, files, named_files, scenes: Vec::new(), scene: None }
    })
}

fn file_info(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<FileInfo, ReadError> {
    with_loader(bytes, folder, job, SceneScope::Still, |loader| Ok(loader.file_info())).map(|(info, _)| info)
}

fn with_loader<T>(
    bytes: Bytes<'_>,
    folder: Option<&Path>,
    job: &Job,
    extent: SceneScope,
    work: impl FnOnce(FbxLoader<'_>) -> Result<T, ImportError>,
) -> Result<(T, ImportReport), ReadError> {
    let (budget, report) = (MemoryBudget::new(job.memory_limit()), ImportReport::default());
    let out_of_memory = || scene::out_of_memory(job.memory_limit());
    job.progress.expect_bytes(bytes.len());
    if !budget.charge(bytes.len() as u64) {
        return Err(out_of_memory().into());
    }
    let content = bytes.read()?;
    let mut scene = scene::scene(&content, budget.left(), extent, job)?;
    if !budget.charge(scene.metadata.result_memory_used as u64) {
        return Err(out_of_memory().into());
    }
    for warning in key_times::refuse_keys(&mut scene) {
        report.warn(warning);
    }
    // Freed early, since the scene has its own copy of all data.
    drop(content);
    budget.add(bytes.len() as u64);
    let size = bytes.len() as u64;
    let pictures = DecodedImageCache::default();
    let loader = FbxLoader { scene: &scene, size, folder, job, budget: &budget, pictures: &pictures, report: &report };
    let result = work(loader)?;
    if size >= MIN_THREAD_BYTES {
        rayon::spawn(move || drop(scene));
    }
    Ok((result, report))
}

fn parts(loader: FbxLoader<'_>) -> Result<RigData, ImportError> {
    let hierarchy = loader.hierarchy()?;
    let mut surfaces = loader.surfaces();
    let decoding = Decoding::new(loader.images_ahead(&surfaces), loader.decoding_limits());
    let (placed, clips) = std::thread::scope(|scope| {
        decoding.start(scope);
        let hierarchy = &hierarchy;
        let clips = move || {
            let report = ImportReport::default();
            let clips = FbxLoader { report: &report, ..loader }.clips(hierarchy);
            (clips, report)
        };
        // For a small file, or if no thread starts, this thread reads the clips afterwards.
        let start = || Builder::new().name("clips".to_owned()).spawn_scoped(scope, clips).ok();
        let beside = (loader.size >= MIN_THREAD_BYTES).then(start).flatten();
        let placed = loader.placed_meshes(hierarchy, &mut surfaces);
        decoding.finish(placed.is_ok());
        let clips = match beside.map(ScopedJoinHandle::join) {
            Some(Ok(clips)) => clips,
            Some(Err(panic)) => resume_unwind(panic),
            None => clips(),
        };
        (placed, clips)
    });
    let mut placed = placed?;
    // A cancelled import returns here: its missing data is not a fault of the file.
    loader.job.advance(Stage::Geometry, 1, 1)?;
    // A skeleton without meshes can be shown, unless a mesh failed to load.
    let has_nothing = hierarchy.is_empty() || loader.report.first_loss().is_some();
    if placed.instances.is_empty() && has_nothing {
        return Err(loader.nothing_shown());
    }
    let (images, full_images) = loader.textures(&mut surfaces, decoding.into_results())?;
    loader.warn_of_ignored_properties(&surfaces);
    let cameras = loader.cameras(&hierarchy);
    let (clips, report) = clips;
    let clips = clips?;
    loader.report.append(report);
    let unrun_constraints = loader.constraints(&hierarchy);
    loader.warn_of_the_rest(&hierarchy, &unrun_constraints);
    let materials = materials::materials(surfaces);
    make_tangents(&mut placed.meshes, &materials, loader.job, |bytes| loader.budget.charge(bytes))?;
    Ok(RigData {
        hierarchy,
        skins: placed.skins,
        meshes: placed.meshes,
        instances: placed.instances,
        materials,
        images,
        full_images,
        clips,
        cameras,
        unrun_constraints,
        unit_metres: Some(loader.scene.settings.unit_meters),
        ..RigData::default()
    })
}
