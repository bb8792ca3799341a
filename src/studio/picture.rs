use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;

use image::RgbaImage;

use super::tiles::Tiling;
use crate::analysis::sides::MeasureError;
use crate::caption::{caption_text, draw_captions, scale_for};
use crate::export::{ImageKind, write_png};
use crate::fonts::Fonts;
use crate::import::Job;
use crate::jobs::Progress;
use crate::render::{FrameInput, Headless, RemoteScene, RemoteScenes, RenderError, Scene, SkinningDevice, Tile};
use crate::skinning::Normals;
use crate::stage::{DerivedResult, MeasureBench, MeasurePlan, Stage};
use crate::view::{OverlayInput, PerSide, Side};

/// Size and options of an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageOptions {
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// True for a transparent background (straight alpha), on which only the shadow on the ground is drawn.
    pub is_transparent: bool,
    /// True to draw side labels and overlay legends over the image.
    pub has_captions: bool,
    /// Scale of lines, bones and captions; `None` for lines of one pixel and captions that fit the size.
    pub pixels_per_point: Option<f32>,
}

impl From<[u32; 2]> for ImageOptions {
    fn from(size: [u32; 2]) -> Self {
        Self { size, is_transparent: false, has_captions: false, pixels_per_point: None }
    }
}

impl ImageOptions {
    /// Maximum side length, in pixels. A square image of this size takes 4 GiB before compression.
    pub const MAX_SIDE: u32 = 32_768;

    /// Checks the size. *Errors*: a message for the user if the size is invalid.
    pub fn check(self) -> Result<(), String> {
        let [width, height] = self.size;
        let is_possible = self.size.iter().all(|side| (1..=Self::MAX_SIDE).contains(side));
        let wanted = || format!("A picture has 1 to {} pixels a side, not {width} x {height}", Self::MAX_SIDE);
        if is_possible { Ok(()) } else { Err(wanted()) }
    }
}

enum RenderTarget {
    // The scene must be dropped before its context.
    Own { scene: Box<Scene>, _context: Headless },
    Window(RemoteScene),
}

impl RenderTarget {
    fn new() -> Result<Self, String> {
        let context = Headless::new().map_err(|e| e.to_string())?;
        let scene = context.scene().map_err(|e| e.to_string())?;
        Ok(Self::Own { scene: Box::new(scene), _context: context })
    }

    fn draw<T: Send + 'static>(
        &mut self,
        mut step: impl FnMut(&mut Scene) -> Option<Result<T, RenderError>> + Send + 'static,
    ) -> Result<T, String> {
        let done = match self {
            Self::Own { scene, .. } => std::iter::repeat_with(|| step(scene)).find_map(|done| done),
            Self::Window(scene) => scene.draw(step),
        };
        done.ok_or("the window is closed, or cannot draw it")?.map_err(|e| e.to_string())
    }
}

/// Renders images of stages. Uploaded data is reused for the next image.
pub struct Studio {
    canvas: RenderTarget,
    /// Samples per pixel; `None` for the default.
    samples: Option<u32>,
    tile: Option<[u32; 2]>,
    fonts: Fonts,
}

impl Studio {
    /// Creates a studio with its own OpenGL context. `device` selects where vertices are skinned; by default, this
    /// depends on the driver. *Errors*: a message for the user if there is no context or the driver is too old.
    pub fn new(device: Option<SkinningDevice>) -> Result<Self, String> {
        let mut canvas = RenderTarget::new()?;
        if let (RenderTarget::Own { scene, .. }, Some(device)) = (&mut canvas, device) {
            scene.set_skinning_device(device);
        }
        Ok(Self::on(canvas))
    }

    /// Creates a studio in a process with a window. If it can get its own OpenGL context, it renders on this thread, so
    /// that long jobs don't block the window. Otherwise, it renders with the window's context.
    pub fn beside_window(scenes: &RemoteScenes) -> Self {
        Self::on_own_or_window(RenderTarget::new(), scenes)
    }

    fn on_own_or_window(own: Result<RenderTarget, String>, scenes: &RemoteScenes) -> Self {
        Self::on(own.unwrap_or_else(|problem| {
            log::info!("images are drawn with the window's context: {problem}");
            RenderTarget::Window(scenes.open())
        }))
    }

    fn on(canvas: RenderTarget) -> Self {
        Self { canvas, samples: None, tile: None, fonts: Fonts::default() }
    }

    /// Sets the samples per pixel, limited by the driver; the default is four.
    pub fn set_samples(&mut self, samples: u32) {
        self.samples = Some(samples);
    }

    /// Sets the tile size (pixels, even). By default, only images with a side longer than 4096 pixels are tiled.
    pub fn set_tile(&mut self, tile: [u32; 2]) {
        self.tile = Some(tile);
    }

