use image::RgbaImage;

use super::{ContactSheet, ImageOptions, Studio};
use crate::analysis::flex::{FlexLimits, FlexResult};
use crate::caption::CaptionColors;
use crate::import::Job;
use crate::jobs::Progress;
use crate::skinning::Method;
use crate::stage::Stage;
use crate::view::{Display, Layout, Side};

/// Size of the image of a pose, in pixels. Each method has half of it.
const TILE: [u32; 2] = [520, 320];

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
        let columns = self.columns();
        let rows = (self.results.len() as u32).div_ceil(columns);
        let mut sheet = ContactSheet::new(TILE, [columns, rows], 2, CaptionColors::LIGHT);
        progress.enter("Drawing the poses", 0, self.results.len());
        let mut shot = prepared(stage);
        for result in &self.results {
            progress.check_cancelled().ok_or("it was cancelled")?;
            shot.arrange_bend(result, self.methods);
            if shot.side_without_centers().is_some() {
                // They serve all tiles.
                shot.find_centers(&Job::default());
            }
            let tile = studio.picture(&shot, ImageOptions { has_captions: true, ..TILE.into() })?;
            let summary = result.summary(shot.rig(), self.limits);
            sheet.add(&tile, &[&result.pose.name, &summary], studio.fonts());
            progress.add(1);
        }
        Ok(sheet.into_image())
    }

    fn columns(&self) -> u32 {
        let count = self.results.len().max(1) as u32;
        count.min(if count > 12 { 4 } else { 3 })
    }
}

/// Returns a copy of the stage without overlays, for images with half the width for each side.
fn prepared(stage: &Stage) -> Stage {
    let mut shot = stage.clone();
    let bones = shot.rig().instances.is_empty();
    shot.view.display = Display { bones, is_dark: false, ..Display::default() };
    shot.set_layout(Layout::Single);
    for side in Side::ALL {
        shot.view.sides[side].paint(None);
    }
    shot.aspect = TILE[0] as f32 / TILE[1] as f32;
    shot
}
