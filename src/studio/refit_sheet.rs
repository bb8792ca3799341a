use image::RgbaImage;

use super::pose_sheet::PoseSheet;
use super::{Studio, measure_sides};
use crate::jobs::Progress;
use crate::refit::ProofPose;
use crate::stage::{MeasureBench, Stage};

/// Contact sheet of a changed skeleton: an image of each pose with the open and the changed character side by side, and
/// how far the skin is apart.
pub struct RefitSheet<'a> {
    /// Poses to draw.
    pub poses: &'a [ProofPose],
    /// Size of the character, metres.
    pub size_m: f64,
}

impl RefitSheet<'_> {
    /// Draws the sheet of a stage whose side B shows the changed character. Each pose is a progress step. *Errors*:
    /// rendering fails; cancelled.
    pub fn draw(&self, studio: &mut Studio, stage: &Stage, progress: &Progress) -> Result<RgbaImage, String> {
        let mut sheet = PoseSheet::new(self.poses.len());
        progress.enter("Drawing the poses", 0, self.poses.len());
        let (mut shot, mut bench) = (PoseSheet::prepared(stage), MeasureBench::default());
        for pose in self.poses {
            progress.check_cancelled().ok_or("it was cancelled")?;
            shot.arrange_proof(pose);
            measure_sides(&mut shot, &mut bench)?;
            sheet.add(studio, &shot, &[&pose.title, &pose.skin.summary(self.size_m)])?;
            progress.add(1);
        }
        Ok(sheet.into_image())
    }
}
