use clap::{Args, ValueEnum};

use super::{RenderArgs, SharedStudio};
use crate::caption::CaptionColors;
use crate::cli::Console;
use crate::cli::console::cancelled;
use crate::cli::many_files::{PerFile, run_files, runs_of_all};
use crate::export::VideoTarget;
use crate::skinning::{Method, Skinning};
use crate::stage::Stage;
use crate::studio::{ContactSheet, RgbaImage, Studio, Video};
use crate::text::counted;
use crate::view::Side;

/// Options of a contact sheet.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct SheetArgs {
    /// Draw a sheet of images with captions: of all files, of frames of the clip, or of methods
    ///
    /// Rows and columns without images are left out.
    #[arg(long, value_name = "COLSxROWS", value_parser = grid, conflicts_with_all = ["fps", "turntable"])]
    sheet: Option<[u32; 2]>,

    /// What the sheet shows [default: files if there are several, frames with --clip, else methods]
    #[arg(long, value_name = "WHAT", requires = "sheet")]
    sheet_of: Option<SheetSubject>,
}

/// What the images of a sheet show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SheetSubject {
    /// Each file
    Files,
    /// Frames of the clip, evenly spaced from --time to its end
    Frames,
    /// Each skinning method that the rig supports
    Methods,
}

/// Size of an image on a sheet by default, in pixels.
pub(super) const TILE: [u32; 2] = [320, 240];

/// Lines of a caption.
const LINES: u32 = 1;

/// An image of a sheet, with its caption.
type CaptionedImage = (String, RgbaImage);

impl SheetArgs {
    pub(super) fn is_wanted(self) -> bool {
        self.sheet.is_some()
    }

    /// Returns whether a sheet shows an image of each file.
    pub(super) fn is_of_files(self, has_many_files: bool) -> bool {
        self.sheet.is_some() && self.sheet_of.map_or(has_many_files, |subject| subject == SheetSubject::Files)
    }

    /// Checks the size of the sheet. `tile` is the size of an image. *Errors*: it is too large.
    pub(super) fn check(self, tile: [u32; 2]) -> Result<(), String> {
        let Some(grid) = self.sheet else { return Ok(()) };
        let [width, height] = ContactSheet::size(tile, grid, LINES);
        let max = ContactSheet::MAX_SIDE;
        if width > max || height > max {
            return Err(format!(
                "The sheet would have {width} x {height} pixels; it may have {max} a side. Give a smaller --size."
            ));
        }
        Ok(())
    }

    /// Checks the number of images. *Errors*: there are more images than places.
    fn check_count(self, count: usize) -> Result<(), String> {
        let [columns, rows] = self.sheet.unwrap_or([1, 1]);
        if count > (columns * rows) as usize {
            let needed = (count as u32).div_ceil(columns);
            return Err(format!(
                "{} don't fit on a sheet of {columns}x{rows}. Give --sheet {columns}x{needed}.",
                counted(count, "image", "images")
            ));
        }
        Ok(())
    }

    /// Arranges images in the places of the sheet. *Errors*: there are more images than places.
    fn arranged(
        self,
        images: &[CaptionedImage],
        (tile, colors): ([u32; 2], CaptionColors),
        studio: &Studio,
    ) -> Result<RgbaImage, String> {
        self.check_count(images.len())?;
        // Empty rows would only enlarge the image.
        let [columns, _] = self.sheet.unwrap_or([1, 1]);
        let columns = columns.min(images.len() as u32);
        let mut sheet = ContactSheet::new(tile, [columns, (images.len() as u32).div_ceil(columns)], LINES, colors);
        for (caption, image) in images {
            sheet.add(image, &[caption], studio.fonts());
        }
        Ok(sheet.into_image())
    }
}

impl RenderArgs {
    /// Renders a sheet with an image of each file. The exit code is 2 if a file has no image.
    pub(super) fn render_files_sheet(self, console: &Console) -> Result<u8, String> {
        self.check()?;
        let runs = runs_of_all(self.clone(), console)?;
        self.sheet.check_count(runs.len())?;
        let mut done = run_files(&runs, self.inputs.threads(), console)?;
        let images = std::mem::take(&mut done.shared.images);
        self.save_sheet(&images, &mut done.shared, console)?;
        Ok(done.code)
    }

