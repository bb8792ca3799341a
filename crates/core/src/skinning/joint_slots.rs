use super::{JointTransform, Palette};
use crate::rig::Influences;

/// Joint indices that were checked once against their palette, so that kernels need no bounds checks.
#[derive(Clone, Copy)]
pub(super) struct JointSlots<'a> {
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only vector kernels skip bounds checks"))]
    palette: &'a [JointTransform],
    numbers: &'a [u16],
}

impl<'a> JointSlots<'a> {
    /// # Panics
    /// Panics if the influences reference a joint that is not in the palette.
    pub(super) fn new(palette: &'a Palette, influences: &'a Influences) -> Self {
        assert!(influences.joint_count() <= palette.joints.len(), "the palette has every joint of the influences");
        Self { palette: &palette.joints, numbers: influences.joints() }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn palette(self) -> &'a [JointTransform] {
        self.palette
    }

    #[inline]
    pub(super) fn numbers(self) -> &'a [u16] {
        self.numbers
    }

    pub(super) fn split_at(self, slot: usize) -> (Self, Self) {
        let (before, after) = self.numbers.split_at(slot);
        (Self { numbers: before, ..self }, Self { numbers: after, ..self })
    }

    /// Iterates over groups of `slots` joints; skips an incomplete last group.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn chunks_exact(self, slots: usize) -> impl Iterator<Item = Self> {
        self.numbers.chunks_exact(slots).map(move |numbers| Self { numbers, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Affine3;

    #[test]
    #[should_panic(expected = "the palette has every joint of the influences")]
    fn slots_of_a_joint_that_the_palette_lacks_are_refused() {
        JointSlots::new(&Palette::rigid(Affine3::IDENTITY), &Influences::new(1, vec![0, 1], vec![1.0, 1.0]));
    }
}
