//! `rigscope render`: the same picture as in the window, without one.

mod angles;
mod looks;
mod sides;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::opening::open_document;
use super::posed::PosedArgs;
use super::{Console, DeviceArgs, MemoryArgs, output};
use crate::export::PictureFormat;
use crate::import::Concern;
use crate::jobs::Progress;
use crate::render::{FrameInput, Headless};
use crate::skinning::{Centers, Unsuited};
use crate::state::{Action, AppState, Command, Settings, Source};
use crate::view::{Display, Layout, Lighting, Look, PerSide, Side};
use looks::LookArgs;
use sides::SidesArgs;

/// What to draw, and how.
#[derive(Args, Debug)]
pub struct RenderArgs {
    #[command(flatten)]
    posed: PosedArgs,

    #[command(flatten)]
    sides: SidesArgs,

    /// Where the picture goes, as PNG, JPEG or WebP by its ending; - is standard output
    #[arg(short, long, value_name = "OUT.{png,jpg,webp}")]
    output: PathBuf,

    /// What the picture is where OUT has no ending: png, jpg or webp [default: png]
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    format: Option<PictureFormat>,

    /// Pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = parse_size)]
    size: [u32; 2],

    /// Degrees about the vertical: 0 from +Z, 90 from +X [default: from the character's front, 26° aside, or the session's]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = angles::turn)]
    yaw: Option<f32>,

    /// Degrees above the horizon
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = angles::height)]
    pitch: Option<f32>,

    /// Draw the bones too; a rig without meshes shows them always
    #[arg(long)]
    bones: bool,

    /// Leave the ground grid out
    #[arg(long)]
    no_grid: bool,

    #[command(flatten)]
    looks: LookArgs,

    /// Draw the edges of the triangles
    #[arg(long)]
    wireframe: bool,

    /// Dark on light
    #[arg(long)]
    light: bool,

    #[command(flatten)]
    device: DeviceArgs,
}

/// Larger than any screen; more would only exhaust memory.
const MAX_SIDE: u32 = 8192;

impl RenderArgs {
    /// Draws and writes the picture.
    pub fn run(self, console: &Console) -> Result<(), String> {
        let format = output::format(&self.output, PictureFormat::of(&self.output), self.format, PictureFormat::Png)?;
        let mut state = self.posed.open(Concern::Looks, Some(&self.output), console)?;
        let display = self.display(&state);
        state.apply(Command::SetDisplay(display));
        self.sides.apply_to(&mut state, console)?;
        self.aim(&mut state);
        console.stage("Drawing", String::new, || draw(&state, self.size, self.device, &self.output, format))?;
        let [width, height] = self.size;
        console.saved(&self.output, &format!("{width} x {height} pixels"));
        Ok(())
    }

    fn display(&self, state: &AppState) -> Display {
        if self.posed.session.is_some() {
            let shown = state.open.view.display;
            return Display {
                bones: self.bones || shown.bones,
                grid: !self.no_grid && shown.grid,
                wireframe: self.wireframe || shown.wireframe,
                look: self.looks.look(shown.look),
                light: self.looks.lighting(shown.light),
                is_dark: !self.light && shown.is_dark,
                ..shown
            };
        }
        Display {
            bones: self.bones || state.rig().instances.is_empty(),
            grid: !self.no_grid,
            wireframe: self.wireframe,
            look: self.looks.look(Look::default()),
            light: self.looks.lighting(Lighting::default()),
            is_dark: !self.light,
            ..Display::default()
        }
    }

    /// Turns the camera; what it shows is framed anew, unless a session says what that is.
    fn aim(&self, state: &mut AppState) {
        let share = if state.open.view.compare.layout == Layout::SideBySide { 0.5 } else { 1.0 };
        let camera = &mut state.open.view.camera;
        camera.yaw = self.yaw.map_or(camera.yaw, f32::to_radians);
        let pitch = self.pitch.map_or(camera.pitch, f32::to_radians);
        camera.pitch = 0.0;
        camera.orbit(0.0, pitch);
        if self.posed.session.is_none() {
            state.apply(Command::SetAspect(share * self.size[0] as f32 / self.size[1] as f32));
            state.apply(Command::Do(Action::FrameAll));
        }
    }
}

