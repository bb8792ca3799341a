mod shading;
mod shared_studio;
mod sheet;
mod sides;
mod video;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::many_files::{InputArgs, OutputOption, PerFile, run_each};
use super::named::find;
use super::opening::{ExtraClipArgs, open_document};
use super::posed::PosedArgs;
use super::suggestions::with_suggestions;
use super::{Console, DeviceArgs, MemoryArgs, numbers, output};
use crate::export::{ImageKind, VideoTarget};
use crate::import::{Job, WarningScope};
use crate::jobs::Progress;
use crate::stage::{Source, Stage};
use crate::studio::{ImageOptions, Studio, Video};
use crate::view::Display;
use shading::ShadingArgs;
pub(super) use shared_studio::SharedStudio;
use sheet::SheetArgs;
use sides::{ComparisonArgs, TrailArgs};
use video::VideoArgs;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Theme {
    Dark,
    Light,
}

#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
#[command(mut_arg("files", |arg| arg.required_unless_present_any(["files_from", "session"])))]
pub struct RenderArgs {
    #[command(flatten)]
    inputs: InputArgs,

    #[command(flatten)]
    posed: PosedArgs,

    #[command(flatten)]
    sides: ComparisonArgs,

    /// Output file: an image (.png, .jpg, .webp), a video (.mp4, .webm, .gif), or - for standard output
    #[arg(short, long, value_name = "OUT.{png,jpg,webp,mp4,webm,gif}")]
    output: PathBuf,

    /// Image format if OUT has no extension: png, jpg or webp [default: png]
    #[arg(long, value_name = "FORMAT", value_parser = with_suggestions(["png", "jpg", "webp"], parse_format), hide_possible_values = true)]
    format: Option<ImageKind>,

    /// Image size in pixels, at most 32768 on a side [default: 1280x800, on a sheet 320x240]
    #[arg(long, value_name = "WxH", value_parser = |text: &str| size_within(text, ImageOptions::MAX_SIDE))]
    size: Option<[u32; 2]>,

    #[command(flatten)]
    sheet: SheetArgs,

    /// Samples per pixel (MSAA), or as many as the driver supports
    #[arg(long, value_name = "N", default_value = "4", value_parser = numbers::samples)]
    samples: u32,

    /// Camera angle about the vertical, in degrees: 0 from +Z, 90 from +X [default: 26° from the front]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = numbers::within(numbers::TURNS, "degrees"))]
    yaw: Option<f32>,

    /// Camera angle above the horizon, in degrees
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = numbers::within(-90.0..=90.0, "degrees"))]
    pitch: Option<f32>,

    /// Use a camera of the file, by name or number
    #[arg(long, value_name = "NAME|INDEX", conflicts_with_all = ["yaw", "pitch", "fov", "ortho"])]
    camera: Option<String>,

    /// Use a saved view of the session, by name
    #[arg(long, value_name = "NAME", requires = "session", conflicts_with_all = ["yaw", "pitch", "fov", "ortho", "camera"])]
    view: Option<String>,

    /// Vertical field of view, in degrees [default: the session's, else 35]
    #[arg(long, value_name = "DEG", value_parser = numbers::within(5.0..=120.0, "degrees"))]
    fov: Option<f32>,

    /// Use an orthographic projection
    #[arg(long)]
    ortho: bool,

    /// Draw the bones; always on for a rig without meshes
    #[arg(long)]
    bones: bool,

    /// Hide the ground grid
    #[arg(long)]
    no_grid: bool,

    #[command(flatten)]
    looks: ShadingArgs,

    /// Draw the edges of triangles
    #[arg(long)]
    wireframe: bool,

    /// Colour theme of the background and the grid [default: the session's, else dark]
    #[arg(long, value_name = "THEME")]
    theme: Option<Theme>,

    /// Old name of --theme light
    #[arg(long, hide = true, conflicts_with = "theme")]
    light: bool,

    /// Transparent background without a grid, in PNG or WebP; --no-grid drops the ground shadow too
    #[arg(long)]
    transparent: bool,

    /// Label each side, and draw the legend of the overlay
    #[arg(long)]
    captions: bool,

    /// Hold the clip's root in place: it moves only up and down
    #[arg(long)]
    in_place: bool,

    #[command(flatten)]
    trails: TrailArgs,

    #[command(flatten)]
    video: VideoArgs,

    #[command(flatten)]
    device: DeviceArgs,
}

