mod actors;
mod cut_out;
mod drawn_actor;
mod draws;
mod layers;
mod pictures;
mod uploads;

use std::sync::Arc;
use std::time::Duration;

use glam::Vec3;
use image::RgbaImage;
use three_d::context::Context as GlContext;
use three_d::{Context, HasContext, Program, Viewport};

use actors::Actors;
use drawn_actor::DrawnActor;
use pictures::SceneImages;

use crate::render::RenderError;
use crate::render::annotations::marks::Marks;
use crate::render::annotations::skeleton::Skeleton;
use crate::render::annotations::trails::TrailLines;
use crate::render::background::contact_shadow::ContactShadow;
use crate::render::background::environment::EnvironmentBackground;
use crate::render::background::gradient::GradientBackground;
use crate::render::background::ground::Ground;
use crate::render::compare::divider::Divider;
use crate::render::compare::glass::Glass;
use crate::render::compare::outline::Outline;
use crate::render::frame::{FrameInput, FrameKey};
use crate::render::gl::card::{Card, CardTimer};
use crate::render::gl::driver::check_driver;
use crate::render::gl::get_or_create;
use crate::render::gl::gl_state::{Offscreen, check_errors, tidy};
use crate::render::gl::program::SetUniform;
use crate::render::gl::quad::{Quad, REPLACE, quad_program};
use crate::render::light::lights::Lights;
use crate::render::overlay::readback::Readback;
use crate::render::rig::gpu_rig::GpuRig;
use crate::render::rig::upload::Wake;
use crate::render::skinning::skinned::SkinnedVertices;
use crate::render::skinning::skinning_device::SkinningDevice;
use crate::render::skinning::skinning_stage::SkinningStage;
use crate::render::surface::primitive_programs::PrimitivePrograms;
use rigscope_core::skinning::{Deformed, Skinning};
use rigscope_core::view::HiddenItems;

/// All GPU state of the viewport. Its OpenGL context must be current in every call and on drop. Every call except
/// [`Self::paint`] leaves framebuffer 0 bound. In a window, call [`Self::draw`] once per frame and [`Self::paint`]
/// where the toolkit paints, which for egui is in an `egui_glow::CallbackFn`.
pub struct Scene {
    context: Context,
    quad: Quad,
    background: GradientBackground,
    /// Created on first use, like the optional fields that follow.
    ground: Option<Ground>,
    shadow: Option<ContactShadow>,
    environment: Option<EnvironmentBackground>,
    lights: Option<Lights>,
    skeleton: Option<Skeleton>,
    marks: Option<Marks>,
    trails: Option<TrailLines>,
    divider: Option<Divider>,
    outline: Option<Outline>,
    glass: Option<Glass>,
    copy: Option<Program>,
    readback: Readback,
    stage: SkinningStage,
    programs: PrimitivePrograms,
    draws_on_processor: bool,
    /// Characters of the latest frame's actors, one per geometry.
    characters: Vec<GpuRig>,
    actors: Actors,
    /// Character being uploaded, drawn once its geometry is complete.
    next: Option<GpuRig>,
    time_to_upload: Option<Duration>,
    is_interrupted: bool,
    wake: Wake,
    pictures: SceneImages,
    drawn: Option<FrameKey>,
    shadow_input: Option<ShadowInput>,
    key_shadow_inputs: Vec<Option<KeyShadowInput>>,
}

#[derive(Clone, PartialEq)]
struct ShadowInput {
    version: u64,
    actor: usize,
    skinning: Skinning,
    hidden: Arc<HiddenItems>,
}

#[derive(Clone, PartialEq)]
struct KeyShadowInput {
    caster: ShadowInput,
    towards_key: Vec3,
    /// Height of the ground that receives the shadow, in metres. `None` if there is no ground, or if the ground
    /// receives a different actor's shadow.
    ground: Option<f32>,
}

impl Scene {
    /// Compiles the programs that every image needs.
    ///
    /// *Errors*: [`RenderError::OldDriver`], [`RenderError::Program`].
    pub fn new(gl: Arc<GlContext>) -> Result<Self, RenderError> {
        check_driver(&gl)?;
        let context = Context::from_gl_context(gl)?;
        let _offscreen = Offscreen::begin(&context);
        let stage = SkinningStage::new(&context);
        Ok(Self {
            quad: Quad::new(&context),
            background: GradientBackground::new(&context)?,
            ground: None,
            shadow: None,
            environment: None,
            lights: None,
            skeleton: None,
            marks: None,
            trails: None,
            divider: None,
            outline: None,
            glass: None,
            copy: None,
            readback: Readback::default(),
            draws_on_processor: stage.device == SkinningDevice::Cpu,
            stage,
            programs: PrimitivePrograms::new(&context),
            characters: Vec::new(),
            actors: Actors::default(),
            next: None,
            time_to_upload: None,
            is_interrupted: false,
            wake: Arc::new(|| {}),
            pictures: SceneImages::default(),
            drawn: None,
            shadow_input: None,
            key_shadow_inputs: Vec::new(),
            context: context.clone(),
        })
    }

