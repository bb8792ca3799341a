use glam::Vec2;
use image::{Rgba, RgbaImage, imageops};

use super::{ImageOptions, Studio};
use crate::analysis::flex::{FlexLimits, FlexResult};
use crate::caption::{CaptionColors, CaptionRect, draw_lines};
use crate::fonts::Fonts;
use crate::import::Job;
use crate::jobs::Progress;
use crate::rig::Rig;
use crate::skinning::Method;
use crate::stage::Stage;
use crate::view::{Display, Layout, Side};

/// Size of the image of a pose, in pixels. Each method has half of it.
const TILE: [u32; 2] = [520, 320];
/// Height of the caption below an image, in pixels.
const CAPTION: u32 = 48;
/// Scale of captions, in pixels per point.
const SCALE: f32 = 1.25;
/// Distance between tiles, and from the edge of the sheet, in pixels.
const GAP: u32 = 12;

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
        let [width, height] = [TILE[0] + GAP, TILE[1] + CAPTION + GAP];
        let [red, green, blue] = CaptionColors::LIGHT.ground;
        let ground = Rgba([red, green, blue, u8::MAX]);
        let mut sheet = RgbaImage::from_pixel(columns * width + GAP, rows * height + GAP, ground);
        progress.enter("Drawing the poses", 0, self.results.len());
        let mut shot = prepared(stage);
        for (result, number) in self.results.iter().zip(0..) {
            progress.check_cancelled().ok_or("it was cancelled")?;
            let corner = [number % columns * width + GAP, number / columns * height + GAP];
            shot.arrange_bend(result, self.methods);
            if shot.side_without_centers().is_some() {
                // They serve all tiles.
                shot.find_centers(&Job::default());
            }
            let tile = studio.picture(&shot, ImageOptions { has_captions: true, ..TILE.into() })?;
            imageops::replace(&mut sheet, &tile, corner[0].into(), corner[1].into());
            self.caption(studio.fonts(), &mut sheet, shot.rig(), (result, corner));
            progress.add(1);
        }
        Ok(sheet)
    }

    fn columns(&self) -> u32 {
        let count = self.results.len().max(1) as u32;
        count.min(if count > 12 { 4 } else { 3 })
    }

    fn caption(&self, fonts: &Fonts, sheet: &mut RgbaImage, rig: &Rig, (result, [left, top]): (&FlexResult, [u32; 2])) {
        let summary = result.summary(rig, self.limits);
        let lines = [result.pose.name.as_str(), &summary];
        fonts.find(&lines.concat());
        let min = Vec2::new(left as f32, (top + TILE[1] + 4) as f32);
        let area = CaptionRect::new(min / SCALE, Vec2::new(TILE[0] as f32, CAPTION as f32) / SCALE);
        draw_lines(sheet, area, &lines, (SCALE, CaptionColors::LIGHT), fonts);
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
