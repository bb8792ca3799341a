use std::path::{Path, PathBuf};

use image::RgbaImage;

use crate::export::{ImageKind, VideoTarget};
use crate::files::{StreamedFile, byte_count};
use crate::import::Job;
use crate::jobs::{JobKind, Jobs, Worker, WorkerChannel};
use crate::render::RemoteScenes;
use crate::report::{Origin, ReportOptions, report};
use crate::stage::{Stage, VideoPlan};
use crate::state::{Action, Export, ExportJob, ExportSummary, JobResult, Settings, save};
use crate::studio::{ImageOptions, Studio, Video};
use crate::view::Display;

const EXPORT: JobKind = JobKind::new(
    "export",
    "Exporting",
    "No file was replaced; try another format, or rigscope bake and convert on the command line.",
);

#[derive(Debug)]
pub(super) struct VideoExport {
    pub stage: Stage,
    pub plan: VideoPlan,
    pub picture: ImageOptions,
    /// Access to the window's OpenGL context, for machines where a second context can't be created.
    pub scenes: RemoteScenes,
}

impl VideoExport {
    pub(super) fn new(stage: Stage, plan: VideoPlan, settings: &Settings, scenes: RemoteScenes) -> Self {
        let picture = image_options(plan.size(stage.aspect), settings);
        Self { stage: pictured(stage, settings), plan, picture, scenes }
    }
}

fn image_options(size: [u32; 2], settings: &Settings) -> ImageOptions {
    let (is_transparent, has_captions) = (settings.transparent_images, settings.captioned_images);
    ImageOptions { is_transparent, has_captions, ..size.into() }
}

/// Returns the stage as images show it. Bones are hidden if the user wants none and there is something else to see.
fn pictured(mut stage: Stage, settings: &Settings) -> Stage {
    if !settings.bones_in_images && !stage.rig().instances.is_empty() {
        let display = stage.view.display;
        stage.view.display = Display { bones: false, axes: false, springs: false, ..display };
    }
    stage
}

impl Export for VideoExport {
    fn begin(&self) -> &'static str {
        "The video was"
    }

    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<ExportSummary, String> {
        let target = VideoTarget::from_path(path)?;
        let mut stage = self.stage.clone();
        // Computes data that the sides still lack, such as a comparison file.
        stage.compute_pending(job);
        let video = Video { motion: self.plan.motion(&stage), picture: self.picture, target, inputs: inputs.to_vec() };
        let count = video.render_frames(&mut Studio::beside_window(&self.scenes), &mut stage, &job.progress);
        let count = count.map_err(|problem| problem.to_string())?;
        let size = if count == 1 { "one picture".to_owned() } else { format!("{count} pictures") };
        Ok(ExportSummary { size, loss_notes: Vec::new() })
    }
}

#[derive(Debug)]
pub(super) struct ReportExport {
    pub stage: Stage,
    pub has_bend_test: bool,
    pub scenes: RemoteScenes,
}

impl Export for ReportExport {
    fn begin(&self) -> &'static str {
        "The report was"
    }

    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<ExportSummary, String> {
        let action = if self.has_bend_test { Action::SaveReportWithBendTest } else { Action::SaveReport };
        let origin = Origin::now(format!("File > {} in the window", action.spec().name));
        let options = ReportOptions { has_bend_test: self.has_bend_test, ..ReportOptions::new(&origin) };
        let made = report(&mut Studio::beside_window(&self.scenes), &self.stage, options, &job.progress);
        let made = made.map_err(|e| e.to_string())?;
        let size = byte_count(made.html.len() as u64);
        save(path, inputs, || Ok(made.html.into_bytes()))?;
        Ok(ExportSummary { size, loss_notes: Vec::new() })
    }
}

/// An image of the viewport to save or copy.
#[derive(Debug)]
pub(super) struct ImageExport {
    stage: Stage,
    picture: ImageOptions,
    scenes: RemoteScenes,
}

impl ImageExport {
    /// Maximum size of an image on the clipboard, bytes. The clipboard and its readers each hold a copy.
    const MAX_COPIED: u64 = 1 << 28;

    /// `viewport` is the viewport's size in pixels, and its pixels per point.
    pub(super) fn new(
        stage: Stage,
        (viewport, pixels_per_point): ([u32; 2], f32),
        settings: &Settings,
        scenes: RemoteScenes,
    ) -> Self {
        let (size, scale) = settings.image_size.pixels(viewport);
        let pixels_per_point = Some(pixels_per_point * scale);
        let picture = ImageOptions { pixels_per_point, ..image_options(size, settings) };
        Self { stage: pictured(stage, settings), picture, scenes }
    }