    /// Overrides the skinning device. The default depends on the driver's name.
    pub fn set_skinning_device(&mut self, device: SkinningDevice) {
        self.stage.device = device;
        self.drawn = None;
    }

    /// Returns the skinning device in use. For `Gpu`, this is `Compute` or `Feedback`.
    pub fn skins_on(&self) -> SkinningDevice {
        self.stage.actual_device()
    }

    /// Sets the samples per pixel, limited by the driver; the default is four.
    pub fn set_samples(&mut self, samples: u32) {
        self.pictures.samples = samples;
    }

    /// Sets a lower number of samples per pixel for images drawn during motion, until [`Self::refine`]. Intended for
    /// drivers whose multisampling is slow.
    pub fn set_samples_in_motion(&mut self, samples: Option<u32>) {
        self.pictures.in_motion = samples;
    }

    /// Returns the requested samples per pixel.
    pub fn samples(&self) -> u32 {
        self.pictures.samples
    }

    /// Returns true if the last image has fewer samples than requested. [`Self::refine`] redraws it with all samples.
    pub fn is_rough(&self) -> bool {
        self.drawn.is_some() && self.pictures.is_rough()
    }

    /// Waits until the driver has finished all work.
    #[expect(unsafe_code, reason = "three-d never waits")]
    pub fn finish(&self) {
        // SAFETY: only waits.
        unsafe { self.context.finish() };
    }

    /// Draws a frame and waits until the driver has finished it. Returns the GPU time if the driver has timer queries.
    /// *Errors*: see [`Self::draw`].
    pub fn draw_timed(&mut self, frame: &FrameInput<'_>) -> Result<Option<Duration>, RenderError> {
        let context = self.context.clone();
        let timer = CardTimer::start(&context);
        let drawn = self.draw(frame);
        let time = timer.map(CardTimer::stop);
        self.finish();
        drawn.map(|_| time)
    }

    /// Returns the driver, the device and their limits.
    pub fn card(&self) -> Card {
        Card::new(&self.context)
    }

    /// Returns true for a software rasteriser, judging by the driver's name.
    pub fn draws_on_processor(&self) -> bool {
        self.draws_on_processor
    }

    /// Returns the number of skinning runs so far. Each change that moves a primitive's vertices causes one run.
    pub fn skinning_runs(&self) -> u64 {
        self.stage.runs
    }

    /// Draws a frame offscreen, unless the image already shows it. Returns true if it drew the frame.
    ///
    /// *Errors*: a rig or size too large for the driver or its memory, a rejected program, a lost context. The next
    /// call retries; after running out of memory it uploads everything anew.
    pub fn draw(&mut self, frame: &FrameInput<'_>) -> Result<bool, RenderError> {
        if frame.drawn_part().size.contains(&0) {
            return Ok(false);
        }
        let drawn = self.draw_changed(frame);
        self.resolve_error(drawn)
    }

    fn draw_changed(&mut self, frame: &FrameInput<'_>) -> Result<bool, RenderError> {
        self.load(frame)?;
        let is_drawn = self.shows(frame) && !self.pictures.are_outdated();
        if !is_drawn {
            self.redraw(frame, true)?;
        }
        Ok(!is_drawn)
    }

    /// Redraws this frame with all samples if [`Self::is_rough`] is true. Returns true if it drew the frame. *Errors*:
    /// see [`Self::draw`].
    pub fn refine(&mut self, frame: &FrameInput<'_>) -> Result<bool, RenderError> {
        let is_wanted = self.is_rough() && self.shows(frame);
        let drawn = if is_wanted { self.redraw(frame, false) } else { Ok(()) };
        self.resolve_error(drawn).map(|()| is_wanted)
    }

    fn shows(&self, frame: &FrameInput<'_>) -> bool {
        self.drawn == Some(FrameKey::new(frame))
    }

