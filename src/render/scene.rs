//! The one scene: window and headless pictures are drawn by it.

use std::sync::Arc;
use std::time::Duration;

use glam::Vec3;
use image::RgbaImage;
use three_d::{Context, DepthTest, HasContext, Program, RenderStates, Viewport, WriteMask};

use super::RenderError;
use super::background::Background;
use super::divider::Divider;
use super::frame::{Drawn, FrameInput};
use super::gl_state::{GlState, check_errors};
use super::gpu_rig::{DrawnPart, GpuRig};
use super::ground::{Ground, GroundLook};
use super::loaded::Loaded;
use super::marks::Marks;
use super::outline::Outline;
use super::pane::{Cut, Pane, SideLook};
use super::picture::{Picture, SAMPLES};
use super::program::SetUniform;
use super::quad::Quad;
use super::readback::Readback;
use super::shadow::ContactShadow;
use super::skeleton::Skeleton;
use super::skinning_device::SkinningDevice;
use super::skinning_stage::{SideInput, SkinningStage};
use super::upload::{UploadBudget, Wake};
use crate::rig::Rig;
use crate::skinning::{Deformed, Skinning};
use crate::view::{Ghost, Hidden, Side};

/// Everything on the graphics card. Its OpenGL context must be current in every call and when it is dropped.
///
/// In a window, [`Self::draw`] once a frame, and [`Self::paint`] where egui paints:
/// ```no_run
/// # use std::sync::{Arc, Mutex};
/// # use rigscope::render::Scene;
/// fn viewport(ui: &egui::Ui, rect: egui::Rect, scene: &Arc<Mutex<Scene>>) {
///     let scene = Arc::clone(scene);
///     let callback = eframe::egui_glow::CallbackFn::new(move |info, _painter| {
///         let pixels = info.viewport_in_pixels();
///         if let Ok(scene) = scene.lock() {
///             scene.paint([pixels.left_px, pixels.from_bottom_px, pixels.width_px, pixels.height_px]);
///         }
///     });
///     ui.painter().add(egui::PaintCallback { rect, callback: Arc::new(callback) });
/// }
/// ```
pub struct Scene {
    context: Context,
    quad: Quad,
    background: Background,
    ground: Ground,
    shadow: ContactShadow,
    skeleton: Skeleton,
    marks: Marks,
    divider: Divider,
    outline: Outline,
    copy: Program,
    readback: Readback,
    stage: SkinningStage,
    rig: Option<Loaded>,
    /// On its way, to be drawn when its geometry is there.
    next: Option<GpuRig>,
    time_to_upload: Option<Duration>,
    /// The time was up before all that there was to upload.
    is_interrupted: bool,
    wake: Wake,
    picture: Option<Picture>,
    samples: u32,
    drawn: Option<Drawn>,
    shadowed: Option<Shadowed>,
}

/// What the shadow is of.
#[derive(PartialEq)]
struct Shadowed {
    version: u64,
    side: Side,
    skinning: Skinning,
    hidden: Hidden,
}

impl Scene {
    /// Sets up what every picture needs.
    ///
    /// *Errors*: [`RenderError::OldDriver`], [`RenderError::Program`].
    pub fn new(gl: Arc<three_d::context::Context>) -> Result<Self, RenderError> {
        let context = Context::from_gl_context(gl)?;
        check_version(&context)?;
        let _state = GlState::save(&context);
        let copy = Program::from_source(&context, include_str!("background.vert"), include_str!("copy.frag"))
            .map_err(|source| RenderError::Program { program: "copy", source })?;
        Ok(Self {
            quad: Quad::new(&context),
            background: Background::new(&context)?,
            ground: Ground::new(&context)?,
            shadow: ContactShadow::new(&context)?,
            skeleton: Skeleton::new(&context)?,
            marks: Marks::new(&context)?,
            divider: Divider::new(&context)?,
            outline: Outline::new(&context)?,
            copy,
            readback: Readback::default(),
            stage: SkinningStage::new(SkinningDevice::for_driver(&renderer(&context))),
            rig: None,
            next: None,
            time_to_upload: None,
            is_interrupted: false,
            wake: Arc::new(|| {}),
            picture: None,
            samples: SAMPLES,
            drawn: None,
            shadowed: None,
            context: context.clone(),
        })
    }

