//! The offscreen picture: multisampled while it is drawn, resolved into a texture.

use image::RgbaImage;
use three_d::{
    ClearState, Context, HasContext, Interpolation, RenderTargetMultisample, Texture2D, Viewport, Wrapping, f24,
};

use super::RenderError;

/// A picture of one size.
pub(super) struct Picture {
    multisampled: RenderTargetMultisample<[u8; 4], f24>,
    resolved: Texture2D,
    size: [u32; 2],
    samples: u32,
}

impl Picture {
    /// With so many samples a pixel, or as many as the driver has.
    ///
    /// *Errors*: [`RenderError::TooLarge`].
    pub fn new(context: &Context, size: [u32; 2], samples: u32) -> Result<Self, RenderError> {
        let (max_samples, max_side) = limits(context);
        let wanted = size[0].max(size[1]);
        if wanted > max_side {
            let (wanted, limit) = (wanted as usize, max_side as usize);
            return Err(RenderError::TooLarge { what: "the picture", wanted, limit });
        }
        let [width, height] = size;
        let linear = Interpolation::Linear;
        let clamp = Wrapping::ClampToEdge;
        let resolved = Texture2D::new_empty::<[u8; 4]>(context, width, height, linear, linear, None, clamp, clamp);
        // OpenGL may take one sample for several.
        let stored = if samples > 1 { samples.min(max_samples) } else { 0 };
        let multisampled = RenderTargetMultisample::new(context, width, height, stored);
        Ok(Self { multisampled, resolved, size, samples })
    }

    /// True for a picture of this size and with so many samples asked for.
    pub fn is_of(&self, size: [u32; 2], samples: u32) -> bool {
        (self.size, self.samples) == (size, samples)
    }

    /// True where so many samples were asked for.
    pub fn has_samples(&self, samples: u32) -> bool {
        self.samples == samples
    }

    pub fn texture(&self) -> &Texture2D {
        &self.resolved
    }

    /// Draws into it.
    pub fn write(&self, draw: impl FnOnce() -> Result<(), RenderError>) -> Result<(), RenderError> {
        self.multisampled.write(draw).map(|_| ())
    }

    /// Draws into a part of it.
    pub fn write_in(&self, part: Viewport, draw: impl FnOnce() -> Result<(), RenderError>) -> Result<(), RenderError> {
        self.multisampled.write_partially(part.into(), draw).map(|_| ())
    }

    /// Forgets what is in front of what, so that what follows lies over everything.
    pub fn clear_depth(&self) {
        self.multisampled.clear(ClearState::depth(1.0));
    }

    /// Starts anew.
    pub fn clear(&self) {
        self.multisampled.clear(ClearState::default());
    }

    /// Makes the drawn picture the one that [`Self::texture`] and [`Self::pixels`] show.
    pub fn resolve(&self) {
        self.multisampled.resolve_color_to(&self.resolved.as_color_target(None));
    }

    /// Top row first.
    pub fn pixels(&self) -> RgbaImage {
        let [width, height] = self.size;
        let pixels: Vec<[u8; 4]> = self.resolved.as_color_target(None).read();
        RgbaImage::from_raw(width, height, pixels.into_flattened()).unwrap_or_else(|| RgbaImage::new(width, height))
    }
}

/// Samples a pixel, a power of two, and pixels a side.
#[expect(unsafe_code, reason = "three-d does not tell these limits")]
fn limits(context: &Context) -> (u32, u32) {
    use three_d::context::{MAX_RENDERBUFFER_SIZE, MAX_SAMPLES, MAX_TEXTURE_SIZE};
    let limit = |name: u32| {
        // SAFETY: reads an integer that every context has.
        let value = unsafe { context.get_parameter_i32(name) };
        u32::try_from(value).unwrap_or(0)
    };
    let samples = limit(MAX_SAMPLES);
    let samples = if samples == 0 { 0 } else { 1 << samples.ilog2() };
    (samples, limit(MAX_RENDERBUFFER_SIZE).min(limit(MAX_TEXTURE_SIZE)))
}
