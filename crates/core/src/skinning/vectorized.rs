//! Loops compiled a second time for wider SIMD instructions.

/// Work that benefits from wider instructions. Everything it calls must be inlined into [`Self::run`].
pub trait Vectorized {
    /// Result of the work.
    type Output;

    /// Does the work; must be `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Runs work with the instructions of the target.
#[cfg(not(target_arch = "x86_64"))]
pub fn vectorized<W: Vectorized>(work: W) -> W::Output {
    work.run()
}

/// Returns the name of the instruction set that kernels use on this machine; results with other sets differ by
/// rounding.
#[cfg(not(target_arch = "x86_64"))]
pub fn instructions() -> &'static str {
    "portable"
}
