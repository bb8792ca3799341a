use std::path::{Path, PathBuf};

use image::RgbaImage;

use crate::export::{ImageKind, VideoTarget};
use crate::files::byte_count;
use crate::import::Job;
use crate::jobs::{JobKind, Jobs, Worker, WorkerChannel};
use crate::render::RemoteScenes;
use crate::report::{Origin, report};
use crate::stage::{Stage, VideoPlan};
use crate::state::{Export, ExportJob, ExportSummary, JobResult, Settings, save};
use crate::studio::{ImageOptions, Studio, Video};

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
        let picture = ImageOptions {
            size: plan.size(stage.aspect),
            is_transparent: settings.transparent_pictures,
            has_captions: settings.captioned_pictures,
        };
        Self { stage, plan, picture, scenes }
    }
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
        let video =
            Video { motion: stage.video_motion(&self.plan), picture: self.picture, target, inputs: inputs.to_vec() };
        let count = video.render_frames(&mut Studio::beside_window(&self.scenes), &mut stage, &job.progress);
        let count = count.map_err(|problem| problem.to_string())?;
        let size = if count == 1 { "one picture".to_owned() } else { format!("{count} pictures") };
        Ok(ExportSummary { size, loss_notes: Vec::new() })
    }
}

#[derive(Debug)]
pub(super) struct ReportExport {
    pub stage: Stage,
    pub scenes: RemoteScenes,
}

impl Export for ReportExport {
    fn begin(&self) -> &'static str {
        "The report was"
    }

    fn write(&self, path: &Path, inputs: &[PathBuf], job: &Job) -> Result<ExportSummary, String> {
        let origin = Origin::now("File > Save report… in the window");
        let made = report(&mut Studio::beside_window(&self.scenes), &self.stage, &origin, &job.progress);
        let made = made.map_err(|e| e.to_string())?;
        let size = byte_count(made.html.len() as u64);
        save(path, inputs, || Ok(made.html.into_bytes()))?;
        Ok(ExportSummary { size, loss_notes: Vec::new() })
    }
}

#[derive(Debug)]
pub(super) struct PictureExport {
    /// Pixels (top row first), or an error text.
    pub pixels: Result<RgbaImage, String>,
    pub is_transparent: bool,
}

impl Export for PictureExport {
    fn begin(&self) -> &'static str {
        "The picture was"
    }

    fn write(&self, path: &Path, inputs: &[PathBuf], _: &Job) -> Result<ExportSummary, String> {
        let format = ImageKind::from_path(path).map_err(|e| e.to_string())?;
        if self.is_transparent {
            format.check_transparency()?;
        }
        let pixels = self.pixels.as_ref().map_err(Clone::clone)?;
        save(path, inputs, || format.encode(pixels).map_err(|e| e.to_string()))?;
        Ok(ExportSummary { size: format!("{} x {} pixels", pixels.width(), pixels.height()), loss_notes: Vec::new() })
    }
}

/// Starts the thread that writes exports in the order of requests. `memory_limit` is the limit, in bytes, of decoded
/// data per file that is reread.
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