    /// Sets the caption fonts. By default, the system's fonts are used.
    pub fn set_fonts(&mut self, fonts: Fonts) {
        self.fonts = fonts;
    }

    /// Returns the fonts for captions.
    pub fn fonts(&self) -> &Fonts {
        &self.fonts
    }

    /// Creates a studio on this thread while `work` runs on another thread, and returns both results. *Errors*: those
    /// of `work` and [`Self::new`].
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

    /// Renders the stage and returns the image, top row first. *Errors*: a message for the user if the size is invalid,
    /// a method doesn't support the rig, or the rig is too large for the driver.
    pub fn picture(&mut self, stage: &Stage, picture: impl Into<ImageOptions>) -> Result<RgbaImage, String> {
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

    /// Renders the image in bands of rows from the top, to save memory, and passes each band to `each`. Each tile is a
    /// progress step. *Errors*: as [`Self::picture`]; errors of `each`; cancellation.
    pub fn by_rows(
        &mut self,
        stage: &Stage,
        picture: ImageOptions,
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
            self.fonts.find(&caption_text(&stage));
        }
        let tiling = Tiling::new(picture.size, self.tile);
        progress.enter("Drawing", 0, tiling.count());
        let mut top = 0;
        for band in tiling.bands() {
            let mut rows = tiling.canvas(band);
            for tile in tiling.tiles(band) {
                progress.check_cancelled().ok_or("it was cancelled")?;
                let drawn = self.drawn(&stage, picture, tile.with_margin())?;
                tile.copy_into(&drawn, &mut rows);
                progress.add(1);
            }
            if picture.has_captions {
                let scale = picture.pixels_per_point.unwrap_or_else(|| scale_for(picture.size));
                draw_captions(&mut rows, (top, picture.size[1]), &stage, scale, &self.fonts);
            }
            top += rows.height();
            each(rows)?;
        }
        Ok(())
    }

    /// Renders an image and writes it in a format. A PNG is written band by band, to save memory. *Errors*: those of
    /// [`Self::by_rows`]; the format can't store the image; writing fails.
    pub fn write(
        &mut self,
        stage: &Stage,
        (picture, kind): (ImageOptions, ImageKind),
        progress: &Progress,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        if kind == ImageKind::Png {
            return write_png(to, picture.size, &mut |add| {
                let add = |rows: RgbaImage| add(&rows).map_err(|e| e.to_string());
                self.by_rows(stage, picture, progress, add).map_err(io::Error::other)
            });
        }
        let drawn = self.picture(stage, picture).map_err(io::Error::other)?;
        to.write_all(&kind.encode(&drawn)?)
    }

    fn drawn(&mut self, stage: &Stage, picture: ImageOptions, tile: Tile) -> Result<RgbaImage, String> {
        let (stage, samples) = (stage.clone(), self.samples);
        self.canvas.draw(move |scene| {
            if let Some(samples) = samples {
                scene.set_samples(samples);
            }
            let sides = PerSide::from_fn(|side| stage.shown(side));
            let frame = FrameInput::for_sides(stage.rig(), sides, (stage.pose(), &stage.view), picture.size);
            let pixels_per_point = picture.pixels_per_point.unwrap_or(frame.pixels_per_point);
            let frame = FrameInput { tile: Some(tile), version: stage.characters.version(), pixels_per_point, ..frame };
            // In a window, each call uploads only as much as fits in a frame.
            if scene.limits_uploads() && !scene.draw_complete(&frame).unwrap_or(true) {
                return None;
            }
            Some(scene.picture(&frame, picture.is_transparent))
        })
    }
}

fn check_methods(stage: &Stage) -> Result<(), String> {
    let mut shown = Side::ALL.into_iter().filter(|&side| stage.view.compare.shows(side));
    shown.try_for_each(|side| stage.view.sides[side].skinning.check(&stage.actor(side).rig)).map_err(|e| e.to_string())
}

