use std::path::{Path, PathBuf};

use clap::Args;

use super::super::DeviceArgs;
use super::super::console::{Console, cancelled};
use super::super::output;
use super::super::render::SharedStudio;
use crate::import::Job;
use crate::refit::{Operation, Proof, ProofPose};
use crate::stage::{Document, Stage};
use crate::studio::RefitSheet;
use crate::view::ShownFile;

/// Options of a contact sheet of a changed skeleton.
#[derive(Args, Debug)]
pub(super) struct SheetArgs {
    /// Also draw the poses in which the skin differs most, before and after, into an image
    #[arg(long, value_name = "OUT.{png,jpg,webp}", conflicts_with = "check")]
    sheet: Option<PathBuf>,

    #[command(flatten)]
    device: DeviceArgs,
}

impl SheetArgs {
    /// Returns the image file, if one is requested.
    pub(super) fn path(&self) -> Option<&Path> {
        self.sheet.as_deref()
    }

    /// Checks the name of the image. *Errors*: no image format has its extension.
    pub(super) fn check(&self) -> Result<(), String> {
        self.path().map_or(Ok(()), |path| output::image_format(path).map(drop))
    }

    /// Draws and saves the sheet, if one is requested. *Errors*: rendering or writing fails.
    pub(super) fn save(
        &self,
        document: &Document,
        operations: &[Operation],
        (proof, poses): (&Proof, &[ProofPose]),
        job: Job,
        console: &Console,
    ) -> Result<(), String> {
        let Some(path) = self.path() else { return Ok(()) };
        let format = output::image_format(path)?;
        let mut stage = Stage::new(document.clone());
        stage.compare_with(ShownFile::Refit(operations.iter().map(Operation::to_string).collect()));
        let mut shared = SharedStudio::default();
        let studio = shared.studio(self.device)?;
        let drawn = console.stage("Drawing", |progress| {
            let notes = stage.compute_pending(&job.with_progress(progress.clone()));
            for note in &notes {
                console.note(note);
            }
            let drawn = RefitSheet { poses, size_m: proof.size_m }.draw(studio, &stage, progress);
            if progress.is_cancelled() { Err(cancelled()) } else { drawn }
        })?;
        shared.warn_of_missing_fonts(console);
        output::save_sheet((path, format), &drawn, console)
    }
}