    /// Skins where this says instead of where the driver's name suggests.
    pub fn skin_on(&mut self, device: SkinningDevice) {
        self.stage.device = device;
        self.drawn = None;
    }

    /// Where vertices are skinned.
    pub fn skins_on(&self) -> SkinningDevice {
        self.stage.device
    }

    /// Draws with so many samples a pixel from now on, or as many as the driver has; four without this.
    pub fn set_samples(&mut self, samples: u32) {
        if self.samples != samples {
            self.samples = samples;
            self.drawn = None;
        }
    }

    /// Samples a pixel that were asked for.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Waits until all that was asked of the driver is done.
    #[expect(unsafe_code, reason = "three-d never waits")]
    pub fn finish(&self) {
        // SAFETY: waits, and changes nothing.
        unsafe { self.context.finish() };
    }

    /// Parts of rigs that were skinned since the start: each once when something that moves its vertices has changed.
    pub fn skinning_runs(&self) -> u64 {
        self.stage.runs
    }

    /// Spends no more time than this on uploading in one call of [`Self::prepare`] or [`Self::draw`]; otherwise each uploads everything.
    pub fn limit_uploads(&mut self, time: Duration) {
        self.time_to_upload = Some(time);
    }

    /// Has this called on another thread whenever that has made something for the next [`Self::draw`] to go on with.
    pub fn wake_by(&mut self, wake: impl Fn() + Send + Sync + 'static) {
        self.wake = Arc::new(wake);
    }

    /// Uploads a part of a rig that is to be drawn soon, while another one still is; how much of its geometry is there, 1 when all is.
    ///
    /// *Errors*: a rig too large for the driver.
    pub fn prepare(&mut self, rig: &Arc<Rig>) -> Result<f32, RenderError> {
        if self.rig.as_ref().is_some_and(|l| l.rig.is_of(rig)) {
            return Ok(1.0);
        }
        let _state = GlState::save(&self.context);
        let budget = UploadBudget::new(self.time_to_upload);
        let next = self.next.take().filter(|n| n.is_of(rig));
        let mut next = next.unwrap_or_else(|| GpuRig::new(&self.context, rig, &self.wake));
        let is_all = next.upload_geometry(&self.context, &budget)?;
        check_errors(&self.context)?;
        // Rounding must not say that all is there.
        let progress = if is_all { 1.0 } else { next.progress().min(0.999) };
        self.next = Some(next);
        Ok(progress)
    }

    /// Lets go of what [`Self::prepare`] has uploaded of a rig that will not be drawn.
    pub fn drop_prepared(&mut self) {
        self.next = None;
    }

    /// True while textures or edges of the drawn rig are missing, most of the time because another thread makes them.
    pub fn is_uploading(&self) -> bool {
        self.rig.as_ref().is_some_and(|l| l.rig.is_uploading())
    }

    /// True where the next [`Self::draw`] has more to upload already, which the time limit kept from the last one.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// Draws the picture offscreen unless it shows this very frame already; true if it drew.
    ///
    /// *Errors*: a rig or a size too large for the driver, a lost context. The next call tries again.
    pub fn draw(&mut self, frame: &FrameInput<'_>) -> Result<bool, RenderError> {
        if frame.size.contains(&0) {
            return Ok(false);
        }
        if self.upload_rest(frame)? {
            self.drawn = None;
        }
        let wanted = Drawn::of(frame);
        if self.drawn.as_ref() == Some(&wanted) && self.rig.as_ref().is_some_and(|l| l.rig.is_of(frame.rig)) {
            return Ok(false);
        }
        self.drawn = None;
        let context = self.context.clone();
        let _state = GlState::save(&context);
        self.load(frame)?;
        if self.picture.as_ref().is_none_or(|p| !p.is_of(frame.size, self.samples)) {
            self.picture = None;
            self.picture = Some(Picture::new(&context, frame.size, self.samples)?);
        }
        self.skin(frame)?;
        self.draw_shadow(frame)?;
        self.skeleton.update(frame);
        if let Some(loaded) = &mut self.rig {
            loaded.point_out(frame.rig, frame.view.hovered);
        }
        self.marks.update(frame);
        self.draw_outline_mask(frame)?;
        self.draw_layers(frame)?;
        check_errors(&context)?;
        self.drawn = Some(wanted);
        Ok(true)
    }

