//! The full picture, and the rough one that replaces it during motion.

use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::gl_state::check_errors;
use crate::render::gl::picture::Picture;

/// Samples per pixel of saved pictures.
const SAMPLES: u32 = 4;

/// Both pictures, each created when it is first drawn.
pub(super) struct Pictures {
    /// Samples per pixel requested.
    pub samples: u32,
    /// Samples per pixel during motion, where fewer.
    pub in_motion: Option<u32>,
    full: Option<Picture>,
    rough: Option<Picture>,
    is_rough: bool,
}

impl Default for Pictures {
    fn default() -> Self {
        Self { samples: SAMPLES, in_motion: None, full: None, rough: None, is_rough: false }
    }
}

impl Pictures {
    /// Prepares the picture to draw next: a rough one during motion, where fewer samples are wanted then.
    ///
    /// *Errors*: [`RenderError::TooLarge`], [`RenderError::OutOfMemory`].
    pub(super) fn prepare(&mut self, context: &Context, size: [u32; 2], moves: bool) -> Result<(), RenderError> {
        let fewer = self.in_motion.filter(|&fewer| moves && fewer < self.samples);
        self.is_rough = fewer.is_some();
        let samples = self.current_samples();
        let slot = if self.is_rough { &mut self.rough } else { &mut self.full };
        if slot.as_ref().is_none_or(|picture| !picture.is_of(size, samples)) {
            // The old picture is freed first: both may not fit.
            *slot = None;
            *slot = Some(Picture::of_light(context, size, samples)?);
            check_errors(context)?;
        }
        Ok(())
    }

    /// Frees both pictures.
    pub(super) fn let_go(&mut self) {
        (self.full, self.rough) = (None, None);
    }

    /// Picture prepared last.
    pub(super) fn current(&self) -> Option<&Picture> {
        if self.is_rough { self.rough.as_ref() } else { self.full.as_ref() }
    }

    /// Samples per pixel of the picture prepared last.
    pub(super) fn current_samples(&self) -> u32 {
        if self.is_rough { self.in_motion.unwrap_or(self.samples) } else { self.samples }
    }

    /// True where the picture prepared last has fewer samples than requested.
    pub(super) fn is_rough(&self) -> bool {
        self.is_rough
    }

    /// True where the requested samples have changed since.
    pub(super) fn are_outdated(&self) -> bool {
        self.current().is_some_and(|picture| !picture.has_samples(self.current_samples()))
    }
}