/// Maximum side length, in pixels, of an image that is rendered into memory in one piece.
const MAX_WHOLE_SIDE: u32 = 8192;

const HELP: &str = "\
A name with %04d is an image sequence. Videos need ffmpeg, except for an animated .png.

Examples:
  rigscope render hero.glb --clip walk --time 0.3 -o walk.png
  rigscope render hero.glb --compare wipe --captions -o wipe.png
  rigscope render hero.glb --clip walk --fps 30 -o walk.mp4
  rigscope render hero.glb --overlay distance --turntable 120 -o frames/%04d.png
  rigscope render models --size 256x256 -o 'thumbs/{folder}/{stem}.png'
  rigscope render hero.glb --clip walk --sheet 5x2 -o walk.png
  rigscope render models --sheet 8x6 -o models.png";

impl RenderArgs {
    pub fn run(self, console: &Console) -> Result<ExitCode, String> {
        if self.is_tile() {
            return self.render_files_sheet(console).map(ExitCode::from);
        }
        run_each(self, console)
    }

    /// True if each file is an image on a sheet of all files.
    fn is_tile(&self) -> bool {
        self.sheet.is_of_files(self.inputs.single().is_none())
    }

    fn size(&self) -> [u32; 2] {
        self.size.unwrap_or(if self.sheet.is_wanted() { sheet::TILE } else { [1280, 800] })
    }

    fn is_video(&self) -> bool {
        !self.sheet.is_wanted() && self.video.is_wanted(&self.output)
    }

    fn format(&self) -> Result<ImageKind, String> {
        output::format(&self.output, ImageKind::from_path(&self.output), self.format, ImageKind::Png)
    }

    fn render_image(&self, stage: &Stage, studio: &mut Studio, console: &Console) -> Result<(), String> {
        let (picture, format) = (self.picture(), self.format()?);
        console.stage("Drawing", |progress| save(picture, studio, stage, (&self.output, format), progress))?;
        let [width, height] = self.size();
        console.saved(&self.output, &format!("{width} x {height} pixels"));
        Ok(())
    }

    fn picture(&self) -> ImageOptions {
        ImageOptions { is_transparent: self.transparent, has_captions: self.captions, ..self.size().into() }
    }

    fn set_up(&self, console: &Console) -> Result<Stage, String> {
        output::refuse_to_replace(
            &self.output,
            self.sides.other_file().into_iter().chain(self.looks.environment_file()),
        )?;
        let mut stage = self.posed.open(WarningScope::Appearance, Some(&self.output), console)?;
        let display = self.display(&stage);
        stage.view.display = display;
        self.looks.light(&mut stage, console)?;
        self.posed.rigged.apply_config(&mut stage, console)?;
        self.sides.apply_to(&mut stage, self.posed.rigged.memory, console)?;
        if self.in_place && stage.playback.clip.is_none() {
            return Err("--in-place needs a clip. Choose one with --clip.".to_owned());
        }
        stage.playback.holds_root |= self.in_place;
        self.trails.apply_to(&mut stage)?;
        match (&self.camera, &self.view) {
            (Some(wanted), _) => look_through(&mut stage, wanted, console)?,
            (None, Some(view)) => stage.show_view(view)?,
            (None, None) => self.aim(&mut stage),
        }
        Ok(stage)
    }