    /// Copies the picture into a rectangle of the bound framebuffer: x, y from the bottom left, width and height in pixels.
    ///
    /// For an egui paint callback. Clips to the scissor box that is set; without a picture, or after a draw that failed, nothing happens.
    pub fn paint(&self, viewport: [i32; 4]) {
        let Some(picture) = self.picture.as_ref().filter(|_| self.drawn.is_some()) else { return };
        let [x, y, width, height] = viewport;
        let (Ok(pixels_wide), Ok(pixels_high)) = (u32::try_from(width), u32::try_from(height)) else { return };
        let _state = GlState::save(&self.context);
        self.copy.use_texture("picture", picture.texture());
        self.copy.set("viewportOrigin", [x as f32, y as f32]);
        self.copy.set("viewportSize", [width as f32, height as f32]);
        let states =
            RenderStates { depth_test: DepthTest::Always, write_mask: WriteMask::COLOR, ..RenderStates::default() };
        self.quad.draw(&self.copy, states, Viewport { x, y, width: pixels_wide, height: pixels_high });
    }

    /// The picture, top row first.
    ///
    /// *Errors*: [`RenderError::NoPicture`] before the first [`Self::draw`] and after one that failed.
    pub fn pixels(&self) -> Result<RgbaImage, RenderError> {
        let _state = GlState::save(&self.context);
        let picture = self.picture.as_ref().filter(|_| self.drawn.is_some()).ok_or(RenderError::NoPicture)?;
        Ok(picture.pixels())
    }

    /// Positions and normals of side A in world space as they are drawn, by mesh instance and primitive.
    ///
    /// *Errors*: as [`Self::draw`].
    pub fn skinned(&mut self, frame: &FrameInput<'_>) -> Result<Vec<Vec<Deformed>>, RenderError> {
        let context = self.context.clone();
        let _state = GlState::save(&context);
        self.load(frame)?;
        let Some(loaded) = &mut self.rig else { return Ok(Vec::new()) };
        let mut instances: Vec<Vec<Deformed>> = vec![Vec::new(); frame.rig.instances.len()];
        for (instance, vertices) in
            loaded.skin_all(&mut self.stage, SideInput { context: &context, frame, side: Side::A })?
        {
            instances[instance].push(vertices.read());
        }
        check_errors(&context)?;
        Ok(instances)
    }

    /// What the graphics card paints over the vertices of a side, in the order of [`crate::view::Values`]: a scalar in x or an encoded
    /// colour; `None` where nothing is painted.
    ///
    /// *Errors*: as [`Self::draw`].
    pub fn painted(&mut self, frame: &FrameInput<'_>, side: Side) -> Result<Vec<Vec<Option<Vec3>>>, RenderError> {
        let context = self.context.clone();
        let _state = GlState::save(&context);
        self.load(frame)?;
        let Some(loaded) = &self.rig else { return Ok(Vec::new()) };
        let painted =
            |part: DrawnPart<'_>| self.readback.painted(&context, part.primitive, loaded.painted(&part, side));
        let parts: Result<_, _> = loaded.rig.parts().map(painted).collect();
        check_errors(&context)?;
        parts
    }

    /// Uploads what is not on the graphics card yet.
    fn load(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        if let Some(loaded) = self.rig.as_mut().filter(|l| l.rig.is_of(frame.rig)) {
            loaded.update(&self.context, frame)?;
        } else {
            // The old rig goes first: both may not fit.
            self.rig = None;
            self.shadowed = None;
            let prepared = self.next.take().filter(|n| n.is_of(frame.rig));
            let mut next = prepared.unwrap_or_else(|| GpuRig::new(&self.context, frame.rig, &self.wake));
            next.upload_geometry(&self.context, &UploadBudget::new(None))?;
            // What has been made for it meanwhile wakes nobody any more.
            self.is_interrupted = next.is_uploading();
            self.rig.insert(Loaded::new(next)).update(&self.context, frame)?;
        }
        if let Some(loaded) = self.rig.as_mut().filter(|_| frame.view.display.wireframe) {
            loaded.rig.prepare_edges(&self.wake);
        }
        if self.time_to_upload.is_none() {
            self.upload_rest(frame)?;
        }
        Ok(())
    }

