//! The morph target that is worked with.

use super::Stage;
use crate::rig::MorphIndex;

impl Stage {
    /// The morph target that is worked with: the one last moved or chosen, else the first.
    pub fn active_morph(&self) -> Option<MorphIndex> {
        self.view.morph.or_else(|| self.rig().indexed_morphs().next().map(|(first, _)| first))
    }

    /// The weight of a morph target without the user's: the clip's where one is chosen, else the file's.
    pub fn morph_weight_below(&self, morph: MorphIndex) -> f32 {
        let whole = self.rig().morphs().get(morph.index()).map_or(0.0, |m| m.weight(&self.posed().morph_weights));
        whole - self.pose().morph_weight(morph)
    }

    /// Works with a morph target from now on.
    pub fn choose_morph(&mut self, morph: MorphIndex) {
        self.view.morph = Some(morph).filter(|m| m.index() < self.rig().morphs().len());
    }
}