    /// Checks the options of a video.
    fn video_target(&self) -> Result<VideoTarget, String> {
        let target = VideoTarget::from_path(&self.output)?;
        if self.size().iter().any(|side| *side > MAX_WHOLE_SIDE) {
            return Err(format!(
                "The frames of a video have at most {MAX_WHOLE_SIDE} pixels a side. Give a smaller --size."
            ));
        }
        target.check(self.size(), self.transparent)?;
        Ok(target)
    }

    fn render_video(&self, mut stage: Stage, studio: &mut Studio, console: &Console) -> Result<(), String> {
        let target = self.video_target()?;
        let light = stage.view.environment_file.wanted.as_deref();
        let inputs = self.posed.rigged.inputs(&stage.document).chain(light).map(Path::to_owned).collect();
        let video = Video { motion: self.video.motion(&stage)?, picture: self.picture(), target, inputs };
        if self.posed.rigged.session.is_none() && self.camera.is_none() {
            video.frame(&mut stage);
        }
        let count = console.stage("Rendering", |progress| {
            video.render_frames(studio, &mut stage, progress).map_err(|e| format!("The video was not saved: {e}"))
        })?;
        let ([width, height], rate) = (self.size(), video.motion.rate);
        console.saved(&self.output, &format!("{count} frames of {width} x {height} pixels, {rate} a second"));
        Ok(())
    }

    fn is_dark(&self) -> Option<bool> {
        let theme = self.theme.or(self.light.then_some(Theme::Light));
        theme.map(|theme| theme == Theme::Dark)
    }

    fn display(&self, stage: &Stage) -> Display {
        let shown = if self.posed.rigged.session.is_some() {
            stage.view.display
        } else {
            Display { bones: stage.rig().instances.is_empty(), ..Display::default() }
        };
        Display {
            bones: self.bones || shown.bones,
            grid: !self.no_grid && shown.grid,
            wireframe: self.wireframe || shown.wireframe,
            shading: self.looks.shading(shown.shading),
            light: self.looks.lighting(shown.light),
            is_dark: self.is_dark().unwrap_or(shown.is_dark),
            ..shown
        }
    }

    /// Applies the camera options. If there is no session, also moves the camera so that the character fills the image.
    fn aim(&self, stage: &mut Stage) {
        let camera = &mut stage.view.camera;
        camera.is_orthographic |= self.ortho;
        if let Some(fov) = self.fov {
            camera.set_fov(fov.to_radians());
        }
        let angles = [self.yaw, self.pitch];
        if self.posed.rigged.session.is_none() {
            stage.frame_from(angles, self.size());
        } else {
            stage.view.camera.aim(angles);
        }
    }
}

impl PerFile for RenderArgs {
    type Prepared = Stage;
    type Shared = SharedStudio;
    const DOING: &'static str = "Rendering";

    fn inputs(&mut self) -> &mut InputArgs {
        &mut self.inputs
    }

    fn set_file(&mut self, file: Option<Source>) {
        self.posed.rigged.file = file;
    }

    fn outputs(&mut self) -> Vec<OutputOption<'_>> {
        // The image of a file on a sheet has no file of its own.
        let output = (!self.is_tile()).then_some(("-o", &mut self.output));
        self.posed.rigged.outputs().chain(output).collect()
    }

    fn job(&self) -> Job {
        self.posed.rigged.memory.job()
    }

    fn check(&self) -> Result<(), String> {
        if self.is_video() {
            return self.video_target().map(drop);
        }
        self.sheet.check(self.size())?;
        let format = self.format()?;
        if self.transparent {
            format.check_transparency()?;
        }
        format.check_size(self.size())
    }

    fn prepare(&self, console: &Console) -> Result<Stage, String> {
        self.set_up(console)
    }

    fn finish(&self, stage: Stage, shared: &mut SharedStudio, console: &Console) -> Result<ExitCode, String> {
        let studio = shared.studio(self.device)?;
        studio.set_samples(self.samples);
        if self.is_tile() {
            self.render_tile(&stage, shared, console)?;
        } else if self.sheet.is_wanted() {
            self.render_sheet(stage, shared, console)?;
        } else if self.is_video() {
            self.render_video(stage, studio, console)?;
        } else {
            self.render_image(&stage, studio, console)?;
        }
        shared.warn_of_missing_fonts(console);
        Ok(ExitCode::SUCCESS)
    }

    fn run_single(&self, console: &Console) -> Result<ExitCode, String> {
        let (studio, stage) = Studio::beside(self.device.device, || self.prepare(console))?;
        self.finish(stage, &mut SharedStudio::from(studio), console)
    }
}