    /// Draws the image of a file for a sheet of many files.
    pub(super) fn render_tile(
        &self,
        stage: &Stage,
        shared: &mut SharedStudio,
        console: &Console,
    ) -> Result<(), String> {
        let image = self.tile(stage, shared.studio(self.device)?, console)?;
        shared.images.push((stage.document.source.name(), image));
        Ok(())
    }

    /// Renders a sheet of frames or methods of one file.
    pub(super) fn render_sheet(
        &self,
        stage: Stage,
        shared: &mut SharedStudio,
        console: &Console,
    ) -> Result<(), String> {
        let has_clip = stage.playback.clip.is_some();
        let usual = if has_clip { SheetSubject::Frames } else { SheetSubject::Methods };
        let studio = shared.studio(self.device)?;
        let images = match self.sheet.sheet_of.unwrap_or(usual) {
            SheetSubject::Frames if !has_clip => {
                return Err("A sheet of frames needs a clip. Choose one with --clip.".to_owned());
            }
            SheetSubject::Frames => self.frames(stage, studio, console)?,
            SheetSubject::Methods => self.methods(stage, studio, console)?,
            SheetSubject::Files => vec![(stage.document.source.name(), self.tile(&stage, studio, console)?)],
        };
        self.save_sheet(&images, shared, console)
    }

    fn tile(&self, stage: &Stage, studio: &mut Studio, console: &Console) -> Result<RgbaImage, String> {
        let name = format!("Drawing {}", stage.document.source.name());
        console.stage(&name, |_| studio.picture(stage, self.picture()))
    }

    /// Draws frames of the clip, evenly spaced, with the camera far enough for all of them.
    fn frames(&self, mut stage: Stage, studio: &mut Studio, console: &Console) -> Result<Vec<CaptionedImage>, String> {
        let [columns, rows] = self.sheet.sheet.unwrap_or([1, 1]);
        let motion = self.video.motion(&stage)?;
        let [from, to] = motion.clip_secs.unwrap_or_default();
        if self.posed.rigged.session.is_none() && self.camera.is_none() {
            let target = VideoTarget::from_path("frames.png".as_ref())?;
            Video { motion, picture: self.picture(), target, inputs: Vec::new() }.frame(&mut stage);
        }
        let count = columns * rows;
        console.stage("Drawing frames", |progress| {
            progress.begin(count as usize);
            let frame = |number: u32| {
                progress.check_cancelled().ok_or_else(cancelled)?;
                let time = from + (to - from) * number as f32 / (count - 1).max(1) as f32;
                stage.playback.pause_at(time, &stage.document.rig);
                stage.refresh();
                progress.add(1);
                Ok((format!("{time:.3} s"), studio.picture(&stage, self.picture())?))
            };
            (0..count).map(frame).collect()
        })
    }

    /// Draws the pose with each method that the rig supports.
    fn methods(&self, mut stage: Stage, studio: &mut Studio, console: &Console) -> Result<Vec<CaptionedImage>, String> {
        console.stage("Drawing methods", |progress| {
            progress.begin(Method::CHOICES.len());
            let mut images = Vec::new();
            for method in Method::CHOICES {
                progress.check_cancelled().ok_or_else(cancelled)?;
                progress.add(1);
                let skinning = Skinning { method, ..stage.view.sides.a.skinning.clone() };
                if skinning.check(stage.rig()).is_err() || stage.set_skinning(Side::A, skinning).is_err() {
                    continue;
                }
                stage.refresh();
                images.push((method.to_string(), studio.picture(&stage, self.picture())?));
            }
            Ok(images)
        })
    }

    fn save_sheet(
        &self,
        images: &[CaptionedImage],
        shared: &mut SharedStudio,
        console: &Console,
    ) -> Result<(), String> {
        if images.is_empty() {
            return Err("The sheet was not saved: it would show nothing".to_owned());
        }
        let colors = if self.is_dark().unwrap_or(true) { CaptionColors::DARK } else { CaptionColors::LIGHT };
        let sheet = self.sheet.arranged(images, (self.size(), colors), shared.studio(self.device)?)?;
        shared.warn_of_missing_fonts(console);
        super::output::save_sheet((&self.output, self.format()?), &sheet, console)
    }
}

/// Parses columns and rows, such as 5x4.
fn grid(text: &str) -> Result<[u32; 2], String> {
    super::size_within(text, 100).map_err(|_unknown| "give COLUMNSxROWS, each 1 to 100, as in 5x4".to_owned())
}