    /// Goes on with the textures and edges of the rig that is drawn; true where more can be shown.
    fn upload_rest(&mut self, frame: &FrameInput<'_>) -> Result<bool, RenderError> {
        self.is_interrupted = false;
        let budget = UploadBudget::new(self.time_to_upload);
        let Some(loaded) = self.rig.as_mut().filter(|l| l.rig.is_uploading() && l.rig.is_of(frame.rig)) else {
            return Ok(false);
        };
        let has_texture = loaded.rig.upload_textures(&self.context, &budget);
        let has_edges = loaded.rig.upload_edges(&self.context, &budget)?;
        self.is_interrupted = budget.is_spent();
        Ok(has_edges || has_texture)
    }

    /// Renews the vertices that the picture shows and that have moved.
    fn skin(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let Some(loaded) = &mut self.rig else { return Ok(()) };
        let shown = Side::ALL.into_iter().filter(|&side| frame.view.compare.shows(side));
        for side in shown {
            loaded.skin(&mut self.stage, SideInput { context: &self.context, frame, side })?;
        }
        Ok(())
    }

    /// The shadow does not depend on the camera: orbiting costs nothing.
    fn draw_shadow(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let side = frame.view.compare.leading();
        let view = frame.view;
        let wanted = Some(Shadowed {
            version: frame.version,
            side,
            skinning: view.sides[side].skinning.clone(),
            hidden: view.hidden.clone(),
        });
        let Some(loaded) = self.rig.as_ref().filter(|_| view.display.grid && self.shadowed != wanted) else {
            return Ok(());
        };
        let context = &self.context;
        self.shadow.update(&self.quad, loaded.bounds(view, side), |eye, material| {
            loaded.draw_heights(context, (view, side), eye, material)
        })?;
        self.shadowed = wanted;
        Ok(())
    }

    /// Where B is, for a ghost that is an outline.
    fn draw_outline_mask(&mut self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let is_outline = frame.view.compare.ghost == Ghost::Outline;
        let pane = Pane::all(frame).into_iter().find(|pane| pane.has_ghost && is_outline);
        let (Some(loaded), Some(pane)) = (&self.rig, pane) else {
            self.outline.clear();
            return Ok(());
        };
        let look = SideLook { context: &self.context, eye: &pane.eye, view: frame.view, side: Side::B, cut: Cut::NONE };
        self.outline.update(&self.context, (frame.size, self.samples), || loaded.draw_mask(&look))
    }

    fn draw_layers(&self, frame: &FrameInput<'_>) -> Result<(), RenderError> {
        let (Some(loaded), Some(picture)) = (&self.rig, &self.picture) else { return Ok(()) };
        picture.clear();
        for pane in Pane::all(frame) {
            self.draw_pane(frame, loaded, picture, &pane)?;
        }
        picture.write(|| {
            self.divider.draw(&self.quad, frame);
            Ok(())
        })?;
        picture.resolve();
        Ok(())
    }

