//! Pictures, drawn on one thread, which keeps its OpenGL context and what it uploaded last.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;

use pyo3::prelude::*;

use crate::detached::detached;
use crate::errors::refused;
use rigscope::export::write_png;
use rigscope::jobs::Progress;
use rigscope::rig::ClipMoment;
use rigscope::skinning::Method;
use rigscope::stage::{Document, Stage};
use rigscope::studio::{Picture, Studio};
use rigscope::view::{Display, Look};

/// What a picture shows.
pub(crate) struct Wanted {
    /// The character, in its pose.
    pub document: Document,
    pub moment: Option<ClipMoment>,
    pub method: Method,
    pub look: Look,
    /// Yaw and pitch, degrees.
    pub angles: [Option<f32>; 2],
    /// Width and height, pixels.
    pub size: [u32; 2],
    pub bones: bool,
    pub grid: bool,
}

/// A requested picture: what to draw, how to cancel it, and where to send the result.
type Order = (Box<Wanted>, Arc<Progress>, Sender<Result<Vec<u8>, String>>);

/// The look with this name.
///
/// *Errors*: there is none.
pub(crate) fn look(name: &str) -> PyResult<Look> {
    let name_of = |look: Look| look.name().to_lowercase().replace(' ', "-");
    let known = Look::ALL.into_iter().find(|&look| name_of(look) == name);
    known
        .ok_or_else(|| refused(format!("there is no look \"{name}\"; there are {}", Look::ALL.map(name_of).join(", "))))
}

/// Draws a picture and encodes it as PNG.
///
/// *Errors*: a size that no picture can have, no OpenGL, a method that the rig does not allow.
pub(crate) fn png(py: Python<'_>, wanted: Wanted) -> PyResult<Vec<u8>> {
    static DRAWER: OnceLock<Option<Sender<Order>>> = OnceLock::new();
    Picture::from(wanted.size).check().map_err(refused)?;
    let drawn = detached(py, move |progress| {
        let (reply, picture) = channel();
        let drawer = DRAWER.get_or_init(start);
        let is_sent =
            drawer.as_ref().is_some_and(|drawer| drawer.send((Box::new(wanted), Arc::clone(progress), reply)).is_ok());
        let fault = "The picture was not drawn because of a fault in Rigscope";
        if is_sent { picture.recv().unwrap_or_else(|_| Err(fault.to_owned())) } else { Err(fault.to_owned()) }
    })?;
    drawn.map_err(refused)
}

/// The thread that draws; it ends with the process.
fn start() -> Option<Sender<Order>> {
    let (orders, inbox) = channel::<Order>();
    let draw = move || {
        let mut studio = None;
        for (wanted, progress, reply) in inbox {
            _ = reply.send(drawn(&mut studio, *wanted, &progress));
        }
    };
    thread::Builder::new().name("pictures".to_owned()).spawn(draw).ok().map(|_| orders)
}

fn drawn(studio: &mut Option<Studio>, wanted: Wanted, progress: &Progress) -> Result<Vec<u8>, String> {
    let studio = match studio {
        Some(studio) => studio,
        None => studio.insert(Studio::new(None)?),
    };
    let (size, stage, mut png) = (wanted.size, shown(wanted), Vec::new());
    let written = write_png(&mut png, size, |add| {
        let add = |rows| add(&rows).map_err(|e| e.to_string());
        studio.by_rows(&stage, size.into(), progress, add).map_err(std::io::Error::other)
    });
    written.map(|()| png).map_err(|e| e.to_string())
}

/// The stage for a picture, set up as `rigscope render` does.
fn shown(wanted: Wanted) -> Stage {
    let Wanted { document, moment, method, look, angles: [yaw, pitch], size: [width, height], bones, grid } = wanted;
    let mut stage = Stage::new(document);
    let bones = bones || stage.rig().instances.is_empty();
    stage.view.display = Display { look, bones, grid, ..Display::default() };
    if let Some(ClipMoment { clip, time_secs }) = moment {
        stage.set_clip(Some(clip));
        stage.seek(time_secs);
    }
    stage.view.sides.a.skinning.method = method;
    stage.refresh();
    let camera = &mut stage.view.camera;
    camera.yaw = yaw.map_or(camera.yaw, f32::to_radians);
    let pitch = pitch.map_or(camera.pitch, f32::to_radians);
    camera.pitch = 0.0;
    camera.orbit(0.0, pitch);
    stage.aspect = width as f32 / height as f32;
    stage.frame_all();
    stage
}
