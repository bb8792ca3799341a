//! Loops that are compiled a second time for processors with wider instructions.

/// Work of which the loops gain from wider instructions. Whatever it calls in them has to be inlined into [`Self::run`].
pub(crate) trait Vectorized {
    /// What it results in.
    type Output;

    /// Does the work; to be marked `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Does work as it is compiled for every processor.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn vectorized<W: Vectorized>(work: W) -> W::Output {
    work.run()
}

/// Name of the instructions that kernels use on this processor; results of other instructions differ by rounding.
#[cfg(not(target_arch = "x86_64"))]
pub fn instructions() -> &'static str {
    "portable"
}
