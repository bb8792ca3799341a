use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::gl_state::check_errors;
use crate::render::gl::picture::OffscreenImage;

const SAMPLES: u32 = 4;

pub(super) struct SceneImages {
    pub samples: u32,
    pub in_motion: Option<u32>,
    full: Option<OffscreenImage>,
    rough: Option<OffscreenImage>,
    is_rough: bool,
}

impl Default for SceneImages {
    fn default() -> Self {
        Self { samples: SAMPLES, in_motion: None, full: None, rough: None, is_rough: false }
    }
}

impl SceneImages {
    /// Prepares the image to draw into. During motion, this is the image with fewer samples, if there is such a
    /// setting.
    pub(super) fn prepare(&mut self, context: &Context, size: [u32; 2], moves: bool) -> Result<(), RenderError> {
        let fewer = self.in_motion.filter(|&fewer| moves && fewer < self.samples);
        self.is_rough = fewer.is_some();
        let samples = self.current_samples();
        let slot = if self.is_rough { &mut self.rough } else { &mut self.full };
        if slot.as_ref().is_none_or(|picture| !picture.is_for(size, samples)) {
            // Free the old image first, because both may not fit.
            *slot = None;
            *slot = Some(OffscreenImage::with_linear_blending(context, size, samples)?);
            check_errors(context)?;
        }
        Ok(())
    }

    pub(super) fn free(&mut self) {
        (self.full, self.rough) = (None, None);
    }

    pub(super) fn current(&self) -> Option<&OffscreenImage> {
        if self.is_rough { self.rough.as_ref() } else { self.full.as_ref() }
    }

    pub(super) fn current_samples(&self) -> u32 {
        if self.is_rough { self.in_motion.unwrap_or(self.samples) } else { self.samples }
    }

    pub(super) fn is_rough(&self) -> bool {
        self.is_rough
    }

    pub(super) fn are_outdated(&self) -> bool {
        self.current().is_some_and(|picture| picture.samples != self.current_samples())
    }
}
