//! The active morph target.

use super::Stage;
use crate::rig::MorphIndex;

impl Stage {
    /// The active morph target: the one last moved or chosen, by default the first.
    pub fn active_morph(&self) -> Option<MorphIndex> {
        self.view.morph.or_else(|| self.rig().indexed_morphs().next().map(|(first, _)| first))
    }

    /// Weight of a morph target without the user's: from the clip if one is chosen, otherwise from the file.
    pub fn morph_weight_below(&self, morph: MorphIndex) -> f32 {
        let whole = self.rig().morphs().get(morph.index()).map_or(0.0, |m| m.weight(&self.posed().morph_weights));
        whole - self.pose().morph_weight(morph)
    }

    /// Sets the active morph target.
    pub fn choose_morph(&mut self, morph: MorphIndex) {
        self.view.morph = Some(morph).filter(|m| m.index() < self.rig().morphs().len());
    }
}
