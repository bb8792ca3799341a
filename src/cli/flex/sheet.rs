use std::path::{Path, PathBuf};

use clap::Args;

use super::super::DeviceArgs;
use super::super::console::{Console, cancelled};
use super::super::many_files::OutputOption;
use super::super::output;
use super::super::render::SharedStudio;
use super::super::suggestions::with_suggestions;
use crate::analysis::flex::{FlexLimits, FlexPoseKind, FlexReport, FlexResult};
use crate::skinning::Method;
use crate::stage::{Document, Stage};
use crate::studio::BendSheet;

/// Options of a contact sheet of a bend test.
#[derive(Args, Clone, Debug)]
pub(super) struct SheetArgs {
    /// Also draw the worst poses, with both methods, into an image (.png, .jpg, .webp)
    #[arg(long, value_name = "OUT.{png,jpg,webp}")]
    sheet: Option<PathBuf>,

    /// Kind of poses on the sheet: joint, whole-body or clip [default: all kinds]
    #[arg(long, value_name = "KIND", requires = "sheet", hide_possible_values = true)]
    #[arg(value_parser = with_suggestions(FlexPoseKind::ALL.map(FlexPoseKind::name), kind))]
    sheet_poses: Option<FlexPoseKind>,

    /// Number of poses on the sheet, worst first
    #[arg(long, value_name = "N", requires = "sheet", default_value_t = 12)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=BendSheet::MAX as i64))]
    sheet_count: u8,

    #[command(flatten)]
    device: DeviceArgs,
}

impl SheetArgs {
    /// Returns the image file, if one is requested.
    pub(super) fn path(&self) -> Option<&Path> {
        self.sheet.as_deref()
    }

    /// Returns the option of the image, whose path may have placeholders.
    pub(super) fn output(&mut self) -> Option<OutputOption<'_>> {
        self.sheet.as_mut().map(|path| ("--sheet", path))
    }

    /// Checks the name of the image. *Errors*: no image format has its extension.
    pub(super) fn check(&self) -> Result<(), String> {
        self.path().map_or(Ok(()), |path| output::image_format(path).map(drop))
    }

    /// Draws and saves the sheet, if one is requested. `method` is the tested method. *Errors*: no pose has the
    /// requested kind; rendering or writing fails.
    pub(super) fn save(
        &self,
        document: Document,
        (report, limits, method): (&FlexReport, &FlexLimits, Method),
        shared: &mut SharedStudio,
        console: &Console,
    ) -> Result<(), String> {
        let Some(path) = self.path() else { return Ok(()) };
        let format = output::image_format(path)?;
        let name = document.source.full_name();
        let is_wanted = |result: &&FlexResult| self.sheet_poses.is_none_or(|kind| result.pose.kind == kind);
        let results: Vec<_> = report.poses.iter().filter(is_wanted).take(self.sheet_count.into()).collect();
        if results.is_empty() {
            let kind = self.sheet_poses.map_or_else(String::new, |kind| format!("{} ", kind.name()));
            return Err(format!("The sheet was not drawn: the test has no {kind}poses ({name})"));
        }
        let sheet = BendSheet { results, limits, methods: [method, method.counterpart()] };
        let stage = Stage::new(document);
        let studio = shared.studio(self.device)?;
        let drawn = console.stage("Drawing", |progress| {
            let drawn = sheet.draw(studio, &stage, progress);
            if progress.is_cancelled() { Err(cancelled()) } else { drawn }
        })?;
        shared.warn_of_missing_fonts(console);
        output::save_sheet((path, format), &drawn, console)
    }
}

fn kind(name: &str) -> Result<FlexPoseKind, String> {
    let found = FlexPoseKind::ALL.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| format!("there is no kind \"{name}\""))
}