    fn draw_pane(
        &self,
        frame: &FrameInput<'_>,
        loaded: &Loaded,
        picture: &Picture,
        pane: &Pane,
    ) -> Result<(), RenderError> {
        let (eye, view, display) = (&pane.eye, frame.view, frame.view.display);
        let ground = GroundLook { rig_size: frame.rig.size(), is_dark: display.is_dark };
        let looks: Vec<SideLook<'_>> =
            pane.sides.iter().map(|&(side, cut)| SideLook { context: &self.context, eye, view, side, cut }).collect();
        picture.write_in(eye.viewport, || {
            self.background.draw(&self.quad, display.is_dark, eye.viewport);
            if display.grid {
                self.ground.draw_shadow(&self.quad, eye, &view.camera, &self.shadow, ground);
            }
            looks.iter().try_for_each(|look| loaded.draw_solid(look))?;
            if display.grid {
                self.ground.draw_grid(&self.quad, eye, &view.camera, &self.shadow, ground);
            }
            for look in &looks {
                loaded.draw_blended(look)?;
                if display.wireframe {
                    loaded.draw_wires(look)?;
                }
                self.marks.draw(look, &self.quad);
            }
            Ok(())
        })?;
        if let Some(solid) = looks.first().filter(|_| pane.has_ghost) {
            self.draw_ghost(loaded, picture, solid)?;
        }
        if display.bones {
            if display.bones_in_front {
                picture.clear_depth();
            }
            picture.write_in(eye.viewport, || {
                self.skeleton.draw(eye, &self.quad, view);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// B over what has been drawn.
    fn draw_ghost(&self, loaded: &Loaded, picture: &Picture, solid: &SideLook<'_>) -> Result<(), RenderError> {
        let ghost = SideLook { side: Side::B, ..*solid };
        let is_outline = solid.view.compare.ghost == Ghost::Outline;
        if !is_outline {
            picture.clear_depth();
        }
        picture.write(|| {
            if is_outline {
                self.outline.draw(&self.quad, solid.eye);
            } else {
                loaded.draw_ghost(&ghost, solid)?;
            }
            self.marks.draw(&ghost, &self.quad);
            Ok(())
        })
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        // The kept programs hold the context that keeps them.
        if let Ok(mut programs) = self.context.programs.write() {
            programs.clear();
        }
    }
}

/// What the driver calls itself.
#[expect(unsafe_code, reason = "three-d does not tell the name")]
fn renderer(context: &Context) -> String {
    // SAFETY: reads a string that every context has.
    unsafe { context.get_parameter_string(three_d::context::RENDERER) }
}

fn check_version(context: &Context) -> Result<(), RenderError> {
    let version = context.version();
    let wanted = if version.is_embedded { (3, 0) } else { (3, 3) };
    if (version.major, version.minor) >= wanted {
        return Ok(());
    }
    let kind = if version.is_embedded { "OpenGL ES" } else { "OpenGL" };
    Err(RenderError::OldDriver { found: format!("{kind} {}.{}", version.major, version.minor) })
}

#[cfg(test)]
mod tests {
    use super::super::Headless;
    use super::*;
    use crate::rig::{Pose, Posed};
    use crate::view::{PerSide, ShownSide, View};
    use three_d::{ClearState, Interpolation, Texture2D, Wrapping};

    #[test]
    fn scenes_move_between_threads() {
        fn is_send<T: Send>() {}
        is_send::<Scene>();
    }

    #[test]
    fn a_rig_without_anything_is_an_empty_picture_and_paint_copies_it_into_its_rectangle() {
        let headless = Headless::new().unwrap();
        let mut scene = headless.scene().unwrap();
        let (rig, posed, pose, view) = (Arc::new(Rig::default()), Posed::default(), Pose::default(), View::default());
        let frame = FrameInput {
            rig: &rig,
            sides: PerSide::both(ShownSide::new(&posed, &[])),
            centers: None,
            pose: &pose,
            view: &view,
            size: [16, 8],
            pixels_per_point: 1.0,
            version: 0,
        };
        assert!(scene.draw(&frame).unwrap());
        let picture = scene.pixels().unwrap();

        let (nearest, clamp) = (Interpolation::Nearest, Wrapping::ClampToEdge);
        let screen = Texture2D::new_empty::<[u8; 4]>(&scene.context, 20, 12, nearest, nearest, None, clamp, clamp);
        let target = screen.as_color_target(None);
        target.clear(ClearState::color(1.0, 0.0, 0.0, 1.0));
        target
            .write::<RenderError>(|| {
                scene.paint([3, 2, 16, 8]);
                Ok(())
            })
            .unwrap();
        let pixels: Vec<[u8; 4]> = target.read();
        let at = |x: usize, from_top: usize| pixels[from_top * 20 + x];
        assert_eq!(at(2, 5), [255, 0, 0, 255], "left of the rectangle");
        assert_eq!(at(3, 2), picture.get_pixel(0, 0).0, "its top left corner");
        assert_eq!(at(18, 9), picture.get_pixel(15, 7).0, "its bottom right corner");
        assert_eq!(at(18, 10), [255, 0, 0, 255], "below it");
    }
}
