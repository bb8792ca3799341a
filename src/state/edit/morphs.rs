use crate::export::PoseFile;
use crate::posing::morph_partner;
use crate::rig::{ExpressionIndex, FacePose, LookAtTarget, MorphIndex};
use crate::stage::Stage;
use crate::state::OpenDocument;

impl OpenDocument {
    pub(in crate::state) fn reset_morphs(&mut self) {
        let mut pose = self.stage.pose().clone();
        pose.clear_morph_weights();
        *pose.face_mut() = FacePose::default();
        self.replace_pose(pose, "Clear morph targets");
    }

    pub(in crate::state) fn edit_expressions(&mut self, edits: &[(ExpressionIndex, f32)]) {
        let count = self.stage.rig().expressions.len();
        let known = edits.iter().filter(|(expression, _)| expression.index() < count);
        self.as_step(|open| {
            open.stage.edit_pose(|pose| known.for_each(|(at, weight)| pose.face_mut().set_expression(*at, *weight)));
        });
    }

    pub(in crate::state) fn edit_look_at(&mut self, target: Option<LookAtTarget>) {
        self.as_step(|open| open.stage.edit_pose(|pose| pose.face_mut().set_look_at(target)));
    }

    /// Sets the user's additions to morph target weights; with live symmetry, also for the targets' partners. Makes the
    /// last target active.
    pub(in crate::state) fn edit_morphs(&mut self, mut edits: Vec<(MorphIndex, f32)>, is_symmetric: bool) {
        edits.retain(|(morph, _)| morph.index() < self.stage.rig().morphs().len());
        let Some(&(last, _)) = edits.last() else { return };
        self.stage.view.choose_morph(last, &self.stage.document.rig);
        if is_symmetric {
            let is_edited = |partner: &MorphIndex| edits.iter().any(|(morph, _)| morph == partner);
            let partner = |morph| morph_partner(self.stage.rig(), morph).filter(|p| !is_edited(p));
            let others: Vec<_> = edits.iter().filter_map(|&(morph, w)| Some((partner(morph)?, w))).collect();
            edits.extend(others);
        }
        self.as_step(|open| {
            open.stage
                .edit_pose(|pose| edits.iter().for_each(|(morph, weight)| pose.set_morph_weight(*morph, *weight)));
        });
    }
}

pub(in crate::state) fn copied_morphs(stage: &Stage) -> String {
    PoseFile::from_morphs(stage.rig(), stage.pose()).to_json()
}
