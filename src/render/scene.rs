//! The one scene: window and headless pictures are drawn by it.

use std::sync::Arc;

use image::RgbaImage;
use three_d::{Context, Program, RenderStates, Viewport, WriteMask};

use super::RenderError;
use super::background::Background;
use super::eye::Eye;
use super::frame_data::FrameData;
use super::gl_state::{GlState, check_errors};
use super::gpu_rig::{GpuRig, Part};
use super::picture::Picture;
use super::primitive::{Shape, SkinnedPrimitive};
use super::program::SetUniform;
use super::quad::Quad;
use super::readback::Readback;
use super::surface::{Pass, Surface};
use crate::rig::{Pose, Posed, Rig};
use crate::skinning::{Deformed, Method, Palette};
use crate::view::View;

/// All that a picture shows.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// The character; another `Arc` is uploaded anew.
    pub rig: &'a Arc<Rig>,
    /// World matrices and morph weights.
    pub posed: &'a Posed,
    /// From [`crate::skinning::palettes`]: one per mesh instance.
    pub palettes: &'a [Palette],
    /// Which joints the user moved.
    pub pose: &'a Pose,
    /// Camera, method, display.
    pub view: &'a View,
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// Scale of the interface: bones are drawn in points.
    pub pixels_per_point: f32,
    /// Another number whenever rig, posed, palettes or pose are others.
    pub version: u64,
}

/// What the drawn picture depends on.
#[derive(Clone, PartialEq)]
struct Drawn {
    version: u64,
    view: View,
    size: [u32; 2],
    pixels_per_point: f32,
}

/// Everything on the graphics card. Its OpenGL context must be current in every call and when it is dropped.
pub struct Scene {
    context: Context,
    quad: Quad,
    background: Background,
    copy: Program,
    readback: Readback,
    rig: Option<Loaded>,
    picture: Option<Picture>,
    drawn: Option<Drawn>,
}

/// A rig and its newest frame.
struct Loaded {
    rig: GpuRig,
    frame: FrameData,
    version: u64,
}

impl Scene {
    /// Sets up what every picture needs.
    ///
    /// *Errors*: [`RenderError::OldDriver`], [`RenderError::Program`].
    pub fn new(gl: Arc<three_d::context::Context>) -> Result<Self, RenderError> {
        let context = Context::from_gl_context(gl).map_err(RenderError::Drawing)?;
        check_version(&context)?;
        let _state = GlState::save(&context);
        let copy = Program::from_source(&context, include_str!("background.vert"), include_str!("copy.frag"))
            .map_err(|source| RenderError::Program { program: "copy", source })?;
        Ok(Self {
            quad: Quad::new(&context),
            background: Background::new(&context)?,
            copy,
            readback: Readback::default(),
            rig: None,
            picture: None,
            drawn: None,
            context: context.clone(),
        })
    }

    /// Draws the picture offscreen unless it shows this very frame already; true if it drew.
    ///
    /// *Errors*: a rig or a size too large for the driver, a lost context. The next call tries again.
    pub fn draw(&mut self, frame: &Frame<'_>) -> Result<bool, RenderError> {
        if frame.size.contains(&0) {
            return Ok(false);
        }
        let wanted = Drawn {
            version: frame.version,
            view: frame.view.clone(),
            size: frame.size,
            pixels_per_point: frame.pixels_per_point,
        };
        if self.drawn.as_ref() == Some(&wanted) && self.rig.as_ref().is_some_and(|l| l.rig.is_of(frame.rig)) {
            return Ok(false);
        }
        self.drawn = None;
        let context = self.context.clone();
        let _state = GlState::save(&context);
        self.load(frame)?;
        if self.picture.as_ref().is_none_or(|p| p.size() != frame.size) {
            self.picture = Some(Picture::new(&context, frame.size)?);
        }
        self.draw_layers(frame)?;
        check_errors(&context)?;
        self.drawn = Some(wanted);
        Ok(true)
    }

    /// Copies the picture into a rectangle of the bound framebuffer: x, y from the bottom left, width and height in pixels.
    ///
    /// For an egui paint callback. Clips to the scissor box that is set; without a picture nothing happens.
    pub fn paint(&self, viewport: [i32; 4]) {
        let Some(picture) = &self.picture else { return };
        let [x, y, width, height] = viewport;
        let (Ok(pixels_wide), Ok(pixels_high)) = (u32::try_from(width), u32::try_from(height)) else { return };
        let _state = GlState::save(&self.context);
        self.copy.use_texture("picture", picture.texture());
        self.copy.set("viewportOrigin", [x as f32, y as f32]);
        self.copy.set("viewportSize", [width as f32, height as f32]);
        let viewport = Viewport { x, y, width: pixels_wide, height: pixels_high };
        self.quad.draw(&self.copy, overlay_states(), viewport);
    }

    /// The picture, top row first.
    ///
    /// *Errors*: [`RenderError::NoPicture`] before the first [`Self::draw`].
    pub fn pixels(&self) -> Result<RgbaImage, RenderError> {
        let _state = GlState::save(&self.context);
        let picture = self.picture.as_ref().filter(|_| self.drawn.is_some()).ok_or(RenderError::NoPicture)?;
        Ok(picture.pixels())
    }

