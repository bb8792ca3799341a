use ufbx::{
    AllocatorOpts, CoordinateAxes, Error, ErrorType, FileFormat, GeometryTransformHandling, InheritModeHandling,
    LoadOpts, MirrorAxis, ProgressCb, ProgressResult, SceneRoot, SpaceConversion,
};

use crate::import::warning::short;
use crate::import::{ImportError, Job, Stage};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SceneScope {
    Whole,
    /// Everything except clips.
    Still,
}

/// Parses a scene. `limit`: maximum size of the results and, separately, of temporary data, in bytes. Bakes in axes (+Y
/// up) and units (metres): scales geometry and translations and rotates the nodes below the root, so joints have no
/// unit scale. Mirrors left-handed files in X. *Errors*: the file is broken, unsupported or too large, or the job was
/// cancelled.
pub(super) fn scene(bytes: &[u8], limit: u64, extent: SceneScope, job: &Job) -> Result<SceneRoot, ImportError> {
    let mut reported = 0;
    let mut progress = |progress: &ufbx::Progress| {
        let read = usize::try_from(progress.bytes_read).unwrap_or(usize::MAX);
        job.progress.add_bytes(read.saturating_sub(reported));
        reported = reported.max(read);
        match job.advance(Stage::Reading, read, bytes.len()) {
            Ok(()) => ProgressResult::Continue,
            Err(_cancelled) => ProgressResult::Cancel,
        }
    };
    let options = LoadOpts {
        temp_allocator: allocator(limit),
        result_allocator: allocator(limit),
        ignore_animation: extent == SceneScope::Still,
        generate_missing_normals: true,
        normalize_normals: true,
        file_format: FileFormat::Fbx,
        progress_cb: ProgressCb::Mut(&mut progress),
        progress_interval_hint: 1 << 18,
        geometry_transform_handling: GeometryTransformHandling::Preserve,
        inherit_mode_handling: InheritModeHandling::Compensate,
        space_conversion: SpaceConversion::ModifyGeometry,
        handedness_conversion_axis: MirrorAxis::X,
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        ..LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|e| fault(&e, limit))
}

pub(super) fn allocator(limit: u64) -> AllocatorOpts {
    AllocatorOpts { memory_limit: usize::try_from(limit).unwrap_or(usize::MAX).max(1), ..AllocatorOpts::default() }
}

pub(super) fn fault(error: &Error, limit: u64) -> ImportError {
    let reason = || short(&error.description.to_lowercase());
    match error.type_ {
        ErrorType::Cancelled => ImportError::Cancelled,
        ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => out_of_memory(limit),
        ErrorType::UnsupportedVersion => {
            let advice = "Export the file again as FBX 2011 to 2020, binary or text";
            ImportError::Content(format!("This version of FBX is not read ({}). {advice}.", reason()))
        }
        _ => ImportError::Content(format!("The FBX file is broken: {}. Fetch or export it again.", reason())),
    }
}

pub(super) fn out_of_memory(limit: u64) -> ImportError {
    let advice = "Raise --memory-limit";
    ImportError::Content(format!("The FBX file needs more memory than the limit of {limit} bytes. {advice}."))
}