/// Draws a character at rest beside the temporary files; the picture's path.
pub fn render_without_display(
    source: &Source,
    memory: MemoryArgs,
    device: DeviceArgs,
    console: &Console,
) -> Result<PathBuf, String> {
    let path = default_picture_path(source);
    // Others may have left a link there, to something of the user's.
    if path.is_symlink() {
        return Err(format!("{} is a link; remove it", path.display()));
    }
    let document = open_document((source, None), &[], memory, console)?;
    let mut state = AppState::new(document, Settings::default());
    state.apply(Command::SetDisplay(Display { bones: state.rig().instances.is_empty(), ..Display::default() }));
    state.apply(Command::SetAspect(1.6));
    state.apply(Command::Do(crate::state::Action::FrameAll));
    console.stage("Drawing", String::new, || draw(&state, [1280, 800], device, &path, PictureFormat::Png))?;
    Ok(path)
}

/// A place for a picture that nobody named: beside the user's other temporary files.
fn default_picture_path(source: &Source) -> PathBuf {
    let name = source.name();
    let stem = Path::new(&name).file_stem().map_or_else(|| "picture".into(), std::ffi::OsStr::to_os_string);
    let mut file = std::ffi::OsString::from("rigscope-");
    file.push(stem);
    file.push(".png");
    std::env::temp_dir().join(file)
}

fn draw(
    state: &AppState,
    size: [u32; 2],
    device: DeviceArgs,
    path: &Path,
    format: PictureFormat,
) -> Result<(), String> {
    let centers = centers(state).map_err(|e| e.to_string())?.map(Arc::new);
    let headless = Headless::new().map_err(|e| e.to_string())?;
    let mut scene = headless.scene().map_err(|e| e.to_string())?;
    device.apply_to(&mut scene);
    let frame = FrameInput {
        rig: state.rig(),
        sides: PerSide::from_fn(|side| state.shown(side)),
        centers: centers.as_ref(),
        pose: state.pose(),
        view: &state.open.view,
        size,
        pixels_per_point: 1.0,
        version: state.version(),
    };
    scene.draw(&frame).map_err(|e| e.to_string())?;
    let picture = scene.pixels().map_err(|e| e.to_string())?;
    let saved = format.encode(&picture).and_then(|bytes| output::write(path, &bytes));
    saved.map_err(|e| format!("The picture was not saved: {e} ({})", path.display()))
}

/// The centres of rotation that what is shown needs.
///
/// *Errors*: a way of skinning that the rig does not allow.
fn centers(state: &AppState) -> Result<Option<Centers>, Unsuited> {
    let shown =
        || Side::ALL.into_iter().filter(|&side| state.open.view.compare.shows(side)).map(|side| state.skinning(side));
    shown().try_for_each(|skinning| skinning.check(state.rig()))?;
    let is_needed = shown().any(|skinning| skinning.method.needs_centers());
    Ok(if is_needed { Centers::new(state.rig(), &Progress::default()) } else { None })
}

fn parse_format(ending: &str) -> Result<PictureFormat, String> {
    PictureFormat::of(Path::new(&format!("picture.{ending}")))
        .map_err(|_unknown| "a format is png, jpg or webp".to_owned())
}

/// Width and height of a picture, pixels.
pub(super) fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let parsed = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    parsed
        .filter(|size: &[u32; 2]| size.iter().all(|s| (1..=MAX_SIDE).contains(s)))
        .ok_or_else(|| format!("a size is WIDTHxHEIGHT in pixels, each 1 to {MAX_SIDE}, as in 1280x800"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_numbers_within_reason() {
        assert_eq!(parse_size("1280x800"), Ok([1280, 800]));
        for bad in ["", "1280", "x", "0x5", "99999x2", "-1x2", "1280*800"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