    fn actor<'a>(&'a self, frame: &'a FrameInput<'a>, index: usize) -> Option<DrawnActor<'a>> {
        ready(&self.characters, frame, index).map(|rig| self.actors.drawn(frame, index, rig))
    }

    fn redraw(&mut self, frame: &FrameInput<'_>, moves: bool) -> Result<(), RenderError> {
        self.drawn = None;
        let context = self.context.clone();
        let _offscreen = Offscreen::begin(&context);
        get_or_create(&mut self.copy, || quad_program(&context, "copy", include_str!("copy.frag")))?;
        self.actors.update(&context, frame)?;
        self.pictures.prepare(&context, frame.drawn_part().size, moves)?;
        self.skin(frame)?;
        self.draw_shadows(frame)?;
        self.update_annotations(frame)?;
        self.prepare_ghosts(frame)?;
        self.draw_layers(frame)?;
        check_errors(&context)?;
        self.drawn = Some(FrameKey::new(frame));
        Ok(())
    }

    /// Copies the image into a rectangle of the bound framebuffer: x, y from the bottom left, width, height, in pixels.
    /// Respects the scissor box, as egui paint callbacks must. Does nothing without an image or after a failed draw.
    pub fn paint(&self, viewport: [i32; 4]) {
        let Some(picture) = self.pictures.current().filter(|_| self.drawn.is_some()) else { return };
        let [x, y, width, height] = viewport;
        let (Ok(pixels_wide), Ok(pixels_high)) = (u32::try_from(width), u32::try_from(height)) else { return };
        let Some(copy) = &self.copy else { return };
        copy.use_texture("picture", picture.texture());
        copy.set("viewportOrigin", [x as f32, y as f32]);
        copy.set("viewportSize", [width as f32, height as f32]);
        self.quad.draw(copy, REPLACE, Viewport { x, y, width: pixels_wide, height: pixels_high });
        tidy(&self.context);
    }

    /// Returns the image, top row first. *Errors*: [`RenderError::NoPicture`] without an image or after a failed draw.
    pub fn pixels(&self) -> Result<RgbaImage, RenderError> {
        let _offscreen = Offscreen::begin(&self.context);
        let picture = self.pictures.current().filter(|_| self.drawn.is_some()).ok_or(RenderError::NoPicture)?;
        Ok(picture.pixels())
    }

    /// Reads back the first actor's world-space vertices, by mesh instance and primitive. *Errors*: see [`Self::draw`].
    pub fn skinned(&mut self, frame: &FrameInput<'_>) -> Result<Vec<Vec<Deformed>>, RenderError> {
        let context = self.context.clone();
        let _offscreen = Offscreen::begin(&context);
        self.load(frame)?;
        self.actors.update(&context, frame)?;
        let Self { characters, actors, stage, .. } = self;
        let Some(rig) = ready(characters, frame, 0) else { return Ok(Vec::new()) };
        actors.skin((stage, &context), (frame, 0, rig), |_| true)?;
        let mut instances: Vec<Vec<Deformed>> = vec![Vec::new(); rig.rig().instances.len()];
        let actor = actors.drawn(frame, 0, rig);
        for part in actor.parts() {
            instances[part.instance].extend(actor.on_card.skinned.part(part.index).map(SkinnedVertices::read));
        }
        check_errors(&context)?;
        Ok(instances)
    }

    /// Reads back an actor's overlay from the graphics card, in the order of [`rigscope_core::view::Values`]. A value is either
    /// a scalar in x or an encoded colour; `None` stands for no value. *Errors*: see [`Self::draw`].
    pub fn painted(&mut self, frame: &FrameInput<'_>, index: usize) -> Result<Vec<Vec<Option<Vec3>>>, RenderError> {
        let context = self.context.clone();
        let _offscreen = Offscreen::begin(&context);
        self.load(frame)?;
        self.actors.update(&context, frame)?;
        let Some(rig) = ready(&self.characters, frame, index) else { return Ok(Vec::new()) };
        let actor = self.actors.drawn(frame, index, rig);
        let mut painted = Vec::new();
        for part in actor.parts() {
            painted.push(self.readback.painted(&context, part.primitive, actor.painted(&part))?);
        }
        check_errors(&context)?;
        Ok(painted)
    }

    /// Replaces an error with its root cause, if OpenGL reports one. If memory is exhausted, frees everything, so that
    /// a retry can succeed.
    fn resolve_error<T>(&mut self, result: Result<T, RenderError>) -> Result<T, RenderError> {
        let error = match result {
            Ok(done) => return Ok(done),
            Err(error) => match check_errors(&self.context) {
                Err(cause @ (RenderError::ContextLost | RenderError::OutOfMemory)) => cause,
                _ => error,
            },
        };
        if matches!(error, RenderError::OutOfMemory) {
            self.characters.clear();
            (self.actors, self.next, self.drawn) = (Actors::default(), None, None);
            (self.shadow, self.lights, self.outline, self.glass) = (None, None, None, None);
            self.shadow_input = None;
            self.key_shadow_inputs.clear();
            self.pictures.free();
        }
        Err(error)
    }
}

/// Returns the character with an actor's geometry, if this geometry is completely uploaded.
fn ready<'a>(characters: &'a [GpuRig], frame: &FrameInput<'_>, index: usize) -> Option<&'a GpuRig> {
    let rig = frame.geometry(frame.actors.get(index)?);
    characters.iter().find(|known| known.is_for(rig) && known.has_geometry())
}

#[cfg(test)]
mod tests;
