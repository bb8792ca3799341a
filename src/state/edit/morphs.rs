use crate::export::PoseFile;
use crate::posing::morph_partner;
use crate::rig::{ExpressionIndex, FacePose, MorphIndex};
use crate::stage::Stage;
use crate::state::History;

pub(in crate::state) fn reset_morphs(history: &mut History, stage: &mut Stage) {
    let mut pose = stage.pose().clone();
    pose.clear_morph_weights();
    *pose.face_mut() = FacePose::default();
    history.replace_pose(stage, pose, "Clear morph targets");
}

pub(in crate::state) fn edit_expressions(history: &mut History, stage: &mut Stage, edits: &[(ExpressionIndex, f32)]) {
    let count = stage.rig().expressions.len();
    let known = edits.iter().filter(|(expression, _)| expression.index() < count);
    history.as_step(stage, |stage| {
        stage.edit_pose(|pose| known.for_each(|(at, weight)| pose.face_mut().set_expression(*at, *weight)));
    });
}

/// Sets the user's additions to morph target weights; with live symmetry, also for the targets' partners. Makes the last
/// target active.
pub(in crate::state) fn edit_morphs(
    history: &mut History,
    stage: &mut Stage,
    mut edits: Vec<(MorphIndex, f32)>,
    is_symmetric: bool,
) {
    edits.retain(|(morph, _)| morph.index() < stage.rig().morphs().len());
    let Some(&(last, _)) = edits.last() else { return };
    stage.view.choose_morph(last, &stage.document.rig);
    if is_symmetric {
        let is_edited = |partner: &MorphIndex| edits.iter().any(|(morph, _)| morph == partner);
        let partner = |morph| morph_partner(stage.rig(), morph).filter(|p| !is_edited(p));
        let others: Vec<_> = edits.iter().filter_map(|&(morph, w)| Some((partner(morph)?, w))).collect();
        edits.extend(others);
    }
    history.as_step(stage, |stage| {
        stage.edit_pose(|pose| edits.iter().for_each(|(morph, weight)| pose.set_morph_weight(*morph, *weight)));
    });
}

pub(in crate::state) fn copied_morphs(stage: &Stage) -> String {
    PoseFile::from_morphs(stage.rig(), stage.pose()).to_json()
}
