//! Weights of morph targets: edits, the one that is worked with, and what is below the user's.

use super::AppState;
use crate::export::PoseFile;
use crate::posing::morph_partner;
use crate::rig::MorphIndex;

impl AppState {
    /// The morph target that is worked with: the one last moved or chosen, else the first.
    pub fn active_morph(&self) -> Option<MorphIndex> {
        self.open.view.morph.or_else(|| self.rig().indexed_morphs().next().map(|(first, _)| first))
    }

    /// The weight of a morph target without the user's: the clip's where one is chosen, else the file's.
    pub fn morph_weight_below(&self, morph: MorphIndex) -> f32 {
        let whole = self.rig().morphs().get(morph.index()).map_or(0.0, |m| m.weight(&self.posed().morph_weights));
        whole - self.pose().morph_weight(morph)
    }

    pub(super) fn choose_morph(&mut self, morph: MorphIndex) {
        self.open.view.morph = Some(morph).filter(|m| m.index() < self.rig().morphs().len());
    }

    /// Sets what the user adds to some weights; outside an open edit a step of its own. The last target is then worked with.
    pub(super) fn set_morphs(&mut self, mut edits: Vec<(MorphIndex, f32)>) {
        edits.retain(|(morph, _)| morph.index() < self.rig().morphs().len());
        let Some(&(last, _)) = edits.last() else { return };
        self.choose_morph(last);
        if self.settings.posing.symmetry {
            let is_edited = |partner: &MorphIndex| edits.iter().any(|(morph, _)| morph == partner);
            let partner = |morph| morph_partner(self.rig(), morph).filter(|p| !is_edited(p));
            let others: Vec<_> = edits.iter().filter_map(|&(morph, w)| Some((partner(morph)?, w))).collect();
            edits.extend(others);
        }
        self.as_step(|state| {
            for (morph, weight) in edits {
                state.open.document.pose.set_morph_weight(morph, weight);
            }
            state.pose_changed();
        });
    }

    pub(super) fn reset_morphs(&mut self) {
        let mut pose = self.pose().clone();
        pose.clear_morph_weights();
        self.set_pose(pose, "Clear morph targets");
    }

    /// The user's weights of all morph targets as a pose file.
    pub(super) fn copied_morphs(&self) -> String {
        PoseFile::of_morphs(self.rig(), self.pose()).to_json()
    }
}
