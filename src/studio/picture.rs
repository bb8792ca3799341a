//! One picture of the stage.

use std::borrow::Cow;

use image::RgbaImage;

use super::tiles::Tiling;
use crate::caption::{scale_for, words, write_over};
use crate::import::Job;
use crate::jobs::Progress;
use crate::render::{FrameInput, Headless, Scene, SkinningDevice, Tile};
use crate::stage::Stage;
use crate::text::fonts::Fonts;
use crate::view::{PerSide, Side};

/// Size and form of a picture, whatever it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// True where the character is cut out: straight alpha, and of the ground the shadow alone.
    pub is_transparent: bool,
    /// True where the labels of the sides and the legends of what is painted are written over the picture.
    pub has_captions: bool,
}

impl From<[u32; 2]> for Picture {
    /// An opaque picture of this size without captions.
    fn from(size: [u32; 2]) -> Self {
        Self { size, is_transparent: false, has_captions: false }
    }
}

impl Picture {
    /// Most pixels of the longest side: a picture of that many a side is 4 GiB before it is packed.
    pub const MOST_SIDE: u32 = 32_768;

    /// *Errors*: in words for the user, where no picture has this size.
    pub fn check(self) -> Result<(), String> {
        let [width, height] = self.size;
        let is_possible = self.size.iter().all(|side| (1..=Self::MOST_SIDE).contains(side));
        let wanted = || format!("A picture has 1 to {} pixels a side, not {width} x {height}", Self::MOST_SIDE);
        if is_possible { Ok(()) } else { Err(wanted()) }
    }
}

/// Draws what stages show, on the thread that made it. What was uploaded for one picture serves the next.
pub struct Studio {
    // The scene goes first.
    scene: Scene,
    _context: Headless,
    /// Width and height of tiles, where these are not the usual ones.
    tile: Option<[u32; 2]>,
    fonts: Fonts,
}

impl Studio {
    /// Opens an OpenGL context; vertices are skinned where `device` says, or where it suits the driver.
    ///
    /// *Errors*: in words for the user: no context, an old driver.
    pub fn new(device: Option<SkinningDevice>) -> Result<Self, String> {
        let context = Headless::new().map_err(|e| e.to_string())?;
        let mut scene = context.scene().map_err(|e| e.to_string())?;
        if let Some(device) = device {
            scene.skin_on(device);
        }
        Ok(Self { scene, _context: context, tile: None, fonts: Fonts::default() })
    }

    /// Draws with so many samples per pixel from now on, or as many as the driver has; four without this.
    pub fn set_samples(&mut self, samples: u32) {
        self.scene.set_samples(samples);
    }

    /// Draws pictures by tiles of this size from now on, pixels, multiples of 2; without this only those of more than 4096 pixels a side.
    pub fn set_tile(&mut self, tile: [u32; 2]) {
        self.tile = Some(tile);
    }

    /// Writes captions with these fonts from now on, in place of the system's.
    pub fn set_fonts(&mut self, fonts: Fonts) {
        self.fonts = fonts;
    }

    /// What captions are written with.
    pub fn fonts(&self) -> &Fonts {
        &self.fonts
    }

    /// A studio that is opened on this thread while `work` runs on another one, and what `work` returns.
    ///
    /// *Errors*: those of `work`; as [`Self::new`].
    pub fn beside<T: Send>(
        device: Option<SkinningDevice>,
        work: impl FnOnce() -> Result<T, String> + Send,
    ) -> Result<(Self, T), String> {
        std::thread::scope(|scope| {
            let working = scope.spawn(work);
            let studio = Self::new(device);
            let done = working.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok((studio?, done))
        })
    }

    /// Draws what the stage shows, in pixels; top row first.
    ///
    /// *Errors*: in words for the user: a size that no picture has, a method that cannot serve the rig, a rig too large for the driver.
    pub fn picture(&mut self, stage: &Stage, picture: impl Into<Picture>) -> Result<RgbaImage, String> {
        let picture = picture.into();
        let mut bytes = Vec::new();
        let add = |rows: RgbaImage| {
            bytes.append(&mut rows.into_raw());
            Ok(())
        };
        self.by_rows(stage, picture, &Progress::default(), add)?;
        let [width, height] = picture.size;
        RgbaImage::from_raw(width, height, bytes).ok_or_else(|| "the picture has rows without pixels".to_owned())
    }

