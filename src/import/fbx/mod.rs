//! FBX 5000 to 7700, binary and text, as Maya, 3ds Max, `MotionBuilder`, Blender and others write it.
//!
//! The file is parsed by ufbx, which is written in C and hands out checked lists; this module turns them into a rig. What FBX expresses in its own
//! ways is converted so that the rig keeps its meaning:
//! - Axes and units are folded in: the rig is right-handed, +Y up, in metres, and no joint has the unit as its scale.
//! - Pivots, offsets, pre- and post-rotation and the six orders of rotation are in each node's translation, rotation and scale.
//! - Where children do not inherit their parent's scale (`InheritType` 0 and 2), they undo it. A scale that changes over time or differs between the
//!   axes cannot be undone; a helper node beside them holds it.
//! - The transform of the geometry alone is baked into the vertices or, with a skin, into its inverse bind matrices.
//! - Vertices without weight of a skinned mesh follow the node of the mesh, which is added to the joints.

mod about;
mod attributes;
mod cameras;
mod clips;
mod constraints;
mod corners;
mod findings;
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

use std::panic::resume_unwind;
use std::path::Path;
use std::thread::{Builder, ScopedJoinHandle};

use super::budget::MemoryBudget;
use super::bytes::Bytes;
use super::decoding::{Decoding, KnownPictures};
use super::error::ReadError;
use super::format::Format;
use super::report::ImportReport;
use super::tangents::make_tangents;
use super::{About, FbxFault, ImportError, Imported, Job, Stage};
use crate::rig::{Rig, RigParts};
use loader::FbxLoader;
use scene::Extent;

/// FBX in the table of formats.
pub(super) const FORMAT: Format = Format { name: "FBX", endings: &["fbx"], is_it: is_fbx, read, about };

/// Smallest size of a file, bytes, of which parts are done on another thread.
const WORTH_A_THREAD: u64 = 1 << 18;

/// Points or corners of a mesh that one thread is done with before it has woken others.
const FEW: usize = 1 << 12;

/// True for the beginning of an FBX file: binary by its magic, text by a first comment or object.
fn is_fbx(start: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    let signs: [&[u8]; 4] = [b"Kaydara FBX Binary", b"; FBX", b";FBX", b"FBXHeaderExtension"];
    signs.iter().any(|sign| text.starts_with(sign))
}

fn read(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<Imported, ReadError> {
    job.scene().map_or(Ok(()), |scene| scene.missing_of(Vec::new()))?;
    with_loader(bytes, folder, job, Extent::Whole, |loader| {
        let parts = parts(loader)?;
        job.advance(Stage::Finishing, 0, 1)?;
        Ok((Rig::new(parts), loader.named_files()))
    })
    .map(|((rig, named_files), report)| {
        let (warnings, files) = report.into_findings();
        Imported { rig, warnings, files, named_files, scenes: Vec::new(), scene: None }
    })
}

fn about(bytes: Bytes<'_>, folder: Option<&Path>, job: &Job) -> Result<About, ReadError> {
    with_loader(bytes, folder, job, Extent::Still, |loader| Ok(loader.about())).map(|(about, _)| about)
}

/// Parses a file and calls `work` with a loader for it.
fn with_loader<T>(
    bytes: Bytes<'_>,
    folder: Option<&Path>,
    job: &Job,
    extent: Extent,
    work: impl FnOnce(FbxLoader<'_>) -> Result<T, ImportError>,
) -> Result<(T, ImportReport), ReadError> {
    let (budget, report) = (MemoryBudget::new(job.memory_limit()), ImportReport::default());
    let out_of_memory = || ImportError::from(FbxFault::Memory { limit: job.memory_limit() });
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
        report.warn(warning.into());
    }
    // The scene has its own copy of everything it needs.
    drop(content);
    budget.add(bytes.len() as u64);
    let size = bytes.len() as u64;
    let pictures = KnownPictures::default();
    let loader = FbxLoader { scene: &scene, size, folder, job, budget: &budget, pictures: &pictures, report: &report };
    let made = work(loader)?;
    // Freeing hundreds of megabytes takes a while, and nobody need wait for it.
    if size >= WORTH_A_THREAD {
        rayon::spawn(move || drop(scene));
    }
    Ok((made, report))
}

fn parts(loader: FbxLoader<'_>) -> Result<RigParts, ImportError> {
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
        // Runs on this thread where no other can be started, and where it would take longer to start one.
        let start = || Builder::new().name("clips".to_owned()).spawn_scoped(scope, clips).ok();
        let beside = (loader.size >= WORTH_A_THREAD).then(start).flatten();
        let placed = loader.placed_meshes(hierarchy, &mut surfaces);
        if placed.is_ok() {
            decoding.finish();
        } else {
            decoding.abandon();
        }
        let clips = match beside.map(ScopedJoinHandle::join) {
            Some(Ok(clips)) => clips,
            Some(Err(panic)) => resume_unwind(panic),
            None => clips(),
        };
        (placed, clips)
    });
    let mut placed = placed?;
    // What a cancelled import could not read is not a fault of the file.
    loader.job.advance(Stage::Geometry, 1, 1)?;
    // A skeleton alone is worth showing; the skeleton of a mesh that cannot be shown would only hide that.
    let has_nothing = hierarchy.is_empty() || loader.report.first_loss().is_some();
    if placed.instances.is_empty() && has_nothing {
        return Err(loader.nothing_shown());
    }
    let (images, full_images) = loader.textures(&mut surfaces, decoding.into_results())?;
    loader.warn_of_undrawn_looks(&surfaces);
    let cameras = loader.cameras(&hierarchy);
    let (clips, report) = clips;
    let clips = clips?;
    loader.report.append(report);
    let unrun_constraints = loader.constraints(&hierarchy);
    loader.warn_of_the_rest(&hierarchy, &unrun_constraints);
    let materials = materials::materials(surfaces);
    make_tangents(&mut placed.meshes, &materials, loader.job, |bytes| loader.budget.charge(bytes))?;
    Ok(RigParts {
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
        ..RigParts::default()
    })
}
