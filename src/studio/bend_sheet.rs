use image::RgbaImage;

use super::Studio;
use super::contact_sheet::ContactSheet;
use crate::analysis::flex::{FlexLimits, FlexResult};
use crate::import::Job;
use crate::jobs::Progress;
use crate::skinning::Method;
use crate::stage::Stage;

/// Contact sheet of a bend test: an image of each pose with two methods side by side, and its worst measure.
pub struct BendSheet<'a> {
    /// Poses to draw.
    pub results: Vec<&'a FlexResult>,
    /// Limits of the test.
    pub limits: &'a FlexLimits,
    /// Methods of side A and side B.
    pub methods: [Method; 2],
}

impl BendSheet<'_> {
    /// Maximum number of poses: a sheet of 25 rows.
    pub const MAX: usize = 100;

    /// Draws the sheet of a stage's open character. Each pose is a progress step. *Errors*: rendering fails; cancelled.
    pub fn draw(&self, studio: &mut Studio, stage: &Stage, progress: &Progress) -> Result<RgbaImage, String> {
        let mut sheet = ContactSheet::new(self.results.len());
        progress.enter("Drawing the poses", 0, self.results.len());
        let mut shot = ContactSheet::prepared(stage);
        for result in &self.results {
            progress.check_cancelled().ok_or("it was cancelled")?;
            shot.arrange_bend(result, self.methods);
            if shot.side_without_centers().is_some() {
                // They serve all tiles.
                shot.find_centers(&Job::default());
            }
            let summary = result.summary(shot.rig(), self.limits);
            sheet.add(studio, &shot, &[&result.pose.name, &summary])?;
            progress.add(1);
        }
        Ok(sheet.into_image())
    }
}