    /// Draws the image for the clipboard. *Errors*: a message for the user if the image is too large or can't be drawn.
    pub(super) fn copied(&self) -> Result<RgbaImage, String> {
        self.picture.check()?;
        let [width, height] = self.picture.size;
        let bytes = 4 * u64::from(width) * u64::from(height);
        if bytes > Self::MAX_COPIED {
            return Err(format!(
                "{width} x {height} pixels are {}, more than the {} that Rigscope puts on the clipboard. Save the image, or \
                 choose a smaller size in File > Images > Size.",
                byte_count(bytes),
                byte_count(Self::MAX_COPIED)
            ));
        }
        Studio::beside_window(&self.scenes).picture(&self.stage, self.picture)
    }

    /// Returns the format for a file name. *Errors*: a message for the user if the format is unknown, or does not support
    /// transparency or the image's size.
    fn kind(&self, path: &Path) -> Result<ImageKind, String> {
        let kind = ImageKind::from_path(path).map_err(|e| e.to_string())?;
        if self.picture.is_transparent {
            kind.check_transparency()?;
        }
        self.picture.check()?;
        kind.check_size(self.picture.size)?;
        Ok(kind)
    }
}

impl Export for ImageExport {
    fn begin(&self) -> &'static str {
        "The picture was"
    }

    fn write(&self, path: &Path, _: &[PathBuf], job: &Job) -> Result<ExportSummary, String> {
        let kind = self.kind(path)?;
        let mut studio = Studio::beside_window(&self.scenes);
        let mut written = || {
            let mut file = StreamedFile::new(path)?;
            studio.write(&self.stage, (self.picture, kind), &job.progress, &mut file)?;
            file.place()
        };
        written().map_err(|e| format!("{e} ({})", path.display()))?;
        let [width, height] = self.picture.size;
        Ok(ExportSummary { size: format!("{width} x {height} pixels"), loss_notes: Vec::new() })
    }
}

/// Starts the thread that writes exports in the order in which they were requested. `memory_limit` is the maximum
/// decoded size, in bytes, of each file that is reread.
pub(super) fn start_exporter(jobs: &Jobs, memory_limit: u64) -> Worker<ExportJob, JobResult> {
    Worker::start(jobs, &EXPORT, move |desk: &WorkerChannel<ExportJob, JobResult>| {
        while let Some(saving) = desk.next() {
            let job = Job::with_memory_limit(memory_limit).with_progress(desk.progress());
            if let Some(told) = saving.run(&job) {
                desk.send(told);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::{BuiltIn, Document};
    use crate::state::ImageSize;

    fn picture(settings: &Settings) -> ImageExport {
        let stage = Stage::new(Document::built_in(BuiltIn::Tube));
        ImageExport::new(stage, ([120, 80], 1.0), settings, RemoteScenes::default())
    }

    #[test]
    fn a_larger_image_shows_the_same_with_more_pixels_and_bones_only_by_choice() {
        let draw = |settings: Settings| picture(&settings).copied().unwrap();
        let [one, two] = [ImageSize::Viewport, ImageSize::Double]
            .map(|image_size| draw(Settings { image_size, captioned_images: true, ..Settings::default() }));
        assert_eq!((one.dimensions(), two.dimensions()), ((120, 80), (240, 160)));
        let smaller = image::imageops::thumbnail(&two, 120, 80);
        let apart = one.iter().zip(smaller.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>();
        assert!(apart < 8 * one.len() as u64, "{apart} of {}", one.len());
        let bare = draw(Settings { bones_in_images: false, captioned_images: true, ..Settings::default() });
        assert_ne!(bare, one);
    }

    #[test]
    fn sizes_that_cannot_be_copied_or_saved_are_refused_with_a_reason() {
        assert_eq!(*ImageSize::WIDTHS.end(), ImageOptions::MAX_SIDE);
        let wide = |width| picture(&Settings { image_size: ImageSize::Width(width), ..Settings::default() });
        let problem = wide(20_000).copied().unwrap_err();
        assert!(problem.starts_with("20000 x 13333 pixels are ") && problem.contains("Save the image"), "{problem}");
        assert!(wide(20_000).kind(Path::new("a.png")).is_ok(), "it is written band by band");
        for (width, name) in [(20_000, "a.webp"), (30_000, "a.jpg"), (40_000, "a.png")] {
            assert!(wide(width).kind(Path::new(name)).is_err(), "{name} of {width}");
        }
    }

    #[test]
    fn a_saved_image_has_the_chosen_size() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.png", "a.jpg"] {
            let path = folder.path().join(name);
            let small = picture(&Settings { image_size: ImageSize::Width(60), ..Settings::default() });
            small.write(&path, &[], &Job::default()).unwrap();
            assert_eq!(image::image_dimensions(&path).unwrap(), (60, 40), "{name}");
        }
    }
}
