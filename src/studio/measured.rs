use std::sync::Arc;

use crate::analysis::sides::MeasureError;
use crate::import::Job;
use crate::jobs::Progress;
use crate::skinning::Normals;
use crate::stage::{DerivedResult, MeasureBench, Stage};
use crate::view::OverlayInput;

/// Computes missing overlays, centres of rotation and normals of both sides in the stage's pose. *Errors*: text for
/// the user: the method rejects the rig, or the rig is too large to measure.
pub fn measure_sides(stage: &mut Stage, bench: &mut MeasureBench) -> Result<(), String> {
    stage.find_centers(&Job::default());
    let shown = &stage.view.sides;
    if !shown.iter().any(|side| side.overlay.is_some() || side.skinning.normals == Normals::Recomputed) {
        return Ok(());
    }
    let progress = Progress::default();
    let is_painted = |subject| shown.iter().any(|side| side.overlay.is_some_and(|o| o.spec().topic == subject));
    if is_painted(OverlayInput::Findings) && stage.lint.findings.is_none() {
        let rig = Arc::clone(stage.rig());
        let findings = stage.document.findings(&rig, &progress).unwrap_or_default();
        DerivedResult::findings(rig, Some(findings.into())).store_in(stage);
    }
    let plan = stage.measure_plan();
    if !stage.is_measured(&plan) {
        let measured = bench.measure(&plan, &progress).unwrap_or(Err(MeasureError::Cancelled));
        let measured = measured.map_err(|problem| problem.to_string())?;
        stage.take_measured(plan, Ok(measured));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Pose, Trs};
    use crate::stage::{BuiltIn, Document};
    use crate::view::{Overlay, OverlayValues, Side};
    use glam::Quat;

    fn painted(stage: &mut Stage, bench: &mut MeasureBench) -> OverlayValues {
        stage.view.sides.a.paint(Some(Overlay::EdgeStretch));
        stage.refresh();
        measure_sides(stage, bench).unwrap();
        stage.painted(Side::A).unwrap().clone()
    }

    #[test]
    fn a_stage_is_measured_anew_where_its_pose_is_another_and_only_there() {
        let document = Document::built_in(BuiltIn::Tube);
        let [mut stage, mut alone] = [(); 2].map(|()| Stage::new(document.clone()));
        let mut bench = MeasureBench::default();
        let at_rest = painted(&mut stage, &mut bench);
        assert_eq!(painted(&mut stage, &mut bench).version, at_rest.version);
        let mut bent = Pose::rest(&stage.rig().hierarchy);
        let middle = stage.rig().hierarchy.nodes().find(|&node| stage.rig().hierarchy.name(node) == "Middle").unwrap();
        bent.set_user_local(middle, Trs::from_rotation(Quat::from_rotation_x(1.0)));
        stage.edit_pose(|pose| pose.clone_from(&bent));
        alone.edit_pose(|pose| *pose = bent);
        let found = painted(&mut stage, &mut bench);
        assert_ne!(found.version, at_rest.version);
        assert_ne!(found.values, at_rest.values);
        assert_eq!(found.values, painted(&mut alone, &mut MeasureBench::default()).values);
    }
}
