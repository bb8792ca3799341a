//! Draws images on a single thread that keeps its OpenGL context and the most recently uploaded data.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;

use pyo3::prelude::*;

use crate::detached::detached;
use crate::errors::refused;
use crate::pose::StagedPose;
use rigscope::export::write_png;
use rigscope::import::Job;
use rigscope::jobs::Progress;
use rigscope::rig::{MorphIndex, NodeIndex};
use rigscope::stage::{Arrangement, ChoiceState, MeasureBench, RigChoice, Stage};
use rigscope::studio::{ImageOptions, Studio, measure_sides};
use rigscope::view::{Display, OverlayInput, ShadingMode, ShownFile, Side};

/// What to draw in an image, and options.
pub(crate) struct PictureRequest {
    pub shown: StagedPose,
    pub arrangement: Arrangement,
    /// File to show on side B instead of the open file.
    pub other: Option<PathBuf>,
    /// Joint whose weights the overlay shows.
    pub joint: Option<NodeIndex>,
    /// Morph target that the overlay shows.
    pub target: Option<MorphIndex>,
    pub shading: ShadingMode,
    /// Yaw and pitch of the camera, degrees; `None` for the default.
    pub angles: [Option<f32>; 2],
    pub bones: bool,
    pub grid: bool,
    pub picture: ImageOptions,
}

/// A job for the studio's thread. The first job opens the studio.
type Order = Box<dyn FnOnce(&mut Option<Studio>) + Send>;

/// Returns the shading with this name. *Errors*: an unknown name.
pub(crate) fn shading_mode(name: &str) -> PyResult<ShadingMode> {
    let name_of = |mode: ShadingMode| mode.name().to_lowercase().replace(' ', "-");
    let known = ShadingMode::ALL.into_iter().find(|&mode| name_of(mode) == name);
    known.ok_or_else(|| {
        refused(format!("there is no shading \"{name}\"; there are {}", ShadingMode::ALL.map(name_of).join(", ")))
    })
}

/// Draws an image and encodes it as PNG. *Errors*: an invalid size; no OpenGL; a method that doesn't support the rig; an unreadable comparison file.
pub(crate) fn png(py: Python<'_>, wanted: PictureRequest) -> PyResult<Vec<u8>> {
    wanted.picture.check().map_err(refused)?;
    with_studio(py, move |studio, progress| {
        let (picture, mut png) = (wanted.picture, Vec::new());
        let stage = staged(wanted, progress)?;
        let written = write_png(&mut png, picture.size, &mut |add| {
            let add = |rows| add(&rows).map_err(|e| e.to_string());
            studio.by_rows(&stage, picture, progress, add).map_err(std::io::Error::other)
        });
        written.map(|()| png).map_err(|e| e.to_string())
    })
}

/// Draws an image and returns its pixels, RGBA. *Errors*: as [`png`].
pub(crate) fn pixels(py: Python<'_>, wanted: PictureRequest) -> PyResult<Vec<u8>> {
    wanted.picture.check().map_err(refused)?;
    with_studio(py, move |studio, progress| {
        let (picture, mut pixels) = (wanted.picture, Vec::new());
        let stage = staged(wanted, progress)?;
        studio.by_rows(&stage, picture, progress, |rows| {
            pixels.extend_from_slice(&rows);
            Ok(())
        })?;
        Ok(pixels)
    })
}

/// Runs `work` with the studio, on the studio's thread. *Errors*: no OpenGL; the errors of `work`.
pub(crate) fn with_studio<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&mut Studio, &Arc<Progress>) -> Result<T, String> + Send + 'static,
) -> PyResult<T> {
    static STUDIO: OnceLock<Option<Sender<Order>>> = OnceLock::new();
    let done = detached(py, move |progress| {
        let (reply, result) = channel();
        let progress = Arc::clone(progress);
        let order = move |studio: &mut Option<Studio>| {
            let opened = match studio {
                Some(studio) => Ok(studio),
                None => Studio::new(None).map(|new| studio.insert(new)),
            };
            _ = reply.send(opened.and_then(|studio| work(studio, &progress)));
        };
        let is_sent = STUDIO.get_or_init(start).as_ref().is_some_and(|orders| orders.send(Box::new(order)).is_ok());
        let fault = || Err("Nothing was drawn because of a fault in Rigscope".to_owned());
        if is_sent { result.recv().unwrap_or_else(|_| fault()) } else { fault() }
    })?;
    done.map_err(refused)
}

/// Starts the studio's thread, which runs until the process ends.
fn start() -> Option<Sender<Order>> {
    let (orders, inbox) = channel::<Order>();
    let work = move || {
        let mut studio = None;
        for order in inbox {
            order(&mut studio);
        }
    };
    thread::Builder::new().name("pictures".to_owned()).spawn(work).ok().map(|_| orders)
}

/// Creates the stage for an image, set up as by `rigscope render`. *Errors*: a message for the user: a method that
/// doesn't support the rig; an unreadable comparison file; an overlay that needs a joint or morph target when none is
/// named.
fn staged(wanted: PictureRequest, progress: &Arc<Progress>) -> Result<Stage, String> {
    let PictureRequest { shown, arrangement, other, joint, target, shading, angles, bones, grid, picture } = wanted;
    let mut stage = shown.stage();
    let bones = bones || stage.rig().instances.is_empty();
    stage.view.display = Display { shading, bones, grid, ..Display::default() };
    if joint.is_some() {
        stage.view.select(joint, &stage.document.rig.hierarchy);
    }
    if let Some(target) = target {
        stage.view.choose_morph(target, &stage.document.rig);
    }
    if let Some(other) = other {
        compare_with(&mut stage, &other, progress)?;
    }
    arrangement.apply_to(&mut stage)?;
    if stage.view.is_painted(OverlayInput::ActiveJoint) && stage.view.active_joint().is_none() {
        return Err("Whose weights? Name a joint by joint=".to_owned());
    }
    if stage.view.is_painted(OverlayInput::MorphTarget) && stage.view.morph.is_none() {
        return Err("Which morph target? Name it by target=".to_owned());
    }
    stage.refresh();
    measure_sides(&mut stage, &mut MeasureBench::default())?;
    stage.frame_from(angles, picture.size);
    Ok(stage)
}

/// Shows another file on side B, in the pose of the open file. *Errors*: a message for the user that includes the path.
fn compare_with(stage: &mut Stage, other: &Path, progress: &Arc<Progress>) -> Result<(), String> {
    stage.compare_with(ShownFile::file_at(other));
    // Ignores warnings about primitives without a counterpart, which are not drawn; only the command line prints them.
    stage.compute_pending(&Job::default().with_progress(Arc::clone(progress)));
    stage.refresh();
    match ShownFile::state(stage, Side::B) {
        ChoiceState::Missing(problem) => Err(format!("{problem} ({})", other.display())),
        _ => Ok(()),
    }
}