/// Renders and writes an image. If rendering or writing fails, an existing file stays unchanged.
fn save(
    picture: ImageOptions,
    studio: &mut Studio,
    stage: &Stage,
    (path, format): (&Path, ImageKind),
    progress: &Progress,
) -> Result<(), String> {
    let saved = output::write_by(path, |to| studio.write(stage, (picture, format), progress, to));
    saved.map_err(|e| format!("The image was not saved: {e} ({})", path.display()))
}

fn look_through(stage: &mut Stage, wanted: &str, console: &Console) -> Result<(), String> {
    let index = find("camera", wanted, stage.rig().cameras.iter().map(|camera| camera.name.as_str()))?;
    let odd = stage.camera_tie.look_through(index, &mut stage.view, &stage.document.rig, stage.characters.posed());
    stage
        .camera_tie
        .file_camera(&stage.view.camera)
        .ok_or_else(|| format!("The camera \"{wanted}\" has no direction"))?;
    if let Some(odd) = odd {
        console.warn(&odd);
    }
    Ok(())
}

/// Renders a character at rest into a temporary file, and returns the file's path.
pub fn render_without_display(
    source: &Source,
    memory: MemoryArgs,
    device: DeviceArgs,
    console: &Console,
) -> Result<PathBuf, String> {
    let path = default_picture_path(source);
    // Rejects links: another user may have created one that points to a file of this user.
    if path.is_symlink() {
        return Err(format!("{} is a link; remove it", path.display()));
    }
    let document = open_document((source, None), &ExtraClipArgs::default(), memory.job(), console)?;
    let mut stage = Stage::new(document);
    stage.view.display = Display { bones: stage.rig().instances.is_empty(), ..Display::default() };
    stage.aspect = 1.6;
    stage.frame_all();
    let mut studio = Studio::new(device.device)?;
    console.stage("Drawing", |progress| {
        save([1280, 800].into(), &mut studio, &stage, (&path, ImageKind::Png), progress)
    })?;
    Ok(path)
}

fn default_picture_path(source: &Source) -> PathBuf {
    let name = source.name();
    let stem = Path::new(&name).file_stem().map_or_else(|| "picture".into(), std::ffi::OsStr::to_os_string);
    let mut file = std::ffi::OsString::from("rigscope-");
    file.push(stem);
    file.push(".png");
    std::env::temp_dir().join(file)
}

fn parse_format(ending: &str) -> Result<ImageKind, String> {
    ImageKind::from_path(Path::new(&format!("picture.{ending}")))
        .map_err(|_unknown| "a format is png, jpg or webp".to_owned())
}

/// Parses the size, in pixels, of an image that is rendered in one piece.
pub(super) fn parse_size(text: &str) -> Result<[u32; 2], String> {
    size_within(text, MAX_WHOLE_SIDE)
}

fn size_within(text: &str, max_side: u32) -> Result<[u32; 2], String> {
    let parsed = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    parsed
        .filter(|size: &[u32; 2]| size.iter().all(|s| (1..=max_side).contains(s)))
        .ok_or_else(|| format!("a size is WIDTHxHEIGHT in pixels, each 1 to {max_side}, as in 1280x800"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_numbers_within_reason() {
        assert_eq!(parse_size("1280x800"), Ok([1280, 800]));
        assert_eq!(size_within("20000x12000", ImageOptions::MAX_SIDE), Ok([20_000, 12_000]));
        for bad in ["", "1280", "x", "0x5", "99999x2", "-1x2", "1280*800"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