    /// Positions and normals in world space as the graphics card skins them, by mesh instance and primitive.
    ///
    /// *Errors*: as [`Self::draw`].
    pub fn skinned(&mut self, frame: &Frame<'_>) -> Result<Vec<Vec<Deformed>>, RenderError> {
        let context = self.context.clone();
        let _state = GlState::save(&context);
        self.load(frame)?;
        let Some(loaded) = &self.rig else { return Ok(Vec::new()) };
        let mut instances: Vec<Vec<Deformed>> = vec![Vec::new(); frame.rig.instances.len()];
        for part in loaded.rig.parts() {
            let geometry = loaded.geometry(&context, &part, frame.view.method, Shape::Vertices);
            instances[part.instance].push(self.readback.deformed(&geometry)?);
        }
        check_errors(&context)?;
        Ok(instances)
    }

    /// Uploads what is not on the graphics card yet.
    fn load(&mut self, frame: &Frame<'_>) -> Result<(), RenderError> {
        match self.rig.as_mut().filter(|l| l.rig.is_of(frame.rig)) {
            Some(loaded) => loaded.update(&self.context, frame)?,
            None => {
                // The old rig goes first: both may not fit.
                self.rig = None;
                self.rig = Some(Loaded::new(&self.context, frame)?);
            }
        }
        if let Some(loaded) = self.rig.as_mut().filter(|_| frame.view.display.wireframe) {
            loaded.rig.prepare_edges();
        }
        Ok(())
    }

    fn draw_layers(&self, frame: &Frame<'_>) -> Result<(), RenderError> {
        let (Some(loaded), Some(picture)) = (&self.rig, &self.picture) else { return Ok(()) };
        let eye = Eye::new(&frame.view.camera, frame.size, frame.pixels_per_point);
        picture.clear();
        picture.write(|| {
            self.background.draw(&self.quad, frame.view.display.is_dark, eye.viewport);
            for part in loaded.rig.parts() {
                loaded.draw_surface(&self.context, &part, frame.view, &eye, Pass::Solid)?;
            }
            Ok(())
        })?;
        picture.resolve();
        Ok(())
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        // Programs hold the context that holds them.
        if let Ok(mut programs) = self.context.programs.write() {
            programs.clear();
        }
    }
}

impl Loaded {
    fn new(context: &Context, frame: &Frame<'_>) -> Result<Self, RenderError> {
        let rig = GpuRig::new(context, frame.rig)?;
        let data = FrameData::new(context, frame.rig, frame.palettes, frame.posed)?;
        Ok(Self { rig, frame: data, version: frame.version })
    }

    fn update(&mut self, context: &Context, frame: &Frame<'_>) -> Result<(), RenderError> {
        if self.version != frame.version {
            self.frame.update(context, frame.rig, frame.palettes, frame.posed)?;
            self.version = frame.version;
        }
        Ok(())
    }

    fn geometry<'a>(
        &'a self,
        context: &'a Context,
        part: &Part<'a>,
        method: Method,
        shape: Shape,
    ) -> SkinnedPrimitive<'a> {
        SkinnedPrimitive {
            context,
            primitive: part.primitive,
            frame: &self.frame,
            slot: self.frame.slot(part.instance),
            method,
            shape,
            depth_bias: 0.0,
        }
    }

    fn draw_surface(
        &self,
        context: &Context,
        part: &Part<'_>,
        view: &View,
        eye: &Eye,
        pass: Pass,
    ) -> Result<(), RenderError> {
        let geometry = self.geometry(context, part, view.method, Shape::Triangles);
        let surface = Surface {
            features: part.primitive.features,
            material: part.material,
            texture: part.texture,
            eye,
            is_clay: view.display.clay,
            mirrors: geometry.slot.mirrors,
            pass,
        };
        draw_with(context, eye, &geometry, &surface, "surface")
    }
}

/// Draws by a program that is compiled when it is first needed.
fn draw_with(
    context: &Context,
    eye: &Eye,
    geometry: &SkinnedPrimitive<'_>,
    material: &dyn three_d::Material,
    name: &'static str,
) -> Result<(), RenderError> {
    three_d::render_with_material(context, eye, geometry, material, &[]).map_err(|e| match e {
        three_d::RendererError::CoreError(source) => RenderError::Program { program: name, source },
        other => RenderError::Drawing(three_d::CoreError::ContextError(other.to_string())),
    })
}

/// Over everything, mixing nothing.
fn overlay_states() -> RenderStates {
    RenderStates { depth_test: three_d::DepthTest::Always, write_mask: WriteMask::COLOR, ..RenderStates::default() }
}

fn check_version(context: &Context) -> Result<(), RenderError> {
    use three_d::HasContext;
    let version = context.version();
    let wanted = if version.is_embedded { (3, 0) } else { (3, 3) };
    if (version.major, version.minor) >= wanted {
        return Ok(());
    }
    let kind = if version.is_embedded { "OpenGL ES" } else { "OpenGL" };
    Err(RenderError::OldDriver { found: format!("{kind} {}.{}", version.major, version.minor) })
}