/// Computes the overlays, centres of rotation and normals that the sides lack in the stage's pose. *Errors*: a message
/// for the user if the method doesn't support the rig or the rig is too large to measure.
pub fn measure_sides(stage: &mut Stage, bench: &mut MeasureBench) -> Result<(), String> {
    stage.find_centers(&Job::default());
    let recomputes_normals = stage.view.sides.iter().any(|side| side.skinning.normals == Normals::Recomputed);
    if !recomputes_normals && Side::ALL.into_iter().all(|side| stage.view.overlay(side).is_none()) {
        return Ok(());
    }
    let progress = Progress::default();
    if stage.view.is_painted(OverlayInput::Findings) && stage.lint.findings.is_none() {
        let rig = Arc::clone(stage.rig());
        let findings = stage.document.findings(&rig, &progress).unwrap_or_default();
        DerivedResult::findings(rig, Some(findings.into())).store_in(stage);
    }
    let plan = MeasurePlan::new(stage);
    if !stage.measured.is_for(&plan) {
        let measured = bench.measure(&plan, &progress).unwrap_or(Err(MeasureError::Cancelled));
        let measured = measured.map_err(|problem| problem.to_string())?;
        stage.take_measured(plan, Ok(measured));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use glam::Quat;

    use super::*;

    use crate::render::SceneHost;
    use crate::rig::{Pose, Trs};
    use crate::stage::{BuiltIn, Document, MeasureBench};
    use crate::studio::measure_sides;
    use crate::view::{Ghost, Layout, Overlay, OverlayValues, Side, Wipe};

    const SIZE: [u32; 2] = [331, 270];
    const TILE: [u32; 2] = [96, 64];

    fn stage() -> Stage {
        let document = Document::built_in(BuiltIn::Figure);
        let mut stage = Stage::new(document);
        stage.view.compare.wipe = Wipe { angle: 0.7, offset: 0.05 };
        stage.refresh();
        stage
    }

    /// Returns the fraction of values that differ between the tiled and the untiled image.
    fn differing(stage: &Stage, is_transparent: bool) -> f64 {
        let picture = |tile: Option<[u32; 2]>| {
            let mut studio = Studio::new(None).unwrap();
            if let Some(tile) = tile {
                studio.set_tile(tile);
            }
            studio.picture(stage, ImageOptions { is_transparent, ..SIZE.into() }).unwrap()
        };
        let [whole, tiled] = [None, Some(TILE)].map(picture);
        assert_eq!(whole.dimensions(), tiled.dimensions());
        let differing = whole.iter().zip(tiled.iter()).filter(|(a, b)| a.abs_diff(**b) > 1).count();
        differing as f64 / whole.len() as f64
    }

    #[test]
    fn a_picture_by_tiles_is_the_picture_in_one_piece() {
        let mut stage = stage();
        let ghosts = [Ghost::Outline, Ghost::Translucent];
        // The layout of ghosts is drawn with each of them.
        let layouts = Layout::ALL.into_iter().chain([Layout::Ghost]).zip(ghosts.into_iter().cycle());
        for (layout, ghost) in layouts {
            stage.set_layout(layout);
            stage.view.compare.ghost = ghost;
            stage.refresh();
            let share = differing(&stage, ghost == Ghost::Outline);
            assert!(share < 0.001, "{share} of {layout:?}, {ghost:?}");
        }
        // The ends of one-pixel lines are rounded differently, so the lines cover other samples.
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

    #[test]
    fn beside_a_window_whose_context_is_the_only_one_pictures_are_drawn_by_that() {
        let expected = Studio::new(None).unwrap().picture(&stage(), SIZE).unwrap();
        let headless = Headless::new().expect("Mesa's software device is enough");
        let time = Duration::from_millis(1);
        let (mut host, scenes) = SceneHost::new(headless.context(), time, || {});
        let other = std::thread::Builder::new()
            .name("other".to_owned())
            .spawn(move || {
                let refused = Err("the context stays not current".to_owned());
                let mut studio = Studio::on_own_or_window(refused, &scenes);
                assert!(matches!(studio.canvas, RenderTarget::Window(_)));
                studio.picture(&stage(), SIZE).unwrap()
            })
            .unwrap();
        while !other.is_finished() {
            host.go_on(time);
        }
        assert!(other.join().unwrap() == expected, "it is another picture");
        assert!(matches!(Studio::beside_window(&RemoteScenes::default()).canvas, RenderTarget::Own { .. }));
    }

    fn painted(stage: &mut Stage, bench: &mut MeasureBench) -> OverlayValues {
        stage.view.sides.a.paint(Some(Overlay::EdgeStretch));
        stage.refresh();
        measure_sides(stage, bench).unwrap();
        stage.measured.painted(&stage.view, Side::A).unwrap().clone()
    }

    #[test]
    fn a_stage_is_measured_anew_where_its_pose_is_another_and_only_there() {
        let document = Document::built_in(BuiltIn::Tube);
        let [mut stage, mut alone] = [(); 2].map(|()| Stage::new(document.clone()));
        let mut bench = MeasureBench::default();
        let at_rest = painted(&mut stage, &mut bench);
        assert_eq!(painted(&mut stage, &mut bench).version, at_rest.version);
        let mut bent = Pose::rest(&stage.rig().hierarchy);
        let middle = stage.rig().hierarchy.node_named("Middle").unwrap();
        bent.set_user_local(middle, Trs::from_rotation(Quat::from_rotation_x(1.0)));
        stage.edit_pose(|pose| pose.clone_from(&bent));
        alone.edit_pose(|pose| *pose = bent);
        let found = painted(&mut stage, &mut bench);
        assert_ne!(found.version, at_rest.version);
        assert_ne!(found.values, at_rest.values);
        assert_eq!(found.values, painted(&mut alone, &mut MeasureBench::default()).values);
    }
}