    /// Draws what the stage shows some rows at a time, which `each` takes, those at the top first: of a picture of any size only these are in memory.
    /// Each tile is a step of the progress.
    ///
    /// *Errors*: as [`Self::picture`], those of `each`, a cancelled progress.
    pub fn by_rows(
        &mut self,
        stage: &Stage,
        picture: Picture,
        progress: &Progress,
        mut each: impl FnMut(RgbaImage) -> Result<(), String>,
    ) -> Result<(), String> {
        picture.check()?;
        check_methods(stage)?;
        let mut stage = Cow::Borrowed(stage);
        if stage.side_without_centers().is_some() {
            stage.to_mut().find_centers(&Job::default());
        }
        if picture.has_captions {
            self.fonts.find(&words(&stage));
        }
        let tiling = Tiling::new(picture.size, self.tile);
        progress.enter("Drawing", 0, tiling.count());
        let mut top = 0;
        for band in tiling.bands() {
            let mut rows = tiling.canvas(band);
            for piece in tiling.tiles(band) {
                progress.go_on().ok_or("it was cancelled")?;
                let drawn = self.drawn(&stage, (picture.size, piece.drawn()), picture.is_transparent)?;
                piece.place(&drawn, &mut rows);
                progress.add(1);
            }
            if picture.has_captions {
                write_over(&mut rows, (top, picture.size[1]), &stage, scale_for(picture.size), &self.fonts);
            }
            top += rows.height();
            each(rows)?;
        }
        Ok(())
    }

    fn drawn(
        &mut self,
        stage: &Stage,
        (size, tile): ([u32; 2], Tile),
        is_transparent: bool,
    ) -> Result<RgbaImage, String> {
        let sides = PerSide::from_fn(|side| stage.shown(side));
        let frame = FrameInput::of_sides(stage.rig(), sides, (stage.pose(), &stage.view), size);
        let frame = FrameInput { tile: Some(tile), version: stage.version(), ..frame };
        self.scene.picture(&frame, is_transparent).map_err(|e| e.to_string())
    }
}

/// *Errors*: a method that cannot serve the character of a side, in words.
fn check_methods(stage: &Stage) -> Result<(), String> {
    let mut shown = Side::ALL.into_iter().filter(|&side| stage.view.compare.shows(side));
    shown.try_for_each(|side| stage.skinning(side).check(&stage.actor(side).rig)).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Job;
    use crate::stage::{BuiltIn, Document, MeasureBench, Source};
    use crate::studio::measure_sides;
    use crate::view::{Ghost, Layout, Overlay, Wipe};

    const SIZE: [u32; 2] = [331, 270];
    const TILE: [u32; 2] = [96, 64];

    fn stage() -> Stage {
        let document = Document::open(&Source::BuiltIn(BuiltIn::Figure), &Job::default()).unwrap();
        let mut stage = Stage::new(document);
        stage.view.compare.wipe = Wipe { angle: 0.7, offset: 0.05 };
        stage.refresh();
        stage
    }

    /// The share of the values of a picture by tiles that are not those of the picture in one piece.
    fn differing(stage: &Stage, is_transparent: bool) -> f64 {
        let picture = |tile: Option<[u32; 2]>| {
            let mut studio = Studio::new(None).unwrap();
            if let Some(tile) = tile {
                studio.set_tile(tile);
            }
            studio.picture(stage, Picture { is_transparent, ..SIZE.into() }).unwrap()
        };
        let [whole, tiled] = [None, Some(TILE)].map(picture);
        assert_eq!(whole.dimensions(), tiled.dimensions());
        let differing = whole.iter().zip(tiled.iter()).filter(|(a, b)| a.abs_diff(**b) > 1).count();
        differing as f64 / whole.len() as f64
    }

    #[test]
    fn a_picture_by_tiles_is_the_picture_in_one_piece() {
        let mut stage = stage();
        for layout in Layout::ALL {
            for (ghost, is_transparent) in [(Ghost::Outline, true), (Ghost::Translucent, false)] {
                stage.set_layout(layout);
                stage.view.compare.ghost = ghost;
                stage.refresh();
                let share = differing(&stage, is_transparent);
                assert!(share < 0.001, "{share} of {layout:?}, {ghost:?}");
            }
        }
        // Lines a pixel wide cover other samples where their ends are rounded otherwise.
        stage.view.display.wireframe = true;
        let share = differing(&stage, false);
        assert!(share < 0.005, "{share} of wires");
    }

    #[test]
    fn painted_values_and_parallel_projection_are_those_of_the_whole_picture() {
        let mut stage = stage();
        stage.view.sides.a.paint(Some(Overlay::Distance));
        stage.view.camera.is_orthographic = true;
        stage.refresh();
        measure_sides(&mut stage, &mut MeasureBench::default()).unwrap();
        let share = differing(&stage, false);
        assert!(share < 0.001, "{share}");
    }

    #[test]
    fn a_size_that_no_picture_has_is_refused_before_memory_is_asked_for() {
        let mut studio = Studio::new(None).unwrap();
        for size in [[1_000_000_000, 5], [5, 32_769], [0, 5], [u32::MAX, u32::MAX]] {
            let problem = studio.picture(&stage(), size).unwrap_err();
            assert!(problem.starts_with("A picture has 1 to 32768 pixels a side, not "), "{problem}");
        }
    }

    #[test]
    fn a_cancelled_picture_is_an_error() {
        let mut studio = Studio::new(None).unwrap();
        let drawn = studio.by_rows(&stage(), SIZE.into(), &Progress::cancelled(), |_| Ok(()));
        assert_eq!(drawn, Err("it was cancelled".to_owned()));
    }
}
