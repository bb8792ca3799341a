//! The picture that is kept, and the rough one that stands in for it while something moves.

use three_d::Context;

use crate::render::RenderError;
use crate::render::gl::gl_state::check_errors;
use crate::render::gl::picture::Picture;

/// Samples a pixel of pictures that are kept.
const SAMPLES: u32 = 4;

/// Both pictures, each made when it is first drawn.
pub(super) struct Pictures {
    /// Samples a pixel that are asked for.
    pub samples: u32,
    /// Samples per pixel while something moves, where these are fewer.
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
    /// Makes the picture that is drawn into next: a rough one where something moves and few samples are wanted then.
    ///
    /// *Errors*: [`RenderError::TooLarge`], [`RenderError::OutOfMemory`].
    pub(super) fn prepare(&mut self, context: &Context, size: [u32; 2], moves: bool) -> Result<(), RenderError> {
        let fewer = self.in_motion.filter(|&fewer| moves && fewer < self.samples);
        self.is_rough = fewer.is_some();
        let samples = self.current_samples();
        let slot = if self.is_rough { &mut self.rough } else { &mut self.full };
        if slot.as_ref().is_none_or(|picture| !picture.is_of(size, samples)) {
            // The old one goes first: both may not fit.
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

    /// Picture that was prepared last.
    pub(super) fn current(&self) -> Option<&Picture> {
        if self.is_rough { self.rough.as_ref() } else { self.full.as_ref() }
    }

    /// Samples a pixel of what was prepared last.
    pub(super) fn current_samples(&self) -> u32 {
        if self.is_rough { self.in_motion.unwrap_or(self.samples) } else { self.samples }
    }

    /// True where what was prepared last has fewer samples than pictures that are kept.
    pub(super) fn is_rough(&self) -> bool {
        self.is_rough
    }

    /// True where other numbers of samples are wanted since.
    pub(super) fn are_outdated(&self) -> bool {
        self.current().is_some_and(|picture| !picture.has_samples(self.current_samples()))
    }
}
