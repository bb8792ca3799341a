//! Joint slots of vertices, checked once against the palette.

use super::{JointTransform, Palette};
use crate::rig::Influences;

/// Joint indices that the palette is known to have, so that no kernel has to check one again.
#[derive(Clone, Copy)]
pub(super) struct JointSlots<'a> {
    palette: &'a [JointTransform],
    numbers: &'a [u16],
}

impl<'a> JointSlots<'a> {
    /// The joint slots of all vertices.
    ///
    /// # Panics
    /// Where the palette lacks a joint.
    pub(super) fn new(palette: &'a Palette, influences: &'a Influences) -> Self {
        assert!(influences.joint_count() <= palette.joints.len(), "the palette has every joint of the influences");
        Self { palette: &palette.joints, numbers: influences.joints() }
    }

    #[inline]
    pub(super) fn palette(self) -> &'a [JointTransform] {
        self.palette
    }

    /// Joint indices: positions in the palette.
    #[inline]
    pub(super) fn numbers(self) -> &'a [u16] {
        self.numbers
    }

    /// The slots before `slot`, and those from it on.
    pub(super) fn split_at(self, slot: usize) -> (Self, Self) {
        let (before, after) = self.numbers.split_at(slot);
        (Self { numbers: before, ..self }, Self { numbers: after, ..self })
    }

    /// Groups of `slots` joints; an incomplete group at the end is left out.
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
